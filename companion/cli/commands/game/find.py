"""`companion game find`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

from companion.cli.common import Misused, Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.games.game_search import find_games, searched_languages
from companion.games.listing import ListedGame
from companion.session.table import game_pages
from companion.tabletop.notation.word_search import search_words
from companion.tabletop.text import in_quotes, shorten_quote
from templates.languages.messages import Text, all_of, joined, phrase, phrases

_MOST = 10
"""Maximum games that are printed; further words find the others."""
_ORIGINS = {
    "program": phrase("a program"),
    "ready": phrase("a ready page"),
    "added": phrase("a page of yours"),
    "homebrew": phrase("a homebrew"),
}


@click.command("find")
@click.argument("words", metavar="WORD…", nargs=-1, required=True)
@archive_option
@json_option
def command(words: tuple[str, ...], archive: str | None, as_json: bool) -> None:
    """Find games by words: by their titles, by what they are about, or by well-known games that they suit.

    Built-in games, ready pages and the pages that you added are searched, in your language and in English. Case,
    accents and small slips do not matter.

    \b
    Examples: companion game find trick partners
              companion game find cribbage
    """
    text = " ".join(words)
    if not search_words(text):
        raise Misused(
            phrase(
                "There is no letter or figure to search for in {text}; companion game list shows all games.",
                text=in_quotes(text),
            )
        )
    with open_archive(archive, scratch=not archive) as opened:
        games = tuple(game_pages.all_games(opened))
    matches = find_games(games, text)
    if as_json:
        print_json([_plain_game(game) for game in matches.games])
        return
    if not matches.games:
        raise Refused(_describe_nothing(text, len(games)))
    best_matches = matches.games[:_MOST]
    incomplete = phrase("No game has all of these words; these have most of them.")
    searched = _describe_search(text, len(games), len(matches.games)) if matches.has_all_words else incomplete
    for line in chain(*map(_describe_match, best_matches), (searched,)):
        click.echo(sanitize(line))
    click.echo(sanitize(_describe_start(best_matches[0])))


def _plain_game(game: ListedGame) -> dict[str, Any]:
    """Return a game for JSON."""
    texts = {"title": game.title, "about": game.about, "suits": game.suits}
    return {
        "name": game.name,
        **{key: str(text) for key, text in texts.items()},
        "origin": game.origin,
    }


def _describe_match(game: ListedGame) -> Iterator[Text]:
    """Yield a game and what is said of it, a line each."""
    # Translators: A game that was found: its title, the word for it in lines, and where it comes from.
    yield phrase("{title} ({name}), {origin}", title=game.title, name=game.name, origin=_ORIGINS[game.origin])
    yield from (joined("", ("  ", text)) for text in (game.about, game.suits) if text)


def _describe_search(text: str, games: int, matches: int) -> Text:
    return phrases(
        "{matches} of {n} game has “{text}” in its title, its description, the games that it suits or its words "
        "({languages}).",
        "{matches} of {n} games have “{text}” in their titles, their descriptions, the games that they suit or their "
        "words ({languages}).",
        n=games,
        matches=str(matches),
        text=shorten_quote(text),
        languages=_languages(),
    )


def _describe_nothing(text: str, games: int) -> Text:
    return phrases(
        "Nothing like “{text}” is in the titles, descriptions and words of {n} game ({languages}); companion game new "
        "NAME begins a page of your own, and companion game list shows all.",
        "Nothing like “{text}” is in the titles, descriptions and words of {n} games ({languages}); companion game new "
        "NAME begins a page of your own, and companion game list shows all.",
        n=games,
        text=shorten_quote(text),
        languages=_languages(),
    )


def _languages() -> Text:
    """Return the languages in which texts are searched, by their own names."""
    return all_of(language.title for language in searched_languages())


def _describe_start(game: ListedGame) -> Text:
    """Return how to play the best match."""
    # Translators: “{game}” is a title. Lines that are typed stay as they are.
    return phrase(
        "To play {game}, start companion and choose it for a new table, or type table {name} in companion play "
        "--lines; companion game show {name} explains it.",
        game=game.title,
        name=game.name,
    )
