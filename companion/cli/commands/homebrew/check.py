"""`companion homebrew check`."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.commands.homebrew._shared import require_homebrew
from companion.cli.common import REFUSED, any_archive_option, json_option, print_json, read_text, sanitize
from companion.cli.pages import tell_faults, too_long
from companion.games import registry
from companion.games.described.page.reading import PageError, place_faults
from templates.languages.messages import phrase


@click.command("check")
@click.argument("file", type=click.File("rb"))
@any_archive_option
@json_option
def command(file: Any, as_json: bool) -> int:
    """Check a homebrew, and report all errors at once, with line numbers and suggestions.

    If there are no errors, entries without effect and texts that are too long for the default labels are reported.

    \b
    Example: companion homebrew check moonlit.toml
    """
    text, where = read_text(file), str(getattr(file, "name", "<stdin>"))
    require_homebrew(text, where)
    try:
        game = registry.from_text(text)
    except PageError as error:
        tell_faults(where, error.faults, as_json=as_json)
        return REFUSED
    warnings = place_faults(text, (*game.homebrew.doubts, *too_long(game, game.homebrew.label_texts)))
    if as_json:
        plain = {"file": where, "name": game.word, "title": game.title, "faults": ()}
        print_json({**plain, "warnings": [fault._asdict() for fault in warnings]})
    else:
        tell_faults(where, warnings, as_json=False)
        click.echo(sanitize(phrase("{game}: nothing is wrong with this homebrew.", game=game.title)))
    return 0
