"""No file says on which machine it was written, or from which index to install."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Written in pieces, so that this file does not match itself.
TOP_FOLDERS = ("work", "root", "tmp", "home", "Users", "opt", "mnt")
MACHINE_PATH = re.compile(rf"(?:(?<![\w.}}/-])|(?<=file://))/(?:{'|'.join(TOP_FOLDERS)})(?![\w-])")
INDEX_WORDS = (
    "index" + "-url",
    "find" + "-links",
    "trusted" + "-host",
    "/simp" + "le/",
    "pythonho" + "sted",
    "download.pyt" + "orch",
)
PACKAGE_INDEX = re.compile("|".join(map(re.escape, INDEX_WORDS)))


def files() -> list[Path]:
    """Tracked files and new ones that are not ignored; without git, everything outside caches and environments."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode == 0 and listing.stdout:
        found = [ROOT / name for name in listing.stdout.split("\0") if name]
    else:
        skipped = re.compile(r"(\.|__pycache__|build$|.*\.egg-info$)(?!ci$|gitignore$|gitattributes$)")
        found = [path for path in ROOT.rglob("*") if not any(skipped.match(part) for part in path.relative_to(ROOT).parts)]
    return sorted(path for path in found if path.is_file())


def mentions(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # an image or the like
        for number, line in enumerate(text.splitlines(), start=1):
            if match := pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    return found


def test_no_file_names_a_path_of_this_machine():
    assert mentions(MACHINE_PATH) == []


def test_no_file_names_a_package_index():
    assert mentions(PACKAGE_INDEX) == []


@pytest.mark.parametrize("folder", TOP_FOLDERS)
@pytest.mark.parametrize("text", ["cd /{}/main", "'/{}/x.json'", "see /{}.", "file:///{}/x", "path=/{}/x"])
def test_a_machine_path_is_seen(text, folder):
    assert MACHINE_PATH.search(text.format(folder))


@pytest.mark.parametrize("folder", TOP_FOLDERS)
@pytest.mark.parametrize("text", ["frame/{}/x", "./{}", "/{}flow/", "https://{}.example.org", "https://example.org/{}/x", "1/{}"])
def test_a_relative_path_or_an_address_is_not_a_machine_path(text, folder):
    assert not MACHINE_PATH.search(text.format(folder))
