"""Somebody at a puzzle: what is taken back and put back, told, counted and timed."""

import pytest

import ludotheque
from ludotheque import BadOption, IllegalMove, UndoRefused
from ludotheque.board.bits import count
from ludotheque.board.square import NAMES
from ludotheque.pictures.kit.square import marks
from ludotheque.pictures.output.render import render_match
from ludotheque.puzzles.human import pencil
from ludotheque.puzzles.human.hints import LAY, WHERE, WHY
from ludotheque.puzzles.human.session import PuzzleSession
from ludotheque.puzzles.kinds import kind
from ludotheque.words import LANGUAGES
from solitaire import fresh

FIRST, SECOND = "M:f3", "I1:g4-g1-g2-g3"
BARE = ("a6", "b2", "b6", "c3", "d5", "d7", "e2", "e3")
TEN = ["34@a1/0", "24@a6/1", "33@e1/1", "35@f5/0", "29@d5/2", "32@e3/1", "23@a4/2", "25@b1/2", "30@c3/0", "27@d1/2"]


class Watch:
    """A clock that goes on when told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def begun(key: str = "tetrods", **options: object) -> PuzzleSession:
    return PuzzleSession(fresh(key, **options))


def test_undo_and_redo_to_both_ends() -> None:
    one = begun()
    one.play(FIRST)
    one.play(SECOND)
    assert (one.undo(), one.undo()) == (SECOND, FIRST)
    with pytest.raises(UndoRefused):
        one.undo()
    assert (one.redo(), one.redo(), one.redo()) == (FIRST, SECOND, None)
    assert [text for _, text in one.match.events] == [FIRST, SECOND]


def test_another_move_ends_what_can_be_put_back() -> None:
    one = begun()
    one.play(FIRST)
    one.undo()
    with pytest.raises(IllegalMove):
        one.play("lift a1")
    assert one.undone == [FIRST]
    one.play(SECOND)
    assert one.redo() is None


def test_what_can_be_put_back_is_in_the_record() -> None:
    one = begun()
    for text in (FIRST, SECOND):
        one.play(text)
    one.undo()
    again = PuzzleSession(ludotheque.load(one.match.save()))
    assert again.redo() == SECOND


def test_the_very_move_that_redo_would_make_leaves_the_others() -> None:
    one = begun()
    for text in (FIRST, SECOND):
        one.play(text)
    one.undo()
    one.undo()
    one.play(FIRST)
    assert one.undone == [SECOND]


def test_a_board_is_cleared_and_filled_again() -> None:
    one = begun()
    with pytest.raises(UndoRefused):
        one.restart()
    for text in (FIRST, SECOND):
        one.play(text)
    one.restart()
    assert (one.moves, one.undone) == ([], [SECOND, FIRST])
    assert (one.redo(), one.redo()) == (FIRST, SECOND)
    for text in one.solution():
        one.play(text)
    one.restart()
    assert (one.moves, one.undone) == ([], []), "what was over begins anew"


@pytest.mark.parametrize("key", ["tetrods", "hepta-solo", "pegs-solo"])
def test_hints_grow_stronger_and_the_third_lays_the_piece(key: str) -> None:
    one = begun(key)
    where, why = one.hint(), one.hint()
    assert (where.strength, why.strength, one.hints) == (WHERE, WHY, 2)
    assert where.move == ""
    assert why.move in one.match.moves(0)
    assert why.move not in where.say("en"), "where to look is not yet the move"
    assert all("{" not in hint.say(lang) for hint in (where, why) for lang in LANGUAGES)
    laid = one.hint()
    assert (laid.strength, laid.move, one.moves, one.hints) == (LAY, why.move, [why.move], 3)
    assert (one.told, one.hint().strength) == (0, WHERE), "about the next piece"


@pytest.mark.parametrize("asked", [[LAY], [WHERE, LAY], [WHY, LAY], [WHERE, WHY, LAY], [WHY, WHERE, WHY, LAY]])
def test_a_piece_costs_the_same_however_one_is_led_to_it(asked: list[int]) -> None:
    one = begun()
    for strength in asked:
        one.hint(strength)
    assert (one.hints, len(one.moves)) == (LAY, 1)


def test_a_hint_told_before_a_detour_is_not_counted_twice() -> None:
    one = begun()
    first = one.hint(WHY)
    one.play("S1:a1-a2-b2-b3")
    one.undo()
    assert (one.hint(WHY), one.hints) == (first, WHY)


def test_the_solution_counts_as_a_piece_laid_and_once() -> None:
    one = begun()
    one.hint(WHERE)
    moves = one.solution()
    assert len(moves) == 13
    assert one.solution() == moves
    assert one.hints == LAY
    for text in moves:
        one.play(text)
    assert one.match.solved
    assert (one.solution(), one.hint().name, one.hints) == ((), "done", LAY)


def test_no_hint_where_there_is_no_way_on() -> None:
    one = begun()
    one.play("S1:a1-b1-b2-c2")
    assert one.check().moves == ("S1:a1-b1-b2-c2",)
    assert (one.hint().name, one.solution(), one.hints) == ("lost", (), 0)


def test_the_clock_stops_when_it_is_solved_and_goes_on_after_an_undo() -> None:
    watch = Watch()
    one = PuzzleSession(fresh("tetrods"), clock=watch)
    watch.now += 60
    for text in one.solution():
        one.play(text)
    assert one.seconds == 60
    watch.now += 60
    assert one.seconds == 60
    one.undo()
    watch.now += 5
    assert one.seconds == 125


def test_what_is_kept_between_two_visits() -> None:
    watch = Watch()
    one = PuzzleSession(fresh("hepta-solo"), clock=watch)
    one.hint(WHY)
    one.mark(["I-a1"])
    watch.now += 90
    match = ludotheque.load(one.match.save())
    again = PuzzleSession(
        match,
        undone=one.undone,
        told=one.told,
        given=one.hints,
        pencilled=one.pencilled,
        seconds=one.seconds,
        clock=watch,
    )
    watch.now += 10
    assert (again.seconds, again.hints, again.marks) == (100, WHY, ["I-a1"])
    again.hint(WHY)
    assert again.hints == WHY, "it was told before"


def test_what_an_earlier_version_told_is_paid_for() -> None:
    """It counted every elimination as a hint of its own."""
    one = PuzzleSession(fresh("tetrods"), told=57, given=57)
    one.hint(WHY)
    assert (one.told, one.hints) == (LAY, 57)


@pytest.mark.parametrize(("cards", "deserved"), [(10, "praise-ten"), (11, "praise-eleven"), (12, None)])
def test_ten_cards_deserve_more_than_eleven(cards: int, deserved: str | None) -> None:
    one = begun("pegs-solo", cards=cards, pegs=[name for name in NAMES if name not in BARE])
    used = {text.partition("@")[0] for text in TEN}
    for _ in range(cards - 10):
        spare = next(text for text in one.match.moves(0) if "@" in text and text.partition("@")[0] not in used)
        one.play(spare)
    for text in TEN:
        one.play(text)
    assert kind("pegs-solo").praise(one.match.state) == deserved


def test_pegs_are_hinted_at_until_all_are_there() -> None:
    one = begun("pegs-solo")
    assert (one.hint().name, one.hint().name) == ("where-peg", "peg")
    given = begun("pegs-solo", cards=10, pegs=[name for name in NAMES if name not in BARE])
    where, card = given.hint(), given.hint()
    assert (where.name, count(where.cells)) == ("where-card", 1)
    assert card.name.startswith("card-")
    assert count(card.cells) == 6
    assert where.cells & card.cells == where.cells


def test_marks_are_undone_and_redone_in_the_order_of_things() -> None:
    one = begun()
    one.mark(["L3-a1", "b2"])
    one.play(FIRST)
    one.mark(["b2"])
    assert one.marks == ["L3-a1"]
    assert one.undo() == "b2"
    assert one.marks == ["L3-a1", "b2"]
    assert (one.undo(), one.undo()) == (FIRST, "L3-a1 b2")
    with pytest.raises(UndoRefused):
        one.undo()
    assert (one.redo(), one.redo(), one.redo(), one.redo()) == ("L3-a1 b2", FIRST, "b2", None)
    assert (one.moves, one.marks) == ([FIRST], ["L3-a1"])


def test_a_mark_ends_no_redo_of_moves() -> None:
    one = begun()
    one.play(FIRST)
    one.undo()
    one.mark(["b2"])
    assert one.redo() == FIRST
    assert one.marks == ["b2"]


def test_a_cleared_board_has_no_marks_and_both_come_back() -> None:
    one = begun()
    one.mark(["b2"])
    one.play(FIRST)
    one.restart()
    assert (one.moves, one.marks) == ([], [])
    assert (one.redo(), one.redo()) == ("b2", FIRST)
    assert one.marks == ["b2"]


def test_noting_sets_marks_and_takes_none_away() -> None:
    one = begun()
    one.note(["b2", "L3-a1"])
    one.note(["b2", "I1-a1"])
    assert one.marks == ["b2", "L3-a1", "I1-a1"]
    one.note(["b2"])
    assert len(one.pencilled) == 2


def test_ever_so_many_changes_become_few() -> None:
    one = begun()
    one.mark(["c3"])
    for _ in range(pencil.MAX_CHANGES + 3):
        one.mark(["b2"])
    assert len(one.pencilled) == pencil.MAX_CHANGES
    assert one.marks == ["c3", "b2"] if pencil.MAX_CHANGES % 2 == 0 else ["c3"]


@pytest.mark.parametrize(
    ("key", "text", "marks"),
    [
        ("tetrods", "d4", ["d4"]),
        ("tetrods", "l3 d4, E5", ["L3-d4", "L3-e5"]),
        ("tetrods", "L3-d4 d5 M d6 d6", ["L3-d4", "d5", "M-d6"]),
        ("hepta-solo", "I a1", ["I-a1"]),
        ("pegs-solo", "17 a1 35-g7", ["17-a1", "35-g7"]),
    ],
)
def test_marks_as_people_write_them(key: str, text: str, marks: list[str]) -> None:
    assert pencil.read(kind(key), text) == marks


@pytest.mark.parametrize("text", ["", "L3", "h9", "L9 d4", "L3-d9", "<b>", "d4 x"])
def test_what_is_no_mark_is_refused(text: str) -> None:
    with pytest.raises(BadOption) as refused:
        pencil.read(kind("tetrods"), text)
    assert refused.value.code == "bad-mark"


def test_marks_lie_over_the_picture() -> None:
    one = begun()
    assert render_match(one.match, 0, over=marks(one.hint(WHY).cells)).count('id="marks"') == 1
    assert marks(0) == ""
