"""The list of games to choose from. It loads no game, and parses no page but for a reader of another language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import resources
from typing import Final, Literal, NamedTuple

from companion.games import registry
from companion.games.page_text import PageText, code_of
from companion.tabletop.action import NotationError
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import ENGLISH, Language, Message, Text

Origin = Literal["program", "added", "homebrew", "ready"]


class ListedGame(NamedTuple):
    """A game to choose: the word after `table`, its title, a sentence about it, and its origin.

    `suits` names well-known games that its page suits; `find` are more words by which it is found.
    """

    name: str
    title: Text
    about: Text = ""
    origin: Origin = "program"
    suits: Text = ""
    find: Text = ""


_HEAD: Final = 4096
"""Characters at the start of a page that contain its name."""
_ENTRY: Final = re.compile(r'^(name|title|about|suits|find|written-in)\s*=\s*("(?:[^"\\]|\\.)*")', re.MULTILINE)


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
            heads.append(head_of(text.read(), file.name.removesuffix(".toml")))
    yield from sorted(heads, key=lambda head: alphabetical_key(str(head.title)))


def head_of(text: str, name: str) -> ListedGame:
    """Read the name, title and sentences on a game from the first lines of its page; `name` replaces a missing one."""
    before, *_ = re.split(r"^\[", text[:_HEAD], maxsplit=1, flags=re.MULTILINE)
    entries = {key: json.loads(value) for key, value in _ENTRY.findall(before) if _is_readable(value)}
    title, about, suits, find = (
        _HeadText(entries[key], entries.get("written-in", ENGLISH.code), text) if entries.get(key) else ""
        for key in ("title", "about", "suits", "find")
    )
    return ListedGame(entries.get("name", name), title or name, about, "ready", suits, find)


class _HeadText(Message):
    """A text at the head of a page, whose translations are read once somebody needs one."""

    __slots__ = ("language", "page", "text")

    def __init__(self, text: str, language: str, page: str) -> None:
        self.text = text
        self.language = language
        self.page = page

    def render(self, language: Language) -> str:
        if language is ENGLISH and self.language == ENGLISH.code:
            return self.text
        tables = registry.translations_of(self.page) if "[language." in self.page else {}
        translations = {code_of(code): table[self.text] for code, table in tables.items() if table.get(self.text)}
        return PageText(self.text, translations, code_of(self.language)).render(language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.text, self.language, self.page)


def _is_readable(value: str) -> bool:
    try:
        return str(json.loads(value)).isprintable()
    except ValueError:
        return False
