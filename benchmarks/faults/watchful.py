"""A bot that looks into the database whenever its screen has changed: is it stored, and newer than what was shown?"""

import sqlite3
from functools import cached_property
from pathlib import Path
from typing import Any

from killing.bots import Bot


class WatchfulBot(Bot):
    """At a site with SQLite."""

    shown = -1  # by this WebSocket
    looks = False  # it has asked, beside the WebSocket, whose messages wait meanwhile

    async def _by_socket(self, pace: float) -> None:
        self.shown = -1
        await super()._by_socket(pace)

    async def _look(self) -> None:
        self.looks = True
        try:
            await super()._look()
        finally:
            self.looks = False

    def _hear(self, message: dict[str, Any]) -> None:
        version = message.get("version", -1)
        if version >= 0:
            self.ledger.untrue += version > self._stored()
            if not self.looks:
                self.ledger.untrue += version < self.shown
                self.shown = version
        super()._hear(message)

    def _stored(self) -> int:
        found = self._database.execute("SELECT max(number) FROM web_event WHERE table_id=?", (self.table,)).fetchone()
        return int(found[0] or 0)

    @cached_property
    def _database(self) -> sqlite3.Connection:
        file = Path(self.site.environment["LUDOTHEQUE_DATA"]) / "ludotheque.sqlite3"
        return sqlite3.connect(f"file:{file}?mode=ro", uri=True)
