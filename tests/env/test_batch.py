"""A batch plays the games that `Match` plays, whatever the number of threads."""

from collections import Counter
from random import Random

import numpy as np
import pytest

import ludotheque
from ludotheque import BadOption, IllegalMove, Match
from ludotheque.env.batch import Batch, noise_from
from ludotheque.env.observer import Observer
from ludotheque.game import LUCK, moves
from variants import Variant, duels

BITS = (1 << 64) - 1
STEPS = 90

every_duel = pytest.mark.parametrize("variant", duels(), ids=str)


def batch_of(variant: Variant, games: int, **settings: object) -> Batch:
    return Batch(variant.box.rules, games, variant.seats, **settings, **variant.options)  # type: ignore[arg-type]


class Follower:
    """One game of a batch, played as a match: luck by the generator of the game."""

    def __init__(self, variant: Variant, noise: int) -> None:
        self.variant, self.noise = variant, noise
        self.begin()

    def begin(self) -> None:
        self.match = self.variant.match(by_hand=True)
        self.waiting: set[int] = set()
        self.let_luck_act()

    def let_luck_act(self) -> None:
        match = self.match
        while match.to_act == ("luck",):
            found = moves(match.game, match.state, LUCK)
            weights = [match.game.weight(match.state, move) for move in found]
            self.noise ^= self.noise << 13 & BITS
            self.noise ^= self.noise >> 7
            self.noise ^= self.noise << 17 & BITS
            drawn = (self.noise >> 33) % sum(weights)
            outcomes = [move for move, weight in zip(found, weights, strict=True) for _ in range(weight)]
            match.play("luck", match.game.texts[outcomes[drawn]])

    def act(self, seat: int, action: int) -> None:
        if action == len(self.match.game.texts):
            self.waiting.add(seat)
            return
        self.waiting = set()
        self.match.play(seat, self.match.game.texts[action])
        self.let_luck_act()


def shares(match: Match) -> list[float]:
    """What each seat got of the win, times the seats, less one: written from the result alone."""
    if match.draw:
        return [0.0] * match.seats
    each = match.seats / max(len(match.winners), 1)
    return [each - 1 if seat in match.winners else -1.0 for seat in range(match.seats)]


@every_duel
def test_a_batch_plays_what_matches_play(variant: Variant) -> None:
    """The same states, seats, masks, observations, rewards and ends, step by step."""
    batch, observer = batch_of(variant, 2, seed=5), Observer(variant.match(by_hand=True))
    followers = [Follower(variant, int(noise)) for noise in noise_from(5, np.arange(2, dtype=np.uint64))]
    for _ in range(STEPS):
        for number, follower in enumerate(followers):
            match, seat = follower.match, int(batch.seats[number])
            assert batch.state(number) == match.state
            assert batch.leg[number] == match.leg
            assert seat == observer.next_seat(match, follower.waiting)
            seen = observer.observe(match, seat, observer.actions(match, seat))
            assert np.array_equal(batch.observations[number], seen["observation"])
            assert np.array_equal(batch.masks[number], seen["action_mask"])
            assert ((batch.observations[number] >= 0) & (batch.observations[number] <= 1)).all()
        seats, actions = batch.seats.tolist(), batch.sample()
        batch.step(actions)
        for number, follower in enumerate(followers):
            follower.act(seats[number], int(actions[number]))
            over = follower.match.over
            assert batch.over[number] == over
            expected = shares(follower.match) if over else [0.0] * variant.seats
            assert batch.rewards[number] == pytest.approx(expected)
            if over:
                follower.begin()


@every_duel
def test_games_end_and_begin_anew(variant: Variant) -> None:
    """Rewards add up to nothing where somebody wins or all draw; nobody gets anything in between."""
    batch, ends, steps = batch_of(variant, 64, seed=1), 0, 0
    while ends < 64 and steps < 20_000:
        batch.step(batch.sample())
        ends, steps = ends + int(batch.over.sum()), steps + 1
        assert not batch.rewards[~batch.over].any()
        sums = batch.rewards[batch.over].sum(1)
        assert (np.isclose(sums, 0) | np.isclose(sums, -variant.seats)).all()
    assert ends >= 64


@pytest.mark.parametrize("key", ["hundsgemein", "pizza"])
def test_threads_change_nothing(key: str) -> None:
    """One thread, two, or more games beside: the same games."""
    rules = ludotheque.game(key).rules
    one, two = (Batch(rules, 300, seed=3, threads=threads) for threads in (1, 2))
    more = Batch(rules, 500, seed=3, threads=2)
    for _ in range(120):
        actions = one.sample()
        assert np.array_equal(actions, two.sample())
        assert np.array_equal(actions, more.sample()[:300])
        one.step(actions)
        two.step(actions)
        more.step(np.concatenate([actions, np.argmax(more.masks[300:], axis=1)]))
        for name in ("observations", "masks", "seats", "rewards", "over"):
            assert np.array_equal(getattr(one, name), getattr(two, name)), name
            assert np.array_equal(getattr(one, name), getattr(more, name)[:300]), name
    other = Batch(rules, 300, seed=4, threads=2)
    assert not np.array_equal(other.observations, Batch(rules, 300, seed=3).observations) or key == "pizza"


