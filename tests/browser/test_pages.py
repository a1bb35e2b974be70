"""Pages that are looked at rather than played on: replays, weights, what is there without script."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from browser.people import Person, Site, scenes
from browser.scenes import Scene

Invite = Callable[..., Person]


@pytest.fixture(scope="module")
def every_scene(site: Site) -> dict[tuple[str, str], Scene]:
    return {(scene.name, scene.game): scene for scene in scenes(site)}


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
    moved_to(int(ada.page.locator(".turns a").first.get_attribute("data-go") or -1))
    ada.page.click("#curve svg", position={"x": 40, "y": 40})
    assert here.count() == 1
    assert ada.page.locator(".curve-now").count() == 1
    assert all(one != other for one, other in pairwise(seen))
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_replay_runs_like_a_film(invite: Invite, every_scene: Scenes) -> None:
    ada = invite()
    ada.go(every_scene["replay", "hepta"].path + "?step=0")
    ada.page.click("#run")
    assert ada.page.inner_text("#run") == "Pause"
    ada.page.wait_for_function("() => Number(document.querySelector('#log [aria-current]').id.slice(4)) >= 2")
    ada.page.click("#run")
    where = ada.page.locator("#log [aria-current]").get_attribute("id")
    ada.page.wait_for_timeout(1500)
    assert ada.page.locator("#log [aria-current]").get_attribute("id") == where
    assert ada.page.url.endswith(f"?step={str(where).removeprefix('log-')}"), "shared as it is seen"


def test_a_finished_match_is_analysed_while_one_looks(invite: Invite, every_scene: Scenes) -> None:
    ada = invite(lang="fr")
    ada.page.set_default_timeout(400_000)  # what it needs may have to be compiled
    ada.go(every_scene["just-over", "hepta"].path)
    ada.page.click("#to-replay")
    ada.page.wait_for_selector("#progress")
    ada.page.wait_for_selector("#curve polyline >> nth=1")
    assert ada.page.locator(".hopes tbody tr").count() == ada.page.locator("#log li").count()
    assert ada.page.locator("#progress").count() == 0


def test_a_replay_without_script(invite: Invite, every_scene: Scenes) -> None:
    ada = invite(script=False)
    ada.go(every_scene["replay", "tricolore"].path)
    ada.page.click("[data-step=first]")
    start = ada.page.inner_html("#board")
    ada.page.click("[data-step=on]")
    assert ada.page.inner_html("#board") != start
    assert ada.page.locator("#log-1[aria-current]").count() == 1


def test_pages_are_light(invite: Invite, every_scene: Scenes) -> None:
    """Over the wire, compressed, with nothing kept from before: 150 kB in all, 30 kB of script."""
    for (name, game), scene in every_scene.items():
        if name not in ("table", "puzzle"):
            continue
        ada = invite()
        if scene.cookie:
            ada.page.context.add_cookies([{"name": "visitor", "value": scene.cookie, "url": ada.site.address}])
        ada.go(scene.path)
        ada.page.wait_for_load_state("networkidle")
        sent = ada.page.evaluate("performance.getEntries().map((each) => [each.name, each.transferSize ?? 0])")
        total = sum(size for _, size in sent)
        script = sum(size for address, size in sent if ".js" in address)
        assert len(sent) > 5
        assert total < 150_000, f"{name} {game}: {total}"
        assert script < 30_000, f"{name} {game}: {script}"
