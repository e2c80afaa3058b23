"""`companion game add`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.archive import page_texts
from companion.archive.errors import NameTaken
from companion.archive.exchange import page_offers, pages
from companion.cli.common import (
    REFUSED,
    Misused,
    Refused,
    archive_option,
    json_option,
    open_archive,
    print_json,
    sanitize,
)
from companion.cli.pages import confirm_offer, plain_page, tell_faults
from companion.forms.page_check import faults_in_play
from companion.games.described import load
from companion.games.described.page.reading import PageError
from templates.languages.messages import phrase, phrases


@click.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "name", default="", metavar="NAME", help="Name under which to add it.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--anyway", is_flag=True, help="Add it even if random games find something wrong with it.")
@archive_option
@json_option
def command(file: Path, name: str, yes: bool, anyway: bool, archive: str | None, as_json: bool) -> int | None:
    """Add a game from the FILE of its page; a copy of the text is stored, so the file is no longer needed.

    The page is checked as by companion game check, and refused with the same messages. Then it says what the page is,
    what it asks, and what it will keep in your archive; on a terminal, it asks whether to add it.

    A later edition by the same author replaces the previous one for new tables; existing decks and evenings keep
    theirs.

    \b
    Examples: companion game add crown.toml
              companion game add crown.toml --as our-crown
              companion game add crown.toml --yes
    """
    text = page_texts.read_file(file)
    with open_archive(archive, create=True) as opened:
        try:
            offer = page_offers.prepare_offer(opened, text, name)
            is_tried = offer.is_new and not anyway and not load.base_of(text)
            if is_tried and (faults := faults_in_play(text)):
                tell_faults(str(file), faults, as_json=as_json)
                if as_json:
                    return REFUSED
                raise Refused(
                    phrase("Nothing is added. companion game add {file} --anyway adds it all the same.", file=file)
                )
            confirm_offer(offer, yes=yes or as_json, quiet=as_json)
            added = pages.add_page(opened, text, name)
        except PageError as error:
            if as_json or len(error.faults) == 1:
                raise
            tell_faults(str(file), error.faults, as_json=False)
            raise Misused(phrase("Nothing is added: this page has faults.")) from None
        except NameTaken as error:
            raise Refused(
                phrase("{error} companion game add {file} --as NAME does so.", error=error, file=file)
            ) from error
        behind = pages.decks_behind(opened, added.present)
    if as_json:
        twice = {"edition_twice": added.is_edition_twice}
        print_json({"added": added.is_new, "behind": behind, **twice, **plain_page(added.row)})
        return None
    click.echo(sanitize(page_offers.describe_added(added)))
    if added.is_new and added.is_edition_twice:
        edition = added.row.edition
        click.echo(
            phrase(
                "Another text was edition {edition} already: what was played by that one keeps it. Write edition = "
                "{edition2} into the page and add it again, so that people can tell the two apart.",
                edition=str(edition),
                edition2=edition + 1,
            )
        )
    if behind and added.present == added.row:
        click.echo(
            phrases(
                "{n} deck goes by an earlier edition; companion deck edition DECK takes this one.",
                "{n} decks go by an earlier edition; companion deck edition DECK takes this one.",
                n=behind,
            )
        )
    return None
