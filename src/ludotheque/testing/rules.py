"""Laws about the rules of a game, as the contract has them."""

import json
import pickle
from random import Random

from ludotheque import words
from ludotheque.errors import IllegalMove, LudothequeError
from ludotheque.game import DRAW, LUCK, NOBODY, moves
from ludotheque.match import Match
from ludotheque.testing.laws import EVENTS, Law, broken, play_any, require, walk
from ludotheque.testing.variants import Variant

MAX_EVENTS = 4000  # of any random game between several
SAMPLE = 60  # moves that are tried where all would take long
ENDED_GAMES = 10
MANY_DRAWS = 20  # that two seeds do not have in common


def seats_are_few_and_luck_is_none_of_them(variant: Variant) -> None:
    game = variant.box.rules
    require(game.seats, f"{game.key} says no number of seats.")
    require(all(1 <= seats <= LUCK for seats in game.seats), f"seats are 1 to {LUCK}, not {game.seats}.")


def texts_name_the_moves(variant: Variant) -> None:
    texts = variant.box.rules.texts
    twice = [text for text in set(texts) if texts.count(text) > 1] if len(set(texts)) < len(texts) else []
    require(not twice, f"two moves have the text {', '.join(twice)}.")
    for text in texts:
        plain = text.isascii() and text.isprintable() and text == text.strip() and text
        require(plain, f"the text {text!r} cannot be typed: ASCII, without spaces around it.")


def whoever_acts_can_move_and_nobody_else(variant: Variant) -> None:
    for match in walk(variant):
        for actor in (*range(match.seats), "luck" if "luck" in match.to_act else 0):
            acts, legal = actor in match.to_act, match.moves(actor)
            require(
                bool(legal) == acts, f"{actor} {'is' if acts else 'is not'} to act and has {len(legal)} moves.", match
            )
        require(match.over == (match.to_act == ()), "it is over if nobody acts, and not before.", match)


def moves_are_listed_once(variant: Variant) -> None:
    """In the table's order within each span, and always in the same order."""
    for match in walk(variant):
        for actor in match.to_act:
            legal = match.moves(actor)
            twice = [text for text in set(legal) if legal.count(text) > 1]
            require(not twice, f"{actor} has the move {', '.join(twice)} twice: do two spans overlap?", match)
            require(match.moves(actor) == legal, f"the moves of {actor} change while nothing happens.", match)


def a_game_ends(variant: Variant) -> None:
    """Between several, however they play; a solitaire may be given up instead."""
    for game in range(ENDED_GAMES if variant.seats > 1 else 0):
        match, random = variant.match(game), Random(f"{variant} {game}")
        while not match.over:
            play_any(match, random)
            require(match.length < MAX_EVENTS, f"it is not over after {MAX_EVENTS} events.")


def states_are_values(variant: Variant) -> None:
    for match in walk(variant):
        state = match.state
        try:
            again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own
            same = again == state and hash(again) == hash(state)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            raise broken(f"the state is no value: {error}.", match) from error
        require(same, "a copy of the state is another: it holds more than whole numbers.", match)


def the_log_makes_the_match(variant: Variant) -> None:
    """The same moves lead to the same state: a record, which holds no more, is the match."""
    for match in walk(variant):
        try:
            loaded = variant.load(match.save())
        except LudothequeError as error:
            raise broken(f"its own record is refused: {error.reason}", match) from error
        same = loaded == match and loaded.state == match.state and loaded.save() == match.save()
        require(same, "its record leads to another state: do the rules keep anything beside the state?", match)


def undoing_and_playing_again_changes_nothing(variant: Variant) -> None:
    for match in walk(variant):
        if all(actor != 0 for actor, _ in match.events):
            continue
        again = match.copy()
        again.undo(0, agreed=True)
        for actor, text in match.events[again.length :]:
            require(text in again.moves(actor), f"{text} cannot be played again.", match)
            again.play(actor, text)
        require(again.state == match.state, "the same moves lead to another state.", match)


def results_add_up(variant: Variant) -> None:
    for match in walk(variant, events=MAX_EVENTS if variant.seats > 1 else EVENTS):
        game, scores = match.game, match.scores
        require(
            all(type(score) is int and score >= 0 for score in scores), f"no score of {scores} may be below 0.", match
        )
        if match.seats == 1:
            solved = match.over == match.solved == (scores == (1,)) == (match.winners == (0,))
            require(solved, "a solitaire is over when it is solved: score 1, won by seat 0.", match)
        if match.over and match.legs == 1:
            everybody, outcome = (1 << match.seats) - 1, game.winners(match.state)
            require(outcome & ~(everybody | DRAW) == 0, f"winners has seats that do not play: {outcome:b}.", match)
            drawn = not outcome & DRAW or outcome == everybody | DRAW
            require(drawn, f"a draw is all seats and DRAW, not {outcome:b}.", match)


