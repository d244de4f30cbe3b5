"""Worst-case guarantees of first-order methods, as the examples of PEPit state them.

Every claim has the name of its example there, and is stated as the paper which that example cites prints it; an example without a
printed rate is a claim with the rate as a parameter. One file holds the examples of one folder, or a part of them.
"""

SECTIONS = (
    "gradient_descent",
    "silver_steps",
    "linear_operators",
    "line_searches",
    "accelerated_methods",
    "momentum",
    "nonsmooth",
    "coordinate_descent",
    "adaptive_methods",
    "potential_functions",
    "continuous_time",
    "tutorials",
    "fixed_points",
    "monotone",
    "splittings",
    "variational",
    "online",
    "stochastic",
    "composite_gradients",
    "composite_splitting",
    "bregman",
    "inexact_proximal",
    "nonconvex",
    "projections",
    "low_dimensional",
)
