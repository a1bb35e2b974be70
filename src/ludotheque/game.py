"""The contract: what a game is.

A game is a record of pure functions over an immutable state. The state is a NamedTuple of whole numbers (and fixed-
size tuples of them); boards are bitboards of at most 63 cells. A move is a number too: an index into the game's own
table of texts. The functions are plain Python that numba can compile, so the same rules run interpreted for people
and compiled for search (`search/compiled.py`).

Actors are numbered: seats from 0, and `LUCK`, an actor like a seat whose moves have weights. A set of actors is a bit
mask. `NOBODY` as a seat means a spectator.

To add a game, write these functions in one module of `games/` (or a package) and put them in a `Game` named `GAME`;
`games/hepta.py` is a good one to read first. What players read (names, refusals, rules) is in `words/`, what they see
in `pictures/`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pickle import PicklingError
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from ludotheque.options import Option, Value

Json: TypeAlias = "None | bool | int | str | list[Json] | dict[str, Json]"
Spans: TypeAlias = tuple[tuple[int, int], ...]

NOBODY = -1
NOTHING = -1  # a cover that leaves the event out
LUCK = 4  # seats are 0 to 3
LUCK_ACTS = 1 << LUCK
DRAW = 1 << 5  # set in `winners` beside all seats when the result is a draw

S = TypeVar("S", bound=tuple[object, ...])


class Telling(NamedTuple):
    """What a move does, for those who put it into words; without a sentence its text has to do."""

    sentence: str = ""
    """The name of its sentence under [steps] in the game's words, and of its label under [labels]."""

    values: tuple[tuple[str, str], ...] = ()
    """What the sentence names: ("cell", "f3"), seats as ("seat:owner", "1")."""

    setup: bool = False
    """Whether it belongs to the set-up, before the game proper."""


class Bounds(NamedTuple):
    """What no match of a game exceeds, with the seats and options of a start; None where its author does not say.

    For programs that have to know beforehand: how long a list to make, how bad the worst result is.
    """

    moves: int | None = None
    """The most moves of seats."""

    draws: int | None = None
    """The most moves of luck: 0 says that luck never acts."""

    points: int | None = None
    """The most points of a seat."""

    secrets: bool = True
    """Whether a seat's view may ever be less than the state, sealed choices aside."""

    all_may_lose: bool = True
    """Whether it may end without a winner."""


def _unbounded(_start: S) -> Bounds:
    return Bounds()


def _equal_weight(_state: S, _move: int) -> int:
    return 1


def _nobody_may_wait(_state: S) -> int:
    return 0


def _nothing_sealed(_state: S) -> int:
    return 0


def _forgets_nothing(_state: S, _move: int) -> bool:
    return False


def _nothing_private(_before: S, _actor: int, move: int, _now: S, _seat: int) -> int:
    return move


def _everything_visible(state: S, _seat: int) -> S:
    return state


def _nothing_hidden(view: S, _seat: int, _random: Random) -> S:
    return view


def _single_phase(_state: S, _actor: int) -> str:
    return "play"


def _untold(_state: S, _actor: int, _move: int) -> Telling:
    return Telling()


def _not_now(_state: S, _actor: int, _move: int) -> str:
    return "not-now"