def positions_are_json(variant: Variant) -> None:
    for match in walk(variant):
        for seat in (None, *range(match.seats)):
            view = match.view(seat)
            try:
                again = json.loads(json.dumps(view))
            except TypeError as error:
                again = error
            require(again == view, f"describe has what JSON has not: {again}.", match)


def refusals_and_phases_have_words(variant: Variant) -> None:
    """In all languages: a sentence for players, whatever is tried."""
    for match in walk(variant, games=1, events=60):
        random = Random(match.length)
        for actor in match.to_act:
            phase = match.game.phase(match.state, match.role(actor))
            require(_has_words(match, "phases", phase), f"there are no words for the phase {phase}.", match)
        for seat in range(match.seats):
            legal = set(match.moves(seat))
            for text in random.sample(match.game.texts, min(SAMPLE, len(match.game.texts))):
                if text not in legal:
                    _check_refused(match, seat, text)


def _check_refused(match: Match, seat: int, text: str) -> None:
    before = match.save()
    try:
        match.play(seat, text)
    except IllegalMove as refused:
        said = _has_words(match, "refusals", refused.code)
        require(said, f"{text} is refused with {refused.code}, for which there are no words.", match)
    except KeyError as error:
        raise broken(f"{text} is refused without words: {error}", match) from error
    else:
        raise broken(f"{text} is not among the moves of {seat}, and was played.", match)
    require(match.save() == before, f"{text} was refused, and changed something.", match)


def _has_words(match: Match, *names: str) -> bool:
    try:
        return all(words.say(match.game.stem, lang, *names) for lang in words.LANGUAGES)
    except (KeyError, FileNotFoundError):
        return False


def the_same_seed_gives_the_same_luck(variant: Variant) -> None:
    drawn = [_drawn(variant, seed) for seed in ("one", "one", "another")]
    require(drawn[0] == drawn[1], f"one seed gives {drawn[0]} and {drawn[1]}.")
    require(len(drawn[0]) <= MANY_DRAWS or drawn[0] != drawn[2], f"two seeds give the same: {drawn[0]}.")


def _drawn(variant: Variant, seed: str) -> list[str]:
    match, random = variant.match(seed), Random(1)
    while not match.over and match.length < EVENTS:
        play_any(match, random)
    return [text for actor, text in match.events if actor == "luck"]


def rules_ask_only_what_is_seen(variant: Variant) -> None:
    """Any state behind a seat's view gives it the same view, moves, phases, refusals and scores."""
    for match in walk(variant):
        for seat in (NOBODY, *range(match.seats)):
            other = match.game.guess(match.game.view(match.state, seat), seat, Random(match.length))
            _check_alike(match, other, seat)


def _check_alike(match: Match, other: tuple[object, ...], seat: int) -> None:
    game, state = match.game, match.state
    view = game.view(state, seat)
    require(game.view(other, seat) == view, f"a guess from the view of role {seat} has another view.", match)
    require(game.describe(game.view(other, seat)) == game.describe(view), "the same view is described twice.", match)
    for name, ask in (("to_act", game.to_act), ("sealed", game.sealed)):
        require(ask(other) == ask(state), f"{name} tells role {seat} what its view hides.", match)
    told = match.over or game.scores(other) == game.scores(state)
    require(told, f"scores tell role {seat} what its view hides.", match)
    require(game.has_sealed or not game.sealed(state), "somebody chooses in secret, and has_sealed says no.", match)
    if seat == NOBODY or not game.to_act(state) >> seat & 1:
        return
    legal = moves(game, state, seat)
    require(moves(game, other, seat) == legal, f"legal tells role {seat} what its view hides.", match)
    require(
        game.phase(other, seat) == game.phase(state, seat), f"phase tells role {seat} what its view hides.", match
    )
    for move in Random(match.length).sample(range(len(game.texts)), min(SAMPLE, len(game.texts))):
        same = move in legal or game.refusal(other, seat, move) == game.refusal(state, seat, move)
        require(same, f"the refusal of {game.texts[move]} tells role {seat} what its view hides.", match)


RULES: tuple[Law, ...] = (
    seats_are_few_and_luck_is_none_of_them,
    texts_name_the_moves,
    whoever_acts_can_move_and_nobody_else,
    moves_are_listed_once,
    a_game_ends,
    states_are_values,
    the_log_makes_the_match,
    undoing_and_playing_again_changes_nothing,
    results_add_up,
    positions_are_json,
    refusals_and_phases_have_words,
    the_same_seed_gives_the_same_luck,
    rules_ask_only_what_is_seen,
)
