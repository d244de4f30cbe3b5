"""Which problems of the catalogue rules are tried on, and for what. All of them are small."""

from __future__ import annotations

# on which a rule is audited, by what they are there to show
AUDIT_BATTERY: dict[str, tuple[str, ...]] = {
    "quadratic": ("isotropic-4d", "quadratic-2d", "quadratic-3d", "rank-deficient-6d"),
    "ill-conditioned": ("ill-conditioned-2d", "quadratic-30d"),
    "logistic": ("logistic-40x5", "logistic-280x34"),
    "logistic on real data": ("ionosphere-attained", "mammographic"),
    "separable": ("logistic-separable", "ionosphere"),
    "sqrt(x^2 + eps^2)": ("smooth-abs", "smooth-abs-1/100"),
    "Huber": ("huber", "ridge-2d"),
    "not L-smooth": ("quartic", "power-6"),
}
RACES = ("quadratic-3d", "ill-conditioned-2d", "logistic-40x5", "smooth-abs")  # of these, where an audited rule has rivals
RULE_BATTERY = ("quadratic-2d", "smooth-abs", "logistic-40x5", "quartic", "huber")  # on which `check_rule` tries a rule
EXAMPLE_PROBLEMS = {"check": "huber", "sweep": "huber"}  # which one help names, for each command
