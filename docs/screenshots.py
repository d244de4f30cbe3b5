"""The screenshots of docs/ and README.md: `python docs/screenshots.py report/index.html`, after `make paper`.

Needs playwright (`pip install 'boundcheck[test]'`) and a Chromium; CHROMIUM names one that is not on the path.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CLAIM = "#claim=directional-smoothness/thm:polyak-alternate@printed"
LARGEST = 300_000  # bytes
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 780}
PICTURES: dict[str, dict[str, Any]] = {
    "report-light": {"at": "", "viewport": DESKTOP, "color_scheme": "light"},
    "report-dark": {"at": CLAIM, "viewport": {"width": 1280, "height": 1150}, "color_scheme": "dark"},
    "report-counterexample": {"at": CLAIM, "viewport": DESKTOP, "color_scheme": "light", "to": "#claim .refutation"},
    "report-phone": {"at": CLAIM, "viewport": PHONE, "color_scheme": "light", "device_scale_factor": 1.5},
}


def taken(browser: Any, report: Path) -> Iterator[Path]:
    for name, how in PICTURES.items():
        settings = {key: value for key, value in how.items() if key not in ("at", "to")}
        page = browser.new_context(**settings).new_page()
        page.goto(report.resolve().as_uri() + how["at"])
        if "to" in how:
            page.locator(how["to"]).evaluate("e => e.scrollIntoView()")
        path = HERE / f"{name}.png"
        page.screenshot(path=path)
        yield path


def main() -> int:
    from playwright.sync_api import sync_playwright

    report = Path(sys.argv[1] if len(sys.argv) > 1 else "report/index.html")
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not report.is_file() or chromium is None:
        needed = f"found no {report}; run `make paper` first" if chromium is not None else "found no Chromium; set CHROMIUM"
        print(needed, file=sys.stderr)
        return 2
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium)
        sizes = {path.name: path.stat().st_size for path in taken(browser, report)}
        browser.close()
    for name, size in sizes.items():
        print(f"{name}: {size / 1000:.0f} kB")
    return 1 if max(sizes.values()) > LARGEST else 0


if __name__ == "__main__":
    raise SystemExit(main())
