"""Where a constant is 0, a method may divide by zero in its first step: then no run has it, and nothing is claimed of one."""

from __future__ import annotations

from fractions import Fraction

from boundcheck.language.scalars import Add, Constant, Div, Mul, Neg, Number, Power, Scalar, Sub, Term
from boundcheck.method import Method, Update

Known = dict[tuple[str, int], Fraction]  # entries of a run that do not depend on f or on the steps


def has_no_run_where_zero(name: str, method: Method) -> bool:
    """Does the first step divide by what is 0 where the constant is?"""
    known: Known = {}
    begun = {update.name for update in method.first}
    each = [u for u in method.each if not (u.index.offset == 0 and u.name in begun)]
    return any(_fails(update, name, known) for update in (*method.first, *each))


def _fails(update: Update, name: str, known: Known) -> bool:
    """Makes the update at step 0, as far as its number is known; True where it divides by zero."""
    if any(isinstance(node, Div) and _value(node.right, name, known) == 0 for node in update.to.walk()):
        return True
    found = _value(update.to, name, known) if isinstance(update.to, Scalar) else None
    if found is not None:
        known[update.name, update.index.offset] = found
    return False


def _value(node: Scalar, name: str, known: Known) -> Fraction | None:
    """What a formula of step 0 is where the constant is 0; None: it depends on more."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Constant):
        return Fraction(0) if node.name == name else None
    if isinstance(node, Term):
        return known.get((node.name, node.index.offset)) if not node.run else None
    if isinstance(node, Neg | Power):
        base = _value(node.of if isinstance(node, Neg) else node.base, name, known)
        if isinstance(node, Neg):
            return None if base is None else -base
        return Fraction(0) if base == 0 and node.exponent > 0 else None
    if not isinstance(node, Add | Sub | Mul | Div):
        return None
    left, right = _value(node.left, name, known), _value(node.right, name, known)
    if (isinstance(node, Mul) and 0 in (left, right)) or (isinstance(node, Div) and left == 0):
        return Fraction(0)
    if left is None or right is None:
        return None
    if isinstance(node, Add | Sub):
        return left + right if isinstance(node, Add) else left - right
    return left * right if isinstance(node, Mul) else left / right