@dataclass(frozen=True, eq=False, repr=False)  # compared by identity: comparing all texts would be slow
class Game(Generic[S]):
    """One game's rules. The fields up to `describe` are required; the others have defaults.

    A game is one object in a process: copies of it are the game itself, also those that come out of a pickle.
    """

    key: str
    seats: tuple[int, ...]
    """How many may play; the first is what a table offers."""

    texts: tuple[str, ...]
    """The move numbered n reads `texts[n]`. No two are alike."""

    start: Callable[..., S]
    """start(seats, **options): the state before the first move. All options are given, checked."""

    to_act: Callable[[S], int]
    """to_act(state): who acts now, as a set: one seat, several at once, luck, or nobody when it is over."""

    spans: Callable[[S, int], Spans]
    """spans(state, actor): where this actor's moves lie in the table, as (first, stop) pairs in order. A game
    always gives the same number of pairs; empty ones are (0, 0)."""

    legal: Callable[[S, int, int], bool]
    """legal(state, actor, move): for a move in one of the spans of an actor to act."""

    play: Callable[[S, int, int], S]
    """play(state, actor, move): the state after a legal move."""

    scores: Callable[[S], tuple[int, ...]]
    """scores(state): a score for each seat, always as many as the game has seats at most."""

    winners: Callable[[S], int]
    """winners(state), once it is over: the seats that won; all seats and `DRAW` in a draw; nobody if all lost."""

    describe: Callable[[S], dict[str, Json]]
    """describe(state): the position in the players' words (cells by name), of a state or of a view."""

    options: tuple[Option, ...] = ()
    bounds: Callable[[S], Bounds] = _unbounded
    """bounds(start): what no match that starts so exceeds."""

    weight: Callable[[S, int], int] = _equal_weight
    """weight(state, move): how likely a legal move of luck is, relative to the others."""

    may_wait: Callable[[S], int] = _nobody_may_wait
    """may_wait(state): those of the seats to act that need not, such as seats that may object; never all of them."""

    sealed: Callable[[S], int] = _nothing_sealed
    """sealed(state): the seats that choose in secret now; those of them no longer in `to_act` have chosen."""

    forgets: Callable[[S, int], bool] = _forgets_nothing
    """forgets(state, move): whether the log that players are shown starts over with this move."""

    cover: Callable[[S, int, int, S, int], int] = _nothing_private
    """cover(before, actor, move, now, seat): what the seat is shown in place of a move that is private now: one that
    stands in the table for this and is never legal, such as `deal`, or `NOTHING`; the move itself once the seat may
    read it, and from then on. `now` is the position of the same leg at present, `NOBODY` a spectator."""

    reveals: bool = False
    """Whether private moves come out when the match is over, however it ended, as sealed choices always do."""

    view: Callable[[S, int], S] = _everything_visible
    """view(state, seat): what the seat may know, as a state with the rest blanked out."""

    guess: Callable[[S, int, Random], S] = _nothing_hidden
    """guess(view, seat, random): a random state that has this view."""

    phase: Callable[[S, int], str] = _single_phase
    """phase(state, actor): the code of what the actor has to do now; its sentence is in `words/`."""

    refusal: Callable[[S, int, int], str] = _not_now
    """refusal(state, actor, move): the code of the reason why the move is not legal; its sentence is in `words/`."""

    tell: Callable[[S, int, int], Telling] = _untold
    """tell(view, actor, move): what a legal move does, of a state or of a view; its sentence is in `words/`."""

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
        return self.sealed is not _nothing_sealed

    @cached_property
    def has_waits(self) -> bool:
        """Whether seats to act ever need not."""
        return self.may_wait is not _nobody_may_wait

    @cached_property
    def has_private(self) -> bool:
        """Whether a move is ever kept from somebody for longer than a choice is sealed."""
        return self.cover is not _nothing_private

    @cached_property
    def keeps_secrets(self) -> bool:
        """Whether private moves stay private when the match is over."""
        return self.has_private and not self.reveals

    @cached_property
    def is_open(self) -> bool:
        """Whether everybody always sees everything."""
        return self.view is _everything_visible and not self.has_sealed and not self.has_private

    @cached_property
    def can_forget(self) -> bool:
        """Whether the log that players are shown ever starts over."""
        return self.forgets is not _forgets_nothing

    @cached_property
    def tells_all(self) -> bool:
        """Whether everybody may know every move that was made."""
        return self.is_open and not self.can_forget

    @cached_property
    def stem(self) -> str:
        """The name of the game's modules and pages."""
        return self.key.replace("-", "_")

    def __repr__(self) -> str:
        return f"<Game {self.key}>"

    def __copy__(self) -> "Game[S]":
        return self

    def __deepcopy__(self, _memo: dict[int, object]) -> "Game[S]":
        return self

    def __reduce__(self) -> tuple[Callable[..., "AnyGame"], tuple[object, ...]]:
        """By its fields; a game that is on the shelf, by its key (`shelf.py`)."""
        for field in fields(self):
            value = getattr(self, field.name)
            if "<" in (name := getattr(value, "__qualname__", "")):
                raise PicklingError(
                    f"{self!r} cannot be pickled, because its {field.name} is {name}: make that a function of a "
                    "module, or put the game on the shelf by an entry point of ludotheque.games"
                )
        values = tuple(getattr(self, field.name) for field in fields(self))
        _pickled.setdefault(values, self)
        return _from_fields, values


AnyGame: TypeAlias = Game[Any]  # a game of any type of state

_pickled: "WeakValueDictionary[tuple[object, ...], AnyGame]" = WeakValueDictionary()  # by all their fields


def _from_fields(*values: Any) -> AnyGame:
    """The game that has these fields: the one of this process, if there is one."""
    return _pickled.setdefault(values, Game(*values))


def moves(game: Game[S], state: S, actor: int) -> list[int]:
    """The legal moves of an actor, in the game's order."""
    if not game.to_act(state) >> actor & 1:
        return []
    legal = game.legal
    return [
        move for first, stop in game.spans(state, actor) for move in range(first, stop) if legal(state, actor, move)
    ]
