"""What commands tell of a deck list before it is stored, and ask if something in it is unclear."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, Final

import click

from companion.cli.common import Misused, sanitize
from companion.cli.confirmation import confirm
from companion.games import registry
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.deck_lists.decoding import MAX_BYTES, decode_list
from companion.tabletop.deck_lists.reading import parse_list
from companion.tabletop.decks.list_wishes import NOWHERE, ListWishes, OpenSection
from companion.tabletop.game import Game
from templates.languages.messages import Text, phrase, phrases

_EQUALS: Final = "="


def section_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that settle what is unclear in a list; the command gets `sections` and `skip`."""
    skip = click.option("--skip", is_flag=True, help="Leave out the lines that are not understood.")
    section = click.option(
        "--section",
        "sections",
        metavar="SECTION=PART",
        multiple=True,
        help="Where the cards of a section belong: a part of the deck, or none; can be repeated.",
    )
    return section(skip(command))


def parse_wishes(sections: Sequence[str], *, skips: bool) -> ListWishes:
    """Return the options of `section_options`. Raises Misused."""
    parts: dict[str, str] = {}
    for text in sections:
        title, equals, part = text.rpartition(_EQUALS)
        if not (title.strip() and equals and part.strip()):
            example = "--section Sideboard=none"
            raise Misused(phrase("“{text}” cannot be read; write {example}.", text=text, example=example))
        parts[title.strip()] = part.strip()
    return ListWishes(parts, skips)


def read_list_text(file: BinaryIO) -> str:
    """Return the text of a file with a deck list, in any usual encoding. Raises Misused if it is no text."""
    content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise Misused(
            phrase(
                "“{file}” has more than {max_text} MB, which nobody writes about one deck.",
                file=file.name,
                max_text=MAX_BYTES // 1_000_000,
            )
        )
    try:
        return decode_list(content)
    except NotationError:
        raise Misused(phrase("“{file}” is not UTF-8 text; save it as UTF-8.", file=file.name)) from None


def game_of_list(text: str, name: str | None) -> Game | None:
    """Return the game whose word `name` is, or that a list names in its first line; None if there is neither.

    Raises RuleError if the game has no deck lists.
    """
    game = name or parse_list(text, registry.names()).game
    if not game:
        return None
    rules = registry.game(game)
    if rules.decks.deck_list is None:
        raise RuleError(phrase("{game} has no deck lists.", game=rules.title))
    return rules


def ask_wishes(
    wishes: ListWishes, open_sections: Sequence[OpenSection], unread: int, parts: Sequence[str]
) -> ListWishes:
    """Ask for what is unclear in a list, if somebody sits at a terminal; return the wishes with the answers."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return wishes
    answers: Mapping[str, str] = {each.title: _ask_part(each, parts) for each in open_sections}
    question = phrases("Leave out {n} line?", "Leave out {n} lines?", n=unread)
    skips = wishes.skips_unread or (unread > 0 and confirm(question, err=True))
    return ListWishes({**wishes.parts, **answers}, skips)


def _ask_part(section: OpenSection, parts: Sequence[str]) -> str:
    question: Text = phrases(
        "{section} has {n} card; which part of the deck is that?",
        "{section} has {n} cards; which part of the deck is that?",
        n=section.cards,
        section=section.name,
    )
    part: str = click.prompt(sanitize(question), type=click.Choice([*parts, NOWHERE], case_sensitive=False), err=True)
    return part
