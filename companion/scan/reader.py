"""Reading of a picture: a child process opens it and searches for codes, and the result is described here.

No picture is decoded in this process: `labels/sandbox.py` defines the limits of the child. A page beyond them is
skipped, and the others still count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from companion.scan import problems
from companion.scan.codes import (
    Code,
    PictureError,
    no_code,
    pages_left_out,
    pages_unread,
    parse_printed,
    unreadable_code,
)
from labels.sandbox import BadFile, ChildFailed, ChildReply, Sandbox

_MAX_FAILURES: Final = 3
"""Pages beyond the limits after which the rest of the file is not tried."""

_SANDBOX: Final = Sandbox("companion.scan.worker")


class ScannedPage(msgspec.Struct, frozen=True):
    """The codes on one page of a file: their texts, and whether there is one that cannot be read.

    `of` is the number of pages to read, and `left_out` how many more there are. A page that is `lost` could not be
    read.
    """

    of: int
    left_out: int
    texts: tuple[str, ...] = ()
    broken: bool = False
    lost: bool = False


class _FileReply(msgspec.Struct, frozen=True):
    """The child's reply for a file; if its pages are `apart`, one can be read without those before."""

    of: int
    left_out: int
    apart: bool


class _PageReply(msgspec.Struct, frozen=True):
    """The child's reply for a page."""

    texts: tuple[str, ...]
    broken: bool


def start() -> None:
    """Start the child that reads pictures, so that it is ready when one is to be read."""
    _SANDBOX.start()


def stop() -> None:
    """Interrupt the page that another thread reads, as if it had taken too long."""
    _SANDBOX.interrupt()


def read(
    picture: Path | str,
    watched: Callable[[Iterator[ScannedPage]], Iterable[ScannedPage]] = iter,
    *,
    name: str = "",
    photo: bool = False,
    sandbox: Sandbox = _SANDBOX,
    until: float = math.inf,
) -> tuple[Code, ...]:
    """Return the QR codes in the file at that path, at least one Code: without a QR code, it says so.

    Raises PictureError if there is no readable picture.

    Args:
        picture: The path of the file.
        watched: Wraps the pages as they are read, to show progress or stop early.
        name: The name of the file in messages; its path by default.
        photo: True for a photograph from a telephone, which is no PDF.
        sandbox: The child process.
        until: The time by the monotonic clock at which reading stops.
    """
    source = name or str(picture)
    texts: dict[str, None] = {}
    lost: list[int] = []
    broken, page, number = False, None, 0
    file = _File(Path(picture), photo, sandbox, until)
    for number, page in enumerate(watched(file.pages()), 1):
        texts |= dict.fromkeys(page.texts)
        broken = broken or page.broken
        lost += [number] if page.lost else []
    if page is not None:
        lost += range(number + 1, page.of + 1)
    if page is None or len(lost) == page.of:
        raise PictureError(problems.describe_problem(source, file.problem or problems.TOO_MUCH))
    codes = [parse_printed(text, source) for text in texts]
    if broken:
        codes.append(unreadable_code(source))
    codes = codes or [no_code(source)]
    if lost:
        codes.append(pages_unread(source, lost, page.of))
    if page.left_out:
        codes.append(pages_left_out(source, page.of, page.left_out))
    return tuple(codes)


class _File:
    """A file that a child opens; `problem` is the error of the whole file, or of the last unreadable page."""

    def __init__(self, path: Path, photo: bool, sandbox: Sandbox, until: float) -> None:
        self._job = {"path": str(path.absolute()), "photo": photo}
        self._sandbox = sandbox
        self._until = until
        self.problem = ""

    def pages(self) -> Iterator[ScannedPage]:
        """Yield the result of each page, in order; none if the file cannot be opened."""
        at, spent = 0, 0
        head: _FileReply | None = None
        while head is None or at < head.of:
            tries_on = False
            try:
                answers = self._sandbox.ask({**self._job, "first": at}, self._until)
                head = parse_answer(next(answers, None), _FileReply)
                for answer in answers:
                    reply = parse_answer(answer, _PageReply)
                    yield ScannedPage(head.of, head.left_out, reply.texts, reply.broken)
                    at += 1
                return
            except BadFile as error:
                self.problem = str(error)
                tries_on = head is not None and head.apart
            except ChildFailed:
                self.problem = problems.TOO_MUCH
                spent += 1
                tries_on = head is not None and head.apart and spent < _MAX_FAILURES
            if head is None:
                return
            for _ in range(1 if tries_on else head.of - at):
                yield ScannedPage(head.of, head.left_out, lost=True)
                at += 1


_T = TypeVar("_T")


def parse_answer(answer: ChildReply | None, kind: type[_T]) -> _T:
    """Validate an answer. Raises ChildFailed: a child with any other answer is not trusted."""
    try:
        return msgspec.convert(answer and answer.reply, kind)
    except msgspec.ValidationError as error:
        raise ChildFailed from error
