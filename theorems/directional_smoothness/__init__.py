"""*Directional Smoothness and Gradient Methods: Convergence and Adaptivity* (Mishkin, Khaled, Wang, Defazio, Gower, 2024).

Each statement is written as printed. Where the proof supports something else, the reading `proved` stands beside it.
"""

from boundcheck.letters import A, D, H

SMOOTHNESS = (D, A, H)  # what M may be bound to: the directional smoothness functions of section 2

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

# What a report shows beside the verdicts: rules that are audited, each with what it is held against (what eq:zero-finding says,
# as printed and corrected, beside the best known ones), and runs on which the bounds are ranked.
AUDITED = {"polyak(1)": "", "1/L": "", "1/D-as-printed": "1/D", "1/D": ""}
AUDITED_ON = ("huber", "smooth-abs", "ill-conditioned-2d", "quadratic-3d", "log-sum-exp", "logistic-40x5")
RANKED = (("logistic-40x5", "1/L"), ("quadratic-2d", "1/D"), ("huber", "polyak(3/2)"))

# the module whose FAMILIES are compared with worst cases over classes of functions: `boundcheck tightness`
WORST_CASES = "worst_cases"

# which claim help names, for each command
EXAMPLE_CLAIMS = {"check": "prop:convex-any-stepsize", "falsify": "thm:polyak-alternate@printed", "sweep": "thm:polyak"}
