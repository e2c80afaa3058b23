"""A run on the command line: lay it out, show its plan or write its PDF, and ask how it came out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeVar

import click

from companion.cli.common import (
    Misused,
    Refused,
    check_file,
    copy_to_stdout,
    end_refused,
    fresh_file,
    open_archive,
    sanitize,
)
from companion.cli.printing import options as usual
from companion.cli.printing.options import STDOUT, PaperOptions, Placing

if TYPE_CHECKING:
    from pathlib import Path

    from companion.archive import Archive
    from companion.printing.jobs import Job
    from companion.printing.run import Claims, PrintRun
    from labels.calibration import Calibration
    from labels.geometry import Paper
    from labels.sheet import AvailableSheet
    from labels.stocks import Stock

_Page = TypeVar("_Page")

# A run of fewer pages is over before anybody could read how far it is.
_LONG_RUN = 6


def print_run(request: Job | Callable[[Stock], Job], paper: PaperOptions, placing: Placing) -> None:
    """Lays a job's labels onto sheets, then tells the plan, or writes the PDF and asks how it came out.

    A job that must know its stock is asked for when that is found. Where some labels had to be left out, they are told
    after everything else, and the command ends with 1.
    """
    from labels import sheet as plan

    if not placing.plan:
        paper.check()
    with _archive(paper, needed=bool(placing.sheets or paper.printer)) as archive:
        hand = _find_supplies(paper, placing, archive)
        job = _find_job(request, hand.stock)
        run = _lay_out(job, hand, paper, placing)
        if placing.plan:
            _draw_preview(run, paper)
            click.echo("\n".join(map(sanitize, (*plan.describe_plan(run.plan), plan.KEY))))
            if paper.preview is not None:
                click.echo(f"The first sheet is drawn in {sanitize(str(paper.preview))}.")
        else:
            _print(run, paper, archive)
    if job.left_out:
        end_refused(f"Not printed: {reason}" for reason in job.left_out)


def _find_job(request: Job | Callable[[Stock], Job], stock: Stock) -> Job:
    """What is to be printed on a stock; where labels stand each for itself, without those that cannot be."""
    from companion.printing import jobs

    with misused():
        job = request(stock) if callable(request) else request
    if job.is_lenient:
        job = jobs.drop_refused(job, stock)
    if not job.labels:
        end_refused(("There is nothing to print.", *job.left_out))
    return job


def _draw_preview(run: PrintRun, paper: PaperOptions) -> None:
    """Draws the first sheet of a run that is only planned, where a preview was asked for."""
    if paper.preview is None:
        return
    from companion.printing import run as output

    with misused():
        check_preview(paper.preview, None, force=paper.force)
    with output.write_pdf(run.first_sheets(1).write, None, partial(fresh_file, force=paper.force), paper.preview):
        pass


def _print(run: PrintRun, paper: PaperOptions, archive: Archive | None) -> None:
    from companion.printing.run import Claims, feeding_advice, paper_advice
    from companion.tui import settings

    stock = run.plan.stock
    draw = partial(run.write, progress=with_progress)
    how = (*run.warnings, *feeding_advice(run.plan))
    # Whoever prints from a viewer is told how when the file is there; a printer begins as soon as it has it.
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
        first=first,
        archive=archive,
        claims=claims,
        two_sided=run.setup.two_sided,
    ) as target:
        pass
    paper.say(sanitize(f"{run.summary}: {target}.{paper.by_hand()}"))
    for sentence in filter(None, then):
        paper.say(sanitize(sentence))
    open_viewer(paper)
    if archive is not None and run.claims:
        ask_outcome(archive, tuple(run.claims), paper)


@contextmanager
def _archive(paper: PaperOptions, *, needed: bool) -> Iterator[Archive | None]:
    """The archive, opened only where something is remembered there."""
    if not needed:
        yield None
        return

    with open_archive(paper.archive) as archive:
        yield archive


class _Supplies(NamedTuple):
    """What is printed on: the stock, what is free of sheets at hand, and what the printer needs."""

    stock: Stock
    sheets: tuple[AvailableSheet, ...]
    calibration: Calibration


def _find_supplies(paper: PaperOptions, placing: Placing, archive: Archive | None) -> _Supplies:
    from companion.printing import run as press
    from labels.calibration import IDENTITY

    with misused():
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
    from companion.printing import run as press
    from labels.pdf import Setup

    setup = Setup(job.title, job.credit, placing.outlines, hand.calibration, job.language, paper.ink, job.two_sided)
    laid = press.impose(job.labels, hand.stock, setup, hand.sheets, job.wanted)
    full = [sheet.name for sheet in hand.sheets if sheet.name and not sheet.free]
    if full and not all(imposed.name for imposed in laid.plan.sheets) and not (placing.fresh or placing.plan):
        _ask_for_new(full[0], hand.stock, paper)
    return laid


def _check_roll(stock: Stock, paper: PaperOptions, placing: Placing) -> None:
    """Raises Misused for what means nothing on a roll."""
    options = (("--printer", paper.printer), ("--start", placing.start), ("--free", placing.free))
    for option, value in options:
        if stock.roll and value is not None:
            raise Misused(f"{stock.name} is a roll, where {stock.feed}: {option} means nothing; leave it out.")


def _ask_for_new(name: str, stock: Stock, paper: PaperOptions) -> None:
    """A full sheet does not turn into a new one unasked. Raises Refused."""
    sentence = f"The sheet “{sanitize(name)}” is full"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(
            f"{sentence}; give --new-sheet to print on a new one of {stock.name}, or --sheet with another name."
        )
    if not click.confirm(f"{sentence}. Print on a new one of {stock.name}?", err=paper.is_piped):
        raise Refused("Nothing is printed.")


@contextmanager
def misused() -> Iterator[None]:
    """A stock, position or printer that is wrong is an argument that is wrong: status 2."""
    from labels.errors import LabelError

    try:
        yield
    except LabelError as error:
        raise Misused(str(error)) from error


def calibration_for(paper: PaperOptions) -> Calibration:
    """The calibration of the printer that was named, or none."""
    from companion.printing import run as press
    from labels.calibration import IDENTITY

    with _archive(paper, needed=paper.printer is not None) as archive, misused():
        return press.load_calibration(archive, paper.printer) if archive is not None and paper.printer else IDENTITY


def with_progress(pages: Sequence[_Page]) -> Iterable[_Page]:
    """The pages one by one, with a bar on stderr for somebody who waits there."""
    if len(pages) < _LONG_RUN or not sys.stderr.isatty():
        yield from pages
        return
    with click.progressbar(pages, label=f"Printing {len(pages)} sheets", file=sys.stderr) as bar:
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
) -> Iterator[str]:
    """Draws the PDF and brings it where it was asked for: file, standard output, printer; and its preview. All of that
    or nothing, the `claims` on sheets that the archive keeps included. Gives where it went, in words; what is to be
    known `first` is said before a printer gets it.
    """
    from companion.printing import run as output
    from companion.printing import system

    options.check()
    file = options.file
    with misused():
        check_preview(options.preview, options.file, force=options.force)
    queue = None if options.queue is None else system.find_queue(options.queue)
    fresh = partial(fresh_file, force=options.force)
    went = [str(file)] if file else ["standard output"] if options.is_piped else []
    claims = claims or output.NO_CLAIMS
    with output.write_pdf(draw, file, fresh, options.preview, archive, claims) as document:
        if options.is_piped:
            copy_to_stdout(document)
        if queue is not None:
            for sentence in filter(None, (*first, system.paper_mismatch(queue, page))):
                options.say(sanitize(sentence))
            if answer := system.send(document, queue, media, title, two_sided=two_sided):
                options.say(sanitize(answer))
            is_handed_on = system.is_printed_by_viewer()
            went.append("handed on to be printed" if is_handed_on else f"sent to {queue or 'the printer'}")
        yield " and ".join(went)


def check_preview(preview: Path | None, file: Path | None, *, force: bool) -> None:
    """Raises Misused, Refused or PreviewError where a preview cannot be drawn into its file, beside what is written."""
    if preview is None:
        return
    from labels import proof

    if preview == STDOUT:
        raise Misused("A preview is a file: give --preview FILE.png, .jpg or .svg.")
    if file is not None and preview.resolve() == file.resolve():
        raise Misused("The preview needs a file of its own.")
    check_file(preview, force=force)
    proof.preview_writer(preview)


def open_viewer(paper: PaperOptions) -> None:
    """Opens the PDF in the system's viewer, where that was asked for. Raises LabelError where there is none."""
    if paper.open and paper.file is not None:
        from companion.printing import system

        system.open_viewer(paper.file)


