"""Pages that are looked at rather than played on: replays, weights, what is there without script."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Browser

from browser.people import Person, Site, visit
from browser.scenes import Scene

Invite = Callable[..., Person]
MAX_PAGE_BYTES, MAX_SCRIPT_BYTES = 150_000, 35_000


@pytest.fixture(scope="module")
def every_scene(made_scenes: list[Scene]) -> dict[tuple[str, str], Scene]:
    return {(scene.name, scene.game): scene for scene in made_scenes}


Scenes = dict[tuple[str, str], Scene]


def test_a_replay_is_stepped_through_in_every_way(invite: Invite, every_scene: Scenes) -> None:
    ada = invite(width=360, height=740)
    ada.go(every_scene["replay", "pizza"].path)
    board, keys = ada.page.locator("#board"), ada.page.keyboard
    last = int(ada.page.get_attribute("#table", "data-last") or 0)
    here = ada.page.locator("#log [aria-current]")
    assert here.get_attribute("id") == f"log-{last}"
    seen = [board.inner_html()]

    def moved_to(step: int) -> None:
        ada.page.wait_for_selector(f"#log-{step}[aria-current]")
        ada.page.wait_for_function("old => document.getElementById('board').innerHTML !== old", arg=seen[-1])
        seen.append(board.inner_html())

    ada.page.click("[data-step=first]")
    moved_to(0)
    keys.press("ArrowRight")  # on the button
    moved_to(1)
    ada.page.focus("#history input")
    keys.press("ArrowRight")
    moved_to(2)
    assert "2." in str(ada.page.get_attribute("#history input", "aria-valuetext"))
    ada.page.click(f"#log-{last - 1} a")
    moved_to(last - 1)
    ada.page.locator(".turns a").first.click()
    moved_to(int(ada.page.locator(".turns a").first.get_attribute("data-turn") or 0) - 1)
    ada.page.click("#curve svg", position={"x": 40, "y": 40})
    assert here.count() == 1
    assert ada.page.locator(".curve-now").count() == 1
    assert all(one != other for one, other in pairwise(seen))
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_replay_runs_like_a_film(invite: Invite, every_scene: Scenes) -> None:
    ada = invite()
    ada.page.clock.install()
    ada.go(every_scene["replay", "hepta"].path + "?step=0")
    ada.page.click("#run")
    assert ada.page.inner_text("#run") == "Pause"
    ada.page.wait_for_function("() => Number(document.querySelector('#log [aria-current]').id.slice(4)) >= 2")
    ada.page.click("#run")
    where = ada.page.input_value("#history input")
    ada.page.wait_for_selector(f"#log-{where}[aria-current]", state="attached")  # its leg may be folded
    ada.page.clock.run_for(10_000)
    assert ada.page.input_value("#history input") == where
    assert ada.page.locator("#log [aria-current]").get_attribute("id") == f"log-{where}"
    assert ada.page.url.endswith(f"?step={where}"), "shared as it is seen"


def test_a_finished_match_is_analysed_while_one_looks(invite: Invite, every_scene: Scenes) -> None:
    ada = invite(lang="fr")
    ada.page.set_default_timeout(400_000)  # what it needs may have to be compiled
    ada.go(every_scene["just-over", "hepta"].path)
    ada.page.click("#to-replay")
    ada.page.wait_for_selector("#progress")
    ada.page.wait_for_selector("#curve polyline >> nth=1")
    assert ada.page.locator(".hopes tbody tr").count() == ada.page.locator("#log li[id]").count()
    assert ada.page.locator("#progress").count() == 0


def test_a_replay_without_script(invite: Invite, every_scene: Scenes) -> None:
    ada = invite(script=False)
    ada.go(every_scene["replay", "tricolore"].path)
    with ada.page.expect_navigation():
        ada.page.click("[data-step=first]")
    start = ada.page.inner_html("#board")
    with ada.page.expect_navigation():
        ada.page.click("[data-step=on]")
    assert ada.page.inner_html("#board") != start
    assert ada.page.locator("#log-1[aria-current]").count() == 1


def test_pages_are_light(chromium: Browser, site: Site, made_scenes: list[Scene]) -> None:
    """Over the wire, compressed, with nothing kept from before: 150 kB in all, 35 kB of script."""
    looked = [scene for scene in made_scenes if not scene.body]  # those are made in the tests, not loaded
    assert {"shelf", "game", "lesson", "mine", "waiting", "table", "puzzle", "replay", "over"} <= {
        scene.name for scene in looked
    }
    heavy = []
    for scene in looked:
        total, script = weights(chromium, site, scene)
        if total > MAX_PAGE_BYTES or script > MAX_SCRIPT_BYTES:
            heavy.append(f"{scene.name} {scene.game}: {total} bytes, {script} of script")
    assert not heavy, "\n".join(heavy)


def weights(chromium: Browser, site: Site, scene: Scene) -> tuple[int, int]:
    """What is sent to a new visitor who opens the page: the bytes in all, and those of scripts."""
    page = chromium.new_page()
    visit(page, site, scene)
    page.wait_for_load_state("networkidle")
    sent = page.evaluate("performance.getEntries().map((each) => [each.name, each.transferSize ?? 0])")
    page.close()
    sizes = {address: size for address, size in sent if address.startswith("http")}
    assert any(".css" in address and size for address, size in sizes.items()), scene
    return sum(sizes.values()), sum(size for address, size in sizes.items() if ".js" in address)
