"""Lint: what is wrong with a claim before anything runs."""
