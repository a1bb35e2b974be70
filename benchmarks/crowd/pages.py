"""What was measured, as JSON and as pages: the figures themselves, and what they mean for crowds."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from crowd.rates import FIRST, LIMIT, PACE, STEADY, Step

SECONDS, BUSY = 20, 0.6  # from move to move of a player; how busy machines may be
PLAYERS = (10_000, 100_000, 1_000_000)
CORES, GIGABYTES = 8, 16  # of a machine for the web
LARGE = 32  # cores of a large database server
BEGIN, END = "<!-- written by scripts/benchmark load -->", "<!-- end -->"


@dataclass(frozen=True)
class Memory:
    """Bytes: to begin with, for a table at which nobody is connected, for a connection."""

    before: int
    table: float
    connection: float


@dataclass(frozen=True)
class Measured:
    """One set-up: what a move costs at a rate that everybody can carry, and the highest rate within the limit."""

    steady: Step
    best: Step | None


@dataclass
class Measures:
    """Everything."""

    machine: dict[str, str]
    set_ups: dict[str, Measured] = field(default_factory=dict)
    memory: dict[str, Memory] = field(default_factory=dict)
    earlier: list[str] = field(default_factory=list)
    """Set-ups that were measured in an earlier run."""

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, plain: dict[str, Any]) -> "Measures":
        set_ups = {
            name: Measured(_step(found["steady"]), _step(found["best"]) if found["best"] else None)
            for name, found in plain["set_ups"].items()
        }
        memory = {name: Memory(**found) for name, found in plain["memory"].items()}
        return cls(plain["machine"], set_ups, memory, plain.get("earlier", []))

    def onto(self, older: "Measures") -> "Measures":
        """These, and of older ones whatever was not measured this time."""
        earlier = [name for name in older.set_ups if name not in self.set_ups]
        return Measures(self.machine, older.set_ups | self.set_ups, older.memory | self.memory, earlier)

    def shared(self) -> tuple[str, Step] | None:
        """The set-up with PostgreSQL from which crowds are reckoned: that with the most processes."""
        found = [(name, measured.steady) for name, measured in self.set_ups.items() if "PostgreSQL" in name]
        return found[-1] if found else None


def _step(plain: dict[str, Any]) -> Step:
    return Step(**{**plain, "mistakes": tuple(plain["mistakes"])})


# The figures


def load(found: Measures) -> str:
    sections = [HEAD.format(limit=round(LIMIT * 1000), pace=PACE, steady=STEADY, **found.machine)]
    named = {f"{name} †" if name in found.earlier else name: each for name, each in found.set_ups.items()}
    sections[0] += "".join(f"\n| {name} | {_rates(each.best)} |" for name, each in named.items())
    if found.earlier:
        sections.append(EARLIER)
    rows = (f"\n| {name} | {_costs(each.steady)} |" for name, each in named.items())
    sections.append(STEADILY.format(steady=STEADY) + "".join(rows))
    if found.memory:
        sections.append(MEMORY + "".join(f"\n| {name} | {_bytes(each)} |" for name, each in found.memory.items()))
    sections.append("What this means for many players is in [capacity](../concepts/capacity.md).")
    return "\n\n".join(sections) + "\n"


def _rates(best: Step | None) -> str:
    if best is None:
        return f"fewer than {FIRST:.0f} | | | | | | |"
    times = f"{best.median * 1000:.1f} | {best.p99 * 1000:.0f}"
    cores = f"{best.server:.2f} | {best.database + best.redis:.2f} | {best.crowd:.2f}"
    return f"**{best.made:.0f}** | {best.tables} | {times} | {cores} | {best.cost * 1000:.2f}"


def _costs(step: Step) -> str:
    costs = " | ".join(f"{cores / step.made * 1000:.2f}" for cores in (step.server, step.database, step.redis))
    return f"{costs} | {step.median * 1000:.1f} | {step.p99 * 1000:.0f} | {step.sent / 1000:.1f}"


def _bytes(memory: Memory) -> str:
    return f"{memory.before / 1e6:.0f} | {memory.table / 1000:.0f} | {memory.connection / 1000:.0f}"


# What they mean


def capacity(page: str, found: Measures) -> str:
    """The page with what follows from the figures written anew between its two marks."""
    head, rest = page.split(BEGIN)
    _, tail = rest.split(END)
    return f"{head}{BEGIN}\n\n{_meaning(found)}\n\n{END}{tail}"


def _meaning(found: Measures) -> str:
    shared, memory = found.shared(), found.memory.get("Ludothèque")
    if shared is None or memory is None:
        return "The last run measured no set-up with PostgreSQL, or no memory: there is nothing to reckon from."
    name, step = shared
    rows = "".join(f"\n| {_crowd(players, step, memory)} |" for players in PLAYERS)
    return f"{_told(name, step, memory)}\n\n{TABLE}{rows}\n\n{_limits(step)}"


def _told(name: str, step: Step, memory: Memory) -> str:
    web, database, redis = (cores / step.made * 1000 for cores in (step.server, step.database, step.redis))
    return TOLD.format(
        name=name.removeprefix("Ludothèque, "),
        rate=STEADY,
        web=web,
        database=database,
        redis=redis,
        sent=step.sent / 1000,
        connection=memory.connection / 1000,
        seconds=SECONDS,
        busy=round(BUSY * 100),
        cores=CORES,
        gigabytes=GIGABYTES,
    )


def _crowd(players: int, step: Step, memory: Memory) -> str:
    """What so many players at once would take."""
    moves = players / SECONDS
    web, database, redis = (moves * cores / step.made / BUSY for cores in (step.server, step.database, step.redis))
    gigabytes = players * (memory.connection + memory.table / 2) / 1e9
    machines = max(math.ceil(web / CORES), math.ceil(gigabytes / (GIGABYTES * BUSY)))
    megabits = moves * step.sent * 8 / 1e6
    numbers = [f"{players:,}", f"{moves:,.0f}", f"{web:,.0f}", f"{machines:,}", f"{database:,.1f}", f"{redis:,.1f}"]
    return _spaced(" | ".join([*numbers, f"{gigabytes:,.1f}", f"{megabits:,.0f}"]))


def _limits(step: Step) -> str:
    """What is full first."""
    full = [
        (_most(step, step.server, 1), "a process of the web on its core; any number of them share the rest"),
        (_most(step, step.redis, 1), "the one Redis, which works on one core"),
        (_most(step, step.database, LARGE), f"the one PostgreSQL, on a machine of {LARGE} cores"),
    ]
    told = [
        f"- {_spaced(f'{moves:,.0f}')} moves a second, {_spaced(f'{moves * SECONDS:,.0f}')} players: {what}."
        for moves, what in sorted(full)
    ]
    return "\n".join([FULL.format(busy=round(BUSY * 100)), "", *told])


def _most(step: Step, cores: float, available: int) -> float:
    """Moves a second with which so many cores are as busy as they may be, if one move takes what it took here."""
    return BUSY * available * step.made / cores if cores else math.inf


def _spaced(numbers: str) -> str:
    return numbers.replace(",", "\N{NARROW NO-BREAK SPACE}")


HEAD = """# Tables at once, moves a second

