"""The search for counterexamples by semidefinite programs: worst cases over a class of functions, rounded to exact data."""
