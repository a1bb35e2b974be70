"""What happened last, as one seat may know it: scenes of beats, each with its sentence and its animations.

A beat is what is shown and said together; a scene is a move with luck's answer. The last scene of a story ends in the
position that the screen shows. Scenes before it have pictures of their own: the finished board of a leg, or moves
that a page has missed.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias, TypedDict

from ludotheque.game import LUCK, Json
from ludotheque.match import Match
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.web.screen.history import last_move
from ludotheque.web.words import listed, said, say, seat_name

MAX_MISSED = 12  # scenes that are told to a page which comes back
SEVERAL = "-several"  # ends the name of a sentence that tells the same of several {cells}, {streets} or {cards}
PLACES = {"cell": "cells", "street": "streets", "card": "cards"}

Told: TypeAlias = tuple[int, AnimationStep]
"""A step, and the role of who acted."""


class Beat(TypedDict):
    """What a page shows and says together."""

    say: str
    cues: list[str]
    """The names of its sentences, for the tips of a first game."""

    motions: list[Json]


class Scene(TypedDict):
    """A move from beginning to end."""

    beats: list[Beat]
    picture: str
    """The board that it ends with; empty for that of the screen."""

    taken: bool
    """Whether somebody lost something."""

    holds: bool
    """Whether it has to be seen before one's own turn begins: not everything it tells stays on the board."""

    aside: bool
    """Whether there is nothing to see: somebody has chosen, in secret."""


class Teller(NamedTuple):
    """Who is told, and in which words; `names` are those of the people, by seat."""

    seat: int | None
    names: list[str]
    lang: str


def story(match: Match, teller: Teller) -> list[Scene]:
    """The last move, luck's answer included: one scene, and one before it if it ended a leg of a series."""
    scenes: list[Scene] = []
    beats: list[Beat] = []
    answered: list[Told] = []
    moved = ""  # what is said of the move itself
    taken, holds, known = False, match.over, 0
    for before, after in pairwise(_stages(match)):
        finished = after.at_leg_end()
        steps, learnt = _steps(before, finished or after, teller.seat)
        actor = before.role(match.events[before.length][0])
        told = [(actor, step) for step in steps]
        if actor == LUCK and not takes(steps):
            moved = moved if answered or not beats else beats[0]["say"]
            answered += told
            spoken = [moved, *sentences(before, answered, teller.names, teller.lang, "steps")]
            beats = _with_answer(beats, list(_beats(before, told, teller)), " ".join(filter(None, spoken)))
        else:
            beats += _beats(before, told, teller)
        taken = taken or takes(steps)
        holds = holds or taken or learnt > 1 or any(step.svg for step in steps)
        known += learnt
        if before.legs > 1 and (finished or after).over and after.ending is None:
            beats.append(_beat(_leg_score(finished or after, teller)))
        if finished:
            picture = render_match(finished, teller.seat, style=False, lang=teller.lang)
            scenes.append({"beats": beats, "picture": picture, "taken": taken, "holds": True, "aside": False})
            beats, taken, holds = [_beat(_new_roles(after, teller))], False, True
    if beats:
        scenes.append({"beats": beats, "picture": "", "taken": taken, "holds": holds, "aside": not known})
    return scenes


def in_words(scenes: list[Scene]) -> str:
    """All that they say."""
    return " ".join(beat["say"] for scene in scenes for beat in scene["beats"] if beat["say"])


def cues(scenes: list[Scene]) -> str:
    """The names of all sentences that they say."""
    return " ".join(dict.fromkeys(cue for scene in scenes for beat in scene["beats"] for cue in beat["cues"]))


def missed(match: Match, teller: Teller, mine: tuple[int, ...], since: int, *, live: bool) -> list[Scene]:
    """The moves between those that a page knows, so many events, and the last one, as far as they may be told.

    To a page that was connected all the time, `live`, all that it would have seen; else what its log still shows.
    Nothing from before the last move that is the viewer's own.
    """
    events = match.events
    moves = [number for number, (actor, _) in enumerate(events) if actor != "luck"]
    if not moves or since >= moves[-1]:
        return []
    readable = range(match.length) if live else match.readable_events(teller.seat)
    own = max((number for number in moves if events[number][0] in mine), default=0)
    scenes: list[Scene] = []
    for number, following in pairwise(moves):
        if number >= max(since, own) and number in readable:
            past = match.before(match.length - following)
            told = story(past, teller)
            picture = render_match(past, teller.seat, style=False, lang=teller.lang)
            scenes += [scene if scene["picture"] else {**scene, "picture": picture} for scene in told]
    return scenes[-MAX_MISSED:]


def _stages(match: Match) -> list[Match]:
    """The match before its last move, after it, and after each of luck's answers."""
    moved = last_move(match)
    since = match.length - moved if moved >= 0 else 0
    return [match.before(number) for number in range(since, -1, -1)]


def _steps(before: Match, after: Match, seat: int | None) -> tuple[list[AnimationStep], int]:
    """The steps from one event to the next, and how many events the seat has come to know."""
    news = after.news(before, seat)
    if not news and before.to_act == ("luck",):  # as if nothing had happened
        return [], 0
    if not news:  # somebody has chosen, and that is all one may know
        return [AnimationStep("show", "", sentence="chosen")], 0
    return picture_of(after.game).steps(before.seen(seat), news, after.seen(seat)), len(news)


