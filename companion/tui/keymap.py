"""Keys of one's own: which ids of bindings a file gives which keys. Knows no screen: it is told who has keys."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from platformdirs import user_config_path
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character
from textual.widgets import Input

from companion.tui.textual_private import key_of
from companion.tui.widgets.command_bar import CommandBar

Together = tuple[type[DOMNode], ...]
"""Nodes whose keys count at the same time."""

_MODIFIERS: Final = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})
_NAMED: Final = frozenset((*(key.value for key in Keys), *KEY_NAME_REPLACEMENTS.values()))


class KeymapError(ValueError):
    """Keys that cannot be so; the message names the file, what is wrong, and the way out."""


def place() -> Path:
    """Where the file is; it need not be there."""
    return user_config_path("table-companion", appauthor=False) / "keys.toml"


def read(file: Path, screens: Sequence[Together]) -> Mapping[str, str]:
    """The keys by the ids they are for, several with commas between; nothing without the file. Raises KeymapError."""
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KeymapError(f"{file} cannot be read ({error}); all keys are as they were.") from None
    try:
        known = [binding.id or "" for nodes in screens for node in nodes for binding in bindings(node)]
        keymap = {name: _keys(name, value, known) for name, value in _flat(told)}
        for nodes in screens:
            _check_clashes([binding for node in nodes for binding in bindings(node)], keymap, nodes)
    except KeymapError as error:
        raise KeymapError(f"{file}: {error} All keys are as they were.") from None
    return keymap


def bindings(node: type[DOMNode]) -> list[Binding]:
    """The bindings of a screen or widget that can be given other keys."""
    return [binding for binding in node.__dict__.get("BINDINGS", ()) if isinstance(binding, Binding) and binding.id]


def _flat(told: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """`table.next = "m"` is, to TOML, a `next` inside of a `table`."""
    for name, value in told.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def _keys(name: str, value: Any, known: Sequence[str]) -> str:
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        meant = f"did you mean {near[0]}?" if near else f"ids are, for example, {known[0]} and {known[1]}."
        raise KeymapError(f"“{name}” is the id of no key; {meant}")
    keys = value if isinstance(value, list) else [value]
    if not keys or not all(isinstance(key, str) and _is_key(key) for key in keys):
        raise KeymapError(f"{name} = {value!r} names no key; keys are written as m, plus, f5 or ctrl+t.")
    return ",".join(key_of(key) if len(key) == 1 else key for key in keys)


def _is_key(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable()
    *modifiers, last = key.split("+")
    known = key in _NAMED or last in _NAMED or key_to_character(last) is not None
    return known and _MODIFIERS.issuperset(modifiers)


def _check_clashes(own: list[Binding], keymap: Mapping[str, str], nodes: Together) -> None:
    """One key with two meanings at the same time, or one that the field typed into keeps for itself."""
    typing = _typing_keys() if CommandBar in nodes else frozenset()
    held: dict[str, Binding] = {}
    for binding in own:
        name = binding.id or ""
        for key in keymap.get(name, binding.key).split(","):
            other = held.setdefault(key, binding)
            if other is not binding and {name, other.id} & keymap.keys():
                raise KeymapError(f"“{key}” would be both {other.id} and {name}; give one of them another key.")
            if key in typing and name in keymap and binding not in bindings(CommandBar):
                raise KeymapError(f"“{key}” is needed for typing, so {name} must have another key.")


def _typing_keys() -> frozenset[str]:
    return frozenset(key for b in Input.BINDINGS if isinstance(b, Binding) for key in b.key.split(","))
