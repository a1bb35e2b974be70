"""Records that somebody brings, and previews: whoever asks for many, or for long ones, makes nobody wait."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from attack.catalogue import RECORDS
from attack.client import ATTACKER, get
from attack.records import ACCEPTED_ENTRIES, LONGEST_ENTRIES, bring_longest, bringer, turning_record
from attacked import assert_nobody_waits
from crowd.site import Site as Visit
from scale.sites import Site

LOOKS = 20
MAX_GROWN_BYTES = 60_000_000  # while so many look at once; each used to take twice that for itself
VISITOR_RECORDS, ADDRESS_RECORDS = 30, 60  # an hour
TOO_MANY = 429


@pytest.mark.parametrize("attack", RECORDS)
def test_nobody_else_waits(new_site: Callable[..., Site], attack: str) -> None:
    assert_nobody_waits(new_site().port, attack)


def test_a_record_that_is_too_long_is_refused(new_site: Callable[..., Site]) -> None:
    bring = bringer(new_site().port)
    status, _ = bring(turning_record(LONGEST_ENTRIES, 1))
    assert status == 400
    status, address = bring(turning_record(ACCEPTED_ENTRIES, 1))
    assert status == 302
    assert address.startswith("/replay/")


def test_a_look_at_the_longest_record_takes_little_memory(new_site: Callable[..., Site]) -> None:
    site = new_site(LUDOTHEQUE_LIMITS="off")
    address = bring_longest(site.port)
    assert get(site.port, address) == 200
    paths = [f"{address}?step={number}" if number % 2 else f"{address}/at/{number}" for number in range(LOOKS)]
    head = psutil.Process(site.servers[site.port].pid)
    family = [head, *head.children(recursive=True)]
    before = _bytes(family)
    with ThreadPoolExecutor(LOOKS) as people:
        asked = [people.submit(get, site.port, path) for path in paths]
        most = before
        while not all(each.done() for each in asked):
            most = max(most, _bytes(family))
    assert most - before < MAX_GROWN_BYTES
    assert [each.result() for each in asked] == [200] * LOOKS


def _bytes(family: list[psutil.Process]) -> int:
    return sum(int(process.memory_full_info().uss) for process in family)


def test_one_address_stores_few_records(new_site: Callable[..., Site]) -> None:
    """Whoever comes as somebody else each time is still one address."""
    port = new_site().port
    visit = Visit(port, address=ATTACKER)
    visitors = [cookie for _ in range(2) for cookie in visit.open()[1]]
    answers = [
        [bringer(port, visitor)(turning_record(20, 100 * number + more))[0] for more in range(VISITOR_RECORDS + 5)]
        for number, visitor in enumerate(visitors)
    ]
    assert VISITOR_RECORDS <= answers[0].count(302) <= VISITOR_RECORDS + 1  # one more may become free meanwhile
    assert sum(found.count(302) for found in answers) <= ADDRESS_RECORDS + 1
    assert answers[-1][-1] == TOO_MANY
