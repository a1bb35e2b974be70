"""The computer at the table: it plays the seats that nobody took, and gives hints to those who ask."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console

from ludotheque import Match, words
from ludotheque.cli import screen
from ludotheque.cli.speech import Markup, Voice, plain
from ludotheque.match import Actor
from ludotheque.search import levels

if TYPE_CHECKING:
    from ludotheque.search.players import PlayerMemory, Thought

LEVELS = tuple(map(str, levels.LEVELS))
RANDOM = "random"  # as a level: any move
USUAL = str(levels.DEFAULT_LEVEL)
SECONDS = 1.0  # for a hint
SURE = 0.8  # from where on a hint says that it is sure
RARE = 0.05  # how likely a secret choice is at least, to be told in a hint
AHEAD = 5  # moves told of what may come


class Computer:
    """The players of the seats that nobody took, each of its level."""

    def __init__(self, voice: Voice, match: Match, seated: Mapping[int, str], chance: Random) -> None:
        self.voice = voice
        self.match = match
        self.levels = seated
        self.chance = chance
        self.memories: dict[int, PlayerMemory] = {}

    def called(self, seat: int) -> Markup:
        """The level of a seat in words."""
        level = self.levels[seat]
        return self.voice("play", "random") if level == RANDOM else self._words("levels", level)

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
        with self._thinking("thinks", console, who=screen.name(self.voice, self.match, seat)):
            from ludotheque.search.players import PlayerMemory, think_for  # noqa: PLC0415 - numba takes long to import

            memory = self.memories.setdefault(seat, PlayerMemory())
            seed = self.chance.getrandbits(30)
            return think_for(self.match, seat, level=int(self.levels[seat]), seed=seed, memory=memory).move

    def hint(self, seat: int, console: Console) -> Markup:
        """What a strong player would do at this seat, seeing what it sees."""
        with self._thinking("hint", console):
            from ludotheque.search.players import think_for  # noqa: PLC0415

            thought = think_for(self.match, seat, seconds=SECONDS, model_opponents=False)
        return Markup(" ".join(self._told(seat, thought)))

    def _told(self, seat: int, thought: "Thought") -> list[Markup]:
        if thought.move is None:
            return [self._words("thought", "wait")]
        if self.match.game.sealed(self.match.state) >> self.match.role(seat) & 1:
            mix = [option for option in thought.candidates if option.attention > RARE]
            return [
                self._words("thought", "mixed", mix=", ".join(f"{each.move} {each.attention:.0%}" for each in mix))
            ]
        said = []
        if thought.expected:
            hopes = f"{100 * thought.expected[self.match.role(seat)]:.0f}"
            said.append(self._words("thought", "best", move=thought.move, expected=hopes))
        else:
            said.append(self._words("thought", "only", move=thought.move))
        if thought.proven:
            said.append(self._words("thought", "proven"))
        elif thought.expected:
            said.append(self._words("thought", "sure" if thought.sure > SURE else "unsure"))
        if len(thought.line) > 1:
            line = ", ".join(text for _, text in thought.line[1 : 1 + AHEAD])
            said.append(self._words("thought", "line", line=line))
        return said

    def _thinking(self, what: str, console: Console, **values: object) -> AbstractContextManager[object]:
        return console.status(self.voice("play", what, **values))

    def _words(self, *names: str, **values: object) -> Markup:
        shown = {name: plain(str(value)) for name, value in values.items()}
        return Markup(words.say(None, self.voice.lang, "search", *names, **shown))
