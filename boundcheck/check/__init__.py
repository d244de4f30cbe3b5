"""Deciding: a claim becomes questions about a run, each is answered at every k, and the answers become verdicts."""
