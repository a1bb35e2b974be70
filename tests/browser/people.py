"""A site to visit, and people with browsers."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Error, Page

from browser.scenes import Scene
from services import new_database, new_redis
from waiting import TIMEOUT_S

LONGEST = "7200"  # seconds after which a server ends by itself, whatever becomes of the tests
CLICK_TIMEOUT_MS = 2000  # then it is looked whether there still is a button
LOOK_EVERY_MS = 30
LARGE, SMALL = (1280, 800), (360, 740)


class Look(NamedTuple):
    """The screen and the language of somebody who comes: `invite(*look)`."""

    width: int
    height: int
    lang: str

    def __str__(self) -> str:
        return f"{self.width}-{self.lang}"


AT_A_DESK, ON_A_TELEPHONE = Look(*LARGE, "en"), Look(*SMALL, "fr")
# Both sizes and both languages in two visits; where words need room, the small screen in both languages.
everywhere = pytest.mark.parametrize("look", [AT_A_DESK, ON_A_TELEPHONE], ids=str)
wherever_words_fit = pytest.mark.parametrize("look", [AT_A_DESK, ON_A_TELEPHONE, Look(*SMALL, "en")], ids=str)
both_sizes = pytest.mark.parametrize("size", [LARGE, SMALL], ids=str)


@dataclass
class Site:
    """A server with a folder of its own, which can be closed and opened again at the same address."""

    folder: Path
    port: int = 0
    longest: str = LONGEST
    process: "subprocess.Popen[str] | None" = None
    worker: "subprocess.Popen[str] | None" = None
    address: str = ""

    @cached_property
    def environment(self) -> dict[str, str]:
        """What its programs are told: where there is a PostgreSQL (`--services`), to use rooms of their own."""
        told = os.environ | {
            "LUDOTHEQUE_DATA": str(self.folder),
            "PROMETHEUS_MULTIPROC_DIR": str(self.folder / "metrics"),
            "LUDOTHEQUE_LOG": "ERROR",
            "LUDOTHEQUE_LIMITS": "off",  # robots hurry
            "LUDOTHEQUE_WARM_UP": "0",  # the tests need the machine
            "LUDOTHEQUE_PACE": "0.1",
            "DJANGO_SETTINGS_MODULE": "ludotheque.web.settings",
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]),
        }
        if "DATABASE_URL" in os.environ:
            told["DATABASE_URL"] = new_database(os.environ["DATABASE_URL"])
            told["REDIS_URL"] = new_redis(os.environ["REDIS_URL"])
        return told

    def open(self) -> None:
        self.process = self._start("serve", "--port", str(self.port))
        if "REDIS_URL" in self.environment:
            self.worker = self._start("work")
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://\S+:(\d+)", line):
                self.address, self.port = found[0], int(found[1])
                return
        raise RuntimeError("the server did not open")

    def _start(self, *words: str) -> "subprocess.Popen[str]":
        command = ["timeout", "-k", "5", self.longest, sys.executable, "-m", "ludotheque.cli", *words]
        return subprocess.Popen(  # noqa: S603 - our own server
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def close(self) -> None:
        for process in (self.process, self.worker):
            if process is not None:
                process.terminate()
                process.wait(TIMEOUT_S)
                if process.stdout is not None:
                    process.stdout.close()
        self.process = self.worker = None


def scenes(site: Site) -> list[Scene]:
    """Everything there is to see, made ready in this site."""
    command = [sys.executable, "-m", "browser.scenes"]
    made = subprocess.run(command, env=site.environment, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return [Scene(**scene) for scene in json.loads(made.stdout)]


def visit(page: Page, site: Site, scene: Scene) -> None:
    """Open the page as whoever may see it."""
    page.context.clear_cookies()
    if scene.cookie:
        page.context.add_cookies([{"name": "visitor", "value": scene.cookie, "url": site.address}])
    if scene.body:
        page.route(
            site.address + scene.path,
            lambda route: route.fulfill(body=scene.body, content_type="text/html; charset=utf-8"),
            times=1,
        )
    page.goto(site.address + scene.path)


@dataclass
class Person:
    """Someone with a browser of their own; everything it receives is kept."""

    page: Page
    site: Site
    hurried: bool = True  # goes on at once wherever the page holds a story, as somebody does who knows the game
    heard: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(1000 * TIMEOUT_S)
        self.page.on(
            "console", lambda message: self.troubles.append(message.text) if message.type == "error" else None
        )
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda frame: self.heard.append(str(frame))),
        )
        self.page.on("response", lambda response: self.heard.append(response.url))
        if self.hurried:
            self.page.add_init_script(GO_ON)

    def go(self, path: str) -> None:
        self.page.goto(self.site.address + path)

    def set_table(self, game: str, way: str = "link", seats: int | None = None, **options: str) -> str:
        """Set a table and sit at its first seat; its address."""
        self.go(f"/games/{game}")
        if self.page.locator(f".setup [name=way][value={way}]").count():
            self.page.check(f".setup [name=way][value={way}]")
        if seats and self.page.locator("[name=seats]").count():
            self.page.select_option("[name=seats]", str(seats))
        if self.page.locator("[name=seat]").count():
            self.page.select_option("[name=seat]", "0")
        self.page.fill(".setup [name=name-0]", "Ada")
        for name, value in options.items():
            self.page.eval_on_selector(f"[name=option-{name}]", "(field, value) => field.value = value", value)
        self.page.click(".setup .main-button")
        self.page.wait_for_selector("#board svg")
        self.wait_for_script()
        return self.page.url

    def join(self, address: str, name: str) -> None:
        self.page.goto(address)
        self.page.locator(".sit input[name=name]").first.fill(name)
        self.page.locator(".sit button").first.click()
        self.page.wait_for_selector(".place.mine")
        self.wait_for_script()

    def wait_for_script(self) -> None:
        """Until the table answers to hands: at first its script takes the proofs out of the forms of the page."""
        self.page.wait_for_selector("#table [name=csrfmiddlewaretoken]", state="detached")

    def wait_for_turn(self) -> None:
        self.page.wait_for_selector(".board .lit, #bar button")

    def take_turn(self, *, by_keyboard: bool = False) -> None:
        """Wait for one's turn; where a screen is shared and has to be handed over, take it first."""
        self.page.wait_for_selector(".board .lit, #bar button, #handover a")
        if self.page.locator("#handover a").count():
            if by_keyboard:
                self.page.press("#handover a", "Enter")
            else:
                self.page.click("#handover a")
        self.wait_for_turn()

    def tab_to_board(self) -> None:
        """By keyboard from the top of the page to what can be chosen."""
        self.page.focus(".brand")
        for _ in range(20):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("document.activeElement.closest('.lit, #bar') !== null"):
                return
        raise AssertionError("the board cannot be reached by keyboard")

    @property
    def over(self) -> bool:
        return self.page.locator("#after").count() > 0

    def touch(self, number: int = 0) -> str:
        """Click one of the lit elements where it can really be touched; its id."""
        spot = self.page.evaluate(TOUCHABLE, number)
        assert spot, "nothing lit can be touched"
        self.page.mouse.click(spot["x"], spot["y"])
        return str(spot["id"])

    @property
    def version(self) -> str:
        return str(self.page.get_attribute("#status", "data-version"))

    def wait_for_change(self, version: str) -> None:
        self.page.wait_for_selector(f'#status:not([data-version="{version}"])')

    def press_bar(self) -> None:
        """Press what the bar offers, unless that goes away first: then the move was stored meanwhile."""
        button = self.page.locator("#bar button").first
        while button.count():
            with suppress(Error):
                button.click(timeout=CLICK_TIMEOUT_MS)
                return

    def until(self, true: Callable[[], bool], what: str) -> None:
        """Wait until something is true, while browsers go on; fails with `what` was waited for."""
        deadline = time.monotonic() + TIMEOUT_S
        while not true():
            assert time.monotonic() < deadline, what
            self.page.wait_for_timeout(LOOK_EVERY_MS)

    def play_something(self, number: int = 0) -> None:
        """One whole move by mouse: touch what is lit, and press what the bar offers, until the move is made."""
        self.wait_for_turn()
        before = self.version
        for _ in range(8):
            if self.page.locator("#bar .main-button").count():
                self.page.locator("#bar .main-button").click()
            elif self.page.locator(".board .lit").count():
                self.touch(number)
            else:
                self.press_bar()
            if not self.page.locator(".board .lit, #bar button").count() or self.version != before:
                self.wait_for_change(before)
                return
        raise AssertionError(f"touching does not lead to a move: {self.page.inner_text('#mistake')}")


