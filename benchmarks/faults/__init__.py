"""Faults of the machine, brought about while people play: crash points, disks, clocks, memory, databases."""

import os
from pathlib import Path


def environment() -> dict[str, str]:
    """In which `python -m faults` is found."""
    folders = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
