"""`companion labels design example`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import any_archive_option, force_option, fresh_file, output_option, tell_written
from companion.cli.printing.options import translate_label_errors
from companion.printing import designs
from templates.languages.messages import phrase


@click.command("example")
@click.argument("name", default="badge")
@output_option("File to write; default: standard output.", "--output")
@any_archive_option
@force_option
def command(name: str, output: Path | None, force: bool) -> None:
    """Print the file of a built-in design, to start your own from.

    \b
    Example: companion labels design example badge -o mine.toml
    """
    with translate_label_errors():
        content = designs.example_design(name)
    if output is None:
        click.echo(content, nl=False)
        return
    with fresh_file(output, force=force) as draft:
        draft.write_text(content, encoding="utf-8", newline="\n")
    tell_written(output, phrase("yours to change; companion labels design check looks at it."))
