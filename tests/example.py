"""The example of a game from another package, installed for a while."""

import os
import tomllib
from pathlib import Path

NIM = Path(__file__).parent.parent / "examples" / "nim"


def installed(folder: Path) -> dict[str, str]:
    """What the environment needs for the example to be there, as an installer would leave it in this folder."""
    project = tomllib.loads((NIM / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(NIM), str(folder), os.environ.get("PYTHONPATH", "")])}
