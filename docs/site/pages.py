"""The pages of the repository as the site has them, and the order in which its sidebar lists all pages.

`docs/README.md` is the one list of pages: each of its paragraphs, `**Guides**: [one](guides/one.md) · …`, becomes a
part of the sidebar. A page that stands nowhere in it fails the build.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import interface
import rules

import ludotheque
from ludotheque.pictures.output.registry import stylesheet_of_all

LIST = "docs/README.md"
PARAGRAPH = re.compile(r"^\*\*([^*]+)\*\*: (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|<img src=\"([^\"]+)\"")
CODE_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
GENERATED_AFTER = {
    "Concepts": ("Rules and pictures", rules.PAGES),
    "Reference": ("Python interface", interface.PAGES),
}

Files = dict[str, str | Path]
"""By path in the site: a text, or the file that it is a copy of."""


def lay_out(target: Path, files: Mapping[str, str | Path]) -> None:
    """Write what changed and remove what is gone, so that the next build has little to do."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.rglob("*"):
        if old.is_file() and old.relative_to(target).as_posix() not in files:
            old.unlink()
    for name, found in files.items():
        content = found.read_bytes() if isinstance(found, Path) else found.encode()
        path = target / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def files(root: Path) -> Files:
    """All pages, with the files that they show or link to."""
    texts = {path.relative_to(root).as_posix(): _text(path) for path in _pages(root)}
    linked = {path: root / path for name, text in texts.items() for path in _linked(root, name, text)}
    sidebar = _sidebar(texts[LIST])
    made: Files = {
        LIST: texts[LIST].replace("](gallery.html)", "](gallery.md)") + _listed(),
        "index.md": texts.pop("README.md") + "".join(_toctree(title, pages) for title, pages in sidebar),
        "docs/decisions/README.md": texts["docs/decisions/README.md"] + _toctree("", ["0*"], "glob"),
        "conf.py": root / "docs/site/conf.py",
        "static/site.css": root / "docs/site/site.css",
        "static/pictures.css": _stylesheet(),
    }
    return {**linked, **texts, **made}


def _pages(root: Path) -> Iterable[Path]:
    yield from root.glob("*.md")
    yield from (root / "docs").rglob("*.md")
    yield root / "src/ludotheque/web/README.md"


def _text(path: Path) -> str:
    """A page, without the empty lines that end samples: doctest needs them, readers do not."""
    return path.read_text(encoding="utf-8").replace("\n\n```\n", "\n```\n")


def _linked(root: Path, name: str, text: str) -> Iterable[str]:
    """The files of the repository that a page leads to, other pages left out. Sphinx finds those that are missing."""
    for link in LINK.finditer(CODE_BLOCK.sub("", text)):
        path = (root / name).parent / (link[1] or link[2])
        if "://" not in path.name and path.is_file() and path.suffix not in (".md", ".html"):
            yield path.resolve().relative_to(root.resolve()).as_posix()


def _sidebar(text: str) -> Iterable[tuple[str, list[str]]]:
    """The parts of the sidebar: those of the list, and between them what is made."""
    seen = {""}
    yield "", ["docs/README"]
    for title, links in PARAGRAPH.findall(text):
        paths = [_from_docs(path) for path in re.findall(r"\]\(([^)#]+\.md)\)", links)]
        yield title, [path for path in paths if path not in seen]
        seen.update(paths)
        if title in GENERATED_AFTER:
            name, found = GENERATED_AFTER[title]
            yield name, list(found)


def _from_docs(path: str) -> str:
    """A page, named from the root as Sphinx does, that is named from `docs/`."""
    return (
        path.removeprefix("../").removesuffix(".md") if path.startswith("../") else f"docs/{path.removesuffix('.md')}"
    )


def _toctree(title: str, pages: Iterable[str], *flags: str) -> str:
    """A part of the sidebar."""
    options = "".join(f":{flag}:\n" for flag in ("hidden", *flags))
    caption = f":caption: {title}\n" if title else ""
    return f"\n```{{toctree}}\n{options}{caption}\n" + "\n".join(pages) + "\n```\n"


def _stylesheet() -> str:
    """The stylesheets of all pictures, following the theme by the names that this site has for it."""
    css = stylesheet_of_all(box.rules for box in ludotheque.games())
    return css.replace('[data-theme="night"]', '[data-theme="dark"]').replace(
        '[data-theme="day"]', '[data-theme="light"]'
    )


def _listed() -> str:
    """What the list of pages says in the site about the pages that are made for it."""
    return "".join(
        f"\n**{title}**: " + " · ".join(f"[](/{page})" for page in found) + "\n"
        for title, found in GENERATED_AFTER.values()
    )
