"""Where Django looks for an engine of databases."""

import time
from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

from ludotheque.web.guard import outage

PATIENCE = 8  # seconds to wait for a connection while all are busy


class DatabaseWrapper(base.DatabaseWrapper):
    """A pool whose connections are all busy looks like one without a server, so who waits knocks now and then."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while True:
            outage.check()
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                outage.notice()
                if time.monotonic() > end:
                    raise
