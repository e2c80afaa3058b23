"""`companion game show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from companion.cli.common import Refused, archive_option, json_option, pages_at_hand, print_json, sanitize
from companion.games import registry
from companion.games.described import load
from companion.games.described.page.description import title_of
from companion.tabletop.notation.notation import grammar, help_of
from companion.tabletop.table.common_actions import COMMON
from companion.tabletop.text import sanitize_lines
from templates.languages.messages import Text, joined, listed, phrase

if TYPE_CHECKING:
    from companion.games.described.page.description import Description
    from companion.tabletop.game import Game


@click.command("show")
@click.argument("game", metavar="GAME")
@click.option("--text", "as_text", is_flag=True, help="Print the text of its page, to keep or to change.")
@archive_option
@json_option
def command(game: str, as_text: bool, archive: str | None, as_json: bool) -> None:
    """Show the figures, lines, house rules and glossary of a game. GAME is a name, or the file of a page.

    \b
    Examples: companion game show crown.toml
              companion game show crown --text
    """
    with pages_at_hand(archive):
        rules = registry.game(game)
    if as_text:
        click.echo(_text_of(rules), nl=False)
        return
    if as_json:
        print_json(_plain_game(rules))
        return
    for paragraph in _describe_game(rules):
        click.echo(sanitize(paragraph))


def _text_of(rules: Game) -> str:
    """Return the text of a game's page. Raises Refused for a game that is a program."""
    text = load.text_of(rules.page)
    if text is None:
        raise Refused(phrase("{rules} is a program and no page; there is no text of it to show.", rules=rules.title))
    return sanitize_lines(text)


def _plain_game(game: Game) -> dict[str, Any]:
    """Return a game for JSON."""
    page = getattr(game, "description", None)
    return {
        "name": game.name,
        "title": str(game.title),
        "lines": [{"line": line, "does": str(does)} for line, does in _describe_lines(game)],
        "house": [{"rule": rule.key, "values": rule.values, "book": rule.book} for rule in game.house.all()],
        "page": page,
    }


def _describe_lines(game: Game) -> Iterator[tuple[str, Text]]:
    """Yield the usage and the effect of the lines that are not common to all games."""
    common = {action.verb() for action in COMMON}
    for action in game.actions:
        if action.verb() not in common:
            yield grammar(action).usage, help_of(action)


def _describe_game(game: Game) -> Iterator[Text]:
    page: Description | None = getattr(game, "readable_page", None)
    yield f"{game.title} ({game.name})"
    if page is not None:
        yield from _describe_page(page)
    yield phrase("Lines:")
    yield from (joined(": ", (f"  {line}", does)) for line, does in _describe_lines(game))
    if house := game.house.all():
        yield phrase("House rules:")
        for rule in house:
            yield joined(": ", (f"  {rule.title_with_key} {'|'.join(rule.values) or 'N'}", rule.shown_text))


def _describe_page(page: Description) -> Iterator[Text]:
    """Yield the other content of a page, besides its lines and house rules, a sentence each."""
    if page.about:
        yield page.about
    if page.suits:
        yield page.suits
    players, order, edition = page.play.players, page.play.order, str(page.edition)
    if page.by:
        yield phrase(
            "For {players} players, {order}; by {author}, edition {edition}.",
            players=players,
            order=order,
            author=page.by,
            edition=edition,
        )
    else:
        yield phrase(
            "For {players} players, {order}; edition {edition}.", players=players, order=order, edition=edition
        )
    if page.credit:
        yield page.credit
    if page.language:
        languages = listed((page.written_in, *page.language))
        yield phrase("Its texts are in these languages: {languages}.", languages=languages)
    tables: tuple[tuple[Text, Any], ...] = (
        (phrase("Figures"), page.counters),
        (phrase("Flags"), page.flags),
        (phrase("Tokens"), page.tokens),
        (phrase("Things"), page.things),
        (phrase("Zones"), page.zones),
        (phrase("Drawn from"), page.pools),
    )
    steps = [title_of(step.name, step.title) for step in page.steps]
    named = [(what, [title_of(word, each.title) for word, each in table.items()]) for what, table in tables]
    for what, titles in ((phrase("Steps"), steps), *named):
        if titles:
            yield phrase("{what}: {names}.", what=what, names=listed(titles))
