"""Reasons are true: every claim of a hint is computed again by brute force, in random positions of every game."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import Any, TypeAlias

import pytest

import ludotheque
from ludotheque import move_words, words
from ludotheque.board import punched
from ludotheque.board.square import NAMES
from ludotheque.game import DRAW, AnyGame, moves
from ludotheque.games import hepta, hundsgemein, pegs, pizza, tfortwo, tricolore
from ludotheque.games.hundsgemein import scoring
from ludotheque.games.hundsgemein import state as fleas
from ludotheque.hints import MoveHint
from ludotheque.match import Match
from ludotheque.search import reasons
from ludotheque.search.reasons import Decision, Reason
from ludotheque.words import LANGUAGES
from variants import Variant, duels, share

Values: TypeAlias = dict[str, Any]
Check: TypeAlias = Callable[[Decision, Values], bool]

MOVES_TRIED = 2  # a position
POSITIONS = 200  # of every title, all variants together
POSITIONS_A_GAME = 8


def decisions(match: Match, seat: int, random: Random) -> Iterator[Decision]:
    """Some of a seat's moves in a position; and to say nothing, where others are to move."""
    game, role, view = match.game, match.role(seat), match.seen(seat)
    known = reasons._known(game, view, match.witnessed(seat), role)
    legal = [game.numbers[text] for text in match.moves(seat)]
    waits: list[int | None] = [None] if game.key == "hundsgemein" and match.role(seat) != match.state.turn else []  # type: ignore[attr-defined]
    here = game.scores(match.state)
    people = sorted(range(match.seats), key=match.role)
    banked = tuple(match.scores[person] - here[match.role(person)] for person in people) if match.legs > 1 else ()
    for move in [*random.sample(legal, min(MOVES_TRIED, len(legal))), *waits]:
        yield Decision(game, view, known, role, move, banked, match.legs - match.leg - 1)


def described(game: AnyGame, state: Any) -> dict[str, Any]:
    """The position in the players' words."""
    return dict(game.describe(state))


def positions(variant: Variant, seed: int) -> Iterator[tuple[Match, int, Random]]:
    """Some positions of a random game, each with a seat to move, the last one among them."""
    match, random = variant.match(seed), Random(seed)
    log: list[tuple[int, int, str]] = []
    while not match.over:
        seat = random.choice(match.to_act)
        assert isinstance(seat, int)
        text = random.choice(match.moves(seat))
        log.append((match.length, seat, text))
        match.play(seat, text)
    looked_at = {*random.sample(range(len(log)), min(POSITIONS_A_GAME, len(log))), len(log) - 1}
    for length, seat, _ in (log[number] for number in sorted(looked_at)):
        yield match.before(match.length - length), seat, random


# The contract's


def after(decision: Decision, move: int | None = None) -> Any:
    wanted = decision.move if move is None else move
    assert wanted is not None
    return decision.game.play(decision.state, decision.role, wanted)


def points(decision: Decision, move: int | None = None) -> int:
    role = decision.role
    return int(decision.game.scores(after(decision, move))[role] - decision.game.scores(decision.state)[role])


def only(decision: Decision, _values: Values) -> bool:
    return moves(decision.game, decision.state, decision.role) == [decision.move]


def wins(decision: Decision, _values: Values) -> bool:
    game, end, role = decision.game, after(decision), decision.role
    if decision.banked:
        total = [decision.banked[each] + game.scores(end)[each] for each in range(len(decision.banked))]
        return (
            not game.to_act(end) and not decision.left and total.count(max(total)) == 1 and total[role] == max(total)
        )
    return not game.to_act(end) and bool(game.winners(end) & 1 << role) and not game.winners(end) & DRAW


def ends(decision: Decision, values: Values) -> bool:
    game, end = decision.game, after(decision)
    theirs = [score for seat, score in enumerate(game.scores(end)) if seat != decision.role]
    return not game.to_act(end) and (values["mine"], values["theirs"]) == (
        game.scores(end)[decision.role],
        max(theirs),
    )


def gains(decision: Decision, values: Values) -> bool:
    return bool(points(decision) == values["number"] > 0)


