"""Printing from the screen: what, on which sheet, how many pages; a PDF is written, and a sheet's count holds."""

import asyncio
import os
import re
from functools import partial
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from rich.color import Color

from companion.archive import Archive, deck_id, deck_records, stationery
from companion.cli import browsers
from companion.cli.screen import serve_beside
from companion.forms import settings
from companion.forms.calibration_form import CalibrationForm
from companion.forms.decks.deck_forms import LabelledDeckForm
from companion.forms.print_form import PrintForm
from companion.games import registry
from companion.printing import order as orders
from companion.printing.order import PrintOrder
from companion.tabletop.decks.form import Finding, FormPlace, Values
from companion.tabletop.table.choices import Choice
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.home.home import Home
from companion.tui.screens.print import PrintedScreen, PrintScreen
from companion.tui.widgets.page_picture import SheetMapPanel
from labels.output import proof
from labels.paper import calibration, stocks
from tests.labels.paper import Paper, text_in
from tests.labels.test_black import check_black
from tests.printing import evenings
from tests.printing.workbooks import Cell, ErrorValue, write_xlsx
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, question_text, sheet

STOCK = stocks.find("18294")
SENDS = ["send:"] if os.name == "nt" else []
"""Windows can always send something to a printer."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program was begun: PDFs go there. The machine has no printer that a test could wake."""
    place = tmp_path / "desk"
    (place / "bin").mkdir(parents=True)
    monkeypatch.chdir(place)
    monkeypatch.setenv("PATH", str(place / "bin"))
    return place


async def at_print(hand: Hand) -> PrintScreen:
    """Wait for the screen, and for a page on it."""
    await hand.until(lambda: isinstance(hand.app.screen, PrintScreen) and bool(hand.app.screen.query("#entry")))
    screen = hand.app.screen
    assert isinstance(screen, PrintScreen)
    await hand.until(lambda: bool(screen.document))
    return screen


async def at_printed(hand: Hand) -> PrintedScreen:
    """Wait for the screen that asks how it came out."""
    await hand.until(lambda: isinstance(hand.app.screen, PrintedScreen) and bool(hand.app.screen.query("#rows")))
    screen = hand.app.screen
    assert isinstance(screen, PrintedScreen)
    await hand.until(lambda: screen.rows.total > 0)
    return screen


def positions(hand: Hand) -> str:
    """The position map as text."""
    return hand.text_of(hand.app.screen.query_one(SheetMapPanel))


def ways(screen: PrintedScreen) -> list[str]:
    """What can be done with what was printed."""
    return [str(option.id) for option in screen.rows.options]


async def test_a_starter_sheet_is_shown_and_written_and_read_back(sit: Seat, folder: Path) -> None:
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        assert hand.reads("60 labels on 1 sheet of 18294, the last at position 60.")
        await hand.until(lambda: screen.picture.border_title == "Page 1 of 1")
        assert positions(hand).count("■") == 60 + 1  # and once in what the signs mean
        await hand.press("ctrl+s")
        printed = await at_printed(hand)
        document = (folder / "decknforge-starter-sheet.pdf").read_bytes()
        assert proof.page_count(document) == 1
        paper = Paper(document, 72)
        assert all(paper.ink(STOCK.box(position)) for position in range(1, 61))
        assert text_in(document, STOCK.box(60)).startswith("Untouchable")
        assert ways(printed) == ["open", *SENDS, "calibrate", "done"]
        await hand.enter("that is all")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


@pytest.mark.slow
async def test_a_stored_sheet_shows_what_is_used_and_keeps_count(sit: Seat, archive: Archive, folder: Path) -> None:
    stationery.begin_sheet(archive, "blue folder", "18294", 60, tuple(range(16, 61)))
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        # The half-used sheet of last time stands there.
        await hand.until(lambda: "Page 1 of 2" in str(screen.picture.border_title))
        rows = positions(hand).splitlines()
        assert rows[0] == "Sheet 1 “blue folder”"
        assert rows[1].split() == ["1×", "16■", "31■", "46■"]
        assert hand.reads("45 of 60 free")
        assert hand.reads("on 2 sheets of 18294, the last at position 15")
        await hand.press("f4")
        await hand.until(lambda: screen.picture.border_title == "Page 2 of 2")
        await hand.press("ctrl+s")
        printed = await at_printed(hand)
        assert stationery.find_sheet(archive, "blue folder").waiting == tuple(range(16, 61))
        document = next(folder.glob("*.pdf")).read_bytes()
        assert [position for position in range(1, 61) if Paper(document, 72).ink(STOCK.box(position))] == list(
            range(16, 61)
        )
        await hand.enter("it came out right")
        await hand.until(lambda: "count as used" in hand.status)
        row = stationery.find_sheet(archive, "blue folder")
        assert (row.free, row.waiting) == ((), ())
        assert ways(printed) == ["open", *SENDS, "calibrate", "done"]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("answer", "free"), [("lost", 58), ("still blank", 59)])
