"""`companion game check`."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.common import REFUSED, Misused, any_archive_option, json_option, print_json, read_text, sanitize
from companion.cli.page_languages import plain_state, tell_translations
from companion.cli.pages import tell_faults
from companion.forms.page_check import GAMES, check_page
from companion.games.described import load
from companion.games.described.page.reading import PageError
from templates.languages.messages import phrase


@click.command("check")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--games", type=click.IntRange(0, 10_000), default=GAMES, show_default=True, help="Number of random games to play."
)
@any_archive_option
@json_option
def command(file: Any, games: int, as_json: bool) -> int:
    """Check a page, and report all errors at once, with line numbers and suggestions.

    If there are no errors, random games are played to find games that never end, figures that go out of bounds, and
    actions that can never be taken. If the page has translations, the texts without one are listed.

    \b
    Example: companion game check crown.toml
    """
    text, where = read_text(file), str(getattr(file, "name", "<stdin>"))
    if load.base_of(text):
        raise Misused(
            phrase("{where} is a homebrew and no game of its own: companion homebrew check looks at it.", where=where)
        )
    try:
        report = check_page(text, where, games)
    except PageError as error:
        tell_faults(where, error.faults, as_json=as_json)
        return REFUSED
    if report.faults:
        tell_faults(where, report.faults, as_json=as_json)
        return REFUSED
    page = report.page
    if as_json:
        plain = {"file": where, "name": page.name, "title": page.title, "edition": page.edition, "faults": ()}
        languages = [plain_state(text, state) for state in report.languages]
        print_json({**plain, "warnings": [fault._asdict() for fault in report.warnings], "languages": languages})
    else:
        tell_faults(where, report.warnings, as_json=False)
        tell_translations(where, text, report.languages)
        click.echo(sanitize(phrase("{page}: nothing is wrong with this page.", page=page.title)))
    return 0
