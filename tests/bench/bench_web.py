"""How soon phones see what happens at the table, what they cost the host, and how many pages a second are served."""

import asyncio
import contextlib
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.bench.figures import Figure
from tests.terminal import resident

FEW, MANY = 8, 200
CHANGES = 30
TURNS = 3
BROWSERS, PAGES = 8, 25
"""Who asks for pages at the same time, and for how many each."""
PATIENCE = 20
BUDGET = 150
_LINE = 2**20
"""Bytes that an event has at most."""


class Program:
    """A program of `tests.bench.pages` that runs: `port` is where its pages are, `page` the path of its table."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.port = 0
        self.page = ""

    @property
    def memory(self) -> float:
        """What it holds now, in MiB."""
        return resident(self._process.pid)

    async def begin(self) -> None:
        """Wait until it is there."""
        message = await self._answer()
        self.port, self.page = message["port"], message["page"]

    async def ask(self, command: str) -> Any:
        """Have it do something; what it answers."""
        assert self._process.stdin
        self._process.stdin.write(f"{command}\n".encode())
        return await self._answer()

    async def _answer(self) -> Any:
        assert self._process.stdout
        return json.loads(await self._process.stdout.readline())


@contextlib.asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[Program]:
    """Such a program for as long as the block lasts."""
    command = (sys.executable, "-m", "tests.bench.pages", *arguments)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=_LINE)
    program = Program(process)
    try:
        await program.begin()
        yield program
    finally:
        assert process.stdin
        process.stdin.close()
        await process.wait()


class OpenPages:
    """Pages that are open: each hears what happens at a table, and notes when."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._listening: list[asyncio.Task[None]] = []
        # Of each page, the number of its newest event, and when that came.
        self._numbers: list[int] = []
        self._times: list[float] = []
        self._awaited = 0
        self._news = asyncio.Event()
        self.event = 0

    async def more(self, many: int) -> None:
        """So many in all, each with the table as it is now."""
        for cookie in await self._program.ask(f"phones {many - len(self._listening)}"):
            self._numbers.append(-1)
            self._times.append(0.0)
            self._listening.append(asyncio.create_task(self._listen(cookie, len(self._listening))))
        await self._all_have(0)

    def expect_change(self) -> None:
        """The next change is the one that `after` waits for. A page may have heard something else meanwhile."""
        self._awaited = max(self._numbers) + 1

    async def after(self, began: float) -> list[float]:
        """Milliseconds from a moment until each of them has heard of the change."""
        await self._all_have(self._awaited)
        return [(heard - began) * 1e3 for heard in self._times]

    def close(self) -> None:
        """Hear no more."""
        for task in self._listening:
            task.cancel()

    async def _all_have(self, number: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while min(self._numbers) < number:
                self._news.clear()
                await self._news.wait()

    async def _listen(self, cookie: str, place: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._program.port, limit=_LINE)
        with contextlib.closing(writer):
            writer.write(_request(self._program, "/news", cookie))
            while True:
                event = await reader.readuntil(b"\n\n")
                if b"event: table\n" not in event:
                    continue
                # Starlette alone numbers nothing, and sends nothing but changes.
                numbered = _NUMBER.search(event)
                number = int(numbered[1]) if numbered else self._awaited
                if number > self._numbers[place]:
                    self._numbers[place], self._times[place], self.event = number, time.monotonic(), len(event)
                    self._news.set()


_NUMBER: Final = re.compile(rb"^id: (\d+)$", re.MULTILINE)


def _request(program: Program, below: str, cookie: str) -> bytes:
    host = f"Host: 127.0.0.1:{program.port}\r\n"
    return f"GET {program.page}{below} HTTP/1.1\r\n{host}Cookie: {cookie}\r\n\r\n".encode()


class Measured(NamedTuple):
    """Of one program with pages: milliseconds from a change to each phone, with few of them and with many, MiB without
    phones and with many, and bytes of an event.
    """

    few: list[float]
    many: list[float]
    alone: float
    crowded: float
    event: int


def figures() -> list[Figure]:
    """Change to phone (p95), memory, requests a second."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_figures(str(Path(folder, "archive.sqlite"))))


async def _figures(place: str) -> list[Figure]:
    async with running("host", place) as host:
        (cookie,) = await host.ask("phones 1")
        content = await _page(host, cookie)
        assert b"Ana reveals" in content
        page = len(content)
        ours, elsewhere = await _measured(host, place)
        async with running("bare", str(page), str(ours.event)) as bare:
            plain, _ = await _measured(bare, "")
            rates = [[await _rate(each, by) for each, by in ((host, cookie), (bare, ""))] for _ in range(TURNS)]
    pages, plain_pages = map(max, zip(*rates, strict=True))
    return [
        Figure(f"change to {FEW} phones (p95)", _p95(ours.few), "ms", budget=BUDGET),
        Figure(f"change to {FEW} phones, beside starlette alone", _p95(ours.few), "ms", _p95(plain.few)),
        Figure(f"change to {MANY} phones (p95)", _p95(ours.many), "ms", _p95(plain.many)),
        Figure(f"change in another window to {FEW} phones (p95)", _p95(elsewhere), "ms", budget=BUDGET),
        Figure(f"memory with {MANY} phones, beside none", ours.crowded, "MiB", ours.alone),
        Figure(f"memory with {MANY} phones, starlette alone", plain.crowded, "MiB", plain.alone),
        Figure(f"pages of the table, {page / 1e3:.0f} kB each", pages, "/s", plain_pages),
    ]


async def _measured(program: Program, place: str) -> tuple[Measured, list[float]]:
    """The same of each program; and from another window on the file at `place`, where there is one."""
    alone, phones, elsewhere = program.memory, OpenPages(program), list[float]()
    try:
        await phones.more(FEW)
        few = await _changes(program, phones)
        if place:
            async with running("window", place, program.page.rpartition("/")[2]) as window:
                elsewhere = await _changes(window, phones)
        await phones.more(MANY)
        many = await _changes(program, phones)
        return Measured(few, many, alone, program.memory, phones.event), elsewhere
    finally:
        phones.close()


async def _changes(program: Program, phones: OpenPages) -> list[float]:
    """Milliseconds of each phone after each of some changes but the first, which finds nothing ready."""
    taken = []
    for sign in ("-", "+") * (CHANGES // 2):
        phones.expect_change()
        taken.append(await phones.after(await program.ask(f"enter add ben hp {sign}1")))
    return [each for change in taken[1:] for each in change]


def _p95(taken: Sequence[float]) -> float:
    return statistics.quantiles(taken, n=20)[-1]


async def _rate(program: Program, cookie: str) -> float:
    """Pages a second that some browsers get, each on a connection of its own."""
    began = time.perf_counter()
    await asyncio.gather(*(_page(program, cookie, PAGES) for _ in range(BROWSERS)))
    return BROWSERS * PAGES / (time.perf_counter() - began)


async def _page(program: Program, cookie: str, times: int = 1) -> bytes:
    """The table's page, so many times."""
    reader, writer = await asyncio.open_connection("127.0.0.1", program.port)
    with contextlib.closing(writer):
        for _ in range(times):
            writer.write(_request(program, "", cookie))
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            assert head.startswith("HTTP/1.1 200 "), head
            (length,) = (line[16:] for line in head.lower().split("\r\n") if line.startswith("content-length: "))
            page = await reader.readexactly(int(length))
    return page