def answers(game: AnyGame, state: Any, other: int) -> list[tuple[int, bool]]:
    """What the other seat can make of its turn: points, and whether it wins."""
    found = []
    for move in moves(game, state, other):
        end = game.play(state, other, move)
        won = not game.to_act(end) and game.winners(end) & 1 << other and not game.winners(end) & DRAW
        found.append((game.scores(end)[other] - game.scores(state)[other], bool(won)))
    return found


def saves(decision: Decision, values: Values) -> bool:
    game, other = decision.game, values["other"]
    losing = [move for move in decision.others if any(won for _, won in answers(game, after(decision, move), other))]
    now = any(won for _, won in answers(game, after(decision), other))
    return not now and (len(losing), len(decision.others)) == (values["number"], values["all"])


def holds(decision: Decision, values: Values) -> bool:
    def best(move: int | None) -> int:
        return max(
            (points for points, _ in answers(decision.game, after(decision, move), values["other"])), default=0
        )

    more = sum(best(move) > values["best"] for move in decision.others)
    return max(best(None), 0) == values["best"] and (more, len(decision.others)) == (values["number"], values["all"])


def again(decision: Decision, _values: Values) -> bool:
    return bool(decision.game.to_act(after(decision)) == 1 << decision.role)


# Hepta


def laid(state: Any, shape: str) -> list[str]:
    """The texts of all places where a shape fits, by the cells named in them."""
    taken = {cell for kind in ("blockers", "I", "L") for cell in described(hepta.GAME, state)[kind]}
    found = []
    for text in hepta.TEXTS:
        cells = text.split("-")
        if len(cells) == 3 and not taken & set(cells):
            lines = len({cell[0] for cell in cells}), len({cell[1] for cell in cells})
            if (1 in lines) == (shape == "I"):
                found.append(text)
    return found


def places(state: Any, role: int) -> list[str]:
    shapes = described(hepta.GAME, state)["shapes"]
    left = described(hepta.GAME, state)["left"]
    shape = shapes[role]
    return laid(state, str(shape)) if left[shape] else []


def block(decision: Decision, values: Values) -> bool:
    now, then = decision.state, after(decision)
    return all(
        len(laid(now, shape)) - len(laid(then, shape)) == values[name]
        for shape, name in (("I", "eyes"), ("L", "ells"))
    )


def choose(decision: Decision, values: Values) -> bool:
    mine = hepta.TEXTS[decision.move or 0]
    other = "L" if mine == "I" else "I"
    return (len(laid(decision.state, mine)), len(laid(decision.state, other))) == (values["mine"], values["theirs"])


def stops(decision: Decision, values: Values) -> bool:
    return bool(places(decision.state, values["other"])) and not places(after(decision), values["other"])


def keeps(decision: Decision, values: Values) -> bool:
    """The other lays all it can, in any order and without an answer: still so many of one's own fit."""
    then, role, random = after(decision), decision.role, Random(0)
    mine, theirs = ([set(text.split("-")) for text in places(then, each)] for each in (role, 1 - role))
    left = hepta.PIECES - hepta.scores(then)[1 - role]
    for _ in range(20):
        covered: set[str] = set()
        for piece in random.sample(theirs, len(theirs)):
            if not piece & covered and len(covered) < 3 * left:
                covered |= piece
        if not packs([piece for piece in mine if not piece & covered], values["number"]):
            return False
    return bool(values["number"] <= hepta.PIECES - hepta.scores(then)[role])


def packs(pieces: list[set[str]], number: int) -> bool:
    """Whether so many of these pieces can lie side by side."""
    if number == 0:
        return True
    for index, piece in enumerate(pieces):
        if packs([other for other in pieces[index + 1 :] if not other & piece], number - 1):
            return True
    return False


def closes(decision: Decision, values: Values) -> bool:
    role, now, then = decision.role, decision.state, after(decision)
    mine, theirs = len(places(now, role)), len(places(now, 1 - role))
    lost, taken = mine - len(places(then, role)), theirs - len(places(then, 1 - role))
    return (mine, theirs, lost, taken) == (values["own"], values["all"], values["lost"], values["taken"])


def last_piece(decision: Decision, _values: Values) -> bool:
    return hepta.scores(after(decision))[decision.role] == hepta.PIECES


# T. for Two


def beside(cells: set[str]) -> set[str]:
    return {
        chr(ord(cell[0]) + x) + str(int(cell[1]) + y) for cell in cells for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    } & set(NAMES)


