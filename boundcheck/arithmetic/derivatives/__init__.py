"""Derivatives by the chain rule, forwards along a box and backwards for gradients, in any arithmetic."""
