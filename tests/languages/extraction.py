"""What stands in catalogues: all messages of the source, of the pages' templates and of the data files.

Babel finds the calls of `phrase` and the like. Texts that are declared as literals and shown by `declared` are found
here: docstrings of actions, descriptions of fields and keys, and the words in data files.
"""

from __future__ import annotations

import ast
import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "templates/languages"
ROOMS: Final = ("companion", "labels", "templates")
_KEYWORDS: Final[dict[str, Any]] = {
    "phrase": None,
    "phrases": (1, 2),
    "phrase_in": ((1, "c"), 2),
    "phrase_html": None,
    "phrases_html": (1, 2),
}
_COMMENT: Final = "Translators:"


class FoundText(NamedTuple):
    """A text that was found, with the comments for translators and the context that tells it from equal ones.

    `is_declared` tells a text without fields from a template.
    """

    file: str
    line: int
    text: str | tuple[str, ...]
    comments: tuple[str, ...] = ()
    context: str | None = None
    is_declared: bool = False


def extract() -> Catalog:
    """Return the template of all catalogues: every text of the program that people read."""
    catalog = Catalog(project="table-companion", charset="utf-8", fuzzy=False)
    for text in find_texts():
        where = [(text.file, text.line)]
        catalog.add(text.text, locations=where, auto_comments=text.comments, context=text.context)
    return catalog


def find_texts() -> Iterator[FoundText]:
    """Yield every text, file by file."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield from _find_calls(path, "python")
            yield from _find_declared(path)
        for path in sorted((ROOT / room).rglob("*.html")):
            yield from _find_calls(path, "jinja2.ext:babel_extract")
    for path in sorted((ROOT / "templates").rglob("*.toml")):
        yield from _find_in_data(path)


def _find_calls(path: Path, method: str) -> Iterator[FoundText]:
    """Yield the templates in calls of the makers of messages."""
    name = path.relative_to(ROOT).as_posix()
    options = {"trimmed": "true", "silent": "false"} if method != "python" else {}
    calls = extract_from_file(method, path, _KEYWORDS, (_COMMENT,), options, strip_comment_tags=True)
    for line, text, comments, context in calls:
        yield FoundText(name, line, text, tuple(comments), context)


# Texts that are declared

_DESCRIBED: Final = {"Meta": ("description",), "Binding": ("tooltip",), "Field": ("title", "help")}
"""Calls whose literals are shown: by the names of their arguments."""
_POSITIONS: Final = {"Binding": slice(2, 3), "Field": slice(1, 3)}
"""The same by their positions: a key's title, and the title and help of a question."""


def _find_declared(path: Path) -> Iterator[FoundText]:
    """Yield the docstrings of actions, commands and groups, descriptions of fields, and titles of keys."""
    name = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and path.name.endswith("actions.py"):
            yield from _find_docstring(node, name)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            arguments = [keyword.value for keyword in node.keywords if keyword.arg in _DESCRIBED.get(called, ())]
            arguments += node.args[_POSITIONS.get(called, slice(0))]
            for value in arguments:
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                    yield FoundText(name, value.lineno, value.value, is_declared=True)


def _find_docstring(node: ast.ClassDef, name: str) -> Iterator[FoundText]:
    docstring = ast.get_docstring(node)
    if docstring:
        yield FoundText(name, node.lineno, inspect.cleandoc(docstring), is_declared=True)


_TEXT_KEYS: Final = {
    "words": ("says",),
    "rules": ("*",),
}
"""Folders of data files whose texts are shown, with the keys that hold them; `*` is every key."""


def _find_in_data(path: Path) -> Iterator[FoundText]:
    """Yield the texts of a data file."""
    keys = _TEXT_KEYS.get(path.parent.name)
    if keys is None:
        return
    name = path.relative_to(ROOT).as_posix()
    for text in _texts_of(tomllib.loads(path.read_text(encoding="utf-8")), keys):
        yield FoundText(name, 1, text, is_declared=True)


def _texts_of(data: Any, keys: tuple[str, ...], key: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _texts_of(value, keys, name)
    elif isinstance(data, list):
        for value in data:
            yield from _texts_of(value, keys, key)
    elif isinstance(data, str) and data and ("*" in keys or key in keys):
        yield data