async def test_a_sheet_begins_with_a_name_and_a_bad_print_is_told(
    sit: Seat, archive: Archive, band: str, answer: str, free: int
) -> None:
    evenings.live(archive, band)
    async with sit(size=(120, 40)) as hand:
        await hand.enter("grave")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        await hand.press("f5")
        await at_print(hand)
        assert hand.reads(deck_id.show(band))
        await answer_form(hand, "box label", "", "", "red folder", "2-60")
        await hand.until(lambda: hand.reads("1 label on 1 sheet of 18294, the last at position 2"))
        await hand.press("ctrl+s")
        await at_printed(hand)
        assert stationery.find_sheet(archive, "red folder").waiting == (2,)
        await hand.enter(answer)
        await hand.until(lambda: not stationery.find_sheet(archive, "red folder").waiting)
        assert len(stationery.find_sheet(archive, "red folder").free) == free


@pytest.mark.slow
async def test_tonights_labels_and_the_decks_record_sheet(sit: Seat, archive: Archive, folder: Path) -> None:
    evenings.play(archive)
    async with sit(size=(80, 24)) as hand:
        await hand.press("f5")
        await at_print(hand)
        await answer_form(hand, "tonight")
        await hand.until(lambda: hand.reads("to stick"))
        await answer_form(hand, "", "", "", "", "", "", "", "", "", "tonight")
        assert "Look it through" in question_text(hand)
        await hand.press("enter")
        await at_printed(hand)
        assert (folder / "tonight.pdf").exists()
        await hand.until(lambda: " on " in hand.text_of("#page"))
        assert "Print at 100 %" in hand.text_of("#page")
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.enter("salt and iron")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        await hand.press("f5")
        await at_print(hand)
        await answer_form(hand, "record")
        await hand.until(lambda: hand.reads("Salt and Iron, for Letter paper"))
        assert not positions(hand).strip()
        await hand.press("ctrl+s")
        await at_printed(hand)
        assert proof.page_count((folder / "salt-and-iron.pdf").read_bytes()) >= 1


@pytest.mark.slow
async def test_what_cannot_be_printed_is_told_and_nothing_is_written(sit: Seat, folder: Path) -> None:
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        await at_print(hand)
        await hand.press("tab", "tab", "tab", "tab")
        assert "Free" in question_text(hand)
        await answer_form(hand, "70")
        await hand.press("ctrl+s")
        await hand.until(lambda: "This is not right yet." in hand.status)
        assert hand.reads("✗ Stock 18294 has positions 1 to 60, not 70.")
        assert "Free" in question_text(hand)
        await answer_form(hand, "1-5")
        (folder / "taken.pdf").write_text("mine", encoding="utf-8")
        await hand.press(*["pagedown"] * 5)
        await answer_form(hand, "taken.pdf")
        await hand.press("enter")
        await hand.until(lambda: "exists" in hand.status)
        assert (folder / "taken.pdf").read_text(encoding="utf-8") == "mine"
        assert not list(folder.glob("deck*.pdf"))


