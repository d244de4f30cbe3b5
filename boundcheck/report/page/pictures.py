"""SVG from elsewhere, made safe to stand in the page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from markupsafe import Markup

SVG = "http://www.w3.org/2000/svg"
DRAWN = {
    *("svg", "g", "defs", "path", "line", "polyline", "polygon", "rect", "circle", "ellipse", "text", "tspan", "title", "desc"),
    *("clipPath", "use", "marker", "symbol", "style", "linearGradient", "radialGradient", "stop", "pattern", "mask"),
}
OUTWARD = re.compile(r"url\(\s*['\"]?(?!#)|@import|expression\(|javascript:", re.IGNORECASE)


def picture(svg: str, *, prefix: str) -> Markup:
    """The drawing alone: no script, no link outwards, its ids with a prefix of their own. What is no SVG is said in its place."""
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as wrong:
        return Markup('<p class="muted">The picture cannot be shown: {}.</p>').format(wrong)
    _clean(root, prefix)
    root.set("role", "img")
    for size in ("width", "height"):
        if "viewBox" in root.attrib:
            root.attrib.pop(size, None)
    ET.register_namespace("", SVG)
    return Markup(ET.tostring(root, encoding="unicode").replace(f' xmlns="{SVG}"', "", 1))


def _clean(element: ET.Element, prefix: str) -> None:
    for child in list(element):
        if _local(child.tag) not in DRAWN or (_local(child.tag) == "style" and OUTWARD.search(child.text or "")):
            element.remove(child)
        else:
            _clean(child, prefix)
    for name, value in list(element.attrib.items()):
        local = _local(name)
        if local.lower().startswith("on") or OUTWARD.search(value) or (local == "href" and not value.startswith("#")):
            del element.attrib[name]
        elif local == "href":
            del element.attrib[name]
            element.set("href", f"#{prefix}{value[1:]}")
        elif local == "id":
            element.set(name, prefix + value)
        elif "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{prefix}"))


def _local(name: object) -> str:
    return name.rpartition("}")[2] if isinstance(name, str) else ""
