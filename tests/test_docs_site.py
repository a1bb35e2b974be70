"""The docs as a site: it builds without a warning, fetches nothing, and its reference has everything public."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ludotheque
from ludotheque import words

pytest.importorskip("sphinx", reason="no Sphinx here: scripts/docs brings it")
from sphinx.util.inventory import InventoryFile

ROOT = Path(__file__).parent.parent
SITE = ROOT / "docs" / "site"
FETCHED = re.compile(
    r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=\"((?:https?:)?//[^\"]+)\"|@import|url\(['\"]?(?:https?:)?//"
)

# Names in modules that are being changed elsewhere at the moment. A name that has its docstring goes from this list.
UNWRITTEN = {
    f"ludotheque.{module}.{name}"
    for module, names in {
        "shelf": "Box.rules Box.key Box.seats Box.options Box.name",
        "match": "Ending.how Ending.seat Snapshot.leg Snapshot.banked Snapshot.state Snapshot.acting "
        "Match.game Match.seats Match.luck Match.options Match.log Match.ending Match.over",
        "game": "Game.key Game.options",
        "search.analysis": "Judgement.cost Judgement.best Judgement.line Judgement.expected Judgement.proven "
        "JudgedMove.number JudgedMove.leg JudgedMove.seat JudgedMove.move JudgedMove.cost JudgedMove.best "
        "JudgedMove.line JudgedMove.hopes JudgedMove.proven Swing.seat Swing.before Swing.after Swing.change",
        "search.compiled": "Rules.to_act Rules.spans Rules.legal Rules.play Rules.weight Rules.sealed Rules.scores "
        "Rules.winners TwinCache.place TwinCache.bound Machine.game Machine.functions Machine.rules "
        "Machine.evaluator Builder.ctpop Builder.cttz",
        "adapters.openspiel": "SpielGame.rules SpielGame.name SpielGame.seats SpielGame.options SpielGame.info "
        "SpielGame.make_py_observer SpielGame.new_initial_state SpielState.current_player SpielState.chance_outcomes "
        "SpielState.is_terminal SpielState.returns SpielState.wait SpielState.state SpielState.waiting "
        "Observer.tensor Observer.dict Observer.string_from",
    }.items()
    for name in names.split()
}


@pytest.fixture
def interface(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that makes the reference."""
    monkeypatch.syspath_prepend(str(SITE))
    return importlib.import_module("interface")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SITE), os.environ.get("PYTHONPATH", "")])}
    words = [sys.executable, *map(str, command)]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)  # noqa: S603


def test_everything_public_has_a_docstring(interface: ModuleType) -> None:
    lacking = {name for module in interface.reference() for name in interface.undocumented(module)}
    assert lacking - UNWRITTEN == set()
    assert UNWRITTEN - lacking == set(), "these have one by now, or are gone: take them off the list"


def test_a_missing_docstring_is_noticed(
    interface: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sketchy.py").write_text(
        '"""A module."""\n\nclass Thing:\n    """A thing."""\n\n    told: int  #: how many\n    untold: int\n\n'
        "    def act(self) -> None:\n        self._done = True\n\ndef _inner() -> None: ...\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert interface.undocumented("sketchy") == ["sketchy.Thing.untold", "sketchy.Thing.act"]


def test_every_module_is_in_the_reference_or_said_to_be_none_of_it(interface: ModuleType) -> None:
    assert sorted([*interface.reference(), *interface.inner()]) == interface.all_modules()
    assert {"ludotheque", "ludotheque.match", "ludotheque.game"} <= set(interface.reference())


def test_links_that_lead_nowhere_fail(tmp_path: Path) -> None:
    """With the settings of the site, on two small pages."""
    broken = {
        "gone.md": "[page]",
        "other.md#nothing": "[heading]",
        "../src/gone.py": "[file]",
        "gone.svg": "![picture]",
    }
    (tmp_path / "static").mkdir()
    shutil.copy(SITE / "conf.py", tmp_path)
    (tmp_path / "other.md").write_text("# Other\n\nText.\n", encoding="utf-8")

    def build(links: str) -> subprocess.CompletedProcess[str]:
        page = f"# One\n\n{links}\n\n```{{toctree}}\nother\n```\n"
        (tmp_path / "index.md").write_text(page, encoding="utf-8")
        return run("-m", "sphinx", "-b", "dummy", "-n", "-W", "--keep-going", "-q", tmp_path, tmp_path / "built")

    done = build("[there](other.md#other)")
    assert done.returncode == 0, done.stderr
    done = build(" ".join(f"{shown}({target})" for target, shown in broken.items()))
    assert done.returncode != 0
    for target in broken:
        assert target.rpartition("#")[2] in done.stderr


def test_the_site_is_built(interface: ModuleType, tmp_path: Path) -> None:
    """In one test, since it is built once: a minute of one core."""
    done = run(SITE / "build.py", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "html"
    check_nothing_is_fetched(site)
    check_reference(interface, site)
    check_rules(site)


def check_nothing_is_fetched(site: Path) -> None:
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(pages) > 150
    for page in pages:
        found = FETCHED.search(page.read_text(encoding="utf-8"))
        assert found is None, f"{page.relative_to(site)}: {found}"


def check_reference(interface: ModuleType, site: Path) -> None:
    """Every public name of every module can be looked up."""
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    known = {name for kind in inventory.data for name in inventory.data[kind] if kind.startswith("py:")}
    for module in interface.reference():
        assert {module, *interface.public_names(module)} - known - UNWRITTEN == set()


def check_rules(site: Path) -> None:
    """Of every game in every language, each with its own diagrams."""
    for box in ludotheque.games():
        for lang in words.LANGUAGES:
            page = (site / "rules" / lang / f"{box.key}.html").read_text(encoding="utf-8")
            assert box.say("name", lang) in page
            assert page.count('<figure class="diagram">') == words.rules(box.rules.stem, lang).count("](position:")
    assert '<div lang="fr">' in (site / "rules" / "fr" / "hepta.html").read_text(encoding="utf-8")
