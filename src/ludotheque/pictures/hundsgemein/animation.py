"""What a move of Hundsgemein does to the picture, and how the score came about."""

from collections.abc import Iterator

from ludotheque.board.bits import cells
from ludotheque.board.square import CELLS, NAMES
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.scoring import claim, kennels, scores, taker, winners
from ludotheque.games.hundsgemein.state import (
    DOG_0,
    DOGS,
    DROP_0,
    EXPERT,
    FLIP_0,
    KIND_OF,
    KINDS,
    LINES,
    OBJECT,
    OVER,
    PAIR_0,
    PAIRS,
    STREETS,
    VALUES,
    State,
    dog,
    open_fleas,
    secret,
)
from ludotheque.pictures.hundsgemein.buttons import button_names
from ludotheque.pictures.hundsgemein.pieces import has_marker, known_taker
from ludotheque.pictures.hundsgemein.trays import has_points
from ludotheque.pictures.kit.picture import AnimationStep, Story, share


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    """What the last of the news has done; at the end those before it are but the placements that were not told."""
    actor, move = news[-1]
    told = [*_event(before, actor, move, after), *_marks(before, after)]
    if after.phase == OVER:
        told += _end_of_game(before, after)
    elif not secret(after):
        told += _leads(before, after)
    return told


def score_steps(state: State, _story: Story) -> list[AnimationStep]:
    """Street by street what everybody has there and who takes the dog; then what each has in all."""
    told = [_claims(state, street) for street in range(len(STREETS))]
    for seat in range(state.seats):
        dogs = sum(taker(state, street) == seat for street in range(len(STREETS)))
        values = (("seat:owner", str(seat)), ("points", str(scores(state)[seat])), ("dogs", str(dogs)))
        told.append(AnimationStep("show", f"tray-{seat}", sentence="total", values=values))
    return told


def reason(state: State) -> AnimationStep | None:
    """What decides between those with most points: their dogs, or nothing."""
    best = [seat for seat in range(state.seats) if winners(state) >> seat & 1]
    equal = [seat for seat in range(state.seats) if scores(state)[seat] == scores(state)[best[0]]]
    if len(equal) == 1:
        return None
    points, dogs = divmod(kennels(state)[best[0]], 16)
    values = (("points", str(points)), ("dogs", str(dogs)))
    return AnimationStep("show", f"tray-{best[0]}", sentence="by-dogs" if best != equal else "equal", values=values)


def _event(before: State, actor: int, move: int, after: State) -> Iterator[AnimationStep]:
    """What an actor did."""
    if move >= DOG_0:
        street = STREETS[len(STREETS) - before.due]
        yield AnimationStep(
            "appear", f"dog-{street}", sentence="dog", values=(("dog", DOGS[move - DOG_0]), ("street", street))
        )
    elif move >= FLIP_0:
        kind = KINDS[move - FLIP_0]
        values = (("seat:owner", str(before.turn)), ("type", kind))
        yield AnimationStep("appear", _open_id(after, before.turn, kind), sentence="flip", values=values)
    elif move >= OBJECT:
        yield _talk(before, move, after)
    elif move >= DROP_0:
        yield from _drop(before, actor, move)
    else:
        kind, cell = KINDS[KIND_OF[move]], NAMES[move % CELLS]
        values = (("type", kind), ("cell", cell))
        yield AnimationStep("move", _open_id(before, actor, kind), 0, f"flea-{cell}", "place", values)


def _open_id(state: State, seat: int, kind: str) -> str:
    """The id of a seat's open flea of this type: of two, that of the second, which comes last and goes first."""
    return f"open-{seat}-{kind}" + ("-2" if open_fleas(state, seat).count(kind) == 2 else "")


def _drop(before: State, seat: int, move: int) -> Iterator[AnimationStep]:
    if move < PAIR_0:
        kind = KINDS[move - DROP_0]
        yield AnimationStep("go", _open_id(before, seat, kind), sentence="drop", values=(("type", kind),))
        return
    low, high = (KINDS[kind] for kind in PAIRS[move - PAIR_0])
    yield AnimationStep("go", f"open-{seat}-{low}", sentence="drop-both", values=(("one", low), ("other", high)))
    yield AnimationStep("go", _open_id(before, seat, high))


