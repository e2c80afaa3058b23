"""A finished PDF becomes a file, with its preview and the positions that it takes of sheets: all of that or nothing.

Commands, screens and pages all print through `write_pdf`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from labels import previews, proof
from labels.stocks import Stock

if TYPE_CHECKING:
    from companion.archive import Archive

Fresh = Callable[[Path], AbstractContextManager[Path]]
"""Gives a path to write to, which becomes the one that was asked for when the block ends well."""

Draw = Callable[[BinaryIO], object]
"""Writes a PDF, which may be larger than memory, as far as it is drawn."""


class Beginning(NamedTuple):
    """A sheet that the archive remembers from now on, with its free positions."""

    name: str
    stock: Stock
    free: tuple[int, ...]


class Claims(NamedTuple):
    """The positions that a print-out takes of sheets, by the sheets' names, and the sheet that begins with it."""

    positions: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    begins: Beginning | None = None


NO_CLAIMS: Final = Claims()


@contextmanager
def write_pdf(
    draw: Draw,
    output: Path | None,
    fresh: Fresh,
    preview: Path | None = None,
    archive: Archive | None = None,
    claims: Claims = NO_CLAIMS,
) -> Iterator[Path]:
    """Draws the PDF, claims its positions, writes it and its preview: all of that, or nothing where anything fails.

    Gives where the PDF lies until the block has ended well; without an `output` that is all that becomes of it. What
    the block does, such as sending it to a printer, is part of it. `archive` keeps the sheets of the `claims`. Raises
    PreviewError for a preview that has no known ending, LabelError, ArchiveError, OSError.
    """
    with ExitStack() as claimed, ExitStack() as files:
        document = files.enter_context(_temporary_file() if output is None else fresh(output))
        with document.open("wb") as out:
            draw(out)
        if preview is not None:
            draw_page = previews.drawing(preview)
            for path, number in zip(_numbered(preview), range(1, proof.count(document) + 1), strict=False):
                draw_page(document, number, files.enter_context(fresh(path)))
        if archive is not None:
            # Entered last and left last: also where the file cannot take its name, the positions are free again.
            claimed.enter_context(_claim_positions(archive, claims))
        yield document


@contextmanager
def _claim_positions(archive: Archive, claims: Claims) -> Iterator[None]:
    """Takes positions of sheets; where the block does not end well they are free again, and no sheet has begun."""
    from companion.archive import stationery

    if claims.begins is not None:
        name, stock, free = claims.begins
        stationery.begin_sheet(archive, name, stock.name, stock.count, free)
    try:
        if claims.positions:
            stationery.claim(archive, claims.positions)
    except BaseException:
        _put_away(archive, claims)
        raise
    try:
        yield
    except BaseException as error:
        _give_back(archive, claims, error)
        raise


def _give_back(archive: Archive, claims: Claims, error: BaseException) -> None:
    """Frees what was claimed. Raises ArchiveError, naming the positions, where even that cannot be written down."""
    from companion.archive import ArchiveError, stationery

    _put_away(archive, claims)
    for name, positions in claims.positions.items():
        if claims.begins is not None and name == claims.begins.name:
            continue
        try:
            stationery.give_back(archive, name, positions)
        except ArchiveError as failed:
            numbers = ", ".join(map(str, positions))
            raise ArchiveError(
                f"{str(error).rstrip('.')}; and positions {numbers} of the sheet “{name}” still wait for an answer: "
                "say that they are blank."
            ) from failed


def _put_away(archive: Archive, claims: Claims) -> None:
    from companion.archive import stationery

    if claims.begins is not None:
        stationery.put_away(archive, claims.begins.name)


@contextmanager
def _temporary_file() -> Iterator[Path]:
    """A file that is gone when the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "print.pdf"


def _numbered(path: Path) -> Iterator[Path]:
    """The path itself, then FILE-2.png, FILE-3.png and so on for further sheets."""
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")
