"""Booklets: printed on request in a process of their own, kept in files, the same for everyone."""

import re
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from threading import Lock

from django.conf import settings

from ludotheque.puzzles.making.names import KEYS
from ludotheque.web import bench, work
from ludotheque.web.actions import Refused
from ludotheque.web.workshop import Bench
from ludotheque.words import LANGUAGES

COUNTS = (12, 24, 48, 96)
PAPERS = ("a4", "a5")
VOLUMES = 9
VOLUME = 1000  # numbers from the first puzzle of one volume to the first of the next
KEPT = 40  # files
NAME = re.compile(rf"({'|'.join(KEYS)})-(\d+)-({'|'.join(PAPERS)})-({'|'.join(LANGUAGES)})-([1-{VOLUMES}])", re.ASCII)

press = Bench(work.LAST)
_orders: "dict[str, tuple[Order, Future[None]]]" = {}  # by visitor
_lock = Lock()


@dataclass(frozen=True)
class Order:
    """A booklet as someone wants it."""

    key: str
    count: int
    paper: str
    lang: str
    volume: int

    @property
    def name(self) -> str:
        return "-".join(map(str, astuple(self)))

    @property
    def file(self) -> Path:
        return Path(settings.DATA) / "booklets" / f"{self.name}.pdf"

    @property
    def ready(self) -> bool:
        return self.file.is_file()

    @property
    def progress(self) -> int:
        """How many puzzles are made."""
        with suppress(OSError, ValueError):
            return int(self.file.with_suffix(".count").read_text())
        return 0


def read(name: str) -> Order | None:
    """The order of a booklet's name."""
    found = NAME.fullmatch(name)
    if found is None or int(found[2]) not in COUNTS:
        return None
    return Order(found[1], int(found[2]), found[3], found[4], int(found[5]))


def is_made(order: Order) -> bool:
    """Whether it is being made here and now."""
    return any(other == order and not future.done() for other, future in _orders.values())


def start(order: Order, visitor: str) -> None:
    """Begin to make it, unless it is there; one at a time for each visitor."""
    with _lock:
        mine = _orders.get(visitor)
        if mine is not None and not mine[1].done() and mine[0] != order:
            raise Refused("one-booklet")
        if order.ready:
            return
        for who in [who for who, (_, future) in _orders.items() if future.done()]:
            del _orders[who]
        order.file.parent.mkdir(parents=True, exist_ok=True)
        _make_room(order.file.parent)
        first = 1 + (order.volume - 1) * VOLUME
        asked = press.ask(bench.booklet, order.key, (order.paper, order.lang), order.count, first, str(order.file))
        _orders[visitor] = (order, asked)


def _make_room(folder: Path) -> None:
    """Let the oldest go."""
    files = sorted(folder.glob("*.pdf"), key=lambda file: file.stat().st_mtime)
    for file in files[: max(0, len(files) + 1 - KEPT)]:
        file.unlink(missing_ok=True)
