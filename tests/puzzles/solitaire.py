"""What the tests of the solitaires share: a fresh puzzle, moves made, moves refused."""

import pytest

import ludotheque
from ludotheque import IllegalMove, Match, words


def fresh(key: str, **options: object) -> Match:
    return ludotheque.game(key).match(luck=None, **options)  # type: ignore[arg-type]


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
