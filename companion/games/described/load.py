"""Games made from the texts of their pages, each once for as long as the program runs.

The digest of a page's text stands for exactly that edition, wherever it is: whoever knows the text knows the digest.
Reading a page, and playing it, are loaded when the first page is asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from companion.tabletop.action import NotationError
from companion.tabletop.text import as_name

if TYPE_CHECKING:
    from companion.tabletop.game import Game

DIGEST_LENGTH: Final = 16
"""Hexadecimal digits of a page's digest."""
MAX_BYTES: Final = 262_144
"""Of a page, as UTF-8."""

_TEXTS: Final[dict[str, str]] = {}
_GAMES: Final[dict[tuple[str, str], Game]] = {}


def digest_of(text: str) -> str:
    """What stands for a page's text: the first digits of the SHA-256 of its UTF-8."""
    # Loaded by those only who have a page: a screen is drawn before.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def remember(text: str) -> str:
    """Keep a page's text at hand, so that `text_of` has it; gives its digest."""
    digest = digest_of(text)
    _TEXTS[digest] = text
    return digest


def text_of(page: str) -> str | None:
    """The text of a page that was seen here; None of one that was not."""
    return _TEXTS.get(page)


def base_of(text: str) -> str:
    """The game to which a text adds what is a campaign's own; "" of a page that describes a game by itself."""
    before, *_ = _TABLE.split(text, maxsplit=1)
    match = _HOMEBREW.search(before)
    return match[1] if match else ""


class Headline(msgspec.Struct, frozen=True):
    """What a page says of itself, without the game."""

    name: str
    title: str
    by: str
    edition: int


def headline(text: str) -> Headline:
    """What a page says of itself; the rest of it may be of a newer format. Raises NotationError where it says nothing.

    Nothing of it is believed to be short or plain: who shows it sees to that.
    """
    import tomllib

    if len(text.encode()) > MAX_BYTES:
        raise NotationError(f"{_NO_PAGE}: it has more than {MAX_BYTES // 1024} KiB.")
    try:
        page = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{_NO_PAGE}: {str(error).rstrip('.')}.") from error
    name, title, by, edition = (page.get(key, missing) for key, missing in _HEADLINE.items())
    if not isinstance(name, str) or not is_word(name):
        raise NotationError(f"{_NO_PAGE}: it has no `name` of small letters, digits and `-`.")
    if not (isinstance(title, str) and isinstance(by, str) and isinstance(edition, int) and 0 < edition < _MOST):
        raise NotationError(f"{_NO_PAGE}: its `title`, `by` or `edition` makes no sense.")
    return Headline(name, as_name(title) or name, as_name(by), edition)


def is_word(name: str) -> bool:
    """Whether a game can be called so in a line."""
    return len(name) <= _LONGEST_WORD and _WORD.fullmatch(name) is not None


_TABLE: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_HOMEBREW: Final = re.compile(r"""^[ \t]*homebrew[ \t]*=[ \t]*["']([a-z0-9-]{1,32})["']""", re.MULTILINE)
_NO_PAGE: Final = "This is no page that describes a game"
_HEADLINE: Final = {"name": "", "title": "", "by": "", "edition": 1}
_MOST: Final = 1_000_000
_LONGEST_WORD: Final = 32
_WORD: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def game_from_text(text: str, name: str = "", *, kept: bool = False) -> Game:
    """The game that a page describes; called `name` where it is known under another one than its own.

    Of a page that is `kept` for what was played by it, as much counts as can be read: its evenings open in any case.
    Raises PageError, a NotationError, with all that is wrong with the page.
    """
    page = remember(text)
    if (page, name) not in _GAMES:
        from companion.games.described.game import DescribedGame
        from companion.games.described.reading import PageError, read_description, read_kept_description

        try:
            description = read_description(text)
        except PageError:
            if not kept:
                raise
            description = read_kept_description(text)
        game = _GAMES.setdefault((page, name or description.name), DescribedGame(description, page, name))
        game.author = description.by
        _GAMES[page, name] = game
    return _GAMES[page, name]
