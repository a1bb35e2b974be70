"""What happened is told in words, in both languages, of every game, and tells no more than a seat may know."""

from random import Random

import pytest

import ludotheque
from ludotheque import words
from ludotheque.web import happenings
from web.people import seated


@pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)
def test_every_move_of_every_game_can_be_told(box: ludotheque.Box) -> None:
    random = Random(box.key)
    match = box.match(seats=max(box.seats), seed=5)
    names = ["Ada", "Bob", "Cleo", "Dan"][: match.seats]
    told = 0
    for _ in range(40):
        if match.over:
            break
        actor = random.choice(match.to_act)
        match.play(actor, random.choice(match.moves(actor)))
        for seat in (None, *range(match.seats)):
            steps = happenings.happened(match, seat)
            spoken = [happenings.sentences(match, steps, names, lang) for lang in words.LANGUAGES]
            assert len(spoken[0]) == len(spoken[1])
            assert not any("{" in sentence for sentences in spoken for sentence in sentences)
            told += len(spoken[0])
    assert told


def test_a_sealed_choice_is_told_without_what_was_chosen() -> None:
    table = seated()
    for seat, space in enumerate(("a1", "g4", "b1")):
        table.play(seat, space)
    table.play(1, "cut 2")
    html = table.screen("ada")["html"]
    assert 'id="happened"' in html
    assert "Bob" in html[html.index('id="happened"') :][:120]
    assert "2" not in html[html.index('id="happened"') + 30 :].split("</p>")[0]
