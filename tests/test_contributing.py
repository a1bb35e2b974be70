"""“Where things go” in CONTRIBUTING.md names files that are there, or says that they are new."""

import re
from pathlib import Path

import ludotheque

ROOT = Path(__file__).parents[1]
SOURCE = Path(ludotheque.__file__ or "").parent
CHANGES = 12


def test_where_things_go_names_files_that_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Where things go")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (?!change|---)(.*?) \| (.*) \|$", section, re.MULTILINE)
    assert len(rows) == CHANGES
    for change, where in rows:
        for path, new in re.findall(r"`([\w./]*[./][\w.]*)`( \*new\*)?", where):
            found = (SOURCE / path).exists() or (ROOT / path).exists()
            assert found != bool(new), f"{change}: {path}"
