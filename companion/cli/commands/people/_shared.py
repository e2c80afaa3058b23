"""Shared parts of the commands of `companion people`."""

from __future__ import annotations

import click

from companion.archive.storage.purses import Person
from companion.cli.common import print_json, sanitize


def person_fields(row: Person) -> dict[str, object]:
    return {"person": row.person, "name": row.name, "purse": row.purse}


def print_person(person: Person, what: str, as_json: bool) -> None:
    if as_json:
        print_json(person_fields(person))
        return
    click.echo(sanitize(f"{person.name} ({person.person}) {what}; purse {person.purse}."))
