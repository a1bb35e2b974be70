"""The keeper stops an attacker from the command line, while the site runs and others play on."""

import json
import re
import socket
from collections.abc import Callable

from attack.client import ATTACKER, get, websocket
from attack.others import others
from crowd.site import Site as Visit
from scale.sites import CSRF, Site
from waiting import until

VISITOR = "127.0.0.9"


def keeper(site: Site, *words: str) -> str:
    done = site.run("keeper", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ends(line: socket.socket) -> bool:
    """Whether the other side closes the connection."""
    line.settimeout(30)
    try:
        while line.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def heaviest(site: Site) -> str:
    """The label at the head of the list; empty as long as nobody is there."""
    found = re.findall(r"^ ([0-9a-f]{12}) ", keeper(site, "visitors"), re.MULTILINE)
    return found[0] if found else ""


def test_who_attacks_is_seen_by_label_and_shut_out_while_others_play(new_site: Callable[..., Site]) -> None:
    site = new_site()
    table, _ = Visit(site.port, address=ATTACKER).open()
    for _ in range(50):
        get(site.port, "/about")
    until(lambda: bool(heaviest(site)), "seen")
    label = heaviest(site)
    assert ATTACKER not in keeper(site, "visitors")
    with others(site.port) as felt, websocket(site.port, f"/live/{table}") as line:
        keeper(site, "block", label, "--for", "1h", "--reason", "fifty pages")
        until(lambda: get(site.port, "/about") == 403, "shut out")
        assert ends(line)
        felt.forget()
        for path in ("/", "/health", f"/t/{table}", "/games/hepta"):
            assert get(site.port, path) == 403
            assert get(site.port, path, VISITOR) == 200
        until(lambda: len(felt.moves_s) > 5, "others play on")
        assert felt.mistakes == []
    listed = keeper(site, "blocked")
    assert ATTACKER not in listed
    assert "fifty pages" in listed
    keeper(site, "unblock", label)
    until(lambda: get(site.port, "/about") == 200, "let in again")


def test_a_table_is_deleted_under_the_eyes_of_those_who_sit_there(new_site: Callable[..., Site]) -> None:
    site = new_site()
    table, cookie = site.set_table()
    with websocket(site.port, f"/live/{table}", VISITOR) as line:
        refused = site.run("keeper", "delete", table)
        assert (refused.returncode, "--yes" in refused.stderr) == (1, True), "nobody sits at the keyboard"
        assert "Gone" in keeper(site, "delete", f"http://127.0.0.1:{site.port}/t/{table}", "--yes")
        line.settimeout(30)
        heard = b""
        while b"deleted" not in heard:
            part = line.recv(65_536)
            assert part, "the page was told nothing"
            heard += part
        assert ends(line)
    assert site.read(f"/t/{table}", cookie)[0].status == 404
    assert site.run("keeper", "delete", table).returncode == 1


def test_a_new_key_while_people_play(new_site: Callable[..., Site]) -> None:
    """Seats stay; whoever looks in gets a cookie of the new key; the old key is accepted until it is dropped."""
    site = new_site()
    table, cookie = site.set_table()
    screen = site.screen(table, cookie)
    keeper(site, "new-key")

    def renewed() -> str:
        reply, _ = site.read(f"/t/{table}", cookie)
        return reply.headers.get("Set-Cookie") or ""

    until(lambda: "visitor=" in renewed(), "the new key signs")
    found = re.search(r"visitor=([^;]+)", renewed())
    assert found
    fresh = f"visitor={found[1]}; csrftoken={CSRF}"
    move = {"id": "m1", "do": "move", "seat": 0, "move": "d4", "version": screen["version"]}
    assert site.ask(f"/t/{table}/do", fresh, move) == (200, {"ok": True})
    keeper(site, "new-key", "--keep-days", "0")
    no_move = {
        "id": "m2",
        "do": "move",
        "seat": 0,
        "move": "z9",
        "version": 4,
    }  # changes nothing while the key counts

    def refused() -> bool:
        return json.dumps(site.ask(f"/t/{table}/do", cookie, no_move)).find("not-your-seat") >= 0

    until(refused, "the old key opens nothing")
    assert site.screen(table, cookie)["over"] is False
