"""Earlier steps of a match, as far as one seat may know them."""

from bisect import bisect_left
from collections.abc import Sequence

from ludotheque.match import Actor, Match
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.registry import picture_of


def steps(match: Match, seat: int | None) -> Sequence[int]:
    """How many events of the match there were after each step of the log this seat is shown."""
    if match.game.tells_all:
        return range(1, match.length + 1)
    return [number + 1 for number in match.readable_events(seat)]


def picture_at(match: Match, seat: int | None, step: int, lang: str) -> str:
    """The picture after a step of the log this seat is shown; 0 is before the first, unless that is forgotten."""
    every, first = frames(match, seat), first_step(match, seat)
    if not first <= step < first + len(every):
        raise LookupError(step)
    return every[step - first].picture(style=False, lang=lang)


def first_step(match: Match, seat: int | None) -> int:
    """The earliest step one may go back to."""
    counts = steps(match, seat)
    return int(bool(counts) and counts[0] != 1)


def last_step(match: Match, seat: int | None) -> int:
    """The step that is the present: after the end of a leg, one more than the log has, for the new board."""
    return len(steps(match, seat)) + (match.at_leg_end() is not None)


def step_before(match: Match, seat: int | None) -> int:
    """The step before the last move and luck's answer, which one may not be allowed to go back to."""
    return bisect_left(steps(match, seat), last_move(match) + 1)


def last_move(match: Match) -> int:
    """The number of the last event that is not luck's; -1 before the first."""
    events = match.events
    return next((number for number in range(len(events) - 1, -1, -1) if events[number][0] != "luck"), -1)


def last_touched(match: Match, seat: int | None) -> list[str]:
    """What was touched on the picture for all moves of everybody else since the seat's own, or else for that.

    Choices that are still sealed are left out. Of moves that are no longer in the log only the last place of each
    seat is named, in no order, so that it does not tell again who made them.
    """
    events, readable = match.events, match.readable_events(seat)
    marks, placed = set[str](), set[Actor]()
    for number in _last_moves(match, seat):
        actor, touched = events[number][0], _touched(match, seat, number)
        if number in readable:
            marks.update(touched)
        elif actor not in placed:
            marks.update(touched[-1:])
        if _is_on_board(touched):
            placed.add(actor)
    return sorted(marks)


def _last_moves(match: Match, seat: int | None) -> list[int]:
    """The numbers of the moves of others in this leg, back to the seat's own last one; that alone if it is the last.

    An answer of one's own ends nothing. A spectator has no move, and is shown the last of all.
    """
    sealed, leg, others, own = match.sealed_events(seat), match.leg, list[int](), list[int]()
    for number in range(match.length - 1, -1, -1):
        actor = match.event(number)[0]
        if match.leg_of(number) != leg or (others and seat is None):
            break
        if actor == "luck" or number in sealed:
            continue
        (own if actor == seat else others).append(number)
        if actor == seat and not _is_answer(match, seat, number):
            break
    return others or own[:1]


def _is_answer(match: Match, seat: int, number: int) -> bool:
    """Whether somebody only said something to another's move, such as an objection: others could have acted, too."""
    others_might = len(match.before(match.length - number).to_act) > 1
    return others_might and not _is_on_board(_touched(match, seat, number))


def _touched(match: Match, seat: int | None, number: int) -> tuple[str, ...]:
    """What was touched for the move of this number, in the position before it."""
    picture, actor = picture_of(match.game), match.event(number)[0]
    before = match if picture.fixed_picks else match.before(match.length - number)
    return picture.picks(before.seen(seat), before.role(actor), match.shown_move(number, seat))


def _is_on_board(touched: tuple[str, ...]) -> bool:
    """Whether a move is about a piece or a place: which one, its id says after a hyphen; a button is a plain word."""
    return any("-" in pick for pick in touched)
