"""Everybody at once: exactly one wins, the others are told kindly, and the log has neither gaps nor doubles."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.test import Client

import ludotheque
from ludotheque import words
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.table import actions, cache, own_seats, seating
from ludotheque.web.table.commands import Command, execute
from web.connections import PageConnection, run
from web.people import VISITORS, Round, browser, seated

OK = "ok"
Deed = Callable[[], str]


def at_once(deeds: Sequence[Deed]) -> list[str]:
    """Start all of them at the same moment, each in a thread with a connection of its own; how each went."""
    went, barrier = [""] * len(deeds), Barrier(len(deeds))

    def one(number: int, deed: Deed) -> None:
        barrier.wait()
        try:
            went[number] = deed()
        finally:
            connection.close()

    threads = [Thread(target=one, args=pair) for pair in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return went


def deed(table: Round, who: str, what: str, **more: object) -> Deed:
    """Something asked for; how it went is "ok" or the code of the refusal, which is told in both languages."""

    def ask() -> str:
        reply = execute(table.id, who, Command.read({"do": what, **more}), "en")
        return OK if "ok" in reply else told(reply["code"], reply["refused"])

    return ask


def told(code: object, sentence: object) -> str:
    assert isinstance(code, str)
    english, french = (_sentence(lang, code) for lang in ("en", "fr"))
    assert sentence == english != french
    return code


def _sentence(lang: str, code: str) -> str:
    try:
        return words.say(None, lang, "web", "refusals", code)
    except KeyError:
        return words.say(None, lang, "refusals", code)


def sound(table: Round) -> None:
    """Numbered without gaps, and every event follows from those before it."""
    cache.clear()
    numbers = [event.number for event in table.table.events.all()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert table.state.version == table.table.version == len(numbers)
    if table.state.match is not None:
        assert ludotheque.load(table.match.save()).events == table.match.events


def test_a_hundred_for_the_last_seat() -> None:
    table = Round(seating.open_table("hepta", 2, {}))
    seating.sit(table.id, "ada", 0, "Ada")
    went = at_once([deed(table, f"guest {n}", "sit", seat=1, name=f"Guest {n}") for n in range(100)])
    assert Counter(went) == {OK: 1, "seat-taken": 99}
    winner = f"Guest {went.index(OK)}"
    assert [seat.name for seat in table.table.seats.all()] == ["Ada", winner]
    assert table.kinds() == ["sit", "sit", "start"]
    sound(table)


def test_two_tabs_move_at_once() -> None:
    table = seated("hepta", 2)
    version = table.state.version
    went = at_once(
        [deed(table, "ada", "move", seat=0, move=cell, version=version) for cell in ("d4", "a1", "g7", "c3")]
    )
    assert Counter(went) == {OK: 1, "stale": 3}
    assert len(table.match.events) == 1
    sound(table)


def test_double_clicks_count_once() -> None:
    table = seated("hepta", 2)
    version = table.state.version
    click = deed(table, "ada", "move", seat=0, move="d4", version=version, id="click")
    assert set(at_once([click] * 12)) == {OK}
    assert len(table.match.events) == 1
    sound(table)


def test_sealed_choices_at_once_are_all_kept_and_open_once() -> None:
    table = seated("pizza", 3)
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    version = table.state.version
    wishes = [(seat, cut) for seat in range(3) for cut in ("cut 1", "cut 2", "cut 3")]
    went = at_once([deed(table, VISITORS[s], "move", seat=s, move=cut, version=version) for s, cut in wishes])
    for seat in range(3):
        mine = Counter(how for how, (who, _) in zip(went, wishes, strict=True) if who == seat)
        assert mine[OK] == 1
        assert set(mine) <= {OK, "already-chosen", "stale"}
    assert sum(event.text.startswith("cut") for event in Event.objects.filter(table=table.id)) == 3
    sound(table)


def test_undo_against_move() -> None:
    for _ in range(5):
        table = seated("hepta", 2)
        table.play(0, "d4")
        version = table.state.version
        move, undo = at_once(
            [
                deed(table, "ada", "move", seat=0, move="a1", version=version),
                deed(table, "ada", "undo", seat=0),
            ]
        )
        assert undo == OK
        cells = [text for _, text in table.match.events]
        assert (move, cells) in [(OK, ["d4"]), ("stale", [])], "the undo takes back the last move, whichever that is"
        sound(table)


def test_a_rematch_asked_for_by_everybody_is_one() -> None:
    table = seated("hepta", 2)
    actions.resign(table.id, "ada", 0)
    went = at_once([deed(table, who, "rematch") for who in ("ada", "bob") * 5])
    assert set(went) == {OK}
    assert Table.objects.count() == 2
    following = Round(Table.objects.get(previous=table.table))
    assert [seat.name for seat in following.table.seats.all()] == ["Bob", "Ada"]
    assert table.kinds().count("rematch") == 1
    sound(table)
    sound(following)


def test_answers_to_an_offer_settle_it_once() -> None:
    table = seated("hepta", 2)
    actions.offer_draw(table.id, "ada", 0)
    went = at_once([deed(table, "bob", what, seat=1) for what in ("agree", "decline") * 3])
    assert went.count(OK) == 1
    assert set(went) <= {OK, "no-offer", "over"}
    sound(table)


def test_one_link_and_several_devices() -> None:
    table = seated("hepta", 2)
    secret = own_seats.make_link(table.id, "ada", 0)

    def take(device: str) -> Deed:
        return lambda: str(browser(device).post(f"/seat/{secret}").status_code)

    assert Counter(at_once([take(f"device {number}") for number in range(8)])) == {"302": 1, "404": 7}
    assert table.kinds().count("sit") == 3
    sound(table)


def test_everything_at_once_leaves_a_sound_table() -> None:
    """Whatever people do at the same moment, afterwards the log is sound and the match goes on."""
    random, table = Random(7), seated("pizza", 3, rounds=3)
    for _ in range(6):
        if table.state.over:
            break
        version, deeds = table.state.version, []
        for seat, who in enumerate(VISITORS[:3]):
            options = table.match.moves(seat) or ["a1"]
            for what in random.sample(["move", "move", "undo", "draw", "agree", "decline"], 3):
                move = random.choice(options)
                deeds.append(deed(table, who, what, seat=seat, move=move, version=version))
        at_once(deeds)
        sound(table)


def test_two_tabs_of_one_person_by_live_lines() -> None:
    table = seated("hepta", 2)
    version = table.state.version
    answers: list[dict[str, object]] = []

    async def story() -> None:
        tabs = [PageConnection(table, "ada") for _ in range(4)]
        for number, tab in enumerate(tabs):
            tab.visitor = f"tab {number}"  # begins the names of its messages
            assert await tab.open()
            await tab.hear()
        asked = [
            tab.ask(do="move", seat=0, move=cell, version=version)
            for tab, cell in zip(tabs, ("d4", "a1", "g7", "c3"), strict=True)
        ]
        answers.extend(await asyncio.gather(*asked))
        for tab in tabs:
            await tab.close()

    run(story)
    assert Counter(str(answer.get("code", OK)) for answer in answers) == {OK: 1, "stale": 3}
    sound(table)


PROCESS = """
import sys, django
django.setup()
from ludotheque.web.table.commands import Command, execute
table, who, seat = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.stdin.readline()
for n in range(10):
    reply = execute(table, who, Command.read({"do": "sit", "seat": seat, "name": who}), "en")
    print(reply.get("code", "ok"))
"""


def test_processes_race_for_a_seat_too() -> None:
    table = Round(seating.open_table("hepta", 2, {}))
    seating.sit(table.id, "ada", 0, "Ada")
    processes = [
        subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-c", PROCESS, table.id, f"process {number}", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        for number in range(3)
    ]
    went = Counter("".join(process.communicate("go\n", timeout=120)[0] for process in processes).split())
    assert went == {"ok": 1, "seat-taken": 29}
    assert Seat.objects.filter(table=table.id, kind="person").count() == 2
    sound(table)


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_who_comes_too_late_reads_why(lang: str) -> None:
    """On the page itself, in their language."""
    table = Round(seating.open_table("hepta", 2, {}))
    seating.sit(table.id, "ada", 0, "Ada")
    seating.sit(table.id, "bob", 1, "Bob")
    late = Client(headers={"accept-language": lang})
    page = late.post(f"/t/{table.id}/do", {"do": "sit", "seat": 1, "name": "Late"})
    assert page.status_code == 409
    assert words.say(None, lang, "web", "refusals", "seat-taken") in page.text
