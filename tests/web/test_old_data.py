"""A site that earlier code left behind goes on: tables, cookies, links, puzzles, replays, the keeper's account.

`old_data.py` made it, with the code of commit 335fe47. It is restored here as `ludotheque restore` does, into SQLite
or (`--services`) PostgreSQL, migrated, and then visited by the people whose cookies and links are from before.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

import ludotheque
from ludotheque.match import Match
from ludotheque.web.jobs import pool
from ludotheque.web.models import Attempt, Booklet, Puzzle, Replay, Table
from ludotheque.web.players import turns
from ludotheque.web.replays import uploads
from ludotheque.web.server import backup
from ludotheque.web.table.cache import state_of

DATA = Path(__file__).parent.parent / "data"
LINKS: dict[str, Any] = json.loads((DATA / "old" / "links.json").read_text(encoding="utf-8"))
TABLES: dict[str, str] = LINKS["tables"]
PUZZLES: dict[str, str] = LINKS["puzzles"]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The backup as a file again."""
    file = tmp_path_factory.mktemp("old") / "backup"
    with closing(sqlite3.connect(file)) as database:
        database.executescript((DATA / "old" / "backup.sql").read_text(encoding="utf-8"))
    return file


@pytest.fixture(autouse=True)
def old_site(archive: Path, fresh_site: None) -> Iterator[None]:  # noqa: ARG001 - it clears tables afterwards
    assert backup.check(archive) == 10
    backup.restore(archive)
    with override_settings(SECRET_KEY=settings.SECRET_FILE.read_text(), THINKER=""):
        yield
    settings.SECRET_FILE.unlink()
    for model in (Replay, Attempt, Puzzle, Booklet):
        model.objects.all().delete()


@pytest.fixture
def ada() -> Client:
    """Ada's browser, with all the cookies it had."""
    client = Client()
    client.cookies.load(LINKS["ada"])
    return client


@pytest.fixture
def bob() -> Client:
    client = Client()
    client.cookies["visitor"] = LINKS["bob"]
    return client


