"""A print run on the command line: lay it out, show its plan or write its PDF, and ask for the outcome."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeVar

import click

from companion.archive import stationery
from companion.cli.common import (
    Misused,
    Refused,
    check_file,
    copy_to_stdout,
    end_refused,
    fresh_file,
    open_archive,
    refused_file,
    sanitize,
)
from companion.cli.confirmation import confirm
from companion.cli.printing import options as usual
from companion.cli.printing.options import STDOUT, PaperOptions, Placing, translate_label_errors
from companion.forms import settings
from companion.printing import jobs, label_pictures, system
from companion.printing import run as output
from companion.printing import run as press
from companion.printing.run import Claims, feeding_advice, paper_advice
from labels.output import proof
from labels.output.pdf import Setup
from labels.paper import sheet as plan
from labels.paper.calibration import IDENTITY
from templates.languages.messages import Text, all_of, any_of, phrase, phrases

if TYPE_CHECKING:
    from pathlib import Path

    from companion.archive import Archive
    from companion.printing.jobs import Job
    from companion.printing.run import PrintRun
    from labels.geometry import Paper
    from labels.paper.calibration import Calibration
    from labels.paper.sheet import AvailableSheet
    from labels.paper.stocks import Stock

_Page = TypeVar("_Page")

# A shorter run is over before its progress could be read.
_LONG_RUN = 6


def print_run(request: Job | Callable[[Stock], Job], paper: PaperOptions, placing: Placing) -> None:
    """Lay a job's labels onto sheets, then print the plan, or write the PDF and ask for the outcome.

    A job that depends on the stock is a function, called with the stock. Labels that were left out are reported last,
    and the command ends with 1.
    """
    if paper.pictures is not None:
        _print_pictures(request, paper, paper.pictures, placing)
        return
    if not placing.plan:
        paper.check()
    with _open_archive(paper, needed=bool(placing.sheets or paper.printer)) as archive:
        hand = _find_supplies(paper, placing, archive)
        job = _find_job(request, hand.stock)
        run = _lay_out(job, hand, paper, placing)
        if placing.plan:
            _draw_preview(run, paper)
            click.echo("\n".join(map(sanitize, (*plan.describe_plan(run.plan), str(plan.KEY)))))
            if paper.preview is not None:
                click.echo(phrase("The first sheet is drawn in {preview}.", preview=sanitize(str(paper.preview))))
        else:
            _print_run(run, paper, archive)
    if job.left_out:
        end_refused(phrase("Not printed: {reason}", reason=reason) for reason in job.left_out)


def _print_pictures(request: Job | Callable[[Stock], Job], paper: PaperOptions, folder: Path, placing: Placing) -> None:
    """Write a job's labels as pictures. Labels that were left out are reported last, and the command ends with 1."""
    with translate_label_errors():
        whole = press.find_stock(usual.stock_name(placing.stock))
    stock = whole.single(label_pictures.resolution_of(whole, paper.dpi))
    job = _find_job(request, stock)
    setup = Setup(job.heading, job.credit, language=job.language, ink=paper.ink, two_sided=job.two_sided)
    run = press.impose(job.labels, stock, setup)
    with _folder(folder):
        for path in filter(None, label_pictures.picture_paths(run, folder)):
            check_file(path, force=paper.force)
        written = label_pictures.write_pictures(run, folder, partial(fresh_file, force=paper.force), with_progress)
    paper.say(
        sanitize(
            phrases(
                "{n} picture of a label of {size}, at {dpi} dpi: {folder}.",
                "{n} pictures of labels of {size}, at {dpi} dpi: {folder}.",
                n=len(written),
                size=stock.size,
                dpi=str(stock.dpi),
                folder=folder,
            )
        )
    )
    if stock.roll and (advice := press.stock_advice(stock)):
        paper.say(sanitize(advice))
    if job.left_out:
        end_refused(phrase("Not printed: {reason}", reason=reason) for reason in job.left_out)


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    """Make a folder if it is not there yet, and remove it again if the block fails and has left nothing in it."""
    is_new = not path.exists()
    with refused_file():
        path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):
                path.rmdir()
        raise


def _find_job(request: Job | Callable[[Stock], Job], stock: Stock) -> Job:
    """Return the job for a stock; if its labels are independent, without those that cannot be printed."""
    with translate_label_errors():
        job = request(stock) if callable(request) else request
    if job.is_lenient:
        job = jobs.drop_refused(job, stock)
    if not job.labels:
        end_refused((str(phrase("There is nothing to print.")), *map(str, job.left_out)))
    return job


