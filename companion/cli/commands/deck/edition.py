"""`companion deck edition`."""

from __future__ import annotations

import click

from companion.archive import deck_id
from companion.archive.exchange import pages
from companion.cli.common import Refused, archive_option, find_deck, json_option, open_archive, print_json, sanitize
from companion.games import registry
from templates.languages.messages import phrase


@click.command("edition")
@click.argument("deck")
@click.option("--take", type=click.IntRange(1), metavar="EDITION", help="Use this edition from now on.")
@click.option("--by", default="", help="Who decided this.")
@archive_option
@json_option
def command(deck: str, take: int | None, by: str, archive: str | None, as_json: bool) -> None:
    """Show which edition of its game's page a deck uses and which later ones are available, or switch to another.

    For a later edition, its changes are listed. What is written on the cards never changes with an edition.

    \b
    Examples: companion deck edition "Grave Choir"
              companion deck edition "Grave Choir" --take 2
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        if not row.page:
            raise Refused(
                phrase(
                    "{name} is a deck of {game}, which is no page and has no editions.",
                    name=row.name,
                    game=registry.title(row.game),
                )
            )
        if take is not None:
            pages.take_edition(opened, row, pages.find_edition(opened, row, take).page, by)
            row = opened.find_deck(row.deck)
        now, later = pages.page_row(opened, row.page), pages.later_editions(opened, row)
        changes = [pages.edition_changes(opened, row, each) for each in later]
    if as_json:
        print_json({"deck": row.deck, "now": now, "later": later, "changes": changes})
        return
    click.echo(
        sanitize(
            phrase(
                "{deck} goes by edition {edition} of {game}.", deck=row.name, edition=str(now.edition), game=now.title
            )
            if now
            else phrase("{deck} goes by a page of {game} that is lost.", deck=row.name, game=row.game)
        )
    )
    for each, sentences in zip(later, changes, strict=True):
        take_it = f"companion deck edition {deck_id.show(row.deck)} --take {each.edition}"
        here = phrase("Edition {edition} is here, too: {command}", edition=str(each.edition), command=take_it)
        click.echo(sanitize(here))
        for sentence in sentences:
            click.echo(sanitize(f"  {sentence}"))
