"""Every move of every game can be written, typed, told of and offered, in every language."""

import re
from random import Random

import pytest

import ludotheque
from ludotheque import Box, Match, move_words, words
from ludotheque.cli.messages import Messages
from ludotheque.game import Telling
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from variants import Variant, everything

GAMES = 3  # random ones of each variant
MAX_EVENTS = 150
COMMANDS = ("board", "check", "help", "hint", "log", "moves", "quit", "redo", "rules", "save", "solution", "undo")

every_language = pytest.mark.parametrize("lang", words.LANGUAGES)
every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)
every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


def played(variant: Variant, seed: int) -> Match:
    match, random = variant.match(seed), Random(seed)
    while not match.over and match.length < MAX_EVENTS:
        seat = random.choice(match.to_act)
        match.play(seat, random.choice(match.moves(seat)))
    return match


@every_game
def test_what_is_written_can_be_typed(box: Box) -> None:
    """In every language, and what is typed in one means nothing else in another."""
    meanings: dict[str, str] = {}
    for text in box.rules.texts:
        for lang in words.LANGUAGES:
            shown = move_words.written(box.rules.stem, text, lang)
            assert move_words.read(box.rules.stem, shown) == text
            assert meanings.setdefault(shown.casefold(), text) == text
    assert all(move_words.read(box.rules.stem, text) == text for text in box.rules.texts)
    assert all(move_words.written(box.rules.stem, text, words.DEFAULT_LANGUAGE) == text for text in box.rules.texts)


@every_game
def test_no_word_of_a_move_text_is_left_in_english(box: Box) -> None:
    """Only names stay: of dogs, which are the same in every language."""
    names = {"Rex", "Fifi", "Daisy", "Zorro"}
    for lang in words.LANGUAGES:
        table = words.page(box.rules.stem, lang).get("notation", {})
        found = {word for text in box.rules.texts for word in move_words.WORD.findall(text)}
        assert found - names == set(table)  # type: ignore[arg-type]


@every_game
@every_language
def test_the_hints_of_typing_can_be_typed(box: Box, lang: str) -> None:
    page = words.page(box.rules.stem, lang)
    assert isinstance(page["moves"], dict)
    examples = [code for sentence in page["moves"].values() for code in re.findall("`([^`]+)`", str(sentence))]
    assert len(examples) >= 2
    for code in examples:
        text = move_words.read(box.rules.stem, code)
        assert text in box.rules.numbers
        assert move_words.written(box.rules.stem, text, lang) == code


@pytest.mark.parametrize(
    ("key", "typed", "text"),
    [
        ("pizza", "Couper  3", "cut 3"),
        ("pizza", "troisieme e4", "third e4"),
        ("pegs", "ECARTER 17", "drop 17"),
        ("hundsgemein", "jeter A B", "drop A B"),
        ("hundsgemein", "chien Rex", "dog Rex"),
        ("tetrods", "L3:c3-c2-c4-d2", "L3:c3-c2-c4-d2"),
        ("pizza", "nonsense 3", "nonsense 3"),
    ],
)
def test_typing_is_forgiving(key: str, typed: str, text: str) -> None:
    assert move_words.read(ludotheque.game(key).rules.stem, typed) == text


def test_a_game_without_words_goes_by_its_texts() -> None:
    told = Telling("nothing")
    for lang in words.LANGUAGES:
        assert move_words.written("nowhere", "cut 3", lang) == "cut 3"
        assert move_words.read("nowhere", "cut 3") == "cut 3"
        assert move_words.label("nowhere", lang, told) == ""
        assert move_words.sentence("nowhere", lang, told, "Ada", str) is None


