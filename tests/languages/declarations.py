"""Texts that the program declares elsewhere than in the calls that show them, and that only its objects hold.

They are put together, inherited or named by words of notation: the help of actions, house rules, the effects of
DecknForge, the figures of rehearsals, and the names of fields.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import msgspec.inspect

from companion.games import registry
from companion.games.decknforge.book.effect import Effect
from companion.games.decknforge.book.labels import TIERS
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.glossary import title
from companion.tabletop.action import Action
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.game import Game
from companion.tabletop.notation.notation import help_of
from companion.tabletop.records import Mark, Record
from companion.tabletop.words import title_of_word
from templates.languages.messages import ENGLISH, Text, render_value

GAMES: Final = ("decknforge", "oddfrontier", "solforge", "soulforger")
"""The games that are programs; those of pages are not in the catalogues of this program."""

Declaration = tuple[str, str]
"""The file that declares a text, and the text."""


def find_declarations() -> Iterator[Declaration]:
    """Yield every such text, with the file that declares it."""
    games = tuple(map(registry.game, GAMES))
    yield from _find_actions()
    for game in games:
        yield from _find_house_rules(game)
        yield from _find_rehearsal(game)
        yield from _find_results(game)
    yield from _find_effects()
    yield from _find_record_fields()


def _find_actions() -> Iterator[Declaration]:
    """Yield the help of actions, and the names of their fields as questions say them."""
    for action in _subclasses(Action):
        if action.__doc__:
            yield _file_of(action), _english(help_of(action))
        for field in action.__struct_fields__:
            yield _file_of(action), field.replace("_", " ").strip()


def _find_house_rules(game: Game) -> Iterator[Declaration]:
    for rule in game.house.all():
        yield _file_of(game.house), _english(rule.text)


def find_house_rules() -> Iterator[Declaration]:
    """Yield the keys of house rules, which have names in other languages than English."""
    for game in map(registry.game, GAMES):
        yield from ((_file_of(game.house), rule.key) for rule in game.house.all())


def find_values_of_rules() -> Iterator[Declaration]:
    """Yield the values of house rules that are words of them alone."""
    for game in map(registry.game, GAMES):
        values = (value for rule in game.house.all() for value in (rule.book, *rule.values))
        own = (value for value in values if not value.isdecimal() and isinstance(title_of_word(value), str))
        yield from ((_file_of(game.house), value) for value in own)


_WORDS_IN_TABLES: Final = {
    "decknforge": ("brace", "foil", "snipe", "spike", "none", "momentum", "rally", "surge"),
    "solforge": ("first", "second", "breakthrough", "unopposed"),
    "soulforger": ("first", "second", "creature", "weapon", "striking back", "empty deck"),
    "oddfrontier": ("first", "second"),
}
"""The names of rows in rehearsals' tables of figures, apart from effects, seats and cards."""


def _find_rehearsal(game: Game) -> Iterator[Declaration]:
    rehearsal = game.rehearsal
    if rehearsal is None:
        return
    file = _file_of(type(rehearsal))
    for figure in (*rehearsal.figures, *rehearsal.tables):
        yield from ((file, text) for text in (figure.title, figure.unit, figure.text) if text)
    yield from ((file, word) for word in _WORDS_IN_TABLES.get(game.name, ()))
    for temperament in rehearsal.temperaments:
        yield file, temperament.text


def _find_results(game: Game) -> Iterator[Declaration]:
    """Yield the parts of deck lists, and the words of the figures that decks keep of a match."""
    if isinstance(game, ConstructedGame):
        words = (*game.lists.parts, *game.final_counters)
        yield from ((f"companion/games/{game.name}/game.py", word) for word in words)


def _find_effects() -> Iterator[Declaration]:
    """Yield the names, titles and descriptions of inscriptions and labels, and the tiers of labels."""
    effects: tuple[Effect, ...] = (*STANDARD.inscriptions.values(), *STANDARD.labels.values())
    for effect in effects:
        texts = (effect.name, title(effect.name), effect.name.replace("-", " ").title(), _english(effect.effect))
        yield from ((_file_of(type(effect)), text) for text in texts)
    for tier in TIERS.values():
        yield "companion/games/decknforge/book/labels.py", tier


def _find_record_fields() -> Iterator[Declaration]:
    """Yield the names of the fields of decks' records, of things in them, and of marks, as lists and sentences say
    them.
    """
    parts = {part for kind in _subclasses(Record) for part in _structs_in(msgspec.inspect.type_info(kind))}
    for kind in (*_subclasses(Record), *sorted(parts, key=lambda part: part.__qualname__), *_subclasses(Mark)):
        for field in kind.__struct_encode_fields__:
            name = field.replace("_", " ")
            yield _file_of(kind), name
            yield _file_of(kind), name.capitalize()


def _structs_in(info: Any) -> Iterator[type[Any]]:
    """Yield the structs that fields of a struct hold, also in lists and mappings."""
    for field in getattr(info, "fields", ()):
        yield from _structs_of(field.type)


def _structs_of(info: Any) -> Iterator[type[Any]]:
    if isinstance(info, msgspec.inspect.StructType):
        yield info.cls
        yield from _structs_in(info)
    inner = (getattr(info, name, None) for name in ("item_type", "key_type", "value_type"))
    for part in (*filter(None, inner), *getattr(info, "item_types", ()), *getattr(info, "types", ())):
        yield from _structs_of(part)


def _subclasses(base: type[msgspec.Struct]) -> Iterator[type[Any]]:
    """Yield the classes that the program derives from one, without those of pages and tests."""
    for kind in base.__subclasses__():
        if getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind and _file_of(kind).startswith(
            "companion"
        ):
            yield kind
        yield from _subclasses(kind)


def _file_of(kind: type) -> str:
    return f"{kind.__module__.replace('.', '/')}.py"


def _english(text: Text) -> str:
    return render_value(text, ENGLISH)
