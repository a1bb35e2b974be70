"""The result is explained as the rules count it: the parts that are told come to the scores."""

import re
from random import Random
from typing import Any

import pytest

import ludotheque
from ludotheque import words
from ludotheque.match import Ending, Match
from ludotheque.pictures.output.registry import picture_of
from ludotheque.web.screen import people, position
from ludotheque.web.screen.scoring import ScoreBreakdown, breakdown, result
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


def ended(match: Match, lang: str = "en") -> str:
    return result(match, TableState(match=match), NAMES[: match.seats], lang)


def test_both_lose_to_the_third_colour_and_are_told_why() -> None:
    match = played("pizza", 2, 0)
    assert match.game.scores(match.state)[2] == 16
    assert ended(match) == "Both lose: Mushroom, the third colour, has all sixteen toppings on the pizza."
    assert ended(match, "fr").startswith(
        "Les deux joueurs perdent\N{NO-BREAK SPACE}: Champignon, la troisième couleur"
    )
    found = explained(match, "en")
    assert found.points[-1] == "Toppings of Mushroom on the pizza: 16."
    assert "both lose" in (found.rule or "")
    assert "both lose" not in (explained(played("pizza", 3, 6, rounds=3), "en").rule or "")


def test_the_third_colour_is_counted_all_along() -> None:
    match = ludotheque.game("pizza").match(2, seed=1)
    for _ in range(12):
        (third,) = people.unowned_places(match, "en")
        assert (third.name, third.score) == ("Mushroom", match.game.scores(match.state)[2])
        row = dict(position.rows(match, None, "en"))["Score"]
        assert row == f"Tomato {match.scores[0]}; Basil {match.scores[1]}; Mushroom {third.score}"
        match.play(match.to_act[0], match.moves(match.to_act[0])[0])
    for key, seats in (("pizza", 3), ("tricolore", 2), ("hundsgemein", 2)):
        assert people.unowned_places(ludotheque.game(key).match(seats), "en") == ()


REASONS = [
    ("pizza", 3, 6, {"rounds": 3}, "A draw. Nobody has laid all sixteen toppings; rounds played: 3."),
    ("tricolore", 3, 0, {}, "Three pawns are captured."),
    ("tricolore", 3, 4, {"quiet": 30}, "There were 30 moves in a row without a capture, so most captures decide: "),
    ("tricolore", 3, 0, {"quiet": 10}, "A draw. There were 10 moves in a row without a capture, and nobody"),
    ("hundsgemein", 3, 16, {}, "Points are equal ("),
    ("hundsgemein", 3, 99, {}, ") are equal, so the win is shared."),
    ("pegs", 2, 0, {}, "The deck had run out."),
    ("pegs", 2, 5, {}, "No bare cell was left."),
    ("tfortwo", 2, 1, {"legs": 1}, "A single leg has points, but no winner"),
]


@pytest.mark.parametrize(("key", "seats", "seed", "options", "words_of_it"), REASONS)
def test_results_say_the_reason(key: str, seats: int, seed: int, options: dict[str, Any], words_of_it: str) -> None:
    match = played(key, seats, seed, **options)
    said = ended(match)
    assert words_of_it in said
    assert not re.search(r"[{}]", said + ended(match, "fr"))
    for seat in match.winners if not match.draw else ():
        assert NAMES[seat] in said
    assert ("has won" in said or "have won" in said) == bool(match.winners and not match.draw)


@pytest.mark.parametrize("variant", [each for each in everything() if max(each.box.seats) > 1], ids=str)
def test_every_reason_has_words(variant: Variant) -> None:
    for seed in range(3):
        random, match = Random(seed), variant.match(seed)
        while not match.over:
            actor = random.choice(match.to_act)
            match.play(actor, random.choice(match.moves(actor)))
        step = picture_of(match.game).reason(match.state)
        for lang in words.LANGUAGES if step else ():
            assert step is not None
            table = words.page(match.game.stem, lang)["ends"]
            assert isinstance(table, dict)
            assert step.sentence in table


def test_whoever_gives_up_makes_others_win() -> None:
    for seats, sentence in ((2, "Ada has given up, so Bob wins."), (3, "Ada has given up, so Bob and Cleo win.")):
        match = ludotheque.game("pizza").match(seats, seed=1)
        match.resign(0)
        assert match.ending == Ending("resign", 0)
        assert ended(match) == sentence
