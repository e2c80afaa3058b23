"""`companion people forget`."""

from __future__ import annotations

import sys

import click

from companion.archive.people import forgetting
from companion.cli.commands.people._shared import person_fields
from companion.cli.common import Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.cli.confirmation import confirm
from templates.languages.messages import phrase


@click.command("forget")
@click.argument("person")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@archive_option
@json_option
def command(person: str, yes: bool, archive: str | None, as_json: bool) -> None:
    """Delete all names of PERSON, but keep their purse, keepsakes and results without a name.

    Logs of sessions, records of decks and backups are not rewritten; places where the name remains are listed. This
    cannot be undone.

    \b
    Example: companion people forget Ana --yes
    """
    with open_archive(archive) as opened:
        match, traces = forgetting.find_traces(opened, person)
        if not yes:
            for sentence in traces.sentences():
                click.echo(sanitize(sentence), err=True)
            question = phrase("Drop the name {match} for good?", match=match.name)
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise Refused(phrase("{question} --yes does so.", question=question))
            if not confirm(question, err=True):
                raise Refused(phrase("Nothing is changed."))
        gone = forgetting.forget_person(opened, match.person)
    if as_json:
        print_json(
            person_fields(gone.person) | {"sessions": traces.sessions, "decks": traces.decks, "backups": traces.backups}
        )
        return
    click.echo(
        sanitize(
            phrase(
                "{person} is what they are called now; purse {purse}.", person=gone.person.name, purse=gone.person.purse
            )
        )
    )
    if yes:
        for sentence in traces.sentences():
            click.echo(sanitize(sentence))