def free(state: Any) -> set[str]:
    told = described(tfortwo.GAME, state)
    covered = {cell for text in told["tetrods"] for cell in covered_by(str(text))}
    return set(NAMES) - set(told["mushrooms"]) - covered


def covered_by(text: str) -> set[str]:
    return set(text.split(":")[1].split("-"))


def grows(decision: Decision, values: Values) -> bool:
    then = after(decision)
    mushrooms = set(described(tfortwo.GAME, then)["mushrooms"])
    group = {tfortwo.TEXTS[decision.move or 0]}
    while more := beside(group) & mushrooms - group:
        group |= more
    return bool(len(beside(group) & free(then)) == values["number"])


def covers_beside(decision: Decision, values: Values) -> bool:
    mushrooms = set(described(tfortwo.GAME, decision.state)["mushrooms"])
    near = beside(mushrooms) & free(decision.state)
    return bool(len(near & covered_by(tfortwo.TEXTS[decision.move or 0])) == values["number"])


def leaves(decision: Decision, values: Values) -> bool:
    then = after(decision)
    return bool(len(beside(set(described(tfortwo.GAME, then)["mushrooms"])) & free(then)) == values["number"])


# Tricolore


def captures(state: Any, hunter: int, victim: int | None = None) -> int:
    """The most pawns, or of one seat, that a seat captures if it moves now: by playing every move."""
    here, most = state._replace(turn=hunter), 0
    for move in moves(tricolore.GAME, here, hunter):
        end = tricolore.play(here, hunter, move)
        gone = end.taken[hunter] - here.taken[hunter]
        if victim is not None:
            gone = here.pawns[victim].bit_count() - end.pawns[victim].bit_count()
        most = max(most, gone)
    return most


def rescues(decision: Decision, values: Values) -> bool:
    before, now = (captures(state, values["other"], decision.role) for state in (decision.state, after(decision)))
    return (before, now) == (values["number"], values["now"]) and before > now


def safe(decision: Decision, values: Values) -> bool:
    return captures(after(decision), values["other"], decision.role) == 0


def exposes(decision: Decision, values: Values) -> bool:
    return bool(captures(after(decision), values["other"], decision.role) == values["number"] > 0)


def threatens(decision: Decision, values: Values) -> bool:
    return bool(
        captures(after(decision), decision.role) == values["number"] > captures(decision.state, decision.role)
    )


# Pegs


@cache
def cards_places(role: int) -> list[tuple[int, set[str], set[str]]]:
    """Every place of every card: the card, the cells it covers, those under its holes."""

    def named(bits: int) -> set[str]:
        return {name for cell, name in enumerate(NAMES) if bits >> cell & 1}

    return [
        (place.card, named(rectangle), named(punched.holes(place.card, role, place.turn) << place.corner))
        for place, rectangle in zip(punched.PLACES, punched.RECTANGLES, strict=True)
    ]


def layings(state: Any, role: int, cards: list[int] | None = None) -> list[int]:
    """For every place where one of the cards fits, hole by hole, by how much it changes the lead."""
    told = described(pegs.GAME, state)
    standing = set(told["pegs"])
    shown = set(told["blue"]), set(told["white"])
    return [
        len(cells - shown[role]) + len(cells & shown[1 - role])
        for card, cells, holes in cards_places(role)
        if (cards is None or card in cards) and standing & cells == holes
    ]


def open_cards(state: Any, role: int) -> list[int]:
    return list(described(pegs.GAME, state)["open"][role])


def covers_cells(decision: Decision, values: Values) -> bool:
    other = values["other"]
    return bool(pegs.scores(decision.state)[other] - pegs.scores(after(decision))[other] == values["number"] > 0)


def prepares(decision: Decision, values: Values) -> bool:
    then, role = after(decision), decision.role
    return bool(max(layings(then, role, [values["card"]])) == values["number"])


def fits(decision: Decision, values: Values) -> bool:
    then = after(decision)
    return bool(len(layings(then, decision.role, open_cards(then, decision.role))) == values["number"])


def suits(decision: Decision, values: Values) -> bool:
    then = after(decision)
    found = len(layings(then, decision.role)), len(layings(then, values["other"]))
    return found == (values["mine"], values["theirs"])


def no_card_place(decision: Decision, values: Values) -> bool:
    return not layings(decision.state, decision.role, [values["card"]])


