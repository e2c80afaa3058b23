"""`companion homebrew add`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.archive import page_texts
from companion.archive.errors import NameTaken
from companion.archive.exchange import page_offers, pages
from companion.cli.commands.homebrew._shared import require_homebrew
from companion.cli.common import Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.cli.pages import plain_page
from templates.languages.messages import phrase, phrases


@click.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "name", default="", metavar="NAME", help="Name under which to add it.")
@archive_option
@json_option
def command(file: Path, name: str, archive: str | None, as_json: bool) -> None:
    """Add a homebrew from FILE; a copy of the text is stored, so the file is no longer needed.

    A later edition by the same author replaces the previous one for new tables; existing decks and evenings keep
    theirs.

    \b
    Examples: companion homebrew add moonlit.toml
              companion homebrew add moonlit.toml --as our-moon
    """
    text = page_texts.read_file(file)
    require_homebrew(text, str(file))
    with open_archive(archive, create=True) as opened:
        try:
            added = pages.add_page(opened, text, name)
        except NameTaken as error:
            raise Refused(
                phrase("{error} companion homebrew add {file} --as NAME does so.", error=error, file=file)
            ) from error
        behind = pages.decks_behind(opened, added.present)
    if as_json:
        print_json({"added": added.is_new, "behind": behind, **plain_page(added.row)})
        return
    click.echo(sanitize(page_offers.describe_added(added)))
    if behind and added.present == added.row:
        click.echo(
            phrases(
                "{n} deck goes by an earlier edition; companion deck edition DECK takes this one.",
                "{n} decks go by an earlier edition; companion deck edition DECK takes this one.",
                n=behind,
            )
        )
