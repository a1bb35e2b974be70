"""What the hand does: refused clicks that say why, turns that turn, no click too many, and nothing that jumps."""

import json
import subprocess
import sys
from collections.abc import Callable
from math import hypot

import pytest
from playwright.sync_api import FloatRect, expect

import ludotheque
from browser.people import LARGE, SMALL, TOUCHABLE, Look, Person, Site, both_sizes, everywhere, wherever_words_fit
from ludotheque import words
from ludotheque.puzzles.kinds import kind_keys

Invite = Callable[..., Person]
PUZZLES = {
    "tetrods": "/puzzles/tetrods/a2-a5-a6-b1-b3-b6-c5-d6-e1-e5-e7-g2-g3",
    "hepta-solo": "/puzzles/hepta-solo/a2-b5-d1-d2-f1-f2-f5",
    "pegs-solo": "/puzzles/pegs-solo/10/a5-b4-b6-c1-c2-d6-e4-f7",
}
TINY, ON_ITS_SIDE = (320, 640), (740, 360)
GAMES = [box.key for box in ludotheque.games() if box.key != "nim"]
ONE_FLEA = """
import django
django.setup()
from random import Random
from ludotheque.web.table import seating
from ludotheque.web.table.transaction import locked
from ludotheque.web.visitors import sign
from secrets import token_hex

def has_one_flea(match):
    if match.to_act != (0,):
        return False
    texts = match.moves(0)
    fleas = {text.removeprefix("drop ").split("@")[0] for text in texts}
    return len(fleas) == 1 < sum("@" in text for text in texts)

def played(start, seed):
    random = Random(seed)
    while not start.over and not has_one_flea(start):
        start.play(start.to_act[0], random.choice(start.moves(start.to_act[0])))
    return start

ada = token_hex(9)
table = seating.open_table("hundsgemein", 2, {})
for seat, person in enumerate((ada, token_hex(9))):
    seating.sit(table.id, person, seat, ("Ada", "Bob")[seat])
with locked(table.id) as change:
    change.add_played(next(match for seed in range(99) if not (match := played(change.match_copy(), seed)).over))
print(table.id, sign(ada))
"""
LONG = "Lili prend deux garnitures et en pose trois, mais personne ne sait encore pourquoi. " * 9


def open_game(person: Person, key: str) -> None:
    if key in kind_keys():
        person.go(PUZZLES[key])
    else:
        person.set_table(key, "screen")
    person.wait_for_turn()


def box_of(person: Person, selector: str) -> FloatRect:
    box = person.page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box


def middle(person: Person, part: str) -> tuple[float, float]:
    box = box_of(person, f"#{part}")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(person: Person, part: str) -> None:
    """By mouse, or by finger on a small screen."""
    person.page.locator(f"#{part}").first.scroll_into_view_if_needed()
    by_finger = person.page.evaluate("navigator.maxTouchPoints > 0")
    (person.page.touchscreen.tap if by_finger else person.page.mouse.click)(*middle(person, part))


def confirm(person: Person, *parts: str) -> None:
    """Touch these, and press the button if the move waits for it."""
    before = person.version
    for part in parts:
        touch(person, part)
    if person.version == before and person.page.locator("#bar .main-button").count():
        person.page.locator("#bar .main-button").click()
    person.wait_for_change(before)


def picks(person: Person) -> list[list[str]]:
    """What to touch for every legal move of a puzzle, as its page knows."""
    found = person.page.evaluate(
        "fetch(location).then((reply) => reply.text())"
        ".then((text) => new DOMParser().parseFromString(text, 'text/html').getElementById('live').textContent)"
    )
    return [move[1] for move in json.loads(found)["moves"]]


def tap_lit(person: Person, number: int) -> None:
    """A finger on something lit, whatever the size of the screen: a move waits to be confirmed."""
    spot = person.page.evaluate(TOUCHABLE, number)
    assert spot
    person.page.evaluate(
        """({ x, y }) => document.elementFromPoint(x, y).dispatchEvent(
          new PointerEvent('click', { bubbles: true, detail: 1, clientX: x, clientY: y, pointerType: 'touch' }))""",
        spot,
    )


# Refused clicks


