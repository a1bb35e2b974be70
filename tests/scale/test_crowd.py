"""The load test in small: bots at real tables of a real server see every move once, in order."""

from functools import partial

import pytest
import uvloop

import services
from crowd import servers
from crowd.rates import crowd_at

TABLES = 6
LACKING = pytest.mark.skipif(bool(services.missing()), reason="there is no PostgreSQL or no Redis")


@pytest.mark.parametrize(
    "server",
    [
        pytest.param(servers.embedded, id="embedded"),
        pytest.param(partial(servers.embedded, 2), id="embedded-together"),
        pytest.param(partial(servers.scaled, 2), id="together", marks=LACKING),
        pytest.param(partial(servers.apart, 2, by_table=True), id="by-table", marks=LACKING),
        pytest.param(partial(servers.apart, 2, by_table=False), id="anywhere", marks=LACKING),
    ],
)
def test_every_move_comes_to_every_screen_once_and_in_order(server: servers.Start) -> None:
    async def story() -> None:
        with server() as started:
            async with crowd_at(started) as crowd:
                await crowd.step(TABLES, seconds=3)
                assert [mistake for pair in crowd.pairs for mistake in pair.mistakes] == []
                assert len(crowd.pairs) == TABLES
                for pair in crowd.pairs:
                    assert pair.played >= 2
                    assert pair.seen == [pair.played, pair.played]

    uvloop.run(story())
