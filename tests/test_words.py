"""Every game explains itself in French and in English, completely, and French is printed as French is."""

import re
import string
from pathlib import Path

import pytest

import ludotheque
from ludotheque import Box, words
from ludotheque.words import Table

ROOT = Path(__file__).parent.parent
PLAIN = ("name", "line", "about", "credits", "players", "minutes")
TABLES = ("seats", "options", "phases", "refusals", "moves", "steps")

every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)


def leaves(table: Table, path: str = "") -> dict[str, str]:
    """Every sentence of a table by its full name."""
    found: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= leaves(value, f"{path}{name}.")
        else:
            found[path + name] = str(value)
    return found


def blanks(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def same(english: Table, french: Table) -> None:
    one, other = leaves(english), leaves(french)
    assert one.keys() == other.keys()
    for name in one:
        assert blanks(one[name]) == blanks(other[name]), name


def test_the_house_says_the_same_in_both_languages() -> None:
    same(words.house("en"), words.house("fr"))


@every_game
def test_a_games_page_says_the_same_in_both_languages(box: Box) -> None:
    english, french = (words.page(box.rules.stem, lang) for lang in ("en", "fr"))
    same(english, french)
    for page in (english, french):
        assert all(isinstance(page[name], str) and page[name] for name in PLAIN)
        assert all(isinstance(page[name], int) for name in ("age", "complexity"))
        assert all(isinstance(page[name], dict) for name in TABLES)
        assert {option.name for option in box.options} <= {name.split(".")[0] for name in leaves(page["options"])}  # type: ignore[arg-type]
    headings = [len(re.findall("^## ", words.rules(box.rules.stem, lang), re.MULTILINE)) for lang in ("en", "fr")]
    assert headings[0] == headings[1] >= 6


@every_game
def test_rules_speak_of_every_option(box: Box) -> None:
    for option in box.options:
        for lang in words.LANGUAGES:
            assert words.say(box.rules.stem, lang, "options", option.name)


@pytest.mark.parametrize("page", sorted((ROOT / "src/ludotheque/words/fr").iterdir()), ids=lambda page: page.name)
def test_french_typography(page: Path) -> None:
    """No-break spaces before : ; ! ? » and after «, curly apostrophes; code is left alone."""
    text = re.sub(r"`[^`]*`|^\[.*\]$|^[\w.\"-]+ = ", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    wrong = re.findall(r".{0,25}(?: [:;!?»]|« |[a-zà-ÿ]'[a-zà-ÿ]).{0,10}", text)
    assert wrong == []
