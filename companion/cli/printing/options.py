"""The options of the commands that print, their defaults on this machine, and their values as one object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from companion.archive import deck_id
from companion.cli.common import Misused, archive_option, force_option, output_option
from companion.forms import settings
from companion.forms.plain_paper import ink_name
from companion.tabletop.text import sanitize_lines
from labels.errors import LabelError
from labels.geometry import INK_NAMES, InkName, Paper, PaperError, parse_paper
from labels.typesetting import font_files
from templates.languages.messages import Message, Text, joined, phrase


def ink_option(command: Callable[..., Any]) -> Any:
    """Add `--ink`; the command gets `ink`, None if it was not given."""
    return click.option(
        "--ink",
        type=click.Choice(INK_NAMES),
        help="black: without colours or greys, the default on rolls; colour: in colour, even on rolls.",
    )(command)


def codes_option(command: Callable[..., Any]) -> Any:
    """Add `--codes`; the command gets `with_codes`, by default the one of the settings."""

    @wraps(command)
    def call_with_codes(*arguments: Any, codes: bool | None, **rest: Any) -> Any:
        return command(*arguments, with_codes=settings.read_settings().codes_labels if codes is None else codes, **rest)

    return click.option(
        "--codes/--no-codes",
        default=None,
        help="Print a code at the left edge of each card label, for companion deck audit --photo; default: as in the "
        "settings, or off.",
    )(call_with_codes)


class PaperType(click.ParamType[Paper]):
    """An option that takes a paper: a name such as a4, or a width and a height."""

    name = "paper"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Paper:
        """Return the paper."""
        if isinstance(value, Paper):
            return value
        try:
            return parse_paper(str(value))
        except PaperError as error:
            self.fail(str(error), param, ctx)


def stock_name(chosen: str | None) -> str | None:
    """Return the given stock, or the default one."""
    return chosen or settings.read_settings().stock or None


def box_label_warnings(name: str) -> tuple[Text, ...]:
    """Return a warning if the box label of a deck with this name cannot be printed."""
    from companion.printing import jobs, run

    try:
        reason = jobs.name_refusal(name, run.find_stock(stock_name(None)))
    except LabelError:
        return ()  # The default stock is wrong, which is no fault of the name's.
    return (
        (phrase("{reason} Its box gets no label until it is renamed: companion deck rename.", reason=reason),)
        if reason
        else ()
    )


def print_box_hint(deck: str, unlabelled: tuple[Text, ...]) -> None:
    """Print how to print the label for a new deck's box, unless it cannot be printed."""
    if not unlabelled:
        command = f"companion labels box {deck_id.show(deck)} -o box.pdf"
        click.echo(phrase("{command} prints the label for its box.", command=command))


STDOUT = Path("-")


class PaperOptions(NamedTuple):
    """The destination of a PDF, its printer, and what else to do with it.

    `queue` is the system's printer that gets it, "" for the default one, None for none. `ink` is None for what the
    labels ask for. `pictures` is the folder for a picture of each label instead of a PDF, and `dpi` their resolution,
    None for that of the label printer.
    """

    output: Path | None
    preview: Path | None
    printer: str | None
    queue: str | None
    open: bool
    force: bool
    archive: str | None
    ink: InkName | None
    pictures: Path | None = None
    dpi: int | None = None

    @property
    def is_piped(self) -> bool:
        """True if the PDF goes to standard output, so that nothing else may."""
        return self.output == STDOUT

    @property
    def file(self) -> Path | None:
        """The PDF to write; None if it goes to standard output, or only to a printer."""
        return None if self.is_piped else self.output

    def say_printed(self, sentence: Message, *, is_plain: bool = False) -> None:
        """Report what was printed, with advice for printing from a viewer, on plain paper if `is_plain`; a printer gets
        the PDF at its true size.
        """
        if self.queue is None:
            advice = phrase("Print at 100 % on plain paper.") if is_plain else phrase("Print at 100 %.")
            sentence = joined(" ", (sentence, advice))
        self.say(str(sentence))

    def check(self) -> None:
        """Raise UsageError if the PDF has no destination, and Misused if the options contradict each other."""
        if self.output is None and self.queue is None:
            raise click.UsageError(str(phrase("Missing option '-o' / '--output'.")), click.get_current_context())
        if self.file is not None and self.file.suffix.lower() not in ("", ".pdf"):
            raise Misused(
                phrase(
                    "“{file}” ends in {suffix}, and what is written is a PDF: give -o FILE.pdf; --preview draws a "
                    "picture, as .png, .jpg or .svg.",
                    file=self.file,
                    suffix=self.file.suffix,
                )
            )
        if self.open and self.file is None:
            raise Misused(phrase("--open needs a file: give -o FILE."))

    def say(self, text: Text) -> None:
        """Print a message: on standard error if the PDF goes to standard output."""
        click.echo(sanitize_lines(text), err=self.is_piped)


class Placing(NamedTuple):
    """The positions and sheets for the labels, and whether the run is only planned."""

    stock: str | None
    start: int | None
    free: str | None
    sheets: tuple[str, ...]
    fresh: bool
    outlines: bool
    plan: bool


