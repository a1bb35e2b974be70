"""A number in a file, which a test turns and a process of the site reads."""

import time
from pathlib import Path

READ_EVERY_S = 0.02


class Dial:
    """The number, as it was a moment ago."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._number, self._read = 0.0, -READ_EVERY_S

    def turn(self, number: float) -> None:
        """Set it, at once for every reader."""
        written = self.file.with_suffix(".new")
        written.write_text(str(number), encoding="utf-8")
        written.replace(self.file)

    def number(self) -> float:
        now = time.monotonic()
        if now - self._read >= READ_EVERY_S:
            self._number, self._read = float(self.file.read_text(encoding="utf-8")), now
        return self._number
