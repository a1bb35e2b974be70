"""A story in beats says what the page says, holds what is lost, ends legs, and tells no more than may be known."""

import json
import re
from itertools import pairwise, product
from random import Random

import pytest

import ludotheque
from ludotheque import words
from ludotheque.match import Match
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.web.models import Seat
from ludotheque.web.screen import history, narration, people
from ludotheque.web.screen.narration import Scene, Teller
from ludotheque.web.screen.screen import Known, screen
from ludotheque.web.table import actions
from web.people import Round, seated

NAMES = ["Ada", "Bob", "Cleo", "Dan"]


def told(match: Match, seat: int | None = 0, lang: str = "en") -> list[Scene]:
    return narration.story(match, Teller(seat, NAMES[: match.seats], lang))


def cut_pizza() -> Match:
    match = ludotheque.game("pizza").match(seats=3, seed=1)
    for seat, text in enumerate(("a1", "g4", "b1")):
        match.play(seat, text)
    return match


def finished_leg(key: str = "hepta", legs: int = 2) -> Match:
    """A series after the last move of its first leg."""
    random, match = Random(3), ludotheque.game(key).match(seats=2, seed=1, legs=legs)
    while match.leg == 0 and not match.over:
        match.play(match.to_act[0], random.choice(match.moves(match.to_act[0])))
    return match


@pytest.mark.parametrize("box", [box for box in ludotheque.games() if max(box.seats) > 1], ids=lambda box: box.key)
def test_the_beats_say_what_the_page_says(box: ludotheque.Box) -> None:
    seats = max(box.seats)
    table, random = seated(box.key, seats), Random(box.key)
    for _ in range(12):
        match = table.match
        if match.over:
            break
        seat = random.choice([actor for actor in match.to_act if isinstance(actor, int)])
        table.play(seat, random.choice(match.moves(seat)))
        for lang in words.LANGUAGES:
            shown = table.screen("ada", lang)
            spoken = narration.in_words(shown["story"])
            assert spoken
            html = shown["html"]
            happened = html[html.index('id="happened"') :].partition(">")[2].partition("</p>")[0]
            assert happened == spoken.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")


def test_a_quiet_move_lets_the_turn_begin_and_a_settlement_holds_it_back() -> None:
    match = cut_pizza()
    assert [scene["holds"] for scene in told(match)] == [False]
    for seat in range(2):
        match.play(seat, "cut 3")
    assert [(scene["holds"], scene["aside"]) for scene in told(match)] == [(False, True)], "Bob has chosen"
    assert [(scene["holds"], scene["aside"]) for scene in told(match, 1)] == [(False, False)], "he sees his knife"
    match.play(2, "cut 3")
    (scene,) = told(match)
    assert scene["holds"]
    assert "cuts" in scene["beats"][0]["say"]
    assert not any("replaces" in beat["say"] for beat in scene["beats"][:1]), "first the knives, then what they did"


def test_the_same_of_several_places_is_one_sentence() -> None:
    spoken = []
    for lines in product(range(1, 7), repeat=3):
        match = cut_pizza()
        for seat, line in enumerate(lines):
            match.play(seat, f"cut {line}")
        spoken += [beat["say"] for scene in told(match) for beat in scene["beats"]]
    assert any(" and " in sentence and sentence.count("replaces") == 1 for sentence in spoken)


def test_cards_drawn_together_are_one_sentence() -> None:
    match = ludotheque.game("pegs").match(seats=2, seed=1)
    for cell in ("a1", "b2", "c3", "d4", "e5", "f6", "g7"):
        match.play(0, cell)
    match.play(1, "done")
    (scene,) = told(match)
    assert [beat["say"].count("draws") for beat in scene["beats"]] == [1, 0, 0, 0]
    assert re.search(r"Ada draws cards \d+, \d+ and \d+\.$", scene["beats"][0]["say"])
    shown = [
        {str(motion["what"]) for motion in beat["motions"] if isinstance(motion, dict)} for beat in scene["beats"][1:]
    ]
    assert all(len(each) == 2 for each in shown), "one after the other, each with its number"


def test_what_is_taken_back_is_no_story() -> None:
    table = seated("hepta", 2)
    table.play(0, "a1")
    assert table.screen("ada")["story"]
    actions.ask_undo(table.id, "ada", 0)
    shown = table.screen("ada")
    assert shown["story"] == []
    assert shown["events"] == 0


# Legs


