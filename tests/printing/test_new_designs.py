"""Labels that are made from nothing by the editor's changes: printed, they are read in colour and in one bit."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from PIL import Image, ImageDraw

from companion.printing import custom, designs, shelf
from companion.printing.run import find_stock
from companion.printing.spreadsheets.tables import TypedRows
from labels.editing.boxes import Frame
from labels.editing.editor import Editor
from labels.geometry import MM, InkName
from labels.output import pdf
from labels.paper import sheet
from tests.labels.paper import Paper, one_bit, read_all, smallest, strays, text_in

DPIS: Final = (203, 300)
LEAST_SIZE: Final = 5.0
RED: Final = "#7A1020"


class NewPart(NamedTuple):
    """A part to add: its kind, its source, its box in millimetres, and its further keys."""

    kind: str
    source: str
    box: tuple[float, float, float, float]
    keys: Mapping[str, str | float | bool] = {}


class NewDesign(NamedTuple):
    """A design to make: its stock, the box of its title, its other parts, a row for it, and the codes and texts."""

    stock: str
    title: tuple[float, float, float, float]
    parts: tuple[NewPart, ...]
    row: Mapping[str, str]
    codes: tuple[str, ...]
    texts: tuple[str, ...]


NEW: Final = {
    "my jam": NewDesign(
        "22806",
        (4, 6, 42.8, 14),
        (
            NewPart("frame", RED, (2, 2, 46.8, 46.8), {"line": 0.5, "corner": 2}),
            NewPart("fill", RED, (15, 22, 20.8, 0.8)),
            NewPart("text", "{ingredients}", (5, 24, 40.8, 13), {"align": "centre"}),
            NewPart("text", "{date:D MMM YYYY}", (8, 38, 34.8, 6), {"align": "centre", "colour": RED, "bold": True}),
        ),
        {"name": "Quince jelly", "ingredients": "Quinces, sugar, lemon juice", "date": "2026-10-03"},
        (),
        ("Quince jelly", "Quinces, sugar, lemon juice", "3 Oct 2026"),
    ),
    "my shelf": NewDesign(
        "L7160",
        (2.5, 2.5, 58, 11),
        (
            NewPart("text", "{price:0.00 €}", (37, 15, 24, 13), {"align": "right", "bold": True}),
            NewPart("code", "{ean}", (0, 15, 35, 22), {"symbology": "ean13", "figures": True}),
        ),
        {"name": "Rolled oats", "price": "1.29", "ean": "4006381333931"},
        ("4006381333931",),
        ("Rolled oats", "1.29 €"),
    ),
    "my address": NewDesign(
        "L7163",
        (8, 6, 83, 9),
        (NewPart("text", "{street}\n{town}", (8, 16, 83, 16), {"align": "left top"}),),
        {"name": "Zoë Ångström", "street": "Königstraße 7", "town": "70173 Stuttgart"},
        (),
        ("Zoë Ångström", "Königstraße 7", "70173 Stuttgart"),
    ),
    "my badge": NewDesign(
        "5163",
        (32, 5, 42, 15),
        (
            NewPart("picture", "{photo}", (3, 3, 26, 44)),
            NewPart("fill", "#1B6B42", (32, 23, 42, 12)),
            NewPart("text", "{role}", (33, 24, 40, 10), {"align": "centre", "colour": "#FFFFFF", "bold": True}),
            NewPart("code", "{link}", (75, 12, 25, 25)),
        ),
        {"name": "Ana Silva", "role": "Speaker", "photo": "ana.png", "link": "https://example.org/ana"},
        ("https://example.org/ana",),
        ("Ana Silva", "Speaker"),
    ),
    "my inscription": NewDesign(
        "18294",
        (2, 1.8, 34, 4.4),
        (
            NewPart("text", "{mark}", (36.5, 1.8, 6, 4.4), {"align": "right"}),
            NewPart("text", "{text}", (2, 6.6, 40.4, 8.4), {"align": "left top"}),
        ),
        {"name": "Ember", "mark": "●●", "text": "Burn a card of your discard pile."},
        (),
        ("Ember", "Burn a card of your discard pile."),
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of designs, which is not there at first."""
    place = tmp_path / "designs"
    monkeypatch.setattr(designs, "designs_folder", lambda: place)
    return place


def make_frame(box: tuple[float, float, float, float]) -> Frame:
    return Frame(*(length * MM for length in box))


def make_design(name: str) -> None:
    """Make a design by the changes of the editor alone, and save it."""
    wanted = NEW[name]
    shelf.create_design(name, find_stock(wanted.stock))
    file = designs.read_design_file(name)
    assert file is not None
    editor = Editor(file.text, name, f"{name}.toml", lambda stock: find_stock(stock or None), file.beside)
    editor.place_part(editor.parts[0], make_frame(wanted.title))
    for new in wanted.parts:
        # A part is added near its place, moved there, and then set key by key, as by hand.
        part = editor.add_part(new.kind, new.source, make_frame(new.box))
        editor.move_part(part, 0.5 * MM, 0.25 * MM)
        editor.move_part(part, -0.5 * MM, -0.25 * MM)
        for key, value in new.keys.items():
            editor.set_key(part, key, value)
    editor.check()
    designs.save_design(name, editor.text, expected=file.text)


def print_design(name: str, folder: Path, ink: InkName | None) -> bytes:
    design, row = designs.find_design(name), NEW[name].row
    portrait = Image.new("RGB", (260, 440), "#BFD8EA")
    ImageDraw.Draw(portrait).ellipse((50, 90, 210, 300), fill="#43281C")
    portrait.save(folder / "ana.png")
    stock = find_stock(design.stock)
    labels = custom.own_labels(TypedRows([row], tuple(row)), folder, design=design, stock=stock)
    return pdf.render_sheets(sheet.place_labels(labels, stock), stock, pdf.Setup(name, ink=ink))


@pytest.mark.parametrize("ink", ["colour", "black"])
@pytest.mark.parametrize("name", NEW)
def test_a_design_from_nothing_is_read_from_paper(name: str, ink: InkName, folder: Path) -> None:
    make_design(name)
    document = print_design(name, folder, ink)
    stock = find_stock(NEW[name].stock)
    words = text_in(document, stock.box(1))
    assert [text for text in NEW[name].texts if text not in words] == []
    assert smallest(document) >= LEAST_SIZE
    for dpi in DPIS:
        paper = Paper(document, dpi)
        assert strays(paper, stock, 0) is None
        label = paper.part(stock.box(1))
        for picture in (label, one_bit(label)):
            assert tuple(text for _, text, _ in read_all(picture)) == NEW[name].codes
