"""A real server on this machine alone, and real Chromiums that visit it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from browser.people import Person, Site, scenes
from browser.scenes import Scene
from waiting import TIMEOUT_S

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--mute-audio",
    "--disable-features=LocalNetworkAccessChecks",  # pages that pass through a test are from nowhere
]


expect.set_options(timeout=1000 * TIMEOUT_S)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM.exists():
                item.add_marker(pytest.mark.skip(reason=f"needs Chromium at {CHROMIUM}, or CHROMIUM set to one"))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of all tests of a process: visitors are new in each test, so that tests do not meet."""
    yield from opened(tmp_path_factory.mktemp("site"))


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A site of one test alone: `invite(site=own_site)`. Named before `invite`, it is closed last."""
    yield from opened(tmp_path)


def opened(folder: Path) -> Iterator[Site]:
    made = Site(folder)
    made.open()
    yield made
    made.close()


@pytest.fixture(scope="session")
def made_scenes(site: Site) -> list[Scene]:
    return scenes(site)


@pytest.fixture(scope="module")  # not longer: tests elsewhere refuse to run beside the event loop of Playwright
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def invite(site: Site, chromium: Browser) -> Iterator[Callable[..., Person]]:
    """People who come: `invite(width=360, lang="fr")`. None of them may see an error."""
    people: list[Person] = []

    def come(
        width: int = 1280,
        height: int = 800,
        lang: str = "en",
        *,
        night: bool = False,
        script: bool = True,
        hurried: bool = True,
        site: Site = site,
    ) -> Person:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            locale=lang,
            color_scheme="dark" if night else "light",
            has_touch=width < 600,
            java_script_enabled=script,
        )
        people.append(Person(context.new_page(), site, hurried))
        return people[-1]

    yield come
    for person in people:
        person.page.context.close()
    assert [trouble for person in people for trouble in person.troubles] == []
