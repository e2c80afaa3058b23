"""What an amended line calls a thing, carried on to the lines behind it that speak of the thing by its old name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from companion.tabletop.action import Action
from companion.tabletop.arguments import HANDLE, HANDLE_OR_SEAT, REF, SEAT, TARGET, TEXT, Kind, Share
from companion.tabletop.common_actions import Set
from companion.tabletop.game import Game
from companion.tabletop.notation import grammar

_NAMES: Final = (SEAT, HANDLE, HANDLE_OR_SEAT)

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class NewNames(NamedTuple):
    """New names by the old ones: of things, which are called so once in a game, and of what was only said in a text."""

    things: Mapping[str, str] = _NONE
    texts: Mapping[str, str] = _NONE

    def in_action(self, action: Action) -> Action:
        """An action that speaks of the things by their new names."""
        return _renamed(action, self.things)

    def in_texts(self, action: Action) -> Action:
        """An action that speaks of what was said in a text by its new name, too."""
        changes = {
            argument.field: self.texts[value]
            for argument in grammar(type(action)).arguments
            if argument.kind is TEXT and (value := getattr(action, argument.field)) in self.texts
        }
        return msgspec.structs.replace(action, **changes) if changes else action

    def changes(self, action: Action) -> bool:
        """Whether an action speaks of any of them."""
        return self.in_action(action) != action or self.in_texts(action) != action


def new_names(game: Game, before: Any, old: tuple[Action, Any], new: tuple[Action, Any]) -> NewNames:
    """What one action named on the table `before` it, and what another one names in its place; both with the table
    that they lead to.
    """
    introduced = [tuple(_introduced(game, before, *each)) for each in (old, new)]
    pairs = zip(*introduced, strict=True) if len(introduced[0]) == len(introduced[1]) else ()
    texts = [dict(_texts(action)) for action, _ in (old, new)] if type(old[0]) is type(new[0]) else [{}, {}]
    renames = {texts[0][field]: texts[1][field] for field in texts[0].keys() & texts[1].keys()}
    return NewNames(
        {first: second for first, second in pairs if first != second},
        {first: second for first, second in renames.items() if first != second and first and second},
    )


def _introduced(game: Game, before: Any, action: Action, after: Any) -> Iterator[str]:
    """The names of seats and things that are on the table after an action and were not before it."""
    for argument in grammar(type(action)).arguments:
        name = getattr(action, argument.field)
        if argument.kind not in _NAMES or name is None or game.counters_of(before, name) is not None:
            continue
        if game.counters_of(after, name) is not None:
            yield name


def _texts(action: Action) -> Iterator[tuple[str, str]]:
    for argument in grammar(type(action)).arguments:
        if argument.kind is TEXT:
            yield argument.field, getattr(action, argument.field)


def _renamed(action: Action, names: Mapping[str, str]) -> Action:
    if not names:
        return action
    changes = {}
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        # The figure that is set may be whose turn it is.
        kind = HANDLE if isinstance(action, Set) and argument.field == "value" else argument.kind
        changed = _value(kind, value, names)
        if changed != value:
            changes[argument.field] = changed
    return msgspec.structs.replace(action, **changes) if changes else action


def _value(kind: Kind[Any], value: Any, names: Mapping[str, str]) -> Any:
    """A value with the new names in it, as its kind holds them."""
    item = getattr(kind, "item", None)
    if isinstance(value, tuple) and item is not None:
        return tuple(_value(item, each, names) for each in value)
    if isinstance(kind, Share):
        return (names.get(value[0], value[0]), *value[1:])
    if not isinstance(value, str):
        return value
    if kind in _NAMES or kind is TARGET or kind is REF:
        # Of `minion ana:AS` and `ana:AS`, the seat before the card.
        head, colon, card = value.rpartition(":")
        before, space, seat = head.rpartition(" ")
        return f"{before}{space}{names.get(seat, seat)}:{card}" if colon else names.get(value, value)
    return value
