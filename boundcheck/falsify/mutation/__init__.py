"""Mutants of claims, why a survivor is true, and the mutation score."""
