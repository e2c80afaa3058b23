"""What commands share: options, opening the archive, printing, files to write, and the sentences of errors."""

import contextlib
import errno
import functools
import os
import re
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, NoReturn, TypeVar

import click

from companion.archive.rows import PAGE
from companion.tabletop.errors import shorten_quotes
from companion.tabletop.text import capped
from companion.tabletop.text import sanitize as sanitize

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.archive.errors import Look
    from companion.archive.import_doubts import Doubt
    from companion.tabletop.records import Chore


_LONG_WAIT = 3
"""Seconds of waiting that a log of a program's errors should tell of."""

_BAR_STEPS = 1000
"""Of a bar."""

_MAX_TEXT = 1_000_000
"""Bytes of what people write about one deck: some hundred times the longest list."""

REFUSED = 1
MISUSED = 2

_BEGIN: Final = "Open companion, or build a first deck by companion deck new, and one begins."
_LOOK_AGAIN: Final = "Look at its name; companion, companion deck new and companion archive restore begin one."

PIPE = Path("-")
"""Where a command reads or writes a file: standard input or output."""

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Row = TypeVar("_Row")

# Named by text, so that telling unreadable input from a refusal loads none of the rooms.
_UNREADABLE = frozenset(
    {
        "companion.tabletop.action.NotationError",
        "companion.archive.deck_id.DeckIdError",
        "companion.archive.errors.Unreadable",
        "companion.scan.codes.PictureError",
    }
)
_NO_NUMBER = re.compile(r"(?<=not a )valid (integer|float)(?: range)?")
"""What click says of a word that stands where a number must, and nobody else would."""
_NUMBERS = {"integer": "whole number", "float": "number"}
_OUR_ROOMS = frozenset({"companion", "labels"})
_WRONG_PATH = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)


class Refused(click.ClickException):
    """A sentence that ends the command with status 1: understood, but not done."""

    exit_code = REFUSED


class Misused(click.ClickException):
    """A sentence that ends the command with status 2: an argument or input that cannot be read."""

    exit_code = MISUSED


def end_refused(sentences: Iterable[str]) -> NoReturn:
    """Ends a command that did what it could with status 1, and tells what it could not do, a sentence a line."""
    for sentence in sentences:
        click.echo(sanitize(shorten_quotes(sentence)), err=True)
    raise click.exceptions.Exit(REFUSED)


def archive_option(command: _Command) -> _Command:
    """Adds `--archive URL`; the command gets `archive`, the URL given here or right after `companion`, or None."""
    option = click.option(
        "--archive",
        metavar="URL",
        callback=_resolve_archive,
        help="Archive to use: a file, sqlite:///FILE or postgresql://…; else COMPANION_ARCHIVE, else your own.",
    )
    return option(command)


def any_archive_option(command: _Command) -> _Command:
    """Adds `--archive URL` to a command that opens none, as all others have it; the command does not get it."""
    option = click.option("--archive", metavar="URL", expose_value=False, help="Taken as everywhere, and not opened.")
    return option(command)


