"""A table as one visitor sees it now: from the cached state to the fragments and facts that their page gets."""

from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypedDict
from weakref import WeakKeyDictionary

from markupsafe import Markup, escape

import ludotheque
from ludotheque.game import Json
from ludotheque.match import Actor, Event, Match
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.web.models import Seat, Table
from ludotheque.web.players import warm_up
from ludotheque.web.screen import fragments, history, moves, narration, people, position, scoring
from ludotheque.web.screen.moves import MAX_LISTED_MOVES, Move
from ludotheque.web.screen.people import Place
from ludotheque.web.screen.viewer import Viewer, may_ask_hint, viewer_of
from ludotheque.web.table import cache
from ludotheque.web.table.cache import CachedTable
from ludotheque.web.table.new_table import USUAL_LEVEL
from ludotheque.web.table.state import TableState, fresh_match
from ludotheque.web.words import listed, said, say

Values: TypeAlias = dict[str, Any]
"""What the template names."""


class Facts(TypedDict):
    """What a page gets beside its HTML."""

    version: int
    moves: list[Move]
    last: list[str]
    seat: int
    steps: int
    first: int
    over: bool
    taken: bool
    motions: list[Json]


class Screen(Facts):
    """What a page gets."""

    html: str


def screen(table: str, visitor: str, lang: str, wanted: int = -1, *, csrf: str = "", step: str = "") -> Screen:
    """Everything the visitor's page needs, seen through a seat of theirs.

    Pages without script need a `csrf` token in their forms, and look back by naming a `step`.
    """
    cached = cache.read(Table.objects.get(pk=table))
    viewer = viewer_of(cached.state, cached.seats, visitor, wanted)
    facts, html = render(cached, viewer, lang, csrf=csrf, step=step)
    return {**facts, "html": "".join(html)}


def render(
    cached: CachedTable,
    viewer: Viewer,
    lang: str,
    before: list[str] | None = None,
    *,
    folded: bool = False,
    csrf: str = "",
    step: str = "",
) -> tuple[Facts, list[str]]:
    """Facts and fragments for a viewer whose page has the fragments `before`; the database is not asked.

    The position in words may be `folded` away on their page: then it stays as it was.
    """
    state, seat = cached.state, viewer.seat
    match = state.match or fresh_match(cached.table, cached.seats)
    view = _seat_view(cached, match, seat, lang)
    texts = match.moves(seat) if view.playing and seat is not None else []
    values = view.values | _own_values(match, state, viewer, view, lang) | _move_values(texts)
    values["token"] = fragments.csrf_field(csrf)
    if step.isdecimal() and view.first <= int(step) <= len(view.shown):
        values |= _earlier_values(match, seat, lang, int(step), view.names)
    facts: Facts = {
        "version": state.version,
        "moves": moves.picks(match, seat, lang, texts) if texts and seat is not None else [],
        "last": view.last,
        "seat": -1 if seat is None else seat,
        "steps": len(view.shown),
        "first": view.first,
        "over": bool(view.values["over"]),
        "taken": view.taken,
        "motions": view.motions,
    }
    return facts, fragments.render(values, lang, before, folded=folded)


class SeatView(NamedTuple):
    """What one seat may know of a position, and how it came about: the same for everyone who looks through it."""

    values: Values
    seats: list[Seat]
    names: list[str]
    places: tuple[Place, ...]
    playing: bool
    last: list[str]
    shown: list[Event]
    first: int
    taken: bool
    motions: list[Json]


_views: WeakKeyDictionary[TableState, dict[tuple[int | None, str], SeatView]] = WeakKeyDictionary()


def _seat_view(cached: CachedTable, match: Match, seat: int | None, lang: str) -> SeatView:
    """Computed once for each position and seat; where nothing is ever hidden, once for all seats."""
    seat = None if match.game.is_open and picture_of(match.game).ignores_seat else seat
    views = _views.setdefault(cached.state, {})
    if (seat, lang) not in views:
        views[seat, lang] = _compute_view(cached, match, seat, lang)
    return views[seat, lang]


def _compute_view(cached: CachedTable, match: Match, seat: int | None, lang: str) -> SeatView:
    state, names, steps = cached.state, people.names(match, cached.seats, lang), narration.happened(match, seat)
    places, shown = people.places(cached.seats, match, state, names, lang), match.shown(seat)
    values = _table_values(cached, match, places, names, lang) | {
        "happened": escape(" ".join(narration.sentences(match, steps, names, lang))),
        "rows": partial(position.rows, match, seat, lang),
        "lines": _move_list(shown, names, lang),
        "unmoved": not shown,
        "picture": render_match(match, seat, style=False, lang=lang),
    }
    return SeatView(
        values=values,
        seats=cached.seats,
        names=names,
        places=places,
        playing=values["playing"],
        last=history.last_touched(match, seat),
        shown=shown,
        first=history.first_step(match, seat),
        taken=narration.takes(steps),
        motions=narration.motions(steps),
    )


