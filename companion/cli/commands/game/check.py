"""`companion game check`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from companion.cli.common import REFUSED, Misused, any_archive_option, json_option, print_json, read_text, sanitize
from companion.cli.page_languages import plain_state, tell_translations
from companion.cli.page_trials import GAMES, faults_in_play
from companion.cli.pages import tell_faults, too_long
from companion.games.described import load
from companion.games.described.decks.paper import places_of_labels, sample_box_note
from companion.games.described.game import DescribedGame
from companion.games.described.page.checks.doubts import doubt_page
from companion.games.described.page.reading import PageError, place_faults, read_description
from companion.games.described.page.texts import PageTexts
from companion.games.described.page.translations import language_states
from companion.printing import designs, jobs, run
from labels.designfile import DesignError
from templates.languages.catalogues import find_language
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.games.described.page.description import Description


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
        page = read_description(text, where)
    except PageError as error:
        tell_faults(where, error.faults, as_json=as_json)
        return REFUSED
    if faults := faults_in_play(text, games):
        tell_faults(where, faults, as_json=as_json)
        return REFUSED
    doubts = (
        *doubt_page(page),
        *_unknown_design(page),
        *too_long(DescribedGame(page), places_of_labels(page)),
        *_long_counts(DescribedGame(page)),
    )
    warnings = place_faults(text, doubts)
    states = tuple(language_states(PageTexts.of_page(page), page.language, find_language))
    if as_json:
        plain = {"file": where, "name": page.name, "title": page.title, "edition": page.edition, "faults": ()}
        languages = [plain_state(text, state) for state in states]
        print_json({**plain, "warnings": [fault._asdict() for fault in warnings], "languages": languages})
    else:
        tell_faults(where, warnings, as_json=False)
        tell_translations(where, text, states)
        click.echo(sanitize(phrase("{page}: nothing is wrong with this page.", page=page.title)))
    return 0


def _unknown_design(page: Description) -> Iterator[tuple[str, Text]]:
    """Yield a doubt if the design of the labels is unknown here, or cannot be read."""
    if page.decks is None or not page.decks.design:
        return

    try:
        designs.find_design(page.decks.design)
    except DesignError as error:
        yield "decks.design", phrase("Labels look as usual: {problem}", problem=error)


def _long_counts(game: DescribedGame) -> Iterator[tuple[str, Text]]:
    """Yield a doubt if the usual box labels have no room for all figures of the box."""
    note = str(sample_box_note(game.readable_page, game.texts))
    if note and jobs.note_refusal(str(game.title), note, run.find_stock(None)):
        text = phrase(
            "The usual labels for boxes have no room for all of this: long titles are cut there, and the last figures "
            "may be left out."
        )
        yield "decks.counts", text
