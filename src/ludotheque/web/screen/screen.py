"""A table as one visitor sees it now: from the cached state to the fragments and facts that their page gets."""

from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypedDict

from markupsafe import Markup, escape

import ludotheque
from ludotheque import move_words
from ludotheque.match import Actor, Event, Match
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.web.models import Seat, Table
from ludotheque.web.players import warm_up
from ludotheque.web.screen import fragments, history, luck, move_list, moves, narration, people, position, scoring
from ludotheque.web.screen.moves import MAX_LISTED_MOVES, Move
from ludotheque.web.screen.narration import Scene, Teller
from ludotheque.web.screen.people import Place
from ludotheque.web.screen.viewer import Viewer, may_ask_hint, viewer_of
from ludotheque.web.table import actions, cache, commitments
from ludotheque.web.table.cache import ByTable, CachedTable
from ludotheque.web.table.new_table import USUAL_LEVEL
from ludotheque.web.table.sizes import deep_size
from ludotheque.web.table.state import TableState, fresh_match
from ludotheque.web.words import listed, said, say

MAX_UNWATCHED_BYTES = 4_000_000  # of what seats see at tables that nobody watches

Values: TypeAlias = dict[str, Any]
"""What the template names."""


class Facts(TypedDict):
    """What a page gets beside its HTML."""

    version: int
    moves: list[Move]
    stuck: list[str]
    last: list[str]
    seat: int
    steps: int
    first: int
    before: int
    over: bool
    events: int
    own: bool
    story: list[Scene]


class Screen(Facts):
    """What a page gets."""

    html: str


class Known(NamedTuple):
    """What a page knows already: the story up to so many events; `live` if it was connected ever since."""

    events: int
    live: bool = False


def screen(
    table: str,
    visitor: str,
    lang: str,
    wanted: int = -1,
    *,
    csrf: str = "",
    step: str = "",
    known: Known | None = None,
    origin: str = "",
) -> Screen:
    """Everything the visitor's page needs, seen through a seat of theirs.

    Pages without script need a `csrf` token in their forms, the `origin` of links to be sent, and look back by naming
    a `step`.
    """
    cached = cache.read(Table.objects.get(pk=table))
    viewer = viewer_of(cached.state, cached.seats, visitor, wanted)
    facts, html = render(cached, viewer, lang, csrf=csrf, step=step, known=known, origin=origin)
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
    known: Known | None = None,
    origin: str = "",
) -> tuple[Facts, list[str]]:
    """Facts and fragments for a viewer whose page has the fragments `before`; the database is not asked.

    The position in words may be `folded` away on their page: then it stays as it was. What happened since their page
    `known` is told.
    """
    state, seat = cached.state, viewer.seat
    match = state.match or fresh_match(cached.table, cached.seats)
    view = _seat_view(cached, match, seat, lang)
    texts = match.moves(seat) if view.playing and seat is not None else []
    values = view.values | _own_values(match, cached, viewer, view, lang) | _move_values(match.game.stem, texts, lang)
    values |= {"token": fragments.csrf_field(csrf), "origin": origin}
    if step.isdecimal() and view.first <= int(step) <= len(view.shown):
        values |= _earlier_values(match, seat, lang, int(step), view)
    facts: Facts = {
        "version": state.version,
        "moves": moves.picks(match, seat, lang, texts) if texts and seat is not None else [],
        "stuck": moves.stuck(match, seat, texts) if texts and seat is not None else [],
        "last": history.last_touched(match, seat),
        "seat": -1 if seat is None else seat,
        "steps": view.steps,
        "first": view.first,
        "before": view.before,
        "over": bool(view.values["over"]),
        "events": match.length,
        "own": view.last_mover in viewer.mine,
        "story": _story(match, viewer, view, known, lang),
    }
    return facts, fragments.render(values, lang, before, folded=folded)


class SeatView(NamedTuple):
    """What one seat may know of a position, and how it came about: the same for everyone who looks through it."""

    values: Values
    seats: list[Seat]
    names: list[str]
    places: tuple[Place, ...]
    playing: bool
    shown: list[Event]
    steps: int
    first: int
    before: int
    notes: dict[int, list[str]]
    last_mover: Actor | None
    story: list[Scene]


class _Views(NamedTuple):
    """What the seats of one state see, by seat and language."""

    state: TableState
    by_viewer: dict[tuple[int | None, str], SeatView]


def _size(views: _Views) -> int:
    """About how many bytes they take, with the state that they keep alive."""
    texts = [deep_size(view.values, view.places, view.shown, view.story) for view in views.by_viewer.values()]
    return sum(texts) + cache.match_size(views.state.match)


_views: ByTable[_Views] = ByTable(MAX_UNWATCHED_BYTES, _size)


def _seat_view(cached: CachedTable, match: Match, seat: int | None, lang: str) -> SeatView:
    """Computed once for each position and seat; where nothing is ever hidden, once for all seats."""
    seat = None if match.game.is_open and picture_of(match.game).ignores_seat else seat
    known = _views.get(cached.table.id)
    by_viewer = known.by_viewer if known is not None and known.state is cached.state else {}
    if (seat, lang) not in by_viewer:
        by_viewer = by_viewer | {(seat, lang): _compute_view(cached, match, seat, lang)}
        _views.put(cached.table.id, _Views(cached.state, by_viewer))
    return by_viewer[seat, lang]


