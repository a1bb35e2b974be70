"""My tables, waiting for people, and what becomes of an offer: at a desk and on a telephone, in both languages."""

import json
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from browser.people import Look, Person, Site, everywhere, wherever_words_fit
from ludotheque import words
from ludotheque.web.pages import qr

Invite = Callable[..., Person]
TABLES = """
import django, json, secrets
django.setup()
from ludotheque.web.table import actions, moves, seating
from ludotheque.web.visitors import sign

people = [secrets.token_hex(9) for _ in range(2)]

def table():
    opened = seating.open_table("tricolore", 2, {})
    for seat, name in enumerate(("Ada", "Bob")):
        seating.sit(opened.id, people[seat], seat, name)
    return opened.id

running, theirs, over = (table() for _ in range(3))
moves.play(theirs, people[0], 0, "g7-g6", version=3)
actions.resign(over, people[1], 1)
ada, bob = map(sign, people)
print(json.dumps({"ada": ada, "bob": bob, "running": running, "theirs": theirs, "over": over}))
"""


def say(lang: str, name: str, /, **values: object) -> str:
    return words.say(None, lang, "web", name, **values)


def prepared(site: Site) -> dict[str, str]:
    """Tables of Ada and Bob, who come anew each time: one for her to move, one for him, one that is over."""
    command = [sys.executable, "-c", TABLES]
    made = subprocess.run(command, env=site.environment, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    found: dict[str, str] = json.loads(made.stdout)
    return found


def become(person: Person, cookie: str) -> None:
    person.page.context.add_cookies([{"name": "visitor", "value": cookie, "url": person.site.address}])


def fits(person: Person) -> bool:
    """Nothing is wider than the screen."""
    return bool(person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def open_list(person: Person, lang: str, name: str) -> None:
    """Follow the link to another list of tables, and wait for that page."""
    with person.page.expect_navigation():
        person.page.click(f"text={say(lang, name)}")


def visible_cards(person: Person) -> list[str]:
    ids: list[str] = person.page.eval_on_selector_all(
        "#lists li[id]", "cards => cards.map((card) => card.id.slice(6))"
    )
    return ids


# My tables


@wherever_words_fit
def test_my_tables(invite: Invite, site: Site, look: Look) -> None:
    tables, ada, lang = prepared(site), invite(*look), look.lang
    become(ada, tables["ada"])
    ada.go("/")
    assert ada.page.title() == "(1) Ludothèque"
    open_list(ada, lang, "all-my-tables")
    page = ada.page
    assert visible_cards(ada) == [tables["running"], tables["theirs"], tables["over"]]
    mine, theirs = (page.locator(f"#table-{tables[name]}") for name in ("running", "theirs"))
    assert say(lang, "my-turn") in mine.inner_text()
    assert say(lang, "their-turn", names="Bob") in theirs.inner_text()
    assert say(lang, "just-now") in theirs.inner_text()
    page.wait_for_function("() => document.querySelector('.small-picture').naturalWidth > 0")
    assert fits(ada)
    # Put away, without leaving the page; undone; put away again, and found on its shelf.
    away = page.locator(f"#table-{tables['over']} [value=put-away]")
    away.click()
    page.wait_for_selector("#note button:focus")
    assert visible_cards(ada) == [tables["running"], tables["theirs"]]
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#table-{tables['over']} a:focus")
    assert page.locator("#note button").count() == 0
    away.click()
    page.wait_for_selector("#note button:focus")
    open_list(ada, lang, "shelf-away")
    assert visible_cards(ada) == [tables["over"]]
    page.click(f"text={say(lang, 'bring-back')}")
    page.wait_for_selector("#lists li", state="detached")
    open_list(ada, lang, "shelf-finished")
    assert visible_cards(ada) == [tables["over"]]


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_my_tables_without_script(invite: Invite, site: Site, lang: str) -> None:
    tables, ada = prepared(site), invite(360, 740, lang, script=False)
    become(ada, tables["ada"])
    ada.go("/mine")
    with ada.page.expect_navigation():
        ada.page.click(f"#table-{tables['over']} [value=put-away]")
    assert tables["over"] not in visible_without_script(ada)
    with ada.page.expect_navigation():
        ada.page.click("#note button")
    assert tables["over"] in visible_without_script(ada)
    assert say(lang, "my-turn") in ada.page.inner_text(f"#table-{tables['running']}")


def visible_without_script(person: Person) -> list[str]:
    return re.findall(r'<li id="table-([^"]+)"', person.page.content())


@pytest.mark.parametrize("address", ["/", "/mine"])
def test_lists_refresh_themselves(invite: Invite, site: Site, address: str) -> None:
    tables, ada, bob = prepared(site), invite(), invite(360, 740, "fr")
    become(ada, tables["ada"])
    become(bob, tables["bob"])
    ada.go(address)
    page = ada.page
    theirs = f"#table-{tables['theirs']}"
    assert page.locator(f"{theirs}.turn").count() == 0
    page.focus(f"{theirs} a")
    picture = page.get_attribute(f"{theirs} img", "src")
    bob.go(f"/t/{tables['theirs']}")
    bob.wait_for_script()
    bob.play_something()
    page.wait_for_selector(f"{theirs}.turn")
    assert page.evaluate("document.activeElement.getAttribute('href')") == f"/t/{tables['theirs']}", "focus stays"
    assert page.get_attribute(f"{theirs} img", "src") != picture
    assert page.title().startswith("(2) ")
    if address == "/":
        opened = bob.set_table("hepta", "open").rpartition("/")[2]
        page.wait_for_selector(f"#table-{opened}")


def test_a_page_that_nobody_sees_does_not_ask(invite: Invite, site: Site) -> None:
    tables, ada = prepared(site), invite()
    become(ada, tables["ada"])
    ada.page.clock.install()
    ada.go("/mine")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url) if "/mine/news" in request.url else None)
    hide = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    ada.page.evaluate(hide, True)
    ada.page.clock.run_for(10 * 60_000)
    assert asked == []
    with ada.page.expect_response("**/mine/news*") as first:
        ada.page.evaluate(hide, False)
    assert first.value.status == 200
    ada.page.clock.run_for(1000)
    for _ in range(3):  # then again and again, and nothing comes unless something has changed
        with ada.page.expect_response("**/mine/news*") as reply:
            ada.page.clock.run_for(60_000)
        assert reply.value.status == 304 or "min" in reply.value.text()


