"""The gallery of pictures as a page of the site: the drawings of `docs/gallery.html` without its own frame."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "pictures"))
import draw


def files() -> dict[str, str]:
    """The page."""
    shown = "\n".join(f"## {box.name}\n\n{raw(draw.drawings(box))}" for box in draw.boxes())
    text = (
        f"# The gallery\n\n{draw.ABOUT}\n\n{raw(draw.filters())}\n{shown}\n{raw(f'<script>{draw.SCRIPT}</script>')}"
    )
    return {"docs/gallery.md": text}


def raw(html: str) -> str:
    """HTML that goes into the page as it is."""
    return f'```{{raw}} html\n<div class="gallery">{html}</div>\n```\n'
