"""The move list: what happened, event by event, in words and as it is written; a set-up folded into one line.

A line depends on the match up to its event, on what the seat could know then, on what it is shown of the move, on
names and language, and on nothing else. So lines are kept, for as long as others are of their table, and a new event
costs one new line; after an undo the lines of the events that are left stay.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import NamedTuple

from ludotheque import move_words
from ludotheque.game import LUCK, Telling
from ludotheque.luck import Luck
from ludotheque.match import Actor, Event, Match
from ludotheque.web.screen import fragments
from ludotheque.web.table.cache import ByTable
from ludotheque.web.table.sizes import deep_size
from ludotheque.web.words import say, seat_name

MAX_UNWATCHED_BYTES = 2_000_000  # of the lists of tables that nobody watches


class Line(NamedTuple):
    """One event of the list."""

    step: int
    who: str
    """Who acted; empty for one who plays alone."""

    sentence: str
    """What they did; empty if the game has no words for it."""

    written: str
    told: Telling
    setup: bool
    html: str


class Part(NamedTuple):
    """Lines that follow one another; those of a set-up that is over have a summary."""

    summary: str
    lines: list[Line]


_is_setup = attrgetter("setup")  # not a function of ours: it is asked of every line of every list


class _Known(NamedTuple):
    """The events of a match, and the lines of those that were shown, by number and move."""

    events: list[Event]
    lines: dict[tuple[int, int], Line]


class _Lists(NamedTuple):
    """The lists of one match, which its luck tells from all others, by who reads them."""

    luck: Luck
    by_reader: dict[tuple[object, ...], _Known]


_lists: ByTable[_Lists] = ByTable(MAX_UNWATCHED_BYTES, lambda lists: deep_size(lists.by_reader))


def render(
    match: Match, seat: int | None, names: list[str], lang: str, notes: dict[int, list[str]] | None = None
) -> str:
    """The list as HTML, as far as this seat may know it, with notes each after so many events of the match."""
    after = _by_step(notes, match.readable_events(seat)) if notes else {}
    written = list(after.get(0, ()))
    for summary, part in parts(match, seat, names, lang):
        html = "".join([line.html + "".join(after.get(line.step, ())) for line in part])
        written.append(fragments.folded_lines(part[0].step, summary, html) if summary else html)
    return "".join(written)


def _by_step(notes: dict[int, list[str]], readable: Sequence[int]) -> dict[int, list[str]]:
    """Notes as HTML, by the step that they follow."""
    found: dict[int, list[str]] = {}
    for events, sentences in notes.items():
        found.setdefault(bisect_left(readable, events), []).extend(map(fragments.log_note, sentences))
    return found


def parts(match: Match, seat: int | None, names: list[str], lang: str) -> list[Part]:
    """The list as far as this seat may know it; a set-up is folded once the game goes on."""
    return _folded(match, _lines(match, seat, names, lang), lang)


def all_parts(match: Match, names: list[str], lang: str) -> list[Part]:
    """The list of a match that everybody may know, whether it is over or was left; its covers where it keeps them."""
    lines = [_line(match, number, number + 1, None, names=names, lang=lang) for number in range(match.length)]
    return _folded(match, lines, lang)


def _folded(match: Match, lines: list[Line], lang: str) -> list[Part]:
    runs = [Part("", list(run)) for _, run in groupby(lines, _is_setup)]
    for number, (_, run) in enumerate(runs[:-1]):
        if run[0].setup:
            runs[number] = Part(move_words.setup(match.game.stem, lang, [line.told for line in run]), run)
    return runs


def _lines(match: Match, seat: int | None, names: list[str], lang: str) -> list[Line]:
    """Those known from an earlier position of this match, and the new ones."""
    luck, key, events = match.luck, (seat, lang, *names), match.events
    lists = _lists.get(luck.table) if luck is not None else None
    by_reader = lists.by_reader if lists is not None and lists.luck == luck else {}
    known = _still_true(by_reader.get(key, _Known([], {})), events)
    found = []
    for step, number in enumerate(match.readable_events(seat), 1):
        shown = number, match.shown_move(number, seat)
        line = known.get(shown)
        if line is None or line.step != step:
            line = known[shown] = _line(match, number, step, seat, names=names, lang=lang)
        found.append(line)
    if luck is not None and luck.table:  # else nobody will ask again
        _lists.put(luck.table, _Lists(luck, by_reader | {key: _Known(events, known)}))
    return found


def _still_true(known: _Known, events: list[Event]) -> dict[tuple[int, int], Line]:
    """A copy, since other threads may be reading, of the lines of all events that the match still has."""
    if events[: len(known.events)] == known.events:
        return dict(known.lines)
    same = next(number for number, pair in enumerate(zip_longest(known.events, events)) if pair[0] != pair[1])
    return {shown: line for shown, line in known.lines.items() if shown[0] < same}


def _line(match: Match, number: int, step: int, seat: int | None, *, names: list[str], lang: str) -> Line:
    actor, text = match.shown_event(number, seat)
    told = match.telling(number, seat)
    who = _who(actor, names, lang)
    sentence = in_words(match, match.leg_of(number), told, who, names=names, lang=lang)
    written = move_words.written(match.game.stem, text, lang)
    shown = who if match.seats > 1 else ""
    return Line(step, shown, sentence, written, told, told.setup, fragments.log_line(step, shown, sentence, written))


def in_words(match: Match, leg: int, told: Telling, who: str, *, names: Sequence[str], lang: str) -> str:
    """What somebody called `who` does in a leg; empty if the game has no words for it."""
    stem = match.game.stem

    def name_of(role: int) -> str:
        person = match.seat_of(role, leg)
        if person is not None:
            return names[person]
        return say("luck", lang) if role == LUCK else seat_name(stem, match.seats, role, lang)

    return move_words.sentence(stem, lang, told, who, name_of) or ""


def _who(actor: Actor, names: list[str], lang: str) -> str:
    return say("luck", lang) if actor == "luck" else names[actor]
