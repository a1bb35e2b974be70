"""Puzzles in the house: found, made, solved, helped with, given up, remembered, printed."""

import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from ludotheque.board.square import NAMES
from ludotheque.errors import LudothequeError
from ludotheque.puzzles.making.names import KEYS, PuzzleOf, Wanted, day, grades, read
from ludotheque.puzzles.solving.solver import SOLVERS
from ludotheque.web.guard import rate_limits
from ludotheque.web.jobs import pool
from ludotheque.web.models import Attempt, Booklet, Puzzle
from ludotheque.web.puzzles import attempts, booklets, maker, progress
from ludotheque.web.refusals import WorkerUnavailable
from ludotheque.web.visitors import hashed
from web.computer_players import fails, sleeps
from web.people import browser

HEPTA = "hepta-solo:a2-b5-d1-d2-f1-f2-f5"
AT = "/puzzles/hepta-solo/a2-b5-d1-d2-f1-f2-f5"
TETRODS = "tetrods:a2-a5-a6-b1-b3-b6-c5-d6-e1-e5-e7-g2-g3"
AT_TETRODS = "/puzzles/tetrods/4/20261115"
PEGS = "pegs-solo:10:a5-b4-b6-c1-c2-d6-e4-f7"
AT_PEGS = "/puzzles/pegs-solo/10/a5-b4-b6-c1-c2-d6-e4-f7"
PATIENCE = 180  # seconds for the first of all to be compiled


@pytest.fixture(autouse=True)
def made() -> Iterator[None]:
    """Puzzles that need not be made."""
    Puzzle.objects.create(seed="tetrods:4#20261115", description=TETRODS)
    Puzzle.objects.create(seed="hepta-solo:1#7", description=HEPTA)
    yield
    Puzzle.objects.all().delete()
    Attempt.objects.all().delete()
    Booklet.objects.all().delete()


def puzzle(description: str = HEPTA) -> PuzzleOf:
    found = read(description)
    assert isinstance(found, PuzzleOf)
    return found


def solution(description: str = HEPTA) -> list[str]:
    match = puzzle(description).match()
    moves = SOLVERS[match.game.key].first(match.state)
    assert moves is not None
    return [match.game.texts[move] for move in moves]


def attempt(visitor: str = "ada", description: str = HEPTA) -> Attempt:
    return Attempt.objects.get(visitor=hashed(visitor), puzzle=description)


def post(client: Client, path: str = AT, **message: object) -> dict[str, object]:
    """What our script sends; the version is that of the position there."""
    if "version" not in message:
        shown = client.get(path)
        message["version"] = json.loads(re.findall(r'id="live"[^>]*>(.*?)</script>', shown.text)[0])["version"]
    reply = client.post(path, json.dumps(message), content_type="application/json")
    assert reply.status_code == 200
    answer: dict[str, object] = reply.json()
    return answer


def patiently(client: Client, path: str = AT, **message: object) -> dict[str, object]:
    """Ask until it is answered: the first time, much has to be compiled."""
    end = time.monotonic() + PATIENCE
    while (answer := post(client, path, **message)).get("code") == "making":
        assert time.monotonic() < end
    return answer


def screen(answer: dict[str, object]) -> dict[str, object]:
    found = answer["screen"]
    assert isinstance(found, dict)
    return found


# Finding them


def test_todays_puzzles_are_on_the_shelf_and_on_their_page() -> None:
    today = timezone.localdate()
    for path in ("/", "/puzzles"):
        page = Client().get(path).text
        for key in KEYS:
            assert progress.address(str(day(key, today))) in page


def test_the_shelf_can_show_puzzles_alone() -> None:
    page = Client().get("/?players=puzzle").text
    shown = set(re.findall(r'href="/games/([a-z-]+)"', page))
    assert shown == set(KEYS)
    assert 'href="?players=puzzle" aria-current="true"' in page


@pytest.mark.parametrize("name", ["tetrods:4#20261115", HEPTA, PEGS, "pegs-solo:11", " tetrods:4#20261115 "])
def test_a_name_typed_leads_to_the_puzzle(name: str) -> None:
    reply = Client().get("/puzzles", {"name": name})
    assert reply["Location"] == progress.address(name.strip())
    found = re.fullmatch(r"/puzzles/([a-z-]+)/(.*)", reply["Location"])
    assert found
    assert progress.name_at(found[1], found[2]) == name.strip()
    assert Client().get(reply["Location"]).status_code == 200