def screen(browser: Client, table: str, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(f"/t/{table}/screen", {"seat": seat}).json()
    return found


def do(browser: Client, table: str, **command: object) -> dict[str, Any]:
    reply: dict[str, Any] = browser.post(f"/t/{table}/do", command, content_type="application/json").json()
    return reply


def play(browser: Client, table: str, seat: int, move: str = "") -> None:
    """The next move, or this one; it must be accepted and change the table."""
    before = screen(browser, table, seat)
    version, text = before["version"], move or before["moves"][0][0]
    assert do(browser, table, do="move", seat=seat, move=text, version=version, id=f"new-{version}") == {"ok": True}
    assert screen(browser, table, seat)["version"] > version


def text(browser: Client, address: str, status: int = 200) -> str:
    response = browser.get(address)
    assert response.status_code == status, address
    return unescape(response.content.decode())


def to_move(browser: Client, table: str, seat: int) -> bool:
    return bool(screen(browser, table, seat)["moves"])


# Tables


@pytest.mark.parametrize("name", [name for name in TABLES if name != "seat link"])
def test_every_table_shows_and_knows_who_sits_there(name: str, ada: Client) -> None:
    table = TABLES[name]
    for lang in ("fr", "en"):
        ada.cookies["language"] = lang
        assert f'lang="{lang}"' in text(ada, f"/t/{table}")
    assert screen(ada, table, 0)["seat"] in (0, 1)
    assert screen(Client(), table, 0)["seat"] in (-1, None), "strangers are recognised as such"
    assert ada.get(f"/t/{table}/picture.svg").status_code == 200


@pytest.mark.parametrize("name", ["running", "series", "moving", "rematch"])
def test_the_next_move_can_be_played(name: str, ada: Client, bob: Client) -> None:
    people = (bob, ada) if name == "rematch" else (ada, bob)
    for _ in range(3):
        seat = next(seat for seat, browser in enumerate(people) if to_move(browser, TABLES[name], seat))
        play(people[seat], TABLES[name], seat)


def test_a_sealed_choice_is_still_sealed_and_opens_with_the_other(ada: Client, bob: Client) -> None:
    table = TABLES["sealed"]
    assert not to_move(ada, table, 0)
    assert not any("</span> cut 4</code>" in screen(browser, table, 1)["html"] for browser in (bob, Client()))
    play(bob, table, 1, "cut 1")
    assert all("</span> cut 4</code>" in screen(browser, table, 1)["html"] for browser in (bob, Client()))


def test_the_computer_player_takes_the_turn_it_had(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TABLES["computer"]
    before = screen(ada, table, 0)["version"]
    monkeypatch.setattr(pool.thinking, "post", lambda job, *args: job(*args))  # at once, in this thread
    with override_settings(THINKER="web.computer_players:first", PACE=0.0):
        turns.wake_all()
    assert screen(ada, table, 0)["version"] > before


def test_a_pending_offer_can_be_accepted(ada: Client) -> None:
    table = TABLES["offer"]
    assert do(ada, table, do="agree", seat=0) == {"ok": True}
    assert ada.get(f"/t/{table}/record").status_code == 200


def test_an_open_table_can_be_joined(ada: Client, bob: Client) -> None:
    table = TABLES["open"]
    assert screen(Client(), table, 1)["moves"] == []
    assert do(bob, table, do="sit", seat=1, name="Bob") == {"ok": True}
    seat, browser = (0, ada) if to_move(ada, table, 0) else (1, bob)
    play(browser, table, seat)


def test_who_sat_first_at_an_open_table_decides_about_its_seats(ada: Client, bob: Client) -> None:
    table = TABLES["open"]
    assert do(bob, table, do="computer", seat=1, level="1")["code"] == "not-your-seat"
    assert Table.objects.get(pk=table).creator == Table.objects.get(pk=table).seats.get(number=0).visitor
    assert do(ada, table, do="computer", seat=1, level="1") == {"ok": True}


def test_a_seat_link_moves_the_seat_once(bob: Client) -> None:
    table, link = TABLES["moving"], TABLES["seat link"]
    telephone = Client()
    text(telephone, link)
    assert telephone.post(link)["Location"] == f"/t/{table}"
    assert screen(telephone, table, 1)["seat"] == 1
    assert screen(bob, table, 1)["seat"] != 1
    text(Client(), link, 404)


def test_the_record_downloads_and_its_luck_verifies(ada: Client, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from ludotheque.cli import app

    saved = ada.get(f"/t/{TABLES['finished']}/record").content.decode()
    match = ludotheque.load(saved)
    assert match.over
    assert match.save() == saved
    file = tmp_path / "record.json"
    file.write_text(saved, encoding="utf-8")
    assert CliRunner().invoke(app, ["verify", str(file)]).exit_code == 0


def test_rematch_and_finished_match_know_each_other(ada: Client) -> None:
    again = do(ada, TABLES["finished"], do="rematch")
    assert again["go"] == f"/t/{TABLES['rematch']}"


# Puzzles


def solve(browser: Client, address: str, **command: object) -> dict[str, Any]:
    reply: dict[str, Any] = browser.post(address, command, content_type="application/json").json()
    assert "refused" not in reply, reply
    found: dict[str, Any] = reply["screen"]
    return found


def test_a_half_solved_puzzle_goes_on_where_it_was(ada: Client) -> None:
    address = PUZZLES["half"]
    text(ada, address)
    known = Attempt.objects.get(puzzle__startswith="hepta-solo", given_up=None)
    assert (len(known.moves), known.undone, known.hints) == (2, [PUZZLES["next move"]], 1)
    after = solve(ada, address, do="redo", version=known.version)
    assert after["version"] == known.version + 1
    again = solve(ada, address, do="undo", version=after["version"])
    solve(ada, address, do="move", move=PUZZLES["next move"], version=again["version"])


def test_solved_and_given_up_puzzles_stay_so(ada: Client) -> None:
    for name in ("solved", "given up"):
        assert '{"format"' in text(ada, PUZZLES[name]), "the record of a full board can be taken along"
    solved, given_up = Attempt.objects.filter(solved__isnull=False), Attempt.objects.filter(key="pegs-solo")
    assert [attempt.closed for attempt in (*solved, *given_up)] == [True, True]
    text(ada, "/puzzles/tetrods")


def test_links_to_puzzles_lead_to_the_same_puzzles(ada: Client) -> None:
    """Stored ones under their short names, composed ones under their long names."""
    for address in (*(PUZZLES[name] for name in ("half", "solved", "given up", "own")), "/puzzles/hepta-solo/1/2"):
        text(ada, address)
        assert ada.get(address.replace("/puzzles/", "/puzzles/picture/") + ".svg").status_code == 200


def test_a_booklet_that_was_never_printed_is_shown_as_such(ada: Client) -> None:
    text(ada, LINKS["booklet"])
    text(ada, f"{LINKS['booklet']}.pdf", 404)


# Replays and records


def test_a_brought_record_is_kept_and_analysed_anew(ada: Client) -> None:
    """Analyses of earlier code contradicted themselves."""
    replay = Replay.objects.get(table=None)
    assert (replay.steps, replay.whole, replay.claimed) == ([], False, None)
    page = text(ada, LINKS["replay"])
    assert "<svg" in page
    match = ludotheque.load(replay.record)
    moves = sum(actor != "luck" for actor, _ in match.events)
    assert ada.get(f"{LINKS['replay']}/progress").json()["moves"] == moves
    assert text(ada, f"{LINKS['replay']}/at/3").startswith("<svg")
    assert ludotheque.load(replay.record).save() == replay.record
    assert replay.size == len(replay.record)
    month_ago = timezone.now() - timedelta(days=30)
    assert not uploads.expired(month_ago).exists(), "its month begins when the site is updated"


def test_a_finished_table_can_be_looked_back_at(ada: Client) -> None:
    assert "✓" in text(ada, f"/replay/{TABLES['finished']}"), "luck was checked again"


def test_records_saved_by_earlier_code_load() -> None:
    matches: list[Match] = []
    for file in sorted((DATA / "golden").glob("*.json")):
        for golden in json.loads(file.read_text(encoding="utf-8")):
            saved = json.dumps(golden["record"], ensure_ascii=False)
            matches.append(ludotheque.load(saved))
            assert matches[-1].save() == saved
    assert {match.game.key for match in matches} == {box.key for box in ludotheque.games()}


# People


def test_cookies_of_settings_still_count(ada: Client) -> None:
    page = text(ada, "/")
    for attribute in ('lang="fr"', 'data-theme="night"', 'data-motion="off"', 'data-coordinates="off"'):
        assert attribute in page
    assert 'value="Ada"' in text(ada, "/games/pizza")


def test_the_shelf_lists_what_the_visitor_left(ada: Client) -> None:
    Table.objects.update(changed=timezone.now())  # it lists no tables that were left a month ago
    page = text(ada, "/")
    for name in ("running", "series", "sealed", "computer", "offer", "finished"):
        assert f"/t/{TABLES[name]}" in page or f"/replay/{TABLES[name]}" in page, name


def test_my_tables_know_whose_turn_it_is_at_tables_from_before(ada: Client) -> None:
    """The migration folded their logs; so the row says what the fold says, and none is lost, however old it is."""
    tables = list(Table.objects.all())
    assert [table.to_act for table in tables] == [sum(1 << n for n in state_of(table).to_act) for table in tables]
    assert sum(table.to_act > 0 for table in tables) >= 5
    running, finished = text(ada, "/mine"), text(ada, "/mine?show=finished")
    for name in ("open", "running", "series", "sealed", "computer", "offer", "moving", "rematch"):
        assert f'id="table-{TABLES[name]}"' in running, name
    assert f'id="table-{TABLES["finished"]}"' in finished


def test_the_keeper_still_gets_in() -> None:
    client = Client()
    assert client.login(username="keeper", password=LINKS["password"])
    text(client, "/admin/")
