"""`companion people`: people's purses, with the reason of every change, and the decks they held; names and ids."""

import click

from companion.archive import deck_id, people
from companion.archive.purses import Person
from companion.cli.common import (
    archive_option,
    json_option,
    open_archive,
    print_json,
    print_list,
    print_table,
    sanitize,
    when,
)
from companion.tabletop.text import signed


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
    print_list(
        rows,
        ("NAME", "ID", "PURSE"),
        lambda row: (row.name, row.person, str(row.purse)),
        "Nobody has a purse or a deck yet. companion deck new --help tells how to build one.",
        as_json=as_json,
        plain=_plain,
    )


def _plain(row: Person) -> dict[str, object]:
    return {"person": row.person, "name": row.name, "purse": row.purse}


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
        account = people.find_record(opened, person)
        titles = opened.titles(line.session for line in account.ledger)
    newest_first = account.ledger[::-1]
    if as_json:
        ledger = [line._asdict() for line in newest_first]
        decks = [deck._asdict() for deck in account.held]
        plain = {"person": account.person, "name": account.name, "called": account.called, "purse": account.purse}
        print_json({**plain, "held": decks, "ledger": ledger})
        return
    click.echo(sanitize(" · ".join(part for part in (account.name, account.person, f"purse {account.purse}") if part)))
    if account.held:
        click.echo("\nDecks")
        print_table(("", "", ""), [(f"  {d.name}", deck_id.show(d.deck), _describe_hold(d)) for d in account.held])
    if newest_first:
        click.echo("\nPurse")
        rows = [
            (
                f"  {when(line.at)}",
                titles.get(line.session) or line.session,
                signed(line.change),
                str(line.purse),
                line.why,
            )
            for line in newest_first
        ]
        print_table(("  WHEN", "SESSION", "±", "PURSE", "WHY"), rows)


def _describe_hold(deck: people.HeldDeck) -> str:
    if deck.retired:
        return "retired"
    return "holds it" if deck.now else "held it once"


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
        _print_person(people.add_person(opened, name), "is known", as_json)


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
        _print_person(people.rename_person(opened, person, name), "is called so now", as_json)


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
        _print_person(people.merge_people(opened, person, into), "is both of them now", as_json)


def _print_person(person: Person, what: str, as_json: bool) -> None:
    if as_json:
        print_json(_plain(person))
        return
    click.echo(sanitize(f"{person.name} ({person.person}) {what}; purse {person.purse}."))