def fewest(decision: Decision, values: Values) -> bool:
    role = decision.role
    fitting = [len(layings(decision.state, role, [card])) for card in open_cards(decision.state, role)]
    return card_places(decision, values) and min(fitting) == values["number"]


def card_places(decision: Decision, values: Values) -> bool:
    return bool(len(layings(decision.state, decision.role, [values["card"]])) == values["number"])


def no_gain(decision: Decision, _values: Values) -> bool:
    role = decision.role
    return max(layings(decision.state, role, open_cards(decision.state, role)), default=0) <= 0


def uses_deck(decision: Decision, values: Values) -> bool:
    return points(decision) == 0 and described(pegs.GAME, decision.state)["left"]["cards"] == values["number"]


# Pizza Theory


def cut_by(state: Any, cuts: tuple[int, ...]) -> tuple[int, ...]:
    """The scores after these cuts, by playing them; the toppings are already added."""
    third = cuts[2] if state.seats == 2 else 0
    here = state._replace(phase=pizza.CUT, cuts=(0, 0, third))
    for seat in range(state.seats):
        here = pizza.play(here, seat, pizza.CUT_0 + cuts[seat] - 1)
    return pizza.scores(here)


def knives(state: Any, role: int | None = None, cut: int = 0) -> list[tuple[int, ...]]:
    seen = state.cuts[2] if state.seats == 2 else 0
    every = product(range(1, 7), repeat=3)
    return [cuts for cuts in every if (not seen or cuts[2] == seen) and (role is None or cuts[role] == cut)]


def odds(decision: Decision, values: Values) -> bool:
    then, role = after(decision), decision.role
    return counted([cut_by(then, cuts)[role] - pizza.scores(then)[role] for cuts in knives(decision.state)], values)


def counted(changes: list[int], values: Values) -> bool:
    gain, loss = sum(each > 0 for each in changes), sum(each < 0 for each in changes)
    return (gain, loss, len(changes)) == (values["gain"], values["loss"], values["all"])


def own_cut(decision: Decision) -> int:
    return (decision.move or 0) - pizza.CUT_0 + 1


def changes_by(decision: Decision, cut: int) -> list[int]:
    state, role = decision.state, decision.role
    return [cut_by(state, cuts)[role] - pizza.scores(state)[role] for cuts in knives(state, role, cut)]


def cut_odds(decision: Decision, values: Values) -> bool:
    return counted(changes_by(decision, own_cut(decision)), values)


def at_least(decision: Decision, values: Values) -> bool:
    return bool(min(changes_by(decision, own_cut(decision))) == values["number"] > 0)


def no_loss(decision: Decision, _values: Values) -> bool:
    return min(changes_by(decision, own_cut(decision))) >= 0


def least_loss(decision: Decision, values: Values) -> bool:
    worst = {cut: min(changes_by(decision, cut)) for cut in range(1, 7)}
    mine = worst.pop(own_cut(decision))
    return mine == -values["number"] and all(mine > other for other in worst.values())


def wins_often(decision: Decision, values: Values) -> bool:
    role, state = decision.role, decision.state
    found = [cut_by(state, cuts) for cuts in knives(state, role, own_cut(decision))]
    won = [end for end in found if end[role] == 16 and not (state.seats == 2 and end[2] == 16)]
    return (len(won), len(found)) == (values["number"], values["all"])


def guards(decision: Decision, values: Values) -> bool:
    role, state = decision.role, decision.state
    allowing = {
        cut
        for cut in range(1, 7)
        for cuts in knives(state, role, cut)
        if any(points == 16 for colour, points in enumerate(cut_by(state, cuts)) if colour != role)
    }
    return own_cut(decision) not in allowing and len(allowing) == values["number"]


# Hundsgemein


def by_rules(decision: Decision, values: Values) -> bool:
    return not trespasses(decision.view, values) and values["cell"] != "d4"


def trespasses(view: Any, values: Values) -> bool:
    """Whether another flea of its type is round the cell, corners included."""
    file, rank = ord(values["cell"][0]), int(values["cell"][1])
    near = {chr(file + x) + str(rank + y) for x, y in product((-1, 0, 1), repeat=2)} - {values["cell"]}
    fleas_of_type = described(hundsgemein.GAME, view)["fleas"][values["type"]]
    return values["cell"] in fleas_of_type and bool(near & set(fleas_of_type))


