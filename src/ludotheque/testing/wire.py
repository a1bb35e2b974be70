"""The law of secrets for what the site sends: screens, pictures of earlier steps, questions for computer players.

It needs the packages of the site, and Django set up, as `django.setup()` does with the settings of the site. No
database is asked. The game must be on the shelf.
"""

from itertools import islice

from ludotheque import words
from ludotheque.luck import Luck
from ludotheque.match import Match
from ludotheque.testing.secrecy import Shown, Worlds, compare, worlds
from ludotheque.testing.variants import Variant
from ludotheque.web.models import Seat, Table
from ludotheque.web.players.questions import Question
from ludotheque.web.screen import history
from ludotheque.web.screen.screen import Known, render
from ludotheque.web.screen.viewer import Viewer
from ludotheque.web.table.cache import CachedTable
from ludotheque.web.table.state import TableState

MAX_WORLDS = 40  # compared for one variant: a page takes longer than a view
MISSED = 3  # events that a page which comes back has missed
STEPS = 3  # that one goes back
LEVEL = 3
NAMES = ("Ada", "Bob", "Cleo", "Dan")


def what_a_view_hides_is_not_sent(variant: Variant) -> None:
    """By the screen in all languages, by what the seat looks back at, and by what its computer player is asked."""
    for pair in islice(filter(_is_news, worlds(variant)), MAX_WORLDS):
        compare(pair, _sent)


def _is_news(pair: Worlds) -> bool:
    """A page reminds of what happened since one's own move; so it may differ for a seat whose own moves do."""
    return all(pair.one.event(number)[0] != pair.seat for number in pair.differ)


def _sent(pair: Worlds, match: Match) -> Shown:
    known = Known(max(match.length - MISSED, 0), live=True) if pair.always else None
    sent: Shown = {f"the screen in {lang}": _screen(match, pair.seat, lang, known) for lang in words.LANGUAGES}
    first, last = history.first_step(match, pair.seat), history.last_step(match, pair.seat)
    sent["the steps"] = (first, last, history.step_before(match, pair.seat))
    sent["a picture of before"] = [
        history.picture_at(match, pair.seat, step, words.DEFAULT_LANGUAGE)
        for step in range(max(first, last - STEPS), last + 1)
    ]
    if pair.seat is not None and pair.always:
        sent["a question"] = Question.of(match, pair.seat, LEVEL)
    return sent


def _screen(match: Match, seat: int | None, lang: str, known: Known | None) -> object:
    """The facts and the HTML that this seat is sent."""
    shown = match.copy()
    shown.luck = Luck("alike", "alike")  # as at one table, so that lists kept from the other world are looked at, too
    table = Table(
        id="alike", game=match.game.key, options=dict(match.options), seed="alike", version=match.length + 1
    )
    seats = [
        Seat(table=table, number=number, kind=Seat.Kind.PERSON, name=NAMES[number], visitor=NAMES[number])
        for number in range(match.seats)
    ]
    state = TableState(version=match.length + 1, match=shown)
    viewer = Viewer(() if seat is None else (seat,), seat)
    facts, html = render(CachedTable(table, seats, state), viewer, lang, known=known)
    return sorted(facts.items(), key=str), html