def paper_options(command: Callable[..., Any]) -> Any:
    """Add the options for everything that is printed; the command gets `paper`."""

    @wraps(command)
    def call_with_paper(
        *arguments: Any,
        output: Path | None,
        preview: Path | None,
        printer: str | None,
        queue: str | None,
        show: bool,
        force: bool,
        archive: str | None,
        ink: InkName | None,
        **rest: Any,
    ) -> Any:
        font_files.preload()
        options = PaperOptions(output, preview, printer, queue, show, force, archive, ink_name(ink))
        return command(*arguments, paper=options, **rest)

    return _with_options(
        call_with_paper,
        output_option("PDF to write; - for standard output.", "--output"),
        click.option(
            "--print",
            "queue",
            is_flag=False,
            flag_value="",
            default=None,
            metavar="[QUEUE]",
            help="Send it to the system's default printer, or to this one; pass it last, or as --print=QUEUE.",
        ),
        click.option(
            "--preview",
            type=click.Path(path_type=Path),
            metavar="FILE.png",
            help="Also write a picture: .png, .jpg or .svg.",
        ),
        click.option("--printer", metavar="NAME", help="Apply the calibration of this printer."),
        ink_option,
        click.option("--open", "show", is_flag=True, help="Open the PDF in the system's viewer."),
        force_option,
        archive_option,
    )


def run_options(command: Callable[..., Any]) -> Any:
    """Add the options for everything that fills sheets of labels; the command gets `paper` and `placing`."""

    @wraps(command)
    def call_with_placing(
        *arguments: Any,
        stock: str | None,
        start: int | None,
        free: str | None,
        sheets: tuple[str, ...],
        fresh: bool,
        outlines: bool,
        plan: bool,
        pictures: Path | None,
        dpi: int | None,
        paper: PaperOptions,
        **rest: Any,
    ) -> Any:
        if sum(bool(each) for each in (start is not None, free is not None, sheets)) > 1:
            raise Misused(phrase("Give --start, --free or --sheet, not several."))
        if dpi is not None and pictures is None:
            raise Misused(phrase("--dpi is the resolution of --png; give --png DIR as well."))
        paper = paper._replace(pictures=pictures, dpi=dpi)
        placing = Placing(stock, start, free, sheets, fresh, outlines, plan)
        if pictures is not None:
            _check_pictures(paper, placing)
        return command(*arguments, paper=paper, placing=placing, **rest)

    return _with_options(
        paper_options(call_with_placing),
        click.option(
            "--stock",
            metavar="NAME",
            help="Label stock, by name or alias; default: that of the sheet or the settings, or 18294.",
        ),
        click.option("--start", type=int, metavar="N", help="First free position of the first sheet."),
        click.option("--free", metavar="LIST", help="Free positions of the first sheet, such as 3,7,20-40."),
        click.option(
            "--sheet",
            "sheets",
            multiple=True,
            metavar="NAME",
            help="A sheet stored in the archive; can be repeated.",
        ),
        click.option("--new-sheet", "fresh", is_flag=True, help="Continue on a new sheet when the named one is full."),
        click.option("--outlines", is_flag=True, help="Draw the outlines of the labels, for a proof on plain paper."),
        click.option("--plan", is_flag=True, help="Only show the position of each label, without printing."),
        click.option(
            "--png",
            "pictures",
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="Write a picture of each label into this folder instead, for the app of a label printer.",
        ),
        click.option(
            "--dpi",
            type=click.IntRange(72, 1200),
            metavar="N",
            help="Resolution of these pictures; default: that of the roll's printer, or 300.",
        ),
    )


def _check_pictures(paper: PaperOptions, placing: Placing) -> None:
    """Raise Misused for options that mean nothing for pictures, which have no positions and no printer."""
    options = {
        "-o": paper.output,
        "--print": paper.queue,
        "--printer": paper.printer,
        "--preview": paper.preview,
        "--open": paper.open or None,
        "--start": placing.start,
        "--free": placing.free,
        "--sheet": placing.sheets or None,
        "--new-sheet": placing.fresh or None,
        "--outlines": placing.outlines or None,
        "--plan": placing.plan or None,
    }
    for option, value in options.items():
        if value is not None:
            raise Misused(phrase("--png writes each label as a picture of its own: leave out {option}.", option=option))
    if paper.pictures is not None and paper.pictures.exists() and not paper.pictures.is_dir():
        raise Misused(phrase("“{folder}” is a file; --png needs a folder.", folder=paper.pictures))


def _with_options(command: Any, *options: Callable[[Any], Any]) -> Any:
    """Return a command with options, which help lists in this order, before those that it already has."""
    for option in reversed(options):
        command = option(command)
    return command


@contextmanager
def translate_label_errors() -> Iterator[None]:
    """Translate errors about stocks, positions and printers into Misused, status 2, as they come from arguments."""
    try:
        yield
    except LabelError as error:
        raise Misused(str(error)) from error
