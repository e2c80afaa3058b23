"""The server: from a socket to pages, until it is told to end. In the main thread for a command, in one of its own
for a program that does something else besides.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Iterator
from typing import Final

import uvicorn

from companion.archive import Archive
from companion.archive.doors import Hands
from companion.session.live import LiveSessions
from companion.web.app import application
from companion.web.connections import Limits, protocol
from companion.web.guard import Place
from companion.web.news import Messenger
from companion.web.pages import Pages
from companion.web.phones import Phones

_GRACE: Final = 1
"""Seconds that pages which are under way have when the server ends."""
_HEAD_BYTES: Final = 16 * 1024
_KEEP_ALIVE: Final = 5


class _Quiet(uvicorn.Server):
    """A server that leaves signals to whoever runs it, and lets open pages go before it waits for them."""

    def __init__(self, config: uvicorn.Config, pages: Pages) -> None:
        super().__init__(config)
        self._pages = pages

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._pages.end()
        await super().shutdown(sockets)


class Server:
    """Pages of an archive on a socket that listens already, at `port`. `phones` is who is there."""

    def __init__(
        self,
        archive: Archive,
        sessions: LiveSessions,
        listening: socket.socket,
        place: Place,
        pin: str = "",
        hands: Hands | None = None,
        limits: Limits | None = None,
    ) -> None:
        """`sessions` are those of the whole process. Raises ArchiveError where the archive cannot be written to."""
        self.phones = Phones(archive, pin, hands)
        self.port: int = listening.getsockname()[1]
        self._archive = archive
        self._sessions = sessions
        self._socket = listening
        self._pages = Pages(archive, sessions, self.phones, place)
        config = uvicorn.Config(
            application(self._pages, (limits or Limits()).most_behind_a_proxy),
            http=protocol(limits, proxied=bool(place.proxies)),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_GRACE,
            h11_max_incomplete_event_size=_HEAD_BYTES,
        )
        self._server = _Quiet(config, self._pages)
        self._thread: threading.Thread | None = None
        self._serves = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        """Serve in this thread until `stop` is called, in any thread or by a signal."""
        # Nobody wants to read about garbage that came in, least of all between the lines of a screen.
        logging.getLogger("uvicorn.error").addHandler(logging.NullHandler())
        logging.getLogger("uvicorn.error").propagate = False
        asyncio.run(self._run())

    def start(self) -> None:
        """Serve in a thread of its own; returns once that listens."""
        self._thread = threading.Thread(target=self.run, name="pages", daemon=True)
        self._thread.start()
        self._serves.wait()

    def stop(self) -> None:
        """End: within two seconds nothing is served any more. Returns at once where `run` serves, and then else."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()

    def _ring(self) -> None:
        """Have all open pages look whether they may still be seen."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._pages.ring)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.phones.changed = self._ring
        messenger = Messenger(self._archive, self._sessions, self.phones)
        messenger.start()
        self._serves.set()
        try:
            await self._server.serve([self._socket])
        finally:
            await asyncio.to_thread(messenger.stop)
            self._loop = None
