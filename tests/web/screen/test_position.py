"""The position in words is complete, and in the reader's language."""

import re
from random import Random

import pytest

import ludotheque
from ludotheque import words
from ludotheque.game import Json
from ludotheque.web.screen import position
from variants import Variant, everything

# Cells, pieces, cards, streets, dogs, types of fleas, sides of pawns: the same in every language.
SAME = re.compile(
    r"[a-z]\d|([ITLSO]\d|M)(:[a-g1-7-]+)?|[IL]|[a-g1-7-]+|\d+@\S+|[hv]\d|Rex|Fifi|Daisy|Zorro|[ABCD]|[gsb]{6}"
)

ours = pytest.mark.parametrize("variant", [each for each in everything() if each.box.key != "nim"], ids=str)


@ours
def test_everything_told_has_words_in_both_languages(variant: Variant) -> None:
    random, match = Random(5), variant.match(5)
    while not match.over and len(match.events) < 60:
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
        if len(match.events) % 12 == 1:
            for name in _told(match.game.describe(match.seen(None)), ""):
                for lang in words.LANGUAGES:
                    table = words.page(match.game.stem, lang)["position"]
                    assert isinstance(table, dict)
                    assert name in table or SAME.fullmatch(name.rpartition(".")[2]), name


def _told(value: Json, name: str) -> set[str]:
    """Every name, and every text as `name.text`."""
    if isinstance(value, dict):
        return {*value, *(told for part, held in value.items() for told in _told(held, part))}
    if isinstance(value, list):
        return {told for held in value for told in _told(held, name)}
    return {f"{name}.{value}"} if isinstance(value, str) else set()


def test_seats_go_by_their_names() -> None:
    match = ludotheque.game("hepta").match()
    for cell in ("a1", "b2", "c3", "d4", "e5", "f6", "g7"):
        match.play(0, cell)
    match.play(1, "L")
    rows = dict(position.rows(match, 0, "fr"))
    assert rows["Qui a quelles pièces"] == "Bloqueur I\N{NO-BREAK SPACE}; Choisisseur L"
    assert rows["Restent"] == "Bloqueurs 0\N{NO-BREAK SPACE}; Pièces I 7\N{NO-BREAK SPACE}; Pièces L 7"
    two = ludotheque.game("tricolore").match(2)
    assert dict(position.rows(two, None, "en"))["Captures"] == "Silver 0; Black 0"


def test_whose_turn_it_is() -> None:
    match = ludotheque.game("pegs").match(seed=1)
    rows = dict(position.rows(match, 1, "fr"))
    assert (rows["Au tour de"], rows["Phase"], rows["Dernier tour"]) == ("Bleu", "ouverture", "non")
