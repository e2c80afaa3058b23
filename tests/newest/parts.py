"""The private parts of libraries that this program uses, and whether they are still there: python -m tests.newest.parts

`private_parts.toml` lists them as the code uses them, each with its shape; a test compares it with the code, and
`--write` writes it anew. Without that, each part is named that the installed libraries lack or have changed.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
LIST: Final = Path(__file__).with_name("private_parts.toml")


class Use(NamedTuple):
    """Modules of this program that use private parts of a library, and the classes whose parts these are.

    Of `owners`, private names count; of `internal` ones all, as the class itself is private or not documented.
    """

    modules: tuple[str, ...]
    owners: tuple[str, ...] = ()
    internal: tuple[str, ...] = ()


USES: Final[Mapping[str, Use]] = {
    "textual": Use(
        tuple(f"companion/tui/terminal/{name}.py" for name in ("textual_private", "terminal_input", "class_reading")),
        (
            "textual._compositor.Compositor",
            "textual._styles_cache.StylesCache",
            "textual.app.App",
            "textual.css.stylesheet.Stylesheet",
            "textual.dom.DOMNode",
            "textual.message_pump.MessagePump",
            "textual.screen.Screen",
            "textual.widget.Widget",
        ),
        ("textual._parser.Parser", "textual._xterm_parser.XTermParser"),
    ),
    "reportlab": Use(
        ("labels/drawing/ink.py", "labels/output/pdf.py", "labels/output/pdffile.py", "labels/typesetting/shaping.py"),
        internal=(
            "reportlab.graphics.renderPDF._PDFRenderer",
            "reportlab.pdfbase.pdfdoc.PDFCatalog",
            "reportlab.pdfbase.pdfdoc.PDFDocument",
            "reportlab.pdfbase.pdfdoc.PDFObject",
            "reportlab.pdfbase.pdfdoc.PDFPage",
            "reportlab.pdfbase.pdfdoc.PDFPages",
            "reportlab.pdfbase.pdfdoc.PDFStream",
            "reportlab.pdfbase.ttfonts.TTFont",
            "reportlab.pdfbase.ttfonts.TTFontFace",
            "reportlab.pdfbase.ttfonts.TTFontFile",
            "reportlab.pdfbase.ttfonts.TTFontParser",
            "reportlab.pdfgen.canvas.Canvas",
        ),
    ),
    "click": Use(("companion/cli/help_texts.py",), ("click.core.Command",)),
    "uvicorn": Use(
        ("companion/web/guard.py", "companion/web/server.py"),
        internal=(
            "uvicorn.protocols.http.h11_impl.H11Protocol",
            "uvicorn.protocols.http.h11_impl.RequestResponseCycle",
            "uvicorn.server.Server",
        ),
    ),
}

REPLACED: Final[Mapping[str, tuple[str, ...]]] = {
    "textual": (
        "textual._styles_cache.StylesCache.get_inner_outer",
        "textual.constants.SMOOTH_SCROLL",
        "textual.drivers.linux_driver.XTermParser",
        "textual.drivers.linux_driver.getincrementaldecoder",
        "textual.drivers.win32.KERNEL32",
        "textual.drivers.win32.XTermParser",
        "textual.strip.FIFOCache",
    )
}
"""Names that other values are put in place of. They are looked for in the source: the program has replaced them."""


def is_private(name: str) -> bool:
    """Return True for a name that begins with one underscore."""
    return name.startswith("_") and not name.startswith("__")


@cache
def used_names(module: str) -> frozenset[str]:
    """Return the names by which a module of this program speaks of parts of anything."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / module).read_text("utf-8"))):
        match node:
            case ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
    return frozenset(names)