def ask_outcome(archive: Archive, names: Sequence[str], paper: PaperOptions) -> None:
    """Asks how a run came out, at a terminal; elsewhere says how to tell it later."""
    from companion.archive import stationery

    arguments = shlex.join(names)
    sheets = ", ".join(sanitize(name) for name in names)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        paper.say(f"When it is printed: companion labels sheets printed {arguments} (or spoiled, or blank).")
        return
    answer = _choice("Print it now. Did it come out right?", ("yes", "no", "later"), "later")
    if answer == "later":
        click.echo(sanitize(f"Tell it later with companion labels sheets printed {arguments} (or spoiled, or blank)."))
    elif answer == "yes":
        stationery.settle(archive, names, "printed")
        click.echo(f"Marked as used on {sheets}.")
    elif _choice("Are these labels of the sheet still blank?", ("yes", "no"), "no") == "yes":
        stationery.settle(archive, names, "blank")
        click.echo(f"They are free again on {sheets}.")
    else:
        stationery.settle(archive, names, "spoiled")
        click.echo(f"They are marked as gone on {sheets}; print again for the next free ones.")


def _choice(question: str, answers: Sequence[str], default: str) -> str:
    """One of some words, which may be shortened to its first letter."""

    def parse_answer(text: str) -> str:
        matches = [answer for answer in answers if text.strip() and answer.startswith(text.strip().lower())]
        if len(matches) != 1:
            raise click.UsageError(f"Answer {', '.join(answers[:-1])} or {answers[-1]}")
        return matches[0]

    read: Callable[[str], str] = parse_answer
    return str(click.prompt(f"{question} ({'/'.join(answers)})", default=default, value_proc=read))
