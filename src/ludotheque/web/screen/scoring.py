"""How a match ended, in words: the result, and leg by leg what the rules count."""

from collections.abc import Iterator
from typing import NamedTuple

from ludotheque.match import Match
from ludotheque.pictures.kit.picture import Story
from ludotheque.pictures.output.registry import picture_of
from ludotheque.web.screen.narration import points_of, roles, sentences
from ludotheque.web.table.state import TableState
from ludotheque.web.words import listed, said, say, seat_name


def winners(match: Match) -> tuple[int, ...]:
    """Who won, by the rules or because another gave up; in a draw nobody did."""
    return () if match.draw else match.winners


def result(match: Match, state: TableState, names: list[str], lang: str) -> str:
    """How it ended, in one sentence; `names` are those of the people, by seat."""
    if state.ending and state.ending.how == "draw":
        return say("drawn-by-agreement", lang)
    if state.is_abandoned:
        return say("abandoned", lang)
    best = [names[seat] for seat in winners(match)]
    if state.ending and state.ending.seat is not None:
        said_so = "has-resigned" if len(best) == 1 else "has-resigned-together"
        return say(said_so, lang, name=names[state.ending.seat], names=listed(best, lang))
    if match.seats == 1:
        return say("solved" if match.solved else "not-solved", lang)
    why = reason(match, names, lang)
    if match.draw:
        return f"{say('drawn', lang)} {why}".rstrip()
    if not best:
        return why or say("all-lost", lang)
    won = say("won" if len(best) == 1 else "won-together", lang, names=listed(best, lang))
    return f"{won} {why}".rstrip()


def reason(match: Match, names: list[str], lang: str) -> str:
    """Why it ended so, in the game's own words; of a series of legs the points tell."""
    if match.legs > 1:
        return say("series-score", lang, scores=points_of(zip(names, match.scores, strict=True), lang))
    step = picture_of(match.game).reason(match.end_state)
    return " ".join(sentences(match, [(0, step)], names, lang, "ends")) if step else ""


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
    stem, sentence = match.game.stem, said(match.game.stem, lang, "ends", "points")
    scores = [*zip(names, match.scores, strict=True), *(role[1:] for role in unowned(match, lang))]
    points = tuple(sentence.format(seat=name, points=score) for name, score in scores) if sentence else ()
    legs = [_counted(leg, names, lang) for leg in _legs(match)]
    rule = said(stem, lang, "ends", f"{match.seats}.rule") or said(stem, lang, "ends", "rule")
    return ScoreBreakdown(tuple(leg for leg in legs if leg), points, rule)


class Unowned(NamedTuple):
    """A role that nobody plays, but whose score counts."""

    role: int
    name: str
    score: int


def unowned(match: Match, lang: str) -> list[Unowned]:
    """What is counted beside those who play."""
    view = match.seen(None)
    scores, roles = match.game.scores(view), picture_of(match.game).unowned(view)
    return [Unowned(role, seat_name(match.game.stem, match.seats, role, lang), scores[role]) for role in roles]


def _counted(leg: Leg, names: list[str], lang: str) -> tuple[str, ...]:
    steps = picture_of(leg.match.game).score_steps(leg.state, leg.story)
    counted = sentences(leg.match, [(0, step) for step in steps], names, lang, "ends")
    return (f"{roles(leg.match, leg.match.leg, names, lang)}.", *counted) if leg.match.legs > 1 else tuple(counted)


def _legs(match: Match) -> Iterator[Leg]:
    for number, _ in match.ended_legs():
        after = match.before(match.length - number - 1)
        ended = after.at_leg_end() or after
        story = ended.whole_story() if match.reveals_all else ended.story(None)
        yield Leg(match.before(match.length - number), ended.state if match.reveals_all else ended.seen(None), story)