@pytest.mark.parametrize(
    "name", ["chess", "tetrods:9#1", "tetrods:a1", "pegs-solo:99", "tetrods:4#" + "9" * 40, "<b>", "tetrods:٤#١"]
)
def test_a_wrong_name_is_answered_kindly(name: str) -> None:
    reply = Client().get("/puzzles", {"name": name})
    assert reply.status_code == 400
    assert "names no puzzle" in reply.text
    assert "<b>" not in reply.text
    assert (
        "ne désigne aucun problème" in Client(headers={"Accept-Language": "fr"}).get("/puzzles", {"name": name}).text
    )


@pytest.mark.parametrize(
    "path",
    [
        "/puzzles/chess",
        "/puzzles/chess/1/1",
        "/puzzles/chess/next?grade=1",
        "/puzzles/tetrods/9/1",
        "/puzzles/tetrods/a1",
        "/puzzles/tetrods/a1/b2/c3",
        "/puzzles/tetrods/next?grade=9",
        "/puzzles/tetrods/next",
        "/puzzles/pegs-solo/99",
        "/puzzles/picture/chess/1.svg",
        "/puzzles/picture/tetrods/1/x.svg",
        "/puzzles/booklet/tetrods-7-a4-fr-1",
        "/puzzles/booklet/tetrods-12-a4-fr-1.pdf",
        "/puzzles/booklet/..%2f..%2fsecret-key.pdf",
    ],
)
def test_unknown_puzzles_are_not_found(path: str) -> None:
    assert Client().get(path).status_code == 404


OWN = [
    ("tetrods", {}, ["g7", "a2", "a5", "a6", "b1", "b3", "b6", "c5", "d6", "e1", "e5", "e7", "g2"]),
    ("hepta-solo", {}, ["a1", "b3", "c6", "d2", "e5", "f7", "g4"]),
    ("pegs-solo", {"cards": 35}, []),
    ("pegs-solo", {"cards": 10}, [cell for cell in NAMES if cell not in PEGS]),
    ("pegs-solo", {"cards": 12}, ["d4", "a1"]),
    ("pegs-solo", {"cards": 1}, list(NAMES[:30])),
]


@pytest.mark.parametrize(("key", "more", "cells"), OWN)
def test_whatever_the_options_allow_can_be_composed(key: str, more: dict[str, int], cells: list[str]) -> None:
    """Every option of the solitaires, with every value, is reached from their page."""
    page = Client().get(f"/puzzles/{key}").text
    assert set(re.findall(r'name="cell" value="(\w+)"', page)) == set(NAMES)
    assert ('name="cards"' in page) == (key == "pegs-solo")
    reply = Client().get(f"/puzzles/{key}/own?{urlencode({'cell': cells, **more}, doseq=True)}")
    rest = reply["Location"].removeprefix(f"/puzzles/{key}/")
    found = read(progress.name_at(key, rest))
    assert isinstance(found, PuzzleOf)
    assert len(found.description) <= 100, "as many as are kept"
    option = found.match().game.options[-1].name
    wanted = {option: tuple(sorted(cells, key=NAMES.index))} if cells else {}
    assert found.options == wanted | more
    assert Client().get(reply["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("key", "query"),
    [
        ("tetrods", {"cell": ["a1", "a2"]}),
        ("tetrods", {}),
        ("tetrods", {"cell": ["a1"] * 13}),
        ("hepta-solo", {"cell": ["<b>"] * 7}),
        ("pegs-solo", {"cell": list(NAMES[:42]), "cards": 11}),
        ("pegs-solo", {"cards": 36}),
        ("pegs-solo", {"cards": "x"}),
    ],
)
def test_what_is_no_puzzle_is_shown_again(key: str, query: dict[str, object]) -> None:
    reply = Client().get(f"/puzzles/{key}/own?{urlencode(query, doseq=True)}")
    assert reply.status_code == 400
    assert "no puzzle yet" in reply.text
    chosen = set(re.findall(r'value="(\w+)" checked', reply.text))
    assert chosen == {cell for cell in query.get("cell", []) if cell in NAMES}  # type: ignore[attr-defined]
    assert Client().get("/puzzles/chess/own").status_code == 404


def test_a_solved_puzzle_can_be_seen_again_move_by_move() -> None:
    ada = browser("ada", checks=True)
    assert 'name="text"' not in ada.get(AT).text
    for move in solution():
        post(browser("ada"), do="move", move=move)
    form = dict(
        re.findall(r'<input type="hidden" name="(text|csrfmiddlewaretoken)" value="([^"]*)"', ada.get(AT).text)
    )
    reply = ada.post("/replay", {name: unescape(value) for name, value in form.items()})
    assert "Solved" in ada.get(reply["Location"]).text


def test_a_description_has_one_address() -> None:
    assert Client().get("/puzzles/hepta-solo/f5-b5-a2-d1-d2-f1-f2")["Location"] == AT


def test_a_puzzle_is_made_once_for_all() -> None:
    path = "/puzzles/hepta-solo/2/77"
    end = time.monotonic() + PATIENCE
    while (reply := Client().get(path)).status_code == 202:
        assert reply["Refresh"] == "2"
        assert "being made" in reply.text
        assert time.monotonic() < end
    kept = Puzzle.objects.get(pk="hepta-solo:2#77")
    assert kept.description in reply.text
    assert Client().get("/puzzles/picture/hepta-solo/2/77.svg").text.startswith("<svg")


def test_whoever_has_too_many_made_must_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "wait", lambda entrance, *_: 9 if entrance == "puzzle" else 0)
    assert Client().get("/puzzles/tetrods/1/123456").status_code == 503
    assert Client().get(AT_TETRODS).status_code == 200, "what is made is free"


