"""uvicorn's protocols, bounded before anything is parsed: size and time of headers, frames, and how much may wait.

A client that goes over a bound loses its connection. Addresses are those of the peers; behind a proxy that is the
proxy, whose own bounds apply, and which `LUDOTHEQUE_PROXIES` names.
"""

import asyncio
import logging
from http import HTTPStatus
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame

from ludotheque.web.guard.budgets import FrameBudget
from ludotheque.web.monitor import metrics, usage
from ludotheque.web.server.connections import Connections, key_of

log = logging.getLogger("uvicorn.error.http")  # quieter: settings

MAX_HEAD_BYTES = 16_384  # of a request: its first line and its headers
HEAD_TIMEOUT_S = 10.0  # from the opening, or from the first byte, until they are complete
WRITE_TIMEOUT_S = 30.0  # for a client that takes nothing of what it has asked for
MAX_FRAMING_BYTES = 16_384  # of a request's body beside what it says: sizes of chunks, extensions, trailers
MAX_PIPELINED = 8  # requests that wait for the answer to the one before
PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
RETRY_AFTER_S = 60  # where trying again helps
SLICE_BYTES = 4_096  # of what arrives at once, parsed before the next is looked at


class TooMuch(ValueError):  # noqa: N818 - reads as what happened
    """Raised inside the parser, which then gives up."""


