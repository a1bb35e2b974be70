"""The computer at the table: it plays the seats that nobody took, and gives hints to those who ask."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console

from ludotheque import Match, words
from ludotheque.cli import screen
from ludotheque.cli.messages import Markup, Messages, plain
from ludotheque.hints import MoveHint
from ludotheque.match import Actor
from ludotheque.search import levels

if TYPE_CHECKING:
    from ludotheque.search.players import PlayerMemory

LEVELS = tuple(map(str, levels.LEVELS))
RANDOM = "random"  # as a level: any move
USUAL = str(levels.DEFAULT_LEVEL)
HINT_S = 1.0  # thought about a hint
HINT_MOVES_AHEAD = 5  # named in a hint


class Computer:
    """The players of the seats that nobody took, each of its level."""

    def __init__(self, messages: Messages, match: Match, seated: Mapping[int, str], chance: Random) -> None:
        self.messages = messages
        self.match = match
        self.levels = seated
        self.chance = chance
        self.memories: dict[int, PlayerMemory] = {}

    def called(self, seat: int) -> Markup:
        """The level of a seat in words."""
        level = self.levels[seat]
        return self.messages("play", "random") if level == RANDOM else self._words("levels", level)

    def move(self, seats: list[Actor], console: Console) -> None:
        """Let one of these seats make a move; none if all of them would rather wait."""
        for seat in self.chance.sample(seats, len(seats)):
            assert isinstance(seat, int)
            text = self._at_random(seat) if self.levels[seat] == RANDOM else self._thought_of(seat, console)
            if text is not None:
                self.match.play(seat, text)
                return

    def _at_random(self, seat: int) -> str:
        return self.chance.choice(self.match.moves(seat))

    def _thought_of(self, seat: int, console: Console) -> str | None:
        with self._thinking("thinks", console, who=screen.name(self.messages, self.match, seat)):
            from ludotheque.search.players import PlayerMemory, think_for  # noqa: PLC0415 - numba takes long to import

            memory = self.memories.setdefault(seat, PlayerMemory())
            seed = self.chance.getrandbits(30)
            return think_for(self.match, seat, level=int(self.levels[seat]), seed=seed, memory=memory).move

    def hint(self, seat: int, console: Console) -> Markup:
        """What a strong player would do at this seat, seeing what it sees."""
        with self._thinking("hint", console):
            from ludotheque.search.players import series_of, think_for  # noqa: PLC0415

            thought = think_for(self.match, seat, seconds=HINT_S, model_opponents=False)
        match, series = self.match, series_of(self.match)
        found = MoveHint.of(
            thought,
            match.game,
            match.seen(seat),
            match.witnessed(seat),
            match.role(seat),
            seats=match.seats,
            banked=series.points if series else (),
            left=series.left if series else 0,
            ahead=HINT_MOVES_AHEAD,
        )
        return plain(found.say(self.messages.lang))

    def _thinking(self, what: str, console: Console, **values: object) -> AbstractContextManager[object]:
        return console.status(self.messages("play", what, **values))

    def _words(self, *names: str, **values: object) -> Markup:
        shown = {name: plain(str(value)) for name, value in values.items()}
        return Markup(words.say(None, self.messages.lang, "search", *names, **shown))
