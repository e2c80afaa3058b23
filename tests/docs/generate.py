"""The parts of the documents that follow from the program: between `<!-- made: NAME -->` and `<!-- end -->` in them.

Run where commands, keys, lines or house rules have changed: python -m tests.docs.generate
"""

import re
from collections.abc import Iterator
from typing import Final

import click

from companion.cli.main import main
from companion.games import registry
from companion.tabletop.action import Action
from companion.tabletop.common_actions import CHECKS, COMMON, LOG
from companion.tabletop.notation import grammar
from companion.tui import app, keymap
from companion.tui.app import CompanionApp
from tests.docs.documents import DOCS

_PART: Final = re.compile(r"(?<=<!-- made: )([a-z ]+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
_OTHER_NAMES: Final = frozenset({"wizard"})
"""Commands that are there under another name, too."""

Row = tuple[str, ...]


def part(name: str) -> Iterator[Row]:
    """The rows of a part, its headings first: `commands`, `keys`, `lines`, `lines GAME`, `rules GAME`."""
    what, _, game = name.partition(" ")
    match what:
        case "commands":
            return _commands()
        case "keys":
            return _keys()
        case "rules":
            return _rules(game)
    return _lines(game) if game else _common_lines()


def regenerate(text: str) -> str:
    """A document's text with its generated parts as the program says them now."""
    return _PART.sub(lambda match: f"{match[1]}{match[2]}{_table(part(match[1]))}", text)


def parts(text: str) -> list[str]:
    """The names of the parts in a document."""
    return [name for name, _ in _PART.findall(text)]


def _table(rows: Iterator[Row]) -> str:
    headings = next(rows)
    cells = ("|".join(f" {cell.replace('|', chr(92) + '|')} " for cell in row) for row in (headings, *rows))
    first, *others = (f"|{row}|\n" for row in cells)
    return "".join((first, "|" + "---|" * len(headings) + "\n", *others))


def command_tree() -> Iterator[tuple[str, click.Command]]:
    """Every command that can be called, with its words, by the alphabet."""
    return _below(main, click.Context(main, info_name="companion"))


def _below(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield context.command_path, command
        return
    for name in command.list_commands(context):
        further = command.get_command(context, name)
        if further is not None and name not in _OTHER_NAMES:
            yield from _below(further, click.Context(further, info_name=name, parent=context))


def _commands() -> Iterator[Row]:
    yield "command", "does"
    for words, command in command_tree():
        context = click.Context(command)
        arguments = (each.make_metavar(context) for each in command.params if isinstance(each, click.Argument))
        yield f"`{' '.join((words, *arguments))}`", command.get_short_help_str(limit=200)


def _keys() -> Iterator[Row]:
    yield "id", "key", "does"
    bindings = {str(b.id): b for nodes in app.key_scopes(CompanionApp) for node in nodes for b in keymap.bindings(node)}
    for name, binding in bindings.items():
        yield f"`{name}`", f"`{binding.key}`", binding.tooltip[:1].lower() + binding.tooltip[1:]


def _rules(game: str) -> Iterator[Row]:
    yield "rule", "the book says", "or", "what it changes"
    for rule in registry.game(game).house.all():
        others = " ".join(f"`{value}`" for value in rule.values if value != rule.book)
        yield f"`{rule.key}`", f"`{rule.book}`", others or ("nothing else" if rule.values else "a number"), rule.text


def _common_lines() -> Iterator[Row]:
    yield "line", "does"
    yield from map(_line, (*COMMON, *LOG, *CHECKS))


def _lines(game: str) -> Iterator[Row]:
    yield "line", "does"
    common = {_line(action) for action in COMMON}
    yield from (row for row in map(_line, registry.game(game).actions) if row not in common)


def _line(action: type[Action]) -> Row:
    return f"`{grammar(action).usage}`", (action.__doc__ or "").strip().splitlines()[0]


if __name__ == "__main__":
    for document in DOCS.glob("*.md"):
        document.write_text(regenerate(document.read_text(encoding="utf-8")), encoding="utf-8")
