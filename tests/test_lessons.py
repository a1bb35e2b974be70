"""Every lesson can be played as it is written: right moves are right, wrong ones wrong, in both languages."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import ludotheque
from ludotheque import Box, IllegalMove, words
from ludotheque.lessons import HAND, TIP_KINDS, TIPS, Task, tasks, tips
from ludotheque.pictures.output import diagrams
from ludotheque.words import Table

SOURCE = Path(ludotheque.__file__ or "").parent
MOST = 12  # right moves tried of each step
MAX_TASK_CHARS = 115  # three lines on a telephone; tests/browser/test_lessons.py measures them
MAX_SENTENCE_CHARS = 125
TYPING = re.compile(r"`|\btyp(e|ing) (a|the|in|its|for)\b|\btapez\b|\bécrivez\b|\bnommez\b", re.IGNORECASE)
both = pytest.mark.parametrize("lang", words.LANGUAGES)


def everything() -> list[Task]:
    return [task for box in ludotheque.games() for task in tasks(box.rules)]


every_task = pytest.mark.parametrize("task", everything(), ids=lambda task: f"{task.game.key}-{task.name}")
every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)


@every_game
def test_every_game_has_a_lesson(box: Box) -> None:
    steps = tasks(box.rules)
    ours = (SOURCE / "words" / "positions" / f"{box.rules.stem}.toml").exists()
    assert (6 if ours else 1) <= len(steps) <= 12
    assert len({task.name for task in steps}) == len(steps)


@every_task
def test_right_moves_are_legal_and_go_on_as_told(task: Task) -> None:
    match = task.match()
    assert task.seat in match.to_act
    assert task.solutions()
    for pattern in task.right:
        assert any(_like(pattern, text) for text in task.solutions()), pattern
    for text in task.solutions()[:MOST]:
        assert task.answer(text, "en").verdict == "right"


@every_task
def test_wrong_moves_are_legal_or_refused_as_told(task: Task) -> None:
    for wrong in task.wrong:
        for pattern in wrong.moves:
            found = [text for text in task.game.texts if _like(pattern, text) and text not in task.right]
            assert found, pattern
            legal = [text for text in found if text in task.match().moves(task.seat)]
            assert bool(legal) != bool(wrong.refused), pattern
            for text in legal:
                assert task.answer(text, "fr").verdict == "wrong"
        if wrong.refused:
            _refused(task, wrong.moves[0], wrong.refused)


def _refused(task: Task, text: str, code: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        task.match().play(task.seat, text)
    assert refusal.value.code == code
    assert task.answer(text, "fr").verdict == "refused"


@every_task
def test_other_moves_get_a_word_as_well(task: Task) -> None:
    answers = [task.answer(text, lang) for text in task.match().moves(task.seat)[:MOST] for lang in words.LANGUAGES]
    assert all(answer.sentence for answer in answers)
    match = task.match()
    nonsense = task.answer("perhaps", "fr")
    assert nonsense.verdict == "refused"
    assert nonsense.match == match


@every_game
def test_both_languages_say_the_same_things(box: Box) -> None:
    english, french = (_named(words.lesson(box.rules.stem, lang)) for lang in ("en", "fr"))
    assert english == french
    wanted = {task.name: {"say", "right", *(wrong.name for wrong in task.wrong)} for task in tasks(box.rules)}
    assert english.keys() - {HAND, TIPS} == wanted.keys()
    for name, needed in wanted.items():
        assert needed <= english[name] <= needed | {"other", HAND}


@every_task
@both
def test_sentences_are_short_and_name_no_keyboard(task: Task, lang: str) -> None:
    """One walks through the same steps by hand and at a keyboard, so no sentence tells to type something."""
    table = words.lesson(task.game.stem, lang)[task.name]
    assert isinstance(table, dict)
    for name, sentence in {**table, HAND: task.hand(lang)}.items():
        said = str(sentence).replace("*", "")
        assert not TYPING.search(said), said
        assert len(said) <= (MAX_TASK_CHARS if name == "say" else MAX_SENTENCE_CHARS), said


@every_task
def test_an_example_is_legal_and_gives_nothing_away(task: Task) -> None:
    legal, example = task.match().moves(task.seat), task.example()
    assert example in legal
    assert example not in task.solutions() or len(task.solutions()) == len(legal)


@every_game
def test_by_hand_goes_by_phases_of_the_game(box: Box) -> None:
    table = words.lesson(box.rules.stem, "en").get(HAND, {})
    assert isinstance(table, dict)
    assert set(table) <= _keys(words.page(box.rules.stem, "en")["phases"])


@every_game
def test_tips_go_by_names_that_the_game_has(box: Box) -> None:
    """For phases, steps and refusals; the same in both languages."""
    english, french = tips(box.rules, "en"), tips(box.rules, "fr")
    page = words.page(box.rules.stem, "en")
    for kind in TIP_KINDS:
        assert english[kind].keys() == french[kind].keys()
        assert english[kind].keys() <= _keys(page.get(kind, {}))
        assert all(len(sentence) <= MAX_SENTENCE_CHARS for sentence in (english[kind] | french[kind]).values())
    ours = (SOURCE / "words" / "positions" / f"{box.rules.stem}.toml").exists()
    assert bool(english["phases"]) >= ours


@every_game
def test_every_position_is_used(box: Box) -> None:
    """In the rules of both languages, by the lesson, or as the beginning of another."""
    table = words.positions(box.rules.stem)
    beginnings = {str(position.get("after")) for position in table.values() if isinstance(position, dict)}
    english, french = (
        {part.name for part in diagrams.parts(box.rules, lang) if not isinstance(part, str)} for lang in ("en", "fr")
    )
    assert english == french
    used = {diagrams.BOX} | beginnings | english | {task.position for task in tasks(box.rules)}
    assert set(diagrams.names(box.rules)) <= used


def _like(pattern: str, text: str) -> bool:
    return fnmatchcase(text, pattern)


def _keys(table: object) -> set[str]:
    assert isinstance(table, dict)
    return set(table)


def _named(lesson: Table) -> dict[str, set[str]]:
    return {name: set(step) for name, step in lesson.items() if isinstance(step, dict)}
