"""`companion people show`."""

from __future__ import annotations

import click

from companion.archive import deck_id
from companion.archive.people import people
from companion.cli.common import (
    archive_option,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    print_table,
    sanitize,
)
from companion.tabletop.text import signed_figure
from templates.languages.catalogues import find_language
from templates.languages.messages import Message, joined, phrase


@click.command("show")
@click.argument("person")
@archive_option
@json_option
def command(person: str, archive: str | None, as_json: bool) -> None:
    """Show a person's decks and purse, with the reason for every change, newest first.

    \b
    Example: companion people show Ana --json
    """
    with open_archive(archive) as opened:
        account = people.find_record(opened, person)
        titles = opened.titles(line.session for line in account.ledger)
    newest_first = account.ledger[::-1]
    if as_json:
        ledger = [line._asdict() for line in newest_first]
        decks = [deck._asdict() for deck in account.held]
        plain = {"person": account.person, "name": account.name, "called": account.called, "purse": account.purse}
        print_json({**plain, "language": account.language, "held": decks, "ledger": ledger})
        return
    purse = phrase("purse {amount}", amount=account.purse)
    click.echo(sanitize(joined(" · ", (part for part in (account.name, account.person, purse) if part))))
    if language := find_language(account.language):
        click.echo(sanitize(phrase("Language of the labels: {language}", language=language.title)))
    if account.held:
        click.echo()
        click.echo(phrase("Decks"))
        print_table(("", "", ""), [(f"  {d.name}", deck_id.show(d.deck), _describe_hold(d)) for d in account.held])
    if newest_first:
        click.echo()
        click.echo(phrase("Purse"))
        rows = [
            (
                f"  {format_local_time(line.at)}",
                titles.get(line.session) or line.session,
                signed_figure(line.change),
                str(line.purse),
                line.why,
            )
            for line in newest_first
        ]
        when = joined("", ("  ", phrase("When")))
        print_table((when, phrase("Session"), "±", phrase("Purse"), phrase("Why")), rows)


def _describe_hold(deck: people.HeldDeck) -> Message:
    if deck.retired:
        return phrase("retired")
    return phrase("holds it") if deck.now else phrase("held it once")
