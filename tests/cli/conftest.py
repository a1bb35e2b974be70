"""What the tests of the command share."""

from pathlib import Path

import pytest

from cli.terminal import Keep, Run, call
from ludotheque import Match


@pytest.fixture
def run() -> Run:
    return call


@pytest.fixture
def kept(tmp_path: Path) -> Keep:
    def keep(match: Match) -> str:
        path = tmp_path / "game.json"
        path.write_text(match.save(), encoding="utf-8")
        return str(path)

    return keep