@pytest.mark.slow
async def test_the_page_shows_what_is_printed_and_can_be_large(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        assert screen.positions.display
        await hand.press("f2")
        await hand.until(lambda: screen.picture.region.width > 0 and bool(ink(screen)))
        small = len(ink(screen))
        await hand.press("f3")
        await hand.until(lambda: len(ink(screen)) > 2 * small)
        assert screen.picture.region.width > 75
        await hand.press("pagedown")
        await hand.until(lambda: screen.picture.scroll_y > 5)
        await hand.press("escape")
        await hand.until(lambda: screen.picture.region.width < 40)
        await hand.press(*"box")
        await hand.until(lambda: hand.field("entry") == "box")


def ink(screen: PrintScreen) -> list[Color]:
    """The colours in the picture that are not the paper's white."""
    strips = screen.picture.render_lines(screen.picture.size.region)
    colours = [segment.style.color for strip in strips for segment in strip if segment.style is not None]
    return [colour for colour in colours if colour and colour.triplet and max(colour.triplet) < 200]


@pytest.mark.posix
async def test_it_is_sent_to_a_printer_and_opened(sit: Seat, folder: Path) -> None:
    for name, does in (
        ("lpstat", '[ "$1" = -e ] && printf "attic\\noffice\\n" || echo "system default destination: office"'),
        ("lp", f'echo "$@" > {folder}/sent; echo "request id is office-7"'),
        ("xdg-open", f'echo "$1" > {folder}/opened'),
    ):
        program = folder / "bin" / name
        program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        program.chmod(0o755)
    async with sit(size=(80, 24)) as hand:
        await hand.press("f5")
        await at_print(hand)
        await hand.press("ctrl+s")
        printed = await at_printed(hand)
        assert ways(printed)[:3] == ["open", "send:office", "send:attic"]
        await hand.enter("send office")
        await hand.until(lambda: "request id is office-7" in hand.status)
        assert "-d office -o print-scaling=none" in (folder / "sent").read_text(encoding="utf-8")
        await hand.enter("open")
        await hand.until((folder / "opened").exists)
        await hand.until(
            lambda: (folder / "opened").read_text(encoding="utf-8").strip().endswith("decknforge-starter-sheet.pdf")
        )


async def test_a_printer_is_measured_and_printed_for(sit: Seat, archive: Archive, folder: Path) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.press("f5")
        await at_print(hand)
        await answer_form(hand, "test page")
        await hand.press("ctrl+s")
        await at_printed(hand)
        assert (folder / "test-page.pdf").exists()
        await hand.enter("calibrate")
        await hand.until(lambda: bool(hand.app.screen.query("#entry")) and "Calibrate" in hand.text_of("#title"))
        await answer_form(hand, "office", "wide")
        await hand.press("ctrl+s")
        await hand.until(lambda: hand.reads("✗ “wide” is not a length"))
        await answer_form(hand, "20,5", "21", "", "", "")
        await hand.until(lambda: "office: -0.5 mm right, -1 mm down" in hand.status)
        (row,) = stationery.printers(archive)
        assert (row.name, row.dx, row.dy) == ("office", -0.5, -1.0)


async def test_what_is_usual_stands_in_the_form(sit: Seat, archive: Archive) -> None:
    stationery.calibrate(archive, "office", 0.5, 0, 1, 1)
    settings.write(settings.ScreenSettings(stock="L7651", printer="office"))
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        await at_print(hand)
        assert hand.reads("60 labels on 1 sheet of L7651")
        assert hand.reads("office")


def asks(archive: Archive, **values: str) -> list[str]:
    """What the form asks with these answers."""
    return [field.name for field in PrintForm(archive, {}).build_state({"what": "starter", **values}).fields]


def test_a_full_sheet_and_a_roll_are_asked_about_as_they_are(archive: Archive) -> None:
    stationery.begin_sheet(archive, "red", "18294", 60, (60,))
    assert asks(archive, sheet="red") == [
        *("what", "which", "sheet", "printer", "language", "ink", "codes", "outlines", "file")
    ]
    stationery.use_up(archive, "red", (60,))
    assert asks(archive, sheet="red") == [
        "what",
        "which",
        "sheet",
        "fresh",
        "printer",
        "language",
        "ink",
        "codes",
        "outlines",
        "file",
    ]
    assert asks(archive, stock="DK-11209") == [
        *("what", "which", "stock", "language", "ink", "codes", "outlines", "file")
    ]
    form = PrintForm(archive, {})
    answers = {"what": "starter", "sheet": "red"}
    (finding,) = form.build_state(answers).filled.findings
    assert (finding.place.field, form.ready) == ("fresh", None)
    assert form.build_state({**answers, "fresh": "yes"}).filled.findings == ()


def test_the_ink_is_asked_and_told_where_nobody_chooses_it(archive: Archive) -> None:
    form = PrintForm(archive, {})
    ink = FormPlace("ink")
    assert form.build_state({"what": "starter"}).filled.beside[ink] == "colour"
    assert form.build_state({"what": "starter", "stock": "DK-11209"}).filled.beside[ink] == "black"
    assert ink not in form.build_state({"what": "starter", "ink": "black"}).filled.beside
    assert form.ready is not None
    check_black(form.ready.draw())
    (finding,) = form.build_state({"what": "aid", "ink": "grey"}).filled.findings
    assert (finding.place, str(finding.text)) == (ink, "Ink is black or colour, not “grey”.")
    choices = form.candidates({}, ink, "")
    assert isinstance(choices, tuple)
    assert [(each.value, str(each.detail)) for each in choices] == [
        ("colour", "also on a roll"),
        ("black", "no colours and no greys, also on a sheet"),
    ]


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("typed", "name"), [("Avery 5160", "5160"), ("avery 8160", "5160"), ("j8160", "L7160"), ("70x36", "3475")]
)
async def test_labels_are_found_by_any_of_their_names_or_by_size(sit: Seat, typed: str, name: str) -> None:
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        await hand.press("tab", "tab")
        hand.type(typed)
        await hand.until(lambda: bool(screen.choice_list.choices) and screen.choice_list.choices[0].value == name)


