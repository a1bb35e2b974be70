"""Laws that hold for every game on the shelf, at every number of seats, with every option."""

import json
import pickle
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

import ludotheque
from ludotheque import IllegalMove
from ludotheque.game import LUCK, NOBODY, AnyGame, moves
from variants import Variant, everything

MAX_EVENTS = 4000  # of any random game

every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


class Playing(RuleBasedStateMachine):
    """A match by hand in which anyone to act does anything legal, and everything promised is checked on the way."""

    variant: Variant

    def __init__(self) -> None:
        super().__init__()
        self.match = self.variant.match(by_hand=True)
        self.game: AnyGame = self.match.game

    @precondition(lambda self: not self.match.over)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        actor = data.draw(st.sampled_from(self.match.to_act))
        text = data.draw(st.sampled_from(self.match.moves(actor)))
        self.match.play(actor, text)
        assert self.match.events[-1] == (actor, text)

    @rule()
    def save_and_load(self) -> None:
        loaded = ludotheque.load(self.match.save())
        assert loaded == self.match
        assert loaded.state == self.match.state
        assert loaded.save() == self.match.save()

    @precondition(lambda self: any(actor == 0 for actor, _ in self.match.events))
    @rule()
    def undo_and_replay(self) -> None:
        events, state = self.match.events, self.match.state
        self.match.undo(0, agreed=True)
        rest = events[len(self.match.events) :]
        assert rest[0][0] == 0
        assert self.match.events + rest == events
        for actor, text in rest:
            self.match.play(actor, text)
        assert (self.match.state, self.match.events) == (state, events)

    @invariant()
    def moves_exist_exactly_when_one_acts(self) -> None:
        for actor in (*range(self.match.seats), "luck" if "luck" in self.match.to_act else 0):
            texts = self.match.moves(actor)
            assert bool(texts) == (actor in self.match.to_act)
            assert len(set(texts)) == len(texts)
        assert self.match.over == (self.match.to_act == ())

    @invariant()
    def states_are_values(self) -> None:
        state = self.match.state
        assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301 - our own
        assert hash(state) == hash(pickle.loads(pickle.dumps(state)))  # noqa: S301

    @invariant()
    def results_add_up(self) -> None:
        match = self.match
        assert len(match.scores) == match.seats
        assert all(score >= 0 for score in match.scores)
        assert match.over or not (match.winners or match.draw or match.solved)
        if match.draw:
            assert match.winners == tuple(range(match.seats))
        if match.seats == 1:
            assert match.over == match.solved == (match.scores == (1,)) == (match.winners == (0,))

    @invariant()
    def views_tell_and_keep(self) -> None:
        for seat in (None, *range(self.match.seats)):
            view = self.match.view(seat)
            assert json.loads(json.dumps(view)) == view
            assert view["to_act"] == list(self.match.to_act)

    @invariant()
    def what_a_seat_may_not_know_changes_nothing_for_it(self) -> None:
        """Non-interference: any state behind the same view gives the same view, moves, phases and refusals."""
        game, state, random = self.game, self.match.state, Random(len(self.match.events))
        for seat in (NOBODY, *range(self.match.seats)):
            view = game.view(state, seat)
            other = game.guess(view, seat, random)
            assert game.view(other, seat) == view
            assert game.describe(game.view(other, seat)) == game.describe(view)
            assert game.to_act(other) == game.to_act(state)
            assert game.sealed(other) == game.sealed(state)
            assert game.has_sealed or not game.sealed(state)
            if seat == NOBODY or not game.to_act(state) >> seat & 1:
                continue
            legal = moves(game, state, seat)
            assert moves(game, other, seat) == legal
            assert game.phase(other, seat) == game.phase(state, seat)
            for move in random.sample(range(len(game.texts)), min(60, len(game.texts))):
                if move not in legal:
                    assert game.refusal(other, seat, move) == game.refusal(state, seat, move)


@every_variant
def test_laws_of_play(variant: Variant) -> None:
    machine = type("Playing", (Playing,), {"variant": variant})
    run_state_machine_as_test(machine, settings=settings(max_examples=6, stateful_step_count=40))


@every_variant
def test_texts_are_the_moves_names(variant: Variant) -> None:
    game = variant.box.rules
    assert len(set(game.texts)) == len(game.texts)
    for text in game.texts:
        assert text.isascii()
        assert text == text.strip()
        assert text.isprintable()


@pytest.mark.parametrize("variant", [variant for variant in everything() if variant.seats > 1], ids=str)
def test_play_ends(variant: Variant) -> None:
    random = Random(str(variant))
    for seed in range(10):
        match = variant.match(seed)
        while not match.over:
            actor = random.choice(match.to_act)
            match.play(actor, random.choice(match.moves(actor)))
            assert len(match.events) < MAX_EVENTS
        assert "luck" not in match.to_act
        assert ludotheque.load(match.save()) == match


@every_variant
def test_refusals_have_words_in_both_languages(variant: Variant) -> None:
    """Whatever is refused, at any point of a random game, is refused with a sentence for players."""
    game, random = variant.box.rules, Random(str(variant))
    match = variant.match(1)
    for _ in range(60):
        if match.over:
            break
        before = match.save()
        legal = [match.moves(seat) for seat in range(match.seats)]
        for text in random.sample(game.texts, min(40, len(game.texts))):
            for seat in range(match.seats):
                if text not in legal[seat]:
                    with pytest.raises(IllegalMove) as refused:
                        match.play(seat, text)
                    for lang in ludotheque.words.LANGUAGES:
                        assert ludotheque.words.say(game.stem, lang, "refusals", refused.value.code)
        assert match.save() == before
        for acting in match.to_act:
            phase = game.phase(match.state, match.role(acting))
            assert all(ludotheque.words.say(game.stem, lang, "phases", phase) for lang in ludotheque.words.LANGUAGES)
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))


@every_variant
def test_the_same_seed_gives_the_same_luck(variant: Variant) -> None:
    def drawn(seed: str) -> list[str]:
        match, random = variant.match(seed), Random(1)
        for _ in range(60):
            if match.over:
                break
            actor = random.choice(match.to_act)
            match.play(actor, random.choice(match.moves(actor)))
        return [text for actor, text in match.events if actor == "luck"]

    assert drawn("one") == drawn("one")
    if len(drawn("one")) > 20:
        assert drawn("one") != drawn("another")


def test_luck_is_no_seat() -> None:
    assert all(max(box.seats) <= LUCK for box in ludotheque.games())


def test_games_say_whether_choices_are_sealed() -> None:
    """Also in another process, which gets a pickled copy."""
    assert {box.key for box in ludotheque.games() if box.rules.has_sealed} == {"pizza"}
    assert pickle.loads(pickle.dumps(ludotheque.game("pizza").rules)).has_sealed  # noqa: S301 - our own
    assert not pickle.loads(pickle.dumps(ludotheque.game("hepta").rules)).has_sealed  # noqa: S301
