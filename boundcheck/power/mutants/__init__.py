"""Mutants are claims with one thing changed: a constant, a range, an index, a chord, a sign or a hypothesis."""