@wherever_words_fit
def test_a_refused_click_says_why_and_keeps_the_piece(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "tetrods")
    touch(ada, "tray-L1")
    touch(ada, "cell-d4")
    ada.page.wait_for_selector(".reason:not(:empty)")
    assert ada.page.inner_text(".reason") == words.say("tetrods", look.lang, "refusals", "no-mushroom")
    assert ada.page.locator("#tray-L1.picked").count() == 1
    bubble, cell = box_of(ada, ".reason"), box_of(ada, "#cell-d4")
    assert bubble["x"] >= 0
    assert bubble["x"] + bubble["width"] <= look.width
    assert 0 <= cell["y"] - bubble["y"] - bubble["height"] < 30, "it is said at the place"
    touch(ada, "cell-e5")
    assert ada.page.locator(".reason:not(:empty)").count() == 0, "gone at the next touch"
    ada.page.wait_for_selector("#ghost")


@everywhere
def test_what_is_in_hand_goes_nowhere_without_a_word(invite: Invite, look: Look) -> None:
    """Whatever is touched that has nothing to do with a flea; only a touch beside everything lays it down."""
    ada = invite(*look)
    open_game(ada, "hundsgemein")
    flea = str(ada.page.locator("#board [id^=open-].lit").first.get_attribute("id"))
    touch(ada, flea)
    for other in ("dog-", "stock-1", "open-1-"):
        part = str(ada.page.locator(f"#board [id^={other}]").last.get_attribute("id"))
        touch(ada, part)
        ada.page.wait_for_selector(".reason:not(:empty)")
        code = "not-yours" if other == "open-1-" else "no-fit"
        assert ada.page.inner_text(".reason") == words.say(None, look.lang, "refusals", code)
        assert ada.page.locator(f"#{flea}.picked").count() == 1
        ada.page.keyboard.press("Shift")  # the sentence is gone at the next touch or key
        assert ada.page.locator(".reason:not(:empty)").count() == 0


@everywhere
def test_without_an_answer_it_stays_in_hand(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "tetrods")
    touch(ada, "tray-L1")
    ada.page.route("**/*why*", lambda route: route.fulfill(status=429))
    touch(ada, "cell-d4")
    ada.page.wait_for_selector(".reason:not(:empty)")
    assert ada.page.inner_text(".reason") == words.say(None, look.lang, "web", "unanswered")
    assert ada.page.locator("#tray-L1.picked").count() == 1
    assert all("429" in trouble for trouble in ada.troubles)
    ada.troubles.clear()  # the browser reports the answer


@everywhere
def test_a_place_that_is_taken_says_so_at_a_table(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "hepta")
    confirm(ada, "cell-d4")
    touch(ada, "cell-d4")
    ada.page.wait_for_selector(".reason:not(:empty)")
    assert ada.page.inner_text(".reason") == words.say("hepta", look.lang, "refusals", "occupied")


def test_it_is_told_whose_turn_it_is(invite: Invite) -> None:
    ada, bob = invite(), invite(lang="fr")
    bob.join(ada.set_table("pizza", seats=3), "Bob")
    cleo = invite()
    cleo.join(ada.page.url, "Cleo")
    ada.wait_for_turn()
    bob.page.wait_for_selector(".place.acting")
    touch(bob, "space-c4")
    bob.page.wait_for_selector(".reason:not(:empty)")
    assert bob.page.inner_text(".reason") == words.say(None, "fr", "refusals", "not-your-turn")


@everywhere
def test_a_lesson_says_why_too(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    ada.go("/games/hepta/lesson/1")
    ada.wait_for_turn()
    refused = ada.page.locator("#board [id^=blocker-]").first.get_attribute("id")
    assert refused
    touch(ada, refused)
    ada.page.wait_for_selector(".reason:not(:empty)")


@everywhere
def test_what_fits_nowhere_is_dimmed_and_says_so(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "pegs-solo")
    stuck = ada.page.locator("#board .stuck")
    assert stuck.count() > 5
    touch(ada, str(stuck.first.get_attribute("id")))
    ada.page.wait_for_selector(".reason:not(:empty)")
    assert ada.page.inner_text(".reason") == words.say(None, look.lang, "web", "fits-nowhere")


@pytest.mark.parametrize(
    ("lesson", "stuck"),
    [("hundsgemein/lesson/7", ["open-0-D"]), ("pegs/lesson/3", ["card-19", "card-26"])],
)
@everywhere
def test_fleas_and_cards_that_can_only_go_away_are_dimmed(
    invite: Invite, look: Look, lesson: str, stuck: list[str]
) -> None:
    ada = invite(*look)
    ada.go(f"/games/{lesson}")
    ada.wait_for_turn()
    dim = ada.page.evaluate("[...document.querySelectorAll('#board .stuck')].map((one) => one.id)")
    assert sorted(dim) == stuck
    touch(ada, stuck[0])
    ada.page.wait_for_selector(".reason:not(:empty)")
    assert ada.page.inner_text(".reason") == words.say(None, look.lang, "web", "fits-nowhere")


@everywhere
def test_small_signs_have_buttons_in_words(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "pegs")
    for cell in ("a1", "b2", "c3", "d4", "e5", "f6", "g7"):
        confirm(ada, f"cell-{cell}")
    before = ada.version
    ada.page.click("#bar button >> text=" + {"en": "Done", "fr": "Terminer"}[look.lang])
    ada.wait_for_change(before)


# Turning


def oriented(person: Person, held: str) -> tuple[float, float]:
    """Where the ghost lies about the cell that is held, in pixels to the right and down."""
    person.page.wait_for_selector("#ghost > *", state="attached")
    (x, y), (cell_x, cell_y) = middle(person, "ghost"), middle(person, held)
    return x - cell_x, y - cell_y


def near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) < 12  # pixels: shadows fall to one side