def test_a_page_printed_with_a_calibration_adds_to_it(archive: Archive) -> None:
    stationery.calibrate(archive, "office", -1, 0, 1, 1)
    form = CalibrationForm(archive, "office")
    begun = form.initial_values()
    assert (begun["name"], begun["again"]) == ("office", "yes")
    form.keep({**begun, "distance0": "20.5"})
    assert stationery.find_printer(archive, "office").dx == -1.5
    form.keep({**begun, "again": "no", "distance0": "20.5"})
    assert stationery.find_printer(archive, "office").dx == -0.5
    assert "again" not in [field.name for field in form.build_state({**begun, "name": "new"}).fields]


def test_a_small_page_is_measured_where_its_own_test_page_has_b(archive: Archive) -> None:
    form = CalibrationForm(archive, "card", (110.0, 70.0))
    begun = form.initial_values()
    assert (begun["distance2"], begun["distance3"]) == ("110", "70")
    form.keep({**begun, "distance2": "111.1"})
    assert stationery.find_printer(archive, "card").sx == pytest.approx(1 / 1.01, abs=1e-4)


def test_after_a_roll_nobody_is_asked_to_calibrate(archive: Archive) -> None:
    spans = [orders.prepare(archive, PrintOrder(stock=stock)).span for stock in ("", "DK-11209")]
    assert spans == [calibration.B, None]


def test_a_name_that_no_box_label_bears_is_warned_of(archive: Archive) -> None:
    game = registry.game("decknforge")
    assert game.decks.founding is not None
    form = LabelledDeckForm(archive, game, game.decks.founding, "Build")
    place = form.build_state({}).fields[0].name
    warned = [finding for finding in form.build_state({place: "Fire 🔥 Drakes"}).filled.findings if finding.warning]
    assert "“🔥” (U+1F525)" in warned[0].text
    assert str(warned[0].text).endswith("Its box would get no label.")
    assert warned[0].place.field == place
    assert not [finding for finding in form.build_state({place: "Grave Choir"}).filled.findings if finding.warning]


def test_what_was_typed_is_not_said_once_more_beside_itself(archive: Archive) -> None:
    form = PrintForm(archive, {})
    beside = [
        form.build_state({"what": "starter", "which": which}).filled.beside
        for which in ("", "decknforge", "DecknForge")
    ]
    assert [notes.get(FormPlace("which")) for notes in beside] == ["DecknForge", "DecknForge", None]


def test_the_half_used_sheet_of_last_time_stands_in_the_form(archive: Archive) -> None:
    assert "sheet" not in PrintForm(archive, {}).initial_values()
    for name, free in (("red", (59, 60)), ("blue", (60,)), ("full", ()), ("new", tuple(range(1, 61)))):
        stationery.begin_sheet(archive, name, "18294", 60, free)
    form = PrintForm(archive, {"what": "starter"})
    assert form.initial_values()["sheet"] == "blue"
    stationery.use_up(archive, "red", (59,))
    form = PrintForm(archive, {"what": "starter"})
    assert form.initial_values()["sheet"] == "red"
    assert "Which positions" not in [field.help for field in form.build_state(form.initial_values()).fields]
    assert "sheet" not in PrintForm(archive, {"what": "record"}).initial_values()


