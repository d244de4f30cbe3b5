"""A statement in words says all that is checked: every hypothesis, range, restriction and function, each once."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from boundcheck import Bound, Convex, GradientDescent, Parameter, Smooth
from boundcheck.certificates.errata.math_words import parts
from boundcheck.certificates.errata.wording import ADDED, FUNCTION, QUANTIFIER, RESTRICTION, Methods, Wording, fact_words, wording
from boundcheck.claims.bound import PRINTED, PROVED
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.language.letters import SMOOTHNESS, M, any_number, delta, eta, i, k, x
from boundcheck.library.catalogue import bounds

LIBRARY = bounds()
gamma = Parameter("gamma")


def missing(bound: Bound, said: Wording) -> list[str]:
    """What the claim has, and the wording does not say exactly once."""
    told = [h for part in said.parts for h in part.hypotheses]
    found = [str(h) for h in bound.hypotheses if sum(h is other for other in told) != 1]
    wanted = {
        FUNCTION: [f"${bound.function}$"] if bound.function else [],
        ADDED: list(bound.added),
        RESTRICTION: list(bound.smoothness) if bound.reads_M and set(bound.smoothness) != set(SMOOTHNESS) else [],
    }
    for kind in (FUNCTION, ADDED):
        found += [words for words in wanted[kind] if said.of_kind(kind).count(words) != 1]
    restriction = " ".join(said.of_kind(RESTRICTION))
    found += [kind for kind in SMOOTHNESS if (f"${kind}$" in restriction) != (kind in wanted[RESTRICTION])]
    quantifiers = said.of_kind(QUANTIFIER)
    if bound.quantifier and not any(words.startswith(bound.quantifier) for words in quantifiers):
        found.append(bound.quantifier)
    reads_k = any(bound.for_all.letter in tree.free for tree in bound.trees) and not bound.is_about_chords
    if reads_k and not bound.quantifier and quantifiers != [f"for all ${bound.for_all.letter} \\geq {bound.for_all.start}$"]:
        found.append("the range of k")
    return found + [part.words for part in said.parts if part.words not in said.text and part.kind != QUANTIFIER]


@pytest.mark.parametrize("bound", LIBRARY, ids=lambda b: f"{b.label}@{b.reading}")
def test_the_wording_says_every_hypothesis_range_restriction_and_function_once(bound):
    assert not missing(bound, wording(bound))
    assert not missing(bound, wording(bound, Methods.of(LIBRARY)))


def test_a_wording_that_drops_anything_is_seen():
    claim = Bound(
        states=delta[k] <= gamma * M(x[0], x[1]) * delta[0],
        given=(Convex, GradientDescent(), gamma > 0, AtEachStep(eta[i] <= 1)),
        for_all=k >= 1,
        try_with={"gamma": (1,)},
        smoothness=("A", "H"),
        function="f(x) = x^2",
        quantifier="there is an $f$ such that",
        added=("convexity of $f$",),
    )
    said = wording(claim)
    assert not missing(claim, said)
    for n in range(len(said.parts)):
        assert missing(claim, replace(said, parts=said.parts[:n] + said.parts[n + 1 :])), said.parts[n]
        if said.parts[n].kind not in (QUANTIFIER, RESTRICTION):
            assert missing(claim, replace(said, parts=(*said.parts, said.parts[n]))), "said twice"


def test_no_correction_reads_like_the_print():
    proved = {b.source: b for b in LIBRARY if b.reading == PROVED}
    wrong = [b for b in LIBRARY if b.reading == PRINTED and b.is_refuted and b.source in proved]
    assert len(wrong) > 50
    for bound in wrong:
        assert str(wording(bound)) != str(wording(proved[bound.source])), bound.id


def test_two_claims_of_one_place_read_alike_only_if_they_say_the_same():
    places: dict[tuple[str, str], list[Bound]] = {}
    for bound in LIBRARY:
        places.setdefault((bound.source.paper.name, bound.label), []).append(bound)
    for same in places.values():
        for one, other in combinations(same, 2):
            alike = one.hash == other.hash and one.added == other.added
            assert (str(wording(one)) == str(wording(other))) == alike, (one.id, other.id)


def test_restrictions_of_M_make_another_statement():
    printed = Bound(states=M(x[0], x[1]) * delta[k] <= delta[0], given=(Convex, Smooth, GradientDescent()))
    corrected = replace(printed, smoothness=("A", "H", "L"))
    assert printed.latex() == corrected.latex()
    assert "$M$ is $A$, $H$ or the constant $L$" in wording(corrected).text
    assert str(wording(printed)) != str(wording(corrected))


def test_mathematics_is_words_and_no_code_name_is_among_them():
    methods = Methods.of(LIBRARY)
    for bound in LIBRARY:
        words = [part for is_math, part in parts(wording(bound, methods).text) if not is_math]
        for word in words:
            assert not set(word) & set("_$\\{}^"), (bound.id, word)
        formula = str(wording(bound, methods))
        assert "prime)" not in formula and "searches" not in formula and "gram" not in formula.replace("diagram", ""), bound.id


def test_facts_are_adjectives():
    assert fact_words("IsQuadratic") == "quadratic" and fact_words("StronglyConvex") == r"$\mu$-strongly convex"
    assert fact_words("NearlyFlat") == "nearly flat"


def test_long_methods_are_told_once():
    long = next(b for b in LIBRARY if b.label == "eq:sc-accelerated-rate" and b.reading == PRINTED)
    methods = Methods.of([long])
    assert "the run is that of Method 1 (AGD as printed)" in wording(long, methods).text
    ((name, told),) = methods.told()
    assert name.startswith("Method 1") and r"$y_{k} = " in told
    assert len(wording(long, methods).text) < 400 < len(wording(long).text)


def test_any_number_and_the_range_of_k_are_said():
    claim = Bound(
        states=gamma * delta[k] <= delta[0], given=(Convex, any_number(gamma)), for_all=k >= 3, try_with={"gamma": (1,)}
    )
    said = wording(claim)
    assert said.text.startswith("For all $k \\geq 3$, where $f$ is convex; ") and r"$\gamma$ is any real number" in said.text
