"""Runs that boundcheck did not make: arrays of points, values, gradients and steps, and the columns that claims read of them."""