def _talk(before: State, move: int, after: State) -> AnimationStep:
    if move != OBJECT:
        return AnimationStep("show", "accept", sentence="accept")
    flea, values = f"flea-{NAMES[before.last]}", (("cell", NAMES[before.last]),)
    if after.last == NOBODY:
        return AnimationStep("go", flea, sentence="upheld", values=values)
    return AnimationStep("show", flea, sentence="overruled", values=values)


def _marks(before: State, after: State) -> Iterator[AnimationStep]:
    """The ring round the last flea, which goes with it lest it mark another's; what comes and goes besides."""
    if has_marker(before) and has_marker(after):
        if before.last != after.last:
            yield AnimationStep("move", "last", 0, "last")
    elif has_marker(before) or has_marker(after):
        yield AnimationStep("appear" if has_marker(after) else "go", "last")
    was, now = button_names(before), button_names(after)
    for name in ("object", "accept"):
        if (name in was) != (name in now):
            yield AnimationStep("appear" if name in now else "go", name)
    if has_points(after) and not has_points(before) and after.phase != OVER:
        yield from (_plaque(before, seat) for seat in range(after.seats))


def _end_of_game(before: State, after: State) -> Iterator[AnimationStep]:
    """Street by street the fleas are turned over and the dog is taken, or gets away; then the points.

    The flea that has just been placed shows its owner as it lands.
    """
    hidden = sum(before.fleas) & sum(after.fleas) if secret(before) else 0
    said = "reveal"
    for street in range(len(STREETS)):
        beside = hidden & (LINES[2 * street] | LINES[2 * street + 1])
        for cell in cells(beside):
            yield AnimationStep("flip", f"flea-{NAMES[cell]}", 2 + 2 * street, f"flea-{NAMES[cell]}", said)
            said = ""
        hidden &= ~beside
        yield from _prize(before, after, street, 3 + 2 * street)
    for seat in range(after.seats):
        values = (("seat:owner", str(seat)), ("points", str(scores(after)[seat])))
        yield _plaque(before, seat)._replace(order=2 + 2 * len(STREETS), sentence="score", values=values)


def _plaque(before: State, seat: int) -> AnimationStep:
    """A seat's points, which come or change."""
    name = f"points-{seat}"
    return AnimationStep("flip", name, to=name) if has_points(before) else AnimationStep("appear", name)


def _prize(before: State, after: State, street: int, order: int) -> Iterator[AnimationStep]:
    """The dog is taken or crossed out, and the line down its street takes the winner's colour."""
    seat, name, lane = taker(after, street), f"dog-{STREETS[street]}", f"lane-{STREETS[street]}"
    found = dog(after, street) or ""
    values: tuple[tuple[str, str], ...] = (("dog", found), ("street", STREETS[street]))
    if seat != NOBODY:
        values = (*values, ("seat:owner", str(seat)), ("points", str(VALUES[DOGS.index(found) + 1])))
    yield AnimationStep("flip", name, order, name, "free" if seat == NOBODY else "taken", values)
    if seat != known_taker(before, street):
        yield AnimationStep("flip", lane, order, lane)


def _claims(state: State, street: int) -> AnimationStep:
    """What each seat has along a street, in rows too where they count, and who takes its dog."""
    seat, found = taker(state, street), dog(state, street) or ""
    all_rows, all_fleas = zip(*(claim(state, street, other) for other in range(state.seats)), strict=True)
    values = (
        ("street", STREETS[street]),
        ("dog", found),
        ("points", str(VALUES[DOGS.index(found) + 1])),
        ("seats:fleas", share(all_fleas)),
        ("seats:rows", share(all_rows)),
        *((("seat:owner", str(seat)),) if seat != NOBODY else ()),
    )
    said = "deserted" if not any(all_fleas) else "taken" if seat != NOBODY else "free"
    rows = "rows-" if state.options & EXPERT and any(all_fleas) else ""
    return AnimationStep("show", f"dog-{STREETS[street]}", sentence=rows + said, values=values)


def _leads(before: State, after: State) -> Iterator[AnimationStep]:
    """With open owners, who has come to lead in a street."""
    for street, name in enumerate(STREETS):
        seat = taker(after, street)
        if seat == taker(before, street):
            continue
        values = (("street", name),)
        if seat == NOBODY:
            yield AnimationStep("flip", f"dog-{name}", 2, f"dog-{name}", "even", values)
        else:
            yield AnimationStep("flip", f"dog-{name}", 2, f"dog-{name}", "lead", (*values, ("seat:owner", str(seat))))
