"""Malformed messages by the thousand, and what must never come of them.

The whole application is asked, in this process, as a server would ask it. Whatever is refused must leave the database
untouched, which the database itself tells; nothing may break, hang, or give a secret away.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, NamedTuple, TypeAlias, TypeVar
from urllib.parse import unquote, urlencode, urlsplit

import hypothesis
import schemathesis
import yaml
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import strategies as st
from requests import PreparedRequest

from ludotheque.web.asgi import application
from ludotheque.web.live.connection import MAX_MESSAGE_CHARS
from ludotheque.web.models import Event, Seat, Table
from ludotheque.web.table import cache, own_seats, visits
from ludotheque.web.table.commands import COMMANDS
from ludotheque.web.visitors import COOKIE, hashed, sign
from waiting import TIMEOUT_S
from web.connections import PageConnection, end_tasks
from web.people import seated
from web.written import watch

T = TypeVar("T")
Case: TypeAlias = "schemathesis.Case[Any]"
DESCRIPTION = Path(__file__).parents[2] / "docs/reference/openapi.yaml"
TOKEN = "a" * 32  # what stands in the cookie and in the form, as CSRF wants it


class Answer(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    body: str


class Request(NamedTuple):
    """A request, as raw as it gets."""

    method: str
    path: str
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class Fuzzer:
    """A site with a table at which a cut is sealed, people who send things there, and a watch over all of it."""

    def __init__(self) -> None:
        round_ = seated("pizza", 3)
        for seat, space in enumerate(("a1", "g4", "b1")):
            round_.play(seat, space)
        round_.play(1, "cut 5")
        self.link = own_seats.make_link(round_.id, "bob", 1)
        self.table = round_.id
        visits.visit(self.table)  # the first visit of a day is written down
        kept = Table.objects.get(pk=round_.id)
        self._rows = kept, list(kept.seats.all()), list(kept.events.all())
        self.keeper, self._keeper_rows = _keeper()
        self.secrets = [
            round_.table.seed,
            self.link,
            hashed(self.link),
            "</span> cut 5</code>",
            "move cut 5",
            "Traceback",
        ]
        self.secrets += [text for who in ("ada", "bob", "cleo") for text in (hashed(who), sign(who))]
        self.errors: list[str] = []
        self.sent = 0
        self.forget_times()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._watch = watch()
        self._version = self._watch.version()
        logging.getLogger().addHandler(_Errors(self.errors))
        self.requests = requests(self)

    def _wait(self, story: Coroutine[Any, Any, T]) -> T:
        """What comes of it, in the loop that goes on from one message to the next, and in time."""
        return asyncio.run_coroutine_threadsafe(story, self._loop).result(2 * TIMEOUT_S)

    def close(self) -> None:
        self._wait(end_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._watch.close()
        root = logging.getLogger()
        root.handlers = [handler for handler in root.handlers if not isinstance(handler, _Errors)]

    def written(self) -> bool:
        """Whether anything was written since this was last asked."""
        before, self._version = self._version, self._watch.version()
        return before != self._version

    def check(self, got: str, *, refused: bool, what: object) -> None:
        """What must hold after every message."""
        self.sent += 1
        changed = self.written()
        assert not (refused and changed), f"refused, yet something was written: {what!r}"
        assert not self.errors, f"{what!r}: {self.errors.pop()}"
        over = changed and Table.objects.filter(pk=self.table, status=Table.Status.OVER).exists()
        leaked = [secret for secret in self.secrets if secret in got and secret not in repr(what)]
        assert over or not leaked, f"{what!r} gives {leaked[0]!r} away"
        if changed:
            self._put_back()

    def _put_back(self) -> None:
        """The table as it was; somebody has done what he may."""
        Table.objects.all().delete()
        table, seats, events = self._rows
        Table.objects.bulk_create([table])
        Seat.objects.bulk_create(seats)
        Event.objects.bulk_create(events)
        user, session = self._keeper_rows
        User.objects.all().delete()
        Session.objects.all().delete()
        user.save(force_insert=True)
        session.save(force_insert=True)
        cache.clear()
        self.written()

    # Requests

    def request(self, asked: Request) -> Answer:
        """Send it; nothing but an answer below 500 will do."""
        began, computed = time.monotonic(), time.process_time()
        answer = self._wait(requested(asked))
        self._took(time.monotonic() - began, time.process_time() - computed, asked)
        assert answer.status < 500, f"{answer.status}: {asked!r}"
        safe = asked.method in ("GET", "HEAD", "OPTIONS")
        self.check(answer.body, refused=safe or answer.status >= 400, what=asked)
        return answer

    def warm_up(self) -> None:
        """Ask every address once, so that nothing is loaded, compiled or drawn for the first time later."""
        for route in _routes():
            self.request(Request("GET", _filled((route, ["hepta", "1"])), b"", (), b""))
        self.forget_times()
        self.sent = 0

    def forget_times(self) -> None:
        """The slowest answer, that for which most was computed, and what each was an answer to."""
        self.slowest_s, self.slowest = 0.0, ""
        self.most_computed_s, self.most_computed = 0.0, ""

    # Messages

    def talk(self, visitor: str, messages: Iterable[str | bytes]) -> None:
        """Send all of them by one line, as long as it stays open."""
        sent = list(messages)
        heard, longest_s, computed_s = self._wait(_talked(self.table, visitor, sent))
        self._took(longest_s, computed_s, sent)
        self.sent += len(sent) - 1
        done = any(json.loads(text).get("ok") for text in heard)
        self.check("\n".join(heard), refused=not done, what=sent)

    def _took(self, seconds: float, computed_s: float, what: object) -> None:
        if computed_s > self.most_computed_s:
            self.most_computed_s, self.most_computed = computed_s, repr(what)
        if seconds > self.slowest_s:
            self.slowest_s, self.slowest = seconds, repr(what)


def _keeper() -> tuple[bytes, tuple[User, Session]]:
    """Somebody who is logged in at `/admin/`: the cookie, and what the database has of them."""
    User.objects.all().delete()
    Session.objects.all().delete()
    user, client = User.objects.create_superuser("keeper", password="seven green frogs"), Client()  # noqa: S106
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}".encode(), (user, Session.objects.get())


class _Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(f"{record.getMessage()} {record.exc_info}")


async def requested(asked: Request) -> Answer:
    """The answer of the whole application."""
    scope = {
        "type": "http",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode("utf-8", "surrogatepass"),
        "query_string": asked.query,
        "headers": [(b"host", b"localhost"), *asked.headers],
        "client": ("192.0.2.1", 50_000),
    }
    sent: list[Mapping[str, Any]] = [{"type": "http.request", "body": asked.body, "more_body": False}]
    heard: list[Mapping[str, Any]] = []

    async def receive() -> Mapping[str, Any]:
        if not sent:
            await asyncio.sleep(TIMEOUT_S)
        return sent.pop()

    async def send(message: Mapping[str, Any]) -> None:
        heard.append(message)

    await application(scope, receive, send)
    start, *parts = heard
    body = b"".join(part.get("body", b"") for part in parts)
    return Answer(start["status"], start["headers"], body.decode("utf-8", "replace"))


async def _talked(table: str, visitor: str, messages: list[str | bytes]) -> tuple[list[str], float, float]:
    """What is heard until all is answered; the longest time in which nothing was, and the most computed meanwhile."""
    line = PageConnection(table, visitor)
    assert await line.open()
    for message in messages:
        kind = "bytes" if isinstance(message, bytes) else "text"
        await line.sent.put({"type": "websocket.receive", kind: message})
    await line.send('{"id": "the last", "do": "nothing"}')
    heard = await _heard(line)
    await line.close()
    return heard


async def _heard(line: PageConnection) -> tuple[list[str], float, float]:
    """Everything up to the last answer, or until the line is closed."""
    heard, longest_s, most_s = list[str](), 0.0, 0.0
    while True:
        since, computed = time.monotonic(), time.process_time()
        event = await asyncio.wait_for(line.heard.get(), TIMEOUT_S)
        longest_s = max(longest_s, time.monotonic() - since)
        most_s = max(most_s, time.process_time() - computed)
        if event["type"] != "websocket.close":
            heard.append(str(event["text"]))
        if event["type"] == "websocket.close" or '"answer":"the last"' in heard[-1]:
            return heard, longest_s, most_s


# What is sent

ODD = st.one_of(
    st.text(max_size=20),
    st.text("\x00\x1b\n\r\u202e\ud800<>\"'&%{}a1/.-", max_size=20),
    st.sampled_from(["", "0", "-1", "1e9", "９", "²", "null", "NaN", "cut 5", "a1", "../..", "%00", "x" * 300, "٣"]),
    st.sampled_from(["\0", "a\0b", "\ud800", "\udfffa", "\ufffd", "9" * 19, "9" * 40, "9" * 1500, "-" + "9" * 30]),
)
VALUES = st.one_of(
    ODD, st.none(), st.booleans(), st.integers(-5, 5), st.integers(), st.floats(), st.integers(10**30, 10**40)
)
TREES = st.recursive(VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3))
FIELDS = ("do", "id", "seat", "move", "version", "name", "entropy", "commitment", "level", "look", "unfolded")
NAMES = st.sampled_from([*COMMANDS, "", "look", "luck", "admin", "__init__", "object"])
MESSAGES = st.one_of(
    st.fixed_dictionaries(
        {"do": NAMES | TREES},
        optional={
            "id": ODD | TREES,
            "seat": st.integers(-2, 4) | TREES,
            "move": st.sampled_from(["cut 1", "a1", "undo", "luck"]) | TREES,
            "version": st.integers(-1, 12) | TREES,
            **dict.fromkeys(FIELDS[5:], TREES),
        },
    ).map(json.dumps),
    TREES.map(json.dumps),
    st.text(max_size=60),
    st.sampled_from(["{", "[" * 3000, '{"do":' * 900, '"\\ud800"', "{}" * 100, "\x00", "x" * 5000, '{"do": "move"}']),
    st.binary(max_size=30),
)


def _routes() -> list[str]:
    return list(yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))["paths"])


def requests(fuzzer: Fuzzer) -> st.SearchStrategy[Request]:
    """Requests near and far from those that pages send."""
    known = st.sampled_from([fuzzer.table, "hepta", "pizza", "1", "5", hashed(fuzzer.link), "opening", "nothing"])
    part = known | ODD
    route = st.sampled_from([*_routes(), "/live/{table}", "/{a}/{b}", "/static/{a}"]) | st.sampled_from(
        admin_routes()
    )
    path = st.tuples(route, st.lists(part, min_size=2, max_size=2)).map(_filled)
    pairs = st.lists(
        st.tuples(st.sampled_from([*FIELDS, "way", "seats", "back", "step", "as", "x"]) | ODD, ODD), max_size=6
    )
    return st.builds(
        Request,
        st.sampled_from(["GET", "POST", "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "ODD"]),
        path,
        pairs.map(_form) | st.binary(max_size=40),
        st.sampled_from(["ada", "stranger", "", "forged", "keeper"]).flatmap(
            lambda visitor: _headers(visitor, fuzzer.keeper)
        ),
        pairs.map(_form) | MESSAGES.map(_raw) | st.binary(max_size=60),
    )


def _filled(found: tuple[str, list[str]]) -> str:
    route, parts = found
    for text in parts:
        begin, _, rest = route.partition("{")
        route = begin + text + rest.partition("}")[2] if rest else begin
    return route


def _form(pairs: list[tuple[str, str]]) -> bytes:
    return urlencode(pairs, errors="surrogatepass").encode()


def _raw(message: str | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.encode("utf-8", "surrogatepass")


def _headers(visitor: str, keeper: bytes) -> st.SearchStrategy[tuple[tuple[bytes, bytes], ...]]:
    cookies = {name: f"{COOKIE}={sign(name)}".encode() for name in ("ada", "stranger")}
    cookies |= {"forged": f"{COOKIE}=ada:xyz:abc".encode(), "keeper": keeper, "": b""}
    kinds = [
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data; boundary=x; charset=unicode_escape",
        "x",
        "text/xml",
    ]
    usual = st.sampled_from(kinds).map(
        lambda kind: (
            (b"cookie", cookies[visitor] + f"; csrftoken={TOKEN}".encode()),
            (b"x-csrftoken", TOKEN.encode()),
            (b"content-type", kind.encode()),
        )
    )
    names = [
        b"cookie",
        b"accept-language",
        b"content-type",
        b"content-length",
        b"accept",
        b"range",
        b"origin",
        b"host",
    ]
    names += [b"x-forwarded-for", b"x-forwarded-proto", b"referer", b"transfer-encoding", b"if-modified-since", b"te"]
    value = st.binary(max_size=30) | st.sampled_from(BAD_VALUES)
    odd = st.lists(st.tuples(st.sampled_from(names), value), max_size=3).map(tuple)
    return st.tuples(usual, odd).map(lambda both: (*both[0], *both[1]))


BAD_VALUES = (
    b'sessionid="\\000"',
    b'visitor="\\000"; name="\\000"',
    b"name=%00%FF; theme=\xff",
    b"\xed\xa0\x80",
    b"9" * 400,
    b"multipart/form-data; boundary=x; charset=utf-7",
)


def admin_routes() -> list[str]:
    """The keeper's addresses, as `_routes` writes those of the others."""
    admin = next(entry for entry in get_resolver().url_patterns if isinstance(entry, URLResolver))
    return sorted({"/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route) for route in _patterns(admin, "")})


def _patterns(resolver: URLResolver, before: str) -> Iterable[str]:
    here = before + str(resolver.pattern)
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield here + re.sub(r"\(\?P<(\w+)>.*?\)\$?", r"<\1>", str(entry.pattern)).strip("^$")
        else:
            yield from _patterns(entry, here)


def clear() -> None:
    """Leave nothing behind."""
    Table.objects.all().delete()
    User.objects.all().delete()
    Session.objects.all().delete()
    assert not Seat.objects.exists()
    connections.close_all()


# In a row, for as long as it takes


def _often(number: int) -> hypothesis.settings:
    every = list(hypothesis.HealthCheck)
    phases = [hypothesis.Phase.generate]
    return hypothesis.settings(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize=False,
        phases=phases,
        suppress_health_check=every,
    )


def examples(strategy: st.SearchStrategy[T], number: int, seed: int) -> list[T]:
    """So many examples of hypothesis's."""
    found: list[T] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(_often(number))
    @hypothesis.given(strategy)
    def keep(example: T) -> None:
        found.append(example)

    keep()
    return found


def requests_in_a_row(fuzzer: Fuzzer, seed: int, number: int = 100) -> None:
    """Examples, and then what comes of crossing and damaging them."""
    random, corpus = Random(seed), examples(fuzzer.requests, number, seed)
    for _ in range(10 * number):
        one, other = random.choices(corpus, k=2)
        asked = other._replace(path=one.path, method=one.method) if random.random() < 0.5 else one
        fuzzer.request(asked._replace(query=damaged(asked.query, random), body=damaged(other.body, random)))


def messages_in_a_row(fuzzer: Fuzzer, seed: int, number: int = 60) -> None:
    random, corpus = Random(seed), [_raw(message) for message in examples(MESSAGES, number, seed)]
    for _ in range(number):
        messages = [damaged(random.choice(corpus), random).decode("utf-8", "replace") for _ in range(50)]
        fuzzer.talk(
            random.choice(["ada", "stranger", ""]), [text for text in messages if len(text) <= MAX_MESSAGE_CHARS]
        )


def damaged(text: bytes, random: Random) -> bytes:
    """The text, or with a piece of it cut out, doubled or exchanged."""
    begin, end = sorted(random.choices(range(len(text) + 1), k=2))
    end = min(end, begin + random.choice((1, 3, 20)))
    piece = random.choice((b"", text[begin:end] * 2, random.choice(PIECES)))
    return text if random.random() < 0.3 else text[:begin] + piece + text[end:]


PIECES = (
    b'"',
    b"{",
    b"}",
    b"[",
    b"\x00",
    b"\xff",
    b"%00",
    b"\\u0000",
    b"-1",
    b"9" * 30,
    b"e9",
    b",",
    b":",
    b"null",
    b"&",
)


def described_in_a_row(fuzzer: Fuzzer, seed: int, number: int = 10) -> None:
    """For each entrance so many requests, as schemathesis makes them from the description, good and bad."""
    schema = schemathesis.openapi.from_path(DESCRIPTION)
    for found in schema.get_all_operations():
        operation = found.ok()  # type: ignore[union-attr]  # ours is valid

        @hypothesis.seed(seed)
        @hypothesis.settings(_often(number))
        @hypothesis.given(
            operation.as_strategy(schemathesis.GenerationMode.POSITIVE)
            | operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)
        )
        def send(case: Case) -> None:
            fuzzer.request(_prepared(case))

        send()


def _prepared(case: Case) -> Request:
    """The case as it would go over the wire."""
    wanted = case.as_transport_kwargs(base_url="http://localhost")
    wanted.pop("timeout", None)
    raw = PreparedRequest()
    raw.prepare(**{name: value for name, value in wanted.items() if name in PREPARED})
    url = urlsplit(raw.url or "/")
    headers = [(name.lower().encode("latin-1", "replace"), _latin(value)) for name, value in raw.headers.items()]
    body = raw.body.encode() if isinstance(raw.body, str) else raw.body
    assert body is None or isinstance(body, bytes)
    return Request(str(raw.method), unquote(url.path), url.query.encode(), (*USUAL, *headers), body or b"")


def _latin(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1", "replace")


PREPARED = ("method", "url", "headers", "params", "data", "json", "cookies", "files")
USUAL = ((b"cookie", f"csrftoken={TOKEN}".encode()), (b"x-csrftoken", TOKEN.encode()))