@pytest.mark.slow
async def test_labels_of_ones_own_are_typed_seen_and_written(sit: Seat, folder: Path) -> None:
    stock = stocks.find("5163")
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        await hand.enter("labels of your own")
        await hand.until(lambda: "Design" in question_text(hand))
        await hand.until(lambda: "names of its fields" in sheet(hand))
        seen = screen.document
        # The design on which the cursor stands is drawn before it is taken.
        await hand.press("down", "down")
        await hand.until(lambda: screen.document not in (b"", seen))
        await hand.press("up", "up")
        await answer_form(hand, "", "")
        await hand.until(lambda: "Name" in question_text(hand))
        await answer_form(hand, "Ana Silva", "Referee", "many", "", "")
        await hand.until(lambda: "✗ Count is a whole number from 0 to 10000, not “many”." in sheet(hand))
        await hand.press("ctrl+s")
        await hand.until(lambda: "This is not right yet." in hand.status)
        assert not list(folder.glob("*.pdf"))
        await hand.until(lambda: "Count" in question_text(hand))
        await answer_form(hand, "2", "", "", "Ben", "", "", "", "")
        await hand.until(lambda: "3 labels on 1 sheet" in sheet(hand))
        await hand.press(*["shift+tab"] * 5)
        screen.cursor.go(FormPlace("stock"))
        await screen.action_step(0)
        await answer_form(hand, "Avery 5163")
        await hand.press("ctrl+s")
        await at_printed(hand)
    (path,) = folder.glob("*.pdf")
    document = path.read_bytes()
    assert [text_in(document, stock.box(position)) for position in (1, 2, 3)] == [
        "Ana Silva Referee",
        "Ana Silva Referee",
        "Ben",
    ]


def _change(form: PrintForm, values: Values) -> str:
    """Return what a form says of the result of its answers."""
    return str(form.build_state(values).filled.change)


def test_a_table_is_read_in_its_design_and_what_is_wrong_is_told_by_row(archive: Archive, folder: Path) -> None:
    form = PrintForm(archive, {})
    write_xlsx(folder / "jam.xlsx", {"Jars": [["name", "count"], ["Quince", 2], ["Plum", "many"]]})
    (folder / "notes").mkdir()
    values = {"what": "Labels of your own", "table": "jam.xlsx"}
    offered = form.candidates(values, FormPlace("table"), "")
    assert isinstance(offered, tuple)
    assert [choice.value for choice in offered] == ["jam.xlsx", "bin/", "notes/", "../", "~/"]
    (finding,) = form.build_state(values).filled.findings
    assert finding.place == FormPlace("table", 3)
    assert str(finding.text).startswith("Row 3 of “jam.xlsx”: count is a whole number")
    head: list[Cell] = ["name", "text", "code", "count"]
    write_xlsx(folder / "jam.xlsx", {"Jars": [head, ["Quince", "in honey", "Q", 2], ["Plum", None, None, 1]]})
    seen = form.build_state({**values, "design": "code"})
    assert [field.name for field in seen.fields][:4] == ["what", "design", "table", "stock"]
    assert str(seen.filled.change) == "3 labels on 1 sheet of 18294, the last at position 3."
    for name in ("gone.csv", "~nobody-here/jam.csv"):
        with pytest.raises(FileNotFoundError) as error:
            Path(name).stat()
        (gone,) = form.build_state({**values, "table": name}).filled.findings
        assert gone.text == f"“{name}” cannot be read: {error.value.strerror}."


def test_where_the_letters_of_a_table_are_unclear_its_words_are_offered(archive: Archive, folder: Path) -> None:
    form = PrintForm(archive, {})
    (folder / "names.csv").write_bytes("name\nПривет\nмир\n".encode("windows-1251"))
    values = {"what": "own", "table": "names.csv", "stock": "5163"}
    state = form.build_state(values)
    (finding,) = state.filled.findings
    assert finding == Finding(
        "“names.csv” can be read in several ways; choose the row that shows a word of it.", place=FormPlace("encoding")
    )
    assert "encoding" in [field.name for field in state.fields]
    offered = form.candidates(values, FormPlace("encoding"), "")
    assert isinstance(offered, tuple)
    assert {choice.value: choice.title for choice in offered}["windows-1251"] == "Привет"
    state = form.build_state({**values, "encoding": "windows-1251"})
    assert state.filled.findings == ()
    assert state.filled.beside[FormPlace("encoding")] == "“Привет”"
    assert form.ready is not None
    assert text_in(form.ready.draw(), stocks.find("5163").box(2)) == "мир"
    (refused,) = form.build_state({**values, "encoding": "hurz"}).filled.findings
    assert (refused.place, str(refused.text)[:22]) == (FormPlace("encoding"), "“hurz” is no encoding;")
    (refused,) = form.build_state({**values, "encoding": "ascii"}).filled.findings
    assert (refused.place, str(refused.text)[:33]) == (FormPlace("encoding"), "“names.csv” is no text in ascii; ")


