"""What import-linter cannot see of the house: what an import pulls in, and that rules draw no chance of their own."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui import preload
from tests.bench.bench_rules import played

ROOT = Path(__file__).parent.parent
RULES = sorted(path for room in ("tabletop", "games") for path in (ROOT / "companion" / room).rglob("*.py"))
HEAVY = {"PIL", "alembic", "pypdfium2", "qrcode", "reportlab", "rich_pixels", "sqlalchemy", "uharfbuzz", "zxingcpp"}
HEAVY |= {"h11", "ifaddr", "jinja2", "starlette", "uvicorn", "zeroconf"}


def pulled_in_by(*modules: str) -> set[str]:
    """The top-level packages that a fresh process has loaded after importing `modules`."""
    script = f"import sys, json, {', '.join(modules)}\nprint(json.dumps(sorted(sys.modules)))"
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert process.returncode == 0, process.stderr
    return {name.partition(".")[0] for name in json.loads(process.stdout)}


def test_the_screen_opens_without_database_printing_and_pictures() -> None:
    assert not pulled_in_by("companion.tui.app") & HEAVY


def test_a_game_loads_no_libraries_of_the_web() -> None:
    assert not pulled_in_by("companion.games.soulforger.paper") & {"email", "http", "ssl"}


_PAINT = """
import sys
from companion.archive import fast_read
from companion.tui.app import CompanionApp

class Painted(CompanionApp):
    def _open(self):
        print(*(name for name in sys.modules if name.startswith("companion.")))
        self.exit()

archive, *session = sys.argv[1:]
Painted(archive, entries=fast_read.read_session(archive, *session) if session else ()).run(headless=True)
"""


def loaded_at_first_paint(*arguments: str) -> set[str]:
    """What a fresh process has loaded of this program when home, or the table of a session, is on the screen."""
    command = [sys.executable, "-c", _PAINT, *arguments]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    loaded = set(process.stdout.split())
    assert "companion.tui.app" in loaded, process.stderr
    return loaded


def test_home_is_painted_before_a_table_is_loaded() -> None:
    behind = (
        "companion.session",
        "companion.games.decknforge",
        "companion.printing",
        "companion.tui.screens.table.table",
    )
    loaded = loaded_at_first_paint(":memory:")
    assert "companion.tui.screens.home.home" in loaded
    assert not [name for name in loaded if name.startswith(behind)]


def test_a_table_is_painted_before_what_it_does_not_show_is_loaded(tmp_path: Path) -> None:
    place = str(tmp_path / "archive.db")
    with Archive.open(place, by="test") as archive:
        kept = archive_journal.keep(
            archive, played((ROOT / "tests/tables/decknforge/dungeon.table").read_text(encoding="utf-8")), ""
        )
    loaded = loaded_at_first_paint(place, kept)
    assert "companion.tui.screens.table.table" in loaded
    # What reads typed lines, what lists commands, decks and the people who hold them, papers, evenings; other games.
    reading = (
        *("line_reading", "typed_line", "known_names", "word_matching", "judging", "readings", "near_names"),
        *("figure_reading", "whole_lines", "short_lines", "unread_lines", "afterthoughts"),
    )
    session = (*(f"reading.{name}" for name in reading), "table.form_filling", "core.replay")
    tabletop = ("decks.decklist", "decks.keeping", "decks.portrait", "constructed", "evening_text")
    archive_rooms = ("people", "chapters", "deck_records", "recovery", "storage.engine", "store")
    decks = ("adoption", "forms", "keeping", "portrait", "story", "passport")
    game = (*(f"decks.{name}" for name in decks), "table.evening_card", "table.chronicle")
    behind = (
        *(f"companion.session.{name}" for name in session),
        *(f"companion.tabletop.{name}" for name in tabletop),
        *(f"companion.archive.{name}" for name in archive_rooms),
        *(f"companion.games.decknforge.{name}" for name in game),
        *(f"companion.games.{name}" for name in ("soulforger", "oddfrontier", "solforge")),
        *("companion.league", "companion.printing", "companion.tui.palette", "companion.forms.decks.deck_forms"),
    )
    assert not [name for name in loaded if name.startswith(behind)]


def test_what_the_next_keys_need_loads_none_of_them_either() -> None:
    printing = ("companion.forms.print_form", "companion.tui.screens.print")
    assert not pulled_in_by(*preload.FROM_HOME, *preload.FROM_A_TABLE, *printing) & HEAVY


def test_the_entry_is_light_and_knows_no_screen() -> None:
    assert not pulled_in_by("companion.cli.main") & (HEAVY | {"textual"})


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
    assert not list(impurities(path.read_text(encoding="utf-8")))


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
