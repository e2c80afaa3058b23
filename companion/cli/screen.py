"""Opens the screen, with pages for phones beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from companion.cli import browsers
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive import Archive, Entry
    from companion.forms.health import HealthCheck
    from companion.session.table.shared_session import SharedSessions
    from companion.tui.archives import PhonePages


def open_directly(arguments: Sequence[str]) -> bool:
    """Open the screen at home or at a table, if the arguments ask for no more and this is a terminal.

    Return False, having done nothing, for other arguments. Importing the command-line parser would take 4 % of the time
    to home.
    """
    plain = _read_plain(arguments)
    if plain is None or not is_terminal():
        return False
    archive, words = plain
    match words:
        case [] if browsers.is_started_by_double_click():
            return False
        case []:
            run(archive)
        case ["play", *named]:
            return open_table(archive, "".join(named))
        case _:
            return False
    return True


def _read_plain(arguments: Sequence[str]) -> tuple[str | None, list[str]] | None:
    """Return the named archive and at most two words; None if there is anything else, such as an option."""
    archive, words, rest = None, [], iter(arguments)
    for argument in rest:
        if argument == "--archive" and archive is None:
            archive = next(rest, "-")
        else:
            words.append(argument)
    plain = [*words, *filter(None, [archive])]
    is_plain = len(words) <= 2 and all(each and each[0] != "-" and each.isprintable() for each in plain)
    return (archive, words) if is_plain else None


def is_terminal() -> bool:
    """Return True if input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def open_table(archive: str | None, session: str) -> bool:
    """Open the screen at the table of a session, "" for the one changed last, until it is closed.

    Return False, having done nothing, if the archive must be opened to read the session.
    """
    from companion.archive import fast_read
    from companion.archive.storage import lists

    entries = fast_read.read_session(archive, session)
    if entries:
        run(archive, entries[0].stream.removeprefix(lists.session_stream("")), entries)
    return bool(entries)


def run(archive: str | None, session: str | None = None, entries: Sequence[Entry] = ()) -> None:
    """Open the screen at home, or at the table of `session`, until it is closed.

    `entries` are those of the session's stream, if they have been read already.
    """
    from companion.tui.terminal import early_patches

    early_patches.apply()
    from companion.tui import app

    app.run(archive, session, entries, serve_beside, check_network)


def serve_beside(
    archive: Archive, sessions: SharedSessions, *, is_for_host: bool = False, **choices: Any
) -> AbstractContextManager[PhonePages]:
    """Serve pages beside the screen while the context is open; see `companion.cli.page_service.serve_pages`."""
    from companion.cli.page_service import serve_pages

    return serve_pages(archive, sessions, is_for_host=is_for_host, **choices)


def check_network() -> Iterator[HealthCheck]:
    """Check the address at which phones would find the pages, without serving them or announcing a name."""
    from companion.forms.health import HealthCheck
    from companion.web import address

    interfaces = address.find_interfaces()
    host = address.default_host(interfaces)
    if host == address.LOOPBACK:
        yield HealthCheck("Phones", "Address", "optional", address.describe_no_network(interfaces))
        return
    others = address.describe_alternatives(host, interfaces)
    where = phrase("Phones find the pages at {host} once they are open.", host=address.make_url(host, address.PORT))
    yield HealthCheck("Phones", "Address", "good", f"{where} {others}".strip())
    try:
        address.listen(host, address.PORT).close()
    except address.AddressError as error:
        text = str(
            phrase("{problem}; where that is the companion itself, all is well.", problem=str(error).rstrip(".。"))
        )
        yield HealthCheck("Phones", "Port", "optional", text)
    else:
        yield HealthCheck("Phones", "Port", "good", str(phrase("{port} is free.", port=str(address.PORT))))
    yield HealthCheck(
        "Phones",
        "Name",
        "good",
        str(phrase("{name}, where phones look up such names.", name=address.candidate_names()[0])),
    )
