"""Somebody at a puzzle: what is taken back and put back, told, counted and timed."""

import pytest

import ludotheque
from ludotheque import IllegalMove, UndoRefused
from ludotheque.board.bits import count
from ludotheque.board.square import NAMES
from ludotheque.pictures.kit.square import marks
from ludotheque.pictures.output.render import render_match
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


@pytest.mark.parametrize("key", ["tetrods", "hepta-solo"])
def test_hints_lead_to_a_move_and_the_last_counts_once(key: str) -> None:
    one = begun(key)
    last = one.hint()
    assert (last.number, one.hints) == (1, 1)
    while last.number < last.last:
        last = one.hint()
    assert one.hints == last.last
    assert one.hint() == last
    assert one.hints == last.last
    assert last.cells
    assert all("{" not in last.say(lang) for lang in LANGUAGES)
    one.play(last.move)
    assert one.hint().number == 1
    assert one.hints == last.last + 1


def test_a_hint_told_before_a_detour_is_not_told_twice() -> None:
    one = begun()
    first = one.hint()
    one.play("S1:a1-a2-b2-b3")
    one.undo()
    assert (first.number, one.hint().number, one.hints) == (1, 2, 2)


def test_the_solution_counts_once() -> None:
    one = begun()
    moves = one.solution()
    assert len(moves) == 13
    assert one.solution() == moves
    assert one.hints == 1
    for text in moves:
        one.play(text)
    assert one.match.solved
    assert (one.solution(), one.hint().name, one.hints) == ((), "done", 1)


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
    one.hint()
    one.solution()
    watch.now += 90
    match = ludotheque.load(one.match.save())
    again = PuzzleSession(match, undone=one.undone, told=one.told, given=one.hints, seconds=one.seconds, clock=watch)
    watch.now += 10
    assert (again.seconds, again.hints) == (100, 2)
    assert (again.hint().number, again.hints) == (1, 2), "it was told before"


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
    assert one.hint().name == "peg"
    given = begun("pegs-solo", cards=10, pegs=[name for name in NAMES if name not in BARE])
    card = given.hint()
    assert card.name == "card"
    assert count(card.cells) == 6
    assert given.hint() == card
    assert given.hints == 1


def test_marks_lie_over_the_picture() -> None:
    one = begun()
    assert render_match(one.match, 0, over=marks(one.hint().cells)).count('id="marks"') == 1
    assert marks(0) == ""
