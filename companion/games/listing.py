"""The list of games to choose from. It loads no game and parses no page beyond its first lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import resources
from typing import Final, Literal, NamedTuple

from companion.games import registry
from companion.tabletop.action import NotationError
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Text

Origin = Literal["program", "added", "homebrew", "ready"]


class ListedGame(NamedTuple):
    """A game to choose: the word after `table`, its title, a sentence about it, and its origin."""

    name: str
    title: str
    about: Text = ""
    origin: Origin = "program"


_HEAD: Final = 4096
"""Characters at the start of a page that contain its name."""
_ENTRY: Final = re.compile(r'^(name|title|about)\s*=\s*("(?:[^"\\]|\\.)*")', re.MULTILINE)


def programs() -> Iterator[ListedGame]:
    """Yield the games that are programs: the built-in ones first, then those of packages that can be loaded."""
    for name in registry.GAMES:
        try:
            game = registry.printable(name)
        except NotationError:
            continue
        yield ListedGame(game.name, game.title, game.about)


def ready() -> Iterator[ListedGame]:
    """Yield the games whose pages are shipped, by their titles."""
    folder = resources.files("templates") / "games"
    files = [file for file in folder.iterdir() if file.name.endswith(".toml")] if folder.is_dir() else []
    heads = []
    for file in files:
        with file.open("r", encoding="utf-8") as text:
            heads.append(head_of(text.read(_HEAD), file.name.removesuffix(".toml")))
    yield from sorted(heads, key=lambda head: alphabetical_key(head.title))


def head_of(text: str, name: str) -> ListedGame:
    """Read the name, title and description from the first lines of a page; `name` replaces what is missing."""
    before, *_ = re.split(r"^\[", text[:_HEAD], maxsplit=1, flags=re.MULTILINE)
    entries = {key: json.loads(value) for key, value in _ENTRY.findall(before) if _is_readable(value)}
    return ListedGame(entries.get("name", name), entries.get("title", name), entries.get("about", ""), "ready")


def _is_readable(value: str) -> bool:
    try:
        return str(json.loads(value)).isprintable()
    except ValueError:
        return False
