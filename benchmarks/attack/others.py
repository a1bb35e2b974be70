"""What others feel while somebody attacks: people who play at tables, and people who only look in.

    with others(site.port) as felt:
        attack()
    assert felt.slowest_move_s < 0.25

They come from addresses of their own: all of 127.0.0.0/8 is this machine.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from attack.lookers import Looker, page
from crowd.pairs import MOVE_TIMEOUT_S, Pair, script
from crowd.site import Site, move_id
from killing.acknowledged import Move

MOVE_EVERY_S = 0.2
READY_TIMEOUT_S = 300
FIRST_TABLES = "127.0.1.{}"  # each table at an address of its own


@dataclass
class Felt:
    """Seconds from a move to the opponent's screen; what became of those who only look in; what went wrong."""

    lookers: Sequence[Looker]
    moves_s: list[float] = field(default_factory=list)
    acknowledged: list[Move] = field(default_factory=list)
    """All of them, in the end."""
    stopped: int = 0
    """Pairs that could not play on."""
    _mistakes: list[str] = field(default_factory=list)

    @property
    def slowest_move_s(self) -> float:
        """Infinite if nobody moved."""
        return max(self.moves_s, default=float("inf"))

    @property
    def slowest_look_s(self) -> float:
        return self.lookers[0].slowest_s

    @property
    def mistakes(self) -> list[str]:
        refusals = [f"{looker.name}: refused" for looker in self.lookers if looker.refused]
        return [*self._mistakes, *(failure for looker in self.lookers for failure in looker.failures), *refusals]

    def forget(self) -> None:
        """Begin to measure."""
        self.moves_s.clear()
        for looker in self.lookers:
            looker.forget()

    def count(self, pair: Pair) -> None:
        """Note what became of a pair, in the end."""
        self._mistakes += pair.mistakes
        self.stopped += bool(pair.mistakes)
        self.acknowledged += [
            Move(pair.table, str(seat), text, move_id(seat, number))
            for number, (seat, text) in enumerate(pair.acknowledged)
        ]


class Pace(NamedTuple):
    """Seconds between the moves of a pair, and after which a move counts as lost."""

    every_s: float
    timeout_s: float


@contextmanager
def others(
    port: int,
    tables: int = 5,
    path: str = "/about",
    move_every_s: float = MOVE_EVERY_S,
    *,
    wishes: Sequence[Callable[[int], Looker]] = (),
    forgiving: bool = False,
    move_timeout_s: float = MOVE_TIMEOUT_S,
) -> Iterator[Felt]:
    """Pairs who play, somebody who reads a page, and somebody with each of the wishes. Unless this is `forgiving`,
    nothing may go wrong for them, and nothing be refused."""
    felt, over = Felt([page(port, path), *(wish(port) for wish in wishes)]), threading.Event()
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    tables_of = [Site(port, address=FIRST_TABLES.format(number)) for number in range(1, tables + 1)]
    threads = [threading.Thread(target=looker.look, args=(over,)) for looker in felt.lookers]
    pace = Pace(move_every_s, move_timeout_s)
    players = threading.Thread(target=_run, args=(loop, _play(tables_of, pace, felt, ready, over)))
    players.start()
    try:
        assert ready.wait(READY_TIMEOUT_S), "the tables are not ready"
        for thread in threads:
            thread.start()
        yield felt
    finally:
        over.set()
        for thread in (players, *threads):
            if thread.ident is not None:
                thread.join()
        loop.close()
    assert forgiving or not felt.mistakes, felt.mistakes[:3]


def _run(loop: asyncio.AbstractEventLoop, story: Coroutine[Any, Any, None]) -> None:
    asyncio.set_event_loop(loop)
    loop.run_until_complete(story)


async def _play(sites: list[Site], pace: Pace, felt: Felt, ready: threading.Event, over: threading.Event) -> None:
    pairs = [Pair(script(number)) for number in range(len(sites))]
    for pair, site in zip(pairs, sites, strict=True):
        await pair.sit_down(site)
    ready.set()
    apart_s = pace.every_s / max(1, len(pairs))  # people at different tables do not move all at the same moment
    await asyncio.gather(*(_play_one(pair, number * apart_s, pace, felt, over) for number, pair in enumerate(pairs)))
    for pair in pairs:
        felt.count(pair)
        pair.leave()


async def _play_one(pair: Pair, begin_s: float, pace: Pace, felt: Felt, over: threading.Event) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(begin_s)
    while not over.is_set() and not pair.over and not pair.mistakes:
        moved: asyncio.Future[float] = loop.create_future()
        pair.move(moved.set_result)
        try:
            felt.moves_s.append(await asyncio.wait_for(asyncio.shield(moved), pace.timeout_s))
        except TimeoutError:
            felt.moves_s.append(pace.timeout_s)
            pair.give_up()
            return
        await asyncio.sleep(pace.every_s)
