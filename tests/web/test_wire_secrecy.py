"""Everything that goes over the wire: nobody receives, in any way, what their seat may not know.

Two worlds that differ in one secret are compared: whatever the others receive must be the same, byte for byte, until
the secret comes out.
"""

import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern, get_resolver

import ludotheque
from ludotheque.game import LUCK, moves
from ludotheque.match import Match
from ludotheque.web.models import Table
from ludotheque.web.monitor.logs import JsonFormatter
from ludotheque.web.players.questions import Question
from ludotheque.web.table import cache, own_seats
from ludotheque.web.visitors import hashed, sign
from web.connections import PageConnection, run
from web.people import VISITORS, Round, browser, seated, seated_alike

TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value|name="csrf" content)="\w+"')
SEATS = (-1, 1)
PAIRS, RARE = 60, 8  # of 60 coins fewer than 8 fall on the same side, or more than 52, once in a thousand million


def paths(table: Round) -> list[str]:
    """Every address of a table that can be looked at, through the eyes of any seat, at any step."""
    routes = [str(entry.pattern) for entry in get_resolver().url_patterns if isinstance(entry, URLPattern)]
    of_table = [route for route in routes if route.startswith("t/<str:table>")]
    assert {"t/<str:table>", "t/<str:table>/screen", "t/<str:table>/at/<int:step>"} <= set(of_table)
    found = ["/"]
    for route in of_table:
        path = "/" + route.replace("<str:table>", table.id)
        if "<int:step>" in path:
            steps = {0, 1, *range(len(table.match.shown(None)) + 2)}
            found += [path.replace("<int:step>", str(step)) for step in steps]
        else:
            found += [path, *(f"{path}?seat={seat}&as={seat}&step=1&move=cut 2" for seat in SEATS)]
    return found


def everything(table: Round, visitor: str) -> dict[str, str]:
    """All that the visitor can get by asking: pages, pictures, pushes, refusals, headers included."""
    client, got = browser(visitor), {}
    for path in paths(table):
        answer = client.get(path)
        headers = {name: value for name, value in answer.items() if name not in ("Set-Cookie", "Expires")}
        got[path] = f"{answer.status_code} {headers} {TOKEN.sub('', answer.content.decode('latin-1'))}"
    for seat in SEATS:
        for lang in ("en", "fr"):
            got[f"push {seat} {lang}"] = json.dumps(table.screen(visitor, lang, seat))
    return got


