"""Hints of three strengths and pencil marks, in real browsers: by mouse, by touch, by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.people import AT_A_DESK, ON_A_TELEPHONE, SMALL, Look, Person, everywhere, wherever_words_fit
from browser.test_puzzles import HEPTA, PEGS, TETRODS, address, middle, solution

Invite = Callable[..., Person]
SEEN = [  # what is said needs room on a small screen, in either language
    (AT_A_DESK, TETRODS),
    (ON_A_TELEPHONE, TETRODS),
    (Look(*SMALL, "en"), TETRODS),
    (Look(*SMALL, "en"), HEPTA),
    (ON_A_TELEPHONE, PEGS),
]
COMPILE_MS = 120_000  # for the first hint of all
MAX_PRESSES = 3  # to the next piece


def press(person: Person, strength: str) -> None:
    """Ask for a hint, again while what it needs is still being compiled."""
    for _ in range(20):
        person.page.click(f"#hints [value={strength}]")
        person.page.wait_for_function(
            "() => ![document.getElementById('words').dataset.thinking, ''].includes("
            "document.getElementById('said').textContent.trim()) || document.querySelector('#mistake:not(:empty)')",
            timeout=COMPILE_MS,
        )
        if not person.page.locator("#mistake:not(:empty)").count():
            return
    raise AssertionError("no hint came")


def hints_used(person: Person) -> str:
    return person.page.inner_text(".hints-used").split()[-1]


def tap(person: Person, part: str) -> None:
    if person.page.evaluate("navigator.maxTouchPoints"):
        person.page.touchscreen.tap(*middle(person, part))
    else:
        person.page.mouse.click(*middle(person, part))


def mark(person: Person, part: str) -> None:
    version = person.version
    tap(person, part)
    person.wait_for_change(version)


@pytest.mark.parametrize(("look", "name"), SEEN, ids=str)
def test_three_strengths_and_three_presses_to_a_piece(invite: Invite, look: Look, name: str) -> None:
    ada = invite(*look)
    ada.go(address(name))
    undo, offered = ada.page.locator("#acts [value=undo]"), ada.page.locator("#bar .main-button")
    press(ada, "where")
    assert ada.page.locator("#board .hint-mark").count()
    expect(offered).to_have_count(0)
    where = ada.page.inner_text("#said")
    assert hints_used(ada) == "1"
    press(ada, "why")
    expect(offered).to_have_count(1)
    expect(ada.page.locator("#said")).not_to_have_text(where)
    assert hints_used(ada) == "2"
    expect(undo).to_be_disabled()
    stands = "() => document.querySelector('#hints [value=lay]').getBoundingClientRect().top + scrollY"
    place = ada.page.evaluate(stands)
    press(ada, "lay")
    expect(undo).to_be_enabled()
    assert hints_used(ada) == str(MAX_PRESSES)
    assert ada.page.evaluate(stands) == pytest.approx(place, abs=1), "what is said moves no button"
    expect(ada.page.locator("#said")).to_be_in_viewport()
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= look.width


def test_a_puzzle_is_solved_by_one_press_a_piece(invite: Invite) -> None:
    ada = invite(width=360, height=740)
    ada.go(address(HEPTA))
    pieces = len(solution(HEPTA))
    for number in range(1, pieces + 1):
        version = ada.version
        press(ada, "lay")
        if number < pieces:
            ada.wait_for_change(version)
    ada.page.wait_for_selector("#next")
    assert f"hints: {MAX_PRESSES * pieces}" in ada.page.inner_text("#said")
    ada.go("/puzzles")
    row = ada.page.locator(".totals tbody tr").inner_text()
    assert "–" in row, "no best time without hints"


@everywhere
def test_the_eliminations_are_unfolded_and_pencilled_in(invite: Invite, look: Look) -> None:
    ada = invite(*look, night=True)
    ada.go(address(TETRODS))
    press(ada, "why")
    steps = ada.page.locator("#steps li")
    assert steps.count()
    expect(steps.first).to_be_hidden()
    ada.page.click("#steps summary")
    expect(steps.first).to_be_visible()
    version = ada.version
    ada.page.click("#note button")
    ada.wait_for_change(version)
    names = ada.page.locator("#board .pencil-piece")
    assert names.count()
    version = ada.version
    ada.page.click("#acts [value=undo]")
    ada.wait_for_change(version)
    expect(names).to_have_count(0)


@wherever_words_fit
def test_pencil_marks_are_set_shown_hidden_and_kept(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    ada.go(address(TETRODS))
    crosses, names = ada.page.locator("#board .pencil-cross"), ada.page.locator("#board .pencil-piece")
    expect(ada.page.locator("#hide-marks")).to_be_hidden()
    board = ada.page.locator("#board").bounding_box()
    ada.page.click("#pencil")
    expect(ada.page.locator("#pencil-line")).not_to_be_empty()
    expect(ada.page.locator("#pencil")).to_have_attribute("aria-pressed", "true")
    expect(ada.page.locator("#board .lit")).to_have_count(0)
    expect(ada.page.locator("#board svg")).to_have_attribute("role", "group")
    mark(ada, "cell-d4")
    mark(ada, "cell-d3")
    tap(ada, "tray-L3")
    expect(ada.page.locator("#pencil-line")).to_contain_text("L3")
    mark(ada, "cell-a2")
    mark(ada, "cell-b1")
    expect(crosses).to_have_count(2)
    expect(names).to_have_text(["L3", "L3"])
    mark(ada, "cell-b1")
    expect(names).to_have_count(1)
    ada.page.click("#pencil")
    assert ada.page.locator("#board .lit").count(), "moves can be made again"
    after = ada.page.locator("#board").bounding_box()
    assert board
    assert after
    assert (after["width"], after["height"]) == (board["width"], board["height"])
    ada.page.reload()
    expect(crosses).to_have_count(2)
    expect(names).to_have_count(1)
    ada.page.click("#hide-marks")
    expect(crosses.first).to_be_hidden()
    ada.page.reload()
    expect(crosses.first).to_be_hidden()
    ada.page.click("#hide-marks")
    expect(crosses.first).to_be_visible()
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= look.width


@everywhere
def test_pencil_marks_by_keyboard_alone(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    ada.go(address(TETRODS))
    keys = ada.page.keyboard
    ada.page.locator("#pencil").focus()
    keys.press("Enter")
    expect(ada.page.locator("#pencil")).to_have_attribute("aria-pressed", "true")
    ada.page.locator("#board [tabindex='0']").focus()
    first = ada.page.evaluate("document.activeElement.id")
    keys.press("ArrowRight")
    cell = ada.page.evaluate("document.activeElement.id")
    assert cell.startswith("cell-")
    assert cell != first
    version = ada.version
    keys.press("Enter")
    ada.wait_for_change(version)
    expect(ada.page.locator("#board .pencil-cross")).to_have_count(1)
    assert ada.page.evaluate("document.activeElement.id") == cell, "the focus stays"
    version = ada.version
    keys.press("Control+z")
    ada.wait_for_change(version)
    expect(ada.page.locator("#board .pencil-cross")).to_have_count(0)
    for _ in range(12):
        keys.press("ArrowDown")
        if ada.page.evaluate("document.activeElement.id").startswith("tray-"):
            break
    keys.press(" ")
    piece = ada.page.evaluate("document.activeElement.id").removeprefix("tray-")
    expect(ada.page.locator("#pencil-line")).to_contain_text(piece)


@pytest.mark.parametrize(("lang", "goal", "peg"), [("en", "41 pegs", "peg"), ("fr", "41 chevilles", "cheville")])
def test_the_goal_is_told_and_pegs_only_where_one_is_missing(invite: Invite, lang: str, goal: str, peg: str) -> None:
    ada = invite(width=360, height=740, lang=lang)
    for name in (TETRODS, HEPTA, PEGS):
        ada.go(address(name))
        assert len(ada.page.inner_text("#goal")) > 20
    assert goal in ada.page.inner_text("#goal")
    press(ada, "lay")
    assert peg not in ada.page.inner_text("#todo")
    ada.go(address("pegs-solo:11"))
    assert peg in ada.page.inner_text("#todo")
