"""Names can be searched for: none is a bare participle, and nobody has two classes or functions of one name in view."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "labels", "templates", "tests")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

PARTICIPLES = frozenset({"told", "said", "found", "shown", "known", "made", "drawn", "asked"})
"""Refused as names in any case, with underscores around them or without: they do not say of what."""

STORED: dict[str, dict[str, str]] = {
    "companion/archive/migrations/versions/r0005_sessions_searched.py": dict.fromkeys(
        ("told", "said"), "migrations stay as they ran"
    ),
    "companion/games/described/page/description.py": {"drawn": "pages say it, and stay readable"},
}
"""Participles that stay, by file and name, with the reason: they are stored, or printed as JSON."""

DEMANDED: dict[str, dict[str, str]] = {
    "companion.archive": {"upgrade": "Alembic calls it in each migration"},
    "tests.archive": {"main": "each program that a test starts has one"},
    "tests.bench": {
        "figures": "each part of the bench has one, which tests.bench.__main__ calls",
        "main": "each program that `python -m` starts has one",
    },
    "tests.hostile": dict.fromkeys(("fits", "ways"), "tests.hostile.trial asks each kind of hostile files"),
}
"""Names that several modules of a package give, by package, with who demands it."""

IMPORTED: dict[str, dict[str, str]] = {
    "tests.printing": {"KEYWORDS": "each game has its own"},
}
"""Names that a package imports from two others, with the reason why they cannot differ."""


class Module(NamedTuple):
    """The parts of a file that are compared here: names with their lines, public definitions, and imports of ours."""

    names: tuple[tuple[int, str], ...]
    public: tuple[str, ...]
    imports: tuple[tuple[str, str], ...]
    """Pairs of a module and the name that is imported from it."""

    def participles(self) -> Iterator[tuple[int, str]]:
        """Yield the names that are a bare participle, with their lines."""
        return ((line, name) for line, name in self.names if name.strip("_").lower() in PARTICIPLES)


@cache
def read_module(path: Path) -> Module:
    """Read a file. Its syntax tree is dropped: those of all files would take half a gigabyte."""
    return parse_module(path.read_text(encoding="utf-8"))


def parse_module(source: str) -> Module:
    """Parse the text of a file."""
    tree = ast.parse(source)
    given: list[tuple[int, str]] = []
    imported: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                given.append((node.lineno, name))
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                given.append((node.lineno, name))
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                given.append((node.lineno, name))
            case ast.MatchMapping(rest=str(name)) | ast.alias(asname=str(name)):
                given.append((node.lineno, name))
            case ast.ImportFrom(module=str(module), names=aliases) if module.partition(".")[0] in ROOMS:
                imported += [(module, alias.name) for alias in aliases]
                given += [(alias.lineno, alias.asname) for alias in aliases if alias.asname]
            case _:
                pass
    return Module(tuple(given), tuple(public(tree)), tuple(imported))


def module_name(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module: str) -> str:
    """The package in which names are compared: a room of companion/ or tests/, a game, or labels/ as a whole."""
    parts = module.split(".")
    if parts[0] in ("labels", "templates"):
        return parts[0]
    is_game = parts[1:2] == ["games"] and (ROOT / Path(*parts[:3])).is_dir()
    return ".".join(parts[: 3 if is_game else 2])


@cache
def is_module(name: str) -> bool:
    """Whether a dotted name is a module or package of ours."""
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def decorators(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> set[str]:
    """The last words of what decorates a definition: `command` of `@sheets.command("deck")`."""
    called = (each.func if isinstance(each, ast.Call) else each for each in definition.decorator_list)
    return {ast.unparse(each).rpartition(".")[2] for each in called}


def public(module: ast.Module) -> Iterator[str]:
    """The public classes and functions at the top of a module, but for commands and fixtures.

    A command has the name that people type; a fixture is seen by its own file alone, or replaces one of a conftest.
    """
    defined = (node for node in module.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef))
    for node in defined:
        if not (node.name.startswith("_") or decorators(node) & {"command", "group", "fixture"}):
            yield node.name


def definitions(modules: Iterable[tuple[str, Module]]) -> dict[str, dict[str, list[str]]]:
    """The modules that define a public name, by package and name."""
    where: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, module in modules:
        for each in module.public:
            where[package_of(name)][each].append(name)
    return where


def imports(modules: Iterable[tuple[str, Module]]) -> dict[str, dict[str, set[str]]]:
    """The other packages from which a package imports a class or function, by its own name and theirs."""
    where: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, module in modules:
        for source, each in module.imports:
            if not is_module(f"{source}.{each}"):
                where[package_of(name)][each].add(package_of(source))
    return where


@pytest.fixture(scope="module")
def modules() -> list[tuple[str, Module]]:
    """Every module of ours by its dotted name."""
    return [(module_name(path), read_module(path)) for path in FILES]


def test_no_name_is_a_bare_participle() -> None:
    refused = [
        f"{file}:{line}: {name}"
        for file, module in ((path.relative_to(ROOT).as_posix(), read_module(path)) for path in FILES)
        for line, name in module.participles()
        if name not in STORED.get(file, {})
    ]
    assert not refused, "\n".join(refused)


def test_a_package_has_one_definition_of_a_name(modules: list[tuple[str, Module]]) -> None:
    refused = [
        f"{package}: {name} in {', '.join(where)}"
        for package, defined in definitions(modules).items()
        for name, where in defined.items()
        if len(where) > 1 and name not in DEMANDED.get(package, {})
    ]
    assert not refused, "\n".join(refused)


def test_a_package_imports_a_name_from_one_other(modules: list[tuple[str, Module]]) -> None:
    refused = [
        f"{package}: {name} from {', '.join(sorted(sources))}"
        for package, imported in imports(modules).items()
        for name, sources in imported.items()
        if len(sources - {package}) > 1 and name not in IMPORTED.get(package, {})
    ]
    assert not refused, "\n".join(refused)


def test_no_exception_is_left_that_nothing_needs(modules: list[tuple[str, Module]]) -> None:
    needed = {file: {name for _, name in read_module(ROOT / file).participles()} for file in STORED}
    assert [(file, name) for file, stored in STORED.items() for name in stored if name not in needed[file]] == []
    defined, imported = definitions(modules), imports(modules)
    assert [(of, each) for of, some in DEMANDED.items() for each in some if len(defined[of][each]) < 2] == []
    assert [(of, each) for of, some in IMPORTED.items() for each in some if len(imported[of][each]) < 2] == []


def test_each_kind_of_name_is_seen() -> None:
    source = """
