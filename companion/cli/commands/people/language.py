"""`companion people language`."""

from __future__ import annotations

import click

from companion.archive.people import languages
from companion.cli.common import Misused, archive_option, json_option, open_archive, print_json, sanitize
from templates.languages.catalogues import find_language
from templates.languages.messages import Message, phrase


@click.command("language")
@click.argument("person")
@click.argument("code", default="")
@click.option("--off", is_flag=True, help="Forget the language.")
@archive_option
@json_option
def command(person: str, code: str, off: bool, archive: str | None, as_json: bool) -> None:
    """Set the language of a person, in which labels and record sheets of their decks are printed.

    CODE is the code of a language that the program has, such as de. The option --language of a print-out counts first.

    \b
    Example: companion people language Ana de
             companion people language Ana --off
    """
    if bool(code) == off:
        raise Misused(phrase("Say one of a language and --off."))
    with open_archive(archive) as opened:
        row = languages.set_language(opened, person, code)
    if as_json:
        print_json({"person": row.person, "name": row.name, "language": row.language})
        return
    click.echo(sanitize(_describe_language(row.name, row.person, row.language)))


def _describe_language(name: str, person: str, code: str) -> Message:
    language = find_language(code) if code else None
    if language is None:
        return phrase(
            "The language of {name} ({person}) is not known; their labels are in the language of the program.",
            name=name,
            person=person,
        )
    return phrase(
        "Labels of decks that {name} ({person}) holds are in {language}.",
        name=name,
        person=person,
        language=language.title,
    )
