"""What is long about a finished match, made once for all who look: the move list, whether luck was fair.

A match that is over never changes, so all of this is cached by its state, and by the analysis that it goes with.
"""

from collections.abc import Hashable
from datetime import datetime
from threading import Condition
from typing import NamedTuple
from weakref import WeakKeyDictionary

from cachetools import LRUCache, cached
from markupsafe import Markup, escape

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.match import Match
from ludotheque.search.analysis import JudgedMove
from ludotheque.web.replays import analysis
from ludotheque.web.replays.finished import Finished
from ludotheque.web.screen import move_list, people
from ludotheque.web.screen.move_list import Line
from ludotheque.web.table.state import TableState
from ludotheque.web.words import say

MAX_CACHED_BYTES = 24_000_000
BYTES_PER_ENTRY = 1000  # of the log of a match that is kept alive by what is cached about it
MAX_CACHED_JUDGEMENTS = 20_000  # about 1 kB each
KINDS = {"blunder": "blunder", "mistake": "mistake"}  # all others are slips


class Part(NamedTuple):
    """Lines of the move list as HTML, those of a set-up with a summary, and the steps that they lead to."""

    summary: str
    html: str
    first: int
    last: int


class MoveList(NamedTuple):
    """The move list of a match, and about how much memory it takes."""

    parts: list[Part]
    bytes: int


def move_list_at(found: Finished, names: list[str], lang: str, step: int) -> Markup:
    """The move list as HTML: the step that is shown is marked, and a set-up unfolded where it is in there."""
    parts = _move_list(found, tuple(names), lang).parts
    html = "".join([_unfolded(part, step) if part.first <= step <= part.last else _folded(part) for part in parts])
    return Markup(html)  # noqa: S704 - made here, texts are escaped


def _folded(part: Part, marker: str = "") -> str:
    if not part.summary:
        return part.html
    head = f'<li class="folded"><details id="setup-{part.first}" data-keep-open{marker}>'
    return f"{head}<summary>{escape(part.summary)}</summary><ol>{part.html}</ol></details></li>"


def _unfolded(part: Part, step: int) -> str:
    name = f'<li id="log-{step}"'
    return _folded(part._replace(html=part.html.replace(name, f'{name} aria-current="step"', 1)), " open")


def _key(found: Finished, names: tuple[str, ...], lang: str) -> tuple[Hashable, ...]:
    return found.state, found.analysed, names, lang


@cached(LRUCache(MAX_CACHED_BYTES, lambda moves: moves.bytes), key=_key, condition=Condition())
def _move_list(found: Finished, names: tuple[str, ...], lang: str) -> MoveList:
    """All lines, each with a word for what the move threw away, if it did, and the notes after it."""
    kinds = {number: step.kind for number, step in judged(found).items()} if found.replay.whole else {}
    notes = people.notes(found.match, found.state, found.seats, list(names), lang)
    parts = [
        Part(
            summary,
            "".join([_html(line, kinds.get(line.step) or "", notes.get(line.step, []), lang) for line in lines]),
            lines[0].step,
            lines[-1].step,
        )
        for summary, lines in move_list.all_parts(found.match, list(names), lang)
    ]
    if notes.get(0):
        parts.insert(0, Part("", _notes(notes[0]), 0, 0))
    return MoveList(parts, sum(len(part.html) for part in parts) + BYTES_PER_ENTRY * len(found.match.log))


def _html(line: Line, kind: str, notes: list[str], lang: str) -> str:
    """A line in words and as it is written, of which the page shows one, and the notes after it."""
    who = f"<span>{escape(line.who)}</span> " if line.who else ""
    written = escape(line.written)
    text = f"<b>{escape(line.sentence)}</b><code>{who}{written}</code>" if line.sentence else f"{who}<b>{written}</b>"
    word = f' <em class="kind">{escape(say(KINDS.get(kind, "slip"), lang))}</em>' if kind else ""
    link = f'<a href="?step={line.step}" data-go="{line.step}"><i>{line.step}.</i> {text}{word}</a>'
    return f'<li id="log-{line.step}">{link}</li>{_notes(notes)}'


def _notes(sentences: list[str]) -> str:
    return "".join([f'<li class="note">{escape(sentence)}</li>' for sentence in sentences])


def judged(found: Finished) -> dict[int, JudgedMove]:
    """The judged moves of a complete analysis by their numbers, from 1."""
    return _judged(found, found.analysed)


@cached(
    LRUCache(MAX_CACHED_JUDGEMENTS, len), key=lambda found, analysed: (found.state, analysed), condition=Condition()
)
def _judged(found: Finished, _analysed: tuple[bool, datetime | None]) -> dict[int, JudgedMove]:
    return {step.number + 1: step for step in analysis.steps(found.replay)}


# Luck


_verdicts: WeakKeyDictionary[TableState, bool] = WeakKeyDictionary()


def luck(found: Finished, lang: str) -> str:
    """Whether luck was fair: every draw is made again, from the secret whose fingerprint was published before."""
    state, match = found.state, found.match
    made = draws(match)
    if state.lots and (match.luck is None or state.lots != match.luck.lots):
        return say("luck-forged", lang)
    if not made and not state.lots:
        return say("luck-none", lang)
    if match.luck is None:
        return say("luck-by-hand", lang, number=made)
    if not _is_fair(found):
        return say("luck-forged", lang)
    if state.has_entered_luck:
        entered = sum(actor == "luck" for actor, _ in match.log[: state.entered])
        return say("luck-continued", lang, entered=entered, number=made - entered)
    verified = say("luck-verified", lang, number=made)
    return f"{verified} {say('luck-lots', lang)}" if state.lots else verified


def draws(match: Match) -> int:
    """How often luck drew, draws that were taken back included."""
    return sum(actor == "luck" for actor, _ in match.log)


def _is_fair(found: Finished) -> bool:
    """Whether all draws follow from the secret; found out once. Of a record it is when that is loaded."""
    fair = _verdicts.get(found.state)
    if fair is None:
        fair = _verdicts[found.state] = found.replay.table is None or _follows(found.state)
    return fair


def _follows(state: TableState) -> bool:
    assert state.match is not None
    if state.has_entered_luck:
        return state.own_draws_follow()
    try:
        ludotheque.load(state.match.save())
    except LudothequeError:
        return False
    return True


def clear() -> None:
    """Forget what was found out."""
    _verdicts.clear()
    _move_list.cache_clear()
    _judged.cache_clear()
