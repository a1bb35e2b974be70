"""The picture of Pizza Theory: what the last cuts made of it stays to be seen, and slices are told of truly."""

import re
from random import Random

import pytest

import ludotheque
from ludotheque.board.bits import Bits, count
from ludotheque.board.hexagon import SPACES
from ludotheque.games import pizza
from ludotheque.games.pizza import ADD, CUT, OVER, SEALED, settle, slices
from ludotheque.match import Match
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.pizza import MIDDLE, PICTURE, Settlement, last_settlement, place, score_steps

# Seats, and a seed whose random game is long enough to have every kind of slice.
GAMES = [(2, 4), (3, 4), (3, 9)]
FAINT = 'pizza-faint"'
every_game = pytest.mark.parametrize(("seats", "seed"), GAMES)


def positions(seats: int, seed: int, rounds: int = 12) -> list[Match]:
    """A random match after each of its events."""
    random, match = Random(seed), ludotheque.game("pizza").match(seats, seed=seed, rounds=rounds)
    found = [match.copy()]
    while not match.over:
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
        found.append(match.copy())
    return found


def settlements(match: Match) -> list[tuple[Settlement, pizza.State]]:
    """Every round that was settled, and the position before, as the rules tell."""
    state, found = pizza.start(match.seats, rounds=60), []
    for actor, text in match.events:
        move = match.game.numbers[text]
        role = 4 if actor == "luck" else actor
        after = pizza.play(state, role, move)
        if state.phase == CUT and (after.round > state.round or after.phase == OVER):
            cuts = list(state.cuts)
            cuts[role] = move - pizza.CUT_0 + 1
            chosen = (cuts[0], cuts[1], cuts[2])
            toppings = settle(state.toppings, slices(chosen, state.round))
            found.append((Settlement(chosen, state.round, toppings), state._replace(cuts=chosen)))
        state = after
    return found


@every_game
def test_the_story_tells_of_the_last_settlement_until_a_cut_is_seen(seats: int, seed: int) -> None:
    shown = list[int]()
    for match in positions(seats, seed):
        for seat in (None, *range(seats)):
            state = match.seen(seat)
            assert isinstance(state, pizza.State)
            told, known = last_settlement(state, match.story(seat)), settlements(match)
            if known and (state.phase == OVER or not seen_cuts(state)):
                assert told == known[-1][0]
                shown.append(state.phase)
            else:
                assert told is None
    assert shown.count(ADD) > 20
    assert shown.count(CUT) > 20 or seats == 2, "with two, luck's knife is seen before one chooses"


def seen_cuts(state: pizza.State) -> list[int]:
    """The knives of this round that a seat can see: its own, and luck's."""
    return [cut for cut in state.cuts if 0 < cut < SEALED]


def test_old_knives_stay_while_one_ponders_the_next_cut() -> None:
    """For each seat until it has cut itself: what the others have chosen meanwhile is not to be seen."""
    rounds = [(match, match.state) for match in positions(3, 4)]
    match = next(
        match for match, state in rounds if isinstance(state, pizza.State) and (state.round, state.phase) == (1, CUT)
    ).copy()
    blind = (0, 2, None)
    before = [match.picture(seat) for seat in blind]
    assert all(FAINT in drawn for drawn in (*before, match.picture(1)))
    for cut in ("cut 3", "cut 5"):
        chosen = match.copy()
        chosen.play(1, cut)
        assert [chosen.picture(seat) for seat in blind] == before
        assert FAINT not in chosen.picture(1)


@every_game
def test_old_knives_are_faint_and_never_beside_new_ones(seats: int, seed: int) -> None:
    for match in positions(seats, seed):
        drawn, state = match.picture(None), match.seen(None)
        assert isinstance(state, pizza.State)
        faint, has_slices = FAINT in drawn, 'class="pizza-slice' in drawn
        assert faint or state.round == 0 or state.phase != ADD
        assert not (faint and 'id="knife-' in drawn)
        assert has_slices == (faint or match.over)
    assert re.findall(r'id="(knife-\d)"', drawn) == ["knife-0", "knife-1", "knife-2"], "the last picture has all"


