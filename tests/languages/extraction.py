"""What stands in catalogues: all messages of the source, of the pages' templates and of the data files.

Babel finds the calls of `phrase` and the like. Texts that are declared as literals and shown by `declared` are found
here: the titles and help of fields, descriptions of keys, and the words in data files. `declarations` has the texts
that stand in no literal of their own.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file

from companion.cli import help_texts
from companion.games.described.page.reading import read_description
from companion.games.described.page.texts import PageTexts
from tests.languages.declarations import find_declarations, find_house_rules, find_values_of_rules

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


_OF_MESSAGES: Final = (
    ("number", "1,234.5", "How the language writes this number: the signs between thousands and before decimals."),
    ("list", "{first}, {second}", "How a list goes on: a, b, c."),
    ("list", "{first} and {second}", "How a list of things that count together ends: a, b and c."),
    ("list", "{first} or {second}", "How a list of things of which one counts ends: a, b or c."),
    ("list", "{sentence}.", "How a sentence ends."),
)
"""What messages themselves look up: the context, the text, and the comment for translators."""


def find_texts() -> Iterator[FoundText]:
    """Yield every text, file by file."""
    for context, text, comment in _OF_MESSAGES:
        yield FoundText("templates/languages/messages.py", 1, text, (comment,), context)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield from _find_calls(path, "python")
            yield from _find_declared(path)
        for path in sorted((ROOT / room).rglob("*.html")):
            yield from _find_calls(path, "jinja2.ext:babel_extract")
    for path in sorted((ROOT / "templates").rglob("*.toml")):
        yield from _find_in_page(path) if path.parent.name == "games" else _find_in_data(path)
    for text in help_texts.CLICK_TEXTS.values():
        yield FoundText(_CLICK, 1, text)
    for forms in help_texts.CLICK_PLURALS.values():
        yield from (FoundText(_CLICK, 1, text) for text in forms)
    for file, text in dict.fromkeys(find_declarations()):
        yield FoundText(file, 1, text, is_declared=True)
    yield from _find_house_rules()


def _find_house_rules() -> Iterator[FoundText]:
    """Yield the names of house rules and of their values."""
    for file, key in dict.fromkeys(find_house_rules()):
        yield FoundText(file, 1, key, (_RULE_COMMENT,), "house rule", is_declared=True)
    for file, value in dict.fromkeys(find_values_of_rules()):
        yield FoundText(file, 1, value, (_VALUE_COMMENT,), "rule value", is_declared=True)


_VALUE_COMMENT: Final = "A value of a house rule, as it is read; it is typed in English."
_RULE_COMMENT: Final = "The name of a house rule: “Konterpreis” for “foil-cost”. Players may type both."


_CLICK: Final = "companion/cli/help_texts.py"


def _find_calls(path: Path, method: str) -> Iterator[FoundText]:
    """Yield the templates in calls of the makers of messages."""
    name = path.relative_to(ROOT).as_posix()
    options = {"trimmed": "true", "silent": "false"} if method != "python" else {}
    calls = extract_from_file(method, path, _KEYWORDS, (_COMMENT,), options, strip_comment_tags=True)
    for line, text, comments, context in calls:
        yield FoundText(name, line, text, tuple(comments), context)


# Texts that are declared

_DESCRIBED: Final[dict[str, tuple[str | int, ...]]] = {
    "Meta": ("description",),
    "Binding": (2, "tooltip"),
    "Field": (1, 2, "title", "help"),
    "DeckFigure": (1, "title"),
    "drawing": (0, "things"),
    "tracking": (1, 3, 4, "everything", "answer", "change"),
    "one_of": (0, "shape"),
    "option": ("help",),
    "output_option": (0,),
    "preview_option": (0,),
}
"""Calls whose literals are shown: by the positions and names of their arguments."""


_KINDS: Final = frozenset({"Word", "MaybeNumber", "RestOrNumber", "RestOfLine", "TargetKind"})
"""The kinds of arguments whose first argument stands for them in the usage of a line."""
_USAGE_COMMENT: Final = "What is typed there in the usage of a line; one word in capitals."


def _usage_word(call: ast.Call) -> str:
    """Return the word that the first argument of a call is in usages; "" for signs, and for several words."""
    value = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else ""
    return value if isinstance(value, str) and re.fullmatch("[A-Z]{3,}", value) else ""


def _find_declared(path: Path) -> Iterator[FoundText]:
    """Yield what literals in calls declare, and the descriptions of forms."""
    name = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and path.name.endswith("actions.py"):
            yield from _find_verb(node, name)
        elif isinstance(node, ast.FunctionDef) and any(map(_is_command, node.decorator_list)):
            for text in help_texts.find_texts(ast.get_docstring(node) or ""):
                yield FoundText(name, node.lineno, text, is_declared=True)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            places = _DESCRIBED.get(called, ())
            if word := _usage_word(node) if called in _KINDS else "":
                yield FoundText(name, node.lineno, word, (_USAGE_COMMENT,), "usage", is_declared=True)
            arguments = [value for place, value in enumerate(node.args) if place in places]
            arguments += [keyword.value for keyword in node.keywords if keyword.arg in places]
            for value in arguments:
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                    yield FoundText(name, value.lineno, value.value, is_declared=True)


def _is_command(decorator: ast.expr) -> bool:
    """Return True for `click.command(…)` and `click.group(…)`, whose docstring is the help of a command."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Attribute) and called.attr in ("command", "group")


