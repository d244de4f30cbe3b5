"""Kills are certified failures of mutants on the suite's own small problems, on moved ones, and on chosen quadratics."""
