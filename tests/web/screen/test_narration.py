"""What happened is told in words, in both languages, of every game, and tells no more than a seat may know."""

from random import Random

import pytest

import ludotheque
from ludotheque import words
from ludotheque.web.screen import narration
from ludotheque.web.screen.narration import Teller
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
            stories = [narration.story(match, Teller(seat, names, lang)) for lang in words.LANGUAGES]
            spoken = [[beat["say"] for scene in story for beat in scene["beats"]] for story in stories]
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


DUELS = [box.key for box in ludotheque.games() if max(box.seats) > 1]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("key", DUELS)
def test_the_result_is_explained(key: str, lang: str) -> None:
    options = {"legs": 1, "rounds": 2, "limit": 30, "quiet": 10}
    known = {option.name for option in ludotheque.game(key).options}
    table = seated(key, 2, **{name: value for name, value in options.items() if name in known})
    assert 'id="why"' not in table.screen("ada", lang)["html"]
    table.play_randomly()
    page = table.screen("ada", lang)["html"]
    why = page[page.index('id="why"') :].split("</div>")[0]
    for name, points in zip(("Ada", "Bob"), table.match.scores, strict=True):
        assert any(name in line and str(points) in line for line in why.split("<li>"))
    if key == "hundsgemein":
        assert sum(street in why for street in ("h1", "h6", "v1", "v6")) == 4, "street by street"
