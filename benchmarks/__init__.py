"""Benchmarks: every number is a ratio against a named baseline in the same run."""