_VERB_COMMENT: Final = "One word, as players type it at the table: “ziehen” for “draw”."


def _find_verb(node: ast.ClassDef, name: str) -> Iterator[FoundText]:
    for keyword in node.keywords:
        if keyword.arg == "tag" and isinstance(keyword.value, ast.Constant):
            verb = str(keyword.value.value)
            if verb.islower():
                yield FoundText(name, node.lineno, verb, (_VERB_COMMENT,), "verb", is_declared=True)


_TEXT_KEYS: Final = {
    "words": ("says",),
    "rules": ("*",),
    "aids": ("*",),
    "labels": ("tier", "effects"),
    "stocks": ("title",),
    "designs": ("title",),
    "sample.toml": ("title",),
    "design-shelf.toml": ("title",),
}
"""Folders of data files, and single ones, whose texts are shown, with the keys that hold them; `*` is every key."""
_CONTEXTS: Final = {"designs": "label design", "sample.toml": "sample", "design-shelf.toml": "design group"}
"""The context of texts that people write, too, by the folder or the file."""
_TITLED: Final = {"words": "", "labels": "effects"}
"""Folders of data files in which keys are shown, too: those of a table of this name, "" for the whole file."""


def _find_in_data(path: Path) -> Iterator[FoundText]:
    """Yield the texts of a data file."""
    keys = _TEXT_KEYS.get(path.parent.name) or _TEXT_KEYS.get(path.name)
    if keys is None:
        return
    name = path.relative_to(ROOT).as_posix()
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    texts = [*_texts_of(data, keys), *_titles_of(data, _TITLED.get(path.parent.name))]
    context = _CONTEXTS.get(path.parent.name, _CONTEXTS.get(path.name))
    for text in dict.fromkeys(texts):
        yield FoundText(name, 1, text, context=context, is_declared=True)


_TOLD_COMMENT: Final = "Words in capitals, and “me”, are filled in and stay as they are."
_FIND_COMMENT: Final = "Never shown: words by which people find this game. Put all that your language has for it."


def _find_in_page(path: Path) -> Iterator[FoundText]:
    """Yield the texts of a ready page. It carries no translations of its own, so that there is one place for them."""
    name = path.relative_to(ROOT).as_posix()
    texts = PageTexts.of_page(read_description(path.read_text(encoding="utf-8"))).all_texts
    for each in {each.text: each for each in texts if each.is_needed}.values():
        comment = _TOLD_COMMENT if each.is_told else _FIND_COMMENT if each.path == ("find",) else ""
        yield FoundText(name, 1, each.text, (comment,) if comment else (), is_declared=True)


def _titles_of(data: Any, table: str | None, key: str = "") -> Iterator[str]:
    """Yield the keys of the tables of a name."""
    if isinstance(data, dict):
        if key == table:
            yield from data
        for name, value in data.items():
            yield from _titles_of(value, table, name)
    elif isinstance(data, list):
        for value in data:
            yield from _titles_of(value, table)


def _texts_of(data: Any, keys: tuple[str, ...], key: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _texts_of(value, keys, key if key in keys else name)
    elif isinstance(data, list):
        for value in data:
            yield from _texts_of(value, keys, key)
    elif isinstance(data, str) and data and ("*" in keys or key in keys):
        yield data
