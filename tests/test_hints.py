"""A computer player's hint in words: in every language it names the move."""

import json
from dataclasses import asdict

import pytest

from ludotheque.hints import MoveHint
from ludotheque.search.players import Thought
from ludotheque.words import LANGUAGES

every_language = pytest.mark.parametrize("lang", LANGUAGES)
HINTS = [
    MoveHint("d4", 0.5, sure=True, proven=False),
    MoveHint("d4", 0.5, sure=False, proven=False, line=("a1", "b2")),
    MoveHint("d4", 1.0, sure=True, proven=True),
    MoveHint("d4", None, sure=True, proven=True),
    MoveHint("d4", None, sure=True, proven=False),
    MoveHint("d4", 0.4, sure=False, proven=False, mix=(("d4", 1.0),)),
    MoveHint("d4", 0.4, sure=False, proven=False, mix=(("d4", 0.6), ("e1", 0.4))),
]


@every_language
@pytest.mark.parametrize("hint", HINTS)
def test_a_hint_names_its_move(hint: MoveHint, lang: str) -> None:
    assert "d4" in hint.say(lang)
    assert "{" not in hint.say(lang)


@every_language
def test_to_object_is_named_too(lang: str) -> None:
    """In Hundsgemein nobody has to think about it: there is a move and nothing to hope for."""
    said = MoveHint.of(Thought("object", (), 1.0), 0, sealed=False).say(lang)
    assert said == {"en": "object it is.", "fr": "Ce sera object."}[lang]


def test_hints_in_words() -> None:
    assert HINTS[0].say("en") == "d4 looks best: hopes of 50 in a hundred. Quite sure."
    assert HINTS[1].say("en").endswith("Other moves may be as good. It may go on like this: a1, b2.")
    assert HINTS[2].say("fr") == "d4 semble le meilleur coup\N{NO-BREAK SPACE}: 100 chances sur cent. C’est prouvé."
    assert HINTS[6].say("en").endswith("Draw it: d4 (60 %), e1 (40 %).")
    assert MoveHint(None, None, sure=True, proven=False).say("en") == "Nothing needs to be said now."


@pytest.mark.parametrize("hint", HINTS)
def test_a_hint_can_be_sent(hint: MoveHint) -> None:
    assert MoveHint.read(json.loads(json.dumps(asdict(hint)))) == hint
