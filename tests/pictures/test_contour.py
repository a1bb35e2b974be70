"""Outlines: one loop round what hangs together, inside the edges by so much."""

from ludotheque.pictures.kit.contour import contour


def loops(path: str) -> int:
    return path.count("Z")


def test_a_square_is_followed_a_little_inside_its_edges() -> None:
    assert contour(frozenset({(0, 0)}), 100, 10, 5, (200, 0)) == (
        "M285 10Q290 10 290 15L290 85Q290 90 285 90L215 90Q210 90 210 85L210 15Q210 10 215 10Z"
    )


def test_inner_corners_are_as_far_inside_as_outer_ones() -> None:
    corner = contour(frozenset({(0, 0), (0, 1), (1, 1)}), 100, 10, 5)
    assert "Q90 110 " in corner
    assert corner.count("Q") == 6


def test_squares_that_touch_at_a_corner_stay_apart() -> None:
    assert loops(contour(frozenset({(0, 0), (1, 1)}), 100, 10, 5)) == 2


def test_a_hole_has_an_outline_of_its_own() -> None:
    ring = frozenset({(x, y) for x in range(3) for y in range(3)} - {(1, 1)})
    assert loops(contour(ring, 100, 10, 5)) == 2
