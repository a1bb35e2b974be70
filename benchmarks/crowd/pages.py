"""What was measured, as JSON and as pages: the figures themselves, and the machines that many players need."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from crowd.rates import FIRST_RATE, MOVE_INTERVAL_S, P99_LIMIT_S, STEADY_RATE, Step

BEFORE = "before"  # what the names of an older version's set-ups begin with
PLAYER_INTERVAL_S = 20  # from move to move of a player
UTILISATION = 0.6  # of the cores of a machine
PLAYERS = (10_000, 100_000, 1_000_000)
WEB_CORES, WEB_GIGABYTES = 8, 16  # of a machine for web processes
DATABASE_CORES = 32  # of a large database server
BEGIN, END = "<!-- written by scripts/benchmark load -->", "<!-- end -->"


@dataclass(frozen=True)
class Memory:
    """Bytes: after the start, for a table at which nobody is connected, for a connection."""

    before: int
    table: float
    connection: float


@dataclass(frozen=True)
class Measured:
    """One set-up: what a move costs at the steady rate, and the highest rate within the limit."""

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
        """The set-up with PostgreSQL from which the machines for many players are computed."""
        found = [
            (name, measured.steady)
            for name, measured in self.set_ups.items()
            if "PostgreSQL" in name and not name.startswith(BEFORE)
        ]
        return found[-1] if found else None


def _step(plain: dict[str, Any]) -> Step:
    return Step(**{**plain, "mistakes": tuple(plain["mistakes"])})


# The figures


def load(found: Measures) -> str:
    sections = [HEAD.format(limit=round(P99_LIMIT_S * 1000), interval=MOVE_INTERVAL_S, **found.machine)]
    named = {f"{name} †" if name in found.earlier else name: each for name, each in found.set_ups.items()}
    sections[0] += "".join(f"\n| {name} | {_rates(each.best)} |" for name, each in named.items())
    if found.earlier:
        sections.append(EARLIER)
    rows = (f"\n| {name} | {_costs(each.steady)} |" for name, each in named.items())
    sections.append(STEADILY.format(rate=STEADY_RATE) + "".join(rows))
    if found.memory:
        sections.append(MEMORY + "".join(f"\n| {name} | {_bytes(each)} |" for name, each in found.memory.items()))
    sections.append("What this means for many players is in [capacity](../concepts/capacity.md).")
    return "\n\n".join(sections) + "\n"


def _rates(best: Step | None) -> str:
    if best is None:
        return f"fewer than {FIRST_RATE:.0f} | | | | | | |"
    times = f"{best.median * 1000:.1f} | {best.p99 * 1000:.0f}"
    cores = f"{best.server:.2f} | {best.database + best.redis + best.proxy:.2f} | {best.crowd:.2f}"
    return f"**{best.made:.0f}** | {best.tables} | {times} | {cores} | {best.cost * 1000:.2f}"


def _costs(step: Step) -> str:
    costs = " | ".join(f"{cores / step.made * 1000:.2f}" for cores in _cores(step))
    return f"{costs} | {step.median * 1000:.1f} | {step.p99 * 1000:.0f} | {step.sent / 1000:.1f}"


def _cores(step: Step) -> tuple[float, float, float, float]:
    return step.server, step.database, step.redis, step.proxy


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
        return "The last run measured no set-up with PostgreSQL, or no memory: there is nothing to compute from."
    name, step = shared
    rows = "".join(f"\n| {_crowd(players, step, memory)} |" for players in PLAYERS)
    return f"{_told(name, step, memory)}\n\n{TABLE}{rows}\n\n{_limits(step)}"


def _told(name: str, step: Step, memory: Memory) -> str:
    web, database, redis, proxy = (cores / step.made * 1000 for cores in _cores(step))
    return TOLD.format(
        name=name.removeprefix("Ludothèque, "),
        rate=STEADY_RATE,
        web=web,
        database=database,
        redis=redis,
        proxy=proxy,
        sent=step.sent / 1000,
        connection=memory.connection / 1000,
        seconds=PLAYER_INTERVAL_S,
        busy=round(UTILISATION * 100),
        cores=WEB_CORES,
        gigabytes=WEB_GIGABYTES,
    )


def _crowd(players: int, step: Step, memory: Memory) -> str:
    """What so many players at once need."""
    moves = players / PLAYER_INTERVAL_S
    web, database, redis, proxy = (moves * cores / step.made / UTILISATION for cores in _cores(step))
    gigabytes = players * (memory.connection + memory.table / 2) / 1e9
    machines = max(math.ceil(web / WEB_CORES), math.ceil(gigabytes / (WEB_GIGABYTES * UTILISATION)))
    megabits = moves * step.sent * 8 / 1e6
    numbers = [f"{players:,}", f"{moves:,.0f}", f"{web:,.0f}", f"{machines:,}"]
    numbers += [f"{cores:,.1f}" for cores in (database, redis, proxy)]
    return _spaced(" | ".join([*numbers, f"{gigabytes:,.1f}", f"{megabits:,.0f}"]))


def _limits(step: Step) -> str:
    """Which part reaches its limit first."""
    full = [
        (_most(step, step.server, 1), "one web process, which uses one core; add as many as you need"),
        (_most(step, step.proxy, 1), "one nginx worker process, which uses one core; it can have many"),
        (_most(step, step.redis, 1), "Redis, which uses one core"),
        (_most(step, step.database, DATABASE_CORES), f"PostgreSQL on a machine of {DATABASE_CORES} cores"),
    ]
    told = [
        _spaced(f"- {moves:,.0f} moves a second, {moves * PLAYER_INTERVAL_S:,.0f} players: {what}.")
        for moves, what in sorted(full)
        if moves < math.inf
    ]
    return "\n".join([FULL.format(busy=round(UTILISATION * 100)), "", *told])


def _most(step: Step, cores: float, available: int) -> float:
    """Moves a second at which so many cores are as busy as they may be, if a move costs what it cost here."""
    return UTILISATION * available * step.made / cores if cores else math.inf


def _spaced(numbers: str) -> str:
    return numbers.replace(",", "\N{NARROW NO-BREAK SPACE}")


HEAD = """# Moves a second

