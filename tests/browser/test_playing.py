"""What playing feels like: sounds, motion, switches, the words of results, names, lines that break."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ludotheque
from browser.people import Person

Invite = Callable[..., Person]

VERSION_ON_SERVER = (
    "() => fetch(`${location.pathname}/screen?version=-1`).then((r) => r.json()).then((s) => s.version)"
)
LISTEN = """() => {
  window.heard = [];
  const Real = window.OscillatorNode;
  window.OscillatorNode = class extends Real {
    constructor(context, options) { super(context, options); window.heard.push(options.frequency); }
  };
}"""
MOVED = """() => {
  window.moved = [];
  const real = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.moved.push([this.id || this.parentNode?.parentNode?.id || '', Object.keys(frames).join(), options.delay]);
    return real.call(this, frames, options);
  };
}"""


def alone_at(ada: Person, key: str, **options: str) -> None:
    ada.set_table(key, "screen", None, **options)
    ada.wait_for_turn()


def test_sounds_are_off_until_wanted(invite: Invite) -> None:
    ada = invite()
    alone_at(ada, "hepta")
    ada.page.evaluate(LISTEN)
    ada.play_something()
    assert ada.page.evaluate("window.heard") == []
    ada.page.check("#prefs [name=sound]")
    ada.page.evaluate("window.heard = []")
    ada.wait_for_turn()
    ada.play_something(3)
    assert ada.page.evaluate("window.heard") == [196]
    ada.page.reload()
    assert ada.page.is_checked("#prefs [name=sound]"), "kept for the visitor"


def test_my_turn_and_the_end_are_heard(invite: Invite) -> None:
    ada, bob = invite(), invite()
    bob.join(ada.set_table("tricolore", seats=2), "Bob")
    bob.page.check("#prefs [name=sound]")
    bob.page.evaluate(LISTEN)
    ada.wait_for_turn()
    ada.play_something()
    bob.wait_for_turn()
    assert bob.page.evaluate("window.heard") == [196, 523, 659]
    ada.page.click("#acts [value=resign]")
    ada.page.click("#acts [value=resign]")
    bob.page.wait_for_selector("#after")
    assert bob.page.evaluate("window.heard.slice(3)") == [392, 494, 587]


def test_names_of_cells_can_be_hidden(invite: Invite) -> None:
    ada = invite()
    alone_at(ada, "pizza")
    assert ada.page.locator(".pizza-name").first.is_visible()
    ada.page.uncheck("#prefs [name=coordinates]")
    assert not ada.page.locator(".pizza-name").first.is_visible()
    ada.page.reload()
    assert not ada.page.locator(".pizza-name").first.is_visible(), "kept for the visitor"


def test_every_move_can_be_asked_about(invite: Invite) -> None:
    ada = invite()
    alone_at(ada, "hepta")
    ada.page.check("#prefs [name=confirm]")
    ada.page.reload()
    ada.wait_for_turn()
    ada.touch(4)
    ada.page.wait_for_selector("#bar .main-button")
    assert ada.page.locator("#log b").count() == 0
    ada.page.click("#bar .main-button")
    ada.page.wait_for_selector("#log b")


def pizza_revealed(invite: Invite) -> Person:
    """Three at one screen have cut; the knives come down."""
    ada = invite()
    alone_at(ada, "pizza")
    for number in (0, 3, 6):
        ada.wait_for_turn()
        ada.play_something(number)
    for seat in range(3):
        ada.page.click("#handover a")
        ada.wait_for_turn()
        if seat == 2:
            ada.page.evaluate(MOVED)
        ada.play_something(seat)
    return ada


def test_what_happened_is_shown_step_by_step(invite: Invite) -> None:
    ada = pizza_revealed(invite)
    motions = ada.page.evaluate("window.moved")
    assert motions
    assert len({delay for _, _, delay in motions}) > 1, "one after another"
    ada.page.wait_for_selector("#leaving:empty", state="attached")
    assert ada.page.locator("#board [id^=knife]").count() == 0


def test_nothing_moves_if_nothing_is_to_move(invite: Invite) -> None:
    ada = invite()
    alone_at(ada, "pizza")
    with ada.page.expect_navigation():
        ada.page.click("[name=motion]")
    ada.wait_for_turn()
    ada.page.evaluate(MOVED)
    ada.play_something()
    assert ada.page.evaluate("window.moved") == []
    assert ada.page.locator("[id^=topping]").count() == 7


@pytest.mark.parametrize("key", [box.key for box in ludotheque.games() if max(box.seats) > 1 and box.key != "nim"])
def test_fingers_find_everything_on_a_small_screen(invite: Invite, key: str) -> None:
    """What can be touched is 24 pixels across, or a touch beside it counts as well."""
    ada = invite(width=360, height=740)
    alone_at(ada, key)
    for number in range(4 if key == "pizza" else 1):
        ada.take_turn()
        sizes = ada.page.evaluate(
            "[...document.querySelectorAll('.board .lit')].map(e => [e.id, e.getBoundingClientRect()])"
            ".map(([id, box]) => [id, Math.min(box.width, box.height)])"
        )
        assert [size for size in sizes if size[1] < 24] == []
        if number < 3:
            ada.play_something(number * 3)


def test_the_table_in_words_is_french_in_french(invite: Invite) -> None:
    ada = invite(lang="fr")
    alone_at(ada, "pegs")
    ada.page.click("#words-table > summary")
    said = ada.page.inner_text("#words-table .position")
    assert "Chevilles" in said
    assert not re.search(r"\b(pegs|left|phase open|turn|cards|blue|white)\b", said)


def test_the_result_tells_group_by_group(invite: Invite) -> None:
    ada = invite(lang="fr")
    alone_at(ada, "tfortwo", legs="1")
    for turn in range(40):
        if ada.over:
            break
        ada.wait_for_turn()
        ada.play_something(turn * 3)
    assert "Groupe de" in ada.page.inner_text("#why")


def test_giving_up_is_in_the_record(invite: Invite) -> None:
    ada = invite()
    alone_at(ada, "hepta")
    ada.play_something()
    ada.page.click("#acts [value=resign]")
    ada.page.click("#acts [value=resign]")
    assert ada.page.inner_text("#after h2") == "Ada has given up, so Player 2 wins."
    ada.page.click("#to-replay")
    with ada.page.expect_download() as download:
        ada.page.click("a[download]")
    text = Path(download.value.path()).read_text()
    assert json.loads(text)["ending"] == {"how": "resign", "seat": 0}
    assert ludotheque.load(text).winners == (1,)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "שלום עולם", "🎲" * 30, "x" * 1000])
def test_any_name_is_only_a_name(invite: Invite, name: str) -> None:
    ada, bob = invite(width=360, height=740), invite()
    address = ada.set_table("hepta")
    bob.page.goto(address)
    bob.page.eval_on_selector(".sit input[name=name]", "field => field.removeAttribute('maxlength')")
    bob.join(address, name)
    ada.wait_for_turn()
    assert 0 < len(ada.page.inner_text("#place-1 .who")) < 60
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_lost_network_is_told_and_costs_nothing(invite: Invite) -> None:
    ada, bob = invite(), invite()
    bob.join(ada.set_table("hepta"), "Bob")
    ada.wait_for_turn()
    ada.page.context.set_offline(True)
    ada.page.wait_for_selector("#connection-status:not(:empty)")
    ada.touch(5)
    assert bob.page.evaluate(VERSION_ON_SERVER) == int(bob.version)
    ada.page.context.set_offline(False)
    bob.page.wait_for_selector("#log b")
    ada.page.wait_for_selector("#connection-status:empty", state="attached")
    ada.page.wait_for_selector("#log b")
    assert (ada.page.locator("#log b").count(), bob.page.locator("#log b").count()) == (1, 1)
    ada.troubles.clear()  # what could not be fetched


def test_a_seat_moves_after_the_table_has_changed(invite: Invite) -> None:
    ada, bob, phone = invite(), invite(), invite(width=360, height=740, lang="fr")
    address = ada.set_table("hepta")
    bob.join(address, "Bob")
    ada.wait_for_turn()
    ada.play_something()
    with ada.page.expect_navigation():
        ada.page.click("form[action$=link] button")
    phone.page.goto(ada.page.input_value("#address"))
    phone.page.click("main button")
    phone.page.wait_for_selector("#place-0.mine")
    ada.page.goto(address)
    assert ada.page.locator(".place.mine").count() == 0, "the other device has it now"


def test_focus_stays_while_others_move(invite: Invite) -> None:
    ada, bob = invite(), invite()
    bob.join(ada.set_table("hepta"), "Bob")
    ada.wait_for_turn()
    bob.page.click("#words-table > summary")
    bob.page.focus("#words-table > summary")
    ada.play_something()
    bob.page.wait_for_selector("#log b")
    assert bob.page.evaluate("document.activeElement.parentNode.id") == "words-table"
    assert "blocker" in bob.page.inner_text("#news"), "and what happened is announced"


def test_focus_of_whoever_plays_by_keyboard(invite: Invite) -> None:
    ada, bob = invite(), invite()
    bob.join(ada.set_table("hundsgemein", seats=2), "Bob")
    ada.wait_for_turn()
    ada.play_something()
    bob.wait_for_turn()
    bob.tab_to_board()
    before = bob.version
    while bob.page.locator(".board .lit").count():
        bob.page.keyboard.press("Enter")
    assert bob.page.evaluate("document.activeElement.closest('#board') !== null"), "even while a move is under way"
    bob.wait_for_change(before)
    bob.page.click("#words-table > summary")
    bob.page.focus("#words-table > summary")
    ada.wait_for_turn()
    ada.play_something()
    bob.wait_for_turn()
    assert bob.page.evaluate("document.activeElement.parentNode.id") == "words-table", (
        "who left the board may stay away"
    )


def test_nothing_jumps_when_the_words_change(invite: Invite) -> None:
    for width, height in ((1280, 800), (360, 740)):
        ada = invite(width=width, height=height)
        alone_at(ada, "hundsgemein")
        top = ada.page.locator("#board").bounding_box()
        for number in range(3):
            ada.wait_for_turn()
            ada.play_something(number)
            ada.page.evaluate("scrollTo(0, 0)")
            assert ada.page.locator("#board").bounding_box() == top


def test_two_play_tricolore_as_silver_and_black(invite: Invite) -> None:
    ada = invite()
    ada.go("/games/tricolore")
    ada.page.select_option("[name=seats]", "2")
    assert ada.page.locator("[name=seat] option").all_inner_texts()[1:] == ["Silver", "Black", "Black"]
    ada.page.check(".setup [name=way][value=screen]")
    ada.page.select_option("[name=seat]", "0")
    ada.page.click(".setup .main-button")
    ada.page.wait_for_selector("#board svg")
    assert "Silver" in ada.page.inner_text("#place-0")
    assert "Black" in ada.page.inner_text("#place-1")


@pytest.mark.parametrize("key", [box.key for box in ludotheque.games() if max(box.seats) > 1 and box.key != "hepta"])
def test_every_duel_is_played_by_keyboard(invite: Invite, key: str) -> None:
    ada = invite()
    alone_at(ada, key)
    keys = ada.page.keyboard
    for turn in range(5):
        ada.take_turn(by_keyboard=True)  # an Enter too many may have made the move before it, and be on its way
        before = ada.version
        ada.tab_to_board()
        for arrow in ("ArrowRight", "ArrowDown", "ArrowLeft")[: turn % 4]:
            keys.press(arrow)
        while ada.version == before and ada.page.locator(".board .lit, #bar button").count():
            keys.press("Enter")
            assert ada.page.evaluate("document.activeElement.closest('#board, #bar') !== null"), "focus is lost"
        ada.wait_for_change(before)


def test_zoomed_to_twice_the_size(invite: Invite) -> None:
    ada = invite(width=640, height=400)
    alone_at(ada, "hundsgemein")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 640
    assert ada.page.locator("#board svg").bounding_box()["height"] > 300  # type: ignore[index]


def test_spectators_watch_by_a_public_link(invite: Invite) -> None:
    ada, eve = invite(), invite(lang="fr")
    alone_at(ada, "hundsgemein")
    ada.page.click("#watch summary")
    eve.page.goto(ada.page.input_value("#watch #address"))
    assert eve.page.locator(".lit, #acts, .place.mine").count() == 0
    ada.play_something()
    eve.page.wait_for_selector("#log b:has-text('pose'), #log b:has-text('jette')")


def test_a_series_of_legs(invite: Invite) -> None:
    ada = invite(lang="fr")
    alone_at(ada, "tfortwo")
    assert "manche 1 sur 2" in ada.page.inner_text(".game-name")
    for turn in range(80):
        if ada.over:
            break
        ada.wait_for_turn()
        ada.play_something(turn * 3)
    assert ada.page.locator("#why h3").all_inner_texts() == ["Manche 1", "Manche 2"]


def test_no_row_grows_when_somebody_thinks(invite: Invite) -> None:
    ada = invite(lang="fr")
    ada.set_table("tricolore", "computer", 3)
    assert ada.page.evaluate("""() => [...document.querySelectorAll(".place")].every((place) => {
      const note = document.createElement("span"), state = place.querySelector(".state");
      state.querySelector(".to-move")?.remove();
      const { height } = place.getBoundingClientRect();
      Object.assign(note, { className: "to-move", textContent: "réfléchit…" });
      state.prepend(note);
      return place.getBoundingClientRect().height === height;
    })""")
