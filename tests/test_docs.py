"""What the documentation says is so: samples run, links lead somewhere, every dependency has its reason."""

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

import example
import ludotheque
from variants import everything

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SCHEMA = json.loads((ROOT / "src/ludotheque/record.schema.json").read_text(encoding="utf-8"))

PLUGIN = ROOT / "docs/tutorials/plugin.md"  # its samples need the example

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != PLUGIN], ids=lambda page: str(page.relative_to(ROOT))
)
def test_samples_run(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0


def test_samples_about_the_example_run_where_it_is_installed(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "doctest", str(PLUGIN)],
        env={**os.environ, **example.installed(tmp_path), "LUDOTHEQUE_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@every_page
def test_quoted_files_are_as_quoted(page: Path) -> None:
    """A block of code after “From `examples/…`:” is part of that file."""
    quotes = re.findall(r"From\s`([\w/.]+)`:\n\n```\w+\n(.*?)\n```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert quotes or page != PLUGIN
    for name, code in quotes:
        assert code in (ROOT / name).read_text(encoding="utf-8"), f"{name}: {code}"


def test_the_first_page_and_the_package_have_samples() -> None:
    assert ">>> " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert doctest.testmod(ludotheque).failed == 0
    assert doctest.testmod(ludotheque).attempted > 0


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)]+)\)", text):
        if not link.startswith(("http", "#")):
            assert (page.parent / link.split("#")[0]).exists(), f"{page.name}: {link}"


@every_page
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:benchmarks|deploy|docs|scripts|src|tests)/[\w/.@-]+)`", text):
        assert (ROOT / name).exists() or "yours" in name, name  # the game that a newcomer is going to add


THREATS = (ROOT / "docs/concepts/threats.md").read_text(encoding="utf-8")


def named_tests(text: str) -> list[str]:
    return re.findall(r"`((?:\w+/)*test_\w+\.py)`", text)


def test_tests_of_the_threat_model_exist() -> None:
    assert named_tests(THREATS)
    for name in named_tests(THREATS):
        assert (ROOT / "tests" / name).exists(), name


def test_every_row_of_the_threat_model_names_its_test() -> None:
    """In the last column of a table."""
    rows = re.findall(r"^\| (?!they try to |what goes wrong )(.*) \|$", THREATS, re.MULTILINE)
    assert len(rows) > 30
    for row in rows:
        assert named_tests(row.rpartition(" | ")[2]), row


def test_every_attack_is_in_the_threat_model() -> None:
    attacks = [f"adversary/{path.name}" for path in (ROOT / "tests/adversary").glob("test_*.py")]
    assert set(attacks) <= set(named_tests(THREATS))


def test_every_dependency_has_a_reason() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = pyproject["project"], pyproject["dependency-groups"]
    reasons = (ROOT / "docs/decisions/dependencies.md").read_text(encoding="utf-8")
    wanted = [
        *project["dependencies"],
        *(name for names in (*project["optional-dependencies"].values(), *groups.values()) for name in names),
    ]
    for requirement in wanted:
        name = re.split(r"[\[<>=~!;]", requirement)[0]
        assert name == "ludotheque" or re.search(rf"\| .*\b{re.escape(name)}\b.* \|", reasons), name


def test_every_decision_is_listed_by_its_title_and_date() -> None:
    listed = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs/decisions").glob("0*.md"):
        text = page.read_text(encoding="utf-8")
        title = re.search(r"\A# \d+\. (.*)", text)
        date = re.search(r"Date: (\d{4}-\d\d-\d\d)", text)
        assert title is not None, page.name
        assert date is not None, page.name
        assert f"[{title[1]}]({page.name}) | {date[1]} |" in listed, page.name


def test_lock_files_have_hashes_and_no_addresses() -> None:
    for lock in (ROOT / "locks").glob("*.txt"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        packages = re.findall(r"^[a-z0-9][^\n]*==", text, flags=re.MULTILINE)
        assert len(packages) > 5
        assert text.count("--hash=sha256:") >= len(packages)


@pytest.mark.parametrize("variant", everything(), ids=str)
def test_records_follow_the_schema(variant: object) -> None:
    match = variant.match(1)  # type: ignore[attr-defined]
    for _ in range(20):
        if match.over:
            break
        seat = match.to_act[0]
        match.play(seat, match.moves(seat)[-1])
    if match.events and match.events[-1][0] != "luck":
        match.undo(match.events[-1][0], agreed=True)
    jsonschema.validate(json.loads(match.save()), SCHEMA)


def test_every_command_is_in_the_reference() -> None:
    from typer.main import get_command

    from ludotheque.cli import app

    reference = (ROOT / "docs/reference/command.md").read_text(encoding="utf-8")
    for name in get_command(app).commands:  # type: ignore[attr-defined]
        assert f"| `ludotheque {name}" in reference, name
