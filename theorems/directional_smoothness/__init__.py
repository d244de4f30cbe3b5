"""*Directional Smoothness and Gradient Methods: Convergence and Adaptivity* (Mishkin, Khaled, Wang, Defazio, Gower, 2024).

Each statement is written as printed. Where the proof supports something else, the reading `proved` stands beside it.
"""

SECTIONS = (
    "introduction",
    "section2_directional_smoothness",
    "section3_local_descent",
    "section3_path_dependent_rates",
    "section3_acceleration",
    "section4_adaptive_learning_rates",
    "section4_quadratics",
    "section4_existence",
    "section4_exponential_search",
    "section4_polyak",
    "section4_normalized",
    "appendix_a_directional_smoothness",
    "appendix_b_path_dependent_rates",
    "appendix_b_acceleration",
    "appendix_b_estimating_sequences",
    "appendix_b_lambda_convergence",
    "appendix_b_valid_sequences",
    "appendix_b_accelerated_rates",
    "appendix_c_quadratics",
    "appendix_d_existence",
    "appendix_d_exponential_search",
    "appendix_d_polyak",
    "appendix_d_normalized_lemma",
    "appendix_d_normalized",
    "appendix_e_experiments",
)
