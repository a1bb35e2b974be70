"""The result is explained as the rules count it: the parts that are told come to the scores."""

import re
from random import Random
from typing import Any

import pytest

import ludotheque
from ludotheque import words
from ludotheque.match import Match
from ludotheque.web.screen.scoring import ScoreBreakdown, breakdown
from ludotheque.web.table.state import TableState
from variants import Variant, everything

NAMES = ["Ada", "Bob", "Cleo", "Dan"]
duels = pytest.mark.parametrize("variant", [each for each in everything() if max(each.box.seats) > 1], ids=str)


def played(key: str, seats: int, seed: int, **options: Any) -> Match:
    random, match = Random(seed), ludotheque.game(key).match(seats, seed=seed, **options)
    while not match.over:
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
    return match


def explained(match: Match, lang: str) -> ScoreBreakdown:
    found = breakdown(match, TableState(match=match), NAMES[: match.seats], lang)
    assert found is not None
    return found


def told(match: Match) -> str:
    found = explained(match, "en")
    return "\n".join(sentence for leg in found.legs for sentence in leg)


@duels
@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_duel_explains_its_result(variant: Variant, lang: str) -> None:
    random, match = Random(8), variant.match(8)
    while not match.over:
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
    found = explained(match, lang)
    assert not re.search(r"[{}]", repr(found.legs))
    assert len(found.legs) in (0, match.legs)
    assert found.legs or variant.box.key in ("nim", "tricolore"), "pawns may all survive"


def test_mushrooms_group_by_group() -> None:
    match = played("tfortwo", 2, 3)
    first, second = (
        [int(points) for points in re.findall(r": (\d+)\.", "\n".join(leg))] for leg in explained(match, "en").legs
    )
    assert (sum(first), sum(second)) == match.scores


def test_fleas_street_by_street() -> None:
    for expert in (False, True):
        match = played("hundsgemein", 3, 4, expert=expert)
        points = dict.fromkeys(NAMES[:3], 0)
        for value, name in re.findall(r"\((\d)\):.*\. (\w+) takes the dog", told(match)):
            points[name] += int(value)
        assert tuple(points.values()) == match.scores
        assert len(re.findall(r"^[hv]\d", told(match), re.MULTILINE)) == 12


def test_pegs_row_by_row() -> None:
    match = played("pegs", 2, 5)
    sums = [sum(map(int, re.findall(rf"{name} (\d+)", told(match)))) for name in NAMES[:2]]
    assert tuple(sums) == match.scores


def test_captures_one_by_one() -> None:
    match = played("tricolore", 3, 9)
    assert tuple(told(match).count(f"{name} takes") for name in NAMES[:3]) == match.scores


def test_pieces_leg_by_leg() -> None:
    match = played("hepta", 2, 2, legs=2)
    sums = [sum(map(int, re.findall(rf"{name} has laid . pieces: (\d+)", told(match)))) for name in NAMES[:2]]
    assert tuple(sums) == match.scores


def test_the_last_round_slice_by_slice() -> None:
    match = played("pizza", 3, 6, rounds=3)
    cuts = [text.removeprefix("cut ") for _, text in match.events[-3:]]
    by_seat = dict(zip([seat for seat, _ in match.events[-3:]], cuts, strict=True))
    said = told(match)
    assert said.startswith(f"The last cuts: Ada {by_seat[0]}, Bob {by_seat[1]}, Cleo {by_seat[2]}.")
    assert said.count("Slice with") >= 2
