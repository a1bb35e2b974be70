"""Laws about secrets: in two worlds that differ only in what a seat may not know, it is shown the same.

What a seat may not know is what its view hides. So two matches are played side by side, in which the same have acted
and which the seat sees alike: at one point somebody, or luck, made another move, or two seats made each other's. As
long as the views stay alike, so must all that is shown, told and drawn, whatever the log of the two matches holds.
"""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random
from typing import NamedTuple, TypeAlias

from ludotheque.game import NOTHING
from ludotheque.match import Actor, Match
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.registry import has_picture, picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.testing.laws import Law, broken, play_any, require, walk
from ludotheque.testing.variants import Variant

MAX_WORLDS = 150  # compared for one law
ALTERNATIVES = 12  # other moves that are tried at one point
FOLLOWED = 12  # events that two worlds go on side by side
EXCHANGES = 25  # tried at one point
EXCHANGE_GAMES = 12

Shown: TypeAlias = dict[str, object]
Look: TypeAlias = Callable[["Worlds", Match], Shown]


class Worlds(NamedTuple):
    """Two matches that a seat cannot tell apart; None is a spectator."""

    one: Match
    other: Match
    seat: int | None
    always: bool
    """Whether the seat could not tell them apart at any time, so that what it has witnessed must be the same, too."""

    @property
    def differ(self) -> list[int]:
        """The numbers of the events that differ."""
        return [n for n in range(self.one.length) if self.one.event(n) != self.other.event(n)]


# Finding worlds


def worlds(variant: Variant) -> Iterator[Worlds]:
    """Worlds that differ in something the seat may not know now."""
    game = variant.box.rules
    if game.tells_all:
        return
    found = chain.from_iterable(map(_branched, walk(variant)))
    exchanged = _exchanges(variant) if game.can_forget else iter(())
    for pair in chain(islice(found, MAX_WORLDS), islice(exchanged, MAX_WORLDS)):
        if _is_secret(pair):
            yield pair


def _branched(match: Match) -> Iterator[Worlds]:
    """Somebody moves, or moves otherwise, and the seats that see no difference look on."""
    if match.over:
        return
    random = Random(f"{match.game.key} {match.length}")
    actor = random.choice(match.to_act)
    text, *others = random.sample(legal := match.moves(actor), min(len(legal), 1 + ALTERNATIVES))
    for seat in (None, *range(match.seats)):
        if seat == actor:
            continue
        for instead in others:
            one, other = _played(match, actor, text), _played(match, actor, instead)
            if _alike(one, other, seat):
                yield from _side_by_side(Worlds(one, other, seat, always=True), random)
                break


def _side_by_side(pair: Worlds, random: Random) -> Iterator[Worlds]:
    """The same goes on in both for as long as the seat sees no difference."""
    yield pair
    one, other = pair.one.copy(), pair.other.copy()
    for _ in range(FOLLOWED):
        if one.over:
            return
        actor = random.choice(one.to_act)
        legal = [text for text in one.moves(actor) if text in other.moves(actor)]
        if not legal:
            return
        text = random.choice(legal)
        one.play(actor, text)
        other.play(actor, text)
        if not _alike(one, other, pair.seat):
            return
        yield Worlds(one.copy(), other.copy(), pair.seat, pair.always)


def _exchanges(variant: Variant) -> Iterator[Worlds]:
    """Two seats make each other's moves, luck does what it takes, and then all goes on alike."""
    for game in range(EXCHANGE_GAMES):
        random, match = Random(f"{variant} {game}"), variant.match(by_hand=True)
        _let_luck_act(match, random)
        for _ in range(EXCHANGES):
            pair = _exchanged(match, random)
            for seat in (None, *range(match.seats)) if pair else ():
                assert pair is not None
                if _alike(*pair, seat):
                    yield from _side_by_side(Worlds(*pair, seat, always=False), random)


def _exchanged(match: Match, random: Random) -> tuple[Match, Match] | None:
    """Two turns and a third: in the other match the first two seats have made each other's moves."""
    one, other = match.copy(), match.copy()
    turns: list[tuple[Actor, str]] = []
    for _ in range(2):
        if one.over:
            return None
        turns.append((actor := random.choice(one.to_act), random.choice(one.moves(actor))))
        one.play(*turns[-1])
        _let_luck_act(one, random)
    (first, text), (second, instead) = turns
    for actor, exchanged in ((first, instead), (second, text)):
        if exchanged not in other.moves(actor):
            return None
        other.play(actor, exchanged)
        _let_luck_act(other, random)
    if one.to_act != other.to_act or one.over:
        return None
    actor = random.choice(one.to_act)
    legal = [text for text in one.moves(actor) if text in other.moves(actor)]
    if not legal:
        return None
    text = random.choice(legal)
    return _played(one, actor, text), _played(other, actor, text)


def _let_luck_act(match: Match, random: Random) -> None:
    while match.to_act == ("luck",):
        play_any(match, random)


def _played(match: Match, actor: Actor, text: str) -> Match:
    then = match.copy()
    then.play(actor, text)
    return then


