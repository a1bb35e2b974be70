"""Why a move is suggested: facts about it that the rules prove, for hints. None of them is a guess.

What follows from the contract alone is found here, for every game. A function `reasons(decision)` may give further
facts in the game's own terms: in the module of this package with the game's stem or, for a game of another package,
as an entry point in the group `ludotheque.reasons`, named by its key. The sentences are under [reasons] in the game's
words, or in `site.toml`; a name followed by `.one` is the sentence for a `number` of 1.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple, TypeAlias

from ludotheque.game import DRAW, LUCK, AnyGame, moves

Position: TypeAlias = tuple[object, ...]
Witnessed: TypeAlias = Sequence[tuple[int, int]]
Value: TypeAlias = str | int

GROUP = "ludotheque.reasons"
MAX_REASONS = 2

# Strengths of what the contract tells; a game's own reasons are mostly from 10 (a mere fact) to 80 (nearly decides).
FORCED, WINS, SAVES, ENDS, GAINS, HOLDS, AGAIN = 100, 95, 90, 60, 45, 40, 30


class Reason(NamedTuple):
    """A fact that speaks for a move: the name of its sentence, how much it says, and what the sentence names.

    A role is a value whose name begins with `seat:`, as in the steps of a picture.
    """

    name: str  #: of its sentence, under [reasons]
    strength: float  #: how much it says: from 10 (a mere fact) to 100 (there is nothing else)
    values: tuple[tuple[str, Value], ...] = ()  #: what the sentence names


class Decision(NamedTuple):
    """A seat's decision: what it sees, what it knows from that and from what it witnessed, and the move suggested.

    In `state`, sealed choices are not made yet. No move means that the seat should rather say nothing now.
    """

    game: AnyGame  #: the rules
    view: Any  #: what the seat sees
    state: Any  #: what it knows: the view, completed as far as that can be
    role: int  #: whose decision it is
    move: int | None  #: the move suggested
    banked: tuple[int, ...] = ()
    """In a series, the points of earlier legs by role."""

    left: int = 0
    """Legs still to come."""

    @property
    def others(self) -> list[int]:
        """The other legal moves."""
        return [move for move in moves(self.game, self.state, self.role) if move != self.move]


Finder: TypeAlias = Callable[[Decision], Iterable[Reason]]


def find(
    game: AnyGame,
    view: Position,
    witnessed: Witnessed,
    role: int,
    text: str | None,
    *,
    banked: tuple[int, ...] = (),
    left: int = 0,
) -> tuple[Reason, ...]:
    """The strongest reasons for a move, or for saying nothing, from what the seat sees and has witnessed."""
    state = _known(game, view, witnessed, role)
    if state is None:
        return ()
    move = None if text is None else game.numbers[text]
    found = every(Decision(game, view, state, role, move, banked, left))
    return tuple(sorted(found, key=lambda reason: -reason.strength)[:MAX_REASONS])


def every(decision: Decision) -> list[Reason]:
    """All that can be said for a move; of two reasons of one name the game's own."""
    finder = _finder(decision.game)
    found = [*(finder(decision) if finder else ()), *_by_contract(decision)]
    return list({reason.name: reason for reason in reversed(found)}.values())


def _known(game: AnyGame, view: Position, witnessed: Witnessed, role: int) -> Position | None:
    """The state before sealed choices, as far as it matters to the seat; None if it can only be guessed."""
    from ludotheque.search import heuristics  # noqa: PLC0415 - whoever only reads reasons needs no numpy

    knowledge = heuristics.knowledge(game)
    state: Position
    if recall := getattr(knowledge, "recall", None):
        state = recall(view, witnessed, role, Random(0), 1.0)
    elif unseal := getattr(knowledge, "unseal", None):
        state = unseal(view)
    elif game.is_open:
        state = view
    else:
        return None
    return state


@cache
def _finder(game: AnyGame) -> Finder | None:
    ours = f"{__name__}.{game.stem}"
    entry = next(iter(entry_points(group=GROUP, name=game.key)), None)
    if entry is None and find_spec(ours):
        entry = EntryPoint(game.key, f"{ours}:reasons", GROUP)
    return entry.load() if entry else None


