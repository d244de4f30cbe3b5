"""Certificates: refutations as files. `verification` says what a file shows, and whose claim it is about."""
