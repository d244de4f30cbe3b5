"""Arithmetic with running error bounds: each number is a middle and a radius, wherever the middles are stored."""
