"""Earlier steps of a match, as far as one seat may know them."""

from collections.abc import Sequence

from ludotheque.match import Match
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


def last_touched(match: Match, seat: int | None) -> list[str]:
    """What was touched on the picture for the last move this seat knows of."""
    picture = picture_of(match.game)
    for (actor, text), events in zip(reversed(match.shown(seat)), reversed(steps(match, seat)), strict=True):
        if actor != "luck":
            before = match if picture.fixed_picks else match.before(match.length - events + 1)
            return list(picture.picks(before.seen(seat), before.role(actor), match.game.numbers[text]))
    return []
