"""`companion wizard`: people's purses, with every Copper's reason, and the decks they held."""

import click

from companion.archive import Archive, deck_id, people
from companion.cli.common import archive_option, harmless, json_option, print_json, print_table, when


@click.group("wizard")
def command() -> None:
    """Look at people's purses and the decks they held.

    \b
    Example: companion wizard show Ana
    """


@command.command("list")
@archive_option
@json_option
def list_(archive: str | None, as_json: bool) -> None:
    """List everybody who has a purse or holds a deck.

    \b
    Example: companion wizard list
    """
    with Archive.open(archive) as opened:
        rows = people.wizards(opened)
    if as_json:
        print_json([{"name": row.name, "purse": row.purse} for row in rows])
    elif not rows:
        click.echo("Nobody has a purse or a deck yet. companion deck new --help tells how to found one.")
    else:
        print_table(("NAME", "PURSE"), [(row.name, str(row.purse)) for row in rows])


@command.command()
@click.argument("name")
@archive_option
@json_option
def show(name: str, archive: str | None, as_json: bool) -> None:
    """Show somebody's decks and purse, with the reason of every Copper, newest first.

    \b
    Example: companion wizard show Ana --json
    """
    with Archive.open(archive) as opened:
        wizard = people.wizard(opened, name)
        titles = {session.session: session.title for session in opened.sessions()}
    newest_first = wizard.ledger[::-1]
    if as_json:
        ledger = [copper._asdict() for copper in newest_first]
        held = [deck._asdict() for deck in wizard.held]
        print_json({"name": wizard.name, "purse": wizard.purse, "held": held, "ledger": ledger})
        return
    click.echo(harmless(f"{wizard.name} · {wizard.purse} Coppers"))
    if wizard.held:
        click.echo("\nDecks")
        print_table(("", "", ""), [(f"  {d.name}", deck_id.show(d.deck), _how(d)) for d in wizard.held])
    if newest_first:
        click.echo("\nPurse")
        rows = [
            (f"  {when(c.at)}", titles.get(c.session) or c.session, f"{c.change:+}", str(c.purse), c.why)
            for c in newest_first
        ]
        print_table(("  WHEN", "SESSION", "±", "PURSE", "WHY"), rows)


def _how(held: people.Held) -> str:
    if held.retired:
        return "retired"
    return "holds it" if held.now else "held it once"
