"""The move list: the same whether lines were kept or not, at the price of the new ones."""

import re
from random import Random

import pytest
from django.test import Client

import ludotheque
from ludotheque import IllegalMove, words
from ludotheque.lessons import tasks
from ludotheque.web.screen import move_list
from ludotheque.web.table import moves
from ludotheque.web.table.cache import ByTable
from ludotheque.web.words import seat_name
from web.people import VISITORS, Round, seated

every_game = pytest.mark.parametrize("game", [box.key for box in ludotheque.games()])


def listed(table: Round, seat: int | None, lang: str = "en") -> str:
    return move_list.render(table.match, seat, [f"Name{seat}" for seat in range(table.match.seats)], lang)


def play_something(table: Round, random: Random) -> None:
    seat = random.choice([actor for actor in table.match.to_act if actor != "luck"])
    table.play(seat, random.choice(table.match.moves(seat)))
    table.table.refresh_from_db()


@every_game
def test_kept_lines_are_those_that_would_be_made_now(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = max(ludotheque.game(game).seats)
    table, random = seated(game, seats), Random(2)
    for _ in range(20):
        viewers = [(seat, lang) for seat in (None, *range(seats)) for lang in words.LANGUAGES]
        kept = [listed(table, seat, lang) for seat, lang in viewers]
        with monkeypatch.context() as anew:
            anew.setattr(move_list, "_lists", ByTable(0, lambda _: 1))  # which keeps nothing
            assert [listed(table, seat, lang) for seat, lang in viewers] == kept
        if table.match.over:
            break
        play_something(table, random)


def test_a_new_event_costs_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    table, made = seated("hepta", 2), list[int]()
    line = move_list._line

    def counted(match: ludotheque.Match, number: int, *rest: int, **more: object) -> move_list.Line:
        made.append(number)
        return line(match, number, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(move_list, "_line", counted)
    for cell in ("d4", "a1", "b2"):
        table.play(0, cell)
        listed(table, None)
    assert made == [0, 1, 2]


def test_after_an_undo_the_new_move_is_listed() -> None:
    table = seated("hepta", 2)
    for cell in ("d4", "a1"):
        table.play(0, cell)
    assert "a1" in listed(table, None)
    match = table.match.copy()
    match.undo(0)
    match.play(0, "g7")
    names = ["Name0", "Name1"]
    assert re.findall(r"on (\w\d)\.", move_list.render(match, None, names, "en")) == ["d4", "g7"]
    assert re.findall(r"on (\w\d)\.", move_list.render(table.match, None, names, "en")) == ["d4", "a1"]
    assert re.findall(r"on (\w\d)\.", move_list.render(match.before(1), None, names, "en")) == ["d4"]


def test_names_and_tables_are_kept_apart() -> None:
    one, other = seated("hepta", 2), seated("hepta", 2)
    one.play(0, "d4")
    other.play(0, "a1")
    assert "a1" not in listed(one, None)
    assert "d4" not in listed(other, None)
    assert "Cleo puts" in move_list.render(one.match, None, ["Cleo", "Bob"], "en")


def test_a_set_up_is_folded_once_the_game_goes_on() -> None:
    table = seated("hepta", 2)
    for cell in ("d4", "a1", "b2", "c3", "e5", "f6", "g7"):
        table.play(0, cell)
        assert "<details" not in listed(table, None)
    table.play(1, "L")
    folded = listed(table, None)
    assert folded.startswith(
        '<li class="folded"><details id="setup-1" data-keep-open><summary>Set-up: 7 blockers on d4'
    )
    assert folded.count("<details") == 1
    assert folded.index("</details>") < folded.index('id="log-8"')


def test_names_are_escaped() -> None:
    table = seated("hepta", 2)
    table.play(0, "d4")
    assert "<i>" not in move_list.render(table.match, None, ["<i>Ada", "Bob"], "en")


def test_who_plays_a_leg_is_named_by_seat() -> None:
    """In the second leg of a series roles have changed, and names have not."""
    table, random = seated("tfortwo", 2), Random(1)
    while table.match.leg == 0:
        play_something(table, random)
    play_something(table, random)
    last = re.findall(r"<b>([^<]*)</b>", listed(table, None))[-1]
    assert last.startswith("Name1: a mushroom comes up")


def test_a_move_typed_in_french_is_stored_as_ever() -> None:
    table = seated("pizza", 3)
    for seat, typed in ((0, "a1"), (1, "g4"), (2, "b1"), (1, "Couper 3")):
        moves.play(table.id, VISITORS[seat], seat, typed, version=table.state.version)
    assert table.match.events[-1] == (1, "cut 3")
    with pytest.raises(IllegalMove, match="trancher 3"):
        moves.play(table.id, VISITORS[0], 0, "trancher 3", version=table.state.version)


def test_a_lesson_understands_french() -> None:
    task = next(task for task in tasks(ludotheque.game("pizza").rules) if task.solutions()[0].startswith("cut"))
    number = tasks(task.game).index(task) + 1
    typed = task.solutions()[0].replace("cut", "couper")
    page = Client(headers={"accept-language": "fr"}).post(f"/games/pizza/lesson/{number}", {"move": typed}).text
    assert 'class="sheet answer right"' in page


def test_a_puzzle_understands_french() -> None:
    solver = Client(headers={"accept-language": "fr"})
    address = "/puzzles/hepta-solo/a1-b3-c5-d7-e2-f4-g6"
    for version, typed in enumerate(("a2-a3-a4", "Reprendre a3")):
        solver.post(address, {"do": "move", "move": typed, "version": version})
    page = solver.get(address).text
    assert "retirer" not in page
    assert 'id="piece-a2-a3-a4"' not in page
    assert 'name="do" value="undo" disabled' not in page, "both moves were made"


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_a_series_tells_who_plays_what_in_each_leg(lang: str) -> None:
    table, random = seated("hepta", 2, legs=2), Random(1)
    while table.match.leg == 0:
        play_something(table, random)
    begins = len(table.match.events)
    play_something(table, random)
    page = Client(headers={"accept-language": lang}).get(f"/t/{table.table.id}").text
    lines = re.findall(r'<li (?:class="note"|id="log-)(.*?)</li>', page, re.DOTALL)
    notes = [(number, line) for number, line in enumerate(lines) if line.startswith(">")]
    roles = [seat_name("hepta", 2, role, lang) for role in range(2)]
    assert [re.findall(r"\((.*?)\)", line) for _, line in notes] == [roles, roles[::-1]]
    assert [number for number, _ in notes] == [0, begins + 1], "before the first move of each leg"
