"""A table as one visitor sees it now: one template gives the page, its updates, and what screen readers read."""

from functools import partial
from typing import NamedTuple, TypedDict

from markupsafe import Markup, escape

import ludotheque
from ludotheque.game import Json
from ludotheque.match import Actor, Event, Match
from ludotheque.pictures.picture import draw, picture_of
from ludotheque.web.models import Seat, Table, hashed
from ludotheque.web.players import turns
from ludotheque.web.screen import narration, position, template, viewer
from ludotheque.web.screen.scoring import reckoning
from ludotheque.web.screen.template import Alike, Drawn, Named
from ludotheque.web.screen.viewer import Eyes, Move
from ludotheque.web.table import state
from ludotheque.web.table.state import Kept, Listed, Standing
from ludotheque.web.words import level, said, say

MOST_LISTED = 200  # moves written out as buttons; more are typed


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


class Place(NamedTuple):
    """A seat as it is shown."""

    number: int
    role: str
    name: str
    kind: str
    acting: bool
    chosen: bool
    winner: bool
    score: int | None
    level: str

    @property
    def thinking(self) -> bool:
        return self.acting and self.kind == Seat.Kind.COMPUTER


def screen(table: str, visitor: str, lang: str, wanted: int = -1, *, csrf: str = "", step: str = "") -> Screen:
    """Everything the visitor's page needs, drawn through the eyes of a seat of theirs.

    Pages without script need a `csrf` token in their forms, and look back by naming a `step`.
    """
    kept = state.look(Table.objects.get(pk=table))
    eyes = viewer.eyes(kept.stands, kept.seats, hashed(visitor), wanted)
    facts, drawn = seen(kept, eyes, lang, csrf=csrf, step=step)
    return {**facts, "html": "".join(drawn.in_order())}


def seen(
    kept: Kept,
    eyes: Eyes,
    lang: str,
    before: Drawn | None = None,
    *,
    folded: bool = False,
    csrf: str = "",
    step: str = "",
) -> tuple[Facts, Drawn]:
    """A table as these eyes see it, `before` being what they have seen last; nothing is asked of the database.

    The position in words may be `folded` away on their page: then it stays as it was.
    """
    stands = kept.stands
    match = stands.match or state.fresh(kept.table, kept.seats)
    account = _account(kept, match, eyes.seat, lang)
    texts = match.moves(eyes.seat) if account.playing and eyes.seat is not None else []
    everybodys, alike = account.facts, account.alike
    if step.isdecimal() and account.first <= int(step) <= len(account.shown):
        everybodys = everybodys | _looked_back(match, eyes.seat, lang, int(step), account.names)
        alike = template.draw_alike(everybodys, lang)
    own = _own(match, stands, eyes, account, lang) | _moves(texts) | {"token": template.token(csrf)}
    facts: Facts = {
        "version": stands.version,
        "moves": viewer.picks(match, eyes.seat, lang, texts) if texts and eyes.seat is not None else [],
        "last": account.last,
        "seat": -1 if eyes.seat is None else eyes.seat,
        "steps": len(account.shown),
        "first": account.first,
        "over": bool(account.facts["over"]),
        "taken": account.taken,
        "motions": account.motions,
    }
    return facts, template.draw(everybodys, own, lang, alike, before, folded=folded)


class Account(NamedTuple):
    """How it came to this and what there is, as one seat may know it."""

    facts: Named
    """What the template names."""

    alike: Alike
    """Parts of the page that were drawn of that."""

    seats: list[Seat]
    names: list[str]
    places: tuple[Place, ...]
    playing: bool
    last: list[str]
    shown: list[Event]
    first: int
    taken: bool
    motions: list[Json]


def _account(kept: Kept, match: Match, seat: int | None, lang: str) -> Account:
    """Drawn up once for each position and each seat; where nothing is ever hidden, once for all of them."""
    reader = None if match.game.is_open and picture_of(match.game).alike else seat
    accounts = kept.stands.accounts
    if (reader, lang) not in accounts:
        accounts[reader, lang] = _draw_up(kept, match, reader, lang)
    found = accounts[reader, lang]
    assert isinstance(found, Account)
    return found


def _draw_up(kept: Kept, match: Match, reader: int | None, lang: str) -> Account:
    stands, names, steps = kept.stands, viewer.names(match, kept.seats, lang), narration.happened(match, reader)
    seated, shown = places(kept.seats, match, stands, names, lang), match.shown(reader)
    told = {
        "happened": escape(" ".join(narration.sentences(match, steps, names, lang))),
        "rows": partial(position.rows, match, reader, lang),
        "lines": _list(stands, (reader, lang), shown, names),
        "unmoved": not shown,
        "picture": draw(match, reader, style=False, lang=lang),
    }
    facts = _facts(kept, match, seated, names, lang) | told
    return Account(
        facts=facts,
        alike=template.draw_alike(facts, lang),
        seats=kept.seats,
        names=names,
        places=seated,
        playing=facts["playing"],
        last=viewer.last_touched(match, reader),
        shown=shown,
        first=viewer.first_step(match, reader),
        taken=narration.takes(steps),
        motions=narration.motions(steps),
    )


