"""Finished matches, wherever they come from: a table of this site, or a record that somebody brought."""

import hashlib
from dataclasses import dataclass

import ludotheque
from ludotheque.errors import BadRecord
from ludotheque.match import Match
from ludotheque.web.models import Replay, Seat, Table
from ludotheque.web.screen.scoring import result
from ludotheque.web.table import cache
from ludotheque.web.table.state import TableState
from ludotheque.web.words import say

MAX_RECORD_CHARS = 60_000  # of a record that somebody brings; that of a long match has a third of them


@dataclass(frozen=True)
class Finished:
    """A match to look back at, with those who played it. All of it is open."""

    replay: Replay
    state: TableState
    seats: list[Seat]

    @property
    def match(self) -> Match:
        assert self.state.match is not None
        return self.state.match

    @property
    def moves(self) -> int:
        """How many moves people made."""
        return sum(actor != "luck" for actor, _ in self.match.events)


def find(name: str) -> Finished | None:
    """The finished match of this name; None if there is none, or if it still goes on."""
    replay = Replay.objects.select_related("table").filter(pk=name).first()
    if replay is not None and replay.table is None:
        return _brought(replay)
    table = replay.table if replay else Table.objects.filter(pk=name).first()
    state = cache.state_of(table) if table else TableState()
    if table is None or state.match is None or not state.over:
        return None
    known = replay or Replay.objects.get_or_create(pk=table.id, defaults={"table": table})[0]
    return Finished(known, state, list(table.seats.all()))


def ended(found: Finished, names: list[str], lang: str) -> str:
    """How it ended, in one sentence."""
    return result(found.match, found.state, names, lang) if found.state.over else say("unfinished", lang)


def _brought(replay: Replay) -> Finished:
    match = ludotheque.load(replay.record)
    people = [Seat(number=number, kind=Seat.Kind.PERSON) for number in range(match.seats)]
    return Finished(replay, TableState(match=match), people)


def kept(text: str) -> Replay:
    """Keep a record to look at, once it is found to be sound; the same record is kept once."""
    if len(text) > MAX_RECORD_CHARS:
        raise BadRecord(f"This is too long for a record: {len(text):,} characters.", "too-long")
    record = ludotheque.load(text).save()
    name = hashlib.sha256(record.encode()).hexdigest()[:22]
    return Replay.objects.get_or_create(pk=name, defaults={"record": record})[0]
