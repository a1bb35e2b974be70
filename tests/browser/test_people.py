"""Who leaves a match of three, and what everybody's page adds to the luck: in real browsers."""

import json
from collections.abc import Callable

from playwright.sync_api import Route

from browser.people import SMALL, Look, Person, everywhere

Invite = Callable[..., Person]
LEFT = {"en": "Ada has left.", "fr": "Ada a quitté la table."}
BUTTON = {"en": "Leave to the computer", "fr": "Laisser la place à l’ordinateur"}
WIDER = "document.documentElement.scrollWidth > innerWidth"


@everywhere
def test_one_of_three_leaves_to_the_computer(invite: Invite, look: Look) -> None:
    ada, bob, cleo = invite(*look), invite(*look), invite()
    address = ada.set_table("pizza")
    bob.join(address, "Bob")
    cleo.join(address, "Cleo")
    ada.wait_for_turn()
    ada.play_something()
    button = ada.page.locator("#acts [value=resign]")
    assert button.inner_text() == BUTTON[look.lang]
    button.click()
    assert not ada.over, "asked once more first"
    button.click()
    bob.page.wait_for_selector(f"#log .note:has-text('{LEFT[look.lang]}')")
    ada.page.wait_for_selector("#acts", state="detached")
    for person in (ada, bob, cleo):
        assert not person.over
        assert person.page.locator("#places .place.mine").count() == (person is not ada)
    assert not bob.page.evaluate(WIDER), "names that are longer now fit"
    box = bob.page.locator("#acts [value=resign]").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= look.width
    for person, number in ((bob, 3), (cleo, 6)):
        person.wait_for_turn()
        person.play_something(number)
    bob.page.wait_for_selector("#place-0 .to-move, #place-0 .chosen, #log b >> nth=3")


@everywhere
def test_one_of_three_round_one_screen_leaves_to_the_computer(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    ada.set_table("pizza", "screen", 3)
    ada.wait_for_turn()
    button = ada.page.locator("#acts [value=resign]")
    assert button.inner_text() == BUTTON[look.lang]
    button.click()
    button.click()
    ada.page.wait_for_selector(f"#log .note:has-text('{LEFT[look.lang]}')")
    ada.page.wait_for_selector("#places .place.mine >> nth=1")
    assert ada.page.locator("#places .place.mine").count() == 2
    assert not ada.over
    assert button.inner_text() == BUTTON[look.lang], "two are left, and either may leave, too"


def test_a_guest_at_an_open_table_is_offered_no_seat_but_one(invite: Invite) -> None:
    ada, bob = invite(), invite(*SMALL)
    address = ada.set_table("pizza", "open")
    bob.join(address, "Bob")
    assert bob.page.locator("[value=computer], .beside").count() == 0
    assert ada.page.locator("#places [value=computer]").count() == 1
    assert ada.page.locator("#places .beside").count() == 1


def until_answered(person: Person) -> None:
    """Until a command that its page has sent is answered."""
    person.until(
        lambda: any(json.loads(frame).get("ok") for frame in person.heard if frame.startswith("{")), "no answer"
    )


def test_the_page_adds_to_the_luck_after_it_was_fixed(invite: Invite) -> None:
    ada, bob = invite(), invite(*SMALL)
    asked: list[dict[str, str]] = []

    def listen(route: Route) -> None:
        reply = route.fetch()
        asked.append(reply.json())
        route.fulfill(response=reply)

    ada.page.route("**/luck", listen)
    address = ada.set_table("pizza", seats=2)
    (promise,) = asked
    assert address.endswith(promise["table"])
    bob.join(address, "Bob")
    ada.page.wait_for_selector("#acts")
    luck = ada.page.locator("p.luck")
    assert promise["commitment"] in (luck.text_content() or "")
    assert "mixed in by Ada and Bob" in (luck.text_content() or "")
    for person in (ada, bob):
        person.heard.clear()
    for _ in range(2):
        ada.page.click("#acts [value=resign]")
    for person in (ada, bob):
        person.page.wait_for_selector("#next-luck", state="attached")
        until_answered(person)
    fixed = [code.text_content() for code in ada.page.locator("#next-luck code").all()]
    ada.page.click("[value=rematch]")
    ada.page.wait_for_url(f"**/t/{fixed[0]}")
    told = ada.page.locator("p.luck").text_content() or ""
    assert str(fixed[1]) in told
    assert "mixed in by Bob and Ada" in told


def test_without_script_the_page_says_that_nothing_was_added(invite: Invite) -> None:
    ada = invite(script=False)
    ada.go("/games/pizza")
    with ada.page.expect_navigation():
        ada.page.click(".setup .main-button")
    assert "No number came from" in (ada.page.locator("p.luck").text_content() or "")


def test_a_form_is_sent_even_if_the_luck_cannot_be_fixed_first(invite: Invite) -> None:
    ada = invite()
    ada.page.route("**/luck", lambda route: route.fulfill(status=200, body=json.dumps({})))
    ada.set_table("pizza")
    assert "No number came from Ada." in (ada.page.locator("p.luck").text_content() or "")
