"""The audit says what it knows: a real answer with its date, or honestly that there is none."""

import json
import os
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "audit"
SOUND = {"name": "django", "version": "5.2", "vulns": []}
FOUND = {"name": "pillow", "version": "1.0", "vulns": [{"id": "CVE-2026-1", "fix_versions": ["2.0"]}]}
UNKNOWN = {"name": "ours", "skip_reason": "not found"}


@pytest.fixture
def audit(tmp_path: Path) -> dict[str, Any]:
    """The script, with lock files of its own."""
    globals_ = runpy.run_path(str(SCRIPT))["main"].__globals__
    (tmp_path / "test.txt").write_text("django==5.2\n")
    found: dict[str, Any] = globals_
    found |= {"LOCKS": [tmp_path / "test.txt"], "ANSWER": tmp_path / "audit.json"}
    return found


def answering(audit: dict[str, Any], packages: list[dict[str, Any]] | None) -> Callable[..., int]:
    audit["ask"] = lambda: packages
    main: Callable[..., int] = audit["main"]
    return main


def test_without_an_answer_it_says_so_and_a_release_fails(
    audit: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    main = answering(audit, None)
    assert main([]) == os.EX_TEMPFAIL
    assert "never answered" in capsys.readouterr().out
    assert main(["--release"]) == 1
    assert not audit["ANSWER"].exists(), "no date is invented"


def test_an_answer_is_kept_with_its_date_and_told_with_its_age(
    audit: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert answering(audit, [SOUND, UNKNOWN])(["--release"]) == 0
    kept = json.loads(audit["ANSWER"].read_text())
    assert (kept["packages"], kept["advisories"]) == (1, [])
    audit["ANSWER"].write_text(json.dumps(kept | {"date": "2026-01-02"}))
    capsys.readouterr()
    assert answering(audit, None)([]) == os.EX_TEMPFAIL
    assert "days ago, on 2026-01-02: 1 packages, no vulnerability known" in capsys.readouterr().out


def test_an_answer_about_other_locks_is_none(audit: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    answering(audit, [SOUND])([])
    audit["LOCKS"][0].write_text("django==6.0\n")
    answering(audit, None)([])
    assert "never answered for these lock files" in capsys.readouterr().out


def test_a_vulnerability_is_an_error_and_written_down(audit: dict[str, Any]) -> None:
    assert answering(audit, [SOUND, FOUND])([]) == 1
    assert json.loads(audit["ANSWER"].read_text())["advisories"] == ["CVE-2026-1"]


def test_a_mirror_that_knows_nothing_is_no_answer(audit: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    class Done:
        stdout = json.dumps({"dependencies": [UNKNOWN]})

    monkeypatch.setattr(audit["subprocess"], "run", lambda *_words, **_more: Done)
    assert audit["ask"]() is None
