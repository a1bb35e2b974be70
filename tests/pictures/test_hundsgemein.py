"""Hundsgemein's picture: owners stay hidden until the end, and then the streets are settled one by one."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

import ludotheque
from ludotheque import Match, words
from ludotheque.board.square import NAMES
from ludotheque.games.hundsgemein import GAME
from ludotheque.games.hundsgemein.scoring import scores, taker, winners
from ludotheque.games.hundsgemein.state import LINES, OVER, STREETS, TEXTS, State, open_fleas
from ludotheque.pictures.hundsgemein import PICTURE
from ludotheque.pictures.hundsgemein.geometry import SIZE
from ludotheque.pictures.hundsgemein.pieces import COLOURS
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.output.registry import stylesheet_of

DEAL = ["dog Rex"] * 3 + ["dog Fifi"] * 3 + ["dog Daisy"] * 3 + ["dog Zorro"] * 3
TWO = ["flip A", "flip A", "flip B", "flip C"]  # what two seats turn up: twins for the first

every_way = pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"expert": True}),
        (4, {}),
        (2, {"referee": "table"}),
        (4, {"referee": "table"}),
        (3, {"referee": "table", "owners": "open"}),
        (4, {"owners": "open"}),
    ],
)


class Event(NamedTuple):
    """What happened, and the pictures before and after it as a spectator sees them."""

    text: str
    before: State
    after: State
    steps: list[AnimationStep]


def played(*texts: str, seats: int = 2, **options: object) -> Match:
    match = ludotheque.game("hundsgemein").match(seats, luck=None, **options)  # type: ignore[arg-type]
    for text in texts:
        play(match, text)
    return match


def play(match: Match, text: str) -> Event:
    """A move by the first who may make it, or by the seat it names: `1: object`."""
    named = re.fullmatch(r"(\d): (.*)", text)
    actor = int(named[1]) if named else next(actor for actor in match.to_act if text in match.moves(actor))
    before, move = seen(match), named[2] if named else text
    match.play(actor, move)
    news = ((match.role(actor), TEXTS.index(move)),)
    return Event(move, before, seen(match), PICTURE.steps(before, news, seen(match)))


def walk(seats: int, options: dict[str, object], seed: int = 1) -> Iterator[tuple[Match, Event]]:
    """A whole match at random, placing rather than throwing away."""
    random, match = Random(seed), played(seats=seats, **options)
    while not match.over:
        actor = random.choice(match.to_act)
        texts = match.moves(actor)
        placing = [text for text in texts if "@" in text]
        text = random.choice(placing if placing and random.random() < 0.9 else texts)
        yield match, play(match, text if actor == "luck" else f"{actor}: {text}")


def seen(match: Match) -> State:
    view = match.seen(None)
    assert isinstance(view, State)
    return view


def shown(state: State) -> str:
    return PICTURE.draw(state, -1, ())


def tree(svg: str) -> ET.Element:
    return ET.fromstring(f"<g>{svg}</g>")  # noqa: S314


def named(state: State) -> dict[str, ET.Element]:
    return {part.attrib["id"]: part for part in tree(shown(state)).iter() if "id" in part.attrib}


def uses(part: ET.Element) -> list[str]:
    return [copy.attrib["href"].removeprefix("#hund-") for copy in part.iter("use")]


def said(part: ET.Element) -> str:
    return part.findtext("title") or ""


def owner(state: State, cell: int) -> int:
    return next(seat for seat in range(state.seats) if state.owners[seat] >> cell & 1)


def told(steps: list[AnimationStep]) -> list[str]:
    """The steps in words, seats by their colour."""
    found = []
    for step in steps:
        if step.sentence:
            values = {name: COLOURS[int(value)] if "seat:" in name else value for name, value in step.values}
            plain = {name.removeprefix("seat:"): value for name, value in values.items()}
            found.append(words.say("hundsgemein", "en", "steps", step.sentence, seat="Ada", **plain))
    return found


@every_way
def test_steps_lead_from_one_picture_to_the_next_until_the_end(seats: int, options: dict[str, object]) -> None:
    for _, event in walk(seats, options):
        before, after = set(named(event.before)), set(named(event.after))
        gone = {step.element for step in event.steps if step.kind == "go"}
        moved = {step.element: step.to for step in event.steps if step.to}
        new = {step.element for step in event.steps if step.kind == "appear"}
        assert (before - gone - moved.keys()) | set(moved.values()) | new == after
        assert gone | moved.keys() <= before
        assert new.isdisjoint(before)
        assert {step.element for step in event.steps if step.kind == "show"} <= before
        assert [step.order for step in event.steps] == sorted(step.order for step in event.steps)
        assert told(event.steps)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_before_the_end_only_the_last_flea_has_an_owner(seats: int) -> None:
    for match, event in walk(seats, {"referee": "table"}):
        if match.over:
            break
        drawn = named(event.after)
        fleas = [part for name, part in drawn.items() if name.startswith("flea-")]
        assert all(part.attrib["href"].removeprefix("#hund-") in "ABCD" for part in fleas)
        assert all(re.fullmatch("[a-g][1-7]: flea [A-D]", said(part)) for part in fleas)
        if "last" in drawn:
            seat = owner(event.after, event.after.last)
            assert uses(drawn["last"]) == [str(seat)]
            assert said(drawn["last"]) == f"last flea: {NAMES[event.after.last]}, {COLOURS[seat]}"
        assert ("last" in drawn) == (event.after.last >= 0)
        assert not any(
            use.isdigit() for street in STREETS for use in uses(drawn.get(f"dog-{street}", ET.Element("g")))
        )
        assert "points" not in shown(event.after)


@every_way
def test_in_the_end_fleas_and_dogs_show_whose_they_are(seats: int, options: dict[str, object]) -> None:
    *_, (match, event) = walk(seats, options, seed=5)
    end, drawn = event.after, named(event.after)
    assert match.over
    for kind, fleas in zip("ABCD", end.fleas, strict=True):
        for cell in (cell for cell in range(49) if fleas >> cell & 1):
            assert drawn[f"flea-{NAMES[cell]}"].attrib["href"] == f"#hund-{owner(end, cell)}{kind}"
    fates = {street: said(drawn[f"dog-{street}"]).partition(", ")[2] for street in STREETS}
    takers = [taker(end, number) for number in range(len(STREETS))]
    assert list(fates.values()) == ["gets away" if seat < 0 else COLOURS[seat] for seat in takers]
    for seat in range(seats):
        tray = ET.tostring(drawn[f"tray-{seat}"], encoding="unicode")
        assert f"<title>points: {scores(end)[seat]}</title>" in tray
        assert ("hundsgemein-star" in tray) == bool(winners(end) >> seat & 1)
    assert "last" not in drawn


def test_with_open_owners_the_streets_show_how_they_stand() -> None:
    match = played(*DEAL, *TWO, owners="open")
    event = play(match, "A@a1")
    drawn = named(event.after)
    assert drawn["flea-a1"].attrib["href"] == "#hund-0A"
    assert uses(drawn["last"]) == []
    assert [street for street in STREETS if "0" in uses(drawn[f"dog-{street}"])] == ["h1", "v1"]
    assert told(event.steps) == [
        "Ada places a flea A on a1.",
        "red is ahead in street h1 now.",
        "red is ahead in street v1 now.",
    ]
    play(match, "flip D")
    assert told(play(match, "B@b1").steps)[1:] == [
        "Nobody is ahead in street h1 any more.",
        "Nobody is ahead in street v1 any more.",
        "green is ahead in street v2 now.",
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_at_the_end_each_flea_turns_before_the_first_dog_beside_it_is_taken(seats: int) -> None:
    *_, (_, event) = walk(seats, {}, seed=2)
    flips = {step.element: step for step in event.steps if step.element.startswith("flea-") and step.kind == "flip"}
    dogs = {step.element: step for step in event.steps if step.element.startswith("dog-")}
    landed = {
        step.to for step in event.steps if step.sentence == "place"
    }  # with its owner, and not turned over again
    assert flips.keys() == {name for name in named(event.after) if name.startswith("flea-")} - landed
    assert list(dogs) == [f"dog-{street}" for street in STREETS]
    for street, name in enumerate(STREETS):
        beside = LINES[2 * street] | LINES[2 * street + 1]
        fleas = [f"flea-{NAMES[cell]}" for cell in range(49) if beside & sum(event.after.fleas) & 1 << cell]
        assert all(flips[flea].order < dogs[f"dog-{name}"].order for flea in fleas if flea not in landed)
    assert Counter(step.sentence for step in flips.values() if step.sentence) == {"reveal": 1}
    points = Counter[int]()
    for step in dogs.values():
        values = dict(step.values)
        points[int(values.get("seat:owner", -1))] += int(values.get("points", 0))
    assert [points[seat] for seat in range(seats)] == list(scores(event.after)[:seats])
    assert [dict(step.values)["points"] for step in event.steps if step.sentence == "score"] == [
        str(points[seat]) for seat in range(seats)
    ]


def test_the_end_tells_no_result_before_its_turn() -> None:
    """Whatever shows who wins changes with the sentence that says so: no dog, no street, no points before."""
    *_, (_, event) = walk(3, {}, seed=2)
    changed = {step.element: step for step in event.steps if step.kind in ("flip", "appear")}
    before, after = named(event.before), named(event.after)
    for street in STREETS:
        dog, lane = f"dog-{street}", f"lane-{street}"
        assert changed[dog].sentence in ("taken", "free")
        assert (lane in changed) == (before[lane].attrib != after[lane].attrib) == (changed[dog].sentence == "taken")
        assert lane not in changed or changed[lane].order == changed[dog].order
    last = max(step.order for step in event.steps)
    assert {name for name, step in changed.items() if step.order == last} == {f"points-{seat}" for seat in range(3)}


def test_picks_are_a_flea_and_where_it_goes() -> None:
    state = seen(played(*DEAL, *TWO))
    texts = ("A@c3", "drop A", "drop A A")
    assert [PICTURE.picks(state, 0, TEXTS.index(text)) for text in texts] == [
        ("open-0-A", "block-c3"),
        ("open-0-A", "bin"),
        ("both",),
    ]
    assert [PICTURE.picks(state, 1, TEXTS.index(text)) for text in ("object", "accept")] == [("object",), ("accept",)]


def test_two_of_a_type_are_one_thing_to_touch_and_leave_one_after_the_other() -> None:
    match = played(*DEAL, *TWO)
    drawn = named(seen(match))
    assert drawn["open-0-A"].find("g[@id='open-0-A-2']") is not None
    event = play(match, "A@c3")
    assert event.steps[0][:5] == ("move", "open-0-A-2", 0, "flea-c3", "place")
    assert told(play(match, "flip A").steps) == ["red turns up a flea A."]
    assert "open-0-A-2" in named(seen(match))
    play(match, "drop B C")
    match = played(*DEAL, *TWO)
    event = play(match, "drop A A")
    assert {step.element for step in event.steps} == {"open-0-A", "open-0-A-2"}
    assert told(event.steps) == ["Ada throws away both fleas, A and A."]


def test_ghosts_lie_where_the_flea_would() -> None:
    state = seen(played(*DEAL, *TWO))
    (flea,) = tree(PICTURE.ghost(state, 0, TEXTS.index("A@c3"))).iter("use")
    block = named(state)["block-c3"].attrib
    assert flea.attrib["href"] == "#hund-A"
    assert float(flea.attrib["x"]) == float(block["x"]) + float(block["width"]) / 2
    assert float(flea.attrib["y"]) == float(block["y"]) + float(block["height"]) / 2
    assert uses(tree(PICTURE.ghost(state, 0, TEXTS.index("drop A A")))) == ["A", "A"]


def test_the_buttons_of_the_referee_at_the_table_come_and_go() -> None:
    match = played(*DEAL, *TWO, referee="table")
    assert "object" not in named(seen(match))
    event = play(match, "A@d4")
    assert ("appear", "object") in {step[:2] for step in event.steps}
    assert "object" in named(event.after)
    play(match, "flip B")
    assert "may object" in ET.tostring(named(seen(match))["tray-1"], encoding="unicode")
    ghost = PICTURE.ghost(seen(match), 1, TEXTS.index("object"))
    assert tree(ghost).find("path[@class='hundsgemein-cross']") is not None
    event = play(match, "1: object")
    assert told(event.steps) == ["Ada objects to the flea on d4, and rightly: it is out of the game."]
    assert {"flea-d4", "last", "object"}.isdisjoint(named(event.after))


def test_an_objection_without_reason_changes_nothing_but_the_right_to_another() -> None:
    match = played(*DEAL, *TWO, "A@a1", "flip B", referee="table")
    event = play(match, "1: object")
    assert told(event.steps) == ["Ada objects to the flea on a1, but it was placed by the rules and stays."]
    drawn = named(event.after)
    assert "flea-a1" in drawn
    assert "object" not in drawn


def test_the_end_waits_for_a_button() -> None:
    offered = 0
    for match, event in walk(2, {"referee": "table"}, seed=3):
        waits = match.game.phase(match.state, event.after.turn).startswith("accept")
        assert ("accept" in named(event.after)) == waits
        if event.text == "accept":
            assert told(event.steps)[0] == "Ada accepts the end."
        offered += waits
    assert offered


def test_throwing_away_is_offered_when_there_is_something_to_throw() -> None:
    for _, event in walk(3, {}, seed=4):
        state, drawn = event.after, named(event.after)
        fleas = len(open_fleas(state, state.turn)) if GAME.phase(state, state.turn) == "play" else 0
        idle = {name for name in ("bin", "both") if "hundsgemein-idle" in drawn[name].attrib["class"]}
        assert idle == {name for name, number in (("bin", 1), ("both", 2)) if fleas < number}


@every_way
def test_trays_and_buttons_lie_side_by_side_on_the_picture(seats: int, options: dict[str, object]) -> None:
    (_, event), *_ = walk(seats, options)
    drawn = named(event.after)
    right = 0.0
    for name in [*(f"tray-{seat}" for seat in range(seats)), "bin"]:
        ground = drawn[name].find("rect")
        place = re.match(r"translate\(([\d.]+) ", drawn[name].attrib["transform"])
        assert ground is not None
        assert place is not None
        left = float(place[1]) + float(ground.attrib["x"])
        assert left > right
        right = left + float(ground.attrib["width"])
    assert right < SIZE[0]


@every_way
def test_every_class_and_every_shape_is_there(seats: int, options: dict[str, object]) -> None:
    css = stylesheet_of(GAME)
    for number, (_, event) in enumerate(walk(seats, options, seed=6)):
        if number % 10 == 0 or event.after.phase == OVER:
            parts = list(tree(shown(event.after)).iter())
            classes = {name for part in parts for name in part.attrib.get("class", "").split()}
            assert [name for name in classes if f".{name} {{" not in css and name not in ("coordinates", "key")] == []
            shapes = {part.attrib["href"].removeprefix("#") for part in parts if part.tag == "use"}
            assert shapes <= {part.attrib.get("id") for part in parts}