import os as told
class Shown:
    _found: int
    def said(self, known, *drawn, **asked_for):
        self._made = [asked for asked in known]
        with drawn as SAID:
            match known:
                case [*_told] if (found := 1): ...
                case {"a": 1, **known}: ...
                case int() as drawn: ...
        try: ...
        except OSError as shown: ...
"""
    lines = [line for line, _ in parse_module(source).participles()]
    assert sorted(lines) == [2, 3, 4, 5, 5, 5, 6, 6, 7, 9, 9, 10, 11, 13]
    assert [*parse_module("founding = deck_found = unknown.told = 1\nf(told=shown)").participles()] == [(1, "told")]


def test_a_name_given_or_imported_twice_is_seen() -> None:
    one = parse_module(
        "@click.command()\ndef show(): ...\n@pytest.fixture\ndef deck(): ...\ndef read(): ...\ndef _hid(): ..."
    )
    assert definitions([("labels.a", one), ("labels.b", one)]) == {"labels": {"read": ["labels.a", "labels.b"]}}
    both = parse_module(
        "from companion.scan.reader import read\nfrom companion.web import guard\nfrom labels.paper.sheet import read"
    )
    assert imports([("companion.cli.scan", both)]) == {"companion.cli": {"read": {"companion.scan", "labels"}}}


def test_a_game_is_a_package_of_its_own() -> None:
    ours = ("companion.games.solforge.game", "companion.games.registry", "companion.tui.widgets.board", "labels.pdf")
    packages = ["companion.games.solforge", "companion.games", "companion.tui", "labels"]
    assert [package_of(module) for module in ours] == packages