def takes(steps: list[AnimationStep]) -> bool:
    """Whether somebody lost something: it was turned over, went, or was carried off after the move itself."""
    return any(
        step.sentence and (step.kind in ("flip", "go") or (step.kind == "move" and step.order > 0)) for step in steps
    )


def _beats(match: Match, told: list[Told], teller: Teller) -> Iterator[Beat]:
    """Steps of the same order are one beat; nothing is said twice."""
    known: set[str] = set()
    for _, together in groupby(sorted(told, key=_order), key=_order):
        steps = list(together)
        spoken = [sentence for sentence in _sentences(match, steps, teller, "steps") if sentence not in known]
        known.update(spoken)
        if spoken or any(step.kind != "show" for _, step in steps):
            cues = list(dict.fromkeys(step.sentence for _, step in steps if step.sentence))
            motions = [_motion(step) for _, step in steps if step.element]
            yield {"say": " ".join(spoken), "cues": cues, "motions": motions}


def _with_answer(beats: list[Beat], answer: list[Beat], spoken: str) -> list[Beat]:
    """What luck answers is shown after the move, and said together with it: it is read in one go."""
    if not beats:
        return answer
    silent: list[Beat] = [{**beat, "say": ""} for beat in answer]
    return [{**beats[0], "say": spoken}, *beats[1:], *silent]


def _order(told: Told) -> int:
    return told[1].order


def _motion(step: AnimationStep) -> Json:
    return {"kind": step.kind, "what": step.element, "to": step.to, "svg": step.svg}


def _beat(sentence: str) -> Beat:
    return {"say": sentence, "cues": [], "motions": []}


def _leg_score(match: Match, teller: Teller) -> str:
    """What each has in the leg that has just ended."""
    points = match.game.scores(match.state)
    scores = ((name, points[match.role(seat)]) for seat, name in enumerate(teller.names))
    return say("leg-score", teller.lang, leg=match.leg + 1, scores=points_of(scores, teller.lang))


def points_of(scores: Iterable[tuple[str, int]], lang: str) -> str:
    """What each has, by name."""
    return ", ".join(say("leg-points", lang, name=name, points=points) for name, points in scores)


def _new_roles(match: Match, teller: Teller) -> str:
    """Who plays what in the leg that begins."""
    return say(
        "roles-change", teller.lang, leg=match.leg + 1, roles=roles(match, match.leg, teller.names, teller.lang)
    )


def roles(match: Match, leg: int, names: Sequence[str], lang: str) -> str:
    """Who has which role in a leg."""
    return ", ".join(with_role(match, seat, leg, names, lang) for seat in range(match.seats))


def with_role(match: Match, seat: int, leg: int, names: Sequence[str], lang: str) -> str:
    """What somebody is called, and the role in a leg; a person who goes by the role is named once."""
    called = seat_name(match.game.stem, match.seats, match.role_of(seat, leg), lang)
    return names[seat] if names[seat] == called else f"{names[seat]} ({called})"


def sentences(match: Match, told: list[Told], names: list[str], lang: str, table: str) -> list[str]:
    """Steps in words; `table` is the part of the game's words that has their sentences."""
    return list(dict.fromkeys(_sentences(match, told, Teller(None, names, lang), table)))


def _sentences(match: Match, told: list[Told], teller: Teller, table: str) -> Iterator[str]:
    for (actor, step), places in _joined(match, told, teller, table):
        sentence = said(match.game.stem, teller.lang, table, step.sentence)
        if sentence is not None:
            values = {"seat": _who(match, actor, teller)} | places
            for name, value in step.values:
                values[name.rpartition(":")[2]] = _value(match, name, value, teller)
            yield sentence.format(**values)


def _joined(match: Match, told: list[Told], teller: Teller, table: str) -> list[tuple[Told, dict[str, str]]]:
    """The steps that have a sentence. Those that differ in a place only are one, where the words have a plural."""
    found: dict[object, tuple[Told, str, list[str]]] = {}
    for number, (actor, step) in enumerate(told):
        place = next((name for name, _ in step.values if name in PLACES), "")
        rest = tuple([pair for pair in step.values if pair[0] != place])
        plural = place and said(match.game.stem, teller.lang, table, step.sentence + SEVERAL)
        key: object = (actor, step.sentence, rest) if plural else number
        found.setdefault(key, ((actor, step), place, []))[2].extend(v for name, v in step.values if name == place)
    joined = []
    for (actor, step), place, places in found.values():
        several = len(places) > 1
        named = step._replace(sentence=step.sentence + SEVERAL) if several else step
        if step.sentence:
            joined.append(((actor, named), {PLACES[place]: listed(places, teller.lang)} if several else {}))
    return joined


def _value(match: Match, name: str, value: str, teller: Teller) -> str:
    if name.startswith("seat:"):
        return _who(match, int(value), teller)
    if name.startswith("seats:"):
        parts = [part.split(" ") for part in value.split(", ") if part]
        return ", ".join(f"{_who(match, int(role), teller)} {number}" for role, number in parts) or "–"
    return value


def _who(match: Match, role: int, teller: Teller) -> str:
    """The name of whoever has this role; a role nobody plays goes by its own name."""
    if role == LUCK:
        return say("luck", teller.lang)
    seat = next((seat for seat in range(match.seats) if match.role(seat) == role), None)
    if seat is not None:
        return teller.names[seat]
    return seat_name(match.game.stem, match.seats, role, teller.lang)
