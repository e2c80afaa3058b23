"""The languages of a page or homebrew, as the commands that check them report them."""

from __future__ import annotations

from collections.abc import Iterable

import click

from companion.cli.common import sanitize
from companion.games.described.page.reading import place_paths
from companion.games.described.page.translations import LanguageState
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase


def tell_translations(file: str, text: str, states: Iterable[LanguageState]) -> None:
    """Print how much of a page is translated into each language, and the texts that are missing, by line."""
    for state in states:
        places = place_paths(text, ((each.path, each.text) for each in state.missing[:_MOST_MISSING]))
        for line, missing in places:
            what = phrase("{text} is not translated ({language}).", text=in_quotes(missing), language=state.code)
            click.echo(sanitize(f"{file}:{line}: {what}"), err=True)
        done = phrase(
            "{language}: {number} of {all} texts are translated.",
            language=state.code,
            number=str(state.translated),
            all=str(state.all_texts),
        )
        click.echo(sanitize(done))


_MOST_MISSING = 40
"""The most missing texts of a language that are listed."""


def plain_state(text: str, state: LanguageState) -> dict[str, object]:
    """Return the state of a language of a page for JSON."""
    missing = place_paths(text, ((each.path, each.text) for each in state.missing))
    return {
        "language": state.code,
        "translated": state.translated,
        "texts": state.all_texts,
        "missing": [{"line": line, "text": each} for line, each in missing],
    }
