"""Games do what they did: golden playthroughs, perft tables and the order of moves, pinned as data."""

import json

import pytest

import ludotheque
from golden import golden_file, perft_file, replay
from ludotheque import Box
from ludotheque.search.perft import perft
from variants import variants

every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)


@every_game
def test_every_game_has_golden_playthroughs_and_they_hold(box: Box) -> None:
    goldens = json.loads(golden_file(box).read_text(encoding="utf-8"))
    assert len(goldens) == len(list(variants(box)))
    for golden in goldens:
        match = replay(golden)
        assert match.save() == json.dumps(golden["record"], ensure_ascii=False)
        assert ludotheque.load(match.save()) == match


@every_game
def test_every_game_has_perft_tables_and_they_hold(box: Box) -> None:
    tables = json.loads(perft_file(box).read_text(encoding="utf-8"))
    assert len(tables) == len(list(variants(box)))
    for table in tables:
        for position in table["positions"]:
            match = box.match(table["seats"], luck=None, **table["options"])
            for actor, text in position["events"]:
                match.play(actor, text)
            for depth, count in enumerate(position["counts"], 1):
                assert perft(match.game, match.state, depth) == count
