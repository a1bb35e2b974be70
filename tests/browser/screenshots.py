"""Photographs of every page, by day and by night, in both languages, large and small, and of every game.

    scripts/photographs [NAMES…]

writes artefacts/screenshots/NAME-GAME-LANG-THEME-WIDTH.png, and contact sheets of them to look at.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from browser.conftest import ARGUMENTS, CHROMIUM
from browser.people import Site, scenes, visit
from browser.scenes import Scene

FOLDER = Path(__file__).parent.parent.parent / "artefacts" / "screenshots"
SIZES = ((1280, 800), (360, 740))
ACROSS, WIDE, HIGH = 5, 380, 640  # of a contact sheet


def main(names: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder), longest="7200")
        site.open()
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        try:
            wanted = [scene for scene in scenes(site) if not names or scene.name in names]
            files = list(_photographs(browser, site, wanted))
        finally:
            browser.close()
            site.close()
    for number, start in enumerate(range(0, len(files), 2 * ACROSS)):
        _sheet(files[start : start + 2 * ACROSS]).save(FOLDER / f"sheet-{number:02}.png")
    sys.stdout.write(f"{len(files)} photographs in {FOLDER}\n")


def _photographs(browser: Browser, site: Site, wanted: list[Scene]) -> Iterator[Path]:
    for width, height in SIZES:
        for lang, night in (("en", False), ("en", True), ("fr", False), ("fr", True)):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                locale=lang,
                color_scheme="dark" if night else "light",
                has_touch=width < 600,
                reduced_motion="reduce",
            )
            page = context.new_page()
            for scene in wanted:
                visit(page, site, scene)
                page.wait_for_load_state("networkidle")
                parts = [scene.name, scene.game, lang, "night" if night else "day", str(width)]
                file = FOLDER / f"{'-'.join(part for part in parts if part)}.png"
                page.screenshot(path=file, full_page=True)
                yield file
            context.close()


def _sheet(files: list[Path]) -> Image.Image:
    """Many on one, the tops of those that are long."""
    sheet = Image.new("RGB", (ACROSS * WIDE, -(-len(files) // ACROSS) * HIGH), "#888")
    for number, file in enumerate(files):
        with Image.open(file) as photograph:
            photograph.thumbnail((WIDE - 8, 100_000))
            place = number % ACROSS * WIDE + 4, number // ACROSS * HIGH + 4
            sheet.paste(photograph.crop((0, 0, photograph.width, min(photograph.height, HIGH - 8))), place)
    return sheet


if __name__ == "__main__":
    main(sys.argv[1:])
