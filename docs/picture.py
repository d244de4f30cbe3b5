"""Draws docs/polyak-alternate.svg: the counterexample to the printed thm:polyak-alternate, from a run in exact rationals.

python docs/picture.py
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from boundcheck.arithmetic import arithmetic
from boundcheck.problems import CATALOGUE

WIDTH, HEIGHT, LEFT, BOTTOM = 720, 300, 60, 250


def main() -> None:
    problem = CATALOGUE["steep-then-flat"]()
    xp = arithmetic("rational")
    f = lambda x: Fraction(str(problem.f(xp.plain, xp.plain.vector([x])[None])[0]))  # noqa: E731
    g = lambda x: Fraction(str(problem.grad(xp.plain, xp.plain.vector([x])[None])[0, 0]))  # noqa: E731
    x0 = Fraction(problem.start[0])
    eta0 = f(x0) / g(x0) ** 2
    x1 = x0 - eta0 * g(x0)
    eta1 = f(x1) / g(x1) ** 2
    left, right = f(x0), x0**2 / (eta0 + eta1)
    px = lambda x: LEFT + float(x + 1) * (WIDTH - 2 * LEFT) / 6  # noqa: E731
    py = lambda y: BOTTOM - float(y) * 32  # noqa: E731
    curve = " ".join(f"{px(Fraction(n, 40)):.1f},{py(f(Fraction(n, 40))):.1f}" for n in range(-40, 183))
    marks = []
    for name, x, y, colour in (("x0", x0, f(x0), "#994F00"), ("x1", x1, f(x1), "#006CD1")):
        marks.append(f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="5" fill="{colour}"/>')
        marks.append(f'<text x="{px(x) + 9:.1f}" y="{py(y) + 4:.1f}" fill="{colour}">{name} = {x}, f - f* = {y}</text>')
    bound = py(right)
    ends = f'x1="{LEFT}" x2="{WIDTH - LEFT}" y1="{bound:.1f}" y2="{bound:.1f}"'
    marks.append(f'<line {ends} stroke="#994F00" stroke-dasharray="6 4"/>')
    told = f"printed bound at k = 1: {right} = {float(right):.4f}"
    marks.append(f'<text x="{LEFT}" y="{bound - 6:.1f}" fill="#994F00">{told}</text>')
    title = f"thm:polyak-alternate as printed: f(x0) - f* = {left} = {float(left):.4f} exceeds its bound"
    Path(__file__).with_name("polyak-alternate.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 120} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" role="img">'
        f"<title>{title}</title>"
        f'<rect width="100%" height="100%" fill="white"/>'
        f'<text x="{LEFT}" y="22" font-size="15">{title}</text>'
        f'<line x1="{LEFT}" x2="{WIDTH - LEFT}" y1="{BOTTOM}" y2="{BOTTOM}" stroke="#888"/>'
        f'<polyline points="{curve}" fill="none" stroke="black" stroke-width="2"/>' + "".join(marks) + "</svg>\n",
        encoding="utf-8",
    )
    print(f"eta_0 = {eta0}, x_1 = {x1}, eta_1 = {eta1}, left = {left}, right = {right}")


if __name__ == "__main__":
    main()
