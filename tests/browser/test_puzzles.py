"""People at puzzles, in real browsers: by mouse, by keyboard, by touch, with hints, and after a restart."""

import re
from collections.abc import Callable

import pytest

from browser.people import Look, Person, Site, wherever_words_fit
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import PuzzleSpec, read

Invite = Callable[..., Person]
TETRODS = "tetrods:a2-a5-a6-b1-b3-b6-c5-d6-e1-e5-e7-g2-g3"
HEPTA = "hepta-solo:a2-b5-d1-d2-f1-f2-f5"
PEGS = "pegs-solo:10:a5-b4-b6-c1-c2-d6-e4-f7"
FINGER = 40  # pixels
TURNS = "rrrfrrrr"  # keys that show a piece in every way


def address(name: str) -> str:
    return "/puzzles/" + name.replace(":", "/").replace("#", "/")


def solution(name: str) -> list[str]:
    puzzle = read(name)
    assert isinstance(puzzle, PuzzleSpec)
    match = puzzle.match()
    moves = kind(puzzle.key).engine.first(match.state)
    assert moves is not None
    return [match.game.texts[move] for move in moves]


def picks(person: Person, move: str) -> list[str]:
    """What to touch for a move, as the page knows it."""
    found: list[str] = person.page.evaluate(
        """async (move) => {
          const page = await (await fetch(location.pathname)).text();
          const read = new DOMParser().parseFromString(page, 'text/html');
          const live = JSON.parse(read.getElementById('live').textContent);
          return live.moves.find(([text]) => text === move)[1];
        }""",
        move,
    )
    return found


def finish(person: Person, move: str, version: str) -> None:
    """Turn until it is this move, and play it, unless a drop has played it; until the version changes."""
    for key in TURNS:
        if not person.page.locator("#bar .main-button").count():
            break
        if move == person.page.get_attribute("#bar .main-button", "data-move"):
            person.page.click("#bar .main-button")
            break
        person.page.keyboard.press(key)
    person.wait_for_change(version)


def middle(person: Person, part: str) -> tuple[float, float]:
    person.page.locator(f"#{part}").scroll_into_view_if_needed()
    box = person.page.locator(f"#{part}").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lay_by_mouse(person: Person, move: str, *, drag: bool = False) -> None:
    tray, cell, *_ = picks(person, move)
    version = person.version
    if drag:
        person.page.mouse.move(*middle(person, tray))
        person.page.mouse.down()
        person.page.mouse.move(*middle(person, cell), steps=6)
        assert person.page.locator("#ghost, .carried").count()
        person.page.mouse.up()
    else:
        person.page.mouse.click(*middle(person, tray))
        if not person.page.locator("#bar .main-button").count():  # there is more than one place
            person.page.mouse.click(*middle(person, cell))
    finish(person, move, version)


def hinted(person: Person) -> str:
    """Have a piece laid: its move, which the page says in words: "M on a2-a3"."""
    for _ in range(40):
        version = person.version
        person.page.click("#hints [value=lay]")
        person.page.wait_for_function(
            "() => !document.querySelector('#said').textContent.includes('hinking')", timeout=120_000
        )
        if person.version == version:
            continue  # it was still being compiled
        person.page.wait_for_selector("#board .hint-mark")
        piece, cells = person.page.inner_text("#said").removesuffix(".").rpartition(" on ")[::2]
        return f"{piece.rpartition(' ')[2]}:{cells}"
    raise AssertionError("nothing was laid")


def test_tetrods_to_the_end_by_mouse_with_a_hint(invite: Invite) -> None:
    ada = invite()
    ada.go(address(TETRODS))
    left = solution(TETRODS)
    left.remove(hinted(ada))
    assert ada.page.inner_text(".hints-used").startswith("hints: ")
    for number, move in enumerate(left):
        lay_by_mouse(ada, move, drag=number % 3 == 0)
    ada.page.wait_for_selector("#next")
    assert "Solved!" in ada.page.inner_text("#todo")
    assert "hints: " in ada.page.inner_text("#said")
    assert ada.page.inner_text("#time") != "0:00"
    with ada.page.expect_navigation():
        ada.page.click("#next .second-button")
    assert "✓" in ada.page.inner_text("main")