def _compute_view(cached: CachedTable, match: Match, seat: int | None, lang: str) -> SeatView:
    state, names, last_move = cached.state, people.names(match, cached.seats, lang), history.last_move(match)
    story = narration.story(match, Teller(seat, names, lang))
    notes = people.notes(match, state, cached.seats, names, lang)
    places, shown = people.places(cached.seats, match, state, names, lang), match.shown(seat)
    values = _table_values(cached, match, places, names, lang) | {
        "cues": narration.cues(story),
        "happened": escape(narration.in_words(story)),
        "rows": partial(position.rows, match, seat, lang),
        "lines": move_list.render(match, seat, names, lang, notes),
        "unmoved": not shown,
        "picture": render_match(match, seat, style=False, lang=lang),
    }
    return SeatView(
        values=values,
        seats=cached.seats,
        names=names,
        places=places,
        playing=values["playing"],
        shown=shown,
        steps=history.last_step(match, seat),
        first=history.first_step(match, seat),
        before=history.step_before(match, seat),
        notes=notes,
        last_mover=match.events[last_move][0] if last_move >= 0 else None,
        story=story,
    )


def _story(match: Match, viewer: Viewer, view: SeatView, known: Known | None, lang: str) -> list[Scene]:
    """The last move, and before it what the page has missed; nothing after a move was taken back."""
    if not match.log or match.log[-1][0] == "undo":
        return []
    if known is None or known.events < 0:
        return view.story
    teller = Teller(viewer.seat, view.names, lang)
    return [*narration.missed(match, teller, viewer.mine, known.events, live=known.live), *view.story]


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
        "added": luck.added(seats, names, lang),
        "key": table.game,
        "called": box.say("name", lang),
        "places": places,
        "unowned": people.unowned_places(match, lang),
        "waiting": state.match is None,
        "missing": sum([seat.free for seat in seats]),
        "is_open": table.listed,
        "sitting": table.id if state.match is None else "",
        "playing": state.match is not None and not state.over,
        "over": state.over,
        "reveals_all": match.reveals_all,
        "levels": warm_up.levels(box),
        "usual_level": USUAL_LEVEL,
        "can_draw": len(seats) > 1 and actions.may_draw(seats, state),
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


def _own_values(match: Match, cached: CachedTable, viewer: Viewer, view: SeatView, lang: str) -> Values:
    """What concerns only this viewer."""
    state = cached.state
    seat, places, table = viewer.seat, view.places, cached.table
    decides = any(view.seats[own].visitor == table.creator for own in viewer.mine)
    may_add = state.over and state.rematch is None and bool(viewer.mine)
    return {
        "next": commitments.of_rematch(table.id)[0] if may_add else None,  # not cached: the secret key may change
        "decides": decides,
        "seats_beside": decides or (bool(viewer.mine) and not table.listed),
        "leaves": seat is not None and actions.goes_on_without(view.seats, view.seats[seat]),
        "mine": viewer.mine,
        "seat": seat,
        "acting": seat is not None and places[seat].acting,
        "todo": _todo(match, seat, places, lang) if view.playing else "",
        "phase": _phase(match, seat) if view.playing and seat is not None and places[seat].acting else "",
        "may_ask": bool(view.values["levels"]) and may_ask_hint(state, view.seats, viewer),
        "answering": _answering(state, viewer),
        "declined": _declined(state, viewer, places, lang),
        "handover_to": places[viewer.handover_to] if viewer.handover_to is not None else None,
        "can_undo": any(actor == seat for actor, _ in reversed(view.shown)),
    }


def _move_values(stem: str, texts: list[str], lang: str) -> Values:
    """The legal moves, written out when they are unfolded."""
    listed = texts[:MAX_LISTED_MOVES]

    def buttons() -> Markup:
        written = [fragments.move_button(text, move_words.written(stem, text, lang)) for text in listed]
        return Markup("".join(written))  # noqa: S704 - escaped there

    return {
        "buttons": buttons,
        "can_move": bool(texts),
        "listed": len(listed),
        "moves_left_out": len(texts) - len(listed),
    }


def _earlier_values(match: Match, seat: int | None, lang: str, step: int, view: SeatView) -> Values:
    """What is different when one looks back at an earlier step."""
    lines = move_list.render(match, seat, view.names, lang, view.notes)
    return {
        "lines": lines.replace(f'<li id="log-{step}">', f'<li id="log-{step}" aria-current="step">'),
        "picture": history.picture_at(match, seat, step, lang),
    }


def _todo(match: Match, seat: int | None, places: tuple[Place, ...], lang: str) -> str:
    """Whose turn it is and what to do, in one sentence."""
    if seat is not None and places[seat].acting:
        return said(match.game.stem, lang, "phases", _phase(match, seat)) or say("your-turn", lang)
    acting = [place for place in places if place.acting]
    names = listed([place.name for place in acting], lang)
    if not all(place.thinking for place in acting):
        return say("waiting-for", lang, names=names)
    if warm_up.is_cold(match.game.key):
        return say("wakes-up", lang)
    return say("thinks" if len(acting) == 1 else "think", lang, names=names)


def _phase(match: Match, seat: int) -> str:
    """What there is to do for a seat that is to act, by its name in the game's words."""
    return match.game.phase(match.seen(seat), match.role(seat))


def _answering(state: TableState, viewer: Viewer) -> int | None:
    """The viewer's seat that has yet to answer an offer."""
    if state.offer is None:
        return None
    return next((seat for seat in viewer.mine if seat not in state.offer.agreed), None)


def _declined(state: TableState, viewer: Viewer, places: tuple[Place, ...], lang: str) -> str:
    """What became of the last offer, for all but the one who declined it."""
    declined = state.declined
    if declined is None or declined.seat in viewer.mine:
        return ""
    sentence = "draw-declined" if declined.what == "draw" else "undo-declined"
    return say(sentence, lang, name=places[declined.seat].name)
