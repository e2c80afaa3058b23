"""Faults of a file are quoted shortly, however long it is: designs, tables, recordings, pages, deck lists."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.tabletop.errors import shorten_quotes
from labels.errors import LabelError

LONG: Final = "x" * 80_000
SHORT: Final = 1_200
"""Symbols of the longest line that anybody should have to read."""
_MANY: Final = str(["yyyyyyyyyy"] * 8_000)
_VALUES: Final = (f'"{LONG}"', _MANY, f'{{ a = "{LONG}" }}')
_PAGE: Final = 'name = "trial"\ntitle = "Trial"\n'
_BREW: Final = 'homebrew = "decknforge"\nname = "trial"\ntitle = "Trial"\n'
_TABLE: Final = "table decknforge\nseat ana\nseat ben\n"

DESIGNS: Final = [
    *(
        f'{key} = {value}\n[[part]]\ntext = "{{name}}"\n'
        for key in ("title", "stock", "unit", "zzz")
        for value in _VALUES
    ),
    *(
        f'[[part]]\ntext = "{{name}}"\n{key} = {value}\n'
        for key in ("role", "colour", "box", "zzz")
        for value in _VALUES
    ),
    *(f"[[part]]\ncode = {value}\n" for value in _VALUES),
    f"{LONG} = 1\n",
    f'[[part]]\ntext = "{{#{LONG}:+}}"\n',
    f'[[part]]\ntext = "{LONG}{{"\n',
    f'[[part]]\ntext = "{{{LONG}}}"\n',
    f'[[part]]\npicture = "{LONG}.png"\n',
]
TABLES: Final = {
    "columns.csv": f"{LONG},note\nGlow,1\n",
    "cell.csv": f"name,count\nGlow,{LONG}\n",
    "design.csv": f"name,design\nGlow,{LONG}\n",
    "field.jsonl": f'{{"name": {{"{LONG}": 1}}}}\n',
    "key.toml": f"{LONG} = 1\n",
    "label.toml": f"[[label]]\n{LONG} = 1\n",
    "list.toml": f"[[label]]\nname = {_MANY}\n",
    "stock.toml": f'stock = "{LONG}"\n[[label]]\nname = "Glow"\n',
}
RECORDINGS: Final = [
    f"table {LONG}\n",
    f"table {LONG}.toml\n",
    f"{_TABLE}{LONG}\n",
    f"{_TABLE}seat {LONG}\n",
    f"{_TABLE}set ana {LONG} 3\n",
    f"{_TABLE}set ana hp {LONG}\n",
    f"{_TABLE}rule {LONG} 3\n",
    f"{_TABLE}rule foilCost {LONG}\n",
    f"{_TABLE}expect ana {LONG} 3\n",
    f"{_TABLE}begin seed {LONG}\n",
    f'{_TABLE}seat cy deck "{LONG}"\n',
]
PAGES: Final = [
    f'name = "{LONG}"\n',
    f"{LONG} = 1\n",
    f"{_PAGE}[counters.{LONG}]\n",
    f'{_PAGE}[play]\nplayers = "{LONG}"\n',
    f'{_PAGE}[counters.c]\nof = "{LONG}"\nout = "{LONG}"\nreset = "{LONG}"\n',
    f'{_PAGE}[end]\nwin = "{LONG}"\n',
    f'{_PAGE}[actions.a]\ntakes = "{LONG}"\n',
    f'{_PAGE}[actions.a]\ndoes = ["add {LONG} c 1", "{LONG}"]\n',
    f'{_PAGE}[house.h]\nask = "?"\nvalues = {{ a = {{}}, b = {{ "{LONG}" = 1 }} }}\n',
    f'{_PAGE}[house.h]\nask = "?"\nvalues = {{ a = {{}}, {LONG} = {{}} }}\n',
    f'homebrew = "{LONG}"\n',
    f'{_BREW}[[inscriptions]]\nname = "{LONG}"\n',
    f"{_BREW}[printed.inscriptions.{LONG}]\nprice = 1\n",
]
LISTS: Final = [f"soulforger main\n4 {LONG}\n", f"{LONG}\n", f"soulforger {LONG}\n", f"soulforger main\n4 a | {LONG}\n"]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, empty_archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(empty_archive, tmp_path / "archive.sqlite")
    monkeypatch.setenv("COMPANION_ARCHIVE", str(tmp_path / "archive.sqlite"))


def is_short(text: str, file: str, *commands: Sequence[str]) -> None:
    """Give a file with this text to commands, of which each must say shortly what is wrong, or what it found."""
    Path(file).write_text(text, encoding="utf-8")
    for command in commands:
        result = CliRunner().invoke(main, command)
        assert isinstance(result.exception, SystemExit | None), (command, result.exception)
        lines = result.output.splitlines()
        assert max(map(len, lines), default=0) <= SHORT, (command, text[:60], result.output[:300])
        assert len(lines) <= 60


@pytest.mark.parametrize("number", range(len(DESIGNS)))
def test_a_design_is_quoted_shortly(number: int) -> None:
    Path("rows.csv").write_text("name\nGlow\n", encoding="utf-8")
    used = ["labels", "file", "rows.csv", "--design", "design.toml", "-o", "out.pdf"]
    is_short(DESIGNS[number], "design.toml", ["labels", "design", "check", "design.toml"], used)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_quoted_shortly(name: str) -> None:
    is_short(
        TABLES[name], name, *(["labels", "file", name, *more, "-o", "out.pdf"] for more in ([], ["--design", "jam"]))
    )


@pytest.mark.parametrize("number", range(len(RECORDINGS)))
def test_a_recording_is_quoted_shortly(number: int) -> None:
    is_short(RECORDINGS[number], "evening.table", ["replay", "evening.table"])


@pytest.mark.parametrize("number", range(len(PAGES)))
def test_a_page_is_quoted_shortly(number: int) -> None:
    commands = [[noun, deed, "page.toml"] for noun in ("game", "homebrew") for deed in ("check", "add")]
    is_short(PAGES[number], "page.toml", *commands, ["game", "show", "page.toml"])


@pytest.mark.parametrize("number", range(len(LISTS)))
def test_a_deck_list_is_quoted_shortly(number: int) -> None:
    founding = ["deck", "new", "soulforger", "Ash Pack", "--holder", "Ana", "--list", "list.txt"]
    is_short(LISTS[number], "list.txt", ["deck", "check", "list.txt"], founding)


def label_error(sentence: str) -> str:
    """A sentence as the library of labels shows it."""
    return str(LabelError(sentence))


@pytest.mark.parametrize("shorten", [shorten_quotes, label_error])
def test_a_shortened_sentence_keeps_its_way_out(shorten: Callable[[str], str]) -> None:
    sentence = f"There is no page “/home/{LONG}/page.toml”; name another file."
    short = shorten(sentence)
    assert len(short) < 300
    assert short.startswith("There is no page “/home/xxx")
    assert short.endswith("xxx/page.toml”; name another file.")
    assert shorten(short) == short
    assert shorten("“a\nb”\nand the next line") == "“a b”\nand the next line"
