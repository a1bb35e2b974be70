"""Films of whole games: somebody who does not know the game plays it to its end against the computer, by real clicks.

    scripts/films --to FOLDER [--size 360x740] [--lang fr] [--night] [--first] [--frames 400] [GAMES…]

photographs every scene that is told and every decision, and writes contact sheets, a few numbered frames in a row:
FOLDER/GAME-LANG-THEME-WIDTH-NN.png.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Error, sync_playwright

from browser.conftest import ARGUMENTS, CHROMIUM
from browser.people import Person, Site

TITLES = {"pizza": 3, "tricolore": 3, "hundsgemein": 3, "hepta": 2, "tfortwo": 2, "pegs": 2}  # and how many play
PUZZLES = ["tetrods", "hepta-solo", "pegs-solo"]
SHEET_WIDTH, LINE, MARGIN = 1472, 16, 8  # of a contact sheet, of the line above each frame, and around it
SHRUNK = {True: 1.0, False: 0.56}  # how large the frames of a narrow screen are shown, and of a wide one
STEP_MS, SETTLED_MS = 40, 480  # between looks at the page; after which nothing moves any more
STILL = 1500  # looks without a change, after which the game does not go on

# What makes a new frame: whatever the page says, and whatever can be touched or was picked.
SHOWN = """() => [
  ...["#todo", "#happened", "#bar", "#said", ".tip:not([hidden])", "#mistake"].map(
    (part) => document.querySelector(part)?.innerText.trim() ?? ""),
  document.querySelector("#status").dataset.version,
  document.querySelectorAll("#board .picked").length,
].join("|")"""
TELLING = "() => document.querySelector('#story:not([hidden]) [data-go-on]') !== null"
READY = "() => document.querySelector('#board .lit, #bar button, #after') !== null"


@dataclass
class Film:
    person: Person
    most: int
    frames: list[tuple[str, Image.Image]] = field(default_factory=list)
    shown: str = ""

    def look(self, name: str) -> bool:
        """Photograph the page if it says anything new, as soon as nothing moves; whether it does."""
        page = self.person.page
        if page.evaluate(SHOWN) == self.shown or len(self.frames) >= self.most:
            return False
        page.wait_for_timeout(SETTLED_MS)
        self.shown = page.evaluate(SHOWN)
        photograph = Image.open(BytesIO(page.screenshot())).convert("RGB")
        self.frames.append((f"{len(self.frames) + 1} {name}", photograph))
        return True

    def wait(self) -> None:
        """Look at each scene of the story, and go on by its button, until there is something to decide."""
        page = self.person.page
        for _ in range(STILL):
            if page.evaluate(TELLING):
                self.look("told")
                try:
                    page.click("[data-go-on]", timeout=500)
                except Error:  # it went on by itself
                    continue
            elif page.evaluate(READY):
                return
            page.wait_for_timeout(STEP_MS)
        raise AssertionError("the game does not go on")

    def decide(self, chance: random.Random) -> None:
        """One step of a decision: what the bar offers first, or anything that is lit."""
        page = self.person.page
        if page.locator("#bar .main-button").count():
            page.locator("#bar .main-button").click()
        elif page.locator(".board .lit").count():
            self.person.touch(chance.randrange(page.locator(".board .lit").count()))
        else:
            page.locator("#bar button").first.click()
        page.wait_for_timeout(STEP_MS)

    def play(self) -> None:
        chance = random.Random(len(self.person.site.address))
        self.wait()
        while not self.person.over and len(self.frames) < self.most:
            self.look("decide")
            try:
                self.decide(chance)
            except Error:  # the page changed under the hand
                continue
            self.wait()
        self.look("end")

    def solve(self) -> None:
        """Try a piece, ask all kinds of hints, and have the rest laid."""
        page = self.person.page
        self.look("start")
        for _ in range(2):
            self.person.touch(3)
            self.look("touched")
        page.keyboard.press("Escape")
        for hint in ("where", "why", "check"):
            page.locator(f"[name=do][value={hint}]").click()
            page.wait_for_load_state("networkidle")
            self.look(hint)
        while page.locator("[name=do][value=lay]").count():
            version = self.person.version
            page.locator("[name=do][value=lay]").click()
            self.person.wait_for_change(version)
            self.look("lay")
        page.evaluate("window.scrollTo(0, 0)")
        self.shown = ""  # the page says nothing new, but elsewhere
        self.look("end")

    def sheets(self) -> Iterator[Image.Image]:
        width, height = self.frames[0][1].size
        scale = SHRUNK[width < 600]
        width, height = round(width * scale), round(height * scale)
        across = SHEET_WIDTH // (width + MARGIN)
        rows = max(1, 900 // height)
        for start in range(0, len(self.frames), across * rows):
            sheet = Image.new("RGB", (across * (width + MARGIN), rows * (height + LINE)), "#777")
            drawing = ImageDraw.Draw(sheet)
            for number, (name, frame) in enumerate(self.frames[start : start + across * rows]):
                x, y = number % across * (width + MARGIN), number // across * (height + LINE)
                drawing.text((x + 4, y + 2), name, fill="#fff")
                sheet.paste(frame.resize((width, height)), (x, y + LINE))
            yield sheet


def film(browser: Browser, site: Site, game: str, told: argparse.Namespace) -> Film:
    width, height = (int(number) for number in told.size.split("x"))
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=told.lang,
        color_scheme="dark" if told.night else "light",
        has_touch=width < 600,
    )
    person = Person(context.new_page(), site, hurried=False)
    made = Film(person, told.frames)
    if game in PUZZLES:
        person.go(f"/puzzles/{game}")
        person.page.locator(f"a[href^='/puzzles/{game}/']").first.click()
        person.page.wait_for_selector("#board svg")
        made.solve()
    else:
        address = person.set_table(game, "computer", TITLES[game])
        if told.first:
            person.page.goto(f"{address}?first")
        made.play()
    context.close()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAMES", help=", ".join([*TITLES, *PUZZLES]))
    parser.add_argument("--to", type=Path, required=True, help="the folder of the contact sheets")
    parser.add_argument("--size", default="360x740")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--night", action="store_true")
    parser.add_argument("--first", action="store_true", help="with the tips of a first game")
    parser.add_argument("--frames", type=int, default=400, help="stop after so many")
    told = parser.parse_args()
    told.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.open()
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        try:
            for game in told.games or [*TITLES, *PUZZLES]:
                made = film(browser, site, game, told)
                name = f"{game}-{told.lang}-{'night' if told.night else 'day'}-{told.size.split('x')[0]}"
                for number, sheet in enumerate(made.sheets()):
                    sheet.save(told.to / f"{name}-{number:02}.png")
                sys.stdout.write(f"{game}: {len(made.frames)} frames, {made.person.troubles or 'no errors'}\n")
                sys.stdout.flush()
        finally:
            browser.close()
            site.close()


if __name__ == "__main__":
    main()
