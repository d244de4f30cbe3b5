"""The search for counterexamples that are Gram matrices: claims about functions, sets and operators with names.

All that such a claim says is affine in the inner products G of a basis and in values F. A semidefinite program finds where it
fails, in floating point; G and F are rounded to fractions that satisfy every equation exactly; the independent checker decides.
"""