def test_a_guess_of_letters_is_shown_and_can_be_put_right(archive: Archive, folder: Path) -> None:
    form = PrintForm(archive, {})
    (folder / "jam.csv").write_bytes("name\nKäse\n".encode("windows-1252"))
    values = {"what": "own", "table": "jam.csv", "stock": "5163"}
    state = form.build_state(values)
    assert (state.filled.findings, state.filled.beside[FormPlace("encoding")]) == ((), "“Käse”")
    (folder / "jam.csv").write_text("name\nKäse\n", encoding="utf-8")
    # What shows its letters is not asked about, whatever was said of another one.
    state = form.build_state({**values, "encoding": "windows-1251"})
    assert (state.filled.findings, "encoding" in [field.name for field in state.fields]) == ((), False)
    assert form.ready is not None
    assert text_in(form.ready.draw(), stocks.find("5163").box(1)) == "Käse"


def test_a_workbook_of_several_sheets_is_asked_which(archive: Archive, folder: Path) -> None:
    form = PrintForm(archive, {})
    write_xlsx(folder / "all.xlsx", {"Jars": [["name"], ["Quince"]], "Guests": [["name"], ["Ana"], ["Ben"]]})
    values = {"what": "own", "table": "all.xlsx", "stock": "5163"}
    state = form.build_state(values)
    assert [field.name for field in state.fields][2:4] == ["table", "worksheet"]
    assert (state.filled.beside[FormPlace("worksheet")], state.filled.beside[FormPlace("table")]) == ("Jars", "1 label")
    assert [choice.value for choice in form.candidates(values, FormPlace("worksheet"), "")] == ["Jars", "Guests"]  # type: ignore[union-attr]
    assert _change(form, {**values, "worksheet": "guests"}).startswith("2 labels")
    assert [row.values["name"] for row in form.rows_to_change({**values, "worksheet": "Guests"})] == ["Ana", "Ben"]
    (finding,) = form.build_state({**values, "worksheet": "Cups"}).filled.findings
    assert finding == Finding("“all.xlsx” has no sheet “Cups”; choose one of the list.", place=FormPlace("worksheet"))
    write_xlsx(folder / "one.xlsx", {"Jars": [["name"], ["Quince"]]})
    assert form.build_state({**values, "table": "one.xlsx", "worksheet": "Cups"}).filled.findings == ()


