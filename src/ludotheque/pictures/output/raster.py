"""Pictures as PNG. resvg knows no CSS variables and no themes, so both are resolved here first."""

import re
import time
from functools import lru_cache
from typing import NamedTuple

from ludotheque.extras import extra

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CLASS = re.compile(r"\.([\w-]+)")
VARIABLE = re.compile(r"var\((--[\w-]+)\)")
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
ROOT = re.compile(r'<svg [^>]*class="([^"]*)"')
VIEW_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
FALLBACK_FONT = "Liberation Sans"  # where none of the stylesheet's fonts is installed


class Rule(NamedTuple):
    """One rule of the stylesheet: its selector, its variables, its other declarations."""

    selector: str  #: what it is about
    variables: dict[str, str]  #: the CSS variables that it sets
    declarations: str  #: everything else in it


def png(svg: str, width: int) -> bytes:
    """A picture as a PNG file of this width, on paper; by day unless it says that it is night."""
    with extra("pictures"):
        import resvg_py  # noqa: PLC0415 - `flattened` needs nothing
    box = VIEW_BOX.search(svg)
    assert box, "a picture has a viewBox"
    height = round(width * int(box[2]) / int(box[1]))
    flat, paper = flattened(svg)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=flat,
            width=width,
            height=height,
            background=paper,
            font_family=FALLBACK_FONT,
            sans_serif_family=FALLBACK_FONT,
        )
    )


def flattened(svg: str) -> tuple[str, str]:
    """The picture with plain colours instead of variables, and the colour of its paper."""
    root, style = ROOT.search(svg), STYLE.search(svg)
    assert root, "a picture has classes"
    assert style, "a picture has its stylesheet inside"
    rules, classes = _rules(style[1]), set(root[1].split())
    values: dict[str, str] = {}
    for rule in rules:
        if set(CLASS.findall(rule.selector)) <= classes:
            values |= rule.variables
    css = "".join(f"{rule.selector}{{{_filled(rule.declarations, values)}}}" for rule in rules if rule.declarations)
    return STYLE.sub(lambda _: f"<style>{css}</style>", svg), values["--paper"]


@lru_cache(32)
def _rules(css: str) -> list[Rule]:
    """The rules that hold for a picture on its own, those of more classes later; what depends on the page is out."""
    plain = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", COMMENT.sub("", css))
    found = [_rule(selector.strip(), body) for selector, body in RULE.findall(plain)]
    return sorted(found, key=lambda rule: len(CLASS.findall(rule.selector)))


def _rule(selectors: str, body: str) -> Rule:
    selector = ", ".join(each.strip() for each in selectors.split(",") if "[" not in each) or ".never"
    pairs = [declaration.split(":", 1) for declaration in body.split(";") if ":" in declaration]
    cleaned = [(name.strip(), value.strip()) for name, value in pairs]
    rest = ";".join(f"{name}:{value}" for name, value in cleaned if not name.startswith("--"))
    return Rule(selector, {name: value for name, value in cleaned if name.startswith("--")}, rest)


def _filled(text: str, values: dict[str, str]) -> str:
    """Declarations with their variables filled in; unknown variables become `none`."""
    while VARIABLE.search(text):
        text = VARIABLE.sub(lambda found: values.get(found[1], "none"), text)
    return text


def timed_png(svg: str, width: int) -> tuple[bytes, float]:
    """A PNG file, and the seconds of a core that it took."""
    since = time.process_time()
    return png(svg, width), time.process_time() - since