def turned(place: tuple[float, float], quarters: int) -> tuple[float, float]:
    """Clockwise, as seen on a screen."""
    for _ in range(quarters):
        place = -place[1], place[0]
    return place


@everywhere
@pytest.mark.parametrize("key", ["tetrods", "pegs-solo"])
def test_r_turns_clockwise_about_the_held_cell(invite: Invite, key: str, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, key)
    choices: dict[tuple[str, ...], list[int]] = {}
    for *parts, last in picks(ada):
        if last.startswith("way-") and int(last[-1]) < 4:
            choices.setdefault(tuple(parts), []).append(int(last[-1]))
    begin, ways = max(choices.items(), key=lambda pair: len(pair[1]))
    ways.sort()
    assert len(ways) > 1
    for part in begin:
        touch(ada, part)
    here, shown = oriented(ada, begin[-1]), ways[0]
    for following in (*ways[1:], ways[0]):
        ada.page.keyboard.press("r")
        ada.page.wait_for_selector("#ghost > *", state="attached")
        expected = turned(here, (following - shown) % 4)
        ada.page.wait_for_function("() => document.querySelector('#ghost')?.children.length")
        now = oriented(ada, begin[-1])
        assert near(now, expected), (here, now, expected)
        here, shown = now, following


@everywhere
def test_f_shows_the_mirror_image(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "tetrods")
    sides: dict[tuple[str, ...], set[int]] = {}
    for *parts, last in picks(ada):
        sides.setdefault(tuple(parts), set()).add(int(last[-1]) if last.startswith("way-") else -1)
    begin = next(begin for begin, ways in sides.items() if {0, 4} <= ways)
    for part in begin:
        touch(ada, part)
    here = oriented(ada, begin[-1])
    ada.page.keyboard.press("f")
    now = oriented(ada, begin[-1])
    assert near(now, (-here[0], here[1]))
    ada.page.keyboard.press("f")
    assert near(oriented(ada, begin[-1]), here)


@everywhere
def test_r_turns_a_pawn_by_a_sixth(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "tricolore")
    pawn = ada.page.locator("#board [id^=pawn-].lit").first
    touch(ada, str(pawn.get_attribute("id")))
    ada.page.keyboard.press("r")
    assert ada.page.locator("#turn-right.picked").count() == 1
    before = ada.version
    ada.page.keyboard.press("r")
    assert ada.page.locator("#turn-left.picked").count() == 1
    assert ada.version == before, "a turn is confirmed"
    ada.page.click("#bar .main-button")
    ada.wait_for_change(before)


# No idle clicks


@everywhere
def test_the_only_place_is_taken_but_not_played(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "tfortwo")
    confirm(ada, "cell-d4")
    before = ada.version
    touch(ada, "tray-L1")
    ada.page.wait_for_selector("#ghost > *", state="attached")
    assert ada.page.locator("#cell-d4.picked").count() == 1
    assert ada.version == before
    touch(ada, "cell-d4")
    ada.wait_for_change(before)