@pytest.mark.parametrize("key", ["hepta", "tfortwo"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_end_of_a_leg_shows_the_finished_board_the_score_and_the_new_roles(key: str, lang: str) -> None:
    match = finished_leg(key)
    finished, begun = told(match, lang=lang)
    ended = match.at_leg_end()
    assert ended is not None
    assert finished["picture"] == render_match(ended, 0, style=False, lang=lang)
    assert finished["picture"] != render_match(match, 0, style=False, lang=lang)
    assert not begun["picture"], "that of the screen"
    assert finished["holds"]
    assert begun["holds"]
    points = [ended.game.scores(ended.state)[ended.role(seat)] for seat in range(2)]
    assert all(f"{number} " in finished["beats"][-1]["say"] for number in points)
    assert sum(points) == sum(match.scores)
    roles = [people.role(match, seat, lang) for seat in range(2)]
    assert all(f"{name} ({role})" in begun["beats"][0]["say"] for name, role in zip(NAMES, roles, strict=False))


def test_who_is_shut_out_in_hepta_is_told_so_once_and_why_the_leg_is_over() -> None:
    """A player who is passed over, or sees a leg end with pieces left, need not guess why."""
    random, alone = Random(3), 0
    for _ in range(12):
        match, spoken = ludotheque.game("hepta").match(seats=2, seed=1, legs=1), list[str]()
        while not match.over:
            match.play(match.to_act[0], random.choice(match.moves(match.to_act[0])))
            spoken.append(narration.in_words(told(match)))
        seats = [actor for actor, _ in match.events[8:]]
        twice = next((number for number, pair in enumerate(pairwise(seats), 8) if pair[0] == pair[1]), None)
        named = [number for number, said in enumerate(spoken) if "from now on" in said]
        assert len(named) <= 1
        assert twice is None or named[0] <= twice, "before it happens"
        assert spoken[-1].endswith("Nobody can lay anything any more.")
        alone += len(named)
    assert alone


def test_the_last_leg_has_its_score_and_no_roles() -> None:
    match = finished_leg(legs=1)
    (scene,) = told(match)
    assert "Leg" not in narration.in_words([scene])
    series, random = finished_leg(), Random(4)
    while not series.over:
        series.play(series.to_act[0], random.choice(series.moves(series.to_act[0])))
    (last,) = told(series)
    assert last["beats"][-1]["say"].startswith("Leg 2:")
    assert last["holds"], "the result waits"


def test_the_last_step_of_a_leg_is_its_finished_board_and_the_present_comes_after() -> None:
    match = finished_leg()
    boards = frames(match, 0)
    ended = match.at_leg_end()
    assert ended is not None
    assert len(boards) == match.length + 1, "links to steps stay what they were"
    assert (boards[-1].leg, boards[-1].state) == (0, ended.state)
    assert history.last_step(match, 0) == match.length + 1
    match.play(match.to_act[0], match.moves(match.to_act[0])[0])
    assert frames(match, 0)[-2].state == ended.state
    assert frames(match, 0)[-1].leg == 1
    assert history.last_step(match, 0) == match.length


@pytest.mark.parametrize(("lang", "names"), [("en", ["Player 1", "Bob"]), ("fr", ["Joueur 1", "Bob"])])
def test_an_unnamed_player_keeps_one_name_through_a_series(lang: str, names: list[str]) -> None:
    seats = [Seat(number=0, kind=Seat.Kind.PERSON), Seat(number=1, kind=Seat.Kind.PERSON, name="Bob")]
    series = finished_leg()
    assert people.names(series.before(1), seats, lang) == people.names(series, seats, lang) == names
    single = ludotheque.game("hepta").match(seats=2, seed=1, legs=1)
    assert people.names(single, seats, lang)[0] == people.role(single, 0, lang)
    computers = [Seat(number=number, kind=Seat.Kind.COMPUTER) for number in range(2)]
    assert len(set(people.names(series, computers, lang))) == 2


# Marks


def place(table: Round, seat: int, cell: str) -> str:
    """Place the first open flea of a seat there, or near."""
    texts = [text for text in table.match.moves(seat) if "@" in text]
    text = next((text for text in texts if text.endswith(cell)), texts[0])
    table.play(seat, text)
    return text.partition("@")[2]


def test_the_last_flea_of_everybody_else_stays_marked() -> None:
    table = seated("hundsgemein", 4)
    cells = [place(table, seat, cell) for seat, cell in enumerate(("a1", "g7", "a7", "g1"))]
    marks = table.screen("ada")["last"]
    assert {f"block-{cell}" for cell in cells[1:]} <= set(marks)
    assert f"block-{cells[0]}" not in marks
    assert [mark for mark in marks if mark.startswith("open-")] in (
        [],
        [m for m in marks if m.startswith("open-3-")],
    ), "whose the earlier fleas are is not told again"
    assert f"block-{cells[3]}" in table.screen("stranger")["last"]
    assert f"block-{cells[1]}" not in table.screen("stranger")["last"], "a spectator sees the last move"


def test_an_answer_takes_no_flea_s_mark_away() -> None:
    """Objections and consent are no moves of one's own, and do not stand for the move of whoever answers."""
    table = seated("hundsgemein", 4, referee="table")
    cells = [place(table, seat, cell) for seat, cell in enumerate(("a1", "g7", "a7", "g1"))]
    fleas = {f"block-{cell}" for cell in cells}
    table.play(1, "object")
    assert fleas & set(table.screen("ada")["last"]) == fleas - {f"block-{cells[0]}"}
    table.play(0, "object")
    assert fleas & set(table.screen("ada")["last"]) == fleas - {f"block-{cells[0]}"}, "she has answered, not moved"
    assert fleas & set(table.screen("bob")["last"]) == {f"block-{cell}" for cell in cells[2:]}


def test_what_is_forgotten_is_marked_once_a_seat() -> None:
    """Of several fleas of one opponent only the last: that they are all the same opponent's is not told again."""
    table = seated("hundsgemein", 3)
    cells = [place(table, seat, cell) for seat, cell in ((0, "a1"), (1, "g7"), (2, "a7"), (0, "d1"), (1, "g1"))]
    marks = set(table.screen("cleo")["last"])
    assert {f"block-{cell}" for cell in cells[3:]} <= marks
    assert not {f"block-{cell}" for cell in cells[:3]} & marks


def _begins_a_turn(match: Match) -> bool:
    (seat,) = match.to_act
    return isinstance(seat, int) and match.game.phase(match.seen(seat), match.role(seat)) == "peg"


def test_a_whole_turn_of_pegs_is_marked() -> None:
    """The peg and the cards laid, not only the card thrown out at the end."""
    table, touched = seated("pegs", 2), set[str]()
    table.play_at_once(16)
    while not _begins_a_turn(table.match):
        table.play_at_once(1)
    seat = next(actor for actor in table.match.to_act if isinstance(actor, int))
    began = table.match.length
    while table.match.to_act == (seat,):
        match = table.match
        texts = match.moves(seat)
        text = next((text for text in texts if not text.startswith(("drop", "done"))), texts[0])
        touched |= set(picture_of(match.game).picks(match.seen(seat), seat, match.game.numbers[text]))
        table.play(seat, text)
    assert table.match.length > began + 1
    marks = set(table.screen(("ada", "bob")[1 - seat])["last"])
    assert touched == marks


def test_a_button_pressed_in_one_s_turn_is_a_move() -> None:
    """White adds no peg of the opening: what Blue does then is marked, and not all seven pegs again."""
    table = seated("pegs", 2)
    for cell in ("a1", "b2", "c3", "d4", "e5", "f6", "g7"):
        table.play(0, cell)
    assert len(table.screen("bob")["last"]) == 7
    table.play(1, "done")
    table.play(0, "a2")
    assert table.screen("bob")["last"] == ["cell-a2"]


def test_one_s_own_move_is_marked_until_somebody_answers() -> None:
    table = seated("hepta", 2)
    table.play(0, "a1")
    assert table.screen("ada")["last"] == ["cell-a1"]
    assert table.screen("bob")["last"] == ["cell-a1"]


def test_a_sealed_choice_is_not_marked() -> None:
    table = seated()
    for seat, cell in enumerate(("a1", "g4", "b1")):
        table.play(seat, cell)
    before = table.screen("ada")["last"]
    table.play(1, "cut 2")
    assert table.screen("ada")["last"] == before


# What a page has missed


def test_a_page_that_comes_back_is_told_what_it_has_missed_since_its_own_move() -> None:
    table = seated("tricolore", 3)
    table.play(0, table.match.moves(0)[0])
    known = table.match.length
    for seat in (1, 2):
        table.play(seat, table.match.moves(seat)[0])
    shown = screen(table.id, "ada", "en", known=Known(known))
    assert len(shown["story"]) == 2
    assert [bool(scene["picture"]) for scene in shown["story"]] == [True, False]
    assert "Bob" in shown["story"][0]["beats"][0]["say"]
    assert len(screen(table.id, "ada", "en", known=Known(0))["story"]) == 3, "its own last move and what followed"
    assert len(screen(table.id, "ada", "en", known=Known(table.match.length))["story"]) == 1


def test_who_claims_to_have_missed_everything_is_not_told_what_is_forgotten() -> None:
    table = seated("hundsgemein", 4)
    cells = [place(table, seat, cell) for seat, cell in enumerate(("a1", "g7", "a7", "g1"))]
    claimed = screen(table.id, "stranger", "en", known=Known(0))
    assert len(claimed["story"]) == 1
    assert f"on {cells[1]}" not in json.dumps(claimed["story"])
    live = screen(table.id, "ada", "en", known=Known(0, live=True))
    assert f"on {cells[1]}" in json.dumps(live["story"]), "a page that was connected would have seen it"
