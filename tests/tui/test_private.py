"""Names that Textual keeps for itself are used in two modules only: a new Textual may change them without a word."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from types import ModuleType

import pytest

import companion.tui

MAY = {"companion.tui.terminal.terminal_input", "companion.tui.terminal.textual_private"}
"""`class_reading` uses some of a class that it is given; `tests.newest.parts` lists them."""
STANDARD = {"_replace", "_asdict", "_exit", "_obj"}
"""Names of the standard library that only look so."""
MODULES = [module.name for module in pkgutil.walk_packages(companion.tui.__path__, "companion.tui.")]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


@cache
def own_names(kind: type) -> frozenset[str]:
    """The private names that a class defines or speaks of as its own."""
    return frozenset(filter(is_private, _named(ast.parse(textwrap.dedent(inspect.getsource(kind))))))


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=attr):
                yield attr
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield name


def shared(module: ModuleType) -> Iterator[str]:
    """Private names that a module's classes have in common with the classes of Textual that they are made of."""
    for kind in vars(module).values():
        if isinstance(kind, type) and kind.__module__ == module.__name__:
            for base in kind.__mro__:
                if base.__module__.startswith("textual."):
                    yield from (f"{kind.__name__}.{name}" for name in own_names(kind) & own_names(base))


def others(module: ModuleType) -> Iterator[str]:
    """Private names of something else than the class itself, or imported, or modules that are private."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.ImportFrom(module=origin, names=names):
                parts = (*(origin or "").split("."), *(name.name for name in names))
                yield from filter(is_private, parts)
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=attr) if is_private(attr) and attr not in STANDARD:
                yield attr


@pytest.mark.parametrize("name", MODULES)
def test_private_names_of_textual_are_used_in_two_modules_alone(name: str) -> None:
    module = importlib.import_module(name)
    names = {*shared(module), *others(module)}
    assert bool(names) is (name in MAY), names


_CLASSES = """
from companion.tui.terminal import early_patches
early_patches.apply()
from textual.dom import DOMNode
from textual.reactive import Reactive
import companion.tui.app, companion.tui.tables, companion.tui.screens.home.home

classes = [DOMNode]
for kind in classes:
    classes += kind.__subclasses__()
for kind in classes[1:]:
    reactives = {
        name: value
        for base in reversed(kind.__mro__)
        for name, value in vars(base).items()
        if isinstance(value, Reactive)
    }
    assert kind._reactives == reactives, kind
    computes = [name.lstrip("_")[8:] for name in dir(kind) if name.startswith(("_compute_", "compute_"))]
    assert kind._computes == frozenset(computes), kind
print(len(classes))
"""


def test_reading_classes_once_finds_what_textual_finds() -> None:
    process = subprocess.run([sys.executable, "-c", _CLASSES], capture_output=True, encoding="utf-8", check=False)
    assert not process.stderr
    assert int(process.stdout) > 50
