"""Pictures show the counterexample where it is: points on the graph, exact numbers, the same bytes each time."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

from boundcheck.certificates.picture import picture
from boundcheck.certificates.picture import scene as drawn_scene
from boundcheck.certificates.picture.scene import scene
from boundcheck.certificates.picture.svg import Drawing, PlotFrame, rich
from boundcheck.certificates.picture.two_variables import _crossings, _ellipse
from boundcheck.certificates.write import kept
from boundcheck.claims.bound import Bound
from boundcheck.language.letters import f, k, x
from boundcheck.library.catalogue import bounds, find_bounds

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 15_000  # bytes
KINDS = {
    "one variable": "thm:polyak-alternate@printed",
    "two variables": "eq:agd-descent-condition@printed",
    "three variables": "app:experimental-details.classical-polyak@printed",
    "two points": "path-smoothness.at-most-D@printed",
    "a closed form": "eq:n6@printed",
    "balls": "thm:ngd.anytime@without-highest",
    "two runs": "lemma:agd-equivalence.y@printed",
}


def claim(name: str) -> Bound:
    (found,) = find_bounds(name)
    return found


def drawn(name: str) -> ElementTree.Element:
    found = picture(claim(name))
    assert found is not None
    return ElementTree.fromstring(found)


@pytest.mark.parametrize("name", KINDS.values(), ids=KINDS)
def test_a_picture_is_small_well_formed_described_and_the_same_each_time(name):
    found = picture(claim(name))
    assert found is not None and found == picture(claim(name))
    assert len(found.encode()) < LARGEST
    root = ElementTree.fromstring(found)
    title, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and claim(name).label in str(title.text) and "is false" in str(title.text)
    assert told is not None and "So it is false that" in str(told.text)
    numbers = re.findall(r'\b(?:x|y|cx|cy|x1|x2|y1|y2)="(-?[\d.]+)"', found)
    assert all(-50 <= float(n) <= 800 for n in numbers)


def test_the_iterates_lie_on_the_graph_at_their_exact_coordinates():
    shown = scene(claim("thm:polyak-alternate@printed"))
    assert shown is not None
    marks = {mark.name: mark for mark in shown.marks}
    assert [str(marks[name].point[0]) for name in ("x₀", "x₁", "x₂")] == ["9/2", "31/8", "1/2"]
    assert [str(marks[name].value) for name in ("x₀", "x₁")] == ["25/4", "27/8"]
    root = drawn("thm:polyak-alternate@printed")
    circles = {}
    for circle in root.iter(f"{SVG}circle"):
        if (title := circle.find(f"{SVG}title")) is not None:
            circles[re.findall(r"= (-?[\d/]+)", str(title.text))[-2]] = float(circle.get("cx", 0)), float(circle.get("cy", 0))
    assert set(circles) == {"9/2", "31/8", "1/2"}
    places = sorted((Fraction(at), *where) for at, where in circles.items())
    (a, ax, _), (b, bx, _), (c, cx, _) = places
    assert (bx - ax) / (cx - ax) == pytest.approx(float((b - a) / (c - a)), abs=1e-3)
    (graph,) = [p for p in root.iter(f"{SVG}path") if p.get("clip-path")]
    curve = _points(str(graph.get("d")))
    for _, px, py in places:
        assert min(np.hypot(curve[:, 0] - px, curve[:, 1] - py)) < 0.5


def _points(d: str) -> np.ndarray:
    """Points of a path of quadratic Bézier curves."""
    start, *pieces = (np.array(part.split(), dtype=float).reshape(-1, 2) for part in re.split("[MQ]", d)[1:])
    t, made, at = np.linspace(0, 1, 2000)[:, None], [], start[0]
    for control, end in pieces:
        made.append((1 - t) ** 2 * at + 2 * t * (1 - t) * control + t**2 * end)
        at = end
    return np.concatenate(made)


def test_both_sides_are_written_as_exact_fractions_beside_bars_of_their_length():
    root = drawn("thm:polyak-alternate@printed")
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert "25/4 = 6.25" in texts and "324/55 ≈ 5.8909" in texts
    assert any("larger by 79/220" in text for text in texts)
    left, right = (float(bar.get("width", 0)) for bar in root.iter(f"{SVG}rect") if bar.get("fill") != "none" and bar.get("fill"))
    assert right / left == pytest.approx(float(Fraction(324, 55) / Fraction(25, 4)), abs=1e-3)


def test_contour_lines_of_a_quadratic_pass_through_its_iterates():
    root = drawn("eq:agd-descent-condition@printed")
    ellipses = [[float(e.get(name, 0)) for name in ("cx", "cy", "rx", "ry")] for e in root.iter(f"{SVG}ellipse")]
    for circle in root.iter(f"{SVG}circle"):
        px, py = float(circle.get("cx", 0)), float(circle.get("cy", 0))
        assert min(abs(((px - cx) / rx) ** 2 + ((py - cy) / ry) ** 2 - 1) for cx, cy, rx, ry in ellipses) < 0.02


def test_text_takes_the_colour_of_its_page_and_alone_that_of_the_reader():
    bound = claim("thm:polyak-alternate@printed")
    inside, alone = picture(bound), picture(bound, alone=True)
    assert inside is not None and alone is not None
    assert 'color="currentColor"' in inside and "<style>" not in inside and 'fill="white"' not in inside
    assert "prefers-color-scheme:dark" in alone


def test_there_is_no_picture_of_a_true_claim_nor_of_one_refuted_through_another():
    assert picture(claim("prop:convex-any-stepsize@printed")) is None
    assert picture(claim("sec:quadratic-case.dai-yang-limit@printed")) is None


def test_a_certificate_is_not_drawn_for_another_claim_of_the_same_name():
    bound = claim("eq:quadratic-bound@printed")
    other = replace(bound, states=f(x[k]) <= f(x[k]), refuted_by=None)
    assert picture(bound) is not None and other.id == bound.id
    assert picture(other) is None


def test_formulas_are_lowered_raised_and_escaped():
    assert rich("x_{k+1} < y^2") == (
        'x<tspan dy="3" font-size="9.5">k+1</tspan><tspan dy="-3">\u200b</tspan> &lt; '
        'y<tspan dy="-5" font-size="9.5">2</tspan><tspan dy="5">\u200b</tspan>'
    )
    assert "sum" not in rich("a_{i_{k}}") and "{" not in rich("a_{i_{k}}")


@pytest.mark.slow
def test_every_claim_with_a_counterexample_has_a_small_picture():
    refuted = [bound for bound in bounds() if bound.refuted_by is not None]
    sizes = {bound.id: len((picture(bound) or "").encode()) for bound in refuted}
    assert len(sizes) > 100 and not [name for name, size in sizes.items() if not 1000 < size < LARGEST]


# -- functions that no kept certificate has ---------------------------------------------------------------------------------


def test_a_turned_ellipse_is_the_level_set_of_its_quadratic():
    matrix, centre = [[Fraction(2), Fraction(1)], [Fraction(1), Fraction(3)]], [1.0, -1.0]
    drawing, frame = Drawing(400, 300), PlotFrame(-3, 5, -4, 2, 0, 0, 400, 300)
    _ellipse(drawing, matrix, centre, 2.5, frame)
    (found,) = drawing.parts
    cx, cy, rx, ry = (float(n) for n in re.findall(r'\b[cr][xy]="([-\d.]+)"', found))
    turn = float(re.findall(r"rotate\(([-\d.]+)", found)[0])
    for angle in np.linspace(0, 2 * np.pi, 9):
        u, v, a = rx * np.cos(angle), ry * np.sin(angle), np.radians(turn)
        px, py = cx + u * np.cos(a) - v * np.sin(a), cy + u * np.sin(a) + v * np.cos(a)
        x_, y_ = -3 + px / 50 - 1, 2 - py / 50 + 1
        assert (2 * x_**2 + 2 * x_ * y_ + 3 * y_**2) / 2 == pytest.approx(2.5, rel=0.02)


def test_contour_lines_on_a_grid_are_where_the_level_is_crossed():
    grid = [[(float(i), float(j), float(i + 2 * j)) for i in range(0, 50, 10)] for j in range(0, 50, 10)]
    cuts = [tuple(map(float, part.split())) for piece in _crossings(grid, 41.0) for part in re.split("[ML]", piece)[1:]]
    assert cuts and all(abs(x_ + 2 * y_ - 41) <= 1.5 for x_, y_ in cuts)
    assert _crossings(grid, 1000.0) == []


def test_of_values_and_gradients_alone_only_the_points_are_drawn(monkeypatch):
    bound = claim("thm:polyak@left-to-right")
    (data,) = [one for name, one in kept().items() if name == bound.id]
    points, function = [mark for mark in scene(bound).marks if mark.kind in ("x", "x*")], data["function"]  # type: ignore[union-attr]
    table = {
        "kind": "interpolation",
        "points": [[str(m.point[0])] for m in points],
        "gradients": [[str(m.gradient[0])] for m in points],
        "values": [str(m.value) for m in points],
        "L": "2",
        "mu": "0",
    }
    assert function["kind"] != "interpolation"
    monkeypatch.setattr(drawn_scene, "_certificate", lambda _: {**data, "function": table})
    root = drawn("thm:polyak@left-to-right")
    assert not [p for p in root.iter(f"{SVG}path") if p.get("clip-path")]
    assert len([c for c in root.iter(f"{SVG}circle") if c.find(f"{SVG}title") is not None]) >= 2
