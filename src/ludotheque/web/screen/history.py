"""Earlier steps of a match, as far as one seat may know them."""

from collections.abc import Sequence

from ludotheque.match import Match
from ludotheque.pictures.frames import frames
from ludotheque.pictures.picture import picture_of


def steps(match: Match, seat: int | None) -> Sequence[int]:
    """How many events of the match there were after each step of the log this seat is shown."""
    if match.game.tells_all:
        return range(1, match.length + 1)
    shown, events = match.shown(seat), match.events
    hidden = {max(i for i, (actor, _) in enumerate(events) if actor == other) for other in _sealed(match, seat)}
    every = range(len(events) - len(shown) - len(hidden), len(events))
    return [number + 1 for number in every if number not in hidden]


def _sealed(match: Match, seat: int | None) -> list[int]:
    return [] if match.over else [other for other in match.chosen if other != seat]


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
            before = match if picture.steady else match.before(match.length - events + 1)
            return list(picture.picks(before.seen(seat), before.role(actor), match.game.numbers[text]))
    return []