# Waiting


@wherever_words_fit
def test_the_waiting_table_shows_its_link_first(invite: Invite, look: Look) -> None:
    ada, bob, lang = invite(*look), invite(*look), look.lang
    ada.page.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = ada.set_table("tricolore", "open", 2)
    page = ada.page
    assert page.input_value("#address") == address
    tops = [page.locator(selector).bounding_box() for selector in ("#address", ".qr", "#board")]
    link, code, board = (box["y"] + box["height"] for box in tops if box is not None)
    assert link < look.height, "without scrolling"
    assert max(link, code) <= board
    assert fits(ada)
    page.click("[data-copy]")
    assert page.evaluate("navigator.clipboard.readText()") == address
    page.click("[data-share]")
    assert page.evaluate("window.shared.url") == address
    drawn = page.request.get(page.evaluate("document.querySelector('.qr').src")).text()
    assert modules(drawn) == [list(row) for row in qr.code(address).matrix]
    page.wait_for_function("() => document.querySelector('.qr').naturalWidth > 0")
    assert say(lang, "one-missing") in page.inner_text("#todo")
    assert say(lang, "stands-open") in page.inner_text("#invite")
    # The host has a seat: nobody offers him another, but somebody may come and play beside him.
    assert page.locator(".sit [value=sit]:visible").count() == 0
    assert page.locator("#beside-1").count() == 1
    # Who was invited is asked to sit down first of all.
    bob.page.goto(address)
    sit = bob.page.locator(".sit [value=sit]")
    box = sit.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < look.height
    assert bob.page.locator("#invite").count() == 0
    bob.join(address, "Bob")
    page.wait_for_selector("#invite", state="detached")
    assert page.locator("#acts").count() == 1