Written by `scripts/benchmark load`: pairs of bots play whole series of Hepta, each bot over a WebSocket of its own as
a browser has it, a move every {pace:.0f} s at every table. The rate, and with it the number of tables, grows for as
long as 99 of 100 moves are on the opponent's screen within {limit} ms of being sent, and none is lost, doubled or out
of order; it is given up after two misses. Ours are in the database, synced to disk, before anyone hears of them;
boardgame.io's are in memory.

The machine: {cores} cores, {memory} GB, {fsync} ms for a write to be safe on disk, {busy} % busy before we began;
Python {python} ({built}), SQLite {sqlite}, Node {node}. The bots run on the same cores, but wait until one is free or
their turn has come: usually whoever is sent something takes the core from its sender, so every word to a screen would stop the
server. “ms a move” is the time of a core that the web processes took for one move, to both screens and the disk. Several
processes behind one address (`--workers`) share the tables among them. With two addresses, as of two machines, a
proxy may send people “anywhere”, or “by table” everybody of a table to the same one
([how](../guides/keep.md#many-processes-many-machines)); here the bots do it.

| | moves a second | tables | median, ms | p99, ms | cores, web | cores, PostgreSQL and Redis | cores, bots | ms a move |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""  # noqa: E501

EARLIER = "† of an earlier run; all others are of one run."

STEADILY = """## What a move costs

At {steady:.0f} moves a second, which everybody can carry, in the same run: milliseconds of a core for one move. These
depend little on what else the machine is doing; rates and waiting times do.

| | ms, web | ms, PostgreSQL | ms, Redis | median until seen, ms | p99 | kB to both screens |
|---|--:|--:|--:|--:|--:|--:|"""

MEMORY = """## Memory

Tables at which two people have sat down and nobody is connected, then the connections of both. In ours, waste of the
requests that set these tables is counted, too: it is [looked for rarely](../decisions/0013-moves.md).

| | MB to begin with | kB a table | kB a connection |
|---|--:|--:|--:|"""

TOLD = """Reckoned from {name}, at {rate:.0f} moves a second: a move costs
{web:.2f} ms of a core of the web, {database:.2f} ms of PostgreSQL and {redis:.2f} ms of Redis, and {sent:.1f} kB to
both screens; a connection takes {connection:.0f} kB. A player moves every {seconds} s, machines are {busy} % busy,
and one for the web has {cores} cores and {gigabytes} GB."""

TABLE = """| players | moves a second | web cores | web machines | PostgreSQL cores | Redis cores | GB for connections and tables | Mbit/s |
|--:|--:|--:|--:|--:|--:|--:|--:|"""  # noqa: E501

FULL = """What is full first, when it is {busy} % busy:"""
