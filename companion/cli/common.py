"""Shared parts of the commands: options, opening the archive, printing, output files, and error messages."""

import contextlib
import errno
import functools
import json
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
import msgspec

import companion.archive
from companion import scan
from companion.archive import deck_id
from companion.archive.errors import Clause, NoArchive, Unknown
from companion.archive.storage.rows import PAGE
from companion.archive.storage.waiting import describe_wait, waits
from companion.cli.confirmation import confirm
from companion.tabletop.errors import shorten_quotes
from companion.tabletop.text import sanitize as sanitize
from companion.tabletop.text import shorten_cell
from templates.languages import messages
from templates.languages.dates import date_and_time
from templates.languages.messages import Finished, Message, Text, joined, phrase

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.archive.errors import Look
    from companion.archive.exchange.import_doubts import Doubt
    from companion.tabletop.records import Chore


_LONG_WAIT = 3
"""Seconds of waiting that are worth a line in a log of errors."""

_BAR_STEPS = 1000
"""The number of steps of a progress bar."""

_MAX_TEXT = 1_000_000
"""The maximum size of a user's text about a deck: some hundred times the longest list."""

REFUSED = 1
MISUSED = 2

_BEGIN: Final = phrase("Open companion, or build a first deck by companion deck new, and one begins.")
_LOOK_AGAIN: Final = phrase("Look at its name; companion, companion deck new and companion archive restore begin one.")

PIPE = Path("-")
"""As the path of a file to read or write: standard input or output."""

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Row = TypeVar("_Row")

# By name, so that telling unreadable input from a refusal imports none of these packages.
_UNREADABLE = frozenset(
    {
        "companion.tabletop.action.NotationError",
        "companion.archive.deck_id.DeckIdError",
        "companion.archive.errors.Unreadable",
        "companion.scan.codes.PictureError",
        "templates.languages.catalogues.LanguageError",
    }
)
_NO_NUMBER = re.compile(r"(?<=not a )valid (integer|float)(?: range)?")
"""Click's names of number types, which `_NUMBERS` replaces by common words."""
_NUMBERS = {"integer": "whole number", "float": "number"}
_OUR_ROOMS = frozenset({"companion", "labels", "templates"})
_WRONG_PATH = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)


