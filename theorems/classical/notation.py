"""The notation of the classical theorems: delta_i = f(x_i) - f(x*), Delta_i = |x_i - x*|^2, steps eta_i, indices from 0."""

from boundcheck import Convex, Follows, GradientDescent, Smooth, StronglyConvex
from boundcheck.letters import L, eta, i

ONE_OVER_L = Follows(eta[i] == 1 / L)
SMOOTH_GD = (Smooth, GradientDescent())
CONVEX_GD = (Convex, *SMOOTH_GD)
STRONGLY_CONVEX_GD = (StronglyConvex, *SMOOTH_GD)
