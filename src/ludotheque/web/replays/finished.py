"""Finished matches, wherever they come from: a table of this site, or a record that somebody brought."""

from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from threading import Condition

from cachetools import LRUCache, cached

import ludotheque
from ludotheque.match import Match
from ludotheque.web.guard import disk_space
from ludotheque.web.models import Replay, Seat, Table
from ludotheque.web.replays import uploads
from ludotheque.web.screen.scoring import result
from ludotheque.web.table import cache
from ludotheque.web.table.state import TableState
from ludotheque.web.words import say

MAX_CACHED_ENTRIES = 40_000  # of the logs of brought records, all together: about 30 MB


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

    @property
    def analysed(self) -> tuple[bool, datetime | None]:
        """Whether its analysis is complete, and since when: what is shown of it changes with this alone."""
        return (True, self.replay.claimed) if self.replay.whole else (False, None)


def find(name: str) -> Finished | None:
    """The finished match of this name; None if there is none, if it still goes on, or if its game keeps secrets."""
    replay = Replay.objects.select_related("table").defer("record", "steps").filter(pk=name).first()
    if replay is not None and replay.table_id is None:
        return _brought(replay)
    table = replay.table if replay else Table.objects.filter(pk=name).first()
    state = cache.state_of(table) if table else TableState()
    if table is None or state.match is None or not state.over or not state.match.reveals_all:
        return None
    return Finished(replay or _begun(table), state, list(table.seats.all()))


def _begun(table: Table) -> Replay:
    """The replay of a table that nobody has looked back at; while room is short it can be read, and is not stored."""
    unstored = Replay(pk=table.id, table=table)
    if not disk_space.is_enough():
        return unstored
    return disk_space.store_if_possible(
        lambda: Replay.objects.get_or_create(pk=table.id, defaults={"table": table})[0], unstored
    )


def version(name: str) -> int | None:
    """Which finished match it is, by its name: the version of its table. None as for `find`; nothing is loaded."""
    if Replay.objects.filter(pk=name, table=None).exists():
        return 0
    table = Table.objects.filter(pk=name, status=Table.Status.OVER).only("version", "game").first()
    return None if table is None or ludotheque.game(table.game).rules.keeps_secrets else table.version


def ended(found: Finished, names: list[str], lang: str) -> str:
    """How it ended, in one sentence."""
    return result(found.match, found.state, names, lang) if found.state.over else say("unfinished", lang)


def kept(text: str) -> Replay:
    """Keep a record to look at, once it is found to be sound; the same record is kept once."""
    return uploads.keep(uploads.read(text))


def _brought(replay: Replay) -> Finished | None:
    try:
        state = _loaded(replay)
    except Replay.DoesNotExist:  # it has just given way to others
        return None
    assert state.match is not None
    people = [Seat(number=number, kind=Seat.Kind.PERSON) for number in range(state.match.seats)]
    return Finished(replay, state, people)


def _size(state: TableState) -> int:
    return len(state.match.log) if state.match else 0


@cached(LRUCache(MAX_CACHED_ENTRIES, _size), key=attrgetter("id"), condition=Condition())
def _loaded(replay: Replay) -> TableState:
    """The match of a record, which is loaded, and its luck verified, once for all who look.

    Whoever brought it has all that is in it.
    """
    return TableState(match=ludotheque.load(replay.record).opened())