class _Ending(click.ClickException):
    """An error that ends the command with a sentence, in the language of the command."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Refused(_Ending):
    """An error that ends the command with status 1: understood, but not done."""

    exit_code = REFUSED


class Misused(_Ending):
    """An error that ends the command with status 2: an argument or input that cannot be read."""

    exit_code = MISUSED


def end_refused(sentences: Iterable[Text]) -> NoReturn:
    """End a command with status 1 after it has done what it could; print the reasons for the rest, one per line."""
    for sentence in sentences:
        click.echo(sanitize(shorten_quotes(str(sentence))), err=True)
    raise click.exceptions.Exit(REFUSED)


def archive_option(command: _Command) -> _Command:
    """Add `--archive URL`; the command gets `archive`, the URL given here or right after `companion`, or None."""
    option = click.option(
        "--archive",
        metavar="URL",
        callback=_resolve_archive,
        help="Archive to use: a file, sqlite:///FILE or postgresql://…; default: COMPANION_ARCHIVE, or else your own "
        "archive.",
    )
    return option(command)


def any_archive_option(command: _Command) -> _Command:
    """Add `--archive URL` to a command that opens no archive, for uniformity; the command does not get it."""
    option = click.option(
        "--archive", metavar="URL", expose_value=False, help="Accepted for uniformity; this command opens no archive."
    )
    return option(command)


def json_option(command: _Command) -> _Command:
    """Add `--json`; the command gets `as_json`. With it the command speaks English, as programs expect."""
    return click.option(
        "--json", "as_json", is_flag=True, callback=_speak_english, help="Print JSON for programs, in English."
    )(command)


def _speak_english(_: click.Context, __: click.Parameter, value: bool) -> bool:
    if value:
        messages.speak_to_the_end(messages.ENGLISH)
    return value


def output_option(text: str, name: str = "--out", *, required: bool = False) -> Callable[[_Command], _Command]:
    """Add `-o` and a long `name` for an output file, with this help; the command gets a path, which may be PIPE."""
    return click.option("-o", name, type=click.Path(path_type=Path), metavar="FILE", required=required, help=text)


def force_option(command: _Command) -> _Command:
    """Add `--force`; the command gets `force`, for `fresh_file`."""
    return click.option("--force", is_flag=True, help="Overwrite an existing file.")(command)


def _resolve_archive(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    if context.parent is not None:
        _show_waits()
    before = context.find_root().params.get("archive")
    return value or (before if isinstance(before, str) else None)


def _show_waits() -> None:
    """Report waits for the archive on stderr: on a terminal from the first second on, else once."""

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
    """Yield the archive that `--archive` names while the block runs; every command opens it this way.

    Only commands that may begin an archive pass `create`. With `scratch`, a command that works without an archive gets
    a temporary empty one if there is none. If the archive is older than this computer last saw it, that is reported on
    stderr, unless `tells` is False because the command reports it itself.

    Raises Unreadable, Misused if the named archive does not exist, and Refused if none is named or found.
    """
    with contextlib.ExitStack() as closing:
        try:
            opened = companion.archive.Archive.open(url, create=create)
        except NoArchive as error:
            if url and not scratch:
                raise Misused(joined(" ", (error.message, _LOOK_AGAIN))) from error
            if not scratch:
                raise Refused(joined(" ", (phrase("You have no archive yet."), _BEGIN))) from error
            folder = closing.enter_context(tempfile.TemporaryDirectory())
            opened = companion.archive.Archive.open(str(Path(folder, "archive.sqlite")))
        closing.enter_context(opened)
        yield from _report_loss(opened, tells=tells)


@contextlib.contextmanager
def pages_at_hand(url: str | None) -> Iterator[None]:
    """Make the games that were added to the archive available while the block runs.

    The archive is opened only if an unknown game is named; if there is none, none is begun.
    """
    with companion.archive.Archive.open_lazily(url, create=False):
        yield


def _report_loss(opened: "Archive", *, tells: bool) -> Iterator["Archive"]:
    loss = opened.store.loss_reason if tells else ""
    try:
        yield opened
    except Exception as error:
        loss = "" if str(loss) in str(error) else loss
        raise
    finally:
        if loss:
            click.echo(sanitize(with_hint(loss, "loss")), err=True)


@contextlib.contextmanager
def reading_bar(label: Text) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on a terminal; yield the function that sets the share of the file that was read,
    from 0 to 1.
    """
    with click.progressbar(length=_BAR_STEPS, label=str(label), file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield lambda share: bar.update(int(share * _BAR_STEPS) - bar.pos)


def confirm_doubts(doubts: "Sequence[Doubt]", *, yes: bool) -> None:
    """Print the doubts about a file, and return if the import is confirmed by `--yes` or on a terminal.

    Without a terminal, a story that only went on elsewhere is accepted, and anything odd is refused. A deck whose name
    is in use here is always refused; its name can be changed. Raises Refused.
    """
    for doubt in doubts:
        click.echo(sanitize(doubt.text), err=True)
    if not doubts or yes:
        return
    if any(doubt.name_taken for doubt in doubts):
        raise Refused(
            phrase(
                "Nothing is taken in; give one of the two decks another name with companion deck rename, and import "
                "again (V1.15)."
            )
        )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        if any(doubt.odd for doubt in doubts):
            raise Refused(phrase("Nothing is taken in; where that is as it should be, --yes takes it in."))
        return
    if not confirm(phrase("Take it in?"), err=True):
        raise Refused(phrase("Nothing is taken in."))


def yes_option(command: _Command) -> _Command:
    """Add `--yes`; the command gets `yes`, for `confirm_doubts`."""
    return click.option("--yes", is_flag=True, help="Import doubtful entries without asking.")(command)


def read_text(file: BinaryIO) -> str:
    """Return the text of a user's file: a deck list, a record sheet, a homebrew. Line ends are converted to line feeds.

    Raises Misused if it is no text.
    """
    content = file.read(_MAX_TEXT + 1)
    if len(content) > _MAX_TEXT:
        raise Misused(
            phrase(
                "“{file}” has more than {max_text} MB, which nobody writes about one deck.",
                file=file.name,
                max_text=_MAX_TEXT // 1_000_000,
            )
        )
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Misused(phrase("“{file}” is not UTF-8 text; save it as UTF-8.", file=file.name)) from None


def find_deck(archive: "Archive", text: str) -> "DeckRow":
    """Return the deck that DECK names: an id in any spelling, the beginning of a name, or a picture of a box's QR code.

    Raises Unknown, DeckIdError, PictureError, or Misused if the picture does not show the code of exactly one deck.
    """
    try:
        return archive.find_deck(text)
    except (Unknown, deck_id.DeckIdError):
        if not os.path.isfile(text):  # noqa: PTH113 - a name may be longer than any path, which Path would not forgive
            raise
    return archive.find_deck(_deck_in_picture(text))


def _deck_in_picture(picture: str) -> str:
    codes = scan.read(picture)
    decks = {code.deck for code in codes if code.deck is not None}
    if len(decks) > 1:
        raise Misused(
            phrase(
                "“{picture}” shows the codes of {decks} decks; name the one you mean.",
                picture=picture,
                decks=str(len(decks)),
            )
        )
    if not decks:
        raise Misused(phrase("“{file}”: {problem}", file=picture, problem=codes[0].problem))
    return decks.pop()


def encode_message(value: object) -> str:
    """Return a message in the language of the process."""
    if isinstance(value, Message):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


def print_json(value: object) -> None:
    """Print a value, anything msgspec can encode, as indented JSON; symbols that must not be printed are escaped."""
    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=encode_message), indent=2).decode()
    for symbol in {symbol for row in text.split("\n") for symbol in row if sanitize(symbol) != symbol}:
        text = text.replace(symbol, json.dumps(symbol)[1:-1])
    click.echo(text)


