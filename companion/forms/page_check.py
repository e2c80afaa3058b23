"""The check of a game's page, as commands and pages run it: its faults, random games, and doubts about its labels."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.described.check import play_random
from companion.games.described.decks.paper import places_of_labels, sample_box_note
from companion.games.described.game import DescribedGame
from companion.games.described.page.checks.doubts import doubt_page
from companion.games.described.page.reading import place_faults, read_description
from companion.games.described.page.texts import PageTexts
from companion.games.described.page.translations import language_states
from companion.printing import designs, jobs, run
from labels.designfile import DesignError
from templates.languages.catalogues import find_language
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.games.described.page.description import Description
    from companion.games.described.page.reading import LineFault
    from companion.games.described.page.translations import LanguageState
    from companion.tabletop.game import Game

GAMES: Final = 200
"""The usual number of random games."""
_SECONDS: Final = 20
"""Seconds for the random games of a page; the game that is being played then is the last."""


class PageReport(NamedTuple):
    """The result of a check: faults that random games found or, if there are none, warnings and translations."""

    page: Description
    faults: tuple[LineFault, ...]
    warnings: tuple[LineFault, ...] = ()
    languages: tuple[LanguageState, ...] = ()


def check_page(
    text: str, where: str = "", games: int = GAMES, goes_on: Callable[[], bool] = lambda: True
) -> PageReport:
    """Check a page. `goes_on` is called before each random game but the first and returns False to stop.

    Raises PageError with all faults if the page cannot be read; `where` names it there.
    """
    page = read_description(text, where)
    if faults := faults_in_play(text, games, goes_on):
        return PageReport(page, tuple(faults))
    game = DescribedGame(page)
    doubts = (
        *doubt_page(page),
        *_unknown_design(page),
        *too_long(game, places_of_labels(page)),
        *_long_counts(game),
    )
    states = language_states(PageTexts.of_page(page), page.language, find_language)
    return PageReport(page, (), tuple(place_faults(text, doubts)), tuple(states))


def faults_in_play(text: str, games: int = GAMES, goes_on: Callable[[], bool] = lambda: True) -> list[LineFault]:
    """Return the faults that random games of a page find, by line. Raises PageError if the page cannot be read."""
    game = DescribedGame(read_description(text))
    until = time.monotonic() + _SECONDS
    findings = play_random(game, games, goes_on=lambda: goes_on() and time.monotonic() < until) if games else ()
    return place_faults(text, findings)


def too_long(game: Game, places: Mapping[str, str]) -> Iterator[tuple[str, Text]]:
    """Yield the texts of labels that do not fit the usual labels, by their keys.

    `places` are the keys of the labels' texts by title.
    """
    if not places:
        return

    refusals = jobs.starter_refusals(game, run.find_stock(None))
    for title, reason in refusals:
        if title in places:
            yield (
                places[title],
                phrase(
                    "The usual labels are too small for this, and it can be played all the same: {reason}",
                    reason=reason,
                ),
            )


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
