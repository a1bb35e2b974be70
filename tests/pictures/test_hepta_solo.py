"""The picture of Hepta solo: fourteen pieces on the board or in the tray; mushrooms that brighten in the end."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from random import Random

import ludotheque
from ludotheque import Match
from ludotheque.board.square import FULL
from ludotheque.games.hepta import PIECES
from ludotheque.pictures.hepta_solo import PICTURE
from ludotheque.pictures.output.render import render_match
from ludotheque.puzzles.hepta_solo import ELL_0, GAME, MASKS, TEXTS, State


def start() -> State:
    return state(ludotheque.game("hepta-solo").match())


def state(match: Match) -> State:
    assert isinstance(match.state, State)
    return match.state


def ids(svg: str) -> set[str]:
    return {element.attrib["id"] for element in ET.fromstring(svg).iter() if "id" in element.attrib}  # noqa: S314


def solutions(covered: int, left: tuple[int, int]) -> Iterator[list[int]]:
    """Moves that fill the board, always at its first empty cell."""
    if covered == FULL:
        yield []
    first = ~covered & covered + 1
    for move, mask in enumerate(MASKS):
        bent = move >= ELL_0
        if mask & first and not mask & covered and left[bent]:
            rest = (left[0] - (not bent), left[1] - bent)
            yield from ([move, *others] for others in solutions(covered | mask, rest))


def test_fourteen_pieces_whatever_happens() -> None:
    random, match = Random(7), ludotheque.game("hepta-solo").match()
    for _ in range(60):
        found = ids(render_match(match, 0))
        pieces = {name for name in found if name.startswith("piece-")}
        spares = {name for name in found if name.startswith("spare-")}
        assert pieces == {f"piece-{TEXTS[move]}" for move in state(match).laid if move >= 0}
        assert len(pieces) + len(spares) == 2 * PIECES
        match.play(0, random.choice(match.moves(0)))


def test_a_piece_comes_from_the_tray_and_goes_back() -> None:
    before, move = start(), TEXTS.index("a3-b3-c3")
    after = GAME.play(before, 0, move)
    (lay,) = PICTURE.steps(before, ((0, move),), after)
    (lift,) = PICTURE.steps(after, ((0, TEXTS.index("lift b3")),), before)
    assert (lay.kind, lay.element, lay.to, lay.sentence) == ("move", "spare-I7", "piece-a3-b3-c3", "lay")
    assert (lift.kind, lift.element, lift.to, lift.sentence) == ("move", "piece-a3-b3-c3", "spare-I7", "lift")


def test_picks_are_a_shape_the_heart_and_a_way() -> None:
    found = [PICTURE.picks(start(), 0, TEXTS.index(text)) for text in ("d2-e2-f2", "e1-e2-e3", "e1-e2-f2", "lift e2")]
    assert [picks[:-1] for picks in found[:3]] == [("tray-I", "cell-e2")] * 2 + [("tray-L", "cell-e2")]
    assert found[3] == ("cell-e2",)


def test_a_full_board_is_celebrated() -> None:
    board = start()
    for move in next(solutions(board.blockers, (PIECES, PIECES))):
        before, board = board, GAME.play(board, 0, move)
        done = board.blockers | board.covered == FULL
        svg = PICTURE.draw(board, 0, ())
        assert ('id="ribbon"' in svg, "mushroom-cap" not in svg) == (done, done)
        assert ("solved" in [step.sentence for step in PICTURE.steps(before, ((0, move),), board)]) == done
    assert GAME.to_act(board) == 0