def test_a_wrong_piece_is_found_undone_and_put_back(invite: Invite) -> None:
    ada = invite(night=True)
    ada.go(address(TETRODS))
    bad = "M:a2"
    lay_by_mouse(ada, bad)
    ada.page.click("#acts [value=check]")
    ada.page.wait_for_selector("#board .wrong-mark", timeout=120_000)
    assert bad.replace(":", " on ") in ada.page.inner_text("#said")
    version = ada.version
    ada.page.keyboard.press("Control+z")
    ada.wait_for_change(version)
    assert ada.page.locator("#acts [value=undo]").is_disabled()
    version = ada.version
    ada.page.click("#acts [value=redo]")
    ada.wait_for_change(version)
    version = ada.version
    ada.page.mouse.click(*middle(ada, "cell-a2"))  # lifts it
    ada.wait_for_change(version)
    assert "M:a2" not in ada.page.inner_text("#board")


def test_pausing_hiding_and_giving_up(invite: Invite) -> None:
    ada = invite()
    ada.page.clock.install()
    ada.go(address(TETRODS))
    lay_by_mouse(ada, solution(TETRODS)[0])
    ada.page.wait_for_function("() => document.getElementById('time').textContent !== '0:00'")
    ada.page.click("#pause")
    assert ada.page.locator("#board svg").is_hidden()
    stood = ada.page.inner_text("#time")
    ada.page.clock.run_for(10_000)
    assert ada.page.inner_text("#time") == stood
    ada.page.click("#pause")
    assert ada.page.locator("#board .lit").count()
    ada.page.click("#hide")
    assert ada.page.locator("#time").is_hidden()
    ada.page.reload()
    assert ada.page.locator("#time").is_hidden()
    ada.page.click("#acts [value=solution]")
    ada.page.wait_for_selector("#asking")
    ada.page.click("#asking button")
    ada.page.wait_for_selector("#next", timeout=120_000)
    assert "Given up" in ada.page.inner_text("#said")


def focus_on(person: Person, part: str) -> None:
    """Move the focus with the arrow keys alone."""
    ways = """([part, turn]) => {
      const here = document.activeElement, there = document.getElementById(part);
      if (here === there) return '';
      const [a, b] = [here, there].map((one) => one.getBoundingClientRect());
      const dx = b.x + b.width / 2 - a.x - a.width / 2, dy = b.y + b.height / 2 - a.y - a.height / 2;
      const across = dx > 0 ? 'ArrowRight' : 'ArrowLeft', down = dy > 0 ? 'ArrowDown' : 'ArrowUp';
      return (Math.abs(dx) > Math.abs(dy)) === Boolean(turn) ? down : across;
    }"""
    for step in range(60):
        key = person.page.evaluate(ways, [part, int(step % 5 == 4)])
        if not key:
            return
        person.page.keyboard.press(key)
    raise AssertionError(f"the arrows do not lead to {part}")


def test_hepta_by_keyboard_alone(invite: Invite) -> None:
    ada = invite()
    ada.go(address(HEPTA))
    keys = ada.page.keyboard
    for _ in range(40):
        keys.press("Tab")
        if ada.page.evaluate("document.getElementById('board').contains(document.activeElement)"):
            break
    for move in solution(HEPTA):
        tray, cell, *way = picks(ada, move)
        version = ada.version
        focus_on(ada, tray)
        keys.press("Enter")
        button = ada.page.locator("#bar .main-button")
        if not button.count():  # there is more than one place
            focus_on(ada, cell)
            keys.press("Enter")
        for key in TURNS:
            if not way or not button.count() or move == button.get_attribute("data-move"):
                break
            keys.press(key)
        if ada.version == version and ada.page.locator("#bar .main-button").count():
            keys.press("Enter")
        ada.wait_for_change(version)
    ada.page.wait_for_selector("#next")
    assert "Solved!" in ada.page.inner_text("#todo")