def _draw_preview(run: PrintRun, paper: PaperOptions) -> None:
    """Draw the first sheet of a run that is only planned, if a preview is wanted."""
    if paper.preview is None:
        return

    with translate_label_errors():
        check_preview(paper.preview, None, force=paper.force)
    with output.write_pdf(run.first_sheets(1).write, None, partial(fresh_file, force=paper.force), paper.preview):
        pass


def _print_run(run: PrintRun, paper: PaperOptions, archive: Archive | None) -> None:
    stock = run.plan.stock
    draw = partial(run.write, progress=with_progress)
    how: tuple[Text, ...] = (*run.warnings, *feeding_advice(run.plan))
    # For printing from a viewer, give the advice after the file is written; a printer begins as soon as it has the PDF.
    first, then = (
        ((), (*how, paper_advice(stock, settings.read_settings().paper))) if paper.queue is None else (how, ())
    )
    claims = Claims(run.claims)
    with write_document(
        draw,
        paper,
        stock.paper,
        stock.media,
        run.setup.title,
        first=tuple(map(str, first)),
        archive=archive,
        claims=claims,
        two_sided=run.setup.two_sided,
    ) as target:
        pass
    paper.say_printed(phrase("{run}: {target}.", run=run.summary, target=target))
    for sentence in filter(bool, then):
        paper.say(sanitize(str(sentence)))
    open_viewer(paper)
    if archive is not None and run.claims:
        ask_outcome(archive, tuple(run.claims), paper)


@contextmanager
def _open_archive(paper: PaperOptions, *, needed: bool) -> Iterator[Archive | None]:
    """Yield the archive, opened only if it is needed."""
    if not needed:
        yield None
        return

    with open_archive(paper.archive) as archive:
        yield archive


class _Supplies(NamedTuple):
    """The stock, the free positions of its sheets, and the printer's calibration."""

    stock: Stock
    sheets: tuple[AvailableSheet, ...]
    calibration: Calibration


def _find_supplies(paper: PaperOptions, placing: Placing, archive: Archive | None) -> _Supplies:
    with translate_label_errors():
        if archive is not None and placing.sheets:
            stock, at_hand = press.load_sheets(archive, placing.sheets, placing.stock)
        else:
            stock = press.find_stock(usual.stock_name(placing.stock))
            _check_roll(stock, paper, placing)
            at_hand = press.first_sheet(stock, placing.start, placing.free)
        calibration = (
            press.load_calibration(archive, paper.printer) if archive is not None and paper.printer else IDENTITY
        )
    return _Supplies(stock, at_hand, calibration)


def _lay_out(job: Job, hand: _Supplies, paper: PaperOptions, placing: Placing) -> PrintRun:
    setup = Setup(job.heading, job.credit, placing.outlines, hand.calibration, job.language, paper.ink, job.two_sided)
    laid = press.impose(job.labels, hand.stock, setup, hand.sheets, job.wanted)
    full = [sheet.name for sheet in hand.sheets if sheet.name and not sheet.free]
    if full and not all(imposed.name for imposed in laid.plan.sheets) and not (placing.fresh or placing.plan):
        _ask_for_new(full[0], hand.stock, paper)
    return laid


def _check_roll(stock: Stock, paper: PaperOptions, placing: Placing) -> None:
    """Raise Misused for options that mean nothing on a roll."""
    options = (("--printer", paper.printer), ("--start", placing.start), ("--free", placing.free))
    for option, value in options:
        if stock.roll and value is not None:
            raise Misused(
                phrase(
                    "{stock} is a roll, where {feed}: {option} means nothing; leave it out.",
                    stock=stock.name,
                    feed=stock.feed,
                    option=option,
                )
            )


def _ask_for_new(name: str, stock: Stock, paper: PaperOptions) -> None:
    """Ask before a full sheet is replaced by a new one. Raises Refused."""
    sheet = sanitize(name)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(
            phrase(
                "The sheet “{sheet}” is full; give --new-sheet to print on a new one of {stock}, or --sheet with "
                "another name.",
                sheet=sheet,
                stock=stock.name,
            )
        )
    if not confirm(
        phrase("The sheet “{sheet}” is full. Print on a new one of {stock}?", sheet=sheet, stock=stock.name),
        err=paper.is_piped,
    ):
        raise Refused(phrase("Nothing is printed."))


def calibration_for(paper: PaperOptions) -> Calibration:
    """Return the calibration of the named printer, or none."""
    with _open_archive(paper, needed=paper.printer is not None) as archive, translate_label_errors():
        return press.load_calibration(archive, paper.printer) if archive is not None and paper.printer else IDENTITY