def touches(decision: Decision, values: Values) -> bool:
    return trespasses(decision.view, values)


def in_centre(_decision: Decision, values: Values) -> bool:
    return bool(values["cell"] == "d4")


def takers(state: Any) -> dict[str, int]:
    return {street: scoring.taker(state, number) for number, street in enumerate(fleas.STREETS)}


def streets_of(state: Any, values: Values) -> tuple[list[str], int]:
    """The streets that a sentence names, each with its own dog, and what those are worth."""
    names, worth = [], 0
    for named in values["streets"].split(", "):
        street, dog = named.removesuffix(")").split(" (")
        assert fleas.dog(state, fleas.STREETS.index(street)) == dog
        worth += {"Rex": 5, "Fifi": 4, "Daisy": 3, "Zorro": 2}[dog]
        names.append(street)
    return names, worth


def placed(decision: Decision) -> Any:
    """The state with the flea on its block, before anything else happens."""
    kind, cell = fleas.TEXTS[decision.move or 0].split("@")
    bit = 1 << NAMES.index(cell)
    owners, types = list(decision.state.owners), list(decision.state.fleas)
    owners[decision.role] |= bit
    types["ABCD".index(kind)] |= bit
    return decision.state._replace(owners=tuple(owners), fleas=tuple(types))


def lead(decision: Decision, values: Values, before: Callable[[int], bool], now: Callable[[int], bool]) -> bool:
    """Exactly these streets had one kind of taker before the move and have another after it."""
    names, worth = streets_of(decision.state, values)
    then, later = takers(decision.state), takers(placed(decision))
    cell = fleas.TEXTS[decision.move or 0].split("@")[1]
    file, rank = "abcdefg".index(cell[0]), int(cell[1])
    passing = {f"h{rank}", f"h{rank - 1}", f"v{file + 1}", f"v{file}"} & set(then)
    found = {street for street in passing if before(then[street]) and now(later[street])}
    return found == set(names) and worth == values["number"]


def ahead(decision: Decision, values: Values) -> bool:
    me = decision.role
    return lead(decision, values, lambda was: was != me, lambda now: now == me)


def evens(decision: Decision, values: Values) -> bool:
    return lead(decision, values, lambda was: was == values["other"], lambda now: now == -1)


def holds_on(decision: Decision, values: Values) -> bool:
    me = decision.role
    return lead(decision, values, lambda was: was == me, lambda now: now == me)


def worth(decision: Decision, values: Values) -> bool:
    cell = fleas.TEXTS[decision.move or 0].split("@")[1]
    file, rank = "abcdefg".index(cell[0]), int(cell[1])
    passing = {f"h{rank}", f"h{rank - 1}", f"v{file + 1}", f"v{file}"} & set(fleas.STREETS)
    dogs = described(hundsgemein.GAME, decision.view)["dogs"]
    return bool(
        sum({"Rex": 5, "Fifi": 4, "Daisy": 3, "Zorro": 2}[dogs[street]] for street in passing) == values["number"]
    )


def blocks_for(view: Any, kind: str) -> list[str]:
    """Empty blocks with no flea of the type round them."""
    told = described(hundsgemein.GAME, view)["fleas"]
    taken = {cell for cells in told.values() for cell in cells} | {"d4"}
    near = {
        chr(ord(cell[0]) + x) + str(int(cell[1]) + y) for cell in told[kind] for x, y in product((-1, 0, 1), repeat=2)
    }
    return [cell for cell in NAMES if cell not in taken | near]


def no_flea_place(decision: Decision, values: Values) -> bool:
    return not any(blocks_for(decision.view, kind) for kind in values["types"].split(", "))


def flea_places(decision: Decision, values: Values) -> bool:
    found = sum(len(blocks_for(decision.view, kind)) for kind in values["types"].split(", "))
    return bool(found == values["number"] > 0)


