"""A real server on this machine alone, and real Chromiums that visit it."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from browser.people import Person, Site, scenes
from browser.scenes import Scene
from waiting import TIMEOUT_S

SCENES = "scenes.json"
SHARES_SCENES = "DATABASE_URL" not in os.environ  # without one all data are in the folder of a site
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
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of all tests of a process: visitors are new in each test, so that tests do not meet.

    It has all scenes in it if any test looks at them.
    """
    looked_at = any("made_scenes" in item.fixturenames for item in request.session.items)  # type: ignore[attr-defined]  # of functions
    yield from opened(with_scenes(tmp_path_factory, "site") if looked_at else tmp_path_factory.mktemp("site"))


def with_scenes(tmp_path_factory: pytest.TempPathFactory, name: str) -> Path:
    """The folder of a site with all scenes: a copy of one that is made once for all processes of the tests.

    Making it takes half a minute. A site whose data are not in its folder makes its own scenes.
    """
    folder = tmp_path_factory.mktemp(name)
    if SHARES_SCENES:
        shared = tmp_path_factory.getbasetemp()
        if "PYTEST_XDIST_WORKER" in os.environ:
            shared = shared.parent
        original = shared / f"{name}-with-scenes"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (original / SCENES).exists():
                for made in opened(original):
                    found = json.dumps([asdict(scene) for scene in scenes(made)])
                (original / SCENES).write_text(found)
        shutil.copytree(original, folder, dirs_exist_ok=True)
    return folder


def scenes_of(site: Site) -> list[Scene]:
    """The scenes of a site whose folder is `with_scenes`."""
    if not SHARES_SCENES:
        return scenes(site)
    return [Scene(**scene) for scene in json.loads((site.folder / SCENES).read_text())]


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
    return scenes_of(site)


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
