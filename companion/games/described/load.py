"""Games made from the texts of their pages, each once per run of the program.

The digest of a page's text identifies exactly that edition everywhere. The modules that parse and play a page are
imported on first use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.tabletop.action import NotationError
from companion.tabletop.text import as_name
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.tabletop.game import Game

DIGEST_LENGTH: Final = 16
"""The number of hexadecimal digits of a page's digest."""
MAX_BYTES: Final = 262_144
"""The maximum size of a page in UTF-8."""

_TEXTS: Final[dict[str, str]] = {}
_GAMES: Final[dict[tuple[str, str], Game]] = {}


def digest_of(text: str) -> str:
    """Return the digest of a page's text: the first digits of the SHA-256 of its UTF-8."""
    # Imported here, so that programs without a page draw their screen without it.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def remember(text: str) -> str:
    """Remember a page's text for `text_of`, and return its digest."""
    digest = digest_of(text)
    _TEXTS[digest] = text
    return digest


def text_of(page: str) -> str | None:
    """Return the text of a page remembered before, or None."""
    return _TEXTS.get(page)


def base_of(text: str) -> str:
    """Return the base game of a homebrew text, or an empty string for a page with a game of its own."""
    before, *_ = _TABLE.split(text, maxsplit=1)
    match = _HOMEBREW.search(before)
    return match[1] if match else ""


class Headline(msgspec.Struct, frozen=True):
    """The name, title, author and edition of a page, without the game."""

    name: str
    title: str
    by: str
    edition: int


def headline(text: str) -> Headline:
    """Read the headline of a page; the rest may be of a newer format. Raises NotationError if it has none.

    Its texts may be long or contain any characters; the caller must sanitize them before display.
    """
    if len(text.encode()) > MAX_BYTES:
        raise NotationError(
            phrase("This is not a page that describes a game: it has more than {size} KiB.", size=MAX_BYTES // 1024)
        )
    try:
        page = _parse(text)
    except (ValueError, RecursionError) as error:
        why = str(error).rstrip(".")
        raise NotationError(phrase("This is not a page that describes a game: {error}.", error=why)) from error
    name, title, by, edition = (page.get(key, missing) for key, missing in _HEADLINE.items())
    if not isinstance(name, str) or not is_word(name):
        raise NotationError(
            phrase("This is not a page that describes a game: it has no `name` of small letters, digits and `-`.")
        )
    if not (isinstance(title, str) and isinstance(by, str) and isinstance(edition, int) and 0 < edition < _MOST):
        raise NotationError(
            phrase("This is not a page that describes a game: its `title`, `by` or `edition` makes no sense.")
        )
    return Headline(name, as_name(title) or name, as_name(by), edition)


@lru_cache(64)
def translations_of(text: str) -> Mapping[str, Mapping[str, str]]:
    """Return the translations on a page, by languages and by the texts of the page; the rest may be invalid."""
    try:
        tables = _parse(text).get("language") if len(text) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        return {}
    return {
        code: {own: each for own, each in table.items() if isinstance(each, str) and _can_be_shown(each)}
        for code, table in (tables.items() if isinstance(tables, dict) else ())
        if isinstance(table, dict)
    }


def _parse(text: str) -> dict[str, Any]:
    """Parse TOML. Raises ValueError or RecursionError."""
    import tomllib

    return tomllib.loads(text)


def _can_be_shown(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_TEXT and text.isprintable()


def is_word(name: str) -> bool:
    """Return True if a text can be the word for a game in lines."""
    return len(name) <= _LONGEST_WORD and _WORD.fullmatch(name) is not None


_TABLE: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_HOMEBREW: Final = re.compile(r"""^[ \t]*homebrew[ \t]*=[ \t]*["']([a-z0-9-]{1,32})["']""", re.MULTILINE)
_HEADLINE: Final = {"name": "", "title": "", "by": "", "edition": 1}
_MOST: Final = 1_000_000
_LONGEST_WORD: Final = 32
_LONGEST_TEXT: Final = 1600
_WORD: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def game_from_text(text: str, name: str = "", *, kept: bool = False) -> Game:
    """Return the game of a page. `name` replaces the page's own word for it, if given.

    With `kept`, an invalid page that was played before is used as far as it can be parsed, so that its evenings still
    open. Raises PageError, a NotationError, with all faults of the page.
    """
    page = remember(text)
    if (page, name) not in _GAMES:
        from companion.games.described.game import DescribedGame
        from companion.games.described.page.reading import PageError, read_description, read_kept_description

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
