"""`companion homebrew check`."""

from __future__ import annotations

from typing import Any

import click

from companion.cli.commands.homebrew._shared import require_homebrew
from companion.cli.common import REFUSED, any_archive_option, json_option, print_json, read_text, sanitize
from companion.cli.page_languages import plain_state, tell_translations
from companion.cli.pages import tell_faults
from companion.forms.page_check import too_long
from companion.games import registry
from companion.games.described.page.reading import PageError, place_faults
from companion.games.described.page.translations import language_states
from templates.languages.catalogues import find_language
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
    rules: Any = game  # a game that has homebrews
    brew = rules.additions
    states = tuple(language_states(brew.texts, brew.language, find_language))
    if as_json:
        plain = {"file": where, "name": game.word, "title": str(game.title), "faults": ()}
        languages = [plain_state(text, state) for state in states]
        print_json({**plain, "warnings": [fault._asdict() for fault in warnings], "languages": languages})
    else:
        tell_faults(where, warnings, as_json=False)
        tell_translations(where, text, states)
        click.echo(sanitize(phrase("{game}: nothing is wrong with this homebrew.", game=game.title)))
    return 0
