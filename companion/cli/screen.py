"""Opens the screen, with pages for phones beside it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.archive import Archive, Entry
    from companion.session.shared_session import SharedSessions
    from companion.tui.archives import PhonePages
    from companion.tui.health import HealthCheck


def run(archive: str | None, session: str | None = None, entries: Sequence[Entry] = ()) -> None:
    """Open the screen at home, or at the table of `session`, until it is closed.

    `entries` is what the stream of that session holds, where it was read already.
    """
    _load_asyncio_without_tls()
    from companion.tui import app

    app.run(archive, session, entries, serve_beside, check_network)


def _load_asyncio_without_tls() -> None:
    """asyncio loads TLS where there is any, which takes longer than itself; nothing here speaks it by asyncio.

    Whoever needs `ssl` later loads it as ever.
    """
    if "asyncio" not in sys.modules and "ssl" not in sys.modules:
        sys.modules["ssl"] = None  # type: ignore[assignment]
        try:
            import asyncio  # noqa: F401
        finally:
            del sys.modules["ssl"]


@contextlib.contextmanager
def serve_beside(archive: Archive, sessions: SharedSessions, **choices: Any) -> Iterator[PhonePages]:
    """Pages as `companion serve` opens them, served in a thread of their own; `choices` are fields of `ServeOptions`.

    Raises CannotServe, ArchiveError.
    """
    from companion.tui.archives import CannotServe
    from companion.web.address import AddressError
    from companion.web.server import ServeOptions, host_pages

    with contextlib.ExitStack() as pages:
        try:
            hosted = pages.enter_context(host_pages(archive, sessions, ServeOptions(**choices)))
        except AddressError as error:
            raise CannotServe(str(error)) from None
        hosted.server.start()
        pages.callback(hosted.server.stop)
        yield hosted


def check_network() -> Iterator[HealthCheck]:
    """Where phones would find the pages, if they were served now; they are not, and nobody is told a name."""
    from companion.tui.health import HealthCheck
    from companion.web import address

    interfaces = address.find_interfaces()
    host = address.default_host(interfaces)
    if host == address.LOOPBACK:
        yield HealthCheck("Phones", "Address", "optional", address.describe_no_network(interfaces))
        return
    others = address.describe_alternatives(host, interfaces)
    where = f"Phones find the pages at {address.make_url(host, address.PORT)} once they are open."
    yield HealthCheck("Phones", "Address", "good", f"{where} {others}".strip())
    try:
        address.listen(host, address.PORT).close()
    except address.AddressError as error:
        text = f"{str(error).rstrip('.')}; where that is the companion itself, all is well."
        yield HealthCheck("Phones", "Port", "optional", text)
    else:
        yield HealthCheck("Phones", "Port", "good", f"{address.PORT} is free.")
    yield HealthCheck("Phones", "Name", "good", f"{address.candidate_names()[0]}, where phones look up such names.")
