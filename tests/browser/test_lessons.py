"""Every lesson is played by hand, on a desktop and on a telephone, up to a first game with tips."""

import json
from collections.abc import Callable
from typing import TypeAlias

import pytest
from playwright.sync_api import Page, expect

import ludotheque
from browser.people import LARGE, ON_A_TELEPHONE, SMALL, Look, Person, both_sizes, everywhere
from ludotheque import words
from ludotheque.lessons import Task, tasks, tips

Invite: TypeAlias = "Callable[..., Person]"

KEYS = [box.key for box in ludotheque.games() if box.key != "nim"]
MAX_TASK_LINES = 3
MAX_TURNS = 4
COMPILING_MS = 120_000  # that computer players may take at first, on a busy machine
LEAST_SEEN_MS = 900  # that a beat of a story is visible

every_lesson = pytest.mark.parametrize("key", KEYS)

SPOT = """id => {
  const element = document.getElementById(id);
  if (!element?.classList.contains('lit')) return null;
  element.scrollIntoView({ block: 'nearest' });
  const box = element.getBoundingClientRect();
  for (const fy of [.5, .3, .7, .1, .9, .02, .98]) for (const fx of [.5, .3, .7, .1, .9, .02, .98]) {
    const x = box.x + box.width * fx, y = box.y + box.height * fy;
    const first = document.elementsFromPoint(x, y).map((part) => part.closest('.lit')).find(Boolean);
    if (first === element) return { x, y };
  }
  return null;
}"""
WATCH_TIP = """() => {
  window.tips = [];
  const look = () => {
    const telling = !document.querySelector("#story").hidden;
    window.tips.push({ telling, tip: document.querySelector("#tip").checkVisibility({ visibilityProperty: true }) });
    requestAnimationFrame(look);
  };
  look();
}"""
SHOWS_GHOST = """html => {
  const wanted = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  wanted.innerHTML = html;
  return document.querySelector('#ghost')?.innerHTML === wanted.innerHTML;
}"""
LINES = "p => Math.round(p.getBoundingClientRect().height / parseFloat(getComputedStyle(p).lineHeight))"
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const say = document.querySelector('#answer').textContent, now = performance.now();
    const knives = [...document.querySelectorAll('#board .pizza-blade')].filter(
      (blade) => Number(getComputedStyle(blade.parentElement).opacity) > 0.5).length;
    const last = window.seen.at(-1);
    if (last?.say === say) Object.assign(last, { until: now, knives: Math.max(last.knives, knives) });
    else window.seen.push({ say, from: now, until: now, knives });
    requestAnimationFrame(look);
  };
  look();
}"""


def is_in_view(page: Page, selector: str) -> bool:
    """Whether all of it can be seen without scrolling."""
    box, size = page.locator(selector).first.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= -1 and box["y"] + box["height"] <= size["height"] + 1


def ghost_of(page: Page, text: str) -> str:
    """What the page shows before a move is confirmed."""
    return str(
        page.evaluate("text => fetch('?' + new URLSearchParams({ ghost: text })).then((reply) => reply.text())", text)
    )


def turn_to(page: Page, ghost: str) -> None:
    """Turn a piece by the buttons, and over if need be, until it lies as wanted."""
    for turns in range(1, 2 * MAX_TURNS + 1):
        page.wait_for_selector("#ghost > *", state="attached")
        if page.evaluate(SHOWS_GHOST, ghost):
            return
        press(page, "otherWay" if turns % MAX_TURNS else "flip")
    raise AssertionError("the piece cannot be turned as wanted")


def press(page: Page, name: str) -> None:
    """Press the button below the board that has this label."""
    label = page.evaluate("name => document.getElementById('words').dataset[name]", name)
    button = page.locator("#bar").get_by_role("button", name=str(label), exact=True)
    if button.count():
        button.click()


def play(person: Person, text: str) -> None:
    """Play a move by touching the picture and the buttons below it, as a hand would."""
    page = person.page
    page.wait_for_selector("#hand:not([hidden]), #answer:not([hidden])")
    live = json.loads(page.locator("#live").text_content() or "")
    picks = next(picks for known, picks, *_ in live["moves"] if known == text)
    ghost = ghost_of(page, text)
    tap = page.touchscreen.tap if (page.viewport_size or {"width": 0})["width"] < 600 else page.mouse.click
    for pick in picks:
        spot = page.evaluate(SPOT, pick)
        if spot:
            tap(spot["x"], spot["y"])
        elif page.locator("#bar .main-button").count():
            turn_to(page, ghost)
    if page.locator("#bar .main-button").count():
        assert is_in_view(page, "#bar .main-button")
        if ghost:
            page.wait_for_selector("#ghost > *", state="attached")
            assert is_in_view(page, "#ghost"), text
        page.locator("#bar .main-button").click()


def wrong_move(task: Task) -> str | None:
    """A legal move that the lesson does not ask for."""
    return next((text for text in task.match().moves(task.seat) if text not in task.solutions()), None)


def test_all_nine_games_have_a_lesson() -> None:
    assert len(KEYS) == 9
    assert all(len(tasks(ludotheque.game(key).rules)) > 5 for key in KEYS)


@every_lesson
@everywhere
def test_a_lesson_is_played_by_hand_up_to_a_first_game(invite: Invite, key: str, look: Look) -> None:
    ada, lang, steps = invite(*look), look.lang, tasks(ludotheque.game(key).rules)
    ada.go(f"/games/{key}/lesson/1")
    tried_wrong = False
    for number, task in enumerate(steps, 1):
        ada.page.wait_for_url(f"**/lesson/{number}")
        assert ada.page.locator("#typed input[name=move]").is_hidden()
        wrong = None if tried_wrong else wrong_move(task)
        if wrong:
            tried_wrong = True
            play(ada, wrong)
            expect(ada.page.locator("#answer")).to_have_text(
                task.answer(wrong, lang).sentence.replace("*", ""), use_inner_text=True
            )
            assert is_in_view(ada.page, "#answer")
        play(ada, task.solutions()[0])
        ada.page.wait_for_selector("#answer.right", timeout=120_000)
        assert is_in_view(ada.page, "#answer")
        button = ada.page.locator("#next :is(a, button)")
        expect(button).to_be_focused()
        assert is_in_view(ada.page, "#next :is(a, button)")
        if number == len(steps):
            assert button.inner_text() == words.say(None, lang, "web", "lesson-first")
        with ada.page.expect_navigation(timeout=COMPILING_MS):
            button.click()
    ada.page.wait_for_selector("#board svg")
    assert "?first" in ada.page.url
    assert "/t/" in ada.page.url or "/puzzles/" in ada.page.url
    assert ada.page.locator("#table").get_attribute("data-game") == key
    assert tried_wrong


@every_lesson
@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_the_task_is_short_and_the_board_in_view(invite: Invite, key: str, lang: str) -> None:
    """On both screens; a page only has other styles on the smaller one, so it is loaded once."""
    ada = invite(*SMALL, lang)
    for number in range(1, len(tasks(ludotheque.game(key).rules)) + 1):
        ada.go(f"/games/{key}/lesson/{number}")
        assert ada.page.locator("#task p").count() == 1
        for width, height in (LARGE, SMALL):
            ada.page.set_viewport_size({"width": width, "height": height})
            where = f"task {number}, {width} pixels wide"
            assert ada.page.locator("#task p").evaluate(LINES) <= MAX_TASK_LINES, where
            assert is_in_view(ada.page, "#board svg"), where
            assert ada.page.evaluate("document.documentElement.scrollWidth") <= width, where


@both_sizes
def test_every_knife_and_every_flip_is_shown(invite: Invite, size: tuple[int, int]) -> None:
    ada = invite(*size, hurried=False)
    ada.go("/games/pizza/lesson/3")
    ada.page.wait_for_selector("#hand:not([hidden])")
    ada.page.evaluate(WATCH)
    play(ada, "cut 5")
    ada.page.wait_for_selector("#answer.right", timeout=120_000)
    seen = [one for one in ada.page.evaluate("window.seen") if one["say"]]
    told = " ".join(one["say"] for one in seen)
    for knife in ("Basil cuts along line 1", "Mushroom cuts along line 6"):
        assert knife in told
    for cell in ("a3", "b3", "c5", "e5"):
        assert cell in told
    knives = next(one for one in seen if "Basil cuts" in one["say"])
    assert knives["knives"] == 3
    assert all(one["until"] - one["from"] >= LEAST_SEEN_MS for one in seen[:-1])


def test_a_lesson_works_by_keyboard_and_by_typing(invite: Invite) -> None:
    ada = invite()
    ada.go("/games/hepta/lesson/2")
    ada.wait_for_turn()
    ada.tab_to_board()
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#answer:not([hidden])")
    ada.go("/games/hepta/lesson/1")
    ada.page.click("#by-words summary")
    ada.page.fill("#typed input[name=move]", "d4")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#answer")).to_contain_text("There is a blocker already")
    ada.page.fill("#typed input[name=move]", "b2")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#answer.right")


def test_a_lesson_works_without_script(invite: Invite) -> None:
    ada, last = invite(script=False), len(tasks(ludotheque.game("hepta").rules))
    ada.go(f"/games/hepta/lesson/{last}")
    ada.page.click("#by-words summary")
    ada.page.fill("#typed input[name=move]", tasks(ludotheque.game("hepta").rules)[-1].solutions()[0])
    with ada.page.expect_navigation():
        ada.page.click("#typed button")
    with ada.page.expect_navigation():
        ada.page.click("#next button")
    ada.page.wait_for_selector("#board svg")
    assert "/t/" in ada.page.url


# Tips of a first game


def first_game(ada: Person, key: str) -> None:
    """Start a first game as the last step of its lesson does."""
    steps = tasks(ludotheque.game(key).rules)
    ada.go(f"/games/{key}/lesson/{len(steps)}")
    ada.page.click("#by-words summary")
    ada.page.fill("#typed input[name=move]", steps[-1].solutions()[0])
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#next :is(a, button)", timeout=COMPILING_MS)
    with ada.page.expect_navigation(timeout=COMPILING_MS):
        ada.page.click("#next :is(a, button)")
    ada.page.wait_for_selector("#board svg")


def wait_for_computers(ada: Person) -> None:
    """Until it is her turn: computer players may have to be compiled first."""
    ada.page.wait_for_selector(".board .lit", timeout=COMPILING_MS)


@everywhere
def test_a_tip_is_told_once_and_moves_no_board(invite: Invite, look: Look) -> None:
    ada, told = invite(*look), tips(ludotheque.game("pizza").rules, look.lang)
    first_game(ada, "pizza")
    tip, board = ada.page.locator("#tip"), ada.page.locator("#board svg")
    expect(tip).to_contain_text(told["phases"]["add"], timeout=COMPILING_MS)
    with_tip, sheet, task = (part.bounding_box() for part in (board, tip, ada.page.locator("#todo")))
    assert sheet is not None
    assert task is not None
    assert sheet["y"] + sheet["height"] <= task["y"], "the task stays in sight"
    ada.page.click("#tip .main-button")
    expect(tip).to_be_hidden()
    assert board.bounding_box() == with_tip
    ada.play_something()
    expect(tip).to_contain_text(told["phases"]["cut"], timeout=COMPILING_MS)
    ada.page.reload()
    wait_for_computers(ada)
    expect(tip).to_be_hidden()
    first_game(ada, "pizza")
    wait_for_computers(ada)
    expect(tip).to_be_hidden()


@everywhere
def test_a_tip_is_in_sight_wherever_one_has_scrolled(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    ada.page.goto(f"{ada.set_table('pizza', 'screen')}?first")
    tip, top = ada.page.locator("#tip"), "document.querySelector('#board').getBoundingClientRect().top + scrollY"
    expect(tip).to_be_in_viewport(ratio=1)
    board = ada.page.evaluate(top)
    for place in ("document.querySelector('#board').getBoundingClientRect().top", "document.body.scrollHeight"):
        ada.page.evaluate(f"scrollTo(0, {place})")
        assert ada.page.evaluate("scrollY") > 0
        expect(tip).to_be_in_viewport(ratio=1)
    ada.page.click("#tip .main-button")
    expect(tip).to_be_hidden()
    assert ada.page.evaluate(top) == board


def test_a_tip_gives_way_to_the_story_and_goes_with_its_phase(invite: Invite) -> None:
    ada, told = invite(*ON_A_TELEPHONE, hurried=False), tips(ludotheque.game("pizza").rules, "fr")
    first_game(ada, "pizza")
    tip = ada.page.locator("#tip")
    ada.page.evaluate(WATCH_TIP)
    expect(tip.filter(has_text=told["phases"]["add"])).to_be_visible(timeout=COMPILING_MS)
    ada.play_something()
    expect(tip.filter(has_text=told["phases"]["cut"])).to_be_visible(timeout=COMPILING_MS)
    ada.play_something()
    wait_for_computers(ada)
    seen = ada.page.evaluate("window.tips")
    assert {"telling": True, "tip": False} in seen
    assert {"telling": True, "tip": True} not in seen
    expect(tip.filter(has_text=told["phases"]["cut"])).to_be_hidden()


def test_other_games_have_no_tips_and_they_can_be_switched_off(invite: Invite) -> None:
    ada = invite()
    ada.set_table("hepta", "screen")
    ada.wait_for_turn()
    assert ada.page.locator("#tip").count() == 0
    first_game(ada, "tricolore")
    ada.page.click("#tip .quiet-button", timeout=COMPILING_MS)
    expect(ada.page.locator("#tip")).to_be_hidden()
    expect(ada.page.locator("#prefs [name=tips]")).not_to_be_checked()
    first_game(ada, "hepta")
    ada.page.wait_for_selector("#places")
    assert ada.page.locator("#tip").count() == 0


def test_a_first_puzzle_has_tips(invite: Invite) -> None:
    ada = invite()
    first_game(ada, "hepta-solo")
    expect(ada.page.locator("#tip")).to_contain_text(
        tips(ludotheque.game("hepta-solo").rules, "en")["phases"]["lay"], timeout=COMPILING_MS
    )
