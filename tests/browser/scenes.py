"""Everything there is to see in a site, made ready: `python -m browser.scenes` prints it as JSON.

It runs beside the server, in the same environment, so on the same database. Whoever checks or
photographs every page goes through this list.
"""

import json
import sys
from dataclasses import asdict, dataclass
from datetime import timedelta
from random import Random

import django

import ludotheque
from ludotheque.puzzles.kinds import kind_keys

PUZZLES = (
    "tetrods:a2-a5-a6-b1-b3-b6-c5-d6-e1-e5-e7-g2-g3",
    "hepta-solo:a2-b5-d1-d2-f1-f2-f5",
    "pegs-solo:10:a5-b4-b6-c1-c2-d6-e4-f7",
)


@dataclass(frozen=True)
class Scene:
    """A page, and whose browser it is opened in; `game` is the one it shows, if any.

    `body` is the page itself where looking is not enough to get there: after a mistake or a misfortune, say.
    """

    name: str
    path: str
    cookie: str = ""
    game: str = ""
    body: str = ""


def main() -> None:
    django.setup()
    sys.stdout.write(json.dumps([asdict(scene) for scene in _all()]))


def _all() -> list[Scene]:
    found = [
        Scene("shelf", "/", _cookie("ada")),
        Scene("shelf-alone", "/?players=1"),
        Scene("mine", "/mine", _cookie("ada")),
        Scene("mine-finished", "/mine?show=finished", _cookie("ada")),
        Scene("about", "/about"),
        Scene("nothing", "/nothing"),
        Scene("bring", "/replay"),
    ]
    for box in ludotheque.games():
        found += [
            Scene("game", f"/games/{box.key}", game=box.key),
            Scene("lesson", f"/games/{box.key}/lesson/1", game=box.key),
        ]
        if box.key not in kind_keys():  # puzzles have pages of their own
            found += [Scene("table", f"/t/{_running(box)}", _cookie("ada"), box.key), *_over(box)]
    return [*found, *_waiting(), *_moments(), *_settled(), *_objection(), *_series(), *_puzzles(), *_mishaps()]


def _puzzles() -> list[Scene]:
    """All pages of puzzles: lists, one of each kind fresh and begun, and the booklet."""
    from ludotheque.puzzles.making.names import PuzzleSpec, read
    from ludotheque.web.models import Attempt
    from ludotheque.web.puzzles import attempts
    from ludotheque.web.puzzles.addresses import address

    found = [Scene("puzzles", "/puzzles", _cookie("ada")), Scene("puzzles-wrong", "/puzzles?name=chess")]
    found += [Scene("booklet-order", "/puzzles/booklet"), Scene("booklet", "/puzzles/booklet/tetrods-12-a4-fr-1")]
    for key, name in zip(kind_keys(), PUZZLES, strict=True):
        puzzle = read(name)
        assert isinstance(puzzle, PuzzleSpec)
        for version in range(3):
            moves = attempts.match(puzzle, attempts.attempt("ada", puzzle).moves).moves(0)
            attempts.move("ada", puzzle, next(move for move in moves if "lift" not in move), version, None)
        found += [
            Scene("puzzle-kind", f"/puzzles/{key}", _cookie("ada"), key),
            Scene("puzzle", address(name), game=key),
            Scene("puzzle-begun", address(name), _cookie("ada"), key),
        ]
    Attempt.objects.filter(key="tetrods").update(hints=2, seconds=754)
    return [*found, Scene("puzzle-own-wrong", "/puzzles/pegs-solo/own?cell=a1&cards=77", game="pegs-solo")]


