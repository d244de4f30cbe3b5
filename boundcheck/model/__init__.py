"""The model says what a function, a class of functions, a method and a step-size rule are.

`oracles` holds the defaults of a problem: what follows from f alone, by definition.
"""
