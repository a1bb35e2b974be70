"""Why something on the picture cannot be picked: said of one click, and only from what the seat may know."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ludotheque import words
from ludotheque.match import Match
from ludotheque.pictures.output.registry import picture_of

MAX_PICKS = 8  # of one question, and elements that were touched
MAX_SENTENCES = 2  # at one place
MAX_MOVES = 10_000  # searched for one question: more than any game of ours has

Picks = tuple[str, ...]


class Reason(NamedTuple):
    """A sentence, and the id of the element it is about; none if it is about the turn."""

    say: str
    element: str


def reason(match: Match, seat: int, picks: Iterable[str], touched: Iterable[str], lang: str) -> Reason | None:
    """Why none of the elements touched can be picked after these picks; none if one can, or nobody knows.

    With something in hand there is always a reason: it would be dropped without a word otherwise.
    """
    if match.over:
        return None
    if seat not in match.to_act:
        return Reason(_sentence(match, "already-chosen" if seat in match.chosen else "not-your-turn", lang), "")
    begin, elements, question = tuple(picks)[:MAX_PICKS], tuple(touched)[:MAX_PICKS], _Question(match, seat)
    for element in elements:
        codes = question.codes(begin, element)
        if codes is None:
            return None
        if codes:
            return Reason(" ".join(_sentence(match, code, lang) for code in codes), element)
    return Reason(_sentence(match, "no-fit", lang), elements[0]) if begin and elements else None


def _sentence(match: Match, code: str, lang: str) -> str:
    return words.say(match.game.stem, lang, "refusals", code)


class _Question:
    """All moves of a game, by the picks that would lead to them from here."""

    def __init__(self, match: Match, seat: int) -> None:
        self.game, self.view, self.role, self.seats = match.game, match.seen(seat), match.role(seat), match.seats
        self.legal = {match.game.numbers[text] for text in match.moves(seat)}
        self.spans = match.game.spans(self.view, self.role)
        self.found = self._moves(self.role)

    def _moves(self, role: int) -> list[tuple[int, Picks]]:
        picks = picture_of(self.game).picks
        return [(move, picks(self.view, role, move)) for move in range(min(len(self.game.texts), MAX_MOVES))]

    def codes(self, begin: Picks, element: str) -> list[str] | None:
        """The codes of the reasons why this element cannot be picked now; none if it can, even instead."""
        path = (*begin, element)
        moves = [move for move, picks in self.found if picks[: len(path)] == path]
        if not self.legal.isdisjoint(moves):
            return None
        codes = self._refusals([move for move in moves if self._is_of_phase(move)] or moves)
        if not begin and any(element in picks[1:] for move, picks in self.found if move in self.legal):
            codes = [*codes, "pick-first"][:MAX_SENTENCES]
        if codes or not begin:
            return codes or self._never_first(element)
        return self._out_of_reach(begin, element) or self._instead(element)

    def _refusals(self, moves: Iterable[int]) -> list[str]:
        """The codes of the commonest reasons: of the ways to lay a piece each may have its own."""
        refused = Counter(self.game.refusal(self.view, self.role, move) for move in moves)
        return [code for code, _ in refused.most_common(MAX_SENTENCES)]

    def _out_of_reach(self, begin: Picks, element: str) -> list[str]:
        """If no move at all leads from here to the element: whether one leads to others of its kind."""
        kinds = {_kind(pick) for _, picks in self.found for pick in picks[len(begin) : len(begin) + 1]}
        return ["no-fit"] if _kind(element) in kinds else []

    def _instead(self, element: str) -> list[str] | None:
        """If what is in hand has nothing to do with the element: why it cannot be picked instead, none if it can."""
        moves = [move for move, picks in self.found if picks[:1] == (element,)]
        if not self.legal.isdisjoint(moves):
            return None
        return self._refusals(moves) or self._never_first(element)

    def _never_first(self, element: str) -> list[str]:
        """If no move begins with the element: why none leads there later, or that it belongs to somebody else."""
        later = [move for move, picks in self.found if element in picks[1:] and self._is_of_phase(move)]
        refused = self._refusals(later) if self.legal.isdisjoint(later) else []
        return refused or (["not-yours"] if element in self._others else [])

    @cached_property
    def _others(self) -> set[str]:
        """What the moves of the other seats begin with."""
        roles = (role for role in range(self.seats) if role != self.role)
        return {pick for role in roles for _, picks in self._moves(role) for pick in picks[:1]}

    def _is_of_phase(self, move: int) -> bool:
        return any(first <= move < stop for first, stop in self.spans)


def _kind(element: str) -> str:
    """What an element is, by its id: the cell of `cell-d4`."""
    return element.partition("-")[0]
