"""Every page of every game, large and small, by day and by night, checked by axe against WCAG 2.2 AA."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

import example
from browser.people import Site, scenes, visit
from browser.scenes import Scene

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ALL = {"type": "tag", "values": TAGS}
COLOURS = {"type": "rule", "values": ["color-contrast"]}
LARGE, SMALL = (1280, 800), (360, 740)
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
        made = Site(tmp_path_factory.mktemp("house"))
        made.open()
    yield made
    made.close()


@pytest.fixture(scope="module")
def every_scene(site: Site) -> list[Scene]:
    found = scenes(site)
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