def test_a_full_workshop_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "MOST", 0)
    reply = Client().get("/puzzles/tetrods/1/123457")
    assert reply.status_code == 503
    assert "much to make" in reply.text
    waiting = Client().get("/puzzles/picture/tetrods/1/123457.svg?theme=night")
    assert waiting.status_code == 202, "so that a page knows to ask again"
    assert (waiting["Cache-Control"], waiting["Content-Type"]) == ("no-cache", "image/svg+xml")
    assert "toadstool" not in waiting.text.split("</style>")[1]


def test_the_calendar_links_every_day_that_has_come() -> None:
    page = Client().get("/puzzles/tetrods?month=2026-10").text
    assert page.count('href="/puzzles/tetrods/') >= 31
    assert "/puzzles/tetrods/4/20261031" in page
    tomorrow = timezone.localdate() + timedelta(days=1)
    assert progress.address(str(day("tetrods", tomorrow))) not in Client().get("/puzzles/tetrods").text
    for month in ("2025-01", "9999-12", "x", "2026-13"):
        assert Client().get(f"/puzzles/tetrods?month={month}").status_code == 200


# Solving


@pytest.mark.parametrize(("path", "description"), [(AT, HEPTA), (AT_TETRODS, TETRODS), (AT_PEGS, PEGS)])
def test_a_puzzle_solved_move_by_move(path: str, description: str) -> None:
    ada = browser("ada")
    for move in solution(description):
        answer = post(ada, path, do="move", move=move, spent=0)
        assert "refused" not in answer
    shown = screen(answer)
    assert "Solved!" in str(shown["html"])
    assert shown["moves"] == []
    assert shown["running"] is False
    assert attempt(description=description).solved
    assert "next?grade=" in str(shown["html"]) or "Other puzzles" in str(shown["html"])
    if description == PEGS:
        assert "Ten cards!" in str(shown["html"])
    assert "✓" in ada.get("/puzzles").text


def test_without_script_forms_do_the_same() -> None:
    ada = browser("ada", checks=True)
    for number, move in enumerate(solution()):
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', ada.get(AT).text)[0]
        data = {"do": "move", "move": move, "version": number, "csrfmiddlewaretoken": token}
        assert ada.post(AT, data)["Location"] == AT
    assert "Solved!" in ada.get(AT).text
    token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', ada.get(AT).text)[0]
    refused = ada.post(AT, {"do": "redo", "version": 14, "csrfmiddlewaretoken": token})
    assert refused.status_code == 409
    assert "nothing to put back" in refused.text


def test_moves_are_checked_by_the_rules() -> None:
    ada = browser("ada")
    assert post(ada, do="move", move="a1-a2-a3")["code"] == "blocked"
    assert post(ada, do="move", move="nonsense")["code"] == "not-a-move"
    assert post(ada, do="move", move=["x"])["code"] == "not-a-move"
    assert post(ada, do="fly")["code"] == "bad-message"
    assert post(ada, do=["move"])["code"] == "bad-message"
    assert post(ada, do="move", move=solution()[0], version=7)["code"] == "stale"
    assert post(ada, do="move", move=solution()[0], version="x")["code"] == "stale"
    assert not Attempt.objects.exists(), "what is refused leaves nothing behind"
    assert browser("ada").post(AT, "[" * 5000, content_type="application/json").json()["code"] == "bad-message"


