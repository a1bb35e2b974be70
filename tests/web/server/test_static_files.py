"""Static files as they are sent."""

import re
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.test import override_settings

SOURCES = Path(__file__).parents[3] / "src/ludotheque/web/static/web"


@pytest.fixture
def collected(tmp_path: Path) -> Path:
    storages = {"staticfiles": {"BACKEND": "ludotheque.web.server.static_files.StaticStorage"}}
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=storages):
        call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path


def test_scripts_are_sent_without_comments_and_import_each_other_by_their_real_names(collected: Path) -> None:
    for source in SOURCES.glob("*.js"):
        (named,) = (collected / "web").glob(f"{source.stem}.????????????.js")
        sent = named.read_text()
        assert "@param" not in sent
        assert "// " not in sent.replace("://", "")
        assert len(source.read_text()) / 4 < len(sent) < len(source.read_text())
        assert len(_imports(sent)) == len(re.findall(r"^(?:import|\}) .*from", source.read_text(), re.MULTILINE))
        assert all(part.startswith("./") and len(part.split(".")) == 4 for part in _imports(sent))


def _imports(script: str) -> list[str]:
    return [part.split('"')[1] for part in script.split("from")[1:] if part.lstrip().startswith('"')]


def test_only_our_scripts_are_changed(collected: Path) -> None:
    from ludotheque.web.server.static_files import StaticStorage

    storage, text = StaticStorage(location=collected), "/* theirs */ let one = 1;"
    for name, sent in (("admin/theirs.js", text), ("web/ours.js", "let one=1;")):
        storage.save(name, ContentFile(text.encode()))
        assert (collected / name).read_text() == sent
