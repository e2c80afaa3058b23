"""What the documents name exists: files, and the functions and classes in them."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = (
    ROOT / "docs" / "architecture.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs" / "lasting.md",
    ROOT / "docs" / "new-game.md",
    ROOT / "docs" / "releasing.md",
    ROOT / "docs" / "platforms.md",
)
_FILE = re.compile(r"`((?:companion|labels|templates|tests|docs)/[\w./<>-]*)`(?: `(\w+(?:\.\w+)?)`)?")


def named(document: Path) -> Iterator[tuple[str, str]]:
    """Each path that a document names, with the name in it that stands right behind ("" where none does)."""
    for path, name in _FILE.findall(document.read_text("utf-8")):
        if "<" not in path and "…" not in path:
            yield path, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.name))
def test_every_file_that_is_named_is_there(document: Path) -> None:
    missing = [path for path, _ in named(document) if not (ROOT / path).exists()]
    assert not missing


def test_every_name_is_in_the_file_before_it() -> None:
    strange = []
    for document in DOCUMENTS:
        for path, name in named(document):
            if name and not re.search(
                rf"\b(?:def|class)\s+{name.rpartition('.')[2]}\b", (ROOT / path).read_text("utf-8")
            ):
                strange.append(f"{document.name}: {path} has no {name}")
    assert not strange


def test_the_map_names_every_room_and_fits_on_two_screens() -> None:
    text = DOCUMENTS[0].read_text("utf-8")
    rooms = {path.parent for path in (ROOT / "companion").glob("*/__init__.py")}
    missing = [room.name for room in rooms if f"`companion/{room.name}/`" not in text]
    assert not missing
    assert len(text.splitlines()) <= 120


def test_the_map_names_every_room_inside_a_room() -> None:
    text = DOCUMENTS[0].read_text("utf-8")
    inner = {path.parent for room in ("companion/*", "labels") for path in ROOT.glob(f"{room}/*/__init__.py")}
    games = {room for room in inner if room.parent.name == "games"}
    inner |= {path.parent for game in games for path in game.glob("*/__init__.py")}
    assert [str(room.relative_to(ROOT)) for room in inner - games if f"`{room.name}`" not in text] == []


def test_a_room_has_at_most_twenty_modules() -> None:
    sizes = Counter(path.parent for room in ("companion", "labels") for path in (ROOT / room).rglob("[!_]*.py"))
    # Each step of the schema is a file that stays for ever.
    assert [str(room) for room, size in sizes.items() if size > 20 and room.name != "versions"] == []
