"""Imports stand at the top of a module, except where `docs/architecture.md` allows them inside functions."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from companion.tui import preload
from tests.test_house_rules import HEAVY, ROOT

STARTS: Final = (
    "companion.tui.app",
    "companion.tui.tables",
    "companion.tui.screens.home.home",
    "companion.tui.terminal.early_patches",
    *preload.FROM_HOME,
    *preload.FROM_A_TABLE,
    *(f"companion.games.{path.parent.name}.game" for path in (ROOT / "companion/games").glob("*/game.py")),
)
"""The modules of a first screen, and of the next keys. They load the rest when it is needed."""
LIBRARIES: Final = HEAVY | {"arabic_reshaper", "bidi", "concurrent", "distributed", "multiprocessing", "pillow_heif"}
"""The libraries that functions may import which most runs never call, and with them the modules that load them."""
RARE: Final = {
    *("platformdirs", "psycopg", "resvg_py", "companion.printing.designs", "labels.designfile"),
    *("companion.rehearsal.forecast", "companion.rehearsal.report_pages", "companion.rehearsal.sequential_pages"),
}
"""Further modules that most runs never need: other databases and pictures, designs of users' own, simulated games."""
OF_ONE_SYSTEM: Final = {"ctypes", "labels.windows_job", "msvcrt", "resource", "termios", "tty", "winreg"}
"""The modules that not every system has."""

MOST: Final = {
    "companion/archive": 15,
    "companion/cli": 17,
    "companion/forms": 6,
    "companion/games": 22,
    "companion/printing": 3,
    "companion/rehearsal": 3,
    "companion/scan": 2,
    "companion/session": 2,
    "companion/tabletop": 1,
    "companion/tui": 43,
    "companion/web": 4,
    "labels": 22,
}
"""The most late imports of a room; these numbers only fall."""
UNRULED: Final = {"companion/games": 6}
"""The late imports of a room that the rule does not allow yet; these numbers only fall."""


class Import(NamedTuple):
    """An import: the module that it loads, and its line."""

    module: str
    line: int


class Imports(NamedTuple):
    """The imports of a module: at its top, inside functions, and by the names that it exports."""

    top: tuple[Import, ...]
    late: tuple[Import, ...]
    exported: dict[str, str]


def module_name(path: Path) -> str:
    """Return the dotted name of a module by its file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES: Final = {module_name(path): path for room in ("companion", "labels") for path in (ROOT / room).rglob("*.py")}


def room_of(module: str) -> str:
    """Return the folder to which the number of a room belongs."""
    parts = module.split(".")
    return "labels" if parts[0] == "labels" else "/".join(parts[:2])


@cache
def all_imports() -> dict[str, Imports]:
    """Return the imports of all modules."""
    return {module: read_imports(path.read_text(encoding="utf-8")) for module, path in FILES.items()}


def read_imports(source: str) -> Imports:
    """Read the imports of a module, without those for type checkers, which load nothing."""
    top, late, exported = list[Import](), list[Import](), dict[str, str]()

    def visit(node: ast.AST, imports: list[Import]) -> None:
        match node:
            case ast.Import(names=names):
                imports += [Import(name.name, node.lineno) for name in names]
            case ast.ImportFrom(module=str(module), names=names):
                imports += [Import(f"{module}.{name.name}", node.lineno) for name in names]
                exported.update((name.name, module) for name in names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                for branch in node.body:
                    visit(branch, [])
                for branch in node.orelse:
                    visit(branch, imports)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for part in ast.iter_child_nodes(node):
                    visit(part, late)
            case _:
                for part in ast.iter_child_nodes(node):
                    visit(part, imports)

    visit(ast.parse(source), top)
    return Imports(tuple(top), tuple(late), exported)


def loaded_modules(name: str) -> Iterator[str]:
    """Yield the modules that the import of `name` names: a package, and its part; a class leads to its module."""
    module, _, part = name.rpartition(".")
    if name in FILES or module not in FILES:
        yield name
    else:
        yield module
        # A package that loads its classes on first use.
        if part in (exported := all_imports()[module].exported) and FILES[module].stem == "__init__":
            yield exported[part]


@cache
def loads(module: str) -> frozenset[str]:
    """Return everything that importing a module loads: our own modules, and libraries by their top-level names."""
    modules, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        for loaded in loaded_modules(name):
            short = loaded if loaded in FILES else loaded.partition(".")[0]
            if short in modules:
                continue
            modules.add(short)
            if short in FILES:
                waiting += [each.module for each in all_imports()[short].top]
                waiting += [parent for parent in (short.rpartition(".")[0],) if parent]
    return frozenset(modules)


@cache
def modules_of_a_start() -> frozenset[str]:
    """Return the modules that a start loads, and the commands, each of which is a start of its own."""
    commands = [module for module in FILES if module.startswith("companion.cli")]
    return frozenset().union(*map(loads, STARTS), commands)


def is_allowed(module: str, late: Import) -> bool:
    """Return True if the rule allows this import inside a function of the module."""
    names = {late.module, late.module.rpartition(".")[0], late.module.partition(".")[0]}
    heavy = loads(late.module) & LIBRARIES
    return module in modules_of_a_start() or bool(heavy or names & (RARE | OF_ONE_SYSTEM))


def late_imports(room: str) -> Iterable[tuple[str, Import]]:
    """Return the late imports of a room, each with its module."""
    return [(module, late) for module in FILES if room_of(module) == room for late in all_imports()[module].late]


ROOMS: Final = sorted(set(map(room_of, FILES)))


@pytest.mark.parametrize("room", ROOMS)
def test_an_import_is_late_only_where_the_rule_allows_it(room: str) -> None:
    against = [f"{module}:{late.line}" for module, late in late_imports(room) if not is_allowed(module, late)]
    assert len(against) <= UNRULED.get(room, 0), against


def test_late_imports_only_become_fewer() -> None:
    lines = {(module, late.line) for room in ROOMS for module, late in late_imports(room)}
    assert not Counter(room_of(module) for module, _ in lines) - Counter(MOST)


def test_a_late_import_of_what_a_screen_needs_would_be_noticed() -> None:
    assert not is_allowed("companion.printing.jobs", Import("companion.archive.deck_records", 1))


def test_imports_for_type_checkers_are_no_loads() -> None:
    source = "if TYPE_CHECKING:\n    import a\nimport b\ndef f():\n    import c\n"
    assert read_imports(source)[:2] == ((Import("b", 3),), (Import("c", 5),))
