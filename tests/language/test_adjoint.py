"""The adjoint of a linear operator: how it is written, and its JSON."""

from boundcheck.language.canonical import from_json, to_json
from boundcheck.language.latex import latex
from boundcheck.letters import LENGTH, Operator, grad, inner, k, x

A = Operator("A", LENGTH)
FORMULA = inner(A.T(grad(x[k])), x[k])


def test_it_is_written_with_a_sign():
    assert str(FORMULA) == "<A^T(grad f(x_k)), x_k>"
    assert r"A^\top(\nabla f(x_{k}))" in latex(FORMULA)


def test_it_comes_back_from_its_json():
    assert from_json(to_json(FORMULA)).key == FORMULA.key != inner(A(grad(x[k])), x[k]).key