def _facts(kept: Kept, match: Match, places: tuple[Place, ...], names: list[str], lang: str) -> Named:
    """What there is to know for everybody."""
    table, seats, stands = kept
    box, over = ludotheque.game(table.game), stands.over
    by_rules = over and stands.ending is None and match.seats > 1
    return {
        "table": table.id,
        "by_lot": table.by_lot,
        "commitment": table.commitment,
        "key": table.game,
        "called": box.say("name", lang),
        "places": places,
        "waiting": stands.match is None,
        "sitting": table.id if stands.match is None else "",
        "playing": stands.match is not None and not over,
        "over": over,
        "levels": turns.levels(box),
        "can_draw": len(seats) > 1 and all(place.kind == Seat.Kind.PERSON for place in places),
        "result": result(match, stands, names, lang) if over else "",
        "why": reckoning(match, names, lang) if by_rules else None,
        "writing": position.writing(match.game.stem, lang),
        "offer": stands.offer,
        "offerer": places[stands.offer.seat] if stands.offer else None,
        "leg": match.leg + 1,
        "legs": match.legs,
        "rematch": stands.rematch,
        "version": str(stands.version),
    }


def _own(match: Match, stands: Standing, eyes: Eyes, account: Account, lang: str) -> Named:
    """What concerns whoever looks."""
    places, playing = account.places, account.playing
    return {
        "mine": eyes.mine,
        "seat": eyes.seat,
        "acting": eyes.seat is not None and places[eyes.seat].acting,
        "todo": _todo(match, eyes.seat, places, lang) if playing else "",
        "may_ask": bool(account.facts["levels"]) and viewer.may_ask(stands, account.seats, eyes),
        "answering": _answering(stands, eyes),
        "curtain": places[eyes.curtain] if eyes.curtain is not None else None,
        "can_undo": any(actor == eyes.seat for actor, _ in reversed(account.shown)),
    }


def _moves(texts: list[str]) -> Named:
    """What one may do, written out."""
    listed = texts[:MOST_LISTED]
    return {
        "buttons": lambda: Markup("".join(map(template.button, listed))),  # noqa: S704 - of ours, escaped
        "can_move": bool(texts),
        "listed": len(listed),
        "moves_left_out": len(texts) - len(listed),
    }


def _looked_back(match: Match, seat: int | None, lang: str, step: int, names: list[str]) -> Named:
    """What is different after an earlier step."""
    lines = _lines(match.shown(seat), names, lang)
    here = lines.replace(f'<li id="log-{step}">', f'<li id="log-{step}" aria-current="step">')
    return {
        "lines": here,
        "picture": viewer.at(match, seat, step, lang),
    }


def places(seats: list[Seat], match: Match, stands: Standing, names: list[str], lang: str) -> tuple[Place, ...]:
    """Who sits where, and how they do."""
    over = stands.over
    acting, chosen = (match.to_act, match.chosen) if stands.match is not None and not over else ((), [])
    best, scores = winners(match) if over else (), match.scores
    counts = stands.match is not None and match.seats > 1
    return tuple(
        [
            Place(
                number,
                viewer.role(match, number, lang),
                names[number] if not seat.free else "",
                seat.kind,
                number in acting,
                number in chosen,
                number in best,
                scores[number] if counts else None,
                level(seat.level, lang) if seat.level else "",
            )
            for number, seat in enumerate(seats)
        ]
    )


def winners(match: Match) -> tuple[int, ...]:
    """Who won, by the rules or because another gave up; in a draw nobody did."""
    return () if match.draw else match.winners


def _todo(match: Match, seat: int | None, places: tuple[Place, ...], lang: str) -> str:
    """Whose turn it is and what to do, in one sentence."""
    if seat is not None and places[seat].acting:
        phase = match.game.phase(match.seen(seat), match.role(seat))
        return said(match.game.stem, lang, "phases", phase) or say("your-turn", lang)
    acting = [place for place in places if place.acting]
    names = listed([place.name for place in acting], lang)
    if not all(place.thinking for place in acting):
        return say("waiting-for", lang, names=names)
    if turns.asleep(match.game.key):
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


def _list(stands: Standing, whose: tuple[int | None, str], shown: list[Event], names: list[str]) -> str:
    """The move list, as HTML. It goes on from that of the position before if it is the same so far.

    An event is the same only if all before it are: none is ever put into two different logs. Where not all is told,
    others may come to stand between them later.
    """
    known = stands.lists.get(whose)
    if known is None or len(shown) < known.number or shown[known.number - 1] is not known.last:
        known = Listed("", 0, ("luck", ""))
    html = known.html + _lines(shown[known.number :], names, whose[1], known.number)
    if shown and stands.match is not None and stands.match.game.tells_all:
        stands.lists[whose] = Listed(html, len(shown), shown[-1])
    return html


def _lines(shown: list[Event], names: list[str], lang: str, begin: int = 0) -> str:
    """Lines of the move list, after so many others."""
    return "".join(
        [template.line(step, _who(actor, names, lang), text) for step, (actor, text) in enumerate(shown, begin + 1)]
    )


def _who(actor: Actor, names: list[str], lang: str) -> str:
    """What an actor is called in the move list. Who is alone needs no name."""
    if len(names) == 1:
        return ""
    return say("luck", lang) if actor == "luck" else names[actor]


def _answering(stands: Standing, eyes: Eyes) -> int | None:
    """The seat of mine that has yet to answer an offer."""
    if stands.offer is None:
        return None
    return next((seat for seat in eyes.mine if seat not in stands.offer.agreed), None)
