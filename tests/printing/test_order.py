"""Orders: what is said field by field comes to a layout, and what cannot be is told with its field."""

from pathlib import Path

import msgspec
import pytest

from companion.archive import Archive, NameTaken, stationery
from companion.archive.storage import files
from companion.printing import order as orders
from companion.printing.order import OrderError, PrintOrder
from labels.output import proof
from labels.paper import sheet as plan
from labels.paper import stocks
from tests.archive.keepsake import Founded
from tests.labels.paper import Paper
from tests.printing import evenings

STOCK = stocks.find("18294")


@pytest.mark.sample(6)
@pytest.mark.parametrize("what", [kind.name for kind in orders.KINDS])
def test_everything_that_can_be_printed_is_drawn(archive: Archive, what: str) -> None:
    evenings.play(archive)
    if what == "new":
        with pytest.raises(OrderError, match="nothing to print"):
            orders.prepare(archive, PrintOrder(what, "salt"))
        return
    of = orders.find_kind(what).of
    rows = ({"name": "Ana"},) if of == "table" else ()
    prepared = orders.prepare(archive, PrintOrder(what, "salt and iron" if of == "deck" else "", rows=rows))
    document = prepared.draw()
    assert prepared.summary
    assert len(prepared.maps) == (0 if orders.find_kind(what).on == "pages" else proof.page_count(document))


def test_the_map_says_what_is_inked_and_what_is_not(archive: Archive) -> None:
    evenings.play(archive)
    stationery.begin_sheet(archive, "blue", "18294", 60, tuple(range(10, 31)))
    stationery.claim(archive, {"blue": (10, 11)})
    prepared = orders.prepare(archive, PrintOrder("boxes", sheet="Blue"))
    (sheet,) = prepared.maps
    paper = Paper(prepared.draw(), 72)
    assert [at for at, sign in sheet.signs.items() if sign == plan.NOW] == [12, 13, 14]
    assert [at for at in range(1, 61) if paper.ink(STOCK.box(at))] == [12, 13, 14]
    assert [at for at, sign in sheet.signs.items() if sign == plan.WAITING] == [10, 11]
    assert [at for at, sign in sheet.signs.items() if sign == plan.FREE] == list(range(15, 31))
    assert prepared.claims == {"blue": (12, 13, 14)}


