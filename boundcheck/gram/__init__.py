"""A claim at fixed numbers becomes a semidefinite program over a Gram matrix: the worst case over a class of functions."""
