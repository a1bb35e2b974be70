"""How a match ended, in words: the result, and leg by leg what the rules count."""

from collections.abc import Iterator
from typing import NamedTuple

from ludotheque.match import Match
from ludotheque.pictures.kit.picture import Story
from ludotheque.pictures.output.registry import picture_of
from ludotheque.web.screen.narration import sentences
from ludotheque.web.table.state import TableState
from ludotheque.web.words import listed, said, say


def winners(match: Match) -> tuple[int, ...]:
    """Who won, by the rules or because another gave up; in a draw nobody did."""
    return () if match.draw else match.winners


def result(match: Match, state: TableState, names: list[str], lang: str) -> str:
    """How it ended, in one sentence; `names` are those of the people, by seat."""
    if state.ending and state.ending.how == "draw":
        return say("drawn-by-agreement", lang)
    if state.ending and state.ending.seat is not None:
        return say("has-resigned", lang, name=names[state.ending.seat])
    if match.seats == 1:
        return say("solved" if match.solved else "not-solved", lang)
    if match.draw:
        return say("drawn", lang)
    best = [names[seat] for seat in winners(match)]
    if not best:
        return say("all-lost", lang)
    return say("won" if len(best) == 1 else "won-together", lang, names=listed(best, lang))


class Leg(NamedTuple):
    """A leg that was played to its end: the match as it was before the last move of it, and what that led to."""

    match: Match
    state: tuple[object, ...]
    story: Story


class ScoreBreakdown(NamedTuple):
    """What the rules count in each leg, the points of all, and the rule that decides."""

    legs: tuple[tuple[str, ...], ...]
    points: tuple[str, ...]
    rule: str | None


def breakdown(match: Match, state: TableState, names: list[str], lang: str) -> ScoreBreakdown | None:
    """Of a match for several that its rules ended; `names` are those of the people, by seat."""
    if not state.over or state.ending is not None or match.seats == 1:
        return None
    sentence = said(match.game.stem, lang, "ends", "points")
    scores = zip(names, match.scores, strict=True) if sentence else ()
    points = tuple(sentence.format(seat=name, points=score) for name, score in scores if sentence)
    legs = [_counted(leg, names, lang) for leg in _legs(match)]
    return ScoreBreakdown(tuple(leg for leg in legs if leg), points, said(match.game.stem, lang, "ends", "rule"))


def _counted(leg: Leg, names: list[str], lang: str) -> tuple[str, ...]:
    steps = picture_of(leg.match.game).score_steps(leg.state, leg.story)
    return tuple(sentences(leg.match, [(0, step) for step in steps], names, lang, "ends"))


def _legs(match: Match) -> Iterator[Leg]:
    for number, story in match.ended_legs():
        before = match.before(match.length - number)
        yield Leg(before, match.game.play(before.state, *story[-1]), story)
