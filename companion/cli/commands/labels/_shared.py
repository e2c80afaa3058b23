"""Shared parts of the commands of `companion labels`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from companion.cli.common import end_refused, open_archive, sanitize
from companion.cli.printing import options
from companion.cli.printing.options import PaperOptions
from companion.cli.printing.run import calibration_for, open_viewer, write_document
from companion.forms.plain_paper import plain_paper
from companion.games import registry
from labels.output import page
from labels.paper import calibration as margins
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.printing.jobs import Job
    from labels.geometry import Paper


GAME = click.option("--game", metavar="GAME", help="Game to print for; default: the first that has one.")


PAPER = click.option(
    "--paper",
    "size",
    type=options.PaperType(),
    metavar="SIZE",
    help="Letter, a4, legal, a5, a6, card (3 × 5 in) or a size such as 148x210mm; default: as in the settings, or "
    "that of your region.",
)


@contextmanager
def added_games(game: str | None, paper: PaperOptions) -> Iterator[None]:
    """Make added games available while a game is looked up by name, unless it is a program."""
    if game is None or registry.is_program(game):
        yield
        return
    with open_archive(paper.archive, scratch=True):
        yield


def print_pages(job: Job, chosen: Paper | None, paper: PaperOptions) -> None:
    size = plain_paper(chosen)

    document = job.document
    assert document is not None
    calibration = calibration_for(paper)
    near = tuple(map(str, margins.page_warnings(page.printed_area(size.size), size.size, calibration)))
    with write_document(
        lambda out: out.write(page.render_document(document, size.size, calibration, paper.ink or "colour")),
        paper,
        size,
        size.media,
        document.title,
        first=(*near, str(phrase("Put in plain {paper} paper.", paper=size.title))),
    ) as output:
        pass
    paper.say_printed(
        phrase(
            "{document}: {output}, for {paper} paper.",
            document=sanitize(document.title),
            output=output,
            paper=size.title,
        )
    )
    for sentence in near if paper.queue is None else ():
        paper.say(sentence)
    open_viewer(paper)
    if job.left_out:
        end_refused(phrase("Left out: {reason}", reason=reason) for reason in job.left_out)
