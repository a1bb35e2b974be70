"""An analysis one can touch: turning points on the board, and playing on from any position."""

from collections.abc import Callable

import pytest

import ludotheque
from browser.people import Look, Person, Site, everywhere, visit
from browser.scenes import Scene
from browser.test_hints import BOARD_IN_VIEW

Invite = Callable[..., Person]
DUELS = [box.key for box in ludotheque.games() if max(box.seats) > 1]


@pytest.fixture(scope="module")
def replays(made_scenes: list[Scene]) -> dict[str, Scene]:
    return {scene.game: scene for scene in made_scenes if scene.name == "replay"}


@everywhere
@pytest.mark.parametrize("key", DUELS)
def test_a_turning_point_comes_into_view_with_both_moves(
    invite: Invite, site: Site, replays: dict[str, Scene], key: str, look: Look
) -> None:
    ada = invite(*look)
    visit(ada.page, site, replays[key])
    turns = ada.page.locator(".turns a")
    turn = next(each for each in turns.all() if each.get_attribute("data-better"))
    turn.scroll_into_view_if_needed()
    turn.click()
    ada.page.wait_for_selector("#board .ghost.played", state="attached")
    assert ada.page.locator("#board .ghost.better").count() == 1
    assert ada.page.evaluate(BOARD_IN_VIEW)
    assert ada.page.evaluate("document.activeElement.id") == "board"
    assert ada.page.inner_text("#compared .played") == turn.get_attribute("data-played")
    assert ada.page.inner_text("#compared .better") == turn.get_attribute("data-better")
    ada.page.reload()
    assert ada.page.locator("#board .ghost").count() == 2, "the address leads here"
    ada.page.click("#history [data-step=on]")
    ada.page.wait_for_selector("#board .ghost", state="detached")
    assert not ada.page.is_visible("#compared")


@everywhere
def test_playing_on_begins_a_game(invite: Invite, site: Site, replays: dict[str, Scene], look: Look) -> None:
    ada = invite(*look)
    visit(ada.page, site, replays["tricolore"])
    assert ada.page.is_disabled("#play-on button") == (ada.page.locator(".winner").count() > 0)
    for _ in range(3):
        ada.page.click("#history [data-step=back]")
    step = int(ada.page.input_value("#play-on [name=step]"))
    line, names = ada.page.inner_text(f"#log-{step + 1}"), ada.page.locator("#play-on [name=seat] option")
    mover = next(name for name in names.all_inner_texts() if name in line)
    ada.page.select_option("#play-on [name=seat]", label=mover)
    ada.page.select_option("#play-on [name=level]", "1")
    ada.page.click("#play-on button")
    ada.page.wait_for_selector("#acts", state="attached")
    ada.wait_for_script()
    ada.wait_for_turn()
    assert ada.page.locator("#log li").count() == step
    ada.play_something()
    assert ada.page.locator("#log li").count() > step
