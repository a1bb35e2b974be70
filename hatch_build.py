"""What the index of packages shows, made from one setting: `address` in `pyproject.toml`.

Links and pictures of the README lead to the files of the released version at that address. Without one there are
no such links: their words stay, and the pictures are left out.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")
PICTURE = re.compile(r'<img src="(?!https?:)([^"]+)"([^>]*)>\n?')


class IndexPage(MetadataHookInterface):
    """The long description and the addresses of a project."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        address, tag = self.config["address"].rstrip("/"), f"v{metadata['version']}"
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, address, tag)}
        metadata["urls"] = urls(address, tag) if address else {}


def readme(text: str, address: str, tag: str) -> str:
    """The README as it is read away from the files around it."""
    if not address:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    linked = LINK.sub(rf"[\1]({address}/blob/{tag}/\2)", text)
    return PICTURE.sub(rf'<img src="{address}/raw/{tag}/\1"\2>\n', linked)


def urls(address: str, tag: str) -> dict[str, str]:
    return {
        "Homepage": address,
        "Documentation": f"{address}/blob/{tag}/docs/README.md",
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
    }
