"""Makes the old data of `web/test_old_data.py`: a site as earlier code left it, with everything that a site can hold.

    cd CHECKOUT_OF_THE_EARLIER_CODE
    .venv/bin/python …/tests/old_data.py

writes `data/old/` beside this file: `backup.sql`, a backup made by `ludotheque backup` as SQL, and `links.json`, the
cookies and addresses that people would still have. It was run on commit 335fe47. It uses the site as browsers and the
command line do, by addresses and forms alone, so it needs no name that has changed since.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "data" / "old"
SECRET_KEY = "the secret key of a site that closed long ago"  # noqa: S105 - of the tests
PASSWORD = "a password that opened it"  # noqa: S105 - of the tests
MAX_WAIT_S = 600  # for what is compiled, made or analysed
Browser = Any  # Django's test client, which can be imported only after the settings


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "ludotheque.web.settings",
            "LUDOTHEQUE_DATA": folder,
            "LUDOTHEQUE_LIMITS": "off",
            "LUDOTHEQUE_LOG": "ERROR",
            "PROMETHEUS_MULTIPROC_DIR": f"{folder}/metrics",
        }
        (Path(folder) / "secret-key").write_text(SECRET_KEY)
        _command("serve", "--set-up-only")
        links = _fill()
        backup = Path(folder) / "backup"
        _command("backup", str(backup))
        HERE.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(backup)) as database:
            (HERE / "backup.sql").write_text("\n".join(database.iterdump()) + "\n", encoding="utf-8")
    (HERE / "links.json").write_text(json.dumps(links, indent=2) + "\n", encoding="utf-8")
    os._exit(0)  # whoever still thinks need not come to an end


def _command(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "ludotheque.cli", *words], check=True)  # noqa: S603 - our own


def _fill() -> dict[str, object]:
    """Let people use the site; the addresses and cookies that they have afterwards."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import override_settings

    plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    with override_settings(STORAGES=plain, ALLOWED_HOSTS=["*"]):
        os.environ["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
        call_command("createsuperuser", username="keeper", email="", interactive=False, verbosity=0)
        ada, bob, eve = Client(), Client(), Client()
        with override_settings(THINKER=""):  # computer players leave their turns
            links: dict[str, object] = {"tables": _tables(ada, bob)}
        links |= {"puzzles": _puzzles(ada, eve), "replay": _replay(ada, bob), "booklet": _booklet(bob)}
        ada.post("/settings", {"language": "fr", "theme": "night", "motion": "off"})
        ada.cookies["coordinates"] = "off"  # set by the page's script
        cookies = {name: cookie.value for name, cookie in ada.cookies.items() if name != "csrftoken"}
        return {"ada": cookies, "bob": bob.cookies["visitor"].value, "password": PASSWORD, **links}


def _tables(ada: Browser, bob: Browser) -> dict[str, str]:
    finished = _opened(ada, bob, "pegs")
    _play(finished, ada, bob)
    tables = {
        "open": _new(ada, "tricolore", way="open"),
        "running": _opened(ada, bob, "hepta"),
        "series": _opened(ada, bob, "tfortwo"),
        "sealed": _opened(ada, bob, "pizza"),
        "computer": _new(ada, "hundsgemein", way="computer"),
        "offer": _opened(ada, bob, "hepta", **{"option-legs": "1"}),
        "finished": finished,
        "moving": _opened(ada, bob, "tricolore"),
    }
    _play(tables["running"], ada, bob, most=9)
    _play(tables["series"], ada, bob, until=lambda screen: "leg 2 of 2" in screen["html"].lower())
    _play(tables["sealed"], ada, bob, until=lambda screen: any(move[0].startswith("cut") for move in screen["moves"]))
    _play(tables["sealed"], ada, most=1)
    _play(tables["computer"], ada, most=1)
    _play(tables["offer"], ada, bob, most=4)
    _do(bob, tables["offer"], do="draw", seat=1)
    tables["rematch"] = _do(ada, finished, do="rematch")["go"].removeprefix("/t/")
    ada.get(f"/replay/{finished}")
    page = bob.post(f"/t/{tables['moving']}/link", {"seat": "1"}).content.decode()
    link = re.search(r"/seat/[\w-]+", page)
    assert link is not None
    return {**tables, "seat link": link[0]}


def _new(ada: Browser, game: str, **form: str) -> str:
    wish = {"seats": "2", "seat": "0", "way": "link", "name-0": "Ada", "entropy": "a coin"} | form
    location: str = ada.post(f"/games/{game}/new", wish)["Location"]
    return location.removeprefix("/t/")


def _opened(ada: Browser, bob: Browser, game: str, **form: str) -> str:
    table = _new(ada, game, **form)
    _do(bob, table, do="sit", seat=1, name="Bob", entropy="a die")
    return table


def _do(browser: Browser, table: str, **command: object) -> dict[str, Any]:
    reply: dict[str, Any] = browser.post(f"/t/{table}/do", command, content_type="application/json").json()
    assert reply.get("ok"), reply
    return reply


def _play(
    table: str, *people: Browser, most: int = 1000, until: Callable[[dict[str, Any]], bool] = lambda _: False
) -> None:
    """Whoever may move takes the move in the middle of the list."""
    for _ in range(most):
        screens = [person.get(f"/t/{table}/screen", {"seat": seat}).json() for seat, person in enumerate(people)]
        able = [seat for seat, screen in enumerate(screens) if screen["moves"]]
        if not able or until(screens[0]):
            return
        moves, version = screens[able[0]]["moves"], screens[able[0]]["version"]
        move = moves[len(moves) // 2][0]
        _do(people[able[0]], table, do="move", seat=able[0], move=move, version=version, id=f"page-{version}")


def _puzzles(ada: Browser, eve: Browser) -> dict[str, str]:
    half, solved, given_up, own = (
        "/puzzles/hepta-solo/1/1",
        "/puzzles/tetrods/1/1",
        "/puzzles/pegs-solo/14/1",
        "/puzzles/hepta-solo/a2-b5-c3-d7-e1-f4-g6",
    )
    for address in (half, solved, given_up):
        _wait(partial(_is_shown, ada, address))
    moves = {address: _solution(eve, address) for address in (half, solved)}
    for move in moves[half][:3]:
        _solve(ada, half, do="move", move=move)
    _solve(ada, half, do="undo")
    _wait(lambda: "refused" not in _solve(ada, half, do="hint"))
    for move in moves[solved]:
        _solve(ada, solved, do="move", move=move)
    _solution(ada, given_up)
    return {"half": half, "next move": moves[half][2], "solved": solved, "given up": given_up, "own": own}


def _is_shown(browser: Browser, address: str) -> bool:
    return bool(browser.get(address).status_code == 200)


def _solution(browser: Browser, address: str) -> list[str]:
    _wait(lambda: "refused" not in _solve(browser, address, do="solution", sure="yes"))
    page = browser.get(address).content.decode()
    record = re.search(r"(\{&quot;format.*?)\"", page)
    assert record is not None
    return [text for _, text in json.loads(unescape(record[1]))["log"]]


def _solve(browser: Browser, address: str, **command: object) -> dict[str, Any]:
    page = browser.get(address).content.decode()
    version = re.search(r'"version": (\d+)', page)
    assert version is not None
    command["version"] = int(version[1])
    reply: dict[str, Any] = browser.post(address, command, content_type="application/json").json()
    return reply


def _replay(ada: Browser, bob: Browser) -> str:
    """A short match that was played elsewhere, brought as a record and analysed to its end."""
    table = _opened(ada, bob, "tfortwo", **{"option-legs": "1"})
    _play(table, ada, bob)
    record = ada.get(f"/t/{table}/record").content.decode()
    address: str = ada.post("/replay", {"text": record})["Location"]
    _wait(lambda: _is_shown(ada, address) and ada.get(f"{address}/progress").json()["whole"])
    return address


def _booklet(bob: Browser) -> str:
    """A booklet whose printing was begun and never ended."""
    wish = {"puzzle": "hepta-solo", "count": "12", "paper": "a5", "lang": "en", "volume": "1"}
    address: str = bob.post("/puzzles/booklet", wish)["Location"]
    return address


def _wait(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + MAX_WAIT_S
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.5)


if __name__ == "__main__":
    main()
