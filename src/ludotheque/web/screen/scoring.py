"""How a result came about, in words: leg by leg what the rules count, part by part, then what everybody has."""

from collections.abc import Iterator
from typing import NamedTuple

from ludotheque.match import Match
from ludotheque.pictures.picture import Story, picture_of
from ludotheque.web.screen.narration import sentences
from ludotheque.web.words import said


class Leg(NamedTuple):
    """A leg that was played to its end: the match as it was before the last move of it, and what that led to."""

    match: Match
    state: tuple[object, ...]
    story: Story


class Reckoning(NamedTuple):
    """What the rules count in each leg, the points of all, and the rule that decides."""

    legs: list[list[str]]
    points: list[str]
    rule: str | None


def reckoning(match: Match, names: list[str], lang: str) -> Reckoning:
    """Of a match that is over by its rules; `names` are those of the people, by seat."""
    sentence = said(match.game.stem, lang, "ends", "points")
    scores = zip(names, match.scores, strict=True) if sentence else ()
    points = [sentence.format(seat=name, points=score) for name, score in scores if sentence]
    legs = [_told(leg, names, lang) for leg in _legs(match)]
    return Reckoning([leg for leg in legs if leg], points, said(match.game.stem, lang, "ends", "rule"))


def _told(leg: Leg, names: list[str], lang: str) -> list[str]:
    steps = picture_of(leg.match.game).reckon(leg.state, leg.story)
    return sentences(leg.match, [(0, step) for step in steps], names, lang, "ends")


def _legs(match: Match) -> Iterator[Leg]:
    for number, story in match.ended_legs():
        before = match.before(match.length - number)
        yield Leg(before, match.game.play(before.state, *story[-1]), story)
