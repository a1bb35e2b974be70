"""People at tables, in real browsers."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ludotheque
from browser.people import Person, Site
from browser.test_hints import ask

Invite = Callable[..., Person]


def until_the_end(people: list[Person], most: int = 400) -> None:
    """Whoever is to move moves, by mouse, until the match is over."""
    for turn in range(most):
        people[0].until(lambda: people[0].over or bool(movers(people)), "nobody is to move")
        if people[0].over:
            return
        movers(people)[0].play_something(turn * 5)
    raise AssertionError("the match does not end")


def movers(people: list[Person]) -> list[Person]:
    return [person for person in people if person.page.locator(".board .lit").count()]


def test_pizza_by_three_through_to_the_end(invite: Invite) -> None:
    people: list[Person] = [invite(), invite(), invite(lang="fr")]
    ada, bob, cleo = people
    address = ada.set_table("pizza", rounds="2")
    bob.join(address, "Bob")
    cleo.join(address, "Cléo")
    for person, number in zip(people, (0, 3, 6), strict=True):
        person.wait_for_turn()
        person.play_something(number)
    # The sealed cut: nobody else receives anything of it.
    bob.wait_for_turn()
    for person in (ada, cleo):
        person.heard.clear()
    bob.play_something(4)
    ada.page.wait_for_selector("#place-1 .chosen")
    cleo.page.wait_for_selector("#place-1 .chosen")
    for person in (ada, cleo):
        received = "\n".join(person.heard)
        assert re.findall(r"knife-\d|Bob(?:</span>)? (?:cut|coupe)", received) == []
        assert person.page.locator("#log b", has_text=re.compile("cut|coupe")).count() == 0
    ada.play_something(1)
    cleo.play_something(2)
    ada.page.wait_for_selector("#log b:has-text('cut')")
    until_the_end(people)
    for person in people:
        person.page.wait_for_selector("#after")
    ada.page.click("#to-replay")
    with ada.page.expect_download() as download:
        ada.page.click("a[download]")
    assert ludotheque.load(Path(download.value.path()).read_text()).over
    ada.page.goto(address)
    # Again, with the seats moved on.
    ada.page.click("#after button")
    ada.page.wait_for_url(lambda url: url != address)
    bob.page.wait_for_selector("#after a.main-button")
    with bob.page.expect_navigation():
        bob.page.click("#after a.main-button")
    assert bob.page.url == ada.page.url
    assert ada.page.locator("#place-1.mine").count() == 1


def test_the_screen_is_handed_over_for_secret_choices(invite: Invite) -> None:
    ada = invite(width=360, height=740)
    ada.set_table("pizza", "screen")
    for number in (0, 3, 6):
        ada.wait_for_turn()
        ada.play_something(number)
    for seat in range(3):
        ada.page.wait_for_selector("#handover")
        assert ada.page.locator(".board .lit").count() == 0
        ada.page.click("#handover a")
        ada.wait_for_turn()
        assert ada.page.locator("#log b", has_text="cut").count() == 0
        ada.play_something(seat)
    ada.page.wait_for_selector("#log b:has-text('cut')")


def test_hepta_by_keyboard_alone(invite: Invite) -> None:
    ada = invite()
    ada.set_table("hepta", "screen", legs="1")
    keys = ada.page.keyboard
    for step in range(40):
        if ada.over:
            break
        before = ada.version
        ada.tab_to_board()
        assert ada.page.locator(".board .ring").count() == 1, "one sees where one is"
        for arrow in ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"][: step % 5]:
            keys.press(arrow)
        keys.press("Enter")
        if ada.page.locator("#bar .main-button").count():
            keys.press("r")
            keys.press("Escape")
            assert ada.page.locator("#bar .main-button").count() == 0
            keys.press("Enter")
            keys.press("Enter")
        ada.wait_for_change(before)
    assert ada.over


@pytest.mark.parametrize("key", [box.key for box in ludotheque.games() if max(box.seats) > 1])
def test_every_game_is_played_to_its_end_by_mouse(invite: Invite, key: str) -> None:
    ada = invite()
    options = {"legs": "1", "rounds": "2", "limit": "30", "quiet": "30"}
    known = {option.name for option in ludotheque.game(key).options}
    ada.set_table(key, "screen", min(ludotheque.game(key).seats), **{n: v for n, v in options.items() if n in known})
    for turn in range(500):
        if ada.over:
            return
        ada.take_turn()
        ada.play_something(turn * 7)
    raise AssertionError("the match does not end")


def test_against_the_computer_by_one_button_to_the_end(own_site: Site, invite: Invite) -> None:
    ada = invite(lang="fr", site=own_site)
    ada.page.set_default_timeout(90_000)  # the first answer may have to be compiled
    ada.go("/games/hepta")
    ada.page.select_option(".against select", "1")
    ada.page.click("text=Jouer contre l’ordinateur")
    ada.page.wait_for_selector("#board svg")
    assert ada.page.locator("#places").inner_text().count("Débutant") == 1
    for turn in range(200):
        if turn == 3:
            own_site.close()
            own_site.open()
            ada.page.wait_for_selector("#connection-status:empty", state="attached")
            ada.troubles.clear()  # refused connections
        ada.page.wait_for_selector(".board .lit, #bar button, #after")
        if ada.over:
            break
        if turn == 1:
            ask(ada)
        ada.play_something(turn * 5)
    assert ada.over
    assert ada.page.inner_text("#hint") == ""
    ada.page.click("#after button")
    ada.page.wait_for_selector("#acts")
    assert ada.page.locator("#acts [value=draw]").count() == 0, "the computer plays on"


def test_computers_and_people_mixed(invite: Invite) -> None:
    ada = invite()
    ada.page.set_default_timeout(90_000)
    ada.go("/games/pizza")
    ada.page.check(".setup [name=way][value=computer]")
    assert ada.page.locator("[data-person]:visible").count() == 0
    ada.page.check(".setup [name=way][value=screen]")
    ada.page.select_option("[name=seat]", "0")
    ada.page.select_option("[name=player-2]", "1")
    assert ada.page.locator("[data-person]:visible").count() == 1
    ada.page.click(".setup .main-button")
    for number in (0, 3):
        ada.wait_for_turn()
        ada.play_something(number)
    ada.page.wait_for_selector("#place-2 .chosen")
    assert ada.page.locator("#handover").count() == 1


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_pages_fit_a_small_screen(invite: Invite, lang: str) -> None:
    ada = invite(width=360, height=740, lang=lang)
    for path in ("/", "/games/pizza", "/games/tetrods", "/about", "/nothing"):
        ada.go(path)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert ada.page.get_attribute("html", "lang") == lang, path
    ada.troubles.clear()  # a missing page is a trouble to the console


def test_by_touch_on_a_small_screen_in_french(invite: Invite) -> None:
    ada = invite(width=360, height=740, lang="fr", night=True)
    ada.set_table("hepta", "screen")
    ada.page.wait_for_selector(".lit")
    box = ada.page.locator("#cell-d4").bounding_box()
    assert box is not None
    assert ada.page.locator("#board svg").bounding_box()["width"] > 330  # type: ignore[index]
    ada.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ada.page.wait_for_selector("#ghost")
    assert ada.page.locator("#bar .main-button").inner_text() == "Poser un bloqueur ici"
    assert ada.page.locator("#log b").count() == 0, "a tap shows first"
    ada.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ada.page.wait_for_selector("#log b")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_words_and_typed_moves(invite: Invite) -> None:
    ada = invite()
    ada.set_table("hepta", "screen")
    ada.page.click("#words-table summary")
    ada.page.fill("#typed input[name=move]", "z9")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#mistake:has-text('z9')")
    ada.page.fill("#typed input[name=move]", "d4")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#log b:has-text('d4')")
    assert ada.page.locator("#mistake").inner_text() == ""
    assert ada.page.locator("#words-table").get_attribute("open") is not None, "what is open stays open"


def test_what_is_being_typed_stays_while_others_sit_down(invite: Invite) -> None:
    ada, bob, cleo = invite(), invite(), invite()
    address = ada.set_table("pizza")
    bob.page.goto(address)
    name = bob.page.locator("#place-2 input[name=name]")
    name.press_sequentially("Bo")
    cleo.join(address, "Cleo")
    bob.page.wait_for_selector("#place-1:has-text('Cleo')")
    bob.page.keyboard.type("b")
    assert name.input_value() == "Bob"
    bob.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#place-2:has-text('Bob')")


def test_a_lost_line_and_a_restarted_server_cost_nothing(own_site: Site, invite: Invite) -> None:
    ada, bob = invite(site=own_site), invite(site=own_site)
    address = ada.set_table("hepta")
    bob.join(address, "Bob")
    ada.wait_for_turn()
    ada.touch(0)
    bob.page.wait_for_selector("#log b")
    bob.page.context.set_offline(True)
    ada.wait_for_turn()
    ada.touch(3)
    ada.page.wait_for_selector("#log-2")
    bob.page.context.set_offline(False)
    bob.page.wait_for_selector("#log-2")
    own_site.close()
    ada.page.wait_for_selector("#connection-status:not(:empty)")
    ada.touch(5)  # while nobody is at home
    own_site.open()
    for person in (ada, bob):
        person.page.wait_for_selector("#log-3")
        person.page.wait_for_selector("#connection-status:empty", state="attached")
        person.troubles.clear()  # refused connections are what this was about
    assert ada.page.locator("#log b").count() == 3


def test_stepping_back_while_the_match_goes_on(invite: Invite) -> None:
    ada, bob = invite(), invite()
    address = ada.set_table("hepta")
    bob.join(address, "Bob")
    for number in range(3):
        ada.wait_for_turn()
        ada.play_something(number)
    bob.page.wait_for_selector("#log-3")
    bob.page.click("#log-1 a")
    bob.page.wait_for_selector("#log-1[aria-current]")
    assert bob.page.locator("#board [id^=blocker]").count() == 1
    ada.play_something(0)
    bob.page.wait_for_selector("#log-4")
    assert bob.page.locator("#board [id^=blocker]").count() == 1, "one goes on looking"
    bob.page.click("[data-step=last]")
    assert bob.page.locator("#board [id^=blocker]").count() == 4


def test_offers_undo_and_giving_up(invite: Invite) -> None:
    ada, bob = invite(), invite(lang="fr")
    address = ada.set_table("hepta")
    bob.join(address, "Bob")
    ada.wait_for_turn()
    ada.play_something()
    ada.page.click("#acts [value=undo]")
    bob.page.wait_for_selector("#log .none")
    ada.page.click("#acts [value=draw]")
    bob.page.click("#offer [value=decline]")
    ada.page.wait_for_selector("#offer:has-text('Bob declines the draw')")
    bob.page.wait_for_selector("#offer", state="detached")
    ada.page.click("#acts [value=resign]")
    assert not ada.over, "asked once more first"
    ada.page.click("#acts [value=resign]")
    ada.page.wait_for_selector("#after")
    bob.page.wait_for_selector("#place-1.winner")
    assert bob.page.locator("#todo").inner_text() == "Ada abandonne\N{NO-BREAK SPACE}: Bob gagne."


def test_a_seat_moves_to_another_device(invite: Invite) -> None:
    ada, phone = invite(), invite(width=360, height=740)
    ada.set_table("hepta", "screen")
    with ada.page.expect_navigation():
        ada.page.click("form[action$=link] button")
    link = ada.page.input_value("#address")
    phone.page.goto(link)
    phone.page.click("main button")
    phone.page.wait_for_selector(".place.mine")
    assert "/seat/" not in phone.page.url
    phone.play_something()
    phone.page.wait_for_selector("#log b")


def test_a_lesson_is_played_in_the_page(invite: Invite) -> None:
    ada = invite()
    ada.go("/games/hepta")
    ada.page.click("text=Learn it by playing")
    ada.wait_for_turn()
    ada.touch(10)
    ada.page.wait_for_selector("#answer.right")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_url("**/lesson/2")
    ada.page.click("#by-words summary")
    ada.page.fill("#typed input[name=move]", "L")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#answer:not(.right):not([hidden])")
    assert ada.page.locator("#next").is_hidden()
    ada.page.fill("#typed input[name=move]", "I")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#next a")


def test_the_first_picture_comes_without_script(invite: Invite) -> None:
    ada = invite(script=False)
    ada.go("/games/hepta")
    ada.page.check(".setup [name=way][value=screen]")
    with ada.page.expect_navigation():
        ada.page.click(".setup .main-button")
    assert ada.page.locator("#board svg").count() == 1
    ada.page.click("#words-table > summary")
    ada.page.fill("#typed input[name=move]", "d4")
    with ada.page.expect_navigation():
        ada.page.click("#typed button")
    assert ada.page.locator("#log code").inner_text().endswith("d4")


def test_themes_and_languages_are_switched(invite: Invite) -> None:
    ada = invite()
    ada.go("/games/pizza")
    paper = "getComputedStyle(document.body).backgroundColor"
    day = ada.page.evaluate(paper)
    ada.page.click(".to-night")
    assert ada.page.evaluate(paper) != day
    with ada.page.expect_navigation():
        ada.page.click("[name=language]")
    assert ada.page.get_attribute("html", "lang") == "fr"
    assert ada.page.evaluate(paper) != day, "kept from page to page"


def test_the_weight_of_a_table(invite: Invite) -> None:
    ada = invite()
    ada.set_table("pizza", "screen")
    ada.page.reload()
    sizes = ada.page.evaluate(
        "JSON.stringify(performance.getEntries().filter(e => e.transferSize).map(e => [e.name, e.transferSize]))"
    )
    sent = dict(json.loads(sizes))
    assert sum(sent.values()) < 150_000
    assert sum(size for name, size in sent.items() if name.endswith(".js")) < 35_000
