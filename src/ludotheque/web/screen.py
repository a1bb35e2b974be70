"""A table as one visitor sees it now: one template gives the page, its updates, and what screen readers read."""

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from django.utils.safestring import SafeString, mark_safe
from markupsafe import Markup

import ludotheque
from ludotheque.game import Json
from ludotheque.match import Actor, Match
from ludotheque.pictures.picture import draw
from ludotheque.web import board, happenings, looks, position, standing, thinking
from ludotheque.web.looks import Eyes
from ludotheque.web.models import Seat, Table, hashed
from ludotheque.web.reckoning import reckoning
from ludotheque.web.speech import level, said, say
from ludotheque.web.standing import Kept, Standing

MOST_LISTED = 200  # moves written out as buttons; more are typed


class Screen(TypedDict):
    """What a page gets."""

    version: int
    html: str
    moves: list[Json]
    last: list[str]
    seat: int
    steps: int
    first: int
    over: bool
    taken: bool
    motions: list[Json]


@dataclass(frozen=True)
class Place:
    """A seat as it is shown."""

    number: int
    role: str
    name: str
    kind: str
    mine: bool
    acting: bool
    chosen: bool
    winner: bool
    score: int | None
    level: str = ""

    @property
    def thinking(self) -> bool:
        return self.acting and self.kind == Seat.Kind.COMPUTER


def screen(table: str, visitor: str, lang: str, wanted: int = -1, *, csrf: str = "", step: str = "") -> Screen:
    """Everything the visitor's page needs, drawn through the eyes of a seat of theirs.

    Pages without script need a `csrf` token in their forms, and look back by naming a `step`.
    """
    kept = standing.look(Table.objects.get(pk=table))
    eyes = looks.eyes(kept.stands, kept.seats, hashed(visitor), wanted)
    shown = seen(kept, eyes, lang, csrf=csrf, step=step)
    shown["html"] = shown["html"].replace(board.CUT, "")
    return shown


def seen(kept: Kept, eyes: Eyes, lang: str, *, csrf: str = "", step: str = "") -> Screen:
    """A table as these eyes see it, its HTML with the cuts; nothing is asked of the database."""
    stands = kept.stands
    match = stands.match or standing.fresh(kept.table, kept.seats)
    can_move = stands.match is not None and not stands.over
    names = looks.names(match, kept.seats, lang)
    account = _account(stands, match, eyes.seat, lang, names)
    context = _context(kept, match, eyes, lang, names) | account._asdict() | {"csrf_token": csrf}
    if stands.over and stands.ending is None and match.seats > 1:
        context["why"] = reckoning(match, names, lang)
    if step.isdecimal() and account.first <= int(step) <= account.shown:
        lines = _lines(match, eyes.seat, names, lang, looked_at=int(step))
        context |= {"lines": lines, "picture": mark_safe(looks.at(match, eyes.seat, int(step), lang))}  # noqa: S308
    return {
        "version": stands.version,
        "html": board.draw(context, lang),
        "moves": looks.picks(match, eyes.seat, lang) if can_move else [],
        "last": account.last,
        "seat": -1 if eyes.seat is None else eyes.seat,
        "steps": account.shown,
        "first": account.first,
        "over": stands.over,
        "taken": account.taken,
        "motions": account.motions,
    }


class Account(NamedTuple):
    """How it came to this and what there is, as one seat may know it."""

    happened: list[str]
    rows: tuple[tuple[str, str], ...]
    lines: Markup
    last: list[str]
    shown: int
    first: int
    taken: bool
    motions: list[Json]


def _account(stands: Standing, match: Match, seat: int | None, lang: str, names: list[str]) -> Account:
    """Drawn up once for each position and each seat; where nothing is ever hidden, once for all of them."""
    reader = None if match.game.is_open else seat
    if (reader, lang) not in stands.accounts:
        steps = happenings.happened(match, reader)
        stands.accounts[reader, lang] = Account(
            happenings.sentences(match, steps, names, lang),
            tuple(position.rows(match, reader, lang)),
            _lines(match, reader, names, lang),
            looks.last_touched(match, reader),
            len(match.shown(reader)),
            looks.first_step(match, reader),
            happenings.takes(steps),
            happenings.motions(steps),
        )
    found = stands.accounts[reader, lang]
    assert isinstance(found, Account)
    return found