@everywhere
def test_the_only_flea_is_in_hand_already(invite: Invite, site: Site, look: Look) -> None:
    command = [sys.executable, "-c", ONE_FLEA]
    made = subprocess.run(command, env=site.environment, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    table, cookie = made.stdout.split()
    ada = invite(*look)
    ada.page.context.add_cookies([{"name": "visitor", "value": cookie, "url": site.address}])
    ada.go(f"/t/{table}")
    ada.page.wait_for_selector("#board [id^=open-0].picked")
    assert ada.page.locator("#ghost > *").count() == 0, "where it goes is a choice"
    before = ada.version
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_selector("#board [id^=open-0].lit")
    ada.page.keyboard.press("Escape")
    touch(ada, str(ada.page.locator("#board [id^=open-0].lit").get_attribute("id")))
    confirm(ada, str(ada.page.locator("#board [id^=block].lit").first.get_attribute("id")))
    assert ada.version != before


def test_a_second_tap_on_the_ghost_confirms(invite: Invite) -> None:
    ada = invite(*SMALL, "fr")
    open_game(ada, "hepta-solo")
    before = ada.version
    touch(ada, "tray-I")
    touch(ada, "cell-e6")
    ada.page.wait_for_selector("#ghost > *", state="attached")
    ghost = box_of(ada, "#ghost")
    assert ghost["width"] > 2 * ghost["height"]
    ada.page.touchscreen.tap(ghost["x"] + ghost["width"] - 12, ghost["y"] + ghost["height"] / 2)
    ada.wait_for_change(before)


@both_sizes
def test_a_drag_to_the_only_way_plays(invite: Invite, size: tuple[int, int]) -> None:
    ada = invite(*size)
    open_game(ada, "pegs-solo")
    begin = [tuple(move) for move in picks(ada) if len(move) == 2 and move[0].startswith("tray-")]
    tray, cell = begin[0]
    before = ada.version
    ada.page.locator(f"#{tray}").scroll_into_view_if_needed()
    ada.page.mouse.move(*middle(ada, tray))
    ada.page.mouse.down()
    ada.page.mouse.move(*middle(ada, cell), steps=6)
    ada.page.mouse.up()
    ada.wait_for_change(before)


def drag(person: Person, part: str, to: str, *keys: str) -> None:
    """By mouse; the keys are pressed on the way."""
    person.page.locator(f"#{part}").scroll_into_view_if_needed()
    person.page.mouse.move(*middle(person, part))
    person.page.mouse.down()
    person.page.mouse.move(*middle(person, to), steps=6)
    for key in keys:
        person.page.keyboard.press(key)
    person.page.mouse.up()


def two_ways(person: Person) -> tuple[str, str]:
    """A piece and a cell on which it can lie in two ways or more that turning leads to."""
    found: dict[tuple[str, str], int] = {}
    for move in picks(person):
        if len(move) == 3 and move[-1].startswith("way-") and int(move[-1][-1]) < 4:
            found[move[0], move[1]] = found.get((move[0], move[1]), 0) + 1
    return next(places for places, ways in found.items() if ways > 1)


@both_sizes
def test_a_drag_says_where_and_the_ghost_says_how(invite: Invite, size: tuple[int, int]) -> None:
    ada = invite(*size)
    open_game(ada, "hepta-solo")
    tray, cell = two_ways(ada)
    before = ada.version
    drag(ada, tray, cell)
    ada.page.wait_for_selector("#bar .main-button")
    assert ada.version == before, "nobody has turned it"
    touch(ada, cell)
    ada.wait_for_change(before)


@pytest.mark.parametrize("when", ["before", "in flight"])
def test_a_drag_of_a_turned_piece_plays(invite: Invite, when: str) -> None:
    ada = invite()
    open_game(ada, "hepta-solo")
    tray, cell = two_ways(ada)
    before = ada.version
    if when == "before":
        drag(ada, tray, cell)
        ada.page.keyboard.press("r")
        ada.page.keyboard.press("Escape")
        ada.page.keyboard.press("Escape")
    drag(ada, tray, cell, *(["r"] if when == "in flight" else []))
    ada.wait_for_change(before)


def test_whoever_is_asked_before_every_move_plays_by_the_button_alone(invite: Invite) -> None:
    ada = invite()
    open_game(ada, "tfortwo")
    confirm(ada, "cell-d4")
    ada.page.check("#prefs [name=confirm]")
    before = ada.version
    drag(ada, "tray-L1", "cell-d4")
    ada.page.wait_for_selector("#ghost > *", state="attached")
    touch(ada, "cell-d4")
    ada.page.keyboard.press("Escape")
    drag(ada, "tray-L1", "cell-d4", "r")
    touch(ada, "cell-d4")
    assert ada.version == before
    expect(ada.page.locator("#bar .main-button")).to_be_focused()
    ada.page.click("#bar .main-button")
    ada.wait_for_change(before)


@everywhere
def test_a_drag_at_a_table_is_refused_in_words(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "tricolore")
    pawn = str(ada.page.locator("#board [id^=pawn-].lit").first.get_attribute("id"))
    ada.page.mouse.move(*middle(ada, pawn))
    ada.page.mouse.down()
    ada.page.mouse.move(*middle(ada, "space-f3"), steps=6)
    ada.page.mouse.up()
    ada.page.wait_for_selector(".reason:not(:empty)")
    assert ada.page.locator(f"#{pawn}.picked").count() == 1


# Nothing out of sight, nothing that jumps


@pytest.mark.parametrize(("lang", "sizes"), [("en", (LARGE, TINY)), ("fr", (ON_ITS_SIDE, SMALL))], ids=str)
@pytest.mark.parametrize("key", GAMES)
def test_buttons_are_in_sight_beside_the_piece(
    invite: Invite, key: str, lang: str, sizes: tuple[tuple[int, int], ...]
) -> None:
    ada = invite(*sizes[-1], lang)
    open_game(ada, key)
    for width, height in sizes:
        ada.page.set_viewport_size({"width": width, "height": height})
        buttons_are_in_sight(ada, (width, height))


def buttons_are_in_sight(ada: Person, size: tuple[int, int]) -> None:
    for number in (0, 5):
        ada.page.evaluate("scrollTo(0, 0)")
        for _ in range(3):
            if not ada.page.locator("#bar .main-button").count():
                tap_lit(ada, number)
        button, ghost = box_of(ada, "#bar .main-button"), ada.page.locator("#ghost > *").first
        assert button["y"] >= 0, size
        assert button["y"] + button["height"] <= size[1], size
        assert 0 <= button["x"] <= size[0] - button["width"], size
        if ghost.count():
            shape = box_of(ada, "#ghost")
            apart = (
                shape["y"] + shape["height"] <= button["y"] + 1
                or button["y"] + button["height"] <= shape["y"] + 1
                or shape["x"] + shape["width"] <= button["x"] + 1
                or button["x"] + button["width"] <= shape["x"] + 1
            )
            assert apart, (size, shape, button)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= size[0], size
        for _ in range(3):
            ada.page.keyboard.press("Escape")


@pytest.mark.parametrize("key", ["pizza", "tetrods"])
def test_no_sentence_moves_the_board(invite: Invite, key: str) -> None:
    ada = invite(*SMALL, "fr")
    open_game(ada, key)
    for width, height in (LARGE, SMALL, TINY, ON_ITS_SIDE):
        ada.page.set_viewport_size({"width": width, "height": height})
        places = boards_under_sentences(ada, key)
        assert len(places) == 1, (width, height)


def boards_under_sentences(ada: Person, key: str) -> set[str]:
    """Where the board lies while sentences of all lengths are shown."""
    spots = [
        spot for spot in ("todo", "happened", "mistake", "connection-status") if ada.page.locator(f"#{spot}").count()
    ]
    assert len(spots) >= 3
    seen = set()
    for sentence in ("", "Un mot.", LONG[:160], LONG):
        for spot in spots:
            if (key, spot) == ("tetrods", "todo") and len(sentence) > 80:
                continue  # the tasks of puzzles are ours, and short
            ada.page.evaluate("([id, text]) => (document.getElementById(id).textContent = text)", [spot, sentence])
        seen.add(json.dumps(box_of(ada, "#board")))
    return seen


def test_long_news_can_be_read_to_the_end(invite: Invite) -> None:
    ada = invite(*SMALL, "fr")
    open_game(ada, "pizza")
    before = box_of(ada, "#board")
    ada.page.evaluate("(text) => (document.getElementById('happened').textContent = text)", LONG)
    room = "(part) => [part.clientHeight, part.scrollHeight]"
    seen, whole = ada.page.eval_on_selector("#happened", room)
    assert 40 < seen < whole, "the rest is scrolled to"
    ada.page.click("#happened")
    seen, whole = ada.page.eval_on_selector("#happened", room)
    assert seen >= whole, "or shown over the board"
    assert box_of(ada, "#board") == before


@pytest.mark.parametrize("key", ["hepta", "tetrods"])
def test_rules_are_printed_without_forms(invite: Invite, key: str) -> None:
    ada = invite()
    ada.go(f"/games/{key}")
    ada.page.emulate_media(media="print")
    for what in (".top", ".foot", "form", "button", "select", "nav"):
        for part in ada.page.locator(what).all():
            assert not part.is_visible(), what
    assert ada.page.locator("#rules h2").first.is_visible()


@everywhere
def test_escape_closes_what_is_in_front_and_only_that(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    open_game(ada, "tetrods")
    touch(ada, "tray-L1")
    ada.page.click("[data-keys]")
    assert ada.page.locator("#keys[open]").count() == 1
    ada.page.keyboard.press("Escape")
    ada.page.wait_for_selector("#keys[open]", state="detached")
    assert ada.page.locator("#tray-L1.picked").count() == 1
    ada.page.keyboard.press("Escape")
    assert ada.page.locator("#tray-L1.picked").count() == 0
