"""A match round one screen: people at the keyboard, the computer at the other seats."""

import contextlib
from collections import Counter

from rich.rule import Rule

from ludotheque import Match
from ludotheque.cli import screen
from ludotheque.cli.computer import Computer
from ludotheque.cli.keyboard import Answer, Keyboard, PlayerLeft
from ludotheque.cli.messages import Markup, Messages
from ludotheque.match import Actor, Event


class TerminalTable:
    """The loop of a match in the terminal: it asks the humans, plays for the others, and executes what is typed."""

    def __init__(self, messages: Messages, match: Match, humans: set[int], computer: Computer) -> None:
        self.messages = messages
        self.match = match
        self.humans = humans
        self.computer = computer
        self.keyboard = Keyboard(messages, match, humans, computer)
        self.say = self.keyboard.say
        self.told: dict[Actor, list[Event]] = {}

    def run(self) -> None:
        """Play until it is over or everybody has left."""
        self._welcome()
        with contextlib.suppress(PlayerLeft):
            while True:
                while not self.match.over:
                    self._turn()
                self._end()
        if not self.match.over:
            self.say(self.messages("play", "left"))

    # Whose turn it is

    def _turn(self) -> None:
        """One move of somebody. Where several may act openly, each human may also wait for the others."""
        actors = self.match.to_act
        asked = [actor for actor in actors if actor == "luck" or actor in self.humans]
        if len(asked) > 1 and not self._secret(asked[0]):
            asked.sort(key=lambda actor: len(self.match.moves(actor)))  # who may only react goes first
        may_wait = len(actors) > 1 and not (asked and self._secret(asked[0]))
        for actor in asked:
            if self._ask(actor, may_wait=may_wait) == "done":
                return
        self.computer.move([actor for actor in actors if actor not in asked], self.keyboard.console)

    def _ask(self, actor: Actor, *, may_wait: bool) -> Answer:
        """Let a human act, in private if the others must not see."""
        private = len(self.humans) > 1 and self._private(actor)
        if private:
            self._hand_over(actor)
        self._show(actor)
        if may_wait:
            self.say(self.messages("play", "wait"))
        answer: Answer = "again"
        while answer == "again":
            line = self.keyboard.read()
            answer = "waited" if may_wait and not line else self.keyboard.execute(actor, line)
        if private:
            self.keyboard.wipe()
        if private and self._secret(actor):
            self.say(self.messages("play", "hidden"))
        return answer

    def _secret(self, actor: Actor) -> bool:
        """Whether the others at the screen may not read what the actor is about to do."""
        return any(self.match.is_private(actor, other) for other in self._others(actor))

    def _private(self, actor: Actor) -> bool:
        """Whether the actor chooses in secret, or sees what another human may not."""
        if actor == "luck":
            return False
        mine = self.match.seen(actor)
        return self._secret(actor) or any(self.match.seen(other) != mine for other in self.humans)

    def _others(self, actor: Actor) -> list[int]:
        return [seat for seat in range(self.match.seats) if seat != actor]

    # What is shown

    def _welcome(self) -> None:
        self.say(Rule(f"[bold]{self.messages.fact(self.match.game.stem, 'name')}[/]"))
        for seat in range(self.match.seats):
            who = self._name(seat)
            if seat in self.humans:
                self.say(self.messages("play", "human", who=who))
            else:
                self.say(self.messages("play", "computer", who=who, level=self.computer.called(seat)))
        self.say(self.messages("play", "welcome"))

    def _show(self, actor: Actor) -> None:
        """All that the actor needs in order to move."""
        before, now = self.told.get(actor, []), self.match.shown(None if actor == "luck" else actor)
        new = screen.news(self.messages, self.match, before, now)
        self.told[actor] = now
        if Counter(before) - Counter(now):
            self.keyboard.wipe()  # the shown log was cut: what it no longer tells must not stay on the screen
        self.say(Rule(f"[bold]{self._name(actor)}[/]", align="left"))
        if new:
            self.say(new)
        self.keyboard.show_board(actor)
        self.say(f"[bold]{screen.task(self.messages, self.match, actor)}[/]")
        self.say(screen.listed(self.messages, self.match, self.match.moves(actor)))

    def _hand_over(self, actor: Actor) -> None:
        self.keyboard.wipe()
        self.say(self.messages("play", "hand-over", who=self._name(actor)))
        self.keyboard.read()

    def _end(self) -> None:
        """The result, and a last chance to save, look back or take back."""
        self.say(Rule(self.messages("play", "over")))
        self.keyboard.show_board("luck")
        self.say(screen.result(self.messages, self.match))
        self.say(self.messages("play", "after"))
        while self.match.over:
            line = self.keyboard.read()
            if not line:
                raise PlayerLeft
            self.keyboard.execute(self._whose_eyes(), line)

    def _whose_eyes(self) -> Actor:
        """Through whose eyes those at the screen look back: several see what everybody may."""
        return min(self.humans) if len(self.humans) == 1 or self.match.reveals_all else "luck"

    def _name(self, actor: Actor) -> Markup:
        return screen.name(self.messages, self.match, actor)
