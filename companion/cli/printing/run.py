"""A run on the command line: lay it out, show its plan or write its PDF, and ask how it came out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from companion.cli.common import Misused, Refused, fresh_file, harmless
from companion.cli.printing.options import PaperOptions, Placing

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.press.jobs import Job
    from companion.press.run import PrintRun
    from labels.calibration import Calibration
    from labels.stocks import Stock

_Page = TypeVar("_Page")

# A run of fewer pages is over before anybody could read how far it is.
_LONG = 6


def print_run(job: Job | Callable[[Stock], Job], paper: PaperOptions, placing: Placing) -> None:
    """Lays a job's labels onto sheets, then tells the plan, or writes the PDF and asks how it came out.

    A job that must know its stock is asked for when that is found.
    """
    from labels import plan

    if not placing.plan:
        _ = paper.file
    with _archive(paper, needed=bool(placing.sheets or paper.printer)) as archive:
        run = _laid(job, paper, placing, archive)
        if placing.plan:
            click.echo("\n".join(map(harmless, (*plan.told(run.plan), plan.KEY))))
            return
        with written(lambda: run.document(watched), paper) as told:
            if archive is not None and run.claims:
                from companion.archive import stationery

                stationery.claim(archive, run.claims)
        click.echo(harmless(f"{run.summary}: {told}. Print at 100 %."))
        for warning in run.warnings:
            click.echo(warning, err=True)
        show(paper)
        if archive is not None and run.claims:
            ask(archive, tuple(run.claims))


@contextmanager
def _archive(paper: PaperOptions, *, needed: bool) -> Iterator[Archive | None]:
    """The archive, opened only where something is remembered there."""
    if not needed:
        yield None
        return
    from companion.archive import Archive

    with Archive.open(paper.archive) as archive:
        yield archive


def _laid(
    asked: Job | Callable[[Stock], Job], paper: PaperOptions, placing: Placing, archive: Archive | None
) -> PrintRun:
    import msgspec

    from companion.press import run as press
    from labels.calibration import IDENTITY

    with misused():
        if archive is not None and placing.sheets:
            stock, at_hand = press.remembered(archive, placing.sheets, placing.stock)
        else:
            stock = press.find_stock(placing.stock)
            at_hand = press.partly_used(stock, placing.start, placing.free)
        calibration = press.calibrated(archive, paper.printer) if archive is not None and paper.printer else IDENTITY
        job = asked(stock) if callable(asked) else asked
        if not job.labels:
            raise Refused("There is nothing to print.")
        laid = press.impose(job.labels, job.title, stock, at_hand, job.credit, job.wanted)
    return msgspec.structs.replace(laid, outlines=placing.outlines, calibration=calibration)


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
    from companion.press import run as press
    from labels.calibration import IDENTITY

    with _archive(paper, needed=paper.printer is not None) as archive, misused():
        return press.calibrated(archive, paper.printer) if archive is not None and paper.printer else IDENTITY


def watched(pages: Sequence[_Page]) -> Iterable[_Page]:
    """The pages one by one, with a bar on stderr for somebody who waits there."""
    if len(pages) < _LONG or not sys.stderr.isatty():
        yield from pages
        return
    with click.progressbar(pages, label=f"Printing {len(pages)} sheets", file=sys.stderr) as bar:
        yield from bar


@contextmanager
def written(draw: Callable[[], bytes], paper: PaperOptions) -> Iterator[Path]:
    """Draws and writes the PDF and its preview, both or neither: neither too where the block does not end well."""
    from companion.press import output

    file = paper.file
    if paper.preview is not None and paper.preview.resolve() == file.resolve():
        raise Misused("The preview needs a file of its own.")
    with output.written(draw, file, partial(fresh_file, force=paper.force), paper.preview):
        yield file


def show(paper: PaperOptions) -> None:
    """Opens the PDF in the system's viewer, where that was asked for. Raises LabelError where there is none."""
    if paper.open:
        from companion.press import output

        output.show(paper.file)


def ask(archive: Archive, names: Sequence[str]) -> None:
    """Asks how a run came out, at a terminal; elsewhere says how to tell it later."""
    from companion.archive import stationery

    listed = shlex.join(names)
    told = ", ".join(harmless(name) for name in names)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(f"When it is printed: companion labels sheets printed {listed} (or spoiled, or blank).")
        return
    answer = _choice("Print it now. Did it come out right?", ("yes", "no", "later"), "later")
    if answer == "later":
        click.echo(f"Tell it later with companion labels sheets printed {listed} (or spoiled, or blank).")
    elif answer == "yes":
        stationery.settle(archive, names, "printed")
        click.echo(f"Marked as used on {told}.")
    elif _choice("Are these labels of the sheet still blank?", ("yes", "no"), "no") == "yes":
        stationery.settle(archive, names, "blank")
        click.echo(f"They are free again on {told}.")
    else:
        stationery.settle(archive, names, "spoiled")
        click.echo(f"They are marked as gone on {told}; print again for the next free ones.")


def _choice(question: str, answers: Sequence[str], default: str) -> str:
    """One of some words, which may be shortened to its first letter."""

    def meant(text: str) -> str:
        found = [answer for answer in answers if text.strip() and answer.startswith(text.strip().lower())]
        if len(found) != 1:
            raise click.UsageError(f"Answer {', '.join(answers[:-1])} or {answers[-1]}")
        return found[0]

    read: Callable[[str], str] = meant
    return str(click.prompt(f"{question} ({'/'.join(answers)})", default=default, value_proc=read))
