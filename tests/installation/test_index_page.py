"""What a package index shows: no link and no picture that leads nowhere."""

import re
import runpy
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ADDRESS = "https://example.org/games/ludotheque"
RELATIVE = re.compile(r'\]\((?!https://)[^)]*\)|src="(?!https://)[^"]*"')


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """`hatch_build.py`, with a stand-in for the one class that it needs of hatchling."""
    interface = ModuleType("interface")
    interface.__dict__["MetadataHookInterface"] = object
    for name in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "hatchling.metadata.plugin.interface", interface)
    return runpy.run_path(str(ROOT / "hatch_build.py"))


def made(hook: dict[str, Any], address: str) -> dict[str, Any]:
    """The part of the metadata that is made."""
    page = hook["IndexPage"]()
    page.root, page.config = str(ROOT), {"address": address}
    metadata: dict[str, Any] = {"version": "9.8.7"}
    page.update(metadata)
    return metadata


def test_links_and_pictures_lead_to_the_files_of_the_version(hook: dict[str, Any]) -> None:
    assert RELATIVE.search(README)
    metadata = made(hook, f"{ADDRESS}/")
    text = metadata["readme"]["text"]
    assert not RELATIVE.search(text)
    assert f"[CONTRIBUTING]({ADDRESS}/blob/v9.8.7/CONTRIBUTING.md)" in text
    assert f'<img src="{ADDRESS}/raw/v9.8.7/docs/pictures/hepta.svg" width' in text
    found = re.findall(rf"{ADDRESS}/(?:blob|raw)/v9.8.7/([^)\"#]+)", text)
    assert all((ROOT / name).exists() for name in found)
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} == metadata["urls"].keys()
    assert all(url.startswith(ADDRESS) for url in metadata["urls"].values())


def test_without_an_address_there_are_no_links(hook: dict[str, Any]) -> None:
    metadata = made(hook, "")
    assert not RELATIVE.search(metadata["readme"]["text"])
    assert "To add a game, see CONTRIBUTING." in metadata["readme"]["text"]
    assert metadata["urls"] == {}


def test_the_citation_names_no_version_of_its_own() -> None:
    """There is one place for it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^license: {project['license']}$", text, re.MULTILINE)
    assert "cff-version: 1.2.0" in text
    assert not re.search(r"^(version|date-released):", text, re.MULTILINE)
