"""Every page by day and by night, checked by axe against WCAG 2.2 AA."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from browser.people import House, scenes
from browser.scenes import Scene

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}

SOME = ("hundsgemein", "pegs", "pizza", "tetrods")


@pytest.fixture(scope="module")
def every_scene(house: House) -> list[Scene]:
    """All pages; those that every game has, for some games that differ in kind."""
    return [scene for scene in scenes(house) if not scene.game or scene.game in SOME]


@pytest.mark.parametrize(("night", "width"), [(False, 1280), (True, 360)])
def test_nothing_stands_in_anyones_way(
    chromium: Browser, house: House, every_scene: list[Scene], night: bool, width: int
) -> None:
    """All at once, so that one run tells everything there is to mend."""
    wrong = []
    for lang in ("en", "fr"):
        context = chromium.new_context(
            viewport={"width": width, "height": 800},
            locale=lang,
            color_scheme="dark" if night else "light",
            reduced_motion="reduce",
        )
        page, axe = context.new_page(), Axe()
        for scene in every_scene[lang == "fr" :: 2]:  # half of them in each language
            context.clear_cookies()
            if scene.cookie:
                context.add_cookies([{"name": "visitor", "value": scene.cookie, "url": house.address}])
            page.goto(house.address + scene.path)
            page.evaluate("document.querySelectorAll('details').forEach((element) => (element.open = true))")
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wrong.append(f"{scene.name} {scene.game} {lang}: wider than the screen")
            wrong += [
                f"{scene.name} {scene.game} {lang}: {each['id']}: {node['target']} {node['failureSummary']}"
                for each in axe.run(page, options=RULES).response["violations"]
                for node in each["nodes"]
            ]
        context.close()
    assert not wrong, "\n".join(wrong)
