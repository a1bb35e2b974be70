"""The module in which Django looks for a database backend."""

import time
from typing import Any

from django.db.backends.postgresql import base

from ludotheque.extras import extra
from ludotheque.web.guard import outage

with extra("scale"):
    from psycopg_pool import PoolTimeout

BUSY_POOL_TIMEOUT_S = 8  # while all connections are in use


class DatabaseWrapper(base.DatabaseWrapper):
    """An exhausted pool times out like one without a server, so each timeout checks which of the two it is."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        deadline = time.monotonic() + BUSY_POOL_TIMEOUT_S
        while True:
            outage.check()
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                outage.notice()
                if time.monotonic() > deadline:
                    raise