def print_table(headings: Sequence[Text], rows: Sequence[Sequence[Text]]) -> None:
    """Print rows of text in columns as wide as they need, below headings unless all of those are empty.

    Each row has as many cells as there are headings, which are titles and are printed in capitals.
    """
    cells = [
        *([[str(heading).upper() for heading in headings]] if any(headings) else []),
        *([sanitize(shorten_cell(str(cell))) for cell in row] for row in rows),
    ]
    columns = [_pad_column(column) for column in zip(*cells, strict=True)]
    # In one call: a list may have tens of thousands of rows.
    click.echo("\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True)))


def print_list(
    rows: Sequence[_Row],
    headings: Sequence[Text],
    cells: Callable[[_Row], Sequence[Text]],
    empty: Text,
    *,
    as_json: bool,
    plain: Callable[[_Row], object] = lambda row: row,
) -> None:
    """Print a list: with `as_json` the result of `plain` for each row, else its `cells` in columns, or `empty` if there
    are no rows.
    """
    if as_json:
        print_json([plain(row) for row in rows])
    elif rows:
        print_table(headings, [cells(row) for row in rows])
    else:
        click.echo(str(empty))


def print_warnings(sentences: Iterable[Text]) -> None:
    """Print warnings, one per line."""
    for sentence in sentences:
        click.echo(sanitize(phrase("Mind: {sentence}", sentence=sentence)))


def plain_chores(chores: "Iterable[Chore]") -> list[dict[str, str]]:
    """Return chores for JSON."""
    return [{"chore": chore.id, "text": str(chore.text)} for chore in chores]


def _pad_column(column: Sequence[str]) -> list[str]:
    widths = [len(cell) if cell.isascii() else sum(map(_columns, cell)) for cell in column]
    widest = max(widths)
    return [cell + " " * (widest - width) for cell, width in zip(column, widths, strict=True)]


@functools.cache
def _columns(symbol: str) -> int:
    """Return the columns of a symbol in a terminal; cached, as the same few symbols are in most cells."""
    if unicodedata.category(symbol) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(symbol) in "WF" else 1


def format_local_time(moment: datetime) -> str:
    """Format a moment in the local time zone, in the language of the reader."""
    return str(date_and_time(moment))


@contextlib.contextmanager
def fresh_file(path: Path, *, force: bool) -> Iterator[Path]:
    """Yield a draft to write to, which becomes `path` if the block succeeds; otherwise nothing is left.

    If `path` is `-`, the draft is copied to standard output. Raises as `check_file`.
    """
    from companion.archive.storage import files

    if path == PIPE:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder, "draft")
            copy_to_stdout(Path(folder, "draft"))
        return
    check_file(path, force=force)
    with refused_file(), files.write_atomically(path, force=force) as draft:
        yield draft


