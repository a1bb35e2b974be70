"""Tables at which bots play to the end, and what is in the database in the end, against what the bots were told."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from random import Random

from killing.acknowledged import Move, lost
from killing.bots import Bot, Ledger
from killing.report import Report
from killing.sites import Site

GAMES: dict[str, dict[str, object]] = {  # with options for short matches
    "hepta": {"legs": 1},
    "pizza": {"rounds": 3},
    "tfortwo": {"legs": 1},
    "pegs": {},
    "tricolore": {"quiet": 12},
}


@dataclass
class Seated:
    """A table and who sits there; people only."""

    id: str
    people: list[tuple[int, str]]
    begin: float


def set_tables(number: int, spread: float) -> list[Seated]:
    """Tables with everybody seated, every third against the computer."""
    from ludotheque.web.table import seating  # noqa: PLC0415

    tables, random = [], Random(number)
    for place in range(number):
        game = sorted(GAMES)[place % len(GAMES)]
        table = seating.open_table(game, 2, GAMES[game])
        people = [(seat, f"{table.id}-{seat}") for seat in range(1 if place % 3 == 0 else 2)]
        for seat, who in people:
            seating.sit(table.id, who, seat, f"Bot {seat}", entropy=who)
        if len(people) == 1:
            seating.seat_computer(table.id, people[0][1], 1, "1")
        tables.append(Seated(table.id, people, random.uniform(0, spread)))
    return tables


async def play_all(site: Site, ledger: Ledger, tables: list[Seated], pace: float, bot: type[Bot] = Bot) -> None:
    """Until all matches are over."""

    async def play(table: Seated) -> None:
        await asyncio.sleep(table.begin)
        await asyncio.gather(*(bot(site, ledger, table.id, seat, who).play(pace) for seat, who in table.people))

    await asyncio.gather(*map(play, tables))


def count(report: Report, ledger: Ledger) -> None:
    """What is in the database, against what the bots were told."""
    from django.db import connections  # noqa: PLC0415

    from ludotheque.web.models import Event, Table  # noqa: PLC0415

    connections.close_all()  # their servers were killed
    rows = Event.objects.exclude(client=None).values_list("table", "actor", "text", "client")
    there = Counter(map(Move._make, rows))
    named = Counter(move.client for move in there.elements())
    told = [Move(table, str(seat), text, name) for name, (table, seat, text) in ledger.acknowledged.items()]
    report.lost = lost(told, there)
    report.counted_twice = sum(named[name] > 1 for name in ledger.acknowledged)
    report.refused_but_there = sum(1 for name in ledger.refused if named[name] and name not in ledger.acknowledged)
    report.events = Event.objects.count()
    for played in Table.objects.prefetch_related("events"):
        numbers = [event.number for event in played.events.all()]
        report.gaps += numbers != list(range(1, len(numbers) + 1)) or played.version != len(numbers)
        report.unfinished += played.status != Table.Status.OVER
        report.stuck += played.status != Table.Status.OVER and played.changed < (ledger.calm or played.changed)
        report.wrong_records += not _verifies(played.id)
    report.acknowledged, report.refused = len(ledger.acknowledged), len(ledger.refused)
    report.resent, report.doubled, report.missed = ledger.resent, ledger.doubled, ledger.missed
    report.longest_silence = ledger.longest_silence


def _verifies(table: str) -> bool:
    import ludotheque  # noqa: PLC0415
    from ludotheque.web.models import Table  # noqa: PLC0415
    from ludotheque.web.table import cache  # noqa: PLC0415

    cache.clear()
    match = cache.state_of(Table.objects.get(pk=table)).match
    return match is not None and ludotheque.load(match.save()) == match
