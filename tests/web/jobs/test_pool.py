"""What a message in the queue can call."""

import pytest

from ludotheque.web.jobs.pool import function_named
from ludotheque.web.players import turns


def test_a_function_of_ours_is_found_by_its_name() -> None:
    assert function_named("ludotheque.web.players.turns:take") is turns.take


@pytest.mark.parametrize(
    "name", ["os:system", "ludotheque.web.server.backup:call_command", "ludotheque.web.jobs.pool:import_module"]
)
def test_nothing_else_is_called_not_even_what_we_import(name: str) -> None:
    with pytest.raises(LookupError):
        function_named(name)
