"""Addresses and networks that the keeper has shut out for a time.

The database has the list; every process reads it every few seconds (`server/keeper_sync.py`), so that asking whether
an address is on it costs nothing but a look into memory.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NamedTuple, TypeAlias

from cachetools import LRUCache
from django.utils import timezone

from ludotheque.errors import LudothequeError
from ludotheque.web.guard.rate_limits import IPV6_PREFIX_BITS, NO_ADDRESS
from ludotheque.web.models import Block
from ludotheque.web.models.keeper import MAX_REASON_CHARS
from ludotheque.web.monitor import usage

Network: TypeAlias = IPv4Network | IPv6Network
LEAST_PREFIX_BITS = {4: 8, 6: 16}  # a larger network would be everybody
MAX_BLOCKS = 10_000
MAX_REMEMBERED = 10_000  # addresses
MAX_BLOCK = timedelta(days=3650)


class BadBlock(LudothequeError):  # noqa: N818 - reads as what it is
    """What cannot be blocked; the sentence of the code is in `words/`, among those of the keeper."""

    def __init__(self, code: str) -> None:
        super().__init__(code, code)


class Entry(NamedTuple):
    """A block as it is looked up."""

    network: Network | None
    label: str
    key: str
    until: datetime


class BlockList:
    """The blocks that were read last. Networks are few; what was found for an address is remembered."""

    def __init__(self, blocks: list[Entry]) -> None:
        self.blocks = blocks
        self.keys = {block.key for block in blocks if block.key}
        self.found: LRUCache[str, Entry | None] = LRUCache(MAX_REMEMBERED)

    def of(self, address: str) -> Entry | None:
        if not self.blocks:
            return None
        try:
            found = self.found[address]
        except KeyError:
            found = self.found[address] = self._look(address)
        return found if found is not None and found.until > timezone.now() else None

    def _look(self, address: str) -> Entry | None:
        """The block of this address that lasts longest."""
        if address == NO_ADDRESS:
            return None
        network = ip_network(address)
        labels = {(usage.labelled(address, key), key) for key in self.keys}
        found = [
            block
            for block in self.blocks
            if (block.label, block.key) in labels or (block.network is not None and _contains(block.network, network))
        ]
        return max(found, key=lambda block: block.until, default=None)


def _contains(network: Network, other: Network) -> bool:
    return network.version == other.version and network.supernet_of(other)  # type: ignore[arg-type]  # the same version


_list = BlockList([])
listeners: list[Callable[[], None]] = []
"""Called when the list has changed, in whatever thread has read it."""


def of(address: str) -> Entry | None:
    """The block of an address, as `rate_limits.network` writes it, if there is one."""
    return _list.of(address)


def read() -> None:
    """Read the list again."""
    global _list  # noqa: PLW0603 - replaced as a whole, so that nobody sees half of it
    rows = Block.objects.filter(until__gt=timezone.now()).order_by("-until", "pk")[:MAX_BLOCKS]
    found = [Entry(_network(row.network), row.label, row.key, row.until) for row in rows]
    if found != _list.blocks:
        _list = BlockList(found)
        for listen in listeners:
            listen()


def _network(text: str) -> Network | None:
    return ip_network(text) if text else None


# What the keeper does


def add(who: str, lasts: timedelta, reason: str, proxies: list[str]) -> Block:
    """Block an address, a network, or the label of an address, from now on."""
    if not timedelta(0) < lasts <= MAX_BLOCK:
        raise BadBlock("block-time")
    until, reason = timezone.now() + lasts, reason[:MAX_REASON_CHARS]
    if usage.is_label(who):
        return Block.objects.create(label=who, key=usage.key_of_day(), reason=reason, until=until)
    network = blockable(who, proxies)
    return Block.objects.create(network=str(network), reason=reason, until=until)


def blockable(text: str, proxies: list[str]) -> Network:
    """The network that is meant; everybody cannot be blocked, nor a proxy, from which everybody seems to come."""
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        raise BadBlock("no-address") from None
    if network.version == 6 and network.prefixlen > IPV6_PREFIX_BITS:  # one household has at least so many
        network = network.supernet(new_prefix=IPV6_PREFIX_BITS)
    if network.prefixlen < LEAST_PREFIX_BITS[network.version]:
        raise BadBlock("too-many-addresses")
    if any(_contains(network, found) for proxy in proxies if (found := _readable(proxy))):
        raise BadBlock("block-proxy")
    return network


def _readable(proxy: str) -> Network | None:
    try:
        return ip_network(proxy, strict=False)
    except ValueError:
        return None  # a name, or *


def lift(who: str) -> int:
    """Forget the blocks of an address, a network or a label as it is written in the list; how many there were."""
    return Block.objects.filter(network=_written(who)).delete()[0] + Block.objects.filter(label=who).delete()[0]


def _written(who: str) -> str:
    try:
        return str(blockable(who, []))
    except BadBlock:
        return "-"  # no network, and none is written so


def current() -> list[Block]:
    """What is blocked now; the first to end first."""
    return list(Block.objects.filter(until__gt=timezone.now()).order_by("until"))
