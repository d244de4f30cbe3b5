"""Evaluation of claims for every k in one pass over the columns of a trace."""