def _table_values(
    cached: CachedTable, match: Match, places: tuple[Place, ...], names: list[str], lang: str
) -> Values:
    """What everybody may know."""
    table, seats, state = cached
    box = ludotheque.game(table.game)
    return {
        "table": table.id,
        "by_lot": table.by_lot,
        "commitment": table.commitment,
        "key": table.game,
        "called": box.say("name", lang),
        "places": places,
        "waiting": state.match is None,
        "sitting": table.id if state.match is None else "",
        "playing": state.match is not None and not state.over,
        "over": state.over,
        "levels": warm_up.levels(box),
        "usual_level": USUAL_LEVEL,
        "can_draw": len(seats) > 1 and all(place.kind == Seat.Kind.PERSON for place in places),
        "result": scoring.result(match, state, names, lang) if state.over else "",
        "why": scoring.breakdown(match, state, names, lang),
        "writing": position.writing(match.game.stem, lang),
        "offer": state.offer,
        "offerer": places[state.offer.seat] if state.offer else None,
        "leg": match.leg + 1,
        "legs": match.legs,
        "rematch": state.rematch,
        "version": str(state.version),
    }


def _own_values(match: Match, state: TableState, viewer: Viewer, view: SeatView, lang: str) -> Values:
    """What concerns only this viewer."""
    seat, places = viewer.seat, view.places
    return {
        "mine": viewer.mine,
        "seat": seat,
        "acting": seat is not None and places[seat].acting,
        "todo": _todo(match, seat, places, lang) if view.playing else "",
        "may_ask": bool(view.values["levels"]) and may_ask_hint(state, view.seats, viewer),
        "answering": _answering(state, viewer),
        "handover_to": places[viewer.handover_to] if viewer.handover_to is not None else None,
        "can_undo": any(actor == seat for actor, _ in reversed(view.shown)),
    }


def _move_values(texts: list[str]) -> Values:
    """The legal moves, written out when they are unfolded."""
    written = texts[:MAX_LISTED_MOVES]
    return {
        "buttons": lambda: Markup("".join(map(fragments.move_button, written))),  # noqa: S704 - escaped there
        "can_move": bool(texts),
        "listed": len(written),
        "moves_left_out": len(texts) - len(written),
    }


def _earlier_values(match: Match, seat: int | None, lang: str, step: int, names: list[str]) -> Values:
    """What is different when one looks back at an earlier step."""
    lines = _move_list(match.shown(seat), names, lang)
    return {
        "lines": lines.replace(f'<li id="log-{step}">', f'<li id="log-{step}" aria-current="step">'),
        "picture": history.picture_at(match, seat, step, lang),
    }


def _todo(match: Match, seat: int | None, places: tuple[Place, ...], lang: str) -> str:
    """Whose turn it is and what to do, in one sentence."""
    if seat is not None and places[seat].acting:
        phase = match.game.phase(match.seen(seat), match.role(seat))
        return said(match.game.stem, lang, "phases", phase) or say("your-turn", lang)
    acting = [place for place in places if place.acting]
    names = listed([place.name for place in acting], lang)
    if not all(place.thinking for place in acting):
        return say("waiting-for", lang, names=names)
    if warm_up.is_cold(match.game.key):
        return say("wakes-up", lang)
    return say("thinks" if len(acting) == 1 else "think", lang, names=names)


def _answering(state: TableState, viewer: Viewer) -> int | None:
    """The viewer's seat that has yet to answer an offer."""
    if state.offer is None:
        return None
    return next((seat for seat in viewer.mine if seat not in state.offer.agreed), None)


def _move_list(shown: list[Event], names: list[str], lang: str) -> str:
    """The lines of the move list, as HTML."""
    return "".join(
        [fragments.log_line(step, _who(actor, names, lang), text) for step, (actor, text) in enumerate(shown, 1)]
    )


def _who(actor: Actor, names: list[str], lang: str) -> str:
    """What an actor is called in the move list; nothing for one who plays alone."""
    if len(names) == 1:
        return ""
    return say("luck", lang) if actor == "luck" else names[actor]
