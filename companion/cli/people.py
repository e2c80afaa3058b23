"""`companion people`: people's purses, with the reason of every change, and the decks they held; names and ids."""

import click

from companion.archive import deck_id, people
from companion.archive.purses import Person
from companion.cli.common import archive_option, json_option, open_archive, print_json, print_table, sanitize, when


@click.group("people")
def command() -> None:
    """Look at people's purses and the decks they held, and say who is who.

    PERSON is a name, or the id by which the program tells people of one name apart.

    \b
    Example: companion people show Ana
    """


@command.command("list")
@archive_option
@json_option
def list_(archive: str | None, as_json: bool) -> None:
    """List everybody who has a purse or holds a deck.

    \b
    Example: companion people list
    """
    with open_archive(archive) as opened:
        rows = people.all_people(opened)
    if as_json:
        print_json([{"person": row.person, "name": row.name, "purse": row.purse} for row in rows])
    elif not rows:
        click.echo("Nobody has a purse or a deck yet. companion deck new --help tells how to found one.")
    else:
        print_table(("NAME", "ID", "PURSE"), [(row.name, row.person, str(row.purse)) for row in rows])


@command.command()
@click.argument("person")
@archive_option
@json_option
def show(person: str, archive: str | None, as_json: bool) -> None:
    """Show somebody's decks and purse, with the reason of every change, newest first.

    \b
    Example: companion people show Ana --json
    """
    with open_archive(archive) as opened:
        found = people.find_record(opened, person)
        titles = opened.titles(line.session for line in found.ledger)
    newest_first = found.ledger[::-1]
    if as_json:
        ledger = [line._asdict() for line in newest_first]
        held = [deck._asdict() for deck in found.held]
        told = {"person": found.person, "name": found.name, "called": found.called, "purse": found.purse}
        print_json({**told, "held": held, "ledger": ledger})
        return
    click.echo(sanitize(" · ".join(part for part in (found.name, found.person, f"purse {found.purse}") if part)))
    if found.held:
        click.echo("\nDecks")
        print_table(("", "", ""), [(f"  {d.name}", deck_id.show(d.deck), _how(d)) for d in found.held])
    if newest_first:
        click.echo("\nPurse")
        rows = [
            (f"  {when(one.at)}", titles.get(one.session) or one.session, f"{one.change:+}", str(one.purse), one.why)
            for one in newest_first
        ]
        print_table(("  WHEN", "SESSION", "±", "PURSE", "WHY"), rows)


def _how(held: people.HeldDeck) -> str:
    if held.retired:
        return "retired"
    return "holds it" if held.now else "held it once"


@command.command()
@click.argument("name")
@archive_option
@json_option
def add(name: str, archive: str | None, as_json: bool) -> None:
    """Make somebody new known, also where another is called so, and print their id.

    Nobody needs this whose name is the only one of its kind: they are known once they have a purse or a deck.

    \b
    Example: companion people add Ana
    """
    with open_archive(archive) as opened:
        _tell(people.add_person(opened, name), "is known", as_json)


@command.command()
@click.argument("person")
@click.argument("name")
@archive_option
@json_option
def rename(person: str, name: str, archive: str | None, as_json: bool) -> None:
    """Give somebody another NAME; what is written keeps the old one, and still finds them.

    \b
    Example: companion people rename Ana "Ana B"
    """
    with open_archive(archive) as opened:
        _tell(people.rename_person(opened, person, name), "is called so now", as_json)


@command.command()
@click.argument("person")
@click.argument("into")
@archive_option
@json_option
def merge(person: str, into: str, archive: str | None, as_json: bool) -> None:
    """Say that PERSON and INTO are one: purse and decks of the first are the second's from now on.

    \b
    Example: companion people merge "Anna" Ana
    """
    with open_archive(archive) as opened:
        _tell(people.merge_people(opened, person, into), "is both of them now", as_json)


def _tell(person: Person, what: str, as_json: bool) -> None:
    if as_json:
        print_json({"person": person.person, "name": person.name, "purse": person.purse})
        return
    click.echo(sanitize(f"{person.name} ({person.person}) {what}; purse {person.purse}."))