def _mishaps() -> list[Scene]:
    """Pages that answer a form, or that nobody wants to see."""
    from django.contrib.auth.models import User
    from django.test import Client, RequestFactory

    from ludotheque.web.guard import rate_limits
    from ludotheque.web.pages import errors
    from ludotheque.web.puzzles import maker
    from ludotheque.web.visitors import COOKIE
    from web.people import seated

    def page(path: str, name: str, **form: str) -> Scene:
        reply = ada.post(path, form) if form else ada.get(path)
        return Scene(name, path, body=reply.content.decode())

    ada = Client(headers={"host": "127.0.0.1", "accept-language": "fr"})
    ada.cookies[COOKIE] = _cookie("ada")
    table = seated("hepta", 2).id
    found = [
        page("/games/hundsgemein/new", "wrong-table", seats="77"),
        page("/replay", "wrong-record", text="nonsense"),
        page("/puzzles/booklet", "wrong-booklet", count="500"),
        page(f"/t/{table}/link", "link", seat="0"),
        page(f"/t/{table}/do", "wrong-move", do="move", seat="0", version="2", move="nonsense"),
        page("/puzzles/hepta-solo/a2-b5-d1-d2-f1-f2-f5", "asking", do="solution", version="3"),
        Scene("forged", "/settings", body=errors.csrf_failure(RequestFactory().post("/settings")).content.decode()),
        Scene("broken", "/broken", body=errors.SERVER_ERROR_HTML),
    ]
    ada.force_login(User.objects.create_superuser("keeper"))
    found.append(page("/status", "status"))
    maker.made = _not_yet  # type: ignore[assignment]
    found.append(page("/puzzles/tetrods/1/999", "making"))
    rate_limits.wait = lambda *_: 9
    return [*found, page("/puzzles/tetrods/1/998", "too-often")]


def _not_yet(_short: object) -> None:
    from ludotheque.web.puzzles.maker import PuzzleNotReady

    raise PuzzleNotReady


def _cookie(visitor: str) -> str:
    from ludotheque.web.visitors import sign

    return sign(visitor)


def _running(box: ludotheque.Box) -> str:
    """A match in the middle, with Ada to move if that can be."""
    from web.people import seated

    table = seated(box.key, max(box.seats))
    table.play_at_once(25 if max(box.seats) > 1 else 5)
    for _ in range(8):
        if 0 in table.match.to_act:
            break
        table.play_at_once(1)
    return table.id


def _over(box: ludotheque.Box) -> list[Scene]:
    from ludotheque.web.replays import analysis
    from ludotheque.web.replays.finished import find
    from web.people import seated

    short = {"legs": 1, "rounds": 6}
    options = {option.name: short[option.name] for option in box.options if option.name in short}
    table = seated(box.key, max(box.seats), **options)
    table.play_at_once(400)
    table.give_up()
    found = find(table.id)
    assert found is not None
    if analysis.possible(found):
        _judge_by_dice(found.replay.id)
    return [
        Scene("over", f"/t/{table.id}", _cookie("ada"), box.key),
        Scene("replay", f"/replay/{table.id}", _cookie("ada"), box.key),
    ]


def _judge_by_dice(name: str) -> None:
    """An analysis that looks like one, without the minute of thinking."""
    from ludotheque.game import moves
    from ludotheque.search.analysis import Judgement
    from ludotheque.web.players.questions import Question
    from ludotheque.web.replays import analysis
    from ludotheque.web.replays.finished import find

    found, random = find(name), Random(name)
    assert found is not None
    hopes = [1.0] * found.match.seats

    def judgement(question: Question, text: str, simulations: int) -> Judgement:  # noqa: ARG001
        for seat in range(len(hopes)):
            hopes[seat] = max(0.1, hopes[seat] + random.uniform(-0.2, 0.2))
        cost = random.choice([0, 0, 0, 0.02, 0.08, 0.3])
        rules = found.match.game
        best = rules.texts[random.choice(moves(rules, question.seen, question.role))] if cost else text
        return Judgement(cost, best, (best, text), tuple(hope / sum(hopes) for hope in hopes), False)

    analysis.judgement = judgement
    analysis.analyse(found)


def _waiting() -> list[Scene]:
    from ludotheque.web.table import seating

    table = seating.open_table("hundsgemein", 4, {}, listed=True)
    seating.sit(table.id, "ada", 0, "Ada")
    return [
        Scene("waiting", f"/t/{table.id}", _cookie("ada"), "hundsgemein"),
        Scene("invited", f"/t/{table.id}", _cookie("eve"), "hundsgemein"),
    ]


