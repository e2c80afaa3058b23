"""The list of private parts is what the code uses, and names what is gone or has changed."""

import ast
from collections.abc import Iterator

import pytest
from textual.app import App

from tests.newest import parts
from tests.newest.__main__ import TESTS
from tests.newest.parts import ROOT, USES, compare, is_private, list_parts, read_list
from tests.tui.test_private import STANDARD

LISTED = read_list()
PUBLIC = {"_mapping"}
"""Names that a library documents and that only look private."""
WHOLE = [path for room in ("companion", "labels") for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("library", USES)
def test_the_list_is_what_the_code_uses(library: str) -> None:
    assert list_parts(library) == LISTED[library], "python -m tests.newest.parts --write"
    assert compare(library, LISTED[library]) == []


def own_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module of this program defines."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield name
            case ast.Attribute(value=value, attr=name) if is_self(value):
                yield name


@pytest.mark.slow
def test_no_private_part_of_a_library_is_used_unlisted() -> None:
    trees = {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text("utf-8")) for file in WHOLE}
    listed = {
        (module, part.rpartition(".")[2])
        for library, use in USES.items()
        for part in LISTED[library]
        for module in use.modules
    }
    own = {name for tree in trees.values() for name in own_names(tree)} - {name for _, name in listed}
    used = {
        (file, node.attr)
        for file, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and is_private(node.attr) and not is_self(node.value)
    }
    assert listed & used
    assert sorted((file, name) for file, name in used - listed if name not in own | STANDARD | PUBLIC) == []


def is_self(node: ast.expr) -> bool:
    """Return True for the object itself, or its class."""
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def test_every_test_that_is_run_with_the_newest_libraries_is_there() -> None:
    assert [path for path in TESTS if not (ROOT / path).exists()] == []


def test_what_is_gone_or_has_changed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_a_newer_textual(self: object, screen: object, stack: object) -> None: ...

    monkeypatch.setattr(App, "_get_screen", of_a_newer_textual)
    monkeypatch.setattr("importlib.metadata.version", lambda _: "8.3.0")
    listed = {
        "textual.app.App._get_screen": "(self, screen)",
        "textual.app.App._never": "attribute",
        "textual.drivers.win32.Never": "attribute",
        "textual.never.Never": "class",
    }
    monkeypatch.setitem(vars(parts), "REPLACED", {"textual": ("textual.drivers.win32.Never",)})
    assert compare("textual", listed) == [
        "textual 8.3.0: textual.app.App._get_screen was (self, screen) and is (self, screen, stack)",
        "textual 8.3.0: textual.app.App._never is gone",
        "textual 8.3.0: textual.drivers.win32.Never is gone",
        "textual 8.3.0: textual.never.Never is gone",
    ]
