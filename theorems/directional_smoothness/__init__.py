"""*Directional Smoothness and Gradient Methods: Convergence and Adaptivity* (Mishkin, Khaled, Wang, Defazio, Gower, 2024).

Each statement is written as printed. Where the proof supports something else, the reading `proved` stands beside it.
"""

SECTIONS = (
    "section2_directional_smoothness",
    "section3_path_dependent_rates",
    "section3_acceleration",
    "section4_exponential_search",
    "section4_polyak",
    "section4_normalized",
    "appendix_a_directional_smoothness",
    "appendix_d_polyak",
)
