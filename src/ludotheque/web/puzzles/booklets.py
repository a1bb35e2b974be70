"""Booklets: printed on request by the worker processes, kept in the database, the same for everyone."""

import logging
import re
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.utils import timezone

from ludotheque.puzzles.kinds import kind_keys
from ludotheque.puzzles.making.names import in_booklet
from ludotheque.web.jobs import pool
from ludotheque.web.models import Booklet
from ludotheque.web.puzzles import maker, worker
from ludotheque.web.refusals import Refused, WorkerUnavailable
from ludotheque.web.visitors import hashed
from ludotheque.words import LANGUAGES

log = logging.getLogger("ludotheque.web.puzzles.booklets")

COUNTS = (12, 24, 48, 96)
PAPERS = ("a4", "a5")
VOLUMES = 9
NUMBERS_A_VOLUME = 1000  # from the first puzzle of one volume to the first of the next
MAX_KEPT = 40  # booklets in the database
CLAIM_TIMEOUT = timedelta(minutes=3)  # after which whoever prints is taken to be gone; compiling takes a while
NAME = re.compile(
    rf"({'|'.join(kind_keys())})-(\d+)-({'|'.join(PAPERS)})-({'|'.join(LANGUAGES)})-([1-{VOLUMES}])", re.ASCII
)


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


def read(name: str) -> Order | None:
    """The order of a booklet's name."""
    found = NAME.fullmatch(name)
    if found is None or int(found[2]) not in COUNTS:
        return None
    return Order(found[1], int(found[2]), found[3], found[4], int(found[5]))


def ready(order: Order) -> bool:
    return Booklet.objects.filter(pk=order.name, file__isnull=False).exists()


def made(order: Order) -> int | None:
    """How many of its puzzles are made while it is being printed; None if it is not."""
    return _in_print().filter(pk=order.name).values_list("made", flat=True).first()


def file(order: Order) -> bytes | None:
    found = Booklet.objects.filter(pk=order.name, file__isnull=False).values_list("file", flat=True).first()
    return bytes(found) if found is not None else None


def start(order: Order, visitor: str) -> None:
    """Begin to print it, unless it is there; one at a time for each visitor."""
    if _in_print().filter(visitor=hashed(visitor)).exclude(pk=order.name).exists():
        raise Refused("one-booklet")
    if not _claimed(order, hashed(visitor)):
        return
    try:
        pool.printing.post(print_booklet, order.name)
    except WorkerUnavailable:
        Booklet.objects.filter(pk=order.name, file=None).delete()
        raise


def _in_print() -> "QuerySet[Booklet]":
    return Booklet.objects.filter(_good_claim(timezone.now()), file=None)


def _good_claim(now: datetime) -> Q:
    """Not too old, nor far in the future: then it was made before the clock was put back."""
    return Q(claimed__range=(now - CLAIM_TIMEOUT, now + CLAIM_TIMEOUT))


def _claimed(order: Order, who: str) -> bool:
    """Whether nobody else prints it, or has; then it is ours to print."""
    now = timezone.now()
    _, begun = Booklet.objects.get_or_create(pk=order.name, defaults={"visitor": who, "claimed": now})
    silent = Booklet.objects.exclude(_good_claim(now)).filter(pk=order.name, file=None)
    return begun or bool(silent.update(visitor=who, claimed=now))


def print_booklet(name: str) -> None:
    """Print a booklet and keep it, where work is done; made puzzles are kept one by one."""
    try:
        _print(name)
    except DatabaseError:
        log.warning("the database is away", extra={"facts": {"booklet": name}})
    except Refused as error:
        log.warning("not printed", extra={"facts": {"booklet": name, "code": error.code}})
    except Exception:
        if not pool.closing.is_set():
            log.exception("could not print", extra={"facts": {"booklet": name}})
            Booklet.objects.filter(pk=name, file=None).delete()


def _print(name: str) -> None:
    order, mine, names = read(name), Booklet.objects.filter(pk=name, file=None), []
    assert order is not None
    for short in in_booklet(order.key, order.count, 1 + (order.volume - 1) * NUMBERS_A_VOLUME):
        names.append((str(short), maker.keep(short, pool.printing)))
        mine.update(made=len(names), claimed=timezone.now())
    pages = pool.printing.compute(worker.booklet, names, order.paper, order.lang)
    mine.update(file=pages, claimed=timezone.now())
    _delete_oldest()


def _delete_oldest() -> None:
    old = Booklet.objects.filter(file__isnull=False).order_by("-claimed").values_list("pk", flat=True)[MAX_KEPT:]
    Booklet.objects.filter(pk__in=list(old)).delete()
