"""A leg of a game as a tree of decisions, for libraries that ask one seat after the other.

A `Leg` is a game with its seats and options settled. A `Position` is a state and the events that led to it; the leg
says who decides next, what may be played, and what a seat has witnessed. Where several may act openly (objections in
Hundsgemein) they are asked in turn, those first that need not act, and have one more action: to wait.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from ludotheque.errors import BadOption, quoted
from ludotheque.game import LUCK, NOBODY, AnyGame, moves
from ludotheque.options import Value

TERMINAL, TOGETHER, CHANCE = -4, -2, -1  # who decides where it is no seat, in OpenSpiel's numbers
UNSEEN = -1  # a move that a seat did not witness
WAIT: Final = "wait"
LONGEST = 1000  # decisions in a leg that its author gives no bound

State: TypeAlias = tuple[object, ...]


@dataclass(slots=True, eq=False)
class Position:
    """A state, and the event that led to it from the one before. It never changes, so that copies share it."""

    before: "Position | None"
    actor: int
    move: int
    state: State
    acting: int
    decider: int
    waiting: int
    """The seats that chose to wait, as a set."""

    decisions: int
    """How many there were."""

    guessed: bool
    """Whether one of its events is a guess."""

    blurred: bool = False
    """Whether the move is only what somebody was shown in its place."""

    legal: dict[int, list[int]] = field(default_factory=dict)
    """The moves by actor, once they were asked for."""

    log: str | None = None
    """All events in words, once they were asked for."""

    def __deepcopy__(self, _memo: object) -> "Position":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _chained, ([_fields(node) for node in self.line()],)

    def line(self, since: "Position | None" = None) -> list["Position"]:
        """The positions from one of them, or from the start, to this one."""
        found = [self]
        while found[-1] is not since and found[-1].before is not None:
            found.append(found[-1].before)
        return found[::-1]

    def events(self) -> list[tuple[int, int]]:
        """All events as (actor, move) pairs."""
        return [(node.actor, node.move) for node in self.line()[1:]]


class Leg:
    """One leg of a game with its seats and options settled; it ends after `longest` decisions at the latest."""

    def __init__(self, rules: AnyGame, seats: int, options: Mapping[str, Value], longest: int = 0) -> None:
        self.rules, self.seats = rules, seats
        self.everybody = (1 << seats) - 1
        self.wait = len(rules.texts)
        start: State = rules.start(seats, **options)
        self.bounds = rules.bounds(start)
        self.longest, self.most_events = self._lengths(longest)
        self.start = self._position(None, (NOBODY, UNSEEN), start, 0, 0)

    def _lengths(self, longest: int) -> tuple[int, int | None]:
        """The most decisions, and the most events if luck's are bounded; before a move all others may wait."""
        moves, draws = self.bounds.moves, self.bounds.draws
        natural = None if moves is None else moves * (self.seats if self.rules.has_waits else 1)
        longest = longest or natural or LONGEST
        together = longest * (self.seats if self.rules.has_sealed else 1)
        most = together if natural is None else min(natural, together)
        return longest, None if draws is None else most + draws

    # Who decides what

    def asked(self, here: Position) -> int:
        """The seat that is asked next."""
        return self._asked(here.state, here.acting & ~here.waiting)

    def legal(self, here: Position, actor: int) -> list[int]:
        """The moves of an actor, in rising order."""
        if actor not in here.legal:
            here.legal[actor] = self._legal(here, actor)
        return here.legal[actor]

    def chances(self, here: Position) -> list[tuple[int, float]]:
        """What luck may do, and how likely it is."""
        found = self.legal(here, LUCK)
        weights = [self.rules.weight(here.state, move) for move in found]
        total = sum(weights)
        return [(move, weight / total) for move, weight in zip(found, weights, strict=True)]

    def text(self, move: int) -> str:
        """A move in words."""
        return WAIT if move == self.wait else "?" if move == UNSEEN else self.rules.texts[move]

    # What comes after

    def play(self, here: Position, move: int) -> Position:
        """The position after a move of luck, or of the seat that is asked."""
        if here.decider == CHANCE:
            return self._after(here, LUCK, move, here.decisions)
        return self._after(here, self.asked(here), move, here.decisions + 1)

    def play_together(self, here: Position, choices: Sequence[int]) -> Position:
        """The position after one decision of all who are to act: a choice for every seat, others are ignored."""
        acting = here.acting if here.decider == TOGETHER else 1 << self.asked(here)
        last = acting.bit_length() - 1
        for seat, move in enumerate(choices):
            if acting >> seat & 1:
                here = self._after(here, seat, move, here.decisions + (seat == last))
        return here

    def after(self, texts: Iterable[str]) -> Position:
        """The position after these moves from the start, in the order in which seats are asked."""
        here = self.start
        for text in texts:
            actor = LUCK if here.decider == CHANCE else self.asked(here)
            move = self.wait if text == WAIT else self.rules.numbers.get(text, UNSEEN)
            if here.decider == TERMINAL or move not in self.legal(here, actor):
                raise BadOption(f"{quoted(text)} cannot be played after “{self.log(here)}”.", "bad-option")
            here = self.play(here, move)
        return self._settled(here)

    def replayed(self, events: Iterable[tuple[int, int]]) -> Position:
        """The position after these events of a match, as (role, move) pairs."""
        here = self.start
        for actor, move in events:
            here = self._after(here, actor, move, here.decisions + (actor != LUCK))
        return self._settled(here)

    # What a seat has witnessed

    def log(self, here: Position) -> str:
        """All events, in words."""
        fresh, node = [], here
        while node.log is None and node.before is not None:
            fresh.append(node)
            node = node.before
        log = node.log or ""
        for node in reversed(fresh):
            told = self._told(node.actor, node.move)
            log = node.log = f"{log}; {told}" if log else told
        return log

    def covered(self, here: Position, seat: int) -> dict[Position, int]:
        """The events that a seat has not witnessed, the newest first: secret choices, private moves, guesses.

        With each what the seat has witnessed in its place, `UNSEEN` for nothing.
        """
        secret = self.rules.sealed(here.state) & ~here.acting & self.everybody if self.rules.has_sealed else 0
        if seat != NOBODY:
            secret &= ~(1 << seat)
        found, node, private = dict[Position, int](), here, self.rules.has_private
        while (secret or private or node.guessed) and node.before is not None:
            if secret >> node.actor & 1:
                found[node] = UNSEEN
                secret &= ~(1 << node.actor)
            elif node.blurred:
                found[node] = node.move
            elif private and node.move != self.wait:
                shown = self.rules.cover(node.before.state, node.actor, node.move, here.state, seat)
                found |= {node: shown} if shown != node.move else {}
            node = node.before
        return found

    def witnessed(self, here: Position, seat: int) -> list[tuple[int, int]]:
        """The events that a seat has witnessed, as (actor, move) pairs."""
        covered = self.covered(here, seat)
        if not covered:
            return here.events()
        events = [(node.actor, covered.get(node, node.move)) for node in here.line()[1:]]
        return [event for event in events if event[1] != UNSEEN]

    def information(self, here: Position, seat: int) -> str:
        """All that a seat has witnessed, its own moves included, in words.

        Who has witnessed every event can work out the state. From the first that one has not, views tell more.
        """
        covered = self.covered(here, seat)
        if not covered:
            return f"{seat}: {self.log(here)}"
        first = list(covered)[-1]
        told, last = [self.log(first.before)] if first.before else [], ""
        for node in here.line(first):
            move, seen = covered.get(node, node.move), str(tuple(self.rules.view(node.state, seat)))
            told += [self._told(node.actor, move)] if move != UNSEEN else []
            told += [seen] if seen != last else []
            last = seen
        return f"{seat}: {'; '.join(told)}"

    def guess(self, here: Position, seat: int, random: Random) -> Position:
        """A random position that has the same view for the seat; what the seat has not witnessed stays unseen."""
        state: State = self.rules.guess(self.rules.view(here.state, seat), seat, random)
        covered = self.covered(here, seat)
        first = list(covered)[-1] if covered else here
        before = first.before
        for node in here.line(first):
            event = node.actor, covered.get(node, node.move)
            seen = state if node is here else node.state
            before = self._position(before, event, seen, node.waiting, node.decisions, blurred=node in covered)
        assert before is not None
        return before

    # Internals

    def _position(
        self,
        before: Position | None,
        event: tuple[int, int],
        state: State,
        waiting: int,
        decisions: int,
        *,
        blurred: bool = False,
    ) -> Position:
        acting: int = self.rules.to_act(state)
        decider = TERMINAL if decisions >= self.longest else self._decider(state, acting, waiting)
        guessed = blurred or (before is not None and before.guessed)
        return Position(before, *event, state, acting, decider, waiting, decisions, guessed, blurred)

    def _decider(self, state: State, acting: int, waiting: int) -> int:
        if not acting:
            return TERMINAL
        if acting >> LUCK & 1:
            return CHANCE
        if acting & (acting - 1) and self.rules.sealed(state):
            return TOGETHER
        return self._asked(state, acting & ~waiting)

    def _asked(self, state: State, left: int) -> int:
        """Of several that may act openly, those first that need not: who is asked last cannot wait."""
        if left & (left - 1):
            left = left & self.rules.may_wait(state) or left
        return (left & -left).bit_length() - 1

    def _legal(self, here: Position, actor: int) -> list[int]:
        found = sorted(moves(self.rules, here.state, actor))
        left = here.acting & ~here.waiting
        return [*found, self.wait] if here.decider >= 0 and left & (left - 1) else found

    def _after(self, here: Position, actor: int, move: int, decisions: int) -> Position:
        if move == self.wait:
            return self._position(here, (actor, move), here.state, here.waiting | 1 << actor, decisions)
        return self._position(here, (actor, move), self.rules.play(here.state, actor, move), 0, decisions)

    def _settled(self, here: Position) -> Position:
        if self.rules.sealed(here.state) & ~here.acting & self.everybody:
            raise BadOption("a tree of decisions cannot begin where only some have chosen in secret.", "bad-option")
        return here

    def _told(self, actor: int, move: int) -> str:
        return f"{'luck' if actor == LUCK else actor} {self.text(move)}"


def _fields(node: Position) -> tuple[object, ...]:
    """What a position has besides the one before and what was asked for."""
    event = node.actor, node.move, node.state, node.acting, node.decider, node.waiting, node.decisions
    return *event, node.guessed, node.blurred


def _chained(line: Iterable[tuple[int, int, State, int, int, int, int, bool, bool]]) -> Position | None:
    """The last of a line of positions; one that refers to the one before would be too deep to be pickled."""
    here = None
    for fields in line:
        here = Position(here, *fields)
    return here
