"""A computer player's hint in words: in every language it names the move."""

import json
from dataclasses import asdict

import pytest

import ludotheque
from ludotheque import move_words
from ludotheque.hints import MoveHint
from ludotheque.search.players import think_for
from ludotheque.search.reasons import Reason
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
    MoveHint(
        "d4",
        0.4,
        sure=False,
        proven=False,
        stem="hepta",
        seats=2,
        reasons=(Reason("keeps", 3, (("seat:other", 1), ("number", 1))),),
    ),
]


@every_language
@pytest.mark.parametrize("hint", HINTS)
def test_a_hint_names_its_move(hint: MoveHint, lang: str) -> None:
    assert "d4" in hint.say(lang)
    assert "{" not in hint.say(lang)


@every_language
def test_to_object_is_named_and_explained(lang: str) -> None:
    """In Hundsgemein nobody has to think about it: there is a move and nothing to hope for."""
    match = ludotheque.game("hundsgemein").match(2, 1, referee="table")
    match.play(0, next(text for text in match.moves(0) if text.endswith("@d4")))
    thought = think_for(match, 1, simulations=10)
    hint = MoveHint.of(thought, match.game, match.seen(1), match.witnessed(1), match.role(1), seats=2)
    said = hint.say(lang)
    assert move_words.written("hundsgemein", "object", lang) in said
    assert {"en": "in the centre", "fr": "au centre"}[lang] in said


def test_hints_in_words() -> None:
    assert HINTS[0].say("en") == "Try d4. Quite sure: your chances are about 50 in a hundred."
    assert HINTS[1].say("en").endswith("other moves may be as good. It may go on like this: a1, b2.")
    assert HINTS[2].say("fr").startswith("Essayez d4. C’est prouvé")
    assert HINTS[6].say("en").endswith("d4 (60 %), e1 (40 %).")
    assert MoveHint(None, None, sure=True, proven=False).say("en") == "Nothing needs to be said now."


@every_language
def test_where_the_rules_prove_nothing_the_next_best_is_named(lang: str) -> None:
    worse, equal = (MoveHint("d4", 0.5, sure=True, proven=False, second="e1", close=close) for close in (False, True))
    assert "e1" in worse.say(lang)
    assert "e1" in equal.say(lang)
    assert worse.say(lang) != equal.say(lang)


@every_language
def test_reasons_name_players_as_they_are_called(lang: str) -> None:
    hint = MoveHint(
        "a1",
        0.5,
        sure=True,
        proven=False,
        stem="hepta",
        seats=2,
        reasons=(Reason("stops", 70, (("seat:other", 1),)),),
    )
    assert "Zoe" in hint.say(lang, ["Ada", "Zoe"])
    assert {"en": "Chooser", "fr": "Choisisseur"}[lang] in hint.say(lang)


@pytest.mark.parametrize("hint", HINTS)
def test_a_hint_can_be_sent(hint: MoveHint) -> None:
    assert MoveHint.read(json.loads(json.dumps(asdict(hint)))) == hint
