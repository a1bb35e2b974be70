"""The triangle of hexagonal spaces."""

from collections import Counter

from ludotheque.board.bits import count
from ludotheque.board.triangle import NOWHERE, STEPS, WAYS, Triangle

BOARD = Triangle(9)


def around(name: str) -> list[str | None]:
    cell = BOARD.numbers[name]
    row = BOARD.beside[WAYS * cell : WAYS * (cell + 1)]
    return [None if other == NOWHERE else BOARD.names[other] for other in row]


def test_nine_rows_make_45_spaces_named_row_by_row() -> None:
    assert len(BOARD.names) == 45
    assert BOARD.names[:6] == ("a1", "b1", "b2", "c1", "c2", "c3")
    assert BOARD.names[-9:] == ("i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8", "i9")
    assert [BOARD.names[BOARD.numbers[name]] for name in BOARD.names] == list(BOARD.names)


def test_the_six_directions_go_clockwise_from_east() -> None:
    assert STEPS == ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
    assert around("c2") == ["c3", "d3", "d2", "c1", "b1", "b2"]


def test_the_corners_touch_two_spaces_each() -> None:
    assert around("a1") == [None, "b2", "b1", None, None, None]
    assert around("i9") == [None, None, None, "i8", "h8", None]
    assert around("i1") == ["i2", None, None, None, None, "h1"]


def test_the_edges_touch_four_and_the_inside_six() -> None:
    assert Counter(count(near) for near in BOARD.neighbours) == {2: 3, 4: 21, 6: 21}


def test_the_way_back_is_the_opposite_way() -> None:
    for cell in range(45):
        for way in range(WAYS):
            other = BOARD.beside[WAYS * cell + way]
            if other != NOWHERE:
                assert BOARD.beside[WAYS * other + (way + 3) % WAYS] == cell


def test_neighbours_are_the_spaces_beside() -> None:
    for name, near in zip(BOARD.names, BOARD.neighbours, strict=True):
        assert set(BOARD.listed(near)) == {other for other in around(name) if other}


def test_sets_of_spaces_by_name_and_back() -> None:
    assert BOARD.bits("a1", "b2") == 0b101
    assert BOARD.listed(BOARD.bits("e5", "e1", "a1")) == ["a1", "e1", "e5"]
    assert BOARD.listed(0) == []


def test_other_sizes() -> None:
    assert Triangle(1).names == ("a1",)
    assert Triangle(1).neighbours == (0,)
    assert len(Triangle(10).names) == 55