def test_a_move_sent_twice_counts_once() -> None:
    ada = browser("ada")
    first, *_ = solution()
    post(ada, do="move", move=first, version=0)
    assert post(ada, do="move", move=first, version=0)["code"] == "stale"
    assert attempt().moves == [first]


def test_forged_posts_change_nothing() -> None:
    assert (
        browser("ada", checks=True).post(AT, {"do": "move", "move": solution()[0], "version": 0}).status_code == 403
    )
    assert not Attempt.objects.exists()


def test_looking_keeps_nothing_and_gives_no_cookie() -> None:
    reply = Client().get(AT)
    assert "visitor" not in reply.cookies
    assert not Attempt.objects.exists()


def test_undo_redo_and_clearing() -> None:
    ada, moves = browser("ada"), solution()[:3]
    assert post(ada, do="undo")["code"] == "nothing-to-undo"
    for move in moves:
        post(ada, do="move", move=move)
    post(ada, do="undo")
    assert attempt().moves == moves[:2]
    post(ada, do="redo")
    assert attempt().moves == moves
    assert post(ada, do="redo")["code"] == "no-redo"
    post(ada, do="again")
    assert attempt().moves == []
    for _ in moves:
        post(ada, do="redo")
    assert attempt().moves == moves
    post(ada, do="undo")
    post(ada, do="move", move=f"lift {moves[0][:2]}")
    assert attempt().undone == []


def test_nobody_reaches_the_attempt_of_another() -> None:
    first, *_ = solution()
    post(browser("ada"), do="move", move=first)
    page = browser("bob").get(AT).text
    assert f"piece-{first}" not in page
    assert f"piece-{first}" in browser("ada").get(AT).text
    assert post(browser("bob"), do="undo")["code"] == "nothing-to-undo"
    assert attempt().moves == [first]
    assert "begun" not in browser("bob").get("/puzzles").text


def test_an_attempt_outlives_everything_but_the_cookie() -> None:
    first, *_ = solution()
    post(browser("ada"), do="move", move=first, spent=0)
    assert f"piece-{first}" in browser("ada").get("/puzzles/hepta-solo/1/7").text, "by its other name, too"
    assert "no. 7" in browser("ada").get(AT).text, "which we know"
    assert "begun" in browser("ada").get("/puzzles").text


def test_moves_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "LONGEST", 2)
    ada, moves = browser("ada"), solution()
    for move in moves[:2]:
        post(ada, do="move", move=move)
    assert post(ada, do="move", move=moves[2])["code"] == "too-many-moves"


def test_ghosts_are_of_possible_moves() -> None:
    first, *_ = solution()
    assert "<g" in browser("ada").get(AT, {"ghost": first}).text
    assert browser("ada").get(AT, {"ghost": "a1-a2-a3"}).status_code == 204


# Help


def test_a_hint_speaks_marks_and_counts() -> None:
    ada = browser("ada")
    moves: list[str] = []
    for _ in range(40):
        answer = patiently(ada, AT_TETRODS, do="hint", spent=0)
        html = str(screen(answer)["html"])
        assert html.count("hint-mark") >= 1
        if move := screen(answer)["suggest"]:
            moves.append(str(move))
            post(ada, AT_TETRODS, do="move", move=move, spent=0)
        if len(moves) == 3:
            break
    assert set(moves) <= set(solution(TETRODS))
    assert attempt(description=TETRODS).hints >= 3
    assert f"hints: {attempt(description=TETRODS).hints}" in ada.get(AT_TETRODS).text


@pytest.mark.parametrize(("at", "description"), [(AT_TETRODS, TETRODS), (AT_PEGS, PEGS)])
def test_the_last_hint_again_counts_for_nothing(at: str, description: str) -> None:
    ada = browser("ada")
    while not screen(patiently(ada, at, do="hint", spent=0))["suggest"]:
        pass
    counted = attempt(description=description).hints
    again = screen(patiently(ada, at, do="hint", spent=0))
    assert again["suggest"]
    assert attempt(description=description).hints == counted > 0


