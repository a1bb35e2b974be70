"""Computer players are asked in other processes and their moves are events like all others."""

import time
from collections.abc import Callable

from django.test.utils import override_settings

from ludotheque.web import actions, thinking
from ludotheque.web.models import Event, Table
from ludotheque.web.questions import Question, answer
from web.people import Round

FIRST = "web.thinkers:first"


def table_with_computer() -> Round:
    table = actions.open_table("hepta", 2, {"legs": 1})
    actions.sit(table.id, "bob", 1, "Bob")
    actions.seat_computer(table.id, 0, "3")
    return Round(Table.objects.get(pk=table.id))


def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(400):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def test_a_question_is_answered_like_in_the_other_process() -> None:
    question = Question("hepta", 2, {"legs": 1}, ((0, "a1"),), 0, "3")
    assert answer(question, FIRST) == "a2"


def test_computer_players_move_until_it_is_my_turn() -> None:
    with override_settings(THINKER=FIRST):
        table = table_with_computer()
        wait_until(lambda: table.match.to_act == (1,))
        assert [text for _, text in table.match.events] == ["a1", "a2", "a3", "a4", "a5", "a6", "a7"]
        table.play(1, "I")
        wait_until(lambda: table.match.to_act == (1,))


def test_after_a_restart_they_go_on_once() -> None:
    table = table_with_computer()  # nobody thinks yet
    with override_settings(THINKER=FIRST):
        thinking.wake_all()
        thinking.wake_all()
        wait_until(lambda: table.match.to_act == (1,))
    numbers = list(Event.objects.filter(table=table.table, kind="move").values_list("text", flat=True))
    assert numbers == ["a1", "a2", "a3", "a4", "a5", "a6", "a7"]


def test_without_a_thinker_nothing_happens() -> None:
    table = table_with_computer()
    thinking.wake_all()
    assert table.match.events == []