@every_game
def test_frames_have_them_as_well(seats: int, seed: int) -> None:
    """So the slider of a table, whatever the seat, and the replay."""
    whole = positions(seats, seed)
    midway = next(match for match in reversed(whole) if match.to_act and FAINT in match.picture(None))
    for seat in (None, 0, 1):
        assert [FAINT in frame.picture() for frame in frames(midway, seat)].count(True) > 5
    assert [FAINT in frame.picture() for frame in frames(whole[-1])].count(True) > 5


@every_game
def test_a_slice_has_the_colour_of_whoever_rules_it(seats: int, seed: int) -> None:
    """Drawn regions against the rules' regions: each space lies in the outline of its own slice, and no other."""
    match = positions(seats, seed)[-1]
    for settled, before in settlements(match):
        state = before._replace(phase=ADD, cuts=(0, 0, 0), round=before.round + 1, toppings=settled.toppings)
        story = [(seat, pizza.CUT_0 + settled.cuts[seat] - 1) for seat in range(seats)]
        luck = [(4, pizza.ROLL_0 + settled.cuts[2] - 1)] if seats == 2 else []
        drawn = re.findall(r'<path d="(M[^"]*)" class="pizza-slice([^"]*)"', PICTURE.draw(state, -1, (*luck, *story)))
        parts = [part for part in slices(settled.cuts, settled.round) if part]
        assert len(drawn) == len(parts)
        for part, (outline, look) in zip(parts, drawn, strict=True):
            points = [tuple(map(float, pair.split())) for pair in outline[1:-1].split("L")]
            inside = sum(1 << space for space in range(len(SPACES)) if contains(points, place(space)))
            assert inside == part
            here = [count(before.toppings[colour] & part) for colour in range(3)]
            alone = here.count(max(here)) == 1
            assert look == (f" pizza-slice-{here.index(max(here))}" if alone else "")


def contains(points: list[tuple[float, ...]], spot: tuple[float, float]) -> bool:
    """Whether a spot is inside a convex outline."""
    sides = {
        (bx - ax) * (spot[1] - ay) - (by - ay) * (spot[0] - ax) > 0
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True)
        if (ax, ay) != (bx, by)
    }
    return len(sides) == 1


def test_the_middle_is_where_outlines_are_measured_from() -> None:
    assert place(len(SPACES) // 2) == (MIDDLE, MIDDLE)


def test_slices_are_told_as_the_rules_settle_them() -> None:
    """Every round as if it were the last: what is said of each slice is what the rules did there."""
    said: set[str] = set()
    for seats, seed in ((2, 3), (2, 4), (3, 1), (3, 2), (3, 4), (3, 9)):
        match = positions(seats, seed, rounds=60)[-1]
        for settled, before in settlements(match):
            last = before._replace(phase=OVER, toppings=settled.toppings)
            story = match.story(None)[: ended_after(match, before.round)]
            told = [step for step in score_steps(last, story) if dict(step.values).get("cells")]
            parts = [part for part in slices(settled.cuts, settled.round) if part & sum(before.toppings)]
            for step, part in zip(told, parts, strict=True):
                check_told(step, part, before, settled)
                said.add(step.sentence)
    assert said == {"won", "won-but", "won-short", "shared", "spared", "same"}


def ended_after(match: Match, number: int) -> int:
    """How many events there were when the round of this number was settled."""
    cuts = [event for event, (_, text) in enumerate(match.events, 1) if text.startswith("cut")]
    return cuts[match.seats * (number + 1) - 1]


def check_told(step: AnimationStep, part: Bits, before: pizza.State, settled: Settlement) -> None:
    lost = {colour for colour in range(3) if before.toppings[colour] & ~settled.toppings[colour] & part}
    left = {colour for colour in range(3) if settled.toppings[colour] & part}
    values = {name: int(value) for name, value in step.values if name.startswith("seat:")}
    if step.sentence in ("same", "spared"):
        assert all(before.toppings[colour] & part == settled.toppings[colour] & part for colour in range(3))
    elif step.sentence == "shared":
        assert lost == {values["seat:loser"]}
        assert len(left) == 2
    elif step.sentence == "won-but":
        assert (lost, left) == ({values["seat:loser"]}, {values["seat:owner"], values["seat:safe"]})
    else:
        assert left == {values["seat:owner"]}
        assert lost
        gone = before.toppings[0] | before.toppings[1] | before.toppings[2]
        assert (step.sentence == "won") == (part & gone == part & settled.toppings[values["seat:owner"]])
