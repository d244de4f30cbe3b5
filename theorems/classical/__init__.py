"""Classical theorems on gradient methods, each as its source states it: textbooks, and the papers that found the exact rates.

Every claim's source is a paper or a book of `sources.py`, with its number there where the claim is a numbered statement.
"""

SECTIONS = (
    "smooth",
    "smooth_convex",
    "gradient_norms",
    "strongly_convex",
    "line_search",
    "polyak",
    "adgd",
    "nesterov",
)

# the module whose FAMILIES are compared with worst cases over classes of functions: `boundcheck tightness`
WORST_CASES = "worst_cases"