def copy_to_stdout(file: Path) -> None:
    """Write a file to standard output, byte by byte. Raises Refused if the reader closes it early."""
    try:
        with file.open("rb") as draft:
            # A program can be started without standard output.
            if sys.stdout is None:
                raise BrokenPipeError
            shutil.copyfileobj(draft, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except OSError as error:
        if not is_broken_pipe(error):
            raise
        if sys.stdout is not None:
            # Without this the interpreter reports an error while it closes standard output.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Refused(phrase("What reads standard output was closed before all of it was written.")) from error


def is_broken_pipe(error: BaseException) -> bool:
    """Return True if the reader of the output has gone. Windows reports that as an invalid argument, without a file."""
    if isinstance(error, BrokenPipeError):
        return True
    is_invalid = isinstance(error, OSError) and error.errno == errno.EINVAL and error.filename is None
    return is_invalid and sys.platform == "win32"


@contextlib.contextmanager
def refused_file() -> Iterator[None]:
    """Translate errors about an output file into Refused or Misused with the options of the command line."""
    from companion.archive.storage import files

    try:
        yield
    except files.FileExists as error:
        raise Refused(
            phrase(
                "“{path}” was written by another program meanwhile; give --force to overwrite it, or name another "
                "file.",
                path=error.path,
            )
            if error.was_written
            else phrase("“{path}” exists; give --force to overwrite it, or name another file.", path=error.path)
        ) from error
    except files.NotWritable as error:
        raise Misused(str(error)) from error


def print_or_write(text: str, out: Path | None, what: Text, *, force: bool) -> None:
    """Print a text, or write it into a file and report that."""
    if out is None or out == PIPE:
        click.echo(text, nl=False)
        return
    with fresh_file(out, force=force) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
    tell_written(out, what)


def tell_written(path: Path, what: Text) -> None:
    """Report what was written to `path`; on stderr if that is standard output, which then holds nothing else."""
    sentence = (
        phrase("standard output: {what}", what=what)
        if path == PIPE
        else phrase("{file}: {what}", file=str(path), what=what)
    )
    click.echo(sanitize(sentence), err=path == PIPE)


def check_file(path: Path, *, force: bool) -> None:
    """Raise Refused if `path` exists and `force` is not given, Misused if it cannot be a file."""
    from companion.archive.storage import files

    with refused_file():
        files.check_writable(path, force=force)


_HINTS: Final[Mapping[str, Message]] = {
    "decks": phrase("companion deck list shows all"),
    "sessions": phrase("companion session list shows all"),
    "imported": phrase("companion session list --imported shows all"),
    "people": phrase("companion people list shows all"),
    "phones": phrase("companion phones list shows all"),
    "printers": phrase("companion labels calibrate makes one known, and companion labels printers lists them"),
    "sheets": phrase("companion labels sheets shows all"),
    "leagues": phrase("companion league list shows all"),
    "rehearsals": phrase("companion rehearse --runs shows all"),
    "games": phrase("companion game list shows all"),
    "backups": phrase("companion archive backups lists what there is"),
    "damage": phrase(
        "companion archive check says what is lost and which backups there are, and with --repair saves the rest"
    ),
    "loss": phrase(
        "companion archive restore puts a backup in its place, and companion archive accept goes on with it as it is"
    ),
}
"""The commands that show the place that an error refers to."""


def describe_error(error: BaseException) -> str:
    """Return the message of an error, with the command that helps; also if a cause of the error carries the same
    message.
    """
    text = error.format_message() if isinstance(error, click.ClickException) else str(error)
    cause: BaseException | None = error
    while cause is not None:
        look = getattr(cause, "look", None)
        if look is not None and text.endswith(str(cause)):
            return with_hint(text, look)
        cause = cause.__cause__ or cause.__context__
    return text


def with_hint(sentence: Text, look: "Look | None") -> str:
    """Return a sentence with the command that leads to `look`, if there is one."""
    if not look:
        return str(sentence)
    # Translators: {hint} is “companion deck list shows all”.
    return str(phrase("{sentence}; {hint}.", sentence=Clause(sentence), hint=_HINTS[look]))


def explain_error(error: BaseException) -> tuple[str, int] | None:
    """Return the message for the user and the exit status of an error; None if it is an error of the program."""
    explanation = _explain_error(error)
    return explanation and (shorten_quotes(explanation[0]), explanation[1])


def _explain_error(error: BaseException) -> tuple[str, int] | None:
    if isinstance(error, click.UsageError):
        return _explain_usage(error), MISUSED
    if isinstance(error, click.ClickException):
        return describe_error(error), error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt) or _is_broken_wait(error):
        return str(phrase("Stopped.")), REFUSED
    if isinstance(error, OSError) and not _is_ours(error):
        return _explain_path(error), MISUSED if isinstance(error, _WRONG_PATH) else REFUSED
    if _is_ours(error):
        return describe_error(error), MISUSED if {
            f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__
        } & _UNREADABLE else REFUSED
    return None


def _is_broken_wait(error: BaseException) -> bool:
    """Return True for the error that Ctrl+C becomes in some waits of `threading`, which then release a free lock."""
    return isinstance(error, RuntimeError) and isinstance(error.__context__, KeyboardInterrupt)