def modules(picture: str) -> list[list[int]]:
    """The dark modules of a QR code, read from the path that draws them: lines of one unit, to the right."""
    size = int(re.findall(r'viewBox="0 0 (\d+)', picture)[0])
    found = [[0] * size for _ in range(size)]
    x = y = 0.0
    path = re.findall(r'class="qrline"[^>]* d="([^"]+)"', picture)[0]
    for command, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
        values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
        if command == "h":
            for step in range(int(values[0])):
                found[int(y)][int(x) + step] = 1
            x += values[0]
        elif command == "M":
            x, y = values
        else:
            x, y = x + values[0], y + values[1]
    quiet = qr.QUIET_MODULES
    return [row[quiet:-quiet] for row in found[quiet:-quiet]]


@everywhere
def test_somebody_sits_down_beside_the_host(invite: Invite, look: Look) -> None:
    ada = invite(*look)
    ada.set_table("tricolore", seats=2)
    ada.page.click("#beside-1 summary")
    ada.page.fill("#beside-1 [name=name]", "Eve")
    ada.page.click("#beside-1 button")
    ada.page.wait_for_selector("#acts")
    assert ada.page.locator(".place.mine").count() == 2


@everywhere
def test_waiting_without_script(invite: Invite, look: Look) -> None:
    ada = invite(*look, script=False)
    ada.go("/games/tricolore")
    with ada.page.expect_navigation():
        ada.page.click(".setup .main-button")
    assert ada.page.input_value("#address") == ada.page.url
    assert ada.page.locator("[data-copy]:visible, [data-share]:visible").count() == 0
    assert (
        ada.page.locator("noscript meta[http-equiv=refresh]").count()
        + ada.page.locator("meta[http-equiv=refresh]").count()
    )
    assert ada.page.locator(".qr:visible").count() == 1


def test_the_private_link_has_a_code_and_asks_nobody_to_take_a_seat_they_have(invite: Invite) -> None:
    ada, phone = invite(), invite(360, 740)
    address = ada.set_table("tricolore", "computer", 2)
    with ada.page.expect_navigation():
        ada.page.click(f"text={say('en', 'other-device')}")
    link = ada.page.input_value("#address")
    drawn = ada.page.evaluate("document.querySelector('svg.qr').outerHTML")
    assert modules(drawn) == [list(row) for row in qr.code(link).matrix]
    ada.page.goto(link)
    assert ada.page.locator("main form").count() == 0
    with ada.page.expect_navigation():
        ada.page.click("main .main-button")
    assert ada.page.url == address
    phone.page.goto(link)
    phone.page.click("main .main-button")
    phone.page.wait_for_selector(".place.mine")


# Offers


@everywhere
def test_a_declined_offer_is_told(invite: Invite, look: Look) -> None:
    (ada, bob, eve), lang = (invite(*look) for _ in range(3)), look.lang
    address = ada.set_table("tricolore", seats=2)
    bob.join(address, "Bob")
    eve.page.goto(address)
    ada.page.click("#acts [value=draw]")
    bob.page.click("#offer [value=decline]")
    told = say(lang, "draw-declined", name="Bob")
    for person in (ada, eve):
        person.page.wait_for_selector(f"#offer:has-text('{told}')")
    bob.page.wait_for_selector("#offer", state="detached")
    assert fits(ada)
    # It is told until the game goes on.
    ada.play_something()
    for person in (ada, eve):
        person.page.wait_for_selector("#offer", state="detached")
    # Who would like to take a move back hears about it, too; playing on instead of answering is an answer.
    bob.play_something()
    bob.page.click("#acts [value=draw]")
    ada.page.wait_for_selector("#offer [value=decline]")
    ada.play_something()
    bob.page.wait_for_selector(f"#offer:has-text('{say(lang, 'draw-declined', name='Ada')}')")
    bob.play_something()
    ada.page.click("#acts [value=undo]")
    bob.page.click("#offer [value=decline]")
    ada.page.wait_for_selector(f"#offer:has-text('{say(lang, 'undo-declined', name='Bob')}')")
