"""The rules of every game as pages, in every language, from the words that the players read."""

from html import escape

import ludotheque
from ludotheque import Box, words
from ludotheque.pictures.output import diagrams
from ludotheque.pictures.output.diagrams import Diagram
from ludotheque.pictures.output.render import render_match

PAGES = (*(f"rules/{lang}/index" for lang in words.LANGUAGES), "docs/gallery")


def files() -> dict[str, str]:
    """A page for each game and language, and one for each language that lists them."""
    boxes = ludotheque.games()
    pages = {f"rules/{lang}/{box.key}.md": page(box, lang) for box in boxes for lang in words.LANGUAGES}
    return pages | {f"rules/{lang}/index.md": _index(boxes, lang) for lang in words.LANGUAGES}


def page(box: Box, lang: str) -> str:
    """The rules of one game: what is on its box, then the rules with their diagrams."""
    facts = words.page(box.rules.stem, lang)
    told = words.say(None, lang, "cli", "shelf", "facts", seats=", ".join(map(str, box.seats)), **_facts(facts))
    parts = (part if isinstance(part, str) else _figure(part, lang) for part in diagrams.parts(box.rules, lang))
    return f"# {facts['name']}\n\n*{facts['line']}*\n\n{told}\n\n{facts['credits']}\n\n" + "".join(parts)


def _facts(facts: words.Table) -> dict[str, object]:
    return {name: facts[name] for name in ("players", "age", "minutes")}


def _figure(shown: Diagram, lang: str) -> str:
    drawing = render_match(shown.match, shown.seat, style=False, lang=lang)
    return f'<figure class="diagram">{drawing}<figcaption>{escape(shown.caption)}</figcaption></figure>\n'


def _index(boxes: list[Box], lang: str) -> str:
    rows = "".join(f"| [{box.say('name', lang)}]({box.key}.md) | {box.say('line', lang)} |\n" for box in boxes)
    tree = "\n".join(box.key for box in boxes)
    title = words.say(None, lang, "puzzles", "booklet", "rules")
    return f"# {title}\n\n| | |\n|---|---|\n{rows}\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
