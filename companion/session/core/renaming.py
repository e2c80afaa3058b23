"""Renaming after an amendment: later lines that use the old name of a thing get its new name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from companion.tabletop.action import Action
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import (
    CARD,
    HANDLE,
    HANDLE_OR_SEAT,
    REF,
    SEAT,
    TARGET,
    TEXT,
    ArgumentKind,
    Share,
)
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.common_actions import Set

_NAMES: Final = (SEAT, HANDLE, HANDLE_OR_SEAT, REF)
_WORDS: Final = (TEXT, CARD)
"""Kinds of arguments that may name something without figures."""

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class NewNames(msgspec.Struct, frozen=True):
    """New names by the old ones.

    `things` have unique names in a game. `words` are names that an action of type `said_by` only mentioned, such as a
    spell or a card, of which there may be several.
    """

    things: Mapping[str, str] = _NONE
    words: Mapping[str, str] = _NONE
    said_by: type[Action] | None = None

    def in_action(self, action: Action) -> Action:
        """Return an action with the new names of things."""
        return _rename_in_action(action, self.things)

    def in_words(self, action: Action) -> Action:
        """Return an action with the new names of mentioned words, too.

        An action of type `said_by` means another word, so it is not changed.
        """
        if type(action) is self.said_by:
            return action
        changes = {field: self.words[word] for field, word in _words(action) if word in self.words}
        return msgspec.structs.replace(action, **changes) if changes else action

    def changes(self, action: Action) -> bool:
        """Return True if an action uses any of the old names."""
        return self.in_action(action) != action or self.in_words(action) != action


def new_names(game: Game, before: Any, old: tuple[Action, Any], new: tuple[Action, Any]) -> NewNames:
    """Return the names that differ between two actions on the table `before`.

    Each action comes with the table that it leads to.
    """
    there = _targets(game, before)
    old_names, new_names = (
        [name for name in _names(action) if name in _targets(game, after) - there] for action, after in (old, new)
    )
    things = zip(old_names, new_names, strict=True) if len(old_names) == len(new_names) else ()
    old_words, new_words = dict(_words(old[0])), dict(_words(new[0]))
    words = zip(old_words.values(), new_words.values(), strict=True) if type(old[0]) is type(new[0]) else ()
    return NewNames(_different(things), _different(words), type(old[0]))


def _different(pairs: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    return {first: second for first, second in pairs if first and second and first != second}


def _targets(game: Game, state: Any) -> frozenset[str]:
    """Return the names of everything with figures; for cards, the name without its qualifier."""
    return frozenset(target.rpartition(" ")[2] for target in game.view(state).targets())


def _names(action: Action) -> Iterator[str]:
    for argument in grammar(type(action)).arguments:
        if argument.kind in _NAMES and (name := getattr(action, argument.field)) is not None:
            yield name


def _words(action: Action) -> Iterator[tuple[str, str]]:
    for argument in grammar(type(action)).arguments:
        if argument.kind in _WORDS:
            yield argument.field, getattr(action, argument.field)


def _rename_in_action(action: Action, names: Mapping[str, str]) -> Action:
    if not names:
        return action
    changes = {}
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        # The value that is set may be the turn player.
        kind = HANDLE if isinstance(action, Set) and argument.field == "value" else argument.kind
        changed = _value(kind, value, names)
        if changed != value:
            changes[argument.field] = changed
    return msgspec.structs.replace(action, **changes) if changes else action


def _value(kind: ArgumentKind[Any], value: Any, names: Mapping[str, str]) -> Any:
    """Return a value with the new names, in the form that its kind requires."""
    item = getattr(kind, "item", None)
    if isinstance(value, tuple) and item is not None:
        return tuple(_value(item, each, names) for each in value)
    if isinstance(kind, Share):
        return (names.get(value[0], value[0]), *value[1:])
    if isinstance(value, str) and (kind in _NAMES or kind is TARGET):
        # A card is named by its owner: `ana:AS`, optionally after another word.
        before, space, name = value.rpartition(" ")
        seat, colon, card = name.rpartition(":")
        otherwise = f"{names.get(seat, seat)}:{card}" if colon else name
        return f"{before}{space}{names.get(name, otherwise)}"
    return value