def _explain_usage(error: click.UsageError) -> str:
    if error.ctx is None or isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    message = _NO_NUMBER.sub(lambda of: _NUMBERS[of[1]], sanitize(error.format_message()).rstrip("."))
    # Translators: {command} is a line such as companion deck list.
    return str(phrase("{problem} See {command} --help.", problem=Finished(message), command=error.ctx.command_path))


def _is_ours(error: BaseException) -> bool:
    return type(error).__module__.partition(".")[0] in _OUR_ROOMS


def _explain_path(error: OSError) -> str:
    return str(_describe_path_error(error, None if error.filename is None else str(error.filename)))


def _describe_path_error(error: OSError, file: str | None) -> Message:
    from companion.archive.storage import files

    reason = error.strerror or str(error)
    if error.errno in files.NO_ROOM:
        if file is None:
            return phrase("The disk is full: the output was not written.")
        return phrase("The disk is full: “{file}” was not written.", file=file)
    if file is None:
        return _describe_output_error(error, reason)
    if isinstance(error, FileNotFoundError):
        return phrase("“{file}” does not exist.", file=file)
    if _is_directory_error(error):
        return phrase("“{file}” is a directory; name a file.", file=file)
    if not isinstance(error, PermissionError):
        return phrase("“{file}” failed: {reason}.", file=file, reason=reason)
    if sys.platform == "win32":
        # There, a PDF that is open in a viewer cannot be replaced.
        return phrase(
            "“{file}” may not be read or written by you, or another program has it open; name another place.", file=file
        )
    return phrase("“{file}” may not be read or written by you; name another place.", file=file)


def _describe_output_error(error: OSError, reason: str) -> Message:
    if isinstance(error, FileNotFoundError):
        return phrase("the output does not exist.")
    if isinstance(error, IsADirectoryError):
        return phrase("the output is a directory; name a file.")
    if isinstance(error, PermissionError):
        return phrase("the output may not be read or written by you; name another place.")
    return phrase("The output failed: {reason}.", reason=reason)


def _is_directory_error(error: OSError) -> bool:
    """Return True if a directory was opened as a file, which Windows reports like a file without permission."""
    if isinstance(error, PermissionError) and sys.platform == "win32":
        return isinstance(error.filename, str) and Path(error.filename).is_dir()
    return isinstance(error, IsADirectoryError)


_POSITIVE = click.IntRange(1, 1_000_000)


class PageOptions(NamedTuple):
    """A page of a list, counted from 1, and its number of rows; a `limit` of None is the whole list."""

    page: int
    limit: int | None

    @property
    def at(self) -> int:
        """The number of the first row, from 0."""
        return (self.page - 1) * (self.limit or 0)


def page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--page`, `--limit` and `--all`; the command gets them as `page`. Must be above `json_option`."""

    @click.option("--page", type=_POSITIVE, metavar="N", help="Page of the list to show.")
    @click.option("--limit", type=_POSITIVE, metavar="N", help="Entries per page; default: 100.")
    @click.option("--all", "whole", is_flag=True, help="Show the whole list, also on a terminal.")
    @functools.wraps(command)
    def call_with_page(*, page: int | None, limit: int | None, whole: bool, **rest: Any) -> Any:
        if whole and (page or limit):
            raise Misused(phrase("--all is the whole list; leave out --page and --limit, or --all."))
        some = page or limit or not (whole or rest["as_json"] or not sys.stdout.isatty())
        return command(page=PageOptions(page or 1, (limit or PAGE) if some else None), **rest)

    return call_with_page


def print_page_position(page: PageOptions, rows: Sized, total: int, things: Text) -> None:
    """Report on stderr which rows were printed, and how to get the others. Raises Refused for a page past the end."""
    if not rows and total:
        last = -(-total // (page.limit or total))
        raise Refused(
            phrase(
                "There is no page {page}: of {limit} {things} each, page {last} is the last.",
                page=str(page.page),
                limit=str(page.limit),
                things=things,
                last=str(last),
            )
        )
    last = page.at + len(rows)
    if last < total or page.at:
        first = page.at + 1
        if last < total:
            sentence = phrase(
                "{first} to {last} of {total} {things}; --page {page} shows the next, --all all of them.",
                first=first,
                last=last,
                total=total,
                things=things,
                page=str(page.page + 1),
            )
        else:
            sentence = phrase(
                "{first} to {last} of {total} {things}, --all all of them.",
                first=first,
                last=last,
                total=total,
                things=things,
            )
        click.echo(sentence, err=True)