def _context(kept: Kept, match: Match, eyes: Eyes, lang: str, names: list[str]) -> dict[str, object]:
    table, seats, stands = kept
    box = ludotheque.game(table.game)
    places = tuple(place(seat, match, stands, eyes, lang, name=names[seat.number]) for seat in seats)
    playing = stands.match is not None and not stands.over
    moves = match.moves(eyes.seat) if playing and eyes.seat is not None else []
    return {
        "table": table,
        "box": box,
        "called": box.say("name", lang),
        "eyes": eyes,
        "places": places,
        "waiting": stands.match is None,
        "playing": playing,
        "over": stands.over,
        "todo": _todo(match, eyes, places, lang) if playing else "",
        "levels": thinking.levels(box),
        "may_ask": bool(thinking.levels(box)) and looks.may_ask(stands, seats, eyes),
        "can_draw": len(seats) > 1 and all(seat.kind == Seat.Kind.PERSON for seat in seats),
        "result": result(match, stands, names, lang) if stands.over else "",
        "picture": picture(match, eyes.seat, lang),
        "buttons": Markup("".join(map(board.button, moves[:MOST_LISTED]))),  # noqa: S704 - of Markup
        "listed": len(moves[:MOST_LISTED]),
        "moves_left_out": len(moves[MOST_LISTED:]),
        "writing": position.writing(match.game.stem, lang),
        "offer": stands.offer,
        "offerer": places[stands.offer.seat] if stands.offer else None,
        "answering": _answering(stands, eyes),
        "curtain": places[eyes.curtain] if eyes.curtain is not None else None,
        "me": places[eyes.seat] if eyes.seat is not None else None,
        "can_undo": any(actor == eyes.seat for actor, _ in match.shown(eyes.seat)),
        "leg": match.leg + 1,
        "legs": match.legs,
        "rematch": stands.rematch,
        "version": stands.version,
    }


def picture(match: Match, seat: int | None, lang: str) -> SafeString:
    return mark_safe(draw(match, seat, style=False, lang=lang))  # noqa: S308 - drawn by us, from numbers


def place(seat: Seat, match: Match, stands: Standing, eyes: Eyes, lang: str, *, name: str) -> Place:
    number = seat.number
    playing = stands.match is not None and not stands.over
    return Place(
        number=number,
        role=looks.role(match, number, lang),
        name=name if not seat.free else "",
        kind=seat.kind,
        mine=number in eyes.mine,
        acting=playing and number in match.to_act,
        chosen=playing and number in match.chosen,
        winner=number in winners(match),
        score=match.scores[number] if stands.match is not None and match.seats > 1 else None,
        level=level(seat.level, lang) if seat.level else "",
    )


def winners(match: Match) -> tuple[int, ...]:
    """Who won, by the rules or because another gave up; in a draw nobody did."""
    return () if match.draw else match.winners


def _todo(match: Match, eyes: Eyes, places: tuple[Place, ...], lang: str) -> str:
    """Whose turn it is and what to do, in one sentence."""
    if eyes.seat is not None and eyes.seat in match.to_act:
        phase = match.game.phase(match.seen(eyes.seat), match.role(eyes.seat))
        return said(match.game.stem, lang, "phases", phase) or say("your-turn", lang)
    acting = [places[seat] for seat in match.to_act if isinstance(seat, int)]
    names = listed([place.name for place in acting], lang)
    if not all(place.thinking for place in acting):
        return say("waiting-for", lang, names=names)
    if thinking.asleep(match.game.key):
        return say("wakes-up", lang)
    return say("thinks" if len(acting) == 1 else "think", lang, names=names)


def listed(names: list[str], lang: str) -> str:
    return f" {say('and', lang)} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def result(match: Match, stands: Standing, names: list[str], lang: str) -> str:
    """How it ended, in one sentence; `names` are those of the people, by seat."""
    if stands.ending and stands.ending.how == "draw":
        return say("drawn-by-agreement", lang)
    if stands.ending and stands.ending.seat is not None:
        return say("has-resigned", lang, name=names[stands.ending.seat])
    if match.seats == 1:
        return say("solved" if match.solved else "not-solved", lang)
    if match.draw:
        return say("drawn", lang)
    best = [names[seat] for seat in winners(match)]
    if not best:
        return say("all-lost", lang)
    return say("won" if len(best) == 1 else "won-together", lang, names=listed(best, lang))


def _lines(match: Match, seat: int | None, names: list[str], lang: str, looked_at: int = -1) -> Markup:
    """The move list, as HTML. Who is alone needs no name."""
    whos: dict[Actor, str] = {"luck": say("luck", lang), **dict(enumerate(names))}
    alone = match.seats == 1
    lines = [
        board.line(step, "" if alone else whos[actor], text, current=step == looked_at)
        for step, (actor, text) in enumerate(match.shown(seat), 1)
    ]
    return Markup("".join(lines))  # noqa: S704 - of Markup


def _answering(stands: Standing, eyes: Eyes) -> int | None:
    """The seat of mine that has yet to answer an offer."""
    if stands.offer is None:
        return None
    return next((seat for seat in eyes.mine if seat not in stands.offer.agreed), None)
