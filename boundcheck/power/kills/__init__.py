"""Kills are certified failures of mutants on the suite's own small problems, on translated ones, and on chosen quadratics."""
