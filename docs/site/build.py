#!/usr/bin/env python3
"""Build the docs as a site: `scripts/docs`, or this file with any Python that has Sphinx, Furo and MyST.

    docs/site/build.py [FOLDER]     into artefacts/docs unless told otherwise; the site is FOLDER/html

All pages are laid out in FOLDER/pages as they lie in the repository, so that links between files lead to the same
places. What is not a page of the repository is made from what it is about: rules from `words/`, the gallery from the
pictures, the Python interface from docstrings. Then Sphinx builds all of it: a warning is an error, and nothing is
fetched from elsewhere.
"""

import sys
from pathlib import Path

import gallery
import interface
import pages
import rules
from sphinx.cmd.build import build_main

ROOT = Path(__file__).parent.parent.parent


def main(words: list[str]) -> int:
    """Lay out, then build; the status is that of Sphinx."""
    folder = Path(words[0]) if words else ROOT / "artefacts" / "docs"
    source, site = folder / "pages", folder / "html"
    pages.lay_out(source, {**pages.files(ROOT), **rules.files(), **gallery.files(), **interface.files()})
    status = build_main(["-b", "html", "-n", "-W", "--keep-going", "-q", "-j", "2", str(source), str(site)])
    if status == 0:
        sys.stdout.write(f"The site: {(site / 'index.html').resolve()}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
