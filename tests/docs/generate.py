"""The parts of the documents that follow from the program: between `<!-- made: NAME -->` and `<!-- end -->` in them.

Run where commands, keys, lines or house rules have changed: python -m tests.docs.generate
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import click
import msgspec
from msgspec import inspect

from companion.cli.main import main
from companion.games import registry
from companion.games.decknforge.book.homebrew import Homebrew
from companion.games.described.page.description import WORD, Description
from companion.games.described.page.reading import plain_type, wanted_words
from companion.printing.run import find_stock
from companion.tabletop.action import Action
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.common_actions import CHECKS, COMMON, FOR_HOST, LOG
from companion.tui import keymap
from companion.tui.app import CompanionApp
from companion.tui.key_scopes import key_scopes
from tests.docs import design_pictures
from tests.docs.documents import DOCS
from tests.docs.stock_pictures import stocks_of

_PART: Final = re.compile(r"(?<=<!-- made: )([a-z0-9 -]+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
_OTHER_NAMES: Final = frozenset({"wizard"})
"""Commands that are there under another name, too."""

_PAGES: Final[dict[str, type]] = {"page": Description, "homebrew": Homebrew}

Row = tuple[str, ...]


def part(name: str) -> Iterator[Row]:
    """The rows of a part, its headings first: `commands`, `keys`, `lines`, `lines GAME`, `rules GAME`, `page` or
    `page TABLE` for what stands on the page of a game of one's own, `homebrew` or `homebrew TABLE` for that of a
    homebrew, `stocks MAKER` for the label stocks of a file, and `designs GROUP` for the label designs of a use.
    """
    what, _, game = name.partition(" ")
    match what:
        case "commands":
            return _commands()
        case "keys":
            return _keys()
        case "rules":
            return _rules(game)
        case "designs":
            return _designs(game)
        case "stocks":
            return _stocks(game)
        case "page" | "homebrew":
            return _page(what, game.split())
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
        yield f"`{' '.join(filter(None, (words, *arguments)))}`", command.get_short_help_str(limit=200)


def _keys() -> Iterator[Row]:
    yield "id", "key", "does"
    bindings = {str(b.id): b for nodes in key_scopes(CompanionApp) for node in nodes for b in keymap.bindings(node)}
    for name, binding in bindings.items():
        yield f"`{name}`", f"`{binding.key}`", binding.tooltip[:1].lower() + binding.tooltip[1:]


def _stocks(maker: str) -> Iterator[Row]:
    yield "code", "labels per page", "size", "name", "also called", "source"
    for stock in stocks_of(maker):
        title = stock.title.split(", ", 1)[-1]
        unsure = "" if stock.confirmed else "; **not confirmed**"
        paper = "roll" if stock.roll else stock.paper.title
        count = f"{stock.count} on {paper}" if not stock.roll or stock.count > 1 else paper
        yield f"`{stock.name}`", count, str(stock.size), title, ", ".join(stock.aliases), f"{stock.source}{unsure}"


def _designs(group: str) -> Iterator[Row]:
    yield "design", "labels", "columns"
    for entry in design_pictures.groups()[design_pictures.group_picture_name(group.replace(" ", "-"))].entries:
        if entry.design is not None:
            stock = str(find_stock(entry.design.stock).caption) if entry.design.stock else "any"
            yield f"`{entry.name}`", stock, ", ".join(f"`{column}`" for column in entry.design.columns)


def _rules(game: str) -> Iterator[Row]:
    yield "rule", "in the book", "alternatives", "what it changes"
    for rule in registry.game(game).house.all():
        others = " ".join(f"`{value}`" for value in rule.others) or ("none" if rule.values else "a number")
        yield (
            f"`{rule.key}`",
            f"`{rule.book}`",
            f"{others} or another number" if rule.examples else others,
            str(rule.text),
        )


class _Table(NamedTuple):
    """A table of a page: its name in the documents, how its heading is written, and its keys."""

    name: str
    heading: str
    keys: inspect.StructType


def page_tables(what: str = "page") -> Iterator[str]:
    """The parts that tell of a page's keys: `page`, `page play`, `page pools cards`, …; or of a homebrew's."""
    return (table.name for table in _tables(inspect.type_info(_PAGES[what]), _Table(what, "", _NO_KEYS)))


def _tables(wanted: inspect.Type, above: _Table) -> Iterator[_Table]:
    """A table and those below it; none where a key takes something else."""
    plain = plain_type(wanted)
    match plain:
        case inspect.StructType():
            yield above._replace(keys=plain)
            for field in plain.fields:
                name, heading = f"{above.name} {field.encode_name}", f"{above.heading}.{field.encode_name}"
                yield from _tables(field.type, _Table(name, heading.removeprefix("."), plain))
        case inspect.UnionType():
            for each in plain.types:
                yield from _tables(each, above)
        case inspect.DictType():
            yield from _tables(plain.value_type, above._replace(heading=f"{above.heading}.WORD"))
        case inspect.VarTupleType():
            yield from _tables(plain.item_type, above._replace(heading=f"[{above.heading}]"))


def _page(what: str, names: list[str]) -> Iterator[Row]:
    yield "key", "value", "meaning"
    tables = {table.name: table for table in _tables(inspect.type_info(_PAGES[what]), _Table(what, "", _NO_KEYS))}
    table = tables[" ".join((what, *names))]
    for field in table.keys.fields:
        assert isinstance(field.type, inspect.Metadata)
        below = tables.get(f"{table.name} {field.encode_name}")
        stands = f"`[{below.heading}]`" if below else _in_a_cell(plain_type(field.type))
        yield (
            f"`{field.encode_name}`",
            f"{stands}{_otherwise(field)}",
            (field.type.extra_json_schema or {})["description"],
        )


def _otherwise(field: inspect.Field) -> str:
    """What holds where a key is not there."""
    if field.required:
        return "; required"
    default = field.default
    if default in ("", None) or default is False or not isinstance(default, str | int):
        return ""
    return f"; default: `{msgspec.json.encode(default).decode()}`"


def _in_a_cell(wanted: inspect.Type) -> str:
    match wanted:
        case inspect.UnionType():
            types = (plain_type(each) for each in wanted.types if not isinstance(each, inspect.NoneType))
            return " or ".join(map(_in_a_cell, types))
        case inspect.LiteralType():
            return ", ".join(f"`{msgspec.json.encode(value).decode()}`" for value in wanted.values if value != "")
        case inspect.DictType():
            return "`{ … }`"
        case inspect.IntType(le=most) if most == _MOST:
            return "a whole number"
        case inspect.StrType(pattern=None):
            return "words"
        case inspect.StrType(pattern=pattern) if pattern == WORD:
            return "a word"
    return str(wanted_words(wanted)).replace(", as ", " such as ")


_NO_KEYS: Final = inspect.StructType(msgspec.Struct, ())
_MOST: Final = 1_000_000
"""Where figures end; nobody is told, as nobody comes there."""


def _common_lines() -> Iterator[Row]:
    yield "line", "does"
    yield from map(_line, (*COMMON, *LOG, *FOR_HOST, *CHECKS))


def _lines(game: str) -> Iterator[Row]:
    yield "line", "does"
    common = {_line(action) for action in COMMON}
    yield from (row for row in map(_line, registry.game(game).actions) if row not in common)


def _line(action: type[Action]) -> Row:
    return f"`{grammar(action).usage}`", (action.__doc__ or "").strip().splitlines()[0]


if __name__ == "__main__":
    for document in DOCS.glob("*.md"):
        document.write_text(regenerate(document.read_text(encoding="utf-8")), encoding="utf-8")