def test_hints_in_french() -> None:
    ada = browser("ada")
    ada.cookies["language"] = "fr"
    html = str(screen(patiently(ada, AT_PEGS, do="hint"))["html"])
    assert "Une carte qui aide" in html


def test_check_says_what_is_wrong_and_marks_it() -> None:
    ada = browser("ada")
    assert "So far, so good" in str(screen(patiently(ada, AT_TETRODS, do="check"))["html"])
    assert not Attempt.objects.exists(), "looking changes nothing"
    fresh, good = puzzle(TETRODS).match(), set(solution(TETRODS))
    bad = next(move for move in fresh.moves(0) if move not in good)
    post(ada, AT_TETRODS, do="move", move=bad)
    html = str(screen(patiently(ada, AT_TETRODS, do="check"))["html"])
    assert f"This has to go: {bad}." in html
    assert html.count("wrong-mark") == len(bad.split(":")[1].split("-"))
    assert "cannot be solved" in str(screen(patiently(ada, AT_TETRODS, do="hint"))["html"])
    assert attempt(description=TETRODS).hints == 0, "no hint, no count"


def test_the_solution_asks_first_and_counts_as_given_up() -> None:
    ada = browser("ada")
    before = ada.get(AT_TETRODS).text
    asked = patiently(ada, AT_TETRODS, do="solution")
    assert 'id="asking"' in str(screen(asked)["html"])
    assert not Attempt.objects.exists()
    patiently(ada, AT_TETRODS, do="solution", sure="yes")
    mine = attempt(description=TETRODS)
    assert mine.given_up
    assert not mine.solved
    assert set(mine.moves) == set(solution(TETRODS))
    assert "given up" in ada.get("/puzzles").text
    post(ada, AT_TETRODS, do="again")
    for move in solution(TETRODS):
        post(ada, AT_TETRODS, do="move", move=move)
    assert not attempt(description=TETRODS).solved, "given up stays given up"
    body = before.split("<main")[1]
    assert not all(move in body.split('id="all-moves"')[0] for move in solution(TETRODS)), "no solution in the source"


def test_a_puzzle_without_a_solution_says_so() -> None:
    path = "/puzzles/hepta-solo/a2-a3-b1-b2-c1-c2-d1"
    ada = browser("ada")
    assert "no solution at all" in str(screen(patiently(ada, path, do="check"))["html"])
    assert patiently(ada, path, do="solution", sure="yes")["code"] == "unsolvable"


# Time, marks and streaks


def backdate(seconds: float) -> None:
    Attempt.objects.update(changed=timezone.now() - timedelta(seconds=seconds))


def test_time_is_what_the_page_says_within_what_has_passed() -> None:
    ada, moves = browser("ada"), solution()
    post(ada, do="move", move=moves[0], spent=5000)
    assert attempt().seconds == 0, "the clock starts with the first move"
    backdate(60)
    post(ada, do="move", move=moves[1], spent=20)
    assert attempt().seconds == pytest.approx(20)
    backdate(60)
    post(ada, do="pause", spent=5000)
    assert attempt().seconds == pytest.approx(80, abs=1)
    post(ada, do="pause", spent=3)
    assert attempt().seconds == pytest.approx(80, abs=1), "it never goes back"
    backdate(6000)
    post(ada, do="undo")
    assert attempt().seconds == pytest.approx(380, abs=1), "without a clock, a long pause is a pause"
    for spent in (-1, True, "x", float("nan")):
        message = json.dumps({"do": "pause", "version": attempt().version, "spent": spent})
        assert ada.post(AT, message, content_type="application/json").status_code == 200
    assert attempt().seconds < 400


def test_time_and_hints_stay_as_they_were_when_it_was_solved() -> None:
    ada = browser("ada")
    for move in solution():
        post(ada, do="move", move=move, spent=0)
    seconds = attempt().seconds
    backdate(100)
    post(ada, do="again", spent=500)
    patiently(ada, do="hint", spent=500)
    assert attempt().seconds == seconds
    assert attempt().hints == 0
    assert attempt().solved


def solved_on(when: date, key: str = "tetrods", **more: object) -> None:
    wanted = day(key, when)
    at = datetime(when.year, when.month, when.day, 12, tzinfo=UTC)
    Attempt.objects.create(
        visitor=hashed("ada"),
        puzzle=f"{wanted}",
        key=key,
        grade=wanted.grade,
        number=wanted.number,
        solved=at,
        **more,
    )