def test_seeds_and_resets() -> None:
    batch = Batch(ludotheque.game("hundsgemein").rules, 8, 3, seed=9)
    first = batch.observations.copy()
    batch.step(batch.sample())
    batch.reset()
    assert not np.array_equal(batch.observations, first), "luck goes on"
    batch.reset(9)
    assert np.array_equal(batch.observations, first)
    assert len(np.unique(first, axis=0)) == 8, "every game has luck of its own"


def test_luck_keeps_to_its_weights() -> None:
    """The third player's die in Pizza Theory: six sides, equally likely."""
    batch = Batch(ludotheque.game("pizza").rules, 6000, 2, seed=2)
    for _ in range(2):
        batch.step(batch.sample())
    rolls = Counter(batch.state(number).cuts[2] for number in range(batch.number))  # type: ignore[attr-defined]
    assert sorted(rolls) == [1, 2, 3, 4, 5, 6]
    assert all(880 < times < 1120 for times in rolls.values())


def test_samples_are_uniform_and_leave_luck_alone() -> None:
    batch = Batch(ludotheque.game("hepta").rules, 5000, seed=1)
    drawn = Counter(batch.sample().tolist())
    assert sorted(drawn) == list(range(49))
    assert all(60 < times < 150 for times in drawn.values())


def test_objections_are_asked_for_before_the_next_seat_plays() -> None:
    """The seat to play comes last and may not wait; whoever waited is not asked again before somebody plays."""
    batch = Batch(ludotheque.game("hundsgemein").rules, 1, 3, seed=1, referee="table")
    wait = batch.masks.shape[1] - 1
    assert batch.text(wait) == "wait"
    assert not batch.masks[0, wait]
    batch.step(np.array([np.argmax(batch.masks[0])]))
    asked = []
    while batch.masks[0, wait]:
        asked.append(int(batch.seats[0]))
        assert batch.text(int(np.argmax(batch.masks[0]))) == "object"
        batch.step(np.array([wait]))
    assert asked == [2]
    assert batch.seats[0] == 1


@every_duel
def test_somebody_must_act(variant: Variant) -> None:
    """The law of `may_wait`: some of those to act, never all."""
    game, random = variant.box.rules, Random(str(variant))
    match = variant.match(3)
    for _ in range(60):
        if match.over:
            break
        acting = game.to_act(match.state)
        assert acting & ~game.may_wait(match.state)
        assert not game.may_wait(match.state) & ~acting
        seat = random.choice(match.to_act)
        match.play(seat, random.choice(match.moves(seat)))


def test_a_lead_can_be_what_counts() -> None:
    """And T. for Two has a winner only after both legs."""
    batch = Batch(ludotheque.game("tfortwo").rules, 50, seed=1, rewards="points")
    while not batch.over.any():
        batch.step(batch.sample())
    leads = batch.rewards[batch.over]
    assert np.array_equal(leads[:, 0], -leads[:, 1])
    assert np.abs(leads).max() > 1
    single = Batch(ludotheque.game("tfortwo").rules, 50, seed=1, rewards="points", legs=1)
    while not single.over.any():
        single.step(single.sample())
    assert (single.rewards[single.over][:, 0] > 0).all(), "only the first seat scores"


def test_what_is_illegal_is_refused_with_a_reason() -> None:
    batch = Batch(ludotheque.game("hepta").rules, 3)
    batch.step(np.array([0, 1, 2]))
    before = batch.observations.copy()
    with pytest.raises(IllegalMove, match="Game 1: seat 0 cannot play “a2”") as refused:
        batch.step(np.array([5, 1, 6]))
    assert refused.value.code == "occupied"
    with pytest.raises(IllegalMove, match="Game 2: actions are 0 to 265, not 266"):
        batch.step(np.array([5, 6, 266]))
    with pytest.raises(IllegalMove, match=r"Game 0: .* “wait”\. Only a seat that need not act can wait"):
        batch.step(np.array([265, 6, 6]))
    with pytest.raises(ValueError, match="actions are 3 whole numbers, one a game"):
        batch.step(np.array([0.5, 1, 2]))
    with pytest.raises(ValueError, match="one a game"):
        batch.step(np.array([5, 6]))
    assert np.array_equal(batch.observations, before)


def test_wrong_settings_are_refused() -> None:
    rules = ludotheque.game("hepta").rules
    for settings in (
        {"games": 0},
        {"games": 1, "threads": -1},
        {"games": 1, "rewards": "money"},
        {"games": 1, "seats": 3},
    ):
        with pytest.raises(BadOption):
            Batch(rules, **settings)
    with pytest.raises(BadOption, match="has no option “length”"):
        Batch(rules, 1, length=3)


def test_solitaires_are_refused() -> None:
    with pytest.raises(BadOption, match="hepta-solo is for one"):
        Batch(ludotheque.game("hepta-solo").rules, 10)
