"""Every game explains itself in every language, completely, and French is printed as French is."""

import re
import string
from pathlib import Path

import pytest

import ludotheque
from ludotheque import Box, words
from ludotheque.words import Table

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src/ludotheque"
WORDS = SOURCE / "words"
PLAIN = ("name", "line", "about", "credits", "players", "minutes")
TABLES = ("seats", "options", "phases", "refusals", "moves", "steps")

every_language = pytest.mark.parametrize("lang", words.LANGUAGES)
other_languages = pytest.mark.parametrize("lang", words.LANGUAGES[1:])
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


@other_languages
def test_the_site_says_the_same_in_every_language(lang: str) -> None:
    same(words.site(words.DEFAULT_LANGUAGE), words.site(lang))


@every_language
def test_a_language_has_every_page(lang: str) -> None:
    default = {path.name for path in (WORDS / words.DEFAULT_LANGUAGE).iterdir()}
    assert {path.name for path in (WORDS / lang).iterdir()} == default


def test_languages_are_folders() -> None:
    assert {path.name for path in WORDS.iterdir() if (path / "site.toml").is_file()} == set(words.LANGUAGES)


def test_nothing_but_words_names_a_language() -> None:
    """A new language is a folder in `words/` and its place in `LANGUAGES`."""
    codes = "|".join(words.LANGUAGES)
    named = re.compile(rf"""["']({codes})["']|\b({codes})_[A-Z]{{2}}\b""")
    sources = [path for path in SOURCE.rglob("*") if path.suffix in {".py", ".html", ".js", ".css"}]
    others = [path for path in sources if WORDS not in path.parents]
    assert len(others) > 100
    found = [str(path.relative_to(SOURCE)) for path in others if named.search(path.read_text(encoding="utf-8"))]
    assert found == []


@every_game
@other_languages
def test_a_games_page_says_the_same_in_every_language(box: Box, lang: str) -> None:
    default, other = (words.page(box.rules.stem, each) for each in (words.DEFAULT_LANGUAGE, lang))
    same(default, other)
    for page in (default, other):
        assert all(isinstance(page[name], str) and page[name] for name in PLAIN)
        assert all(isinstance(page[name], int) for name in ("age", "complexity"))
        assert all(isinstance(page[name], dict) for name in TABLES)
        assert {option.name for option in box.options} <= {name.split(".")[0] for name in leaves(page["options"])}  # type: ignore[arg-type]
    headings = [len(re.findall("^## ", words.rules(box.rules.stem, lang), re.MULTILINE)) for lang in words.LANGUAGES]
    assert len(set(headings)) == 1
    assert headings[0] >= 6


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


@pytest.mark.parametrize("page", sorted((ROOT / "src/ludotheque/words/fr").iterdir()), ids=lambda page: page.name)
def test_one_word_for_one_thing_in_french(page: Path) -> None:
    """A puzzle is a casse-tête, never a problème; what is undone is annulé, and only pieces are repris."""
    text = page.read_text(encoding="utf-8")
    assert re.findall(r".{0,25}\bprobl[èe]mes?\b.{0,10}", text, re.IGNORECASE) == []
    assert re.findall(r"(?:reprendre|reprise|repris)[^.]{0,12}\bcoups?\b", text, re.IGNORECASE) == []
