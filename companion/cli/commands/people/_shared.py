"""Shared parts of the commands of `companion people`."""

from __future__ import annotations

import click

from companion.archive.storage.purses import Person
from companion.cli.common import print_json, sanitize
from templates.languages.messages import Message, phrase


def person_fields(row: Person) -> dict[str, object]:
    return {"person": row.person, "name": row.name, "purse": row.purse}


def print_person(person: Person, sentence: Message, as_json: bool) -> None:
    """Print a sentence about a person, and the purse."""
    if as_json:
        print_json(person_fields(person))
        return
    click.echo(sanitize(phrase("{sentence}; purse {purse}.", sentence=sentence, purse=str(person.purse))))


def name_person(person: Person) -> str:
    """Return a person's name and id for a sentence."""
    return f"{person.name} ({person.person})"
