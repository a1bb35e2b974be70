"""How many connections there are, and who has to go when there are too many.

Every connection takes a file descriptor. When an address, or all of them, have too many, the longest idle HTTP
connection of the address with most of them is closed; WebSockets, where people play, are never closed for a newcomer.
Whoever opens one connection after the other, to send what is no request, is refused before anything is parsed.
"""

import logging
import resource
import time
from collections import Counter, OrderedDict
from collections.abc import Collection
from ipaddress import ip_address, ip_network
from typing import Protocol

from cachetools import LRUCache

from ludotheque.web.guard.budgets import Rate, TokenBucket
from ludotheque.web.guard.rate_limits import NO_ADDRESS, network
from ludotheque.web.monitor import metrics, usage

log = logging.getLogger("ludotheque.web.server.connections")

MAX_FILES = 65_536  # descriptors that are asked for
RESERVED_FILES = 200  # for the database, pictures, worker processes
MAX_PER_ADDRESS = 600  # idle ones are closed for new ones, so a whole club has room
NEW_CONNECTIONS = Rate(600, 60)  # of an address: a page needs one or two, and keeps them
MAX_REMEMBERED = 10_000  # addresses
WARN_EVERY_S = 60.0
OF_ADDRESS = "one address has as many as it may"
OF_RATE = "one address opens them faster than it may"
OF_FILES = "the limit of file descriptors (LimitNOFILE, ulimit -n) leaves room for no more"


class Closable(Protocol):
    def close_idle(self) -> None:
        """Close the connection; nothing is going on there."""


class Connections:
    """The open connections of this process, by address."""

    def __init__(self, most: int, proxies: Collection[str] = ()) -> None:
        self.most, self.proxies = most, frozenset(proxies)
        self.most_per_address = min(MAX_PER_ADDRESS, most // 2)  # nobody fills the site alone
        self.counts: Counter[str] = Counter()
        self.idle: dict[str, OrderedDict[Closable, None]] = {}
        self.opened: LRUCache[str, TokenBucket] = LRUCache(MAX_REMEMBERED)
        self.refused = 0
        self._warned = -WARN_EVERY_S

    def admit(self, address: str) -> bool:
        """Count one more connection of an address; an idle one may have to make room for it."""
        if not self._is_proxy(address) and not self._bucket_of(address).take(1):
            return self._refuse(address, OF_RATE)
        if self.counts[address] >= self.most_per_address and not self._is_proxy(address):
            if not self._close_idle_of(address, OF_ADDRESS):
                return self._refuse(address, OF_ADDRESS)
        elif self.counts.total() >= self.most and not self._close_idle_of(self._heaviest(), OF_FILES):
            return self._refuse(address, OF_FILES)
        self.counts[address] += 1
        return True

    def _bucket_of(self, address: str) -> TokenBucket:
        bucket = self.opened.get(address)
        if bucket is None:
            bucket = self.opened[address] = TokenBucket(NEW_CONNECTIONS)
        return bucket

    def leave(self, address: str) -> None:
        """One connection less."""
        self.counts[address] -= 1
        if not self.counts[address]:
            del self.counts[address]

    def now_idle(self, address: str, connection: Closable) -> None:
        """Nothing goes on there: it may be closed for another."""
        self.idle.setdefault(address, OrderedDict())[connection] = None

    def now_busy(self, address: str, connection: Closable) -> None:
        """A request has come, or it is closed."""
        waiting = self.idle.get(address)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self.idle[address]

    def _is_proxy(self, address: str) -> bool:
        """Whether all the world comes from this address; a Unix socket has none."""
        if address == NO_ADDRESS or not self.proxies.isdisjoint(("*", address)):
            return True
        return any(ip_address(address) in ip_network(proxy) for proxy in self.proxies if "/" in proxy)

    def _heaviest(self) -> str:
        """The address with most idle connections."""
        return max(self.idle, key=lambda address: len(self.idle[address]), default="")

    def _close_idle_of(self, address: str, cause: str) -> bool:
        if address not in self.idle:
            return False
        oldest = next(iter(self.idle[address]))
        self.now_busy(address, oldest)
        oldest.close_idle()
        self._warn("an idle connection was closed for a new one", address, cause)
        return True

    def _refuse(self, address: str, cause: str) -> bool:
        self.refused += 1
        metrics.LIMITED.labels("connections").inc()
        self._warn("connections are refused", address, cause)
        return False

    def _warn(self, what: str, address: str, cause: str) -> None:
        """Say why, now and then: with how many connections there are, and how many of them are one address's."""
        if time.monotonic() - self._warned < WARN_EVERY_S:
            return
        self._warned = time.monotonic()
        heaviest = max(self.counts.values(), default=0)
        facts = {
            "cause": cause,
            "who": usage.label(address),
            "open": self.counts.total(),
            "most": self.most,
            "of this address": self.counts[address],
            "most of an address": self.most_per_address,
            "most that one address has": heaviest,
            "refused": self.refused,
            "file descriptors": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        }
        log.warning(what, extra={"facts": facts})


def raise_file_limit() -> int:
    """Ask for more file descriptors, as far as the system allows; how many connections fit into them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = MAX_FILES if soft == resource.RLIM_INFINITY else min(soft, MAX_FILES)
    return max(files - RESERVED_FILES, files // 2)


def key_of(client: tuple[str, int] | None) -> str:
    """What counts as one address: a household, or a proxy on a Unix socket."""
    return network(client[0]) if client else NO_ADDRESS
