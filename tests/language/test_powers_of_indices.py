"""Powers by an index, exponentials, and what is said of what is neither."""

import json
from fractions import Fraction

import pytest

from boundcheck import Bound, Convex, GradientDescent, Parameter, Smooth
from boundcheck.language.canonical import from_json, to_json
from boundcheck.letters import L, M, delta, exp, i, k, mu, mu_f, x

rho = Parameter("rho")
DESCENT = (Convex, Smooth, GradientDescent())


@pytest.mark.parametrize(
    ("power", "text"),
    [
        (2**k, "prod_{p=1..k} 2"),
        (rho ** (k + 1), "prod_{p=1..k+1} rho"),
        (rho ** (2 * k), "prod_{p=1..k} rho^2"),
        (rho ** (k * 2 + 1), "(prod_{p=1..k} rho^2) rho"),
        (rho ** (-k), "prod_{p=1..k} rho^(-1)"),
        (rho ** (k / 2), "prod_{p=1..k} sqrt(rho)"),
        (Fraction(1, 2) ** (k - 1), "prod_{p=1..k-1} 1/2"),
        (exp(-k / 2), "exp((-k)/2)"),
        (x[k] * 2, "2 x_k"),
    ],
)
def test_a_power_of_an_index_is_a_product(power, text):
    assert str(power) == text


@pytest.mark.parametrize("write", [lambda: rho ** (k * k), lambda: rho ** (k + i), lambda: rho ** delta[k], lambda: rho ** "2"])
def test_other_exponents_are_refused_in_words(write):
    with pytest.raises(TypeError, match="an exponent is a number, or a multiple of one index plus a number"):
        write()


def test_a_number_of_a_chord_is_no_constant():
    with pytest.raises(TypeError, match=r"mu is not a scalar formula.*the constant of strong convexity is mu_f"):
        mu / L
    with pytest.raises(TypeError, match=r"write M\(x\[i\], x\[i \+ 1\]\)"):
        1 / M


def test_the_product_of_two_vectors_is_refused():
    with pytest.raises(TypeError, match="inner"):
        x[k] * x[k]


def test_an_exponential_in_a_claim():
    claim = Bound(given=DESCENT, states=delta[k] <= exp(-k * mu_f / L) * delta[0])
    assert claim.lint() == []
    assert "\\exp" in claim.latex()
    again = Bound.from_json(json.loads(json.dumps(claim.to_json())))
    assert again.hash == claim.hash
    assert from_json(to_json(exp(-k))).key == exp(-k).key


def test_an_exponential_of_what_has_a_unit_is_found():
    claim = Bound(given=DESCENT, states=delta[k] <= exp(-k * L) * delta[0])
    assert any("exponential" in finding.message for finding in claim.lint())