Written by `scripts/benchmark load`: pairs of bots play whole series of Hepta, each bot over a WebSocket of its own
as a browser has it, a move every {interval:.0f} s at every table. The rate, and with it the number of tables, grows
as long as 99 of 100 moves are on the opponent's screen within {limit} ms of being sent, and none is lost, doubled
or out of order; after two misses the rate counts as too high. Ours are in the database, synced to disk, before
anyone is told of them; boardgame.io's are in memory.

The machine: {cores} cores, {memory} GB, {fsync} ms for an fsync, {busy} % busy before the run; Python {python}
({built}), SQLite {sqlite}, Node {node}. The bots run on the same cores, as a batch job, so that a message to a bot
does not preempt the server that sends it. “ms a move” is the CPU time of the web processes for one move, to both
screens and the disk. With several processes all requests of a table go to one of them, by nginx as in
[the guide](../guides/keep.md#scale-out); “before” is an older version, which shared one port among its processes.

| | moves a second | tables | median, ms | p99, ms | cores, web | cores, services | cores, bots | ms a move |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""

EARLIER = "† of an earlier run; all others are of one run."

STEADILY = """## What a move costs

At {rate:.0f} moves a second, which every server can carry, in the same run: milliseconds of CPU time for one move.
These depend little on what else the machine does; rates and latencies do.

| | ms, web | ms, PostgreSQL | ms, Redis | ms, nginx | median until seen, ms | p99 | kB to both screens |
|---|--:|--:|--:|--:|--:|--:|--:|"""

MEMORY = """## Memory

Tables at which two people sit and nobody is connected, then the connections of both. Ours includes garbage of the
requests that opened these tables: the [cyclic collector runs rarely](../decisions/0042-garbage-collector.md).

| | MB after the start | kB a table | kB a connection |
|---|--:|--:|--:|"""

TOLD = """Computed from {name}, at {rate:.0f} moves a second: a move costs {web:.2f} ms of CPU time
in a web process, {database:.2f} ms in PostgreSQL, {redis:.2f} ms in Redis and {proxy:.2f} ms in nginx, and
{sent:.1f} kB to both screens; a connection takes {connection:.0f} kB. A player moves every {seconds} s, cores are
{busy} % busy, and a web machine has {cores} cores and {gigabytes} GB."""

TABLE = """| players | moves a second | web cores | web machines | PostgreSQL cores | Redis cores | nginx cores | GB for connections and tables | Mbit/s |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""  # noqa: E501

FULL = """Which part reaches its limit first, at {busy} % of its cores:"""