@pytest.mark.parametrize(("name", "lang"), [(HEPTA, "fr"), (PEGS, "en"), (PEGS, "fr"), (TETRODS, "fr")])
def test_by_touch_on_a_small_telephone(invite: Invite, name: str, lang: str) -> None:
    ada = invite(width=360, height=740, lang=lang)
    ada.go(address(name))
    sizes = ada.page.eval_on_selector_all(
        "#board [id^=tray-]",
        "all => all.map((one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])",
    )
    assert min(min(size) for size in sizes) >= FINGER
    for number, move in enumerate(solution(name)):
        if name == TETRODS and number == 2:
            break
        version = ada.version
        tray, cell, *_ = picks(ada, move)
        ada.page.touchscreen.tap(*middle(ada, tray))
        if not ada.page.locator("#bar .main-button").count():  # there is more than one place
            ada.page.touchscreen.tap(*middle(ada, cell))
        for key in TURNS:
            if move == ada.page.get_attribute("#bar .main-button", "data-move"):
                break
            ada.page.locator(f"#bar [aria-keyshortcuts={key.upper()}]").tap()
        ada.page.locator("#bar .main-button").tap()
        ada.wait_for_change(version)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360
    if name != TETRODS:
        ada.page.wait_for_selector("#next")
        praise = {"en": "Ten cards!", "fr": "Dix cartes"}[lang]
        assert (praise in ada.page.inner_text("#said")) == (name == PEGS)
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_position_outlives_a_reload_and_a_restart(own_site: Site, invite: Invite) -> None:
    ada = invite(site=own_site)
    ada.go(address(HEPTA))
    first, second, *_ = solution(HEPTA)
    lay_by_mouse(ada, first)
    ada.page.reload()
    assert ada.page.locator(f"[id='piece-{first}']").count() == 1
    own_site.close()
    own_site.open()
    lay_by_mouse(ada, second)
    ada.page.reload()
    for move in (first, second):
        assert ada.page.locator(f"[id='piece-{move}']").count() == 1
    ada.go("/puzzles")
    assert "begun" in ada.page.inner_text("main")


def test_without_script_moves_are_typed(invite: Invite) -> None:
    ada = invite(script=False)
    ada.go(address(HEPTA))
    first, *_ = solution(HEPTA)
    ada.page.click("#words-table > summary")
    ada.page.fill("#typed [name=move]", first)
    with ada.page.expect_navigation():
        ada.page.click("#typed button")
    assert ada.page.locator(f"[id='piece-{first}']").count() == 1
    with ada.page.expect_navigation():
        ada.page.click("#acts [value=undo]")
    assert ada.page.locator(f"[id='piece-{first}']").count() == 0
    with ada.page.expect_navigation():
        ada.page.click("#acts [value=solution]")
    assert "counts as given up" in ada.page.inner_text("#asking")


@wherever_words_fit
def test_lists_fit_the_screen(invite: Invite, look: Look) -> None:
    ada = invite(*look, night=look.width == 360)
    for path in ("/", "/puzzles", "/puzzles/tetrods", "/puzzles/pegs-solo", "/puzzles/booklet", "/games/hepta-solo"):
        ada.go(path)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= look.width, path
    ada.go("/puzzles")
    ada.page.fill("[name=name]", "chess")
    ada.troubles.clear()
    with ada.page.expect_navigation():
        ada.page.click("form .main-button")
    assert re.search("chess", ada.page.inner_text(".mistake"))
    ada.troubles.clear()  # the browser calls the kind answer an error


def test_a_finger_drags_a_piece_and_the_page_stays(invite: Invite) -> None:
    ada = invite(width=360, height=740)
    ada.go(address(TETRODS))
    move = solution(TETRODS)[0]
    tray, cell, *_ = picks(ada, move)
    finger = ada.page.context.new_cdp_session(ada.page)
    (x, y), (to_x, to_y) = middle(ada, tray), middle(ada, cell)
    scrolled, version = ada.page.evaluate("scrollY"), ada.version

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]}
        )

    touch("touchStart", (x, y))
    for part in range(1, 9):
        touch("touchMove", (x + (to_x - x) * part / 8, y + (to_y - y) * part / 8))
    assert ada.page.locator(".carried").count() == 1
    touch("touchEnd")
    finish(ada, move, version)
    assert ada.page.evaluate("scrollY") == scrolled
    assert move in ada.page.inner_text("#board") or ada.page.locator(f"[id='piece-{move.split(':')[0]}']").count()
