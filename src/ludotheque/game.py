"""The contract: what a game is.

A game is a record of plain functions over an immutable state. The state is a NamedTuple of whole numbers (and
fixed-size tuples of them); boards are sets of at most 63 cells, one bit each. A move is a number too: an index
into the game's own table of texts. The functions are plain Python that numba can compile, so the same rules run
interpreted for people and as machine code for search (`search/compiled.py`).

Actors are numbered: seats from 0, and `LUCK`, an actor like a seat whose moves have weights. A set of actors is
a set of bits. `NOBODY` as a seat means a spectator.

To add a game, write these functions in one module and put them in a `Game` named `GAME`; `games/hepta.py` is a
good one to read first. What players read (names, refusals, rules) lives in `words/`, what they see in `pictures/`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

from ludotheque.options import Option, Value

Json: TypeAlias = "None | bool | int | str | list[Json] | dict[str, Json]"
Spans: TypeAlias = tuple[tuple[int, int], ...]

NOBODY = -1
LUCK = 4  # seats are 0 to 3
LUCK_ACTS = 1 << LUCK
DRAW = 1 << 5  # stands beside the seats in `winners` when all of them share the result without having won

S = TypeVar("S", bound=tuple[object, ...])


def _even(_state: S, _move: int) -> int:
    return 1


def _never(_state: S) -> int:
    return 0


def _keeps(_state: S, _move: int) -> bool:
    return False


def _all_open(state: S, _seat: int) -> S:
    return state


def _nothing_to_guess(view: S, _seat: int, _random: Random) -> S:
    return view


def _one_phase(_state: S, _actor: int) -> str:
    return "play"


def _refused(_state: S, _actor: int, _move: int) -> str:
    return "not-now"


@dataclass(frozen=True, eq=False)  # a game is itself: comparing all its texts would be slow
class Game(Generic[S]):
    """One game's rules. The fields up to `describe` every game gives; the rest have the simplest meaning."""

    key: str
    seats: tuple[int, ...]
    """How many may play; the first is what a table offers."""

    texts: tuple[str, ...]
    """The move numbered n reads `texts[n]`. No two are alike."""

    start: Callable[..., S]
    """start(seats, **options): the state before the first move. All options are given, checked."""

    to_act: Callable[[S], int]
    """Who acts now, as a set: one seat, several at once, luck, or nobody when it is over."""

    spans: Callable[[S, int], Spans]
    """spans(state, actor): where this actor's moves lie in the table, as (first, stop) pairs in order. A game
    always gives the same number of pairs; empty ones are (0, 0)."""

    legal: Callable[[S, int, int], bool]
    """legal(state, actor, move): for a move in one of the spans of an actor to act."""

    play: Callable[[S, int, int], S]
    """play(state, actor, move): the state after a legal move."""

    scores: Callable[[S], tuple[int, ...]]
    """A score for each seat (games of several numbers of seats always give as many as the most)."""

    winners: Callable[[S], int]
    """Once it is over: the set of seats that won. All seats and `DRAW` when it is a draw; nobody when all lost."""

    describe: Callable[[S], dict[str, Json]]
    """The position in the players' words (cells by name), of a state or of a view."""

    options: tuple[Option, ...] = ()
    weight: Callable[[S, int], int] = _even
    """weight(state, move): how likely a legal move of luck is, relative to the others."""

    sealed: Callable[[S], int] = _never
    """The seats choosing in secret now; those of them no longer in `to_act` have chosen."""

    forgets: Callable[[S, int], bool] = _keeps
    """forgets(state, move): whether the log that players are shown begins anew with this move."""

    view: Callable[[S, int], S] = _all_open
    """view(state, seat): what the seat may know, as a state in which the rest is blanked out."""

    guess: Callable[[S, int, Random], S] = _nothing_to_guess
    """guess(view, seat, random): a state that may lie behind the view, the unknown filled in at random."""

    phase: Callable[[S, int], str] = _one_phase
    """phase(state, actor): the code of what the actor has to do now; its sentence is in `words/`."""

    refusal: Callable[[S, int, int], str] = _refused
    """refusal(state, actor, move): the code of the reason why the move is not legal; its sentence is in `words/`."""

    def choices(self, values: Mapping[str, object]) -> dict[str, Value]:
        """These options, checked, and the defaults of the others."""
        return {option.name: option.check(values.get(option.name, option.default)) for option in self.options}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The moves by their texts."""
        return {text: number for number, text in enumerate(self.texts)}

    @cached_property
    def has_sealed(self) -> bool:
        """Whether seats ever choose in secret."""
        return self.sealed is not _never

    @cached_property
    def is_open(self) -> bool:
        """Whether everybody always sees everything."""
        return self.view is _all_open and not self.has_sealed

    @cached_property
    def can_forget(self) -> bool:
        """Whether there are moves with which the log that players are shown begins anew."""
        return self.forgets is not _keeps

    @cached_property
    def tells_all(self) -> bool:
        """Whether everybody may know every move that was made."""
        return self.is_open and not self.can_forget

    @cached_property
    def stem(self) -> str:
        """The name of the game's modules and pages."""
        return self.key.replace("-", "_")


AnyGame: TypeAlias = Game[Any]  # a game whose state is its own affair


def moves(game: Game[S], state: S, actor: int) -> list[int]:
    """The legal moves of an actor, in the game's order."""
    if not game.to_act(state) >> actor & 1:
        return []
    legal = game.legal
    return [
        move for first, stop in game.spans(state, actor) for move in range(first, stop) if legal(state, actor, move)
    ]
