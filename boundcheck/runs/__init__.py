"""Runs as data, and what the framework asks of whatever makes them: the protocol `Runner`."""