def _alike(one: Match, other: Match, seat: int | None) -> bool:
    """Whether the seat sees the same position."""
    return (one.length, one.leg, one.to_act, one.chosen) == (
        other.length,
        other.leg,
        other.to_act,
        other.chosen,
    ) and (one.seen(seat) == other.seen(seat))


def _is_secret(pair: Worlds) -> bool:
    """Whether what differs is hidden now, and has not come out and left no trace in the position."""
    if pair.one.over and pair.one.reveals_all:
        return False
    if pair.one.state != pair.other.state:
        return True
    return pair.always and all(_is_kept(match, n, pair.seat) for match in (pair.one, pair.other) for n in pair.differ)


def _is_kept(match: Match, number: int, seat: int | None) -> bool:
    """Whether the game itself says that the seat may not read the event."""
    return number in match.sealed_events(seat) or match.shown_event(number, seat) != match.event(number)


# Looking at them


def compare(pair: Worlds, look: Look) -> None:
    """What the seat is shown must be the same in both worlds."""
    one, other = look(pair, pair.one), look(pair, pair.other)
    seat = "a spectator" if pair.seat is None else f"seat {pair.seat}"
    for what in one:
        if one[what] != other[what]:
            differing = _differing(one[what], other[what])
            raise broken(f"by {what} {seat} learns what its view hides: {differing}.", pair.one)


def _differing(one: object, other: object) -> str:
    """Where two things differ, in short."""
    if isinstance(one, tuple | list) and isinstance(other, tuple | list) and len(one) == len(other):
        return next((_differing(*both) for both in zip(one, other, strict=True) if both[0] != both[1]), "")
    first, second = str(one), str(other)
    at = max(next((n for n, both in enumerate(zip(first, second, strict=False)) if both[0] != both[1]), 0) - 20, 0)
    return f"{first[at : at + 80]!r} or {second[at : at + 80]!r}"


def what_a_view_hides_is_not_told(variant: Variant) -> None:
    """By the position, the log, the story, what came out last, and what a computer player is told."""
    for pair in worlds(variant):
        compare(pair, _told)


def _told(pair: Worlds, match: Match) -> Shown:
    seat = pair.seat
    shown: Shown = {
        "shown": match.shown(seat),
        "story": match.story(seat),
        "readable_events": list(match.readable_events(seat)),
        "sealed_events": match.sealed_events(seat),
        "is_private": [match.is_private(actor, seat) for actor in match.to_act],
        "moves": () if seat is None else match.moves(seat),
        "view": match.view(seat),
    }
    if pair.always:
        shown["witnessed"] = () if seat is None else match.witnessed(seat)
        shown["telling"] = [match.telling(number, seat) for number in match.readable_events(seat)]
        shown["news"] = match.news(match.before(1), seat)
    return shown


def what_a_view_hides_is_not_drawn(variant: Variant) -> None:
    """By the picture, its animation, the picture for a terminal, and a replay of what may be seen again."""
    for pair in worlds(variant) if has_picture(variant.box.rules) else ():
        compare(pair, _drawn)


def _drawn(pair: Worlds, match: Match) -> Shown:
    picture, seat = picture_of(match.game), pair.seat
    shown: Shown = {
        "the picture": render_match(match, seat),
        "the text": picture.text(match.seen(seat)),
        "a replay": list(frames(match, seat)),
    }
    if pair.always:
        shown["the steps"] = _steps(match, seat)
    return shown


def _steps(match: Match, seat: int | None) -> object:
    """How the last event is animated for the seat."""
    before, after = match.before(1), match.at_leg_end() or match
    news = after.news(before, seat)
    return picture_of(match.game).steps(before.seen(seat), news, after.seen(seat)) if news else ()


def covers_stand_for_private_moves(variant: Variant) -> None:
    """A cover is no move that could be made; nobody's own move is covered; what was read once stays readable."""
    if not variant.box.rules.has_private:
        return
    for match in walk(variant):
        for number in range(match.length):
            for seat in (None, *range(match.seats)):
                _check_cover(match, number, seat)


def _check_cover(match: Match, number: int, seat: int | None) -> None:
    game, (actor, text), shown = match.game, match.event(number), match.shown_move(number, seat)
    if game.texts[shown] == text:
        return
    require(actor != seat, f"{seat} may not read {text}, its own move.", match)
    require(NOTHING <= shown < len(game.texts), f"{shown} stands for {text}, and is no move of the table.", match)
    before = match.before(match.length - number)
    possible = shown != NOTHING and game.texts[shown] in before.moves(actor)
    require(not possible, f"{game.texts[shown]} stands for {text}, and could have been played itself.", match)
    if number < match.length - 1:
        earlier = match.before(1)
        covered = earlier.shown_event(number, seat) != match.event(number)
        require(covered, f"{text} could be read, and no longer can: `forgets` is for that.", match)


SECRECY: tuple[Law, ...] = (
    what_a_view_hides_is_not_told,
    what_a_view_hides_is_not_drawn,
    covers_stand_for_private_moves,
)
