"""Draws docs/polyak-alternate.svg: the counterexample to the printed thm:polyak-alternate, from its certificate.

python docs/picture.py
"""

from __future__ import annotations

from pathlib import Path

from boundcheck.certificates.picture import picture
from boundcheck.library.catalogue import find_bounds


def main() -> None:
    (printed,) = find_bounds("thm:polyak-alternate@printed")
    drawn = picture(printed, alone=True)
    assert drawn is not None
    Path(__file__).with_name("polyak-alternate.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