CONTRACT: dict[str, Check] = {
    "only": only,
    "wins": wins,
    "ends": ends,
    "ends-leg": ends,
    "gains": gains,
    "saves": saves,
    "holds": holds,
    "again": again,
}
CHECKS: dict[str, dict[str, Check]] = {
    "hepta": {
        "block": block,
        "choose": choose,
        "stops": stops,
        "keeps": keeps,
        "closes": closes,
        "last-piece": last_piece,
    },
    "tfortwo": {"grows": grows, "covers": covers_beside, "leaves": leaves},
    "tricolore": {"rescues": rescues, "safe": safe, "exposes": exposes, "threatens": threatens},
    "pegs": {
        "covers": covers_cells,
        "prepares": prepares,
        "fits": fits,
        "suits": suits,
        "no-place": no_card_place,
        "fewest": fewest,
        "places": card_places,
        "no-gain": no_gain,
        "uses-deck": uses_deck,
    },
    "pizza": {
        "odds": odds,
        "cut-odds": cut_odds,
        "at-least": at_least,
        "no-loss": no_loss,
        "least-loss": least_loss,
        "wins-often": wins_often,
        "guards": guards,
    },
    "hundsgemein": {
        "by-rules": by_rules,
        "touches": touches,
        "in-centre": in_centre,
        "ahead": ahead,
        "evens": evens,
        "holds-on": holds_on,
        "worth": worth,
        "no-place": no_flea_place,
        "places": flea_places,
    },
}


def is_true(decision: Decision, reason: Reason) -> bool:
    check = CHECKS.get(decision.game.stem, {}).get(reason.name) or CONTRACT[reason.name]
    return check(decision, {name.removeprefix("seat:"): value for name, value in reason.values})


@pytest.mark.parametrize("variant", duels(), ids=str)
def test_every_reason_is_true_and_every_decision_has_one(variant: Variant) -> None:
    """Whatever may be suggested gets a reason that holds, and sentences for it in every language."""
    tried = 0
    for seed in range(max(share(variant, POSITIONS // POSITIONS_A_GAME), 1)):
        for match, seat, random in positions(variant, seed):
            for decision in decisions(match, seat, random):
                found = reasons.every(decision)
                _check_told(decision, found, variant.seats)
                for reason in found:
                    assert is_true(decision, reason), (match.events, decision.move, reason)
                tried += 1
            if match.game.key == "hundsgemein":
                assert decision.state.owners == match.state.owners  # type: ignore[attr-defined]
    assert tried


def _check_told(decision: Decision, found: list[Reason], seats: int) -> None:
    game, text = decision.game, None if decision.move is None else decision.game.texts[decision.move]
    silent = decision.move is None and reasons_to_object(decision)
    assert found or silent, (decision.state, text)
    hint = MoveHint(text, 0.5, sure=True, proven=False, stem=game.stem, seats=seats, reasons=tuple(found))
    for lang in LANGUAGES:
        said = hint.say(lang)
        assert text is None or move_words.written(game.stem, text, lang) in said
        assert "{" not in said
        assert len(hint.why(lang)) == len(found)


def reasons_to_object(decision: Decision) -> bool:
    """A seat that may object to the last flea rightly would not be told to say nothing."""
    return bool(reasons.every(decision._replace(move=fleas.OBJECT)))


@pytest.mark.parametrize("stem", sorted(CHECKS))
def test_every_sentence_has_a_check(stem: str) -> None:
    for lang in LANGUAGES:
        told = {name.removesuffix(".one") for name in words.page(stem, lang)["reasons"]}  # type: ignore[union-attr]
        assert set(CHECKS[stem]) <= told <= set(CHECKS[stem]) | set(CONTRACT)
        assert {name.removesuffix(".one") for name in words.site(lang)["reasons"]} == set(CONTRACT)  # type: ignore[union-attr]


def test_every_game_with_opponents_has_reasons_of_its_own() -> None:
    assert {box.rules.stem for box in ludotheque.games() if max(box.seats) > 1} == set(CHECKS)


def test_a_game_without_a_module_gets_the_contracts_reasons() -> None:
    """As the games of other packages: no module, but wins, points and forced moves are told."""
    game = replace(tricolore.GAME, key="elsewhere")
    match, random = Match(game, 2), Random(1)
    names = set()
    while not match.over:
        seat = match.to_act[0]
        text = random.choice(match.moves(seat))
        assert isinstance(seat, int)
        names |= {
            reason.name
            for reason in reasons.find(game, match.seen(seat), match.witnessed(seat), match.role(seat), text)
        }
        match.play(seat, text)
    assert {"gains", "wins"} <= names <= set(CONTRACT)