def _imported(library: str, module: str) -> Iterator[str]:
    """Yield the private names that a module imports from a library, and all names of its private modules."""
    for node in ast.walk(ast.parse((ROOT / module).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == library:
            names = (f"{node.module}.{each.name}" for each in node.names)
            yield from (name for name in names if any(map(is_private, name.split("."))))


@cache
def _class_names(owner: type) -> frozenset[str]:
    """Return the names that a class defines or gives its objects, as its source has them; none where it has no source:
    a class made by a call, such as Python's own.
    """
    try:
        source = inspect.getsource(owner)
    except (OSError, TypeError):
        return frozenset()
    tree = ast.parse(textwrap.dedent(source)).body[0]
    assert isinstance(tree, ast.ClassDef)
    given = (each for each in ast.walk(tree) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store))
    names = {each.attr for each in given if isinstance(each.value, ast.Name) and each.value.id == "self"}
    return frozenset(names | _bindings(tree.body))


def _bindings(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements bind: functions, imports, values."""
    names: set[str] = set()
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ImportFrom(names=imported):
                names |= {each.asname or each.name for each in imported}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {each.id for each in targets if isinstance(each, ast.Name)}
    return names


def list_parts(library: str) -> dict[str, str]:
    """Return the private parts of a library that this program uses, each with its shape."""
    use = USES[library]
    names = frozenset[str]().union(*map(used_names, use.modules))
    paths = {path for module in use.modules for path in _imported(library, module)}
    paths |= {*use.owners, *use.internal, *REPLACED.get(library, ())}
    for owner in (*use.owners, *use.internal):
        kind = _load(owner)
        own = _class_names(kind) & names if isinstance(kind, type) else ()
        paths |= {f"{owner}.{name}" for name in own if is_private(name) or (owner in use.internal and name[0] != "_")}
    return {path: find_shape(path) or "" for path in sorted(paths)}


def find_shape(path: str) -> str | None:
    """Return what a part of a library is: `(self, screen)`, `class`, `property` or `attribute`; None if it is gone."""
    module, _, name = path.rpartition(".")
    if path in {each for replaced in REPLACED.values() for each in replaced}:
        return "attribute" if name in _bound_names(module) else None
    owner = _load(module)
    if owner is None:
        return None
    if isinstance(owner, type) and not hasattr(owner, name):
        return "attribute" if any(name in _class_names(base) for base in owner.__mro__[:-1]) else None
    part = inspect.getattr_static(owner, name, None)
    if part is None and not hasattr(owner, name):
        return None
    if isinstance(part, staticmethod | classmethod):
        part = part.__func__
    if isinstance(part, type):
        return "class"
    if inspect.isfunction(part):
        return f"({', '.join(map(_describe_parameter, inspect.signature(part).parameters.values()))})"
    return "property" if isinstance(part, property) else "attribute"


_STARS: Final = {inspect.Parameter.VAR_POSITIONAL.value: "*", inspect.Parameter.VAR_KEYWORD.value: "**"}


def _describe_parameter(parameter: inspect.Parameter) -> str:
    default = "" if parameter.default is parameter.empty else "=…"
    return f"{_STARS.get(parameter.kind.value, '')}{parameter.name}{default}"


def _load(path: str) -> Any:
    """Return a module, or a class of one; None if there is none."""
    try:
        return importlib.import_module(path)
    except ImportError:
        module, _, name = path.rpartition(".")
        return getattr(_load(module), name, None) if module else None


def _bound_names(module: str) -> frozenset[str]:
    """Return the names that the source of a library's module or class binds; the module need not work here."""
    if isinstance(kind := _load(module), type):
        return _class_names(kind)
    package = _load(module.rpartition(".")[0])
    file = Path(str(getattr(package, "__path__", [""])[0])) / f"{module.rpartition('.')[2]}.py"
    if not file.exists():
        return frozenset()
    return frozenset(_bindings(ast.parse(file.read_text("utf-8")).body))


def read_list() -> dict[str, dict[str, str]]:
    """Return the parts that are listed, with their shapes, by library."""
    return tomllib.loads(LIST.read_text("utf-8"))


def write_list() -> None:
    """Write the list anew, as the code and the installed libraries have it."""
    lines = ["# Written by `python -m tests.newest.parts --write`: private parts of libraries that the code uses."]
    for library in USES:
        lines += ["", f"[{library}]", *(f'"{path}" = "{shape}"' for path, shape in list_parts(library).items())]
    LIST.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def compare(library: str, listed: Mapping[str, str]) -> list[str]:
    """Return a sentence about each part that the installed library lacks or has changed."""
    version = f"{library} {metadata.version(library)}"
    changes = []
    for path, shape in listed.items():
        now = find_shape(path)
        if now is None:
            changes.append(f"{version}: {path} is gone")
        elif now != shape:
            changes.append(f"{version}: {path} was {shape} and is {now}")
    return changes


def check_parts(arguments: list[str]) -> int:
    """Write the list, or print what differs from it; the exit status is 1 if anything does."""
    if arguments == ["--write"]:
        write_list()
        return 0
    changes = [change for library, listed in read_list().items() for change in compare(library, listed)]
    print("\n".join(changes or ["Every private part is there."]))
    return int(bool(changes))


if __name__ == "__main__":
    sys.exit(check_parts(sys.argv[1:]))
