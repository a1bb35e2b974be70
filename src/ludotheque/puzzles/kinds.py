"""What a kind of puzzle is: a record, as a game is one.

A kind is a game for one seat whose start positions are puzzles. Its module in `puzzles/` names the rules `GAME` and
this record `KIND`; there is no list to edit. What needs the compiler (solving, making, grading, hints) is a second
record, `ENGINE`, in `puzzles/engines/` under the same stem: it is imported only when it is used, because numba takes
long to import.
"""

import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from ludotheque import puzzles as puzzles_package
from ludotheque.board.bits import Bits
from ludotheque.board.square import FULL
from ludotheque.errors import BadOption, quoted
from ludotheque.game import AnyGame
from ludotheque.options import Value

if TYPE_CHECKING:
    from ludotheque.puzzles.engines.engine import AnyEngine

Options: TypeAlias = Mapping[str, Value]
AnyState: TypeAlias = Any  # the state of whichever puzzle it is

CELLS = re.compile(r"[a-g][1-7](?:-[a-g][1-7])*")


def read_cells(game: AnyGame, text: str) -> dict[str, object] | None:
    """The game's first option from the names of its cells, `a1-b2-…`; None if the text is something else."""
    return {game.options[0].name: text.split("-")} if CELLS.fullmatch(text) else None


def write_cells(game: AnyGame, options: Options) -> str:
    """The cells of the game's first option."""
    cells = options[game.options[0].name]
    assert isinstance(cells, tuple)
    return "-".join(cells)


def _no_praise(_state: AnyState) -> str | None:
    return None


def _whole_board(_state: AnyState) -> Bits:
    return FULL


def _no_pieces(_state: AnyState) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class PuzzleKind:
    """One kind of puzzle. All fields but the first two have the simplest meaning."""

    game: AnyGame  #: the rules
    place: int
    """Where it stands in lists of kinds, the smallest first."""

    grades: tuple[int, ...] = (1, 2, 3, 4, 5)
    """The grades as names write them, from the easiest on. What they are called is in `words/`."""

    read: Callable[[AnyGame, str], dict[str, object] | None] = read_cells
    """read(game, text): the options that a description stands for, not checked yet; None if it is no description."""

    write: Callable[[AnyGame, Options], str] = write_cells
    """write(game, options): the description of these options, without the key."""

    classic: str = ""
    """The description of a well-known problem that is offered beside the grades."""

    open_cells: Callable[[AnyState], Bits] = _whole_board
    """open_cells(state): the cells where something can still be laid, and pencil marks are shown."""

    pieces_left: Callable[[AnyState], tuple[str, ...]] = _no_pieces
    """pieces_left(state): the pieces still to be laid, named as in the tray of the picture."""

    overlaps: bool = False
    """Whether pieces cover each other, so that a picture alone does not show a solution."""

    praise: Callable[[AnyState], str | None] = _no_praise
    """praise(state): the name of the sentence, under [puzzles.hints] in `words/`, that this solution deserves."""

    @property
    def key(self) -> str:
        """The key of its game."""
        return self.game.key

    @property
    def stem(self) -> str:
        """The name of its modules and pages."""
        return self.game.stem

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The names of all pieces."""
        return self.pieces_left(self.game.start(1))

    @cached_property
    def engine(self) -> "AnyEngine":
        """What is computed about this kind; the first use imports the compiler."""
        found: AnyEngine = import_module(f"ludotheque.puzzles.engines.{self.stem}").ENGINE
        return found


def kinds() -> tuple[PuzzleKind, ...]:
    """All kinds of puzzles."""
    return tuple(_by_key().values())


def kind_keys() -> tuple[str, ...]:
    """The keys of all kinds."""
    return tuple(_by_key())


def kind(key: str) -> PuzzleKind:
    """The kind of this key."""
    found = _by_key().get(key)
    if found is None:
        raise BadOption(
            f"There are puzzles of {', '.join(kind_keys())}, not of {quoted(key)}.", "bad-puzzle", {"id": quoted(key)}
        )
    return found


@cache
def _by_key() -> dict[str, PuzzleKind]:
    names = (each.name for each in pkgutil.iter_modules(puzzles_package.__path__) if not each.ispkg)
    modules = (import_module(f"{puzzles_package.__name__}.{name}") for name in names)
    found = [module.KIND for module in modules if isinstance(getattr(module, "KIND", None), PuzzleKind)]
    return {each.key: each for each in sorted(found, key=lambda each: each.place)}
