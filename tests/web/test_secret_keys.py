"""A new secret key: seats and log-ins stay, cookies are signed anew, and a dropped key signs nothing more."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import override_settings

from ludotheque.web import secret_keys
from ludotheque.web.secret_keys import SecretKey
from ludotheque.web.server import backup, keeper_sync, serve
from ludotheque.web.visitors import COOKIE, read, sign
from web.people import seated

DAY_S = 24 * 3600.0
KEEP_S = 400 * DAY_S


@pytest.fixture
def file() -> Iterator[Path]:
    """The key file of this site, as `serve` makes it; what is changed of the settings is put back."""
    serve._create_secret_key(settings.DATA)
    with override_settings(SECRET_KEY=settings.SECRET_FILE.read_text(), SECRET_KEY_FALLBACKS=[]):
        yield settings.SECRET_FILE
    settings.SECRET_FILE.unlink()


def rotate(file: Path, keep_s: float = KEEP_S) -> None:
    secret_keys.write(file, secret_keys.rotated(secret_keys.load(file), time.time(), keep_s))
    keeper_sync.use_keys()


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """What a running process does after so many seconds."""
    now = time.time() + seconds
    with monkeypatch.context() as patch:
        patch.setattr("ludotheque.web.server.keeper_sync.time.time", lambda: now)
        keeper_sync.use_keys()


def signed_with(key: str, name: str) -> str:
    with override_settings(SECRET_KEY=key, SECRET_KEY_FALLBACKS=[]):
        return sign(name)


def test_seats_stay_and_cookies_are_signed_anew_on_the_next_visit(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, old = seated("hepta", 2), settings.SECRET_KEY
    client = Client()
    client.cookies[COOKIE] = cookie = sign("ada")
    rotate(file)
    later(monkeypatch, secret_keys.SIGNS_AFTER_S + 1)
    assert old != settings.SECRET_KEY
    move = {"do": "move", "seat": 0, "move": "d4", "version": table.state.version, "id": "1"}
    answer = client.post(f"/t/{table.id}/do", move, "application/json")
    assert answer.json().get("ok")
    renewed = client.cookies[COOKIE].value
    assert renewed != cookie
    assert read(renewed, current_key_only=True) == "ada"
    assert client.cookies[COOKIE]["httponly"]
    assert COOKIE not in client.get(f"/t/{table.id}").cookies, "once is enough"


def test_a_log_in_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("keeper"))
    rotate(file)
    later(monkeypatch, secret_keys.SIGNS_AFTER_S + 1)
    assert client.get("/status").status_code == 200
    rotate(file, keep_s=0)
    assert client.get("/status").status_code == 302, "a leaked key opens nothing"


def test_a_dropped_key_signs_nothing_more(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stolen = settings.SECRET_KEY
    rotate(file)
    later(monkeypatch, KEEP_S / 2)
    assert read(signed_with(stolen, "ada")) == "ada"
    later(monkeypatch, KEEP_S + 1)
    assert read(signed_with(stolen, "ada")) == ""
    assert stolen not in settings.SECRET_KEY_FALLBACKS
    table = seated("hepta", 2)
    forger = Client()
    forger.cookies[COOKIE] = signed_with(stolen, "ada")
    move = {"do": "move", "seat": 0, "move": "d4", "version": table.state.version, "id": "1"}
    assert forger.post(f"/t/{table.id}/do", move, "application/json").json()["code"] == "not-your-seat"


def test_a_leaked_key_can_be_dropped_at_once(file: Path) -> None:
    stolen = settings.SECRET_KEY
    rotate(file, keep_s=0)
    assert read(signed_with(stolen, "ada")) == ""
    assert stolen not in file.read_text()
    assert read(sign("ada")) == "ada"


def test_no_process_signs_what_another_does_not_know_yet(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process looks at once, another a few seconds later: each accepts what the other signs."""
    old = settings.SECRET_KEY
    rotate(file)
    assert old == settings.SECRET_KEY
    new = secret_keys.load(file)[0].text
    assert read(signed_with(new, "ada")) == "ada", "accepted before it signs"
    later(monkeypatch, secret_keys.SIGNS_AFTER_S + 1)
    assert new == settings.SECRET_KEY
    assert read(signed_with(old, "ada")) == "ada"


def test_a_cookie_is_never_renewed_on_what_caches_may_keep(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.cookies[COOKIE] = sign("ada")
    rotate(file)
    later(monkeypatch, secret_keys.SIGNS_AFTER_S + 1)
    answer = client.get("/preview.png")
    assert "public" in answer["Cache-Control"]
    assert COOKIE not in answer.cookies
    assert COOKIE in client.get("/about").cookies


def test_a_forged_cookie_is_not_made_good(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rotate(file)
    later(monkeypatch, secret_keys.SIGNS_AFTER_S + 1)
    client = Client()
    client.cookies[COOKIE] = f"ada:{sign('bob').partition(':')[2]}"
    assert COOKIE not in client.get("/about").cookies


def test_the_file_of_earlier_versions_is_one_key(tmp_path: Path) -> None:
    file = tmp_path / "secret-key"
    for text in ("plain", "with a space", '[not "ours"]'):
        file.write_text(f"{text}\n")
        assert secret_keys.load(file) == [SecretKey(text)]
    assert secret_keys.load(tmp_path / "nothing") == []


def test_keys_in_turn() -> None:
    keys = secret_keys.rotated(secret_keys.rotated([SecretKey("first")], 1000, 100), 1050, 100)
    second = keys[1].text
    assert [key.until for key in keys] == [0, 1150, 1100]
    assert secret_keys.in_force(keys, 1051).signing == second
    assert secret_keys.in_force(keys, 1200) == (keys[0].text, [])
    assert secret_keys.in_force(keys, 1120) == (keys[0].text, [keys[0].text, second])


def test_the_file_is_its_owners_alone_and_forgets_what_has_ended(file: Path) -> None:
    rotate(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(json.loads(file.read_text())) == 2
    secret_keys.forget_ended(file, time.time() + KEEP_S + 1)
    assert len(json.loads(file.read_text())) == 1


def test_a_backup_carries_all_keys(file: Path, tmp_path: Path) -> None:
    old = settings.SECRET_KEY
    rotate(file)
    backup.write(tmp_path / "backup")
    text = file.read_text()
    file.unlink()
    backup._restore_key(tmp_path / "backup")
    assert file.read_text() == text
    assert old in text


def test_a_key_from_the_environment_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "LUDOTHEQUE_SECRET_KEY", "theirs")
    before = settings.SECRET_KEY
    rotate(file)
    later(monkeypatch, secret_keys.SIGNS_AFTER_S + 1)
    assert before == settings.SECRET_KEY