def test_a_streak_is_of_days_on_which_the_days_puzzle_was_solved() -> None:
    today = date(2026, 11, 15)
    assert progress.streak("ada", today) == 0
    for back in (1, 2, 3, 5):
        solved_on(today - timedelta(days=back))
    assert progress.streak("ada", today) == 3, "today is not over"
    solved_on(today)
    assert progress.streak("ada", today) == 4
    assert progress.streak("ada", today + timedelta(days=2)) == 0
    assert progress.streak("bob", today) == 0


def test_progress_is_told() -> None:
    solved_on(timezone.localdate(), seconds=67, hints=0)
    solved_on(timezone.localdate() - timedelta(days=1), seconds=3723, hints=2)
    page = browser("ada").get("/puzzles").text
    assert "solved in 1:07" in page
    assert "solved in 1:02:03, hints: 2" in page
    assert "Days in a row with a solved puzzle of the day: 2" in page
    assert [(total.solved, total.unaided, total.best) for total in progress.totals("ada")] == [(2, 1, "1:07")]
    assert "solved in 1:07" in browser("ada").get("/").text
    assert "mark-solved" in browser("ada").get("/puzzles/tetrods").text


def test_the_next_puzzle_is_the_first_one_not_finished() -> None:
    assert Client().get("/puzzles/tetrods/next?grade=3")["Location"] == "/puzzles/tetrods/3/1"
    for number in (1, 2, 4):
        Attempt.objects.create(
            visitor=hashed("ada"), puzzle=f"{number}", key="tetrods", grade=3, number=number, solved=timezone.now()
        )
    assert progress.following("ada", "tetrods", 3) == Wanted("tetrods", 3, 3)
    assert progress.following("ada", "tetrods", 3, 3) == Wanted("tetrods", 3, 5)
    assert progress.following("ada", "tetrods", 3, 20261115) == Wanted("tetrods", 3, 3)
    assert progress.following("bob", "tetrods", 3) == Wanted("tetrods", 3, 1)


# The process that makes them


def test_the_same_puzzle_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[tuple[object, ...]] = []
    monkeypatch.setattr(maker, "PATIENCE", 0.05)
    monkeypatch.setattr(pool.making, "post", lambda _function, *wanted: posted.append(wanted))
    for _ in range(3):
        assert Client().get("/puzzles/tetrods/1/4711").status_code == 202
    assert posted == [("tetrods", 1, 4711)]
    monkeypatch.undo()
    maker.make("tetrods", 1, 4711)
    assert Client().get("/puzzles/tetrods/1/4711").status_code == 200


def test_a_puzzle_that_fails_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def break_down(wanted: Wanted, _line: object) -> str:
        calls.append(str(wanted))
        raise RuntimeError("no wood")

    monkeypatch.setattr(maker, "PATIENCE", 0.2)
    monkeypatch.setattr(maker, "keep", break_down)
    for _ in range(2):
        assert Client().get("/puzzles/tetrods/1/8712").status_code == 202
    assert calls.count("tetrods:1#8712") == 2


def test_when_nobody_can_be_asked_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> None:
        raise WorkerUnavailable

    monkeypatch.setattr(pool.making, "post", nobody)
    monkeypatch.setattr(pool.making, "ask", nobody)
    monkeypatch.setattr(pool.printing, "post", nobody)
    assert Client().get("/puzzles/tetrods/1/9713").status_code == 503
    assert post(browser("ada"), do="hint")["code"] == "making"
    order = {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "fr", "volume": "1"}
    assert browser("ada").post("/puzzles/booklet", order).status_code == 409
    assert not Booklet.objects.exists()


def test_a_pool_outlives_its_process() -> None:
    jobs = pool.Pool("test", 1, 1, 0)
    jobs.compute(sleeps)
    process = next(iter(jobs._processes._processes.values()))
    process.kill()
    process.join()
    jobs.compute(sleeps)
    with pytest.raises(LudothequeError):
        jobs.compute(fails)
    jobs._processes.shutdown()


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        time.sleep(0.2)


def test_what_is_asked_first_is_made_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Wanted] = []
    monkeypatch.setattr(maker, "make_ahead", asked.append)
    Client().get(AT_TETRODS)
    assert asked == [Wanted("tetrods", 4, 1), day("tetrods", timezone.localdate() + timedelta(days=1))]


