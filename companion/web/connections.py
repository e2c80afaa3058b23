"""The connections of browsers: who says nothing, or says it too slowly, is let go; and there are not too many.

Separate because it stands between uvicorn and the network, and knows no page. The private parts of uvicorn that it
leans on are those that its classes hand to each other: `cycle`, `client`, `server_state`.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 10.0
"""Seconds within which a whole head of a request must have come, from the moment at which it could begin."""
MOST: Final = 400
"""Connections in all."""
MOST_OF_ONE: Final = 60
"""Connections of one address; but all those behind a proxy have its address."""


class Connection(H11Protocol):
    """One connection. It is idle while no request is answered on it; of too many, the one idle longest goes first."""

    most_of_one = MOST_OF_ONE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Another one; there must be room for it."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._deadline: asyncio.TimerHandle | None = None
        self._wait()
        others = [each for each in self.connections if isinstance(each, Connection) and each is not self]
        alike = [each for each in others if each.client and self.client and each.client[0] == self.client[0]]
        if len(alike) >= self.most_of_one:
            self._make_room(alike)
        elif len(others) >= MOST:
            self._make_room(others)

    def data_received(self, data: bytes) -> None:
        """Part of a request, or all of it."""
        super().data_received(data)
        if not self.is_idle:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Another request may follow."""
        super().on_response_complete()
        if self.is_idle:
            self._since = self.loop.time()
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self, others: list[Connection]) -> None:
        idle = [each for each in others if each.is_idle and not each.transport.is_closing()]
        min(idle, key=lambda each: each._since, default=self).transport.abort()

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._let_go)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _let_go(self) -> None:
        if self.is_idle:
            self.transport.abort()


class FromProxy(Connection):
    """A connection where all come from a proxy."""

    most_of_one = MOST


def protocol(*, proxied: bool) -> type[Any]:
    """What uvicorn makes of each connection."""
    return FromProxy if proxied else Connection
