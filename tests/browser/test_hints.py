"""Hints at a table: the move is drawn on the board, and the words say why."""

from collections.abc import Callable

import pytest

from browser.people import Look, Person, Site, everywhere, visit
from browser.scenes import Scene

Invite = Callable[..., Person]
BOARD_IN_VIEW = """() => {
  const { top, bottom } = document.querySelector('#board svg').getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) > 0.9 * Math.min(bottom - top, innerHeight);
}"""


@pytest.fixture(scope="module")
def made(made_scenes: list[Scene]) -> dict[str, Scene]:
    return {scene.name: scene for scene in made_scenes}


def ask(ada: Person) -> str:
    """Ask until somebody answers: the first time players may have to be compiled, longer than a page waits."""
    for _ in range(20):
        ada.page.click("#ask-hint")
        ada.page.wait_for_selector("#ask-hint:not([disabled])", timeout=120_000)
        if ada.page.locator("#bar .main-button").count():
            return ada.page.inner_text("#hint")
    raise AssertionError(ada.page.inner_text("#hint"))


@everywhere
def test_a_hint_is_drawn_and_explained(invite: Invite, look: Look) -> None:
    ada, lang = invite(*look), look.lang
    ada.set_table("hepta", "computer")
    ada.wait_for_turn()
    said = ask(ada)
    ada.page.wait_for_selector("#ghost *", state="attached")
    move = said.split()[1].rstrip(".")
    assert ada.page.locator(f"#cell-{move}.picked").count() == 1
    assert {"en": "Places it closes", "fr": "Places supprimées"}[lang] in said
    assert ada.page.evaluate(BOARD_IN_VIEW)
    ada.page.click("#bar .main-button")
    ada.page.wait_for_selector(f"#blocker-{move}")
    assert ada.page.inner_text("#hint") == ""


@everywhere
def test_objecting_is_drawn_and_explained(invite: Invite, site: Site, made: dict[str, Scene], look: Look) -> None:
    ada, lang = invite(*look), look.lang
    visit(ada.page, site, made["objection"])
    ada.wait_for_script()
    ada.wait_for_turn()
    said = ask(ada)
    assert {"en": "in the centre", "fr": "au centre"}[lang] in said
    ada.page.wait_for_selector("#ghost .hundsgemein-cross", state="attached")
    assert ada.page.locator("#bar .main-button").count() == 1
    assert ada.page.evaluate(BOARD_IN_VIEW)
