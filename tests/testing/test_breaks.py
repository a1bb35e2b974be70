"""Each law fails on a game that was made to break it, so that a law that cannot fail is found."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

import example
from ludotheque import shelf
from ludotheque.game import AnyGame, Game
from ludotheque.games import hundsgemein, pizza
from ludotheque.shelf import Box
from ludotheque.testing import LAWS, LawBroken, variants
from ludotheque.testing.laws import Law
from testing import secret_numbers


def obey(law: Law, game: AnyGame) -> None:
    """Try the law on all ways to play the game."""
    for variant in variants(Box(game)):
        law(variant)


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyGame]:
    """Kuhn's poker, which obeys all laws."""
    with example.on_the_shelf(tmp_path_factory.mktemp("kuhn"), "kuhn"):
        yield shelf.game("kuhn").rules


# The games that break a law; all but the last begin with Kuhn's poker


def five_seats(game: AnyGame) -> AnyGame:
    return replace(game, seats=(2, 5))


def two_alike(game: AnyGame) -> AnyGame:
    return replace(game, texts=(*game.texts[:-1], "check"))


def dead_end(game: AnyGame) -> AnyGame:
    """Who faces a bet can neither call nor fold."""
    return replace(game, legal=lambda state, actor, move: move not in (5, 6) and game.legal(state, actor, move))


def overlapping(game: AnyGame) -> AnyGame:
    return replace(game, spans=lambda state, actor: game.spans(state, actor) * 2)


def endless(game: AnyGame) -> AnyGame:
    """Whoever folds or shows begins again."""

    def play(state: Any, actor: int, move: int) -> Any:
        after = game.play(state, actor, move)
        return after if game.to_act(after) else game.start(2)

    return replace(game, play=play)


def list_in_state(game: AnyGame) -> AnyGame:
    return replace(game, start=lambda seats: game.start(seats)._replace(paid=[1, 1]))


def chips_at_random(game: AnyGame) -> AnyGame:
    """What is paid depends on something beside the state."""
    random = Random(1)
    return replace(
        game, play=lambda state, actor, move: game.play(state, actor, move)._replace(paid=(1, random.randint(1, 2)))
    )


def counting_calls(game: AnyGame) -> AnyGame:
    calls = count()
    return replace(
        game, play=lambda state, actor, move: game.play(state, actor, move)._replace(paid=(1, next(calls) % 2))
    )


def in_debt(game: AnyGame) -> AnyGame:
    return replace(game, scores=lambda state: (-state.paid[0], 0))


def draw_of_one(game: AnyGame) -> AnyGame:
    return replace(game, winners=lambda _state: 0b100001)


def set_in_position(game: AnyGame) -> AnyGame:
    described: Any = lambda state: {"cards": set(state.cards)}  # noqa: E731 - which has no type that fits
    return replace(game, describe=described)


def no_words(game: AnyGame) -> AnyGame:
    return replace(game, refusal=lambda _state, _actor, _move: "nobody-wrote-this")


def no_phase(game: AnyGame) -> AnyGame:
    return replace(game, phase=lambda _state, _actor: "nobody-wrote-this")


def loaded_dice(game: AnyGame) -> AnyGame:
    random = Random(1)
    return replace(game, weight=lambda _state, _move: random.randint(1, 100))


def peeking(game: AnyGame) -> AnyGame:
    """Only who has the higher card may bet."""

    def legal(state: Any, actor: int, move: int) -> bool:
        return game.legal(state, actor, move) and (move != 4 or state.cards[actor] > state.cards[1 - actor])

    return replace(game, legal=legal)


def scores_tell(game: AnyGame) -> AnyGame:
    return replace(game, scores=lambda state: state.cards)


def uncovered(game: AnyGame) -> AnyGame:
    """The log tells what the view hides: this is how games leaked before there were covers."""
    plain = {field: value for field, value in vars(game).items() if field in Game.__dataclass_fields__}
    return Game(**{field: value for field, value in plain.items() if field != "cover"})


