"""`companion game schema`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import any_archive_option, force_option, output_option, print_or_write
from companion.games.described.page.description import schema as page_schema
from templates.languages.messages import phrase


@click.command("schema")
@output_option("File to write; default: standard output.")
@any_archive_option
@force_option
def command(out: Path | None, force: bool) -> None:
    """Print the JSON schema of pages, with which an editor explains keys and marks mistakes while you type.

    Editors with Taplo or Even Better TOML use it if the first line of a page is `#:schema game.schema.json`.

    \b
    Example: companion game schema -o game.schema.json
    """
    print_or_write(f"{page_schema().decode()}\n", out, phrase("the schema of pages."), force=force)