def with_progress(pages: Sequence[_Page]) -> Iterable[_Page]:
    """Yield the pages one by one, with a progress bar on a terminal."""
    if len(pages) < _LONG_RUN or not sys.stderr.isatty():
        yield from pages
        return
    label = str(phrases("Printing {n} sheet", "Printing {n} sheets", n=len(pages)))
    with click.progressbar(pages, label=label, file=sys.stderr) as bar:
        yield from bar


@contextmanager
def write_document(
    draw: Callable[[BinaryIO], object],
    options: PaperOptions,
    page: Paper,
    media: str,
    title: str,
    first: Sequence[str] = (),
    archive: Archive | None = None,
    claims: Claims | None = None,
    *,
    two_sided: bool = False,
) -> Iterator[Text]:
    """Draw the PDF and deliver it to its file, standard output, printer and preview: all of that or nothing, including
    the `claims` on stored sheets.

    Yield its destinations in words; print the advice in `first` before a printer gets the PDF.
    """
    options.check()
    file = options.file
    with translate_label_errors():
        check_preview(options.preview, options.file, force=options.force)
    queue = None if options.queue is None else system.find_queue(options.queue)
    fresh = partial(fresh_file, force=options.force)
    went: list[Text] = [str(file)] if file else [phrase("standard output")] if options.is_piped else []
    claims = claims or output.NO_CLAIMS
    with output.write_pdf(draw, file, fresh, options.preview, archive, claims) as document:
        if options.is_piped:
            copy_to_stdout(document)
        if queue is not None:
            for sentence in filter(None, (*first, system.paper_mismatch(queue, page))):
                options.say(sanitize(str(sentence)))
            if answer := system.send(document, queue, media, title, two_sided=two_sided):
                options.say(sanitize(str(answer)))
            went.append(
                phrase("handed on to be printed")
                if system.is_printed_by_viewer()
                else phrase("sent to {printer}", printer=queue)
                if queue
                else phrase("sent to the printer")
            )
        yield all_of(went)


def check_preview(preview: Path | None, file: Path | None, *, force: bool) -> None:
    """Raise Misused, Refused or PreviewError if a preview cannot be drawn into its file beside the PDF."""
    if preview is None:
        return

    if preview == STDOUT:
        raise Misused(phrase("A preview is a file: give --preview FILE.png, .jpg or .svg."))
    if file is not None and preview.resolve() == file.resolve():
        raise Misused(phrase("The preview needs a file of its own."))
    check_file(preview, force=force)
    proof.preview_writer(preview)


def open_viewer(paper: PaperOptions) -> None:
    """Open the PDF in the system's viewer, if that is wanted. Raises LabelError if there is none."""
    if paper.open and paper.file is not None:
        system.open_viewer(paper.file)


def ask_outcome(archive: Archive, names: Sequence[str], paper: PaperOptions) -> None:
    """Prompt for the outcome of a run on a terminal; otherwise print how to report it later."""
    arguments = shlex.join(names)
    sheets = ", ".join(sanitize(name) for name in names)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        paper.say(
            phrase(
                "When it is printed: companion labels sheets printed {arguments} (or spoiled, or blank).",
                arguments=arguments,
            )
        )
        return
    answer = _prompt_choice(phrase("Print it now. Did it come out right?"), ("yes", "no", "later"), "later")
    if answer == "later":
        click.echo(
            sanitize(
                phrase(
                    "Tell it later with companion labels sheets printed {arguments} (or spoiled, or blank).",
                    arguments=arguments,
                )
            )
        )
    elif answer == "yes":
        stationery.settle(archive, names, "printed")
        click.echo(phrase("Marked as used on {sheets}.", sheets=sheets))
    elif _prompt_choice(phrase("Are these labels of the sheet still blank?"), ("yes", "no"), "no") == "yes":
        stationery.settle(archive, names, "blank")
        click.echo(phrase("They are free again on {sheets}.", sheets=sheets))
    else:
        stationery.settle(archive, names, "spoiled")
        click.echo(phrase("They are marked as gone on {sheets}; print again for the next free ones.", sheets=sheets))


def _prompt_choice(question: Text, answers: Sequence[str], default: str) -> str:
    """Prompt for one of some words, which may be shortened."""

    def parse_answer(text: str) -> str:
        matches = [answer for answer in answers if text.strip() and answer.startswith(text.strip().lower())]
        if len(matches) != 1:
            raise click.UsageError(str(phrase("Answer {answers}", answers=any_of(answers))))
        return matches[0]

    read: Callable[[str], str] = parse_answer
    return str(click.prompt(f"{question} ({'/'.join(answers)})", default=default, value_proc=read))
