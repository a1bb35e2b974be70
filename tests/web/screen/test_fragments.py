"""Only what changed is sent, and the page comes to the same as if everything had been."""

import json
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludotheque
from ludotheque.web.screen import screen
from ludotheque.web.screen.fragments import SentPage, splice
from ludotheque.web.screen.moves import Move
from ludotheque.web.screen.viewer import viewer_of
from ludotheque.web.table import actions, cache, moves, seating
from web.connections import Reader, put_together
from web.people import VISITORS, Round, seated

TEXTS = st.text(alphabet="ab<é😀", max_size=12)

# Beside Redis a worker listens in this process. It uses `random`, which hypothesis takes for our doing.
beside_a_worker = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")


@beside_a_worker
@given(TEXTS, TEXTS)
def test_a_splice_makes_the_old_text_the_new_one(old: str, new: str) -> None:
    at, gone, text = splice(old, new)
    assert put_together(old, at, gone, text) == new


@beside_a_worker
@given(TEXTS, TEXTS, TEXTS)
def test_a_splice_has_nothing_that_both_begin_or_end_with(head: str, middle: str, tail: str) -> None:
    assert len(splice(head + tail, head + middle + tail)[2]) <= len(middle)


@pytest.mark.parametrize("game", [box.key for box in ludotheque.games()])
def test_pages_that_get_changes_show_what_the_server_drew(game: str) -> None:
    seats = min(ludotheque.game(game).seats)
    table, random = seated(game, seats), Random(1)
    pages = {visitor: (SentPage(), Reader()) for visitor in (*VISITORS[:seats], "nobody")}
    whole, sent = 0, 0
    for _ in range(25):
        cached = cache.read(table.table)
        for visitor, (page, reader) in pages.items():
            viewer = viewer_of(cached.state, cached.seats, visitor, -1)
            facts, html = screen.render(cached, viewer, "fr", page.fragments)
            message = json.dumps(facts | page.update(html, facts["seat"], facts["moves"]))
            complete = reader.complete(json.loads(message))
            anew = screen.screen(table.id, visitor, "fr")
            assert complete["html"] == anew["html"]
            assert complete["moves"] == json.loads(json.dumps(anew["moves"]))
            whole, sent = whole + len(json.dumps(anew)), sent + len(message)
        if table.match.over:
            break
        seat = random.choice([actor for actor in table.match.to_act if actor != "luck"])
        table.play(seat, random.choice(table.match.moves(seat)))
        table.table.refresh_from_db()
    assert sent < whole


def test_a_move_is_sent_whole_whenever_what_to_touch_has_changed() -> None:
    page, reader = SentPage(), Reader()
    for cell in ("a1", "a1", "b2", "b2", "a1"):
        told_moves: list[Move] = [("first", (f"cell-{cell}",), None, ""), ("second", ("cell-c3",), None, "")]
        told = json.loads(json.dumps([page._named(move) for move in told_moves]))
        assert reader.complete({"moves": told})["moves"] == json.loads(json.dumps(told_moves))
    assert told == [["first", ["cell-a1"], None, ""], "second"]


def test_a_list_of_moves_goes_on_after_moves_were_taken_back() -> None:
    table = seated("hepta", 2)
    for deeds in (("d4", "e5"), ("undo", "a1"), ("undo", "undo", "e5", "g7"), ("undo",), ("b2", "undo", "c3")):
        for what in deeds:
            if what == "undo":
                actions.ask_undo(table.id, "ada", 0)
            else:
                table.play(0, what)
        drawn = table.screen("bob")["html"]
        shown = [text for _, text in table.match.shown(1)]
        assert re.findall(r"</span> ([a-g][1-7])</code>", drawn) == shown
    assert shown == ["e5", "c3"]


@pytest.mark.parametrize("game", ["hundsgemein", "pizza"])
def test_nothing_of_another_seat_stays_folded_away(game: str) -> None:
    """Two people share a screen: whoever it is handed to has a page of their own."""
    table = seating.open_table(game, 2, {})
    for seat in (0, 1):
        seating.sit(table.id, "ada", seat, f"Ada {seat}")
    page, reader, random, shared = SentPage(), Reader(), Random(1), Round(table)
    for _ in range(12):
        seat = int(shared.match.to_act[0])
        cached = cache.read(table)
        for wanted in (-1, seat, 1 - seat):
            viewer = viewer_of(cached.state, cached.seats, "ada", wanted)
            before, folded = page.seat, page.shows(viewer.seat)
            facts, html = screen.render(cached, viewer, "fr", page.fragments, folded=folded)
            message = facts | page.update(html, facts["seat"], facts["moves"])
            complete = reader.complete(json.loads(json.dumps(message)))
            if facts["seat"] != before:
                assert complete["html"] == screen.screen(table.id, "ada", "fr", wanted)["html"]
        moves.play(table.id, "ada", seat, random.choice(shared.match.moves(seat)), version=cached.state.version)
        table.refresh_from_db()
