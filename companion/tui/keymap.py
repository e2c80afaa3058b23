"""The user's own keys: a file assigns keys to ids of bindings.

Independent of the screens: callers pass the bindings.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import platformdirs
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character
from textual.widgets import Input

from companion.forms import settings
from companion.tabletop.errors import SentenceError
from companion.tui.terminal.terminal_input import key_of, types
from templates.languages.messages import Text, phrase

Together = tuple[type[DOMNode], ...]
"""Nodes whose keys are active at the same time."""

_MODIFIERS: Final = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})
_NAMED: Final = frozenset((*(key.value for key in Keys), *KEY_NAME_REPLACEMENTS.values()))


class KeymapError(SentenceError, ValueError):
    """A file of keys that cannot be read; the message names the file and the error."""


class Keymap(msgspec.Struct, frozen=True):
    """Keys by binding id, several separated by commas, and a sentence for each entry that was skipped."""

    keys: Mapping[str, str]
    skipped: tuple[str, ...] = ()


def keymap_file() -> Path:
    """Return the path of the user's key file, which need not exist."""
    return platformdirs.user_config_path("table-companion", appauthor=False) / "keys.toml"


def read_keymap(file: Path, all_screens: Callable[[], Sequence[Together]]) -> Keymap:
    """Read the user's own keys; none without the file, and then no screen is loaded.

    Entries that are impossible are skipped, the rest applies. Raises KeymapError.
    """
    if not os.path.exists(file):  # noqa: PTH110 – false, too, where the folder may not be looked into
        return Keymap({})
    try:
        document = settings.read_document(file)
    except FileNotFoundError:
        return Keymap({})
    except (OSError, ValueError, RecursionError) as error:
        raise KeymapError(
            phrase("{file} cannot be read ({reason}); all keys are as they were.", file=str(file), reason=str(error))
        ) from None
    screens, skipped = all_screens(), list[str]()
    keys_by_id = _keys_by_id(document, screens, skipped)
    for name in keys_by_id:
        for key in tuple(keys_by_id[name]):
            if why := _find_clash(name, key, keys_by_id, screens):
                skipped.append(str(why))
                keys_by_id[name].remove(key)
    return Keymap({name: ",".join(keys) for name, keys in keys_by_id.items() if keys}, tuple(skipped))


def bindings(node: type[DOMNode]) -> list[Binding]:
    """Return the bindings of a screen or widget that can be given other keys."""
    return [binding for binding in node.__dict__.get("BINDINGS", ()) if isinstance(binding, Binding) and binding.id]


def _flatten_table(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the entries of nested tables with dotted names: in TOML, `table.next = "m"` is a `next` inside of a
    `table`.
    """
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten_table(value, f"{before}{name}.")
        else:
            yield before + name, value


def _keys_by_id(document: Mapping[str, Any], screens: Sequence[Together], skipped: list[str]) -> dict[str, list[str]]:
    """Return the keys of the file by id, in Textual's names; the reasons against the others are added to `skipped`."""
    by_id = {binding.id or "": binding for nodes in screens for node in nodes for binding in bindings(node)}
    keys_by_id: dict[str, list[str]] = {}
    for name, value in _flatten_table(document):
        for key in value if isinstance(value, list) else [value]:
            if why := _why_not(name, key, by_id):
                skipped.append(str(why))
            else:
                keys_by_id.setdefault(name, []).append(_textual_name(key))
    return keys_by_id


def _why_not(name: str, key: Any, by_id: Mapping[str, Binding]) -> Text:
    """Return the reason why this cannot be the key of that id, apart from other keys; "" if it can."""
    if name not in by_id:
        near = difflib.get_close_matches(name, by_id, 1)
        # Translators: {id} is the id of a key in a file, such as “table.next”, in this and the following messages.
        if near:
            return phrase("No key has the id “{id}”; did you mean {other}?", id=name, other=near[0])
        return phrase("No key has the id “{id}” any more.", id=name)
    if not isinstance(key, str) or not _is_key(key):
        return phrase("{id} = {key} names no key; keys are written as f5, ctrl+t or alt+m.", id=name, key=repr(key))
    usual = by_id[name].key
    if types(_textual_name(key)) and _textual_name(key) not in usual.split(","):
        return phrase(
            "“{key}” types a character and can no longer be a key, so {id} stays at {usual}.",
            key=key,
            id=name,
            usual=usual,
        )
    return ""


def _textual_name(key: str) -> str:
    return key_of(key) if len(key) == 1 else key


def _is_key(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable()
    *modifiers, last = key.split("+")
    is_name = key in _NAMED or last in _NAMED or key_to_character(last) is not None
    return is_name and _MODIFIERS.issuperset(modifiers)


def _find_clash(name: str, key: str, keys_by_id: Mapping[str, Sequence[str]], screens: Sequence[Together]) -> Text:
    """Return the reason why a key would have two meanings at once, or is reserved by a field; "" if it is free.

    If both are on the same screen, the user's key applies, and the binding that had it before goes without.
    """
    for nodes in screens:
        own = [binding for node in nodes for binding in bindings(node)]
        if name not in (binding.id for binding in own):
            continue
        beside = next(node for node in nodes if name in (binding.id for binding in bindings(node)))
        is_beside_field = any(issubclass(node, Input) and node is not beside for node in nodes)
        if is_beside_field and key in _typing_keys():
            return phrase("“{key}” is needed for typing, so {id} must have another key.", key=key, id=name)
        for other in own:
            keys = keys_by_id.get(other.id or "") or other.key.split(",")
            gives_way = other.id not in keys_by_id and other in bindings(beside)
            if other.id != name and key in keys and not gives_way:
                return phrase(
                    "“{key}” would be both {other} and {id}; give one of them another key.",
                    key=key,
                    other=other.id,
                    id=name,
                )
    return ""


def _typing_keys() -> frozenset[str]:
    return frozenset(key for b in Input.BINDINGS if isinstance(b, Binding) for key in b.key.split(","))
