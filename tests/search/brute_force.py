"""What a position is worth, by trying everything to the end."""

from functools import cache

from ludotheque.game import AnyGame, moves


@cache
def value(game: AnyGame, state: tuple[object, ...]) -> int:
    """The lead of the first of two seats when both play their best."""
    acting = game.to_act(state)
    if not acting:
        first, second = game.scores(state)
        return int(first - second)
    seat = acting.bit_length() - 1
    values = [value(game, game.play(state, seat, move)) for move in moves(game, state, seat)]
    return max(values) if seat == 0 else min(values)