def cover_tells(game: AnyGame) -> AnyGame:
    """The king is covered otherwise."""

    def cover(before: Any, actor: int, move: int, now: Any, seat: int) -> int:
        shown = game.cover(before, actor, move, now, seat)
        return -1 if shown != move == 2 else shown

    return replace(game, cover=cover)


def like_a_move(game: AnyGame) -> AnyGame:
    """In place of the card stands another that could have been dealt."""

    def cover(before: Any, actor: int, move: int, now: Any, seat: int) -> int:
        shown = game.cover(before, actor, move, now, seat)
        return (before.cards[0] % 3) if shown != move else shown

    return replace(game, cover=cover)


def forgotten(game: AnyGame) -> AnyGame:
    """A card is known until the first bet."""
    return replace(game, cover=lambda _before, _actor, move, now, _seat: 7 if move < 3 and now.phase > 1 else move)


def not_forgetting(_game: AnyGame) -> AnyGame:
    """Hundsgemein whose log goes on, and so tells the owners of fleas."""
    return replace(hundsgemein.GAME, forgets=lambda _state, _move: False)


def unsealed(_game: AnyGame) -> AnyGame:
    """Pizza Theory that blanks the cuts and shows them in the log."""
    return replace(pizza.GAME, sealed=lambda _state: 0)


def leaky_numbers(_game: AnyGame) -> AnyGame:
    return uncovered(secret_numbers.GAME)


BREAKS: dict[str, tuple[Callable[[AnyGame], AnyGame], ...]] = {
    "seats_are_few_and_luck_is_none_of_them": (five_seats,),
    "texts_name_the_moves": (two_alike,),
    "whoever_acts_can_move_and_nobody_else": (dead_end,),
    "moves_are_listed_once": (overlapping,),
    "a_game_ends": (endless,),
    "states_are_values": (list_in_state,),
    "the_log_makes_the_match": (chips_at_random,),
    "undoing_and_playing_again_changes_nothing": (counting_calls,),
    "results_add_up": (in_debt, draw_of_one),
    "positions_are_json": (set_in_position,),
    "refusals_and_phases_have_words": (no_words, no_phase),
    "the_same_seed_gives_the_same_luck": (loaded_dice,),
    "rules_ask_only_what_is_seen": (peeking, scores_tell),
    "what_a_view_hides_is_not_told": (uncovered, cover_tells, not_forgetting, unsealed, leaky_numbers),
    "what_a_view_hides_is_not_drawn": (uncovered, cover_tells, not_forgetting, unsealed),
    "covers_stand_for_private_moves": (like_a_move, forgotten),
}


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert [law.__name__ for law in LAWS] == list(BREAKS)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_it_is_kept_by_the_example(law: Law, kuhn: AnyGame) -> None:
    obey(law, kuhn)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_it_is_kept_where_seats_choose_for_themselves(law: Law) -> None:
    if law.__name__ != "refusals_and_phases_have_words":  # the game has none
        obey(law, secret_numbers.GAME)


@pytest.mark.parametrize(
    ("law", "broken"),
    [(law, broken) for law in LAWS for broken in BREAKS[law.__name__]],
    ids=lambda each: each.__name__,
)
def test_this_law_catches_this_break(law: Law, broken: Callable[[AnyGame], AnyGame], kuhn: AnyGame) -> None:
    game = broken(kuhn)
    with pytest.raises(LawBroken):
        obey(law, game)


def test_who_breaks_a_law_is_told_where(kuhn: AnyGame) -> None:
    law = next(law for law in LAWS if law.__name__ == "what_a_view_hides_is_not_told")
    (variant,) = variants(Box(uncovered(kuhn)))
    with pytest.raises(LawBroken, match=r"by shown (a spectator|seat \d) .*'deal \w+'.*\n\(kuhn for 2.*luck: deal"):
        law(variant)
