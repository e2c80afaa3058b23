"""The connections of browsers: who says nothing, says it too slowly, or takes nothing in, is let go; and there are not
too many.

Separate because it stands between uvicorn and the network, and knows no page. The private parts of uvicorn that it
leans on are those that its classes hand to each other: `cycle`, `client`, `server_state`.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol


class Limits(NamedTuple):
    """Seconds within which a whole head of a request must have come, from the moment at which it could begin, and
    within which a browser takes in what lies ready for it; connections in all, and of one address.
    """

    request_seconds: float = 10.0
    send_seconds: float = 30.0
    most: int = 400
    most_of_one: int = 60

    @property
    def most_behind_a_proxy(self) -> int:
        """Requests of one address there, at a time: a hall full of phones may have one, and nobody takes all room."""
        return (self.most + 1) // 2


class Connection(H11Protocol):
    """One connection. It is idle while no request is answered on it; of too many, the one idle longest goes first."""

    limits = Limits()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Another one; there must be room for it."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._wait()
        others = [each for each in self.connections if isinstance(each, Connection) and each is not self]
        alike = [each for each in others if each.client and self.client and each.client[0] == self.client[0]]
        if len(alike) >= self.limits.most_of_one:
            self._make_room(alike)
        elif len(others) >= self.limits.most:
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
        self._is_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The browser takes in less than is sent: whoever does so for long has gone, or wants to hold us up.

        To close it would be too kind, as that waits until all was taken in.
        """
        super().pause_writing()
        self._unread = self.loop.call_later(self.limits.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """It has taken in what lay ready."""
        self._is_read()
        super().resume_writing()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self, others: list[Connection]) -> None:
        idle = [each for each in others if each.is_idle and not each.transport.is_closing()]
        min(idle, key=lambda each: each._since, default=self).transport.abort()

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(self.limits.request_seconds, self._let_go)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _let_go(self) -> None:
        if self.is_idle:
            self.transport.abort()


def protocol(named: Limits | None, *, proxied: bool) -> type[Connection]:
    """What uvicorn makes of each connection. All of those behind a proxy have its address."""
    usual = named or Limits()

    class Limited(Connection):
        """A connection of one server."""

        limits = usual._replace(most_of_one=usual.most) if proxied else usual

    return Limited