def _moments() -> list[Scene]:
    from django.utils import timezone

    from ludotheque.web.models import Replay
    from ludotheque.web.replays.finished import find
    from ludotheque.web.table import actions, moves, own_seats, seating
    from web.people import seated

    screen = seating.open_table("pizza", 3, {})
    for seat, name in enumerate(("Ada", "Bob", "Cleo")):
        seating.sit(screen.id, "ada", seat, name)
    for seat, space in enumerate(("a1", "g4", "b1")):
        screen.refresh_from_db()
        moves.play(screen.id, "ada", seat, space, version=screen.version)
    offered = seated("hepta", 2)
    actions.offer_draw(offered.id, "bob", 1)
    thought_about, fresh = seated("hepta", 2, legs=1), seated("hepta", 2, legs=1)
    for table in (thought_about, fresh):
        table.play_at_once()
    assert find(thought_about.id) is not None
    Replay.objects.filter(pk=thought_about.id).update(claimed=timezone.now() + timedelta(days=1))
    return [
        Scene("handover", f"/t/{screen.id}", _cookie("ada"), "pizza"),
        Scene("offer", f"/t/{offered.id}", _cookie("ada"), "hepta"),
        Scene("take", f"/seat/{own_seats.make_link(offered.id, 'bob', 1)}", game="hepta"),
        Scene("being-analysed", f"/replay/{thought_about.id}", game="hepta"),
        Scene("just-over", f"/t/{fresh.id}", _cookie("ada"), "hepta"),
    ]


def _settled() -> list[Scene]:
    """Pizza after the knives: in the middle, and when the third colour makes both lose."""
    from web.people import seated

    middle = seated("pizza", 3)
    while middle.match.view(None)["position"]["round"] < 3 or middle.match.to_act != (0,):  # type: ignore[index,call-overload,operator]
        middle.play_at_once(1)
    lost = seated("pizza", 2)
    lost.play_at_once(400)
    while lost.match.winners:
        lost = seated("pizza", 2)
        lost.play_at_once(400)
    _judge_by_dice(lost.id)
    return [
        Scene("settled", f"/t/{middle.id}", _cookie("ada"), "pizza"),
        Scene("both-lose", f"/t/{lost.id}", _cookie("ada"), "pizza"),
        Scene("replay-both-lose", f"/replay/{lost.id}", _cookie("ada"), "pizza"),
    ]


def _series() -> list[Scene]:
    """Second legs, where roles have changed: in the middle, and over."""
    from web.people import seated

    found = []
    for key in ("hepta", "tfortwo"):
        middle, whole = seated(key, 2), seated(key, 2)
        while middle.match.leg == 0 or len(middle.match.story(None)) < 12:
            middle.play_at_once(1)
        whole.play_at_once(400)
        _judge_by_dice(whole.id)
        found += [
            Scene("second-leg", f"/t/{middle.id}", _cookie("ada"), key),
            Scene("replay-series", f"/replay/{whole.id}", _cookie("ada"), key),
        ]
    return found


def _objection() -> list[Scene]:
    """Ada may object: the computer's flea is in the centre."""
    from ludotheque.web.table import seating
    from ludotheque.web.table.transaction import locked

    table = seating.open_table("hundsgemein", 2, {"referee": "table"})
    seating.sit(table.id, "ada", 0, "Ada")
    seating.seat_computer(table.id, "ada", 1, "1")
    with locked(table.id) as change:
        played = change.match_copy()
        played.play(0, next(text for text in played.moves(0) if text.endswith("@a1")))
        played.play(1, next(text for text in played.moves(1) if text.endswith("@d4")))
        change.add_played(played)
    return [Scene("objection", f"/t/{table.id}", _cookie("ada"), "hundsgemein")]


if __name__ == "__main__":
    main()
