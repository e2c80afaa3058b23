"""The text of a page, with a comment above each key. `reading` reads it back into an equal description."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect
from msgspec.structs import fields

from companion.games.described.page.description import Description

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH: Final = 100
"""The width of comments in columns."""


def write_page(page: Description) -> str:
    """Return the text of a page.

    Values equal to their defaults are left out. The description of a key is above its first use.
    """
    notes: set[tuple[str, str]] = set()
    rows: list[str] = []
    sections: list[list[str]] = []
    for key, name in _keys_of(Description):
        value = getattr(page, name)
        if _is_usual(Description, name, value):
            continue
        if isinstance(value, msgspec.Struct):
            sections.append([*_comment(_descriptions_of(Description)[name]), f"[{key}]", *_table_rows(value, notes)])
        elif _is_listed(value):
            blocks = [[f"[[{key}]]", *_table_rows(each, notes)] for each in value]
            sections += _with_comment(_descriptions_of(Description)[name], blocks)
        elif isinstance(value, Mapping) and any(isinstance(each, msgspec.Struct) for each in value.values()):
            blocks = [[f"[{key}.{_quote_key(word)}]", *_table_rows(each, notes)] for word, each in value.items()]
            sections += _with_comment(_descriptions_of(Description)[name], blocks)
        elif isinstance(value, Mapping):
            entries = (f"{_quote_key(word)} = {_inline_value(each)}" for word, each in value.items())
            sections.append([*_comment(_descriptions_of(Description)[name]), f"[{key}]", *entries])
        else:
            rows += [*_comment(_descriptions_of(Description)[name]), f"{key} = {_inline_value(value)}"]
    return "\n\n".join("\n".join(block) for block in [rows, *sections]) + "\n"


def _with_comment(about: str, blocks: list[list[str]]) -> list[list[str]]:
    """Return several tables, with their description above the first."""
    return [[*_comment(about), *blocks[0]], *blocks[1:]]


def _table_rows(part: msgspec.Struct, notes: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the rows of a table's keys, without defaults.

    A key's description is above its first use on the page.
    """
    kind = type(part)
    for key, name in _keys_of(kind):
        value = getattr(part, name)
        if _is_usual(kind, name, value):
            continue
        if (kind.__name__, name) not in notes:
            notes.add((kind.__name__, name))
            yield from _comment(_descriptions_of(kind)[name])
        yield from _assignment_lines(key, value)


def _assignment_lines(key: str, value: Any) -> Iterator[str]:
    """Yield a key with its value. A list of tables has one row for each table."""
    if _is_listed(value):
        yield f"{key} = ["
        yield from (f"    {_inline_value(each)}," for each in value)
        yield "]"
    else:
        yield f"{key} = {_inline_value(value)}"


def _is_listed(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], msgspec.Struct)


def _inline_value(value: Any) -> str:
    """Return a value in one row."""
    if isinstance(value, msgspec.Struct):
        kind = type(value)
        content = ((key, getattr(value, name)) for key, name in _keys_of(kind))
        names = dict(_keys_of(kind))
        return _table({key: each for key, each in content if not _is_usual(kind, names[key], each)})
    if isinstance(value, Mapping):
        return _table(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_inline_value, value))}]"
    if isinstance(value, str):
        # TOML escapes the same characters as JSON, and U+007F.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _table(content: Mapping[str, Any]) -> str:
    inside = ", ".join(f"{_quote_key(key)} = {_inline_value(value)}" for key, value in content.items())
    return f"{{ {inside} }}" if inside else "{}"


def _quote_key(word: str) -> str:
    return word if _BARE.fullmatch(word) else json.dumps(word, ensure_ascii=False)


def _comment(text: str) -> list[str]:
    return [f"# {row}" for row in textwrap.wrap(text, _WIDTH)]


@cache
def _keys_of(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """Return the keys of a part of a page, each with the name of its field."""
    return tuple((field.encode_name, field.name) for field in fields(kind))


@cache
def _defaults_of(kind: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Return the defaults of the optional keys."""
    factories = {
        field.name: field.default_factory() for field in fields(kind) if field.default_factory is not msgspec.NODEFAULT
    }
    return factories | {field.name: field.default for field in fields(kind) if field.default is not msgspec.NODEFAULT}


def _is_usual(kind: type[msgspec.Struct], name: str, value: Any) -> bool:
    usual = _defaults_of(kind)
    # `0` equals `False`, but is another value in TOML.
    return name in usual and value == usual[name] and type(value) is type(usual[name])


@cache
def _descriptions_of(kind: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return the description of each key."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    texts = {}
    for field in info.fields:
        described = field.type
        schema = described.extra_json_schema or {} if isinstance(described, inspect.Metadata) else {}
        texts[field.name] = str(schema.get("description", ""))
    return texts
