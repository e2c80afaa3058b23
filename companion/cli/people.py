"""`companion people`: people's purses, with the reason of every change, the decks they held, their names and ids."""

import sys

import click

from companion.archive import deck_id
from companion.archive.people import people
from companion.archive.storage.purses import Person
from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    print_list,
    print_table,
    sanitize,
)
from companion.tabletop.text import signed_figure


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
        plain=_person_fields,
    )


def _person_fields(row: Person) -> dict[str, object]:
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
                f"  {format_local_time(line.at)}",
                titles.get(line.session) or line.session,
                signed_figure(line.change),
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
@click.argument("nickname", default="")
@click.option("--hidden", is_flag=True, help="Not at all: “Player 7” where a name would stand.")
@click.option("--off", is_flag=True, help="By name again.")
@archive_option
@json_option
def alias(person: str, nickname: str, hidden: bool, off: bool, archive: str | None, as_json: bool) -> None:
    """Say how somebody is called on everything that leaves the house, such as standings on a page, as CSV or a sheet.

    \b
    Example: companion people alias Ana "Grey Fox"
             companion people alias Ben --hidden
             companion people alias Ana --off
    """
    if bool(nickname) + hidden + off != 1:
        raise Misused("Say one of a nickname, --hidden, or --off.")
    with open_archive(archive) as opened:
        row = people.set_alias(opened, person, nickname, hidden=hidden)
    if as_json:
        print_json({"person": row.person, "name": row.name, "nickname": row.nickname, "hidden": row.hidden})
        return
    called = "not named at all" if row.hidden else f"called {row.nickname or row.name}"
    click.echo(sanitize(f"{row.name} ({row.person}) is {called} outside of the house."))


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


@command.command()
@click.argument("person")
@click.option("--yes", is_flag=True, help="Do so without being asked.")
@archive_option
@json_option
def forget(person: str, yes: bool, archive: str | None, as_json: bool) -> None:
    """Drop all names of PERSON and keep their sums: purse, keepsakes and results stay, and are nobody's by name.

    It says where the name goes on standing: logs of sessions, records of decks, and backups are not rewritten. This
    cannot be taken back.

    \b
    Example: companion people forget Ana --yes
    """
    from companion.archive.people import forgetting

    with open_archive(archive) as opened:
        match, traces = forgetting.find_traces(opened, person)
        if not yes:
            for sentence in traces.sentences():
                click.echo(sanitize(sentence), err=True)
            question = f"Drop the name {match.name} for good?"
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise Refused(f"{question} --yes does so.")
            if not click.confirm(question, err=True):
                raise Refused("Nothing is changed.")
        gone = forgetting.forget_person(opened, match.person)
    if as_json:
        print_json(
            _person_fields(gone.person)
            | {"sessions": traces.sessions, "decks": traces.decks, "backups": traces.backups}
        )
        return
    click.echo(sanitize(f"{gone.person.name} is what they are called now; purse {gone.person.purse}."))
    if yes:
        for sentence in traces.sentences():
            click.echo(sanitize(sentence))


def _print_person(person: Person, what: str, as_json: bool) -> None:
    if as_json:
        print_json(_person_fields(person))
        return
    click.echo(sanitize(f"{person.name} ({person.person}) {what}; purse {person.purse}."))