PASTED = {
    "rows": (
        "Basil\tdried\t2\r\nOregano\tmarket\t1\r\nSage\t\t",
        [("Basil", "dried", "2"), ("Oregano", "market", "1")],
    ),
    "heads": ("Count\tName\n3\tBasil\n\tOregano\n", [("Basil", "", "3"), ("Oregano", "", "")]),
    "quotes": ('"Two\nlines"\t"a ""b"""\nOregano\tx\n', [("Two\nlines", 'a "b"', ""), ("Oregano", "x", "")]),
    "one row": ("Basil\tdried", [("Basil", "dried", "")]),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("case", PASTED)
async def test_cells_of_a_spreadsheet_are_pasted_as_rows(sit: Seat, case: str) -> None:
    text, wanted = PASTED[case]
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        await answer_form(hand, "labels of your own", "", "")
        await hand.until(lambda: screen.cursor.at == FormPlace("rows", 0, "name"))
        hand.paste(text)
        await hand.until(lambda: (screen.cursor.at.entry or 0) >= len(wanted))
        rows = screen.cursor.answers.values()["rows"]
        assert [tuple(row.get(name, "") for name in ("name", "text", "count")) for row in rows][: len(wanted)] == wanted
        assert screen.cursor.at == FormPlace("rows", len(rows), "name")
        await hand.press("ctrl+z")
        assert "rows" not in screen.cursor.answers.values()


async def test_cells_without_a_place_are_refused(sit: Seat) -> None:
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        await answer_form(hand, "labels of your own", "", "")
        await hand.until(lambda: screen.cursor.at == FormPlace("rows", 0, "name"))
        hand.paste("a\tb\tc\td\te\tf\n")
        await hand.until(lambda: "A row has 6 cells, but from here on only name, text, count," in hand.status)
        hand.paste("a\tb\n" * 301)
        await hand.until(lambda: "301 rows are too many to be pasted; save them as a file." in hand.status)
        assert "rows" not in screen.cursor.answers.values()


def test_hidden_rows_and_errors_of_a_workbook_are_asked_about(archive: Archive, folder: Path) -> None:
    form = PrintForm(archive, {})
    rows: list[list[Cell]] = [["name", "text"], ["Ana", None], ["Ben", ErrorValue("#N/A")]]
    write_xlsx(folder / "all.xlsx", {"A": rows}, hidden_rows=[2])
    values = {"what": "own", "table": "all.xlsx", "stock": "5163"}
    state = form.build_state(values)
    assert [field.name for field in state.fields][3:5] == ["hidden_rows", "empty_errors"]
    (finding,) = state.filled.findings
    assert finding == Finding(
        "“all.xlsx” hides 1 row; choose to print or to skip them.", place=FormPlace("hidden_rows")
    )
    assert [choice.value for choice in form.candidates(values, FormPlace("hidden_rows"), "")] == ["skip", "print"]  # type: ignore[union-attr]
    assert [finding.text for finding in form.build_state({**values, "hidden_rows": "skip"}).filled.findings] == [
        "Cell B3 of “all.xlsx” has #N/A.",
        "Correct it in its program and save it there, or answer “Errors” with yes.",
    ]
    assert _change(form, {**values, "hidden_rows": "skip", "empty_errors": "yes"}).startswith("1 label")
    assert _change(form, {**values, "hidden_rows": "print", "empty_errors": "yes"}).startswith("2 labels")
    write_xlsx(folder / "plain.xlsx", {"A": [["name"], ["Ana"]]})
    assert _change(form, {**values, "table": "plain.xlsx", "hidden_rows": "skip"}).startswith("1 label")


@pytest.mark.slow
async def test_what_was_said_of_one_table_does_not_go_for_another(sit: Seat, folder: Path) -> None:
    (folder / "a.csv").write_bytes("name\nПривет\n".encode("windows-1251"))
    (folder / "b.csv").write_bytes("name\nKäse\n".encode("windows-1252"))
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        await answer_form(hand, "labels of your own", "", "a.csv")
        await hand.until(lambda: "Letters" in question_text(hand))
        await answer_form(hand, "windows-1251")
        await hand.until(lambda: "1 label on" in sheet(hand))
        await hand.press("shift+tab", "shift+tab")
        await hand.until(lambda: screen.entry.value == "a.csv")
        await answer_form(hand, "b.csv")
        await hand.until(lambda: "“Käse”" in sheet(hand))
        assert screen.cursor.answers.values().get("encoding", "") == ""


def test_the_good_rows_are_shown_while_one_is_wrong(archive: Archive) -> None:
    form = PrintForm(archive, {})
    rows = [{"name": "Ana"}, {"name": "Ben", "count": "x"}, {"name": "Cy"}]
    state = form.build_state({"what": "own", "rows": rows, "stock": "5163"})
    assert [finding.place for finding in state.filled.findings] == [FormPlace("rows", 1, "count")]
    assert form.ready is not None
    box = stocks.find("5163").box
    assert [text_in(form.ready.draw(), box(position)) for position in (1, 2, 3)] == ["Ana", "Cy", ""]


def test_an_error_in_a_row_is_at_its_column(archive: Archive) -> None:
    rows = [{"name": "Ana", "tier": "x"}, {"name": "Ben", "text": "\ue000"}, {"name": "", "text": "a"}]
    state = PrintForm(archive, {}).build_state({"what": "own", "rows": rows, "stock": "5163"})
    assert [finding.place.part for finding in state.filled.findings] == ["tier", "text", "name"]


def test_blank_labels_are_as_many_as_one_says(archive: Archive) -> None:
    form = PrintForm(archive, {})
    seen = form.build_state({"what": "Blank labels", "count": "7", "tier": "Rare"})
    assert [field.name for field in seen.fields][:4] == ["what", "count", "tier", "stock"]
    assert str(seen.filled.change) == "7 labels on 1 sheet of 18294, the last at position 7."
    tiers = form.candidates({"what": "blank"}, FormPlace("tier"), "")
    assert "Rare" in [choice.title or choice.value for choice in tiers if isinstance(choice, Choice)]  # type: ignore[union-attr]
    for values, says in (
        ({"count": "0"}, "“0” is no number of labels; write one from 1 to 6000."),
        ({"tier": "epic"}, "“epic” is not a tier; tiers are easy"),
    ):
        (finding,) = form.build_state({"what": "blank", **values}).filled.findings
        assert str(finding.text).startswith(says)


@pytest.mark.slow
async def test_words_of_ones_own_survive_esc_and_are_offered_again(sit: Seat, folder: Path) -> None:  # noqa: ARG001
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        await at_print(hand)
        await answer_form(hand, "labels of your own", "", "")
        await hand.until(lambda: "Name" in question_text(hand))
        await answer_form(hand, "Ana Silva", "Referee", "2")
        await hand.until(lambda: "2 labels on 1 sheet" in sheet(hand))
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        await hand.press("f5")
        await at_print(hand)
        await hand.until(lambda: "Typed last time" in question_text(hand) + sheet(hand) + hand.status)
        await hand.press("f7")
        await hand.until(lambda: "Ana Silva" in sheet(hand) and "2 labels on 1 sheet" in sheet(hand))


@pytest.mark.slow
async def test_a_wrong_line_of_a_table_is_changed_in_the_form(sit: Seat, folder: Path) -> None:
    (folder / "jam.csv").write_text("name,count\nQuince,2\nPlum,many\n", encoding="utf-8")
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        await answer_form(hand, "labels of your own", "", "jam.csv")
        await hand.until(lambda: "count is a whole number" in sheet(hand))
        await hand.press("ctrl+s")
        await hand.until(lambda: "Not right yet" in question_text(hand))
        await hand.press("enter")
        await hand.until(lambda: "Count" in question_text(hand) and screen.entry.value == "many")
        await hand.press("ctrl+u")
        await answer_form(hand, "3")
        await hand.until(lambda: "5 labels on 1 sheet" in sheet(hand))
    assert (folder / "jam.csv").read_text(encoding="utf-8") == "name,count\nQuince,2\nPlum,many\n"


async def test_ctrl_s_prints_the_row_that_is_marked(sit: Seat, archive: Archive, folder: Path) -> None:
    evenings.live(archive, evenings.create_deck(archive))
    async with sit(size=(120, 40)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        rows = [choice.value for choice in screen.choice_list.choices]
        await hand.press(*["down"] * rows.index("All box labels"), "ctrl+s")
        await at_printed(hand)
        assert [file.name for file in folder.glob("*.pdf")] == ["box-labels.pdf"]


async def test_f5_opens_on_the_labels_that_wait_to_be_stuck(sit: Seat, archive: Archive) -> None:
    session = evenings.play(archive)
    async with sit(size=(80, 24)) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        assert screen.cursor.answers.values()["what"] == "Tonight's labels"
        assert hand.reads("to stick")
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        for deck in deck_records.decks_of_session(archive, session):
            if deck_records.chores(archive, deck.deck, session):
                deck_records.tick(archive, deck.deck, ["all"], session=session)
        await hand.press("f5")
        screen = await at_print(hand)
        assert screen.cursor.answers.values()["what"] == "Starter sheet"


@pytest.mark.slow
async def test_a_reprint_goes_on_where_the_sheet_was_left(sit: Seat, archive: Archive, folder: Path) -> None:
    evenings.create_deck(archive)
    async with sit(size=(120, 40)) as hand:

        async def print_box() -> PrintedScreen:
            await hand.press("f5")
            await at_print(hand)
            await answer_form(hand, "all box labels")
            await hand.press("ctrl+s")
            return await at_printed(hand)

        async def is_home() -> None:
            await hand.press("escape")
            await hand.until(lambda: isinstance(hand.app.screen, Home))

        assert "blank" in ways(await print_box())
        await is_home()
        printed = await print_box()
        document = (folder / "box-labels-2.pdf").read_bytes()
        assert [at for at in range(1, 61) if Paper(document, 72).ink(STOCK.box(at))] == [2]
        await hand.enter("still blank")
        await hand.until(lambda: "free again" in hand.status)
        assert "blank" not in ways(printed)
        await is_home()
        await hand.press("f5")
        screen = await at_print(hand)
        assert screen.cursor.answers.get(FormPlace("free")) == "2-60"
        assert hand.reads("left by the last print-out")
        await hand.press("tab", "tab")
        await answer_form(hand, "5163")
        await hand.until(lambda: not screen.cursor.answers.get(FormPlace("free")))


@pytest.mark.linux
async def test_a_key_opens_the_designer_with_the_highlighted_design(sit: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in browsers.DESKTOPS:
        monkeypatch.delenv(name, raising=False)
    serve = partial(serve_beside, port=0)
    async with sit(size=(160, 40), serve=serve) as hand:
        await hand.press("f5")
        screen = await at_print(hand)
        await answer_form(hand, "labels of your own")
        await hand.until(lambda: screen.cursor.at.field == "design")
        hand.type("jam round")
        await hand.until(lambda: [choice.value for choice in screen.choice_list.choices] == ["jam-round"])
        await hand.press("down", "f5")
        await hand.until(lambda: "http://127.0.0.1" in hand.status)
        link = re.search(r"http://\S+", hand.status)
        assert link
        opener = build_opener(HTTPCookieProcessor())
        with await asyncio.to_thread(opener.open, link[0]) as answer:
            page, url = answer.read().decode(), answer.url
        assert url.endswith("/host/designs/jam-round?sample=1&row=1")
        assert "Strawberry" in page
