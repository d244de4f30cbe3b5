"""Adaptive gradient descent (Malitsky and Mishchenko, 2020) in ten claims, as paper.tex beside this file words them.

`boundcheck paper examples/adgd` checks them. One of them, eq:steps, is misquoted on purpose: 1/L, where the text says 1/(2L).
`--source examples/adgd/paper.tex` finds that its words are not there, and the check that the formula is false.
"""

SECTIONS = ("method", "one_step", "convergence")