def unlike(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Where two worlds differ."""
    return [path for path in one.keys() | other.keys() if one.get(path) != other.get(path)]


def supposing(table: Round, deed: Callable[[], None], look: Callable[[], dict[str, str]]) -> dict[str, str]:
    """What would be seen after a deed, which then has not been done."""
    cache.clear()
    with transaction.atomic():
        deed()
        seen = look()
        transaction.set_rollback(True)
    cache.clear()
    table.table.refresh_from_db()
    return seen


# The sealed cut


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (2, 3)])
def test_another_sealed_choice_would_change_nothing_that_others_get(seats: int, seed: int) -> None:
    table, random, compared = seated("pizza", seats, rounds=2), Random(seed), 0
    while not table.match.over:
        match = table.match
        seat = random.choice([actor for actor in match.to_act if isinstance(actor, int)])
        text, instead = random.sample(match.moves(seat), 2)
        if match.game.sealed(match.state) and len(match.to_act) > 1:
            other = random.choice([*(who for who in VISITORS[:seats] if who != VISITORS[seat]), "stranger"])
            compared += _compare(table, seat, (text, instead), other)
        table.play(seat, text)
    assert compared >= 2


def _compare(table: Round, seat: int, choices: tuple[str, str], other: str) -> int:
    seen = [
        supposing(table, lambda text=text: table.play(seat, text), lambda: everything(table, other))  # type: ignore[misc]
        for text in choices
    ]
    assert unlike(*seen) == []
    assert '"chosen"' in seen[0]["push -1 en"] or "has chosen" in seen[0]["push -1 en"]
    mine = [
        supposing(table, lambda text=text: table.play(seat, text), lambda: everything(table, VISITORS[seat]))  # type: ignore[misc]
        for text in choices
    ]
    assert unlike(*mine), "one's own choice is seen by oneself"
    return 1


def test_the_comparison_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that listed the log itself instead of what is shown of it would be found out."""
    monkeypatch.setattr(Match, "shown", lambda match, _seat: match.events)
    monkeypatch.setattr(Match, "sealed_events", lambda _match, _seat: set())
    table = seated()
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    seen = [
        supposing(table, lambda text=text: table.play(1, text), lambda: {"": json.dumps(table.screen("cleo"))})  # type: ignore[misc]
        for text in ("cut 2", "cut 5")
    ]
    assert unlike(*seen)


def test_computer_players_are_not_told_either() -> None:
    table = seated()
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    asked = []
    for text in ("cut 2", "cut 5"):
        match = table.match.copy()
        match.play(1, text)
        asked.append(Question.of(match, 0, 5))
    assert asked[0] == asked[1]


# Hidden owners


class Script:
    """Luck as the tests want it: the first of these that is possible."""

    def __init__(self) -> None:
        self.wanted: list[str] = []

    def due(self, match: Match) -> str | None:
        if match.luck is None or not match.game.to_act(match.state) >> LUCK & 1:
            return None
        possible = [match.game.texts[move] for move in moves(match.game, match.state, LUCK)]
        wish = self.wanted.pop(0) if self.wanted else ""
        return wish if wish in possible else possible[-1]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    made = Script()
    monkeypatch.setattr(Match, "due", lambda match: made.due(match))  # noqa: PLW0108 - a method, so a function
    return made


OPTIONS: list[dict[str, object]] = [{}, {"expert": True, "referee": "table"}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_whose_fleas_lie_there_changes_nothing_that_anybody_gets(script: Script, options: dict[str, object]) -> None:
    """Ada and Bob have placed one flea each; who placed which must be forgotten with the next one."""
    worlds = []
    for first, second in (("A@a1", "B@g7"), ("B@g7", "A@a1")):
        worlds.append(_hundsgemein(script, first, second, options))
        Table.objects.all().delete()
        cache.clear()
    (before, one), (before_too, other) = worlds
    assert unlike(before, before_too), "right after the second flea its owner is still seen"
    assert unlike(one, other) == []


def _hundsgemein(
    script: Script, first: str, second: str, options: dict[str, object]
) -> tuple[dict[str, str], dict[str, str]]:
    dogs = [f"dog {dog}" for dog in ("Rex", "Fifi", "Daisy", "Zorro") for _ in range(3)]
    script.wanted = [*dogs, *["flip A", "flip B"] * 3]
    table = seated_alike("hundsgemein", 3, **options)
    for seat, text in enumerate((first, second)):
        script.wanted = [f"flip {text[0]}"]
        _play(table, seat, text)
    before = _seen_by_all(table)
    script.wanted = ["flip C"]
    _play(table, 2, "A@d1")
    seen = _seen_by_all(table)
    script.wanted = ["flip D"]
    _play(table, 0, "drop A")
    return before, {**seen, **{f"later {path}": text for path, text in _seen_by_all(table).items()}}


def _play(table: Round, seat: int, text: str) -> None:
    """With the referee at the table others may have to be asked first."""
    while seat not in table.match.to_act:
        asked = table.match.to_act[0]
        assert isinstance(asked, int)
        table.play(asked, "accept")
    table.play(seat, text)


def _seen_by_all(table: Round) -> dict[str, str]:
    return {
        f"{who} {path}": text for who in (VISITORS[2], "stranger") for path, text in everything(table, who).items()
    }


# Pushes: what they say, their order, and when they come


async def _at_table(table: Round, *people: str) -> list[PageConnection]:
    lines = [PageConnection(table, who) for who in people]
    for line in lines:
        assert await line.open()
        await line.hear()
    return lines


async def _choose(line: PageConnection, seat: int, text: str, version: int) -> None:
    assert (await line.ask(do="move", seat=seat, move=text, version=version)).get("ok")


def test_pushes_are_the_same_in_number_order_and_content_whatever_was_chosen() -> None:
    worlds: list[list[list[str]]] = []
    for text in ("cut 2", "cut 5"):
        table = seated_alike("pizza", 3)
        for seat, space in enumerate(("a1", "g4", "b1")):
            table.play(seat, space)
        worlds.append(_pushed_until_the_reveal(table, text))
        Table.objects.all().delete()
        cache.clear()
    assert worlds[0] == worlds[1]
    assert [len(heard) for heard in worlds[0]] == [2, 2, 2]


def _pushed_until_the_reveal(table: Round, text: str) -> list[list[str]]:
    """Bob chooses, then Cleo; everything that Ada, a spectator and a person without a cookie hear of it."""
    heard: list[list[str]] = [[], [], []]
    version = table.state.version

    async def story() -> None:
        bob, cleo, *others = await _at_table(table, "bob", "cleo", "ada", "stranger", "")
        for line, seat, choice in ((bob, 1, text), (cleo, 2, "cut 3")):
            await _choose(line, seat, choice, version)
            for other, log in zip(others, heard, strict=True):
                log.append(str((await other.event())["text"]))
        assert all([await other.silent() for other in others])
        for line in (bob, cleo, *others):
            await line.close()

    run(story)
    return heard


def test_the_time_of_a_push_does_not_tell_the_choice() -> None:
    """In pairs, now the one first, now the other: neither choice is heard of later than the other, as a rule."""
    later = 0
    for pair in range(PAIRS):
        delays = {}
        for text in ("cut 1", "cut 6") if pair % 2 else ("cut 6", "cut 1"):
            table = seated("pizza", 3)
            for seat, space in enumerate(("a1", "g4", "b1")):
                table.play(seat, space)
            delays[text] = _delay(table, text)
        later += delays["cut 1"] > delays["cut 6"]
        Table.objects.all().delete()
    assert RARE <= later <= PAIRS - RARE


def _delay(table: Round, text: str) -> float:
    delay, version = 0.0, table.state.version

    async def story() -> None:
        nonlocal delay
        bob, cleo = await _at_table(table, "bob", "cleo")
        began = time.perf_counter()
        await bob.send(json.dumps({"do": "move", "seat": 1, "move": text, "version": version}))
        await cleo.hear()
        delay = time.perf_counter() - began
        await bob.close()
        await cleo.close()

    run(story)
    return delay


# Whole games


@pytest.mark.parametrize(("game", "options"), [("pizza", {"rounds": 2}), ("hundsgemein", {})])
def test_nobody_ever_hears_the_secrets_of_the_table_or_of_another(game: str, options: dict[str, object]) -> None:
    table = seated(game, 3, **options)
    people = (*VISITORS[:3], "stranger", "")
    link = own_seats.make_link(table.id, "ada", 0)
    secrets = {"ada": [link, hashed(link)], "seed": [table.table.seed]}
    for who in VISITORS[:3]:
        secrets.setdefault(who, []).extend((sign(who), hashed(who)))
    heard: dict[str, list[str]] = {who: [] for who in people}

    async def story() -> None:
        random = Random(game)
        lines = {who: PageConnection(table, who) for who in people}
        for line in lines.values():
            assert await line.open()
        shown = {who: await _news(line, heard[who]) for who, line in lines.items()}
        while movers := [who for who in VISITORS[:3] if shown[who]["moves"]]:
            who = random.choice(movers)
            now = shown[who]
            asked = {"id": f"c{now['version']}", "do": "move", "seat": now["seat"], "version": now["version"]}
            move = random.choice(now["moves"])  # those that the page knows already are only named
            await lines[who].send(json.dumps(asked | {"move": move if isinstance(move, str) else move[0]}))
            shown = {other: await _news(line, heard[other]) for other, line in lines.items()}
        for line in lines.values():
            await line.close()

    run(story)
    assert table.match.over
    for who, messages in heard.items():
        got = "\n".join(messages)
        assert len(messages) > 10
        for owner, theirs in secrets.items():
            assert not any(secret in got for secret in theirs), f"{who} heard a secret of {owner}"
        others = [f'"answer":"c{n}"' for n in range(1000) if f'"answer":"c{n}"' in got]
        assert bool(others) == (who in VISITORS), "only those who ask are answered"


async def _news(line: PageConnection, heard: list[str]) -> dict[str, Any]:
    """The next screen of a page."""
    while True:
        heard.append(str((await line.event())["text"]))
        message: dict[str, Any] = json.loads(heard[-1])
        if "version" in message:
            return message


# Logs and errors


@contextmanager
def _logged() -> Iterator[list[str]]:
    """Every line of the log, as a keeper would have it."""
    written: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    kept, root = Kept(), logging.getLogger()
    kept.setFormatter(JsonFormatter())
    level = root.level
    root.addHandler(kept)
    root.setLevel("DEBUG")
    for name in ("django.request", "django.security", "ludotheque"):
        logging.getLogger(name).setLevel("DEBUG")
    try:
        yield written
    finally:
        root.removeHandler(kept)
        root.setLevel(level)
        logging.getLogger("django.request").setLevel("ERROR")


def test_no_log_and_no_error_has_a_secret_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated("hepta", 2)
    secret = own_seats.make_link(table.id, "ada", 0)
    with _logged() as written:
        answers = [browser("phone", checks=True).post(f"/seat/{secret}")]
        answers += [browser("phone").put(f"/seat/{secret}"), browser("phone").get(f"/seat/{secret}/x")]
        broken = browser("phone")
        broken.raise_request_exception = False
        with monkeypatch.context() as patched:
            patched.setattr(ludotheque, "game", lambda _key: 1 // 0)
            answers.append(broken.get(f"/seat/{secret}"))
        answers.append(browser("ada").post(f"/t/{table.id}/link", {"seat": 1}))
        moved = browser("phone").post(f"/seat/{secret}")
    assert [answer.status_code for answer in answers] == [403, 405, 404, 500, 403]
    assert moved.status_code == 302
    log = "\n".join(written)
    assert "/seat/…" in log, "what Django itself writes is there, without the address"
    assert "ZeroDivisionError" in log
    for found in (secret, hashed(secret), sign("ada"), hashed("ada"), table.table.seed):
        assert found not in log
        assert found == secret or not any(found in answer.text for answer in answers)


def test_links_to_seats_cannot_be_guessed_and_do_not_travel() -> None:
    table = seated("hepta", 2)
    links = {own_seats.make_link(table.id, "ada", 0) for _ in range(50)}
    assert len(links) == 50
    assert min(len(link) for link in links) >= 32, "192 bits"
    page = browser("phone").get(f"/seat/{own_seats.make_link(table.id, 'ada', 0)}")
    assert page["Referrer-Policy"] == "strict-origin"
    assert "no-store" in page["Cache-Control"]
    made = browser("ada").post(f"/t/{table.id}/link", {"seat": 0})
    assert made["Referrer-Policy"] == "strict-origin"
    assert "no-store" in made["Cache-Control"]
