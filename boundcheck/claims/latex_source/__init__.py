"""The LaTeX source of a paper: its lines, their fingerprints, and the numbers that are printed in it."""
