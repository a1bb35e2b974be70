"""The load test in small: bots at real tables of a real server see every move once, in order."""

from functools import partial

import pytest
import uvloop

import services
from crowd import servers
from crowd.rates import crowd_at

TABLES = 6
MOVES = 2
MOVE_TIMEOUT_S = 300  # how long a move takes is what the benchmark measures, not this test
LACKING = pytest.mark.skipif(bool(services.missing()), reason=f"needs Debian's {', '.join(services.missing())}")


@pytest.mark.parametrize(
    "server",
    [
        pytest.param(servers.one_process, id="one"),
        pytest.param(partial(servers.behind_nginx, 2), id="two", marks=LACKING),
    ],
)
def test_every_move_comes_to_every_screen_once_and_in_order(server: servers.Start) -> None:
    async def story() -> None:
        with server() as started:
            async with crowd_at(started, MOVE_TIMEOUT_S) as crowd:
                while not crowd.pairs or min(pair.played for pair in crowd.pairs) < MOVES:
                    await crowd.step(TABLES, seconds=3)
                    assert [mistake for pair in crowd.pairs for mistake in pair.mistakes] == []
                assert len(crowd.pairs) == TABLES
                for pair in crowd.pairs:
                    assert pair.seen == [pair.played, pair.played]

    uvloop.run(story())