class BoundedHttp(HttpToolsProtocol):
    """HTTP/1.1, with an end to everything."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.logger = log
        self.open_connections: Connections = config.open_connections  # type: ignore[attr-defined]  # `BoundedConfig`
        self.address, self.counted = "", False
        self.in_head, self.head_bytes, self.framing_bytes = True, 0, 0
        self.over_bound = HTTPStatus.BAD_REQUEST  # what the client is told when the parser has given up
        self.running: RequestResponseCycle | None = None
        self.is_upgraded = False
        self.head_timer: asyncio.TimerHandle | None = None
        self.write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.address = key_of(self.client)
        self.counted = self.open_connections.admit(self.address)
        if not self.counted:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        self.open_connections.now_idle(self.address, self)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_answering()
        self._leave()

    def data_received(self, data: bytes) -> None:
        for begin in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing() or self.is_upgraded:
                return
            self._parse(data[begin : begin + SLICE_BYTES])

    def _parse(self, data: bytes) -> None:
        """Parse one slice; what goes over a bound is noticed before the next."""
        if self.in_head:
            self._start_head_timer()
            self.head_bytes += len(data)
        else:
            self.framing_bytes += len(data)  # `on_body` takes off what was none
        super().data_received(data)
        if self.transport.is_closing() or self.is_upgraded:
            return
        if self.in_head and self.head_bytes > MAX_HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif not self.in_head and self.framing_bytes > MAX_FRAMING_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Trailers come this way, too: nobody reads them, and they must not pass for headers."""
        if self.in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > MAX_HEAD_BYTES:
            self._give_up(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if len(self.pipeline) >= MAX_PIPELINED:
            self._give_up(HTTPStatus.TOO_MANY_REQUESTS)
        self.in_head, self.head_bytes, self.framing_bytes = False, 0, 0
        self._stop_head_timer()
        self.open_connections.now_busy(self.address, self)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.framing_bytes -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.in_head = True

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.running = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._start_write_timer()
        elif not self.pipeline:
            self.open_connections.now_idle(self.address, self)

    def handle_websocket_upgrade(self) -> None:
        self.is_upgraded = True
        self._leave()  # the WebSocket counts itself
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_write_timer()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_write_timer()

    def send_400_response(self, _msg: str) -> None:
        """The parser has given up: what it was given is no HTTP, or too much of it."""
        self._refuse(self.over_bound)

    def close_idle(self) -> None:
        self.transport.close()

    def _give_up(self, status: HTTPStatus) -> None:
        """Stop the parser where it is: nothing is made of what it was given beyond this."""
        self.over_bound = status
        raise TooMuch

    def _refuse(self, status: HTTPStatus) -> None:
        """Say why, in one line, and close; whoever is refused may be a program."""
        metrics.LIMITED.labels("head").inc()
        if not self._is_answering():
            lines = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n"
            wait = f"retry-after: {RETRY_AFTER_S}\r\n" if status in PASSING else ""
            self.transport.write(f"{lines}{wait}\r\n".encode())
        self._stop_answering()
        self.transport.close()
        self._start_write_timer()

    def _is_answering(self) -> bool:
        """Whether one more answer would get into the middle of another."""
        return self.running is not None and self.running.response_started and not self.running.response_complete

    def _stop_answering(self) -> None:
        """Nothing more may be written; uvicorn tells this only to the last request, of several in one go."""
        if self.running is not None:
            self.running.disconnected = True
            self.running.message_event.set()

    def _start_head_timer(self) -> None:
        if self.head_timer is None:
            self.head_timer = self.loop.call_later(HEAD_TIMEOUT_S, self._on_head_timeout)

    def _stop_head_timer(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None

    def _start_write_timer(self) -> None:
        if self.write_timer is None:
            self.write_timer = self.loop.call_later(WRITE_TIMEOUT_S, self.transport.abort)

    def _stop_write_timer(self) -> None:
        if self.write_timer is not None:
            self.write_timer.cancel()
            self.write_timer = None

    def _on_head_timeout(self) -> None:
        self.head_timer = None
        if not self.transport.is_closing():
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _leave(self) -> None:
        self._stop_head_timer()
        self._stop_write_timer()
        if self.counted:
            self.counted = False
            self.open_connections.now_busy(self.address, self)
            self.open_connections.leave(self.address)


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose bytes, messages and control frames are counted before anything is done with them."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.budget = FrameBudget()
        super().__init__(config, server_state, {**app_state, "frame_budget": self.budget}, _loop)
        self.open_connections: Connections = config.open_connections  # type: ignore[attr-defined]  # `BoundedConfig`
        self.address, self.counted = "", False
        self.write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = key_of(self.client)
        self.counted = self.open_connections.admit(self.address)
        if not self.counted:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.write_timer is not None:
            self.write_timer.cancel()
        if self.counted:
            self.counted = False
            self.open_connections.leave(self.address)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self.handshake_initiated and not self.budget.take_bytes(len(data)):
            self._end()
            return
        for begin in range(0, len(data), SLICE_BYTES):
            super().data_received(data[begin : begin + SLICE_BYTES])
            if self.transport.is_closing():
                return

    def handle_ping(self) -> None:
        if self._may_control():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may_control():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may_control():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.transport.is_closing():
            return
        if not self.budget.take_message():
            self._end()
        elif self._is_readable():
            super().send_receive_event_to_app()
        else:
            self._end()  # uvicorn would log a traceback

    def pause_writing(self) -> None:
        super().pause_writing()
        self.write_timer = self.loop.call_later(WRITE_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.write_timer is not None:
            self.write_timer.cancel()

    def _is_readable(self) -> bool:
        """Whether the message is binary, or UTF-8."""
        if self.curr_msg_data_type == "bytes":
            return True
        try:
            b"".join(self.frames).decode()
        except UnicodeDecodeError:
            return False
        return True

    def _may_control(self) -> bool:
        if self.transport.is_closing():
            return False
        if self.budget.take_control():
            return True
        self._end()
        return False

    def _end(self) -> None:
        """Whoever sends so much is no page of ours, and is told nothing."""
        metrics.LIMITED.labels("frames").inc()
        usage.refused("frames", self.budget.address or self.address)  # behind a proxy, the visitor's
        self.transport.abort()


class BoundedConfig(Config):
    """uvicorn's configuration with these protocols, and with the count of connections that they share."""

    def __init__(self, app: str, open_connections: Connections, **settings: Any) -> None:
        super().__init__(app, http=BoundedHttp, ws=BoundedWebSocket, **settings)
        self.open_connections = open_connections