@pytest.mark.parametrize(
    ("order", "field", "says"),
    [
        (PrintOrder("hurz"), "what", "“hurz” is nothing to print"),
        (PrintOrder("deck"), "which", "Say which deck"),
        (PrintOrder("deck", "nobody"), "which", "nobody"),
        (PrintOrder("aid", "chess"), "which", "“chess” has no table aid"),
        (PrintOrder("tonight"), "which", "No session has been sealed"),
        (PrintOrder("starter", stock="9999"), "stock", "“9999” is not known"),
        (PrintOrder("starter", free="1-99"), "free", "positions 1 to 60"),
        (PrintOrder("starter", printer="attic"), "printer", "No printer is called “attic”"),
        (PrintOrder("aid", paper="a3"), "paper", "Paper is letter, a4, legal, a5, a6 or card"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_is_told_with_its_field(archive: Archive, order: PrintOrder, field: str, says: str) -> None:
    with pytest.raises(OrderError) as wrong:
        orders.prepare(archive, order)
    assert wrong.value.field == field
    assert says in str(wrong.value)


def test_nothing_is_claimed_where_nothing_is_written(archive: Archive, tmp_path: Path) -> None:
    prepared = orders.prepare(archive, PrintOrder("starter", sheet="blue"))
    (tmp_path / "there.pdf").write_text("mine", encoding="utf-8")
    with pytest.raises(files.FileExists):
        orders.write(archive, prepared, tmp_path / "there.pdf")
    assert stationery.sheets(archive) == ()
    stationery.begin_sheet(archive, "blue", "18294", 60, (1,))
    with pytest.raises(NameTaken):
        orders.write(archive, prepared, tmp_path / "fresh.pdf")
    assert not (tmp_path / "fresh.pdf").exists()
    assert stationery.find_sheet(archive, "blue").waiting == ()


@pytest.mark.parametrize("begins", [True, False], ids=["a sheet that begins", "a sheet at hand"])
def test_a_file_that_cannot_take_its_name_claims_nothing(archive: Archive, tmp_path: Path, begins: bool) -> None:
    if not begins:
        stationery.begin_sheet(archive, "blue", "18294", 60, tuple(range(1, 61)))
    prepared, path = orders.prepare(archive, PrintOrder("starter", sheet="blue")), tmp_path / "starter.pdf"

    def draw_slowly() -> bytes:
        path.mkdir()  # meanwhile, somebody else takes the name
        return prepared.draw()

    with pytest.raises(files.FileExists, match=r"starter.* was written by another program meanwhile"):
        orders.write(archive, msgspec.structs.replace(prepared, draw=draw_slowly), path)
    rows = stationery.sheets(archive)
    assert [(row.name, len(row.free), row.waiting) for row in rows] == ([] if begins else [("blue", 60, ())])
    orders.write(archive, prepared, tmp_path / "again.pdf")
    assert len(stationery.find_sheet(archive, "blue").waiting) == 60


def test_a_roll_has_no_sheet_no_map_and_no_calibration(archive: Archive) -> None:
    stationery.calibrate(archive, "office", 5, 0, 1, 1)
    order = PrintOrder("starter", stock="99012", free="3", printer="office")
    prepared = orders.prepare(archive, order)
    assert prepared.summary == "60 labels on a roll of 30321"
    assert (prepared.maps, prepared.claims, prepared.begins, prepared.media) == ((), {}, None, "Custom.35.73x88.56mm")
    assert str(prepared.beside["stock"]).endswith("each label is a page, no sheet to count, nothing to calibrate")
    assert str(prepared.notices[0]).startswith("Put in the roll 30321, and choose 35.73 × 88.56 mm, turned as paper")
    plain = orders.prepare(archive, PrintOrder("starter", stock="99012"))
    assert plain.draw() == prepared.draw()
    with pytest.raises(OrderError, match="is a roll: its page is the label") as error:
        orders.prepare(archive, PrintOrder("test", stock="99012"))
    assert error.value.field == "stock"


def test_a_full_sheet_is_a_question(archive: Archive) -> None:
    stationery.begin_sheet(archive, "red", "18294", 60, ())
    with pytest.raises(OrderError, match="The sheet “red” is full; yes prints on a new one of 18294") as error:
        orders.prepare(archive, PrintOrder("starter", sheet="red"))
    assert error.value.field == "fresh"
    prepared = orders.prepare(archive, PrintOrder("starter", sheet="red", fresh=True))
    assert (prepared.claims, prepared.notices[0]) == ({}, "Feed first a fresh sheet of 18294.")


def test_another_paper_than_the_usual_one_is_told(archive: Archive) -> None:
    notice = orders.prepare(archive, PrintOrder("starter", paper="A4")).beside["stock"]
    assert "These labels are on Letter, and your paper is A4: choose Letter" in notice
    for what in ("starter", "test"):
        notice = " ".join(map(str, orders.prepare(archive, PrintOrder(what, paper="A4")).notices))
        assert "your paper is A4: choose Letter" in notice
    assert "your paper" not in orders.prepare(archive, PrintOrder("starter", paper="Letter")).beside["stock"]
    assert str(orders.prepare(archive, PrintOrder("aid", paper="148 x 210 mm")).summary).endswith(
        "for 148 × 210 mm paper"
    )


def test_of_all_boxes_those_are_printed_that_can_be(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Fire 🔥 Drakes")])
    archive.found_deck("keepsake", [Founded("Ash")])
    prepared = orders.prepare(archive, PrintOrder("boxes"))
    assert "label" in prepared.summary
    assert str(prepared.notices[0]).startswith("Not printed: The name “Fire 🔥 Drakes” has “🔥”")
    assert prepared.draw().startswith(b"%PDF")


def test_where_no_label_can_be_printed_one_reason_stands_for_all(archive: Archive) -> None:
    for name in ("Fire 🔥 Drakes", "Ice 🔥", "Ash 🔥"):
        archive.found_deck("keepsake", [Founded(name)])
    with pytest.raises(orders.OrderError, match=r"^The name “Ash 🔥” has .* And 2 more like that\.$"):
        orders.prepare(archive, PrintOrder("boxes"))
