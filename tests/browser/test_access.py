"""Every page of every game, large and small, by day and by night, checked by axe against WCAG 2.2 AA."""

import os
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

import example
from browser.conftest import scenes_of, with_scenes
from browser.people import LARGE, SMALL, Look, Person, Site, everywhere, visit
from browser.scenes import Scene
from browser.test_hand import PUZZLES, touch
from browser.test_hints import ask
from browser.test_puzzle_hints import mark, press

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ALL = {"type": "tag", "values": TAGS}
COLOURS = {"type": "rule", "values": ["color-contrast"]}
LOOKS = [(LARGE, "light", ALL), (LARGE, "dark", COLOURS), (SMALL, "dark", ALL), (SMALL, "light", COLOURS)]
SEEN = LOOKS[:1] if "DATABASE_URL" in os.environ else LOOKS  # another database changes no colours
ALIKE = [f"{many}:nth-child(n + 25)" for many in (".log li", ".all-moves button", ".hopes tr")]  # long lists
OPEN = "document.querySelectorAll('details').forEach((details) => (details.open = true))"
RUN = """([where, rules]) => axe.run(where, { resultTypes: ["violations"], runOnly: rules })"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """With the example's game on the shelf."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in example.installed(tmp_path_factory.mktemp("example")).items():
            patch.setenv(name, value)
        made = Site(with_scenes(tmp_path_factory, "site-with-example"))
        made.open()
    yield made
    made.close()


@pytest.fixture(scope="module")
def every_scene(site: Site) -> list[Scene]:
    found = scenes_of(site)
    assert {"nim", "pizza", "tetrods"} <= {scene.game for scene in found}
    return found


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nothing_stands_in_anyones_way(chromium: Browser, site: Site, every_scene: list[Scene], lang: str) -> None:
    """Half of the pages in each language; all at once, so that one run tells everything there is to mend."""
    context = chromium.new_context(locale=lang, reduced_motion="reduce")
    page = context.new_page()
    wrong = []
    for scene in every_scene[lang == "fr" :: 2]:
        visit(page, site, scene)
        page.evaluate(OPEN)
        page.evaluate(AXE_SCRIPT)
        wrong += [f"{scene.name} {scene.game}: {what}" for what in _wrong(page)]
    context.close()
    assert not wrong, "\n".join(wrong)


def _wrong(page: Page) -> Iterator[str]:
    """What is wrong with a page, in all its looks without loading it again."""
    for (width, height), theme, rules in SEEN:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            yield f"{width} {theme}: wider than the screen"
        yield from (f"{width} {theme}: {what}" for what in _found(page, {"exclude": ALIKE}, rules))


def _found(page: Page, where: object, rules: object) -> list[str]:
    response: dict[str, Any] = page.evaluate(RUN, [where, rules])
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in response["violations"]
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("kind", ["table", "puzzle"])
def test_the_list_of_keys_is_readable(chromium: Browser, site: Site, every_scene: list[Scene], kind: str) -> None:
    page = chromium.new_context(viewport={"width": 360, "height": 740}).new_page()
    visit(page, site, next(scene for scene in every_scene if scene.name == kind))
    page.click("[data-keys]")
    page.evaluate(AXE_SCRIPT)
    assert _found(page, "#keys", ALL) == []
    assert page.locator("#keys li").count() >= 6
    page.keyboard.press("Escape")
    assert page.locator("#keys").is_hidden()
    page.context.close()


# What only comes up when somebody does something

Visit: TypeAlias = "Callable[[str, str], None]"
STOP_STORY = """() => new MutationObserver(() => {
  if (document.hidden || document.querySelector('#story').hidden) return;
  Object.defineProperty(document, 'hidden', { value: true });
  document.dispatchEvent(new Event('visibilitychange'));
}).observe(document.querySelector('#story'), { attributes: true })"""


def refused(ada: Person, _visit: Visit) -> str:
    ada.go(PUZZLES["tetrods"])
    ada.wait_for_turn()
    touch(ada, "tray-L1")
    touch(ada, "cell-d4")
    return ".reason:not(:empty)"


def ghost_and_bar(ada: Person, _visit: Visit) -> str:
    ada.go(PUZZLES["hepta-solo"])
    ada.wait_for_turn()
    touch(ada, "tray-I")
    touch(ada, "cell-e6")
    ada.page.wait_for_selector("#bar .main-button")
    return "#ghost > *"


def pencil(ada: Person, _visit: Visit) -> str:
    ada.go(PUZZLES["tetrods"])
    ada.page.click("#pencil")
    mark(ada, "cell-d3")
    touch(ada, "tray-L3")
    mark(ada, "cell-a2")
    return "#board .pencil-piece"


def deduction(ada: Person, _visit: Visit) -> str:
    ada.go(PUZZLES["tetrods"])
    press(ada, "why")
    ada.page.click("#steps summary")
    return "#steps li"


def hint(ada: Person, look_at: Visit) -> str:
    look_at("objection", "hundsgemein")
    ada.wait_for_script()
    ada.wait_for_turn()
    ask(ada)
    return "#hint:not(:empty)"


def tip(ada: Person, look_at: Visit) -> str:
    look_at("table", "pizza")
    ada.page.goto(f"{ada.page.url}?first")
    return "#tip:not([hidden])"


def story(ada: Person, look_at: Visit) -> str:
    """It stands still: what nobody sees is not told."""
    look_at("settled", "pizza")
    ada.page.emulate_media(reduced_motion="reduce")
    ada.wait_for_script()
    ada.page.evaluate(STOP_STORY)
    ada.page.click("#again")
    return "#story:not([hidden])"


def turning_point(ada: Person, look_at: Visit) -> str:
    look_at("replay", "pizza")
    number = ada.page.locator(".turns [data-turn]").first.get_attribute("data-turn")
    ada.page.goto(f"{ada.page.url.partition('?')[0]}?turn={number}")
    return ".compared"


def put_away(ada: Person, look_at: Visit) -> str:
    look_at("mine-finished", "")
    ada.page.locator("[value=put-away]").first.click()
    return "#note button"


STATES = [refused, ghost_and_bar, pencil, deduction, hint, tip, story, turning_point, put_away]


@everywhere
@pytest.mark.parametrize("drive", STATES, ids=lambda drive: drive.__name__)
def test_nothing_that_comes_up_stands_in_the_way(
    invite: Callable[..., Person],
    site: Site,
    every_scene: list[Scene],
    drive: Callable[[Person, Visit], str],
    look: Look,
) -> None:
    """On either screen, by day and by night."""
    ada = invite(*look, hurried=False)

    def look_at(name: str, game: str) -> None:
        visit(ada.page, site, next(scene for scene in every_scene if (scene.name, scene.game) == (name, game)))

    state = drive(ada, look_at)
    ada.page.wait_for_selector(state, state="attached")
    ada.page.evaluate(AXE_SCRIPT)
    wrong = []
    for theme in ("light", "dark"):
        ada.page.emulate_media(color_scheme=theme)
        wrong += [f"{theme}: {what}" for what in _found(ada.page, {"exclude": ALIKE}, ALL)]
    assert ada.page.locator(state).count(), "still there"
    assert not wrong, "\n".join(wrong)
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= look.width
