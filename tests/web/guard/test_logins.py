"""Log-ins of keepers: rules for passwords, delays that grow and lock nobody out, and a log without secrets."""

import logging
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from ludotheque.web.guard import logins
from ludotheque.web.monitor import usage
from ludotheque.web.monitor.logs import JsonFormatter

NAME, PASSWORD = "keeper", "seven green frogs"
HOME, EVIL = "198.51.100.7", "203.0.113.66"
MANY = 30


class Clock:
    """Time, which stands still unless a test says otherwise."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def keeper() -> Iterator[None]:
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):  # quick
        User.objects.create_superuser(NAME, password=PASSWORD)
        cache.clear()
        yield
        cache.clear()


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(logins, "time", found)
    return found


@pytest.fixture
def written() -> Iterator[list[str]]:
    """The lines of the log."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    kept, root = Kept(), logging.getLogger()
    kept.setFormatter(JsonFormatter())
    level = root.level
    root.addHandler(kept)
    root.setLevel("INFO")
    yield lines
    root.removeHandler(kept)
    root.setLevel(level)


def try_it(password: str, client: Client | None = None, address: str = HOME, name: str = NAME) -> int:
    """The status: 302 is in, 200 is wrong, 429 is too early."""
    form = {"username": name, "password": password, "next": "/admin/"}
    return (client or Client()).post("/admin/login/", form, REMOTE_ADDR=address).status_code


def fail_often(address: str = EVIL, name: str = NAME) -> None:
    while try_it("wrong", address=address, name=name) != 429:
        pass


def seconds_to_wait(address: str = EVIL) -> int:
    return max(counter.seconds_left() for counter in logins.Attempt(NAME, address, "").counters())


def test_the_right_password_opens() -> None:
    client = Client()
    assert try_it(PASSWORD, client) == 302
    assert client.get("/admin/").status_code == 200


def test_failures_make_an_address_wait_longer_and_longer(clock: Clock) -> None:
    waits = []
    for _ in range(12):
        fail_often()
        waits.append(seconds_to_wait())
        clock.now += waits[-1]
    assert waits[:4] == [2, 4, 8, 16]
    assert waits[-1] == logins.MAX_DELAY_S


def test_guessing_is_slow_however_fast_one_asks() -> None:
    statuses = [try_it(f"guess {number}", address=EVIL) for number in range(MANY)]
    assert statuses == [200] * (logins.FREE_ATTEMPTS + 1) + [429] * (MANY - logins.FREE_ATTEMPTS - 1)
    assert try_it(PASSWORD, address=EVIL) == 429, "not even with the right one"


def test_attempts_that_come_too_early_do_not_count() -> None:
    fail_often()
    for _ in range(MANY):
        try_it("wrong", address=EVIL)
    assert seconds_to_wait() == logins.FIRST_DELAY_S


def test_it_is_said_how_long_to_wait() -> None:
    fail_often()
    form = {"username": NAME, "password": "wrong"}
    answer = Client().post("/admin/login/", form, REMOTE_ADDR=EVIL)
    assert answer["Retry-After"] == "2"
    assert "Try again in 2 s." in answer.text


def test_nobody_can_lock_the_keeper_out(clock: Clock) -> None:
    """From a browser that is known at once, from any other within a minute, whatever others do meanwhile."""
    known = Client()
    assert try_it(PASSWORD, known) == 302
    for last in range(20):
        for address in (f"203.0.113.{last}", HOME):
            fail_often(address=address)
            clock.now += logins.MAX_NAME_DELAY_S
    fail_often()
    assert try_it(PASSWORD, known) == 302, "a browser that is known, at an address where others fail"
    fail_often(address="203.0.113.99")
    assert seconds_to_wait(address="192.0.2.200") <= logins.MAX_NAME_DELAY_S
    clock.now += logins.MAX_NAME_DELAY_S
    assert try_it(PASSWORD, address="192.0.2.200") == 302, "a new browser"


def test_a_known_browser_waits_for_its_own_failures() -> None:
    known = Client()
    assert try_it(PASSWORD, known) == 302
    assert [try_it("wrong", known) for _ in range(6)] == [200, 200, 200, 200, 429, 429]
    assert try_it(PASSWORD, address="192.0.2.200") == 302, "and for nobody else"


def test_a_browser_is_known_under_one_name_and_by_a_signature() -> None:
    User.objects.create_superuser("other", password=PASSWORD)
    known = Client()
    assert try_it(PASSWORD, known) == 302
    fail_often(name="other")
    assert try_it("wrong", known, name="other", address=EVIL) == 429
    fail_often()
    forged = Client()
    forged.cookies[logins.BROWSER_COOKIE] = known.cookies[logins.BROWSER_COOKIE].value + "x"
    assert try_it("wrong", forged, address=EVIL) == 429


def test_a_person_who_is_no_keeper_counts_as_a_failure_too() -> None:
    User.objects.create_user("somebody", password=PASSWORD)
    statuses = [try_it(PASSWORD, name="somebody", address=EVIL) for _ in range(8)]
    assert 302 not in statuses
    assert 429 in statuses


def test_unknown_names_are_treated_like_known_ones() -> None:
    known = [try_it("wrong", address="203.0.113.1") for _ in range(6)]
    cache.clear()
    unknown = [try_it("wrong", address="203.0.113.1", name="nobody") for _ in range(6)]
    assert known == unknown


def test_the_log_has_both_outcomes_and_no_secret(written: list[str]) -> None:
    try_it("my secret", address=EVIL)
    try_it("wrong", name="typed the password here", address=EVIL)
    try_it(PASSWORD)
    found = [line for line in written if '"log-in' in line]
    assert ["failed" in line for line in found] == [True, True, False]
    assert '"name": "keeper"' in found[0]
    assert '"name": "unknown"' in found[1]
    assert usage.label(EVIL) in found[0], "the keeper can block it by this label"
    for secret in ("my secret", "typed the password here", PASSWORD, EVIL, HOME):
        assert secret not in "\n".join(written)


@pytest.mark.parametrize("password", ["short one", "123456789012345", "password1234", "keeper-keeper"])
def test_passwords_have_rules(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, User(username="keeper-keeper"))
    validate_password(PASSWORD, User(username="keeper"))


def test_a_session_of_a_keeper_ends() -> None:
    client = Client()
    try_it(PASSWORD, client)
    assert settings.SESSION_EXPIRE_AT_BROWSER_CLOSE
    assert client.cookies["sessionid"]["max-age"] == ""
    lasts = client.session.get_expiry_date() - timezone.now()
    assert lasts.total_seconds() <= 12 * 3600


def test_the_cookie_of_a_browser_goes_to_the_log_in_alone() -> None:
    client = Client()
    try_it(PASSWORD, client)
    cookie = client.cookies[logins.BROWSER_COOKIE]
    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == ("/admin/login/", "Strict", True)
    assert NAME not in cookie.value
