"""Computer players that are easy to foresee. They run in processes without Django."""

from ludotheque.match import Match


def first(match: Match, seat: int, _level: str) -> str:
    """Always the first move."""
    return match.moves(seat)[0]
