"""The falsifier: looks for a counterexample to a claim, shrinks it, certifies it and writes it down."""
