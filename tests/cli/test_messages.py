"""French and English: the same things can be said in both, and the right one is spoken."""

import pickle
import string

import pytest
import typer
from rich.text import Text

from cli.terminal import Run
from ludotheque import words
from ludotheque.cli import app
from ludotheque.cli.messages import Messages, chosen_language
from ludotheque.errors import IllegalMove
from ludotheque.words import Table


def sentences(table: Table, path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in table.items():
        found |= sentences(value, f"{path}{name}.") if isinstance(value, dict) else {path + name: str(value)}
    return found


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_say_the_same_things() -> None:
    english, french = sentences(words.site("en")), sentences(words.site("fr"))
    assert english.keys() == french.keys()
    for name, sentence in english.items():
        assert fields(sentence) == fields(french[name]), name


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_sentence_is_sound_markup(lang: str) -> None:
    for sentence in sentences(words.site(lang)).values():
        Text.from_markup(sentence)


@pytest.mark.parametrize("command", ["games", "play", "replay", "verify", "perft", "random"])
def test_every_command_has_help_with_examples_in_both_languages(run: Run, command: str) -> None:
    english = run(command, "--help", env={"COLUMNS": "200"}).output
    french = run("--lang", "fr", command, "--help", env={"COLUMNS": "200"}).output
    assert f"$ ludotheque {command}" in english
    assert f"$ ludotheque {command}" in french
    assert "Example" in english
    assert "Exemple" in french
    assert "Show this help" in english
    assert "Show this help" not in french


def test_all_options_are_explained_in_both_languages() -> None:
    group = typer.main.get_command(app)
    names = {parameter.name for parameter in group.params}
    names |= {parameter.name for each in getattr(group, "commands").values() for parameter in each.params}  # noqa: B009
    for lang in words.LANGUAGES:
        table = sentences(words.site(lang))
        assert all(table[f"cli.parameters.{name}"] for name in names)


@pytest.mark.parametrize(
    ("args", "environment", "lang"),
    [
        ([], {}, "en"),
        ([], {"LANG": "fr_FR.UTF-8"}, "fr"),
        ([], {"LC_MESSAGES": "fr_CA", "LANG": "en_GB"}, "fr"),
        ([], {"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        ([], {"LANG": "de_DE"}, "en"),
        (["games", "--lang", "fr"], {}, "fr"),
        (["--lang=fr", "games"], {"LANG": "en_GB"}, "fr"),
        (["--lang", "EN"], {"LANG": "fr_FR"}, "en"),
        (["games", "--lang"], {}, "en"),
    ],
)
def test_the_language_is_asked_for_or_the_locales(args: list[str], environment: dict[str, str], lang: str) -> None:
    assert chosen_language(args, environment) == lang


def test_lang_goes_before_and_after_the_command(run: Run) -> None:
    assert (
        run("--lang", "fr", "games").output
        == run("games", "--lang", "fr").output
        == run("games", env={"LANG": "fr"}).output
    )
    assert (
        run("--lang", "en", "games", env={"LC_ALL": "fr_FR"}).output
        == run("games").output
        != run("games", env={"LANG": "fr"}).output
    )


def test_an_unknown_language_is_refused(run: Run) -> None:
    assert "--lang" in run("games", "--lang", "de", code=2).stderr


def test_refusals_are_said_with_their_values() -> None:
    error = pickle.loads(pickle.dumps(IllegalMove("…", "not-a-move", {"move": "“[x]”", "example": "a1"})))  # noqa: S301
    assert (error.reason, error.code) == ("…", "not-a-move")
    assert Text.from_markup(Messages("fr").refusal("hepta", error)).plain.startswith(
        "«\N{NO-BREAK SPACE}[x]\N{NO-BREAK SPACE}» n’est pas un coup"
    )
    assert Messages("fr").refusal("hepta", IllegalMove("No such thing.")) == "No such thing."
