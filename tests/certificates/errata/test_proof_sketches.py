"""Every correction has a proof that a reader can follow: short, with mathematics that closes, resting on claims that stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boundcheck.certificates.errata.correction import corrections, faults, references, resolved, unsound_sketches
from boundcheck.library.catalogue import bounds_of, papers

from .made_up import CLAIMS, FALLS, FALSE, PROVED, STANDS, claim

GOOD = ("By [thm:stands], $x_{k+1} \\in [0, 1]$.", "Sum over $k$ and use [thm:stands@printed] again.")


def with_proof(*lines, of=PROVED):
    """The made-up paper, with a proof of one of its claims."""
    return [replace(b, proof_sketch=lines) if b.id == of.id else b for b in CLAIMS]


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.__name__)
def test_every_correction_of_the_library_has_a_proof_whose_steps_stand(paper):
    assert unsound_sketches(bounds_of(paper)) == []


def test_a_sound_proof_is_accepted():
    assert unsound_sketches(with_proof(*GOOD)) == []


def test_only_what_corrects_a_false_printed_claim_is_a_correction():
    assert corrections(CLAIMS) == [PROVED]
    assert corrections([STANDS, claim("thm:stands", reading="proved")]) == []
    assert corrections([FALSE]) == []


def test_a_correction_without_a_proof_is_told():
    assert unsound_sketches(CLAIMS) == ["made-up/thm:corrected@proved corrects what is printed and has no proof_sketch"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (GOOD[:1], "its proof has 1 line; it needs 2 to 10"),
        (GOOD * 6, "its proof has 12 lines; it needs 2 to 10"),
        ((*GOOD, "So $x = 1."), "a $ without its partner in 'So $x = 1.'"),
        ((*GOOD, "So $x_{k = 1$."), "a brace without its partner in 'So $x_{k = 1$.'"),
        ((*GOOD, "So $x_k} + {1$."), "a brace without its partner in 'So $x_k} + {1$.'"),
        ((*GOOD, "By [thm:nowhere]."), "it rests on [thm:nowhere], which is no claim"),
        ((*GOOD, "By [thm:stands@proved]."), "it rests on [thm:stands@proved], which is no claim"),
        ((*GOOD, "By [falls]."), "it rests on [falls], which is refuted"),
        ((*GOOD, "By [thm:corrected@printed]."), "it rests on [thm:corrected@printed], which is refuted"),
    ],
)
def test_an_unsound_proof_is_told_in_a_line(lines, said):
    assert unsound_sketches(with_proof(*lines)) == [f"{PROVED.id}: {said}"]


def test_a_proof_that_rests_on_itself_is_told():
    (told,) = unsound_sketches(with_proof(*GOOD, "By [thm:corrected]."))
    assert told == f"{PROVED.id} rests on {PROVED.id}: a proof in a circle"


def test_proofs_that_rest_on_each_other_are_told():
    library = [replace(b, proof_sketch=("By [thm:corrected].", "Done.")) if b is STANDS else b for b in with_proof(*GOOD)]
    (told,) = unsound_sketches(library)
    assert told.endswith("a proof in a circle") and STANDS.id in told and PROVED.id in told


def test_an_escaped_dollar_is_a_dollar():
    assert list(faults(replace(PROVED, proof_sketch=(*GOOD, r"It costs \$5.")), CLAIMS)) == []


def test_brackets_in_mathematics_name_no_claim():
    (proof,) = [b for b in with_proof(*GOOD) if b.proof_sketch]
    assert references(proof) == ["thm:stands", "thm:stands@printed"]


def test_a_name_means_the_correction_before_the_print_and_the_print_before_a_lemma():
    lemma = claim("thm:ours", reading="lemma")
    library = [*CLAIMS, lemma]
    assert resolved("thm:corrected", STANDS, library) is PROVED
    assert resolved("thm:corrected@printed", STANDS, library) is FALSE
    assert resolved("falls", STANDS, library) is FALLS
    assert resolved("thm:ours", STANDS, library) is lemma
    assert resolved("made-up/thm:stands", STANDS, library) is STANDS
    assert resolved("another/thm:stands", STANDS, library) is None
