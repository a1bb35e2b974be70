"""Every command that writes, for `crash_points.py`: how its stage is set, and what may be interrupted."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple
from unittest import mock

from django.conf import settings
from django.db import connection, transaction

import ludotheque
from ludotheque.match import Match
from ludotheque.puzzles.making.names import PuzzleSpec, read
from ludotheque.web import secret_keys
from ludotheque.web.models import Attempt, Event, Removal, Replay, Seat, Table
from ludotheque.web.puzzles import attempts
from ludotheque.web.refusals import DuplicateCommand, Refused, VersionConflict
from ludotheque.web.replays import uploads
from ludotheque.web.server import deletion, retention
from ludotheque.web.table import actions, cache, commitments, moves, own_seats, rematch, seating
from ludotheque.web.table.commitments import Promise

ADA, BOB, CLEO = PEOPLE = ("ada", "bob", "cleo")
GAME, MOVE = "hepta", "a1"
IN_TURNS, ANSWER = "tfortwo", "I1:a1-a2-a3-a4"  # of the other seat to the same move
AMONG_THREE = "pizza"
LEVEL = "1"  # of computer players
LUCK = Promise("lots", "seed")  # that decides the same about seats every time
PUZZLE = "pegs-solo:10:a5-b4-b6-c1-c2-d6-e4-f7"
CLIENT = "one"  # the id under which a page sends the command, and sends it again


class Stage(NamedTuple):
    """What a command is about; all are empty if it makes a table or an attempt."""

    table: str = ""
    version: int = 0
    secret: str = ""  # of a link


class Command(NamedTuple):
    """A command as a page sends it. Unless it counts `once`, whoever sends it again gets another table."""

    prepare: Callable[[], Stage]
    act: Callable[[Stage], object]
    once: bool = True


def clear() -> None:
    """Nothing is stored, so that all there is afterwards comes of one command."""
    with transaction.atomic(), connection.cursor() as cursor:
        for model in (Removal, Replay, Attempt, Event, Seat, Table):
            cursor.execute(f"DELETE FROM {model._meta.db_table}")  # noqa: S608 - our tables, without signals
    settings.SECRET_FILE.unlink(missing_ok=True)
    cache.clear()


# Stages


def _open() -> Stage:
    return _now(seating.open_table(GAME, 2, {}).id)


def _half_full(game: str = GAME) -> Stage:
    table = seating.open_table(game, 2, {})
    seating.sit(table.id, ADA, 0, "Ada")
    return _now(table.id)


def _playing(game: str = GAME) -> Stage:
    table = _half_full(game).table
    seating.sit(table, BOB, 1, "Bob")
    return _now(table)


def _moved(game: str = GAME) -> Stage:
    stage = _playing(game)
    moves.play(stage.table, ADA, 0, MOVE, version=stage.version)
    return _now(stage.table)


def _offered() -> Stage:
    table = _playing().table
    actions.offer_draw(table, ADA, 0)
    return _now(table)


def _over() -> Stage:
    table = _playing().table
    actions.resign(table, ADA, 0)
    return _now(table)


def _moved_and_answered() -> Stage:
    stage = _moved(IN_TURNS)
    moves.play(stage.table, BOB, 1, ANSWER, version=stage.version)
    return _now(stage.table)


def _offered_undo() -> Stage:
    table = _moved_and_answered().table
    actions.ask_undo(table, ADA, 0)
    return _now(table)


def _two_of_three(promise: Promise | None = None) -> Stage:
    table = seating.open_table(AMONG_THREE, 3, {}, by_lot=promise is not None, promise=promise).id
    for seat, person in enumerate((ADA, BOB)):
        seating.sit(table, person, seat, person.title(), f"{person}'s")
    return _now(table)


def _three() -> Stage:
    table = _two_of_three().table
    seating.sit(table, CLEO, 2, "Cleo")
    return _now(table)


def _offered_among_three() -> Stage:
    table = _three().table
    actions.offer_draw(table, ADA, 0)
    actions.answer_offer(table, BOB, 1, agrees=True)
    return _now(table)


def _computers_turn() -> Stage:
    table = _half_full(IN_TURNS).table
    seating.seat_computer(table, ADA, 1, LEVEL)
    moves.play(table, ADA, 0, MOVE, version=_now(table).version)
    return _now(table)


def _with_link() -> Stage:
    stage = _playing()
    return stage._replace(secret=own_seats.make_link(stage.table, ADA, 0))


def _with_rematch() -> Stage:
    return _now(rematch.rematch(_over().table, ADA).id)


def _untouched() -> Stage:
    """Two tables that go in one batch, and one that stays."""
    for _ in range(2):
        _half_full()
    Table.objects.update(changed=datetime(2000, 1, 1, tzinfo=UTC))
    return _half_full()


def _brought_before() -> Stage:
    uploads.keep(_finished(2))
    return Stage()


def _with_key() -> Stage:
    secret_keys.write(settings.SECRET_FILE, [secret_keys.SecretKey(secret_keys.fresh())])
    return Stage()


def _now(table: str) -> Stage:
    return Stage(table, Table.objects.values_list("version", flat=True).get(pk=table))


# What is done there


def _move(stage: Stage) -> None:
    moves.play(stage.table, ADA, 0, MOVE, version=stage.version, client=CLIENT)


def _move_in_batch(stage: Stage) -> None:
    """As a connection does it; sent again at an older version, it takes the usual way."""
    cache.latest(stage.table)
    change = moves.prepare(stage.table, ADA, 0, MOVE, version=stage.version, client=CLIENT)
    if change is None:
        _move(stage)
        return
    loop = asyncio.new_event_loop()
    assert moves.write([moves.PendingMove(change, stage.version, loop.create_future())]) == [True]
    loop.close()


def _once(act: Callable[[Stage], object]) -> Callable[[Stage], None]:
    """As `table/commands.py` answers: what was done before is done."""

    def done(stage: Stage) -> None:
        with suppress(DuplicateCommand):
            act(stage)

    return done


def _move_in_puzzle(_stage: Stage) -> None:
    """At a version that has passed, it is refused."""
    puzzle = read(PUZZLE)
    assert isinstance(puzzle, PuzzleSpec)
    with suppress(VersionConflict):
        attempts.move(ADA, puzzle, str(attempts.match(puzzle, []).moves(0)[0]), 0, None)


def _play_on(_stage: Stage) -> None:
    match = _finished()
    rematch.play_on(match, match.length // 2, ADA, 0, LEVEL, name="Ada")


def _refused_again(act: Callable[[Stage], object]) -> Callable[[Stage], None]:
    """What cannot be done twice."""

    def done(stage: Stage) -> None:
        with suppress(Refused):
            act(stage)

    return done


def _add_next_entropy(stage: Stage) -> None:
    published, *_ = commitments.of_rematch(stage.table)
    rematch.add_next_entropy(stage.table, BOB, 1, "bob's", published.commitment)


def _bring_record(_stage: Stage) -> None:
    """There is room for one of them."""
    with mock.patch.object(uploads, "MAX_STORED_BYTES", 1):
        uploads.keep(_finished())


def _delete(stage: Stage) -> None:
    found = deletion.find(stage.table)
    if found is not None:
        deletion.delete(found)


def _tidy(_stage: Stage) -> None:
    with mock.patch.object(retention, "PAUSE_S", 0.0):
        retention.run()


def _change_key(_stage: Stage) -> None:
    keys = secret_keys.load(settings.SECRET_FILE)
    secret_keys.write(settings.SECRET_FILE, secret_keys.rotated(keys, time.time(), keep_s=3600))


def _finished(seed: int = 1) -> Match:
    match, random = ludotheque.game(GAME).match(seats=2, seed=seed, legs=1), Random(seed)
    while not match.over:
        (seat,) = match.to_act
        assert isinstance(seat, int)
        match.play(seat, random.choice(match.moves(seat)))
    return match


COMMANDS: dict[str, Command] = {
    "open a table": Command(Stage, lambda _stage: seating.open_table(GAME, 2, {}), once=False),
    "sit down": Command(_open, _once(lambda at: seating.sit(at.table, ADA, 0, "Ada", client=CLIENT))),
    "sit down last, which starts the match": Command(
        lambda: _half_full("pegs"), _once(lambda at: seating.sit(at.table, BOB, 1, "Bob", client=CLIENT))
    ),
    "seat a computer player": Command(
        _half_full, _once(lambda at: seating.seat_computer(at.table, ADA, 1, LEVEL, client=CLIENT))
    ),
    "leave": Command(_half_full, _once(lambda at: seating.leave(at.table, ADA, 0, client=CLIENT))),
    "move": Command(_playing, _move),
    "move in a batch": Command(_playing, _move_in_batch),
    "undo": Command(_moved, _once(lambda at: actions.ask_undo(at.table, ADA, 0, client=CLIENT))),
    "offer a draw": Command(_playing, _once(lambda at: actions.offer_draw(at.table, ADA, 0, client=CLIENT))),
    "agree": Command(_offered, _once(lambda at: actions.answer_offer(at.table, BOB, 1, agrees=True, client=CLIENT))),
    "resign": Command(_playing, _once(lambda at: actions.resign(at.table, ADA, 0, client=CLIENT))),
    "sit down last, which draws lots": Command(
        lambda: _two_of_three(LUCK),
        _once(lambda at: seating.sit(at.table, CLEO, 2, "Cleo", "cleo's", client=CLIENT)),
    ),
    "move of a computer player": Command(
        _computers_turn, lambda at: moves.play_for_computer(at.table, 1, ANSWER, at.version)
    ),
    "offer to undo": Command(
        _moved_and_answered, _once(lambda at: actions.ask_undo(at.table, ADA, 0, client=CLIENT))
    ),
    "agree to undo": Command(
        _offered_undo, _once(lambda at: actions.answer_offer(at.table, BOB, 1, agrees=True, client=CLIENT))
    ),
    "decline": Command(
        _offered, _once(lambda at: actions.answer_offer(at.table, BOB, 1, agrees=False, client=CLIENT))
    ),
    "give up among three": Command(_three, _once(lambda at: actions.resign(at.table, ADA, 0, client=CLIENT))),
    "give up among three, who wanted a draw": Command(
        _offered_among_three, _once(lambda at: actions.resign(at.table, CLEO, 2, client=CLIENT))
    ),
    "make a link to a seat": Command(_playing, lambda at: own_seats.make_link(at.table, ADA, 0)),
    "take a link to a seat": Command(_with_link, _refused_again(lambda at: own_seats.take_link(at.secret, CLEO))),
    "put a table away": Command(_over, lambda at: own_seats.put_away(at.table, ADA, 0)),
    "add to the luck of a rematch": Command(_over, _add_next_entropy),
    "rematch": Command(_over, lambda at: rematch.rematch(at.table, ADA)),
    "play on from a replay": Command(Stage, _play_on, once=False),
    "move in a puzzle": Command(Stage, _move_in_puzzle),
    "bring a record, for which another goes": Command(_brought_before, _bring_record),
    "keeper delete": Command(_with_rematch, _delete),
    "retention": Command(_untouched, _tidy),
    "keeper new-key": Command(_with_key, _change_key, once=False),
}


# What there is

OF_A_SEAT = ("number", "kind", "level", "name", "visitor", "entropy", "added", "next_entropy", "put_away")


def stored() -> list[object]:
    """All that is stored, without what chance and clocks decide: equal if the same was done."""
    tables = Table.objects.order_by("made").prefetch_related("seats", "events")
    found: list[object] = [_described(table) for table in tables]
    found += [[at.puzzle, at.version, at.moves] for at in Attempt.objects.order_by("pk")]
    found += Replay.objects.order_by("pk").values_list("pk", flat=True)
    return [*found, Removal.objects.count(), len(secret_keys.load(settings.SECRET_FILE))]


def _described(table: Table) -> list[object]:
    return [
        [table.game, table.status, table.version, table.due, table.creator, table.previous is not None],
        [
            [getattr(seat, field) for field in OF_A_SEAT] + [bool(seat.link), bool(seat.next_commitment)]
            for seat in table.seats.all()
        ],
        [[event.number, event.kind, event.client, *_told(event)] for event in table.events.all()],
    ]


def _told(event: Event) -> tuple[bool, str | bool]:
    """By whom and what; of luck and of a rematch's name only that there is something."""
    is_luck = event.actor == "luck"
    return is_luck, bool(event.text) if is_luck or event.kind == Event.Kind.REMATCH else event.text


def inconsistencies() -> list[str]:
    """Where a table's row says something else than its log."""
    cache.clear()
    return [f"{table.game}: {wrong}" for table in Table.objects.all() if (wrong := _inconsistent(table))]


def _inconsistent(table: Table) -> str:
    numbers = list(Event.objects.filter(table=table).order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, table.version + 1)):
        return f"events {numbers} at version {table.version}"
    state = cache.state_of(table)
    acting = sum(1 << seat for seat in state.to_act)
    if (table.status == Table.Status.OVER, table.to_act) != (state.over, acting):
        return f"status {table.status} and to act {table.to_act}, but by its log {state.over} and {acting}"
    seats = list(Seat.objects.filter(table=table).values_list("number", flat=True))
    if seats != list(range(state.match.seats if state.match else len(seats))):
        return f"it has seats {seats}"
    following = Table.objects.filter(previous=table).values_list("pk", flat=True).first()
    if following != (state.rematch or None):
        return f"the next table is {following}, but by its log {state.rematch}"
    return ""