def test_before_anyone_asks_the_first_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "KEYS", ("hepta-solo", "pegs-solo"))
    maker.warm_up()
    today = timezone.localdate()
    for key in ("hepta-solo", "pegs-solo"):
        assert maker.is_made(day(key, today))
        assert maker.is_made(day(key, today + timedelta(days=1)))
        assert all(maker.is_made(Wanted(key, grade, 1)) for grade in grades(key))


# Booklets


def test_a_booklet_is_ordered_watched_and_fetched() -> None:
    ada = browser("ada")
    order = {"puzzle": "pegs-solo", "count": "12", "paper": "a5", "lang": "fr", "volume": "2"}
    path = "/puzzles/booklet/pegs-solo-12-a5-fr-2"
    assert "Make the booklet" in ada.get(path).text, "looking begins nothing"
    assert ada.post("/puzzles/booklet", order)["Location"] == path
    other = ada.post("/puzzles/booklet", order | {"count": "24"})
    assert (other.status_code, "One booklet at a time" in other.text) == (409, True)
    assert "Being made" in ada.get(path).text
    assert ada.get(path)["Refresh"] == "2"
    _until(lambda: "Download" in ada.get(path).text)
    reply = ada.get(f"{path}.pdf")
    assert reply.content.startswith(b"%PDF")
    assert "attachment" in reply["Content-Disposition"]
    assert ada.post("/puzzles/booklet", order)["Location"] == path
    assert Booklet.objects.get().made == 12
    assert Puzzle.objects.filter(seed__startswith="pegs-solo:14#10").count() > 1, (
        "its puzzles are ready on screen, too"
    )


def test_a_booklet_whose_printer_vanished_can_be_ordered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[str] = []
    monkeypatch.setattr(pool.printing, "post", lambda _function, name: posted.append(name))
    order = {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "fr", "volume": "1"}
    path = browser("ada").post("/puzzles/booklet", order)["Location"]
    browser("bob").post("/puzzles/booklet", order)
    assert posted == ["tetrods-12-a4-fr-1"], "once for all"
    assert "Being made" in Client().get(path).text
    Booklet.objects.update(claimed=timezone.now() - booklets.SILENCE * 2)
    assert "Make the booklet" in Client().get(path).text
    browser("bob").post("/puzzles/booklet", order)
    assert len(posted) == 2


def test_a_booklet_that_fails_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> str:
        raise RuntimeError("no ink")

    monkeypatch.setattr(maker, "keep", break_down)
    Booklet.objects.create(name="tetrods-12-a4-fr-1", visitor=hashed("ada"), claimed=timezone.now())
    booklets.print_booklet("tetrods-12-a4-fr-1")
    assert not Booklet.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"count": "500"}, {"puzzle": "chess"}, {"paper": "a0"}, {"lang": "de"}, {"volume": "10"}, {"count": ""}]
)
def test_there_are_only_so_many_booklets(wrong: dict[str, str]) -> None:
    order = {"puzzle": "tetrods", "count": "12", "paper": "a4", "lang": "fr", "volume": "1"} | wrong
    assert browser("ada").post("/puzzles/booklet", order).status_code == 400
    assert Client(enforce_csrf_checks=True).post("/puzzles/booklet", order).status_code == 403


def test_old_booklets_make_room() -> None:
    now = timezone.now()
    for number in range(booklets.KEPT + 3):
        Booklet.objects.create(name=f"{number}", visitor="", claimed=now - timedelta(number), file=b"%PDF")
    Booklet.objects.create(name="begun", visitor="", claimed=now - timedelta(99))
    booklets._make_room()
    names = set(Booklet.objects.values_list("name", flat=True))
    assert names == {"begun", *map(str, range(booklets.KEPT))}


# Words


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_page_speaks_one_language(lang: str) -> None:
    client = browser("ada")
    client.cookies["language"] = lang
    for path in ("/puzzles", "/puzzles/tetrods", "/puzzles/pegs-solo", AT, AT_TETRODS, "/puzzles/booklet"):
        page = client.get(path)
        assert page.status_code == 200
        assert f'<html lang="{lang}"' in page.text
        assert ("Casse-tête" in page.text or "Vérifier" in page.text) == (lang == "fr")


def test_every_grade_has_a_name() -> None:
    for key in KEYS:
        assert len({progress.grade_name(key, grade, lang) for grade in grades(key) for lang in ("en", "fr")}) >= 5