@every_variant
def test_a_move_is_told_as_its_animation_tells_it(variant: Variant) -> None:
    """`Game.tell` before the move, and the steps of the picture after it, say the same in the same words."""
    for seed in range(GAMES):
        match = played(variant, seed)
        for number in range(match.length):
            before, after = match.before(match.length - number), match.before(match.length - number - 1)
            if before.leg != after.leg or match.game.sealed(before.state):
                continue  # another leg's board; a sealed choice is told once all are made
            news = (match.story(None, number)[:1]) if match.leg == before.leg else ()
            if not news:
                continue
            told = match.telling(number, None)
            steps = picture_of(match.game).steps(before.seen(None), news, after.seen(None))
            assert (told.sentence, set(told.values)) in [(step.sentence, set(step.values)) for step in steps]


@every_variant
@every_language
def test_every_move_has_a_sentence_and_a_label(variant: Variant, lang: str) -> None:
    stem, labels = variant.box.rules.stem, set[str]()
    for seed in range(GAMES):
        match = played(variant, seed)
        for number, (actor, _) in enumerate(match.events):
            told = match.telling(number, None)
            said = move_words.sentence(stem, lang, told, "Ada", lambda role: f"Role{role}")
            assert said
            assert "{" not in said
            if actor != "luck":
                labels.add(move_words.label(stem, lang, told))
    assert labels
    assert "" not in labels


@every_variant
def test_a_telling_holds_no_more_than_the_seat_may_know(variant: Variant) -> None:
    """From the whole state and from any view of it the same is told: nothing hidden can be in it."""
    match = played(variant, 1)
    for number in range(match.length):
        state = match.before(match.length - number).state
        role, move = match._played[number]
        assert {match.telling(number, seat) for seat in (None, *range(match.seats))} == {
            match.game.tell(state, role, move)
        }


@every_language
def test_to_object_looks_the_same_whether_right_or_wrong(lang: str) -> None:
    """With the referee at the table, finding out is for the players."""
    labels = {
        move_words.label("hundsgemein", lang, Telling(name, (("cell", "c3"),))) for name in ("upheld", "overruled")
    }
    assert len(labels) == 1


@every_variant
@every_language
def test_a_set_up_is_one_line(variant: Variant, lang: str) -> None:
    match = played(variant, 0)
    told = [match.telling(number, None) for number in range(match.length) if match.leg_of(number) == 0]
    begin = [each for each in told if each.setup]
    assert begin == told[: len(begin)], "the set-up comes first"
    if begin:
        line = move_words.setup(match.game.stem, lang, begin)
        assert re.search(r"\d", line)
        assert "{" not in line


def test_a_set_up_counts() -> None:
    told = [Telling("block", (("cell", cell),), setup=True) for cell in ("d4", "a1")]
    assert move_words.setup("hepta", "en", told) == "Set-up: 2 blockers on d4, a1"
    assert move_words.setup("hepta", "en", told[:1]) == "Set-up: 1 blocker on d4"


@every_game
@every_language
def test_no_word_of_a_move_is_a_command_of_the_terminal(box: Box, lang: str) -> None:
    found = Messages(lang)
    said = {word for name in COMMANDS for word in found("commands", name).split()}
    typed = {move_words.written(box.rules.stem, text, lang).split()[0].lower() for text in box.rules.texts}
    assert said
    assert said.isdisjoint(typed)


@pytest.mark.parametrize(
    ("key", "english", "french"),
    [
        ("pizza", ["1st", "2nd", "3rd"], ["1er", "2e", "3e"]),
        ("tricolore", ["moves without a capture", "0 of 120"], ["coups sans prise", "0 sur 120"]),
        ("pegs-solo", ["cards: 0 of 11", "pegs: 0 of 41"], ["cartes\u00a0: 0 sur 11", "chevilles\u00a0: 0 sur 41"]),
    ],
)
def test_words_on_a_picture_are_in_the_readers_language(key: str, english: list[str], french: list[str]) -> None:
    match = ludotheque.game(key).match()
    for lang, wanted in (("en", english), ("fr", french)):
        drawn = re.findall(r'data-words="">([^<]*)', render_match(match, None, lang=lang))
        assert set(wanted) == set(drawn)
