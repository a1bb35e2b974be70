"""A release is built from what is committed, named in the changelog, and known to the advisory service."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = {".venv": "test", ".venv-release": "release"}
STAND_IN = f"""#!/bin/sh
case "$1" in
    scripts/audit) exec "{sys.executable}" "$@" ;;
    *) mkdir -p dist && echo "$@" >>dist/built ;;
esac
"""  # for Python in an environment


class Checkout:
    """A repository with what a release is about, and environments that are set up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in (
            "scripts/release",
            "scripts/environment",
            "scripts/audit",
            "locks/test.txt",
            "locks/release.txt",
        ):
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        self.write(".gitignore", ".venv*/\ndist/\n")
        self.write("pyproject.toml", 'version = "0.2.0"\n')
        self.write("CHANGELOG.md", "# Changelog\n\n## 0.2.0 – 2026-12-01\n\n## 0.1.0\n")
        for name, lock in ENVIRONMENTS.items():
            self._set_up(folder / name, lock)
        self.git("init", "--quiet")
        self.commit()

    def _set_up(self, environment: Path, lock: str) -> None:
        (environment / "bin").mkdir(parents=True)
        python = environment / "bin" / "python"
        python.write_text(STAND_IN, encoding="utf-8")
        python.chmod(0o755)
        parts = (self.folder / "locks" / f"{lock}.txt", self.folder / "pyproject.toml")
        stamp = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()
        (environment / "stamp").write_text(f"{stamp}  -")  # as sha256sum says it

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def git(self, *words: str) -> None:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True)  # noqa: S603, S607 - git

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "all")

    def answer(self, code: str) -> None:
        """Put this in the place of the question to the advisory service."""
        self.write("scripts/audit", code)
        self.commit()

    def release(self) -> tuple[int, str]:
        """Its exit status, and what it says."""
        done = subprocess.run(  # noqa: S603 - our own script
            [self.folder / "scripts" / "release"], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    @property
    def built(self) -> str:
        file = self.folder / "dist" / "built"
        return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)  # of a hook that runs the tests
    return Checkout(tmp_path)


def test_without_an_answer_of_the_advisory_service_nothing_is_built(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip_audit.py").write_text("raise SystemExit('Connection refused')\n")
    checkout.commit()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    status, said = checkout.release()
    assert status == 1
    assert "a release needs an answer" in said
    assert not checkout.built


def test_an_answer_that_is_not_committed_is_not_in_the_release(checkout: Checkout) -> None:
    checkout.answer("open('locks/audit.json', 'w').write('{}')")
    status, said = checkout.release()
    assert status == 1
    assert "locks/audit.json" in said
    assert not checkout.built
    checkout.commit()
    assert checkout.release() == (0, "")
    assert checkout.built.startswith("-m build")


def test_what_is_not_committed_is_not_released(checkout: Checkout) -> None:
    checkout.answer("")
    checkout.write("new.py", "")
    status, said = checkout.release()
    assert status == 1
    assert "a change is not committed" in said
    assert not checkout.built


@pytest.mark.parametrize("section", ["## 0.2.0 – unreleased", "## 0.3.0 – 2026-12-01", "## 0.2.0"])
def test_the_changelog_names_the_version_and_the_day(checkout: Checkout, section: str) -> None:
    checkout.answer("")
    checkout.write("CHANGELOG.md", f"# Changelog\n\n{section}\n")
    checkout.commit()
    status, said = checkout.release()
    assert status == 1
    assert f"the changelog begins with “{section}”" in said
    assert not checkout.built
