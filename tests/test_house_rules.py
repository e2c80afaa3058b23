"""What import-linter cannot see of the house: what an import pulls in, and that rules draw no chance of their own."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.tui import preload

ROOT = Path(__file__).parent.parent
RULES = sorted(path for room in ("tabletop", "games") for path in (ROOT / "companion" / room).rglob("*.py"))
COMMANDS = sorted(path.stem for path in (ROOT / "companion" / "cli").glob("[!_]*.py"))
HEAVY = {"PIL", "alembic", "pypdfium2", "qrcode", "reportlab", "rich_pixels", "sqlalchemy", "uharfbuzz", "zxingcpp"}
HEAVY |= {"h11", "ifaddr", "jinja2", "starlette", "uvicorn", "zeroconf"}


def pulled_in_by(*modules: str) -> set[str]:
    """The top-level packages that a fresh process has loaded after importing `modules`."""
    script = f"import sys, json, {', '.join(modules)}\nprint(json.dumps(sorted(sys.modules)))"
    process = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return {name.partition(".")[0] for name in json.loads(process.stdout)}


def test_the_screen_opens_without_database_printing_and_pictures() -> None:
    assert not pulled_in_by("companion.tui.app") & HEAVY


def test_what_the_next_keys_need_loads_none_of_them_either() -> None:
    assert not pulled_in_by(*preload.FROM_HOME, *preload.FROM_A_TABLE) & HEAVY


def test_the_entry_is_light_and_knows_no_screen() -> None:
    assert not pulled_in_by("companion.cli.main") & (HEAVY | {"textual"})


def test_help_lists_every_command_without_loading_what_the_commands_do() -> None:
    assert not pulled_in_by(*(f"companion.cli.{command}" for command in COMMANDS)) & (HEAVY | {"textual"})


def test_scanning_what_is_typed_needs_no_pictures() -> None:
    assert not pulled_in_by("companion.scan") & HEAVY


def impurities(source: str) -> Iterator[str]:
    """What in a module of the rules draws chance from nowhere, or talks to the world, by line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module="random", names=names) if any(name.name != "Random" for name in names):
                yield f"line {node.lineno}: of random, only the class Random may be known"
            case ast.Attribute(value=ast.Name(id="random"), attr=attr) if attr != "Random":
                yield f"line {node.lineno}: random.{attr} is the whole program's chance"
            case ast.Call(func=ast.Name(id="Random") | ast.Attribute(attr="Random"), args=[], keywords=[]):
                yield f"line {node.lineno}: Random() without a seed replays to another table"
            case ast.Call(func=ast.Name(id="open" | "print" | "input" | "breakpoint" as name)):
                yield f"line {node.lineno}: {name}() talks to the world"


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_take_chance_only_as_it_is_handed_to_them(path: Path) -> None:
    assert not list(impurities(path.read_text()))


@pytest.mark.parametrize(
    "source",
    [
        "from random import choice",
        "import random\nrandom.shuffle([1, 2])",
        "from random import Random\nRandom().random()",
        "import random\nrandom.Random()",
        "print(1)",
        "open('log')",
    ],
)
def test_impure_rules_would_be_noticed(source: str) -> None:
    assert len(list(impurities(source))) == 1


def test_pure_rules_pass() -> None:
    assert not list(
        impurities("from random import Random\n\n\ndef cut(rng: Random) -> int:\n    return rng.randrange(52)")
    )
