"""A game being played: the one way to play.

A match validates every move and says why one is refused, lets luck act by itself and logs it, keeps sealed choices
sealed, undoes moves within limits, plays series of legs, and saves itself as a record. The rules are in `games/`.
Seats here are people; their roles in the rules rotate from leg to leg of a series.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from ludotheque import records, words
from ludotheque.errors import BadOption, IllegalMove, UndoRefused, quoted
from ludotheque.game import DRAW, LUCK, NOBODY, NOTHING, AnyGame, Json, Telling, moves
from ludotheque.luck import Luck
from ludotheque.options import Value

Actor: TypeAlias = int | Literal["luck"]
Event: TypeAlias = tuple[Actor, str]
Undo: TypeAlias = tuple[Literal["undo"], int]
Renderer: TypeAlias = Callable[["Match", int | None], str]


class Ending(NamedTuple):
    """How people ended a match before its rules did: one resigned, or all agreed on a draw."""

    how: Literal["resign", "draw"]
    seat: int | None = None


class Snapshot(NamedTuple):
    """A match after an event: the leg, the points of the legs before, the state of this leg, who acts."""

    leg: int
    banked: tuple[int, ...]
    state: tuple[object, ...]
    acting: int


class Match:
    """A match of one game between `seats` people. `luck=None` means that luck's moves are played by hand."""

    def __init__(
        self,
        game: AnyGame,
        seats: int | None = None,
        luck: Luck | None = None,
        options: Mapping[str, object] | None = None,
        renderer: Renderer | None = None,
        *,
        writer: Renderer | None = None,
    ) -> None:
        self.game = game
        self.seats = _seats(game, seats)
        self.luck = luck
        self.options = _options(game, options or {})
        self.log: list[Event | Undo] = []
        self.ending: Ending | None = None
        self._renderer = renderer
        self._writer = writer
        self._events: list[Event] = []
        self._played: list[tuple[int, int]] = []
        self._draws = 0  # how often luck drew, draws that were taken back included
        self._snapshots = [self._leg_start(0, (0,) * self.seats)]
        self._read: dict[int | None, list[int]] = {}
        self._opened = False
        self._let_luck_act()

    # Queries

    @property
    def events(self) -> list[Event]:
        """All events in order, secrets included. What players may read is `shown(seat)`."""
        return list(self._events)

    def event(self, number: int) -> Event:
        """The event of this number, from 0, secrets included."""
        return self._events[number]

    @property
    def length(self) -> int:
        """How many events there have been."""
        return len(self._events)

    @property
    def to_act(self) -> tuple[Actor, ...]:
        """Who may move now. Luck is only in here when it is played by hand."""
        leg, _, _, acting = self._snapshots[-1]
        if self.ending or not acting:
            return ()
        if acting >> LUCK & 1:
            return ("luck",)
        return tuple([seat for seat in range(self.seats) if acting >> self.role_of(seat, leg) & 1])

    @property
    def chosen(self) -> list[int]:
        """The seats whose choice is made and still sealed."""
        leg, _, state, acting = self._snapshots[-1]
        chosen = 0 if self.over else self.game.sealed(state) & ~acting
        return [person for person in range(self.seats) if chosen >> self.role_of(person, leg) & 1] if chosen else []

    @property
    def over(self) -> bool:
        return self.ending is not None or not self._snapshots[-1].acting

    @property
    def reveals_all(self) -> bool:
        """Whether nothing is private any more: the game has no private moves, or they have come out."""
        return not self.game.has_private or self._opened or (self.over and self.game.reveals)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat, the legs of a series added up."""
        leg, banked, state, _ = self._snapshots[-1]
        here = self.game.scores(state)
        return tuple([banked[seat] + here[self.role_of(seat, leg)] for seat in range(self.seats)])

    @property
    def winners(self) -> tuple[int, ...]:
        """Once it is over, the seats at the top: all of them in a draw, none if all lost or nothing was decided."""
        return tuple(seat for seat in range(self.seats) if self._outcome >> seat & 1)

    @property
    def draw(self) -> bool:
        """Whether it ended in a draw."""
        return bool(self._outcome & DRAW)

    @property
    def solved(self) -> bool:
        """Whether a solitaire is solved."""
        return self.seats == 1 and self.scores == (1,)

    @property
    def leg(self) -> int:
        """The leg being played, from 0."""
        return self._snapshots[-1].leg

    @property
    def legs(self) -> int:
        """How many legs the match has."""
        legs = self.options.get("legs", 1)
        assert isinstance(legs, int)
        return legs

    @property
    def state(self) -> tuple[object, ...]:
        """The state of the leg being played, secrets included. What a seat may know is `seen(seat)`."""
        return self._snapshots[-1].state

    @property
    def end_state(self) -> tuple[object, ...]:
        """The state of a match that is over, as far as it comes out."""
        return self.state if self.reveals_all else self.seen(None)

    def seen(self, seat: int | None) -> tuple[object, ...]:
        """The state as this seat may know it; None for a spectator."""
        seen: tuple[object, ...] = self.game.view(self.state, NOBODY if seat is None else self.role(seat))
        return seen

    def moves(self, actor: Actor) -> list[str]:
        """The texts of the actor's legal moves, in the game's order; none when it is not to act."""
        role = self.role(actor)
        return [] if self.ending else list(map(self.game.texts.__getitem__, moves(self.game, self.state, role)))

    def view(self, seat: int | None) -> dict[str, Json]:
        """All that this seat may know, ready for JSON; None for a spectator."""
        return {
            "game": self.game.key,
            "seats": self.seats,
            "options": {name: _plain(value) for name, value in self.options.items()},
            "seat": seat,
            "to_act": list(self.to_act),
            "chosen": list(self.chosen),
            "over": self.over,
            "scores": list(self.scores),
            "winners": list(self.winners),
            "draw": self.draw,
            "solved": self.solved,
            "leg": self.leg + 1,
            "legs": self.legs,
            "roles": [self.role_of(person, self.leg) for person in range(self.seats)],
            "position": self.game.describe(self.seen(seat)),
            "events": [list(event) for event in self.shown(seat)],
        }

    def shown(self, seat: int | None) -> list[Event]:
        """The events this seat may read: no sealed choices of others, nothing from before the log starts over.

        In place of a private move stands its cover.
        """
        if self.game.tells_all:
            return self.events
        if not self.game.has_private:
            return [self._events[number] for number in self.readable_events(seat)]
        return [self.shown_event(number, seat) for number in self.readable_events(seat)]

    def shown_event(self, number: int, seat: int | None) -> Event:
        """The event of this number, if it is one of `readable_events(seat)`, as the seat may read it."""
        return self._events[number][0], self.game.texts[self.shown_move(number, seat)]

    def shown_move(self, number: int, seat: int | None) -> int:
        """The move of the event of this number, or what the seat is shown in its place while it is private."""
        role, move = self._played[number]
        if self.reveals_all:
            return move
        leg, _, before, _ = self._snapshots[number]
        viewer = NOBODY if seat is None else self.role_of(seat, leg)
        cover: int = self.game.cover(before, role, move, self._latest(leg), viewer)
        return cover

    def readable_events(self, seat: int | None) -> Sequence[int]:
        """The numbers of the events in `shown(seat)`, in order, from 0."""
        if self.game.tells_all:
            return range(len(self._events))
        if seat not in self._read:
            self._read[seat] = self._find_readable(seat)
        return self._read[seat]

    def sealed_events(self, seat: int | None) -> set[int]:
        """The numbers of the events kept from the seat: choices of others that are still sealed, and private moves
        that nothing is shown of."""
        sealed = {
            max(number for number, (actor, _) in enumerate(self._events) if actor == other)
            for other in self.chosen
            if other != seat
        }
        if self.game.has_private:
            sealed.update(n for n in range(len(self._events)) if self.shown_move(n, seat) == NOTHING)
        return sealed

    def story(self, seat: int | None, since: int = 0) -> tuple[tuple[int, int], ...]:
        """The events of this leg that the seat may read, as (role, move) pairs: for pictures.

        All of them, or those after so many events of the match.
        """
        begin = max(self._leg_began, since)
        if self.game.tells_all:
            return tuple(self._played[begin:])
        readable = self.readable_events(seat)
        return self._seen_moves(readable[bisect_left(readable, begin) :], seat)

    def news(self, before: "Match", seat: int | None) -> tuple[tuple[int, int], ...]:
        """What the seat has come to know since this match was as `before`, in this leg, as (role, move) pairs.

        That is the last move, and what was sealed or private until now.
        """
        if self.game.tells_all:
            return self.story(seat, since=before.length)
        known = before._readings(seat)  # noqa: SLF001 - of its own kind
        readings = self._readings(seat)
        return tuple([(self._played[n][0], move) for n, move in readings.items() if known.get(n) != move])

    def whole_story(self) -> tuple[tuple[int, int], ...]:
        """The events of this leg, secrets included, as (role, move) pairs: for pictures of a match that is over."""
        return tuple(self._played[self._leg_began :])

    def telling(self, number: int, seat: int | None) -> Telling:
        """What the event of this number did, from what the seat could know of the position before it.

        Of a private move its cover is told, and nothing where it has none.
        """
        leg, _, state, _ = self._snapshots[number]
        role, move = self._played[number]
        if self.game.has_private and (move := self.shown_move(number, seat)) == NOTHING:
            return Telling()
        view = self.game.view(state, NOBODY if seat is None else self.role_of(seat, leg))
        told: Telling = self.game.tell(view, role, move)
        return told

    def leg_of(self, number: int) -> int:
        """The leg of the event of this number, from 0."""
        return self._snapshots[number].leg

    def role_of(self, seat: int, leg: int) -> int:
        """The number in the rules that a seat has in a leg, from 0."""
        return (seat + leg) % self.seats

    def seat_of(self, role: int, leg: int) -> int | None:
        """The seat that has this role in a leg; none for luck, and for a role that nobody plays."""
        return (role - leg) % self.seats if role < self.seats else None

    def ended_legs(self) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
        """For each leg played to its end: the number of its last event, and its (role, move) pairs."""
        found, begin = [], 0
        for number, (before, after) in enumerate(pairwise(self._snapshots)):
            if after.leg != before.leg or not after.acting:
                found.append((number, tuple(self._played[begin : number + 1])))
                begin = number + 1
        return found

    def witnessed(self, seat: int) -> tuple[tuple[int, int], ...]:
        """The events of this leg that the seat saw happen, as (role, move) pairs, no longer shown ones included.

        What it saw of a private move is the cover.
        """
        sealed = self.sealed_events(seat)
        return self._seen_moves([n for n in range(self._leg_began, len(self._events)) if n not in sealed], seat)

    def is_private(self, actor: Actor, seat: int | None) -> bool:
        """Whether the actor is to make, or has just sealed, a move that this seat may not read at once."""
        game, state, role = self.game, self.state, self.role(actor)
        sealed = bool(game.sealed(state) >> role & 1)
        if actor == seat or sealed or not game.has_private:
            return actor != seat and sealed
        viewer = NOBODY if seat is None else self.role(seat)
        return any(
            game.cover(state, role, move, game.play(state, role, move), viewer) != move
            for move in moves(game, state, role)
        )

    def picture(self, seat: int | None = None) -> str:
        """The position as this seat may see it, as SVG."""
        if self._renderer is None:
            raise LookupError("this match was made without pictures; make it with ludotheque.game(…).match(…)")
        return self._renderer(self, seat)

    def _repr_svg_(self) -> str | None:
        """The picture for a spectator, in notebooks; none if the match was made without pictures."""
        return None if self._renderer is None else self._renderer(self, None)

    # Commands

    def play(self, actor: Actor, text: str) -> None:
        """Play a move, then luck's moves that are due. An illegal one raises `IllegalMove` and changes nothing."""
        move = self._checked(actor, text)
        self._add(actor, move)
        self._let_luck_act()

    def undo(self, seat: int, *, agreed: bool = False) -> None:
        """Undo the seat's last move and what followed.

        Unless all agreed, that is never past another's move, luck, or a revealed secret; alone at a table one may
        undo everything.
        """
        role = self.role(seat)
        mine = [number for number, (actor, _) in enumerate(self._events) if actor == seat]
        if self.ending:
            raise UndoRefused(self._sentence("over"), "over")
        if not mine:
            raise UndoRefused(self._sentence("nothing-to-undo"), "nothing-to-undo")
        if not agreed and self.seats > 1:
            self._check_undo(mine[-1], role)
        self._take_back(len(self._events) - mine[-1])
        self._let_luck_act()

    def resign(self, seat: int) -> None:
        """Resign: the match is over, and the others have won."""
        self.role(seat)
        self._end(Ending("resign", seat))

    def agree(self) -> None:
        """End the match with a draw that all have agreed on."""
        self._end(Ending("draw"))

    def enter(self, entry: Event | Undo) -> None:
        """Replay one entry of a log, an event or an undo; luck does not act by itself."""
        if entry[0] == "undo":
            self._take_back(entry[1])
        else:
            self._add(entry[0], self._checked(entry[0], entry[1]))

    def copy(self) -> "Match":
        """An independent copy."""
        other = self._shallow_copy()
        other.log, other._read = list(self.log), {}  # noqa: SLF001 - of its own kind
        other._events, other._snapshots = list(self._events), list(self._snapshots)  # noqa: SLF001
        other._played = list(self._played)  # noqa: SLF001
        return other

    def before(self, events: int) -> "Match":
        """The match as it was so many events ago, for reading only: its log is not cut."""
        if not events:
            return self
        other = self._shallow_copy()
        other._events, other._snapshots = self._events[:-events], self._snapshots[:-events]  # noqa: SLF001 - as above
        other._played, other._read, other.ending = self._played[:-events], {}, None  # noqa: SLF001
        return other

    def opened(self) -> "Match":
        """The match for those who may read all of its record, for reading only: nothing in it is private."""
        other = self._shallow_copy()
        other._opened, other._read = True, {}  # noqa: SLF001 - of its own kind
        return other

    def at_leg_end(self) -> "Match | None":
        """The match with the board of the leg that its last event ended, for reading only; None if none ended."""
        if len(self._snapshots) < 2 or self._snapshots[-1].leg == self._snapshots[-2].leg:
            return None
        leg, banked, state, _ = self._snapshots[-2]
        other = self._shallow_copy()
        ended = Snapshot(leg, banked, self.game.play(state, *self._played[-1]), 0)
        other._snapshots, other._read = [*self._snapshots[:-1], ended], {}  # noqa: SLF001 - of its own kind
        return other

    def due(self) -> str | None:
        """The move that luck draws next, if luck is to act and not played by hand."""
        if self.luck is None or self.ending or not self._snapshots[-1].acting >> LUCK & 1:
            return None
        options = moves(self.game, self.state, LUCK)
        weights = [self.game.weight(self.state, move) for move in options]
        text: str = self.game.texts[options[self.luck.draw(self._draws, weights)]]
        return text

    def save(self) -> str:
        """The match as a record (`docs/reference/record.md`): all that is needed to go on, luck's secret included."""
        return records.write(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # a match is mutable

    def __copy__(self) -> "Match":
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, object]) -> "Match":
        return self.copy()  # all that a copy shares never changes

    def __repr__(self) -> str:
        return f"<Match of {self.game.key}: {len(self._events)} events, to act {self.to_act}>"

    def __str__(self) -> str:
        """The position for a spectator, as text, and who is to act."""
        return repr(self) if self._writer is None else f"{self._writer(self, None)}\n{self!r}"

    # Internals

    def _shallow_copy(self) -> "Match":
        """A copy that shares all attributes with this match."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)  # what copy.copy() does, ten times as fast
        return other

    def _readings(self, seat: int | None) -> dict[int, int]:
        """The events of this leg that the seat may read, by number, each with the move that it is shown."""
        readable, begin = self.readable_events(seat), self._leg_began
        return {number: self.shown_move(number, seat) for number in readable[bisect_left(readable, begin) :]}

    def _seen_moves(self, numbers: Sequence[int], seat: int | None) -> tuple[tuple[int, int], ...]:
        """These events as the seat may know them, as (role, move) pairs."""
        if not self.game.has_private:
            return tuple([self._played[number] for number in numbers])
        return tuple([(self._played[number][0], self.shown_move(number, seat)) for number in numbers])

    def _latest(self, leg: int) -> tuple[object, ...]:
        """The last position of a leg that has begun."""
        last = self._snapshots[-1]
        if leg == last.leg:
            return last.state
        end = bisect_left(self._snapshots, leg + 1, key=itemgetter(0)) - 1
        state: tuple[object, ...] = self.game.play(self._snapshots[end].state, *self._played[end])
        return state

    @property
    def _leg_began(self) -> int:
        """The number of the first event of this leg."""
        return bisect_left(self._snapshots, self.leg, key=itemgetter(0)) if self.leg else 0

    @property
    def _outcome(self) -> int:
        """The winners as of `Game.winners`, over all legs, with seats instead of roles."""
        if not self.over:
            return 0
        if self.ending:
            everybody = (1 << self.seats) - 1
            return everybody | DRAW if self.ending.seat is None else everybody & ~(1 << self.ending.seat)
        if self.legs == 1:
            outcome: int = self.game.winners(self.state)
            return outcome
        top = [seat for seat in range(self.seats) if self.scores[seat] == max(self.scores)]
        return sum(1 << seat for seat in top) | (DRAW if len(top) == self.seats else 0)

    def _leg_start(self, leg: int, banked: tuple[int, ...]) -> Snapshot:
        """The snapshot at the start of a leg."""
        options = {name: value for name, value in self.options.items() if name != "legs"}
        state: tuple[object, ...] = self.game.start(self.seats, **options)
        return Snapshot(leg, banked, state, self.game.to_act(state))

    def role(self, actor: object) -> int:
        """The actor's number in the rules of this leg."""
        if actor == "luck":
            return LUCK
        if type(actor) is int and 0 <= actor < self.seats:  # True is no seat
            return self.role_of(actor, self._snapshots[-1].leg)
        seats = f"0–{self.seats - 1}" if self.seats > 1 else "0"
        raise self._illegal("unknown-seat", seat=quoted(actor), seats=seats)

    def _checked(self, actor: Actor, text: str) -> int:
        """The number of a move that is legal now; else raises `IllegalMove`."""
        role = self.role(actor)
        if self.over:
            raise self._illegal("over")
        if not self._snapshots[-1].acting >> role & 1:
            chosen = self.game.sealed(self.state) >> role & 1
            raise self._illegal("already-chosen" if chosen else "not-your-turn")
        if not isinstance(text, str) or text not in self.game.numbers:
            raise self._illegal("not-a-move", move=quoted(text), example=self.moves(actor)[0])
        move = self.game.numbers[text]
        within = any(first <= move < stop for first, stop in self.game.spans(self.state, role))
        if not within or not self.game.legal(self.state, role, move):
            raise self._illegal(self.game.refusal(self.state, role, move))
        return move

    def _add(self, actor: Actor, move: int) -> None:
        event, role = (actor, self.game.texts[move]), self.role(actor)
        self._snapshots.append(self._after(self._snapshots[-1], role, move))
        self._played.append((role, move))
        self._events.append(event)
        self.log.append(event)
        self._draws += actor == "luck"
        self._read.clear()

    def _take_back(self, number: int) -> None:
        if not 1 <= number <= len(self._events):
            raise UndoRefused(self._sentence("nothing-to-undo"), "nothing-to-undo")
        self.ending = None
        del self._events[-number:], self._snapshots[-number:], self._played[-number:]
        self._read.clear()
        self.log.append(("undo", number))

    def _end(self, ending: Ending) -> None:
        if self.over:
            raise self._illegal("over")
        self.ending = ending
        self._read.clear()

    def _after(self, last: Snapshot, role: int, move: int) -> Snapshot:
        state = self.game.play(last.state, role, move)
        acting = self.game.to_act(state)
        if acting or last.leg + 1 == self.legs:
            return Snapshot(last.leg, last.banked, state, acting)
        points = self.game.scores(state)
        banked = (points[self.role_of(seat, last.leg)] + before for seat, before in enumerate(last.banked))
        return self._leg_start(last.leg + 1, tuple(banked))

    def _let_luck_act(self) -> None:
        while (text := self.due()) is not None:
            self._add("luck", self.game.numbers[text])

    def _find_readable(self, seat: int | None) -> list[int]:
        begin, hidden, forgets = 0, self.sealed_events(seat), self.game.forgets
        for number, (_, text) in enumerate([] if self.over or not self.game.can_forget else self._events):
            if forgets(self._snapshots[number].state, self.game.numbers[text]):
                begin = number
        return [number for number in range(begin, len(self._events)) if number not in hidden]

    def _check_undo(self, number: int, role: int) -> None:
        before, after = self._snapshots[number].state, self.state
        if any(actor == "luck" for actor, _ in self._events[number + 1 :]):
            raise UndoRefused(self._sentence("undo-luck"), "undo-luck")
        if len(self._events) > number + 1:
            raise UndoRefused(self._sentence("undo-others"), "undo-others")
        if (
            self.game.sealed(before) >> role & 1
            or any(
                self.game.view(before, seat) != before and self.game.view(after, seat) == after
                for seat in range(self.seats)
            )
            or (self.game.has_private and self._has_come_out(number, role))
        ):
            raise UndoRefused(self._sentence("undo-secret"), "undo-secret")

    def _has_come_out(self, number: int, role: int) -> bool:
        """Whether this event may have told something private: to who made it, who did not know all, or to others."""
        before, then = self._snapshots[number].state, self.before(len(self._events) - number)
        return bool(self.game.view(before, role) != before) or any(
            then.shown_move(earlier, seat) != self.shown_move(earlier, seat)
            for earlier in range(then._leg_began, number)  # noqa: SLF001 - of its own kind
            for seat in (None, *range(self.seats))
        )

    def _illegal(self, code: str, **values: object) -> IllegalMove:
        return IllegalMove(self._sentence(code, **values), code, values)

    def _sentence(self, code: str, **values: object) -> str:
        return words.say(self.game.stem, words.DEFAULT_LANGUAGE, "refusals", code, **values)

    def _identity(self) -> tuple[object, ...]:
        return self.game.key, self.seats, self.luck, self.options, self.log, self._events, self.ending


def _seats(game: AnyGame, seats: int | None) -> int:
    if seats is None:
        return game.seats[0]
    if isinstance(seats, bool) or not isinstance(seats, int) or seats not in game.seats:
        numbers = " or ".join(str(number) for number in sorted(game.seats))
        raise BadOption(f"{game.key} is for {numbers} seats, not {quoted(seats)}.", "bad-seats")
    return seats


def _options(game: AnyGame, values: Mapping[str, object]) -> dict[str, Value]:
    known = [option.name for option in game.options]
    for name in values:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise BadOption(f"{game.key} has no option {quoted(name)}; {has}.", "unknown-option")
    return game.choices(values)


def _plain(value: Value) -> Json:
    return list(value) if isinstance(value, tuple) else value
