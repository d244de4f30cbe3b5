"""Directional Smoothness and Gradient Methods: Convergence and Adaptivity (Mishkin, Khaled, Wang, Defazio, Gower; 2024)."""