GO_ON = """(() => {
  const goOn = () => document.querySelector("#story:not([hidden]) [data-go-on]")?.click();
  addEventListener("DOMContentLoaded", () => {
    const story = document.querySelector("#story");
    const all = { subtree: true, childList: true, attributes: true };
    if (story) new MutationObserver(goOn).observe(story.parentNode, all);
    const answer = document.querySelector("#answer");  // of a lesson: its story begins when the moves are gone
    const told = () => document.querySelector("#by-words") || answer.matches(".right");
    const tapBoard = () => told() || document.querySelector("#board").click();
    if (answer) new MutationObserver(tapBoard).observe(document.querySelector("main"), all);
  });
})()"""
TOUCHABLE = """number => {
  const lit = [...document.querySelectorAll('.board .lit')];
  for (let i = 0; i < lit.length; i++) {
    const element = lit[(number + i) % lit.length];
    element.scrollIntoView({ block: 'nearest' });
    const box = element.getBoundingClientRect();
    for (const fy of [.5, .3, .7, .1, .9, .02, .98]) for (const fx of [.5, .3, .7, .1, .9, .02, .98]) {
      const x = box.x + box.width * fx, y = box.y + box.height * fy;
      const first = document.elementsFromPoint(x, y).map((part) => part.closest('.lit')).find(Boolean);
      if (first === element) return { x, y, id: element.id };
    }
  }
  return null;
}"""
