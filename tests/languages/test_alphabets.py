"""Lists in the order of the alphabet of their reader."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, stationery
from companion.printing import designs
from templates.languages import catalogues
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import ENGLISH, Language, phrase, speaking
from tests.languages.samples import draws, po, polish
from tests.test_house_rules import ROOT

_SWEDISH = """\
msgctxt "alphabet"
msgid "a b c d e f g h i j k l m n o p q r s t u v w x y z"
msgstr "a b c d e f g h i j k l m n o p q r s t u v w x y z å ä=æ ö=ø"
"""


def _sort(texts: str, language: Language) -> str:
    with speaking(language):
        return " ".join(sorted(texts.split(), key=alphabetical_key))


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("en", "Ana Änne anton Ben Öre Zoë Ωmega"),
        ("de", "Ähre Ahrend Muller Müller Strasse Straße Strauß Zoë"),
        ("es", "nube nuez ñandú ñu Oca"),
        ("fr", "cote côté coteau Œuf ombre"),
    ],
)
def test_lists_follow_the_alphabet_of_their_reader(code: str, texts: str) -> None:
    language = catalogues.find_language(code)
    assert language is not None
    assert _sort(" ".join(reversed(texts.split())), language) == texts


def test_a_catalogue_adds_letters_to_the_alphabet() -> None:
    swedish = catalogues.read_catalogue(po(_SWEDISH, "sv", "Svenska", "nplurals=2; plural=(n != 1);"))
    assert _sort("Öst Ærø Ål Zeta Ärla Adam", swedish) == "Adam Zeta Ål Ärla Ærø Öst"
    czech = catalogues.read_catalogue(
        po(_SWEDISH.replace('msgstr "a b c d e f g h', 'msgstr "a b c d e f g h ch'), "cs", "Čeština")
    )
    assert _sort("chata cibule hrad iris", czech) == "cibule hrad chata iris"


def test_numbers_sort_by_their_value() -> None:
    assert sorted(["Deck 10", "deck 9", "Deck 010", "Deck"], key=alphabetical_key)[:2] == ["Deck", "deck 9"]
    assert alphabetical_key("9" * 9_000) > alphabetical_key("8" * 9_000)


def test_messages_sort_as_they_are_shown() -> None:
    texts = [draws(2), phrase("Zebra"), draws(2, "Ben")]
    with speaking(polish()):
        assert sorted(texts, key=alphabetical_key) == [draws(2), draws(2, "Ben"), phrase("Zebra")]


@given(st.lists(st.text(max_size=8), max_size=6))
def test_any_texts_have_one_order(texts: list[str]) -> None:
    with speaking(ENGLISH):
        order = sorted(texts, key=alphabetical_key)
        texts.reverse()
        assert order == sorted(texts, key=alphabetical_key)


def _german() -> Language:
    language = catalogues.find_language("de")
    assert language is not None
    return language


def test_sheets_and_printers_are_listed_by_the_alphabet(tmp_path: Path) -> None:
    names = ["Zimmer", "ärger", "Ost", "Öl", "anders 10", "anders 9"]
    with Archive.open(str(tmp_path / "archive.sqlite"), by="test") as archive, speaking(_german()):
        for name in names:
            stationery.begin_sheet(archive, name, "18294", 60, tuple(range(1, 61)))
            stationery.calibrate(archive, name, 0.5, -1.2, 1.001, 1.0)
        in_order = ["anders 9", "anders 10", "ärger", "Öl", "Ost", "Zimmer"]
        assert [row.name for row in stationery.sheets(archive)] == in_order
        assert [row.name for row in stationery.printers(archive)] == in_order


def test_designs_are_listed_by_the_alphabet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(tmp_path))
    folder = designs.designs_folder()
    folder.mkdir(parents=True)
    for name in ("Öl", "zoo", "oase", "Plan 10", "plan 9"):
        (folder / f"{name}.toml").write_text("", encoding="utf-8")
    with speaking(_german()):
        own = [entry.name for entry in designs.list_designs() if entry.own]
    assert own == ["oase", "Öl", "plan 9", "Plan 10", "zoo"]


_NAMES: Final = re.compile(r"\b(?:name|names|title|titles|holder|folded|caption)\b|casefold|fold\(|lower\(")
_MACHINE: Final = {
    "companion/archive/exchange/pages.py": "words of games, as they are typed",
    "companion/archive/recovery/backups.py": "names of files, which begin with a time",
    "companion/games/registry.py": "words of games, as they are typed",
    "companion/games/soulforger/rehearsal/temperaments.py": "a simulated player decides",
    "companion/games/soulforger/rules/flow.py": "by the turn",
    "companion/league/season.py": "by the place",
    "companion/printing/designs.py": "names of files that come with the program",
    "companion/rehearsal/report.py": "the names of figures, in the order of the rules",
    "companion/session/reports/chronicles.py": "the longest name first",
    "companion/session/table/rematch.py": "tables of the same game first",
    "companion/statistics/play_file.py": "the most frequent first",
    "companion/tabletop/notation/naming.py": "the longer name first",
    "companion/forms/health.py": "paper as printers name it",
    "companion/tui/screens/home/settings.py": "names of themes, as they are typed",
    "companion/tui/widgets/form_sheet.py": "what begins with the typed text first",
    "companion/web/host/designs/code_kinds.py": "the kinds of codes that people use most first",
    "companion/web/table_page.py": "by the number of a column",
    "labels/handwritten.py": "files as they are read",
    "labels/paper/stocks.py": "codes of makers",
    "labels/typesetting/font_files.py": "files as they are tried",
}
"""Files that sort names by something other than the alphabet of their reader."""


def test_names_are_sorted_by_the_alphabet_of_their_reader() -> None:
    others = set()
    for path in (file for folder in ("companion", "labels") for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("sorted", "sort"):
                text = ast.unparse(node)
                if "alphabetical_key" not in text and _NAMES.search(text):
                    others.add(path.relative_to(ROOT).as_posix())
    assert others == _MACHINE.keys()
