"""Programs that change a page on demand: a host at a table, another window there, and a bare starlette app.

Separate because they are measured from outside: `python -m tests.bench.pages host FILE` and its like say at first where
they are, and then answer each line of standard input with one of JSON.
"""

import asyncio
import json
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.archive import Archive
from companion.session.table.confirmations import ActionDone
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.web import address, visitor
from companion.web.guard import ConnectionLimits
from tests.web.serving import Host, serving

Command = Callable[[str], Any]
"""What a command does with the rest of its line, and answers."""


def host(place: str) -> None:
    """A host with a table of three, whose pages are served by the program in which it is played."""
    # All phones are on this machine.
    with (
        Archive.open(place, by="bench") as archive,
        serving(archive, limits=ConnectionLimits(max_per_address=400)) as at,
    ):
        session = at.fight()
        sitting = at.sitting(session)
        sitting.enter("9s qh 6c")
        # As its screen does: what other windows write is seen before the next line.
        sitting.watch(lambda _: sitting.follow())
        begin(at.port, f"/t/{session}")
        follow({"phones": lambda many: _cookies(at, session, int(many)), "enter": _timed(partial(_entered, sitting))})


def _cookies(at: Host, session: str, many: int) -> list[str]:
    """So many phones more, which were let in: they sit at the table as long as seats are free, or look on."""
    phones = at.server.phones
    key = phones.doors.key
    ids = [phones.let_in(f"Phone {number}").phone for number in range(many)]
    held = phones.held_seats(session)
    free = (seat for seat in ("ana", "ben", "cy") if seat not in held)
    for phone, seat in zip(ids, free, strict=False):
        phones.sit(phone, session, seat)
    return [f"{visitor.cookie_name(key)}={visitor.sign_cookie(key, phone)}" for phone in ids]


def window(place: str, session: str) -> None:
    """Another program at the same table."""
    with Archive.open(place, by="bench") as archive:
        sitting = TableClient(SharedSessions(archive).open(session))
        begin(0, "")
        follow({"enter": _timed(partial(_entered, sitting))})


def _entered(sitting: TableClient, line: str) -> None:
    reply = sitting.enter(line)
    assert isinstance(reply, ActionDone), reply


def bare(page: str, event: str) -> None:
    """Nothing but starlette: a page and an event of so many bytes, without doors, rules or a disk."""
    html, sse_event = "x" * int(page), b"event: table\ndata: %s\n\n" % (b"x" * int(event))
    bells: set[asyncio.Event] = set()

    async def table(_: Request) -> Response:
        return HTMLResponse(html)

    async def events() -> AsyncIterator[bytes]:
        bell = asyncio.Event()
        bells.add(bell)
        while True:
            yield sse_event
            await bell.wait()
            bell.clear()

    async def news(_: Request) -> Response:
        return StreamingResponse(events(), media_type="text/event-stream")

    def ring() -> None:
        for bell in bells:
            bell.set()

    loop = asyncio.new_event_loop()
    with address.listen("127.0.0.1", 0) as listening:
        app = Starlette(routes=[Route("/t", table), Route("/t/news", news)])
        config = uvicorn.Config(app, http="h11", log_config=None, access_log=False, lifespan="off")
        served = uvicorn.Server(config).serve([listening])
        threading.Thread(target=loop.run_until_complete, args=(served,), daemon=True).start()
        begin(listening.getsockname()[1], "/t")
        follow({"phones": lambda many: [""] * int(many), "enter": _timed(lambda _: loop.call_soon_threadsafe(ring))})


def _timed(change: Callable[[str], object]) -> Command:
    """The moment before a change, on the clock that all programs of a machine share."""

    def timed(line: str) -> float:
        began = time.monotonic()
        change(line)
        return began

    return timed


def begin(port: int, page: str) -> None:
    """Say where it is."""
    print(json.dumps({"port": port, "page": page}), flush=True)


def follow(commands: Mapping[str, Command]) -> None:
    """Answer until nobody asks any more."""
    for line in sys.stdin:
        name, _, rest = line.strip().partition(" ")
        print(json.dumps(commands[name](rest)), flush=True)


if __name__ == "__main__":
    programs: dict[str, Callable[..., None]] = {"host": host, "window": window, "bare": bare}
    programs[sys.argv[1]](*sys.argv[2:])
