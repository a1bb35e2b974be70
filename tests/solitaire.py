"""What the tests of the solitaires share: a fresh puzzle, moves made, moves refused."""

from functools import cache

import pytest

import ludotheque
import rivals
from ludotheque import IllegalMove, Match, words
from ludotheque.puzzles.engines.engine import AnyEngine
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making import puzzles
from ludotheque.puzzles.making.names import PuzzleSpec
from ludotheque.puzzles.solving.cover import NO_LIMIT


def fresh(key: str, **options: object) -> Match:
    return ludotheque.game(key).match(luck=None, **options)  # type: ignore[arg-type]


@cache
def made(key: str, grade: int, number: int) -> PuzzleSpec:
    """A new puzzle, solved again by another's solver, which finds as many solutions, or as few cards."""
    found = puzzles.made(key, grade, number)
    (cells,) = (value for value in found.options.values() if isinstance(value, tuple))
    if key == "pegs-solo":
        assert rivals.pegs(cells) == grade
    else:
        again = {"tetrods": rivals.tetrods, "hepta-solo": rivals.hepta}[key]
        assert again(cells) == engine(key).count(found.match().state, NO_LIMIT)
    return found


def engine(key: str) -> AnyEngine:
    return kind(key).engine


def play(match: Match, *texts: str) -> Match:
    for text in texts:
        match.play(0, text)
    return match


def finish(match: Match, moves: tuple[int, ...]) -> Match:
    return play(match, *(match.game.texts[move] for move in moves))


def refused(match: Match, text: str) -> str:
    """The name of the refusal, which nothing came of, and which can be told in every language."""
    before = match.save()
    with pytest.raises(IllegalMove) as error:
        match.play(0, text)
    assert match.save() == before
    assert text not in match.moves(0)
    told = [
        words.say(match.game.stem, lang, "refusals", error.value.code, **error.value.values)
        for lang in words.LANGUAGES
    ]
    assert told[0] == error.value.reason
    assert told[1]
    return error.value.code


def phase(match: Match) -> str:
    """What there is to do, which can be told in every language."""
    found = match.game.phase(match.state, 0)
    assert all(words.say(match.game.stem, lang, "phases", found) for lang in words.LANGUAGES)
    return found