# What the contract alone tells


def _by_contract(decision: Decision) -> Iterator[Reason]:
    game, state, role, move = decision.game, decision.state, decision.role, decision.move
    if move is None or move not in moves(game, state, role):
        return
    others = decision.others
    if not others:
        yield Reason("only", FORCED)
    if game.sealed(state) >> role & 1:
        return
    yield from _gains(decision, move, others)
    after = game.play(state, role, move)
    if not game.to_act(after):
        yield from _ends(decision, after)
    elif game.to_act(after) == 1 << role:
        if any(game.to_act(game.play(state, role, other)) & ~(1 << role) for other in others):
            yield Reason("again", AGAIN)
    else:
        yield from _answered(decision, move, others)


def _gains(decision: Decision, move: int, others: list[int]) -> Iterator[Reason]:
    """Points at once, if other moves bring fewer."""
    number = _gain(decision.game, decision.state, decision.role, move)
    if number > 0 and any(_gain(decision.game, decision.state, decision.role, other) < number for other in others):
        yield Reason("gains", GAINS + number, (("number", number),))


def _ends(decision: Decision, after: Position) -> Iterator[Reason]:
    """The game or a leg ends with the move."""
    game, role = decision.game, decision.role
    points = game.scores(after)
    if decision.banked:
        total = [banked + here for banked, here in zip(decision.banked, points, strict=False)]
        won = all(total[role] > other for seat, other in enumerate(total) if seat != role)
    else:
        won = _won(game, after, role)
    if won and not decision.left:
        yield Reason("wins", WINS)
        return
    theirs = max((points[other] for other in range(len(points)) if other != role), default=0)
    values = (("mine", points[role]), ("theirs", theirs))
    yield Reason("ends-leg" if decision.left else "ends", ENDS, values)


def _answered(decision: Decision, move: int, others: list[int]) -> Iterator[Reason]:
    """What the next seat can do after the move, and could do after others."""
    game, state, role = decision.game, decision.state, decision.role
    other = _next(game, game.play(state, role, move))
    if other is None:
        return
    here = _best_answer(decision, move, other)
    there = [_best_answer(decision, each, other) for each in others]
    known = [answer for answer in there if answer is not None]
    if here is None or not known:
        return
    number, wins = here
    losing = sum(won for _, won in known)
    seat = ("seat:other", other)
    if losing and not wins:
        yield Reason("saves", SAVES, (seat, ("number", losing), ("all", len(others))))
    more = sum(gain > number for gain, _ in known)
    if 2 * more >= len(others):
        yield Reason(
            "holds", HOLDS + 10 * more / len(others), (seat, ("best", number), ("number", more), ("all", len(others)))
        )


def _best_answer(decision: Decision, move: int, other: int) -> tuple[int, bool] | None:
    """The most points that this seat can make of its turn after a move, and whether it can win the game by it.

    None if it is not its turn then.
    """
    game = decision.game
    after = game.play(decision.state, decision.role, move)
    if _next(game, after) != other:
        return None
    most, wins = 0, False
    for answer in moves(game, after, other):
        end = game.play(after, other, answer)
        most = max(most, game.scores(end)[other] - game.scores(after)[other])
        wins = wins or (not decision.left and not decision.banked and _won(game, end, other))
    return most, wins


def _won(game: AnyGame, state: Position, role: int) -> bool:
    return not game.to_act(state) and bool(game.winners(state) >> role & 1) and not game.winners(state) & DRAW


def _next(game: AnyGame, state: Position) -> int | None:
    """The seat that acts alone and openly; None if that is luck, several or nobody."""
    acting = game.to_act(state)
    if acting & (acting - 1) or not acting or acting >> LUCK or game.sealed(state):
        return None
    return int(acting).bit_length() - 1


def _gain(game: AnyGame, state: Position, role: int, move: int) -> int:
    number: int = game.scores(game.play(state, role, move))[role] - game.scores(state)[role]
    return number
