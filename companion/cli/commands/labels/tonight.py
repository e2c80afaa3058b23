"""`companion labels tonight`."""

from __future__ import annotations

import click

from companion.cli.common import open_archive, sanitize
from companion.cli.language import requested_language
from companion.cli.printing import options
from companion.cli.printing.options import PaperOptions, Placing, run_options
from companion.cli.printing.run import print_run
from companion.printing import jobs


@click.command("tonight")
@click.argument("session", required=False)
@options.codes_option
@run_options
def command(session: str | None, with_codes: bool, paper: PaperOptions, placing: Placing) -> None:
    """Print the labels that a sealed session calls for, on cards and boxes.

    Without SESSION, the session sealed last is used. SESSION is an id or the beginning of one.

    \b
    Example: companion labels tonight -o tonight.pdf --sheet "blue folder"
    """
    with open_archive(paper.archive) as archive:
        job = jobs.session_job(archive, session, requested_language(), with_codes=with_codes)
    if not placing.plan:
        paper.check()
        for sentence in job.notices:
            paper.say(f"  {sanitize(str(sentence))}")
    print_run(job, paper, placing)