def json_option(command: _Command) -> _Command:
    """Adds `--json`; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(command)


def output_option(text: str, name: str = "--out", *, required: bool = False) -> Callable[[_Command], _Command]:
    """Adds `-o`, also by a long `name`, with this help; the command gets a path by that name, which may be PIPE."""
    return click.option("-o", name, type=click.Path(path_type=Path), metavar="FILE", required=required, help=text)


def force_option(command: _Command) -> _Command:
    """Adds `--force`; the command gets `force`, to be handed to `fresh_file`."""
    return click.option("--force", is_flag=True, help="Overwrite a file that exists.")(command)


def _resolve_archive(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    if context.parent is not None:
        _show_waits()
    before = context.find_root().params.get("archive")
    return value or (before if isinstance(before, str) else None)


def _show_waits() -> None:
    """Who waits for the archive is told on stderr how long: on a terminal from the first second on, else once."""
    from companion.archive.waiting import describe_wait, waits

    def show(seconds: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{describe_wait(seconds)}", nl=False, err=True)
        elif seconds == _LONG_WAIT:
            click.echo(describe_wait(seconds), err=True)

    waits.listen(show)


@contextlib.contextmanager
def open_archive(
    url: str | None, *, create: bool = False, scratch: bool = False, tells: bool = True
) -> Iterator["Archive"]:
    """The archive that `--archive` names, for as long as the block lasts: how every command opens it.

    One is begun only by commands that are meant to, with `create`. What does without an archive gets an empty one by
    `scratch`, where there is none yet; it is gone afterwards. Of an archive that is older than
    this computer last saw it that is told on stderr, unless the command `tells` it by itself.

    Raises Unreadable, Misused where there is no archive as it was named, and Refused where nobody named one.
    """
    from companion.archive import Archive, NoArchive

    with contextlib.ExitStack() as closing:
        try:
            opened = Archive.open(url, create=create)
        except NoArchive as error:
            if url and not scratch:
                raise Misused(f"{error} {_LOOK_AGAIN}") from error
            if not scratch:
                raise Refused(f"You have no archive yet. {_BEGIN}") from error
            folder = closing.enter_context(tempfile.TemporaryDirectory())
            opened = Archive.open(str(Path(folder, "archive.sqlite")))
        closing.enter_context(opened)
        yield from _report_loss(opened, tells=tells)


@contextlib.contextmanager
def pages_at_hand(url: str | None) -> Iterator[None]:
    """Games can be named that somebody added to the archive, for as long as the block lasts.

    It is opened only where a game is named that nobody else knows; where there is none, none is begun.
    """
    from companion.archive import Archive

    with Archive.open_lazily(url, create=False):
        yield


def _report_loss(opened: "Archive", *, tells: bool) -> Iterator["Archive"]:
    loss = opened.store.loss_reason if tells else ""
    try:
        yield opened
    except Exception as error:
        loss = "" if loss in str(error) else loss
        raise
    finally:
        if loss:
            click.echo(sanitize(with_hint(loss, "loss")), err=True)


@contextlib.contextmanager
def reading_bar(label: str) -> Iterator[Callable[[float], None]]:
    """A bar on a terminal, for what is told how much of a file is read, from 0 to 1."""
    with click.progressbar(length=_BAR_STEPS, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield lambda share: bar.update(int(share * _BAR_STEPS) - bar.pos)


def confirm_doubts(doubts: "Sequence[Doubt]", *, yes: bool) -> None:
    """Tells what is doubtful about a file, and goes on where that is wanted: by `--yes`, or by an answer on a terminal.

    Where nobody is there to be asked, a story that only went on elsewhere is told, and what is odd is refused. A deck
    whose name is in use here is refused in any case; its name can be changed. Raises Refused.
    """
    for doubt in doubts:
        click.echo(sanitize(doubt.text), err=True)
    if not doubts or yes:
        return
    if any(doubt.name_taken for doubt in doubts):
        raise Refused(
            "Nothing is taken in; give one of the two decks another name with companion deck rename, and import again "
            "(V1.15)."
        )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        if any(doubt.odd for doubt in doubts):
            raise Refused("Nothing is taken in; where that is as it should be, --yes takes it in.")
        return
    if not click.confirm("Take it in?", err=True):
        raise Refused("Nothing is taken in.")


def yes_option(command: _Command) -> _Command:
    """Adds `--yes`; the command gets `yes`, to be handed to `agree`."""
    return click.option("--yes", is_flag=True, help="Take in what is doubtful, without being asked.")(command)


def read_text(file: BinaryIO) -> str:
    """Return what people wrote into a file: a deck list, a record sheet, a homebrew. Lines end in line feeds alone.

    Raises Misused where that is no text.
    """
    content = file.read(_MAX_TEXT + 1)
    if len(content) > _MAX_TEXT:
        raise Misused(f"“{file.name}” has more than {_MAX_TEXT // 1_000_000} MB, which nobody writes about one deck.")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Misused(f"“{file.name}” is not text in UTF-8; save it as that.") from None


def find_deck(archive: "Archive", text: str) -> "DeckRow":
    """The deck that DECK means: an id in any spelling, the beginning of a name, or a picture of a box's QR code.

    Raises Unknown, DeckIdError, PictureError, or Misused where the picture shows no one deck's code.
    """
    from companion.archive import Unknown, deck_id

    try:
        return archive.find_deck(text)
    except (Unknown, deck_id.DeckIdError):
        if not os.path.isfile(text):  # noqa: PTH113 - a name may be longer than any path, which Path would not forgive
            raise
    return archive.find_deck(_deck_in_picture(text))


def _deck_in_picture(picture: str) -> str:
    from companion.scan import read

    codes = read(picture)
    decks = {code.deck for code in codes if code.deck is not None}
    if len(decks) > 1:
        raise Misused(f"“{picture}” shows the codes of {len(decks)} decks; name the one you mean.")
    if not decks:
        raise Misused(f"“{picture}”: {codes[0].problem}")
    return decks.pop()


def print_json(value: object) -> None:
    """Prints `value`, anything msgspec can encode, as indented JSON; what no text may show is spelled as numbers."""
    import json

    import msgspec

    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    for symbol in {symbol for row in text.split("\n") for symbol in row if sanitize(symbol) != symbol}:
        text = text.replace(symbol, json.dumps(symbol)[1:-1])
    click.echo(text)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints rows of text in columns as wide as they need, below headings unless all of those are empty.

    Each row has as many cells as there are headings.
    """
    cells = [*([headings] if any(headings) else []), *([sanitize(capped(cell)) for cell in row] for row in rows)]
    columns = [_pad(column) for column in zip(*cells, strict=True)]
    # In one go: a list may have tens of thousands of rows.
    click.echo("\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True)))


def print_list(
    rows: Sequence[_Row],
    headings: Sequence[str],
    cells: Callable[[_Row], Sequence[str]],
    empty: str,
    *,
    as_json: bool,
    plain: Callable[[_Row], object] = lambda row: row,
) -> None:
    """Prints a list: with `as_json` what `plain` makes of each row, else its `cells` in columns, or else `empty`."""
    if as_json:
        print_json([plain(row) for row in rows])
    elif rows:
        print_table(headings, [cells(row) for row in rows])
    else:
        click.echo(empty)


def print_warnings(sentences: Iterable[str]) -> None:
    """Prints what people must mind, a sentence a line."""
    for sentence in sentences:
        click.echo(sanitize(f"Mind: {sentence}"))


def plain_chores(chores: "Iterable[Chore]") -> list[dict[str, str]]:
    """What is to be done by hand, for programs."""
    return [{"chore": chore.id, "text": chore.text} for chore in chores]


def _pad(column: Sequence[str]) -> list[str]:
    widths = [len(cell) if cell.isascii() else sum(map(_columns, cell)) for cell in column]
    widest = max(widths)
    return [cell + " " * (widest - width) for cell, width in zip(column, widths, strict=True)]


@functools.cache
def _columns(symbol: str) -> int:
    """How many columns of a terminal a symbol takes; the same few stand in most cells."""
    if unicodedata.category(symbol) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(symbol) in "WF" else 1


def when(moment: datetime) -> str:
    """A moment in the time of the place where the program runs."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


@contextlib.contextmanager
def fresh_file(path: Path, *, force: bool) -> Iterator[Path]:
    """A path to write to; what is written there becomes `path` when the block ends well, and nothing is left else.

    Where `path` is `-`, standard output gets it. Raises as `check_file`.
    """
    from companion.archive import files

    if path == PIPE:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder, "draft")
            copy_to_stdout(Path(folder, "draft"))
        return
    check_file(path, force=force)
    with refused_file(), files.write_atomically(path, force=force) as draft:
        yield draft


def copy_to_stdout(file: Path) -> None:
    """Writes a file to standard output, byte by byte. Raises Refused where nobody reads it to its end."""
    try:
        with file.open("rb") as draft:
            # A program can be started without any standard output.
            if sys.stdout is None:
                raise BrokenPipeError
            shutil.copyfileobj(draft, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except OSError as error:
        if not is_broken_pipe(error):
            raise
        if sys.stdout is not None:
            # Without this the interpreter complains while it closes it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Refused("What reads standard output was closed before all of it was written.") from error


def is_broken_pipe(error: BaseException) -> bool:
    """Return True if whoever read our output has gone. Windows calls that an invalid argument, without a file."""
    if isinstance(error, BrokenPipeError):
        return True
    is_invalid = isinstance(error, OSError) and error.errno == errno.EINVAL and error.filename is None
    return is_invalid and sys.platform == "win32"


@contextlib.contextmanager
def refused_file() -> Iterator[None]:
    """Where a file is there, or cannot be: raises Refused or Misused in words of the command line."""
    from companion.archive import files

    try:
        yield
    except files.FileExists as error:
        sentence = str(error).partition(";")[0]
        raise Refused(f"{sentence}; give --force to overwrite it, or name another file.") from error
    except files.NotWritable as error:
        raise Misused(str(error)) from error


def print_or_write(text: str, out: Path | None, what: str, *, force: bool) -> None:
    """Prints a text, or writes it into a file and says what that is."""
    if out is None or out == PIPE:
        click.echo(text, nl=False)
        return
    with fresh_file(out, force=force) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
    tell_written(out, what)


def tell_written(path: Path, what: str) -> None:
    """Says what was written to `path`; on stderr where that is standard output, which holds nothing else then."""
    sentence = f"standard output: {what}" if path == PIPE else f"{path}: {what}"
    click.echo(sanitize(sentence), err=path == PIPE)


def check_file(path: Path, *, force: bool) -> None:
    """Raises Refused if `path` exists and `force` is not given, Misused if it is no place for a file."""
    from companion.archive import files

    with refused_file():
        files.check_writable(path, force=force)


_HINTS: Final[Mapping[str, str]] = {
    "decks": "companion deck list shows all",
    "sessions": "companion session list shows all",
    "people": "companion people list shows all",
    "phones": "companion phones list shows all",
    "printers": "companion labels calibrate makes one known, and companion labels printers lists them",
    "sheets": "companion labels sheets shows all",
    "leagues": "companion league list shows all",
    "rehearsals": "companion rehearse --runs shows all",
    "games": "companion game list shows all",
    "backups": "companion archive backups lists what there is",
    "damage": "companion archive check says what is lost and which backups there are, and with --repair saves the rest",
    "loss": "companion archive restore puts a backup in its place, and companion archive accept goes on with it as it "
    "is",
}
"""The commands that show what an error says to look at."""


def describe_error(error: BaseException) -> str:
    """The sentence of an error, with the command that leads on; also where another error carries that sentence."""
    text = error.format_message() if isinstance(error, click.ClickException) else str(error)
    cause: BaseException | None = error
    while cause is not None:
        look = getattr(cause, "look", None)
        if look is not None and text.endswith(str(cause)):
            return with_hint(text, look)
        cause = cause.__cause__ or cause.__context__
    return text


def with_hint(sentence: str, look: "Look | None") -> str:
    """A sentence, with the command that leads to what there is to look at."""
    return f"{sentence.rstrip('.')}; {_HINTS[look]}." if look else sentence


def explain_error(error: BaseException) -> tuple[str, int] | None:
    """What to tell a person about `error` and the exit status it ends with; None if it is a fault of the program."""
    explanation = _explain_error(error)
    return explanation and (shorten_quotes(explanation[0]), explanation[1])


def _explain_error(error: BaseException) -> tuple[str, int] | None:
    if isinstance(error, click.UsageError):
        return _explain_usage(error), MISUSED
    if isinstance(error, click.ClickException):
        return describe_error(error), error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return "Stopped.", REFUSED
    if isinstance(error, OSError) and not _is_ours(error):
        return _explain_path(error), MISUSED if isinstance(error, _WRONG_PATH) else REFUSED
    if _is_ours(error):
        return describe_error(error), MISUSED if {
            f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__
        } & _UNREADABLE else REFUSED
    return None


def _explain_usage(error: click.UsageError) -> str:
    if error.ctx is None or isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    message = _NO_NUMBER.sub(lambda of: _NUMBERS[of[1]], sanitize(error.format_message()).rstrip("."))
    return f"{message}{'' if message.endswith('?') else '.'} See {error.ctx.command_path} --help."


def _is_ours(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in _OUR_ROOMS


def _explain_path(error: OSError) -> str:
    name = f"“{error.filename}”" if error.filename is not None else "the output"
    from companion.archive import files

    if error.errno in files.NO_ROOM:
        return f"The disk is full: {name} was not written."
    if isinstance(error, FileNotFoundError):
        return f"{name} does not exist."
    if _is_directory_error(error):
        return f"{name} is a directory; name a file."
    if isinstance(error, PermissionError):
        # There, a PDF that a viewer shows cannot be replaced.
        other = ", or another program has it open" if sys.platform == "win32" else ""
        return f"{name} may not be read or written by you{other}; name another place."
    return f"{name[0].upper()}{name[1:]} failed: {error.strerror or error}."


def _is_directory_error(error: OSError) -> bool:
    """Return True if a directory was opened as a file, which Windows refuses as it does what one may not open."""
    if isinstance(error, PermissionError) and sys.platform == "win32":
        return isinstance(error.filename, str) and Path(error.filename).is_dir()
    return isinstance(error, IsADirectoryError)


_POSITIVE = click.IntRange(1, 1_000_000)


class PageOptions(NamedTuple):
    """A page of a list, from 1 on, and how many rows it has; a `limit` of None is the whole list."""

    page: int
    limit: int | None

    @property
    def at(self) -> int:
        """The number of the first row, from 0."""
        return (self.page - 1) * (self.limit or 0)


def page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--page`, `--limit` and `--all`; the command gets what they say as `page`. Stands above `json_option`."""

    @click.option("--page", type=_POSITIVE, metavar="N", help="That page of the list.")
    @click.option("--limit", type=_POSITIVE, metavar="N", help=f"So many a page; {PAGE} if not said.")
    @click.option("--all", "whole", is_flag=True, help="The whole list, also on a terminal.")
    @functools.wraps(command)
    def paged(*, page: int | None, limit: int | None, whole: bool, **rest: Any) -> Any:
        if whole and (page or limit):
            raise Misused("--all is the whole list; leave out --page and --limit, or --all.")
        some = page or limit or not (whole or rest["as_json"] or not sys.stdout.isatty())
        return command(page=PageOptions(page or 1, (limit or PAGE) if some else None), **rest)

    return paged


def print_page_position(page: PageOptions, rows: Sized, total: int, things: str) -> None:
    """Says on stderr which rows were shown, and how to see the others. Raises Refused for a page past the end."""
    if not rows and total:
        last = -(-total // (page.limit or total))
        raise Refused(f"There is no page {page.page}: of {page.limit} {things} each, page {last} is the last.")
    last = page.at + len(rows)
    if last < total or page.at:
        more = f"; --page {page.page + 1} shows the next" if last < total else ""
        click.echo(f"{page.at + 1:,} to {last:,} of {total:,} {things}{more}, --all all of them.", err=True)
