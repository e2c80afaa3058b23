"""Every kind of PDF follows PDF/UA-1 (ISO 14289-1), as a validator judges that agrees with veraPDF on its corpus."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import page as validator
import pikepdf
import pytest
from PIL import Image

from companion.archive import Archive
from companion.games import registry
from companion.printing import jobs
from companion.printing.chronicle_pages import draw_chronicle
from companion.printing.evening_page import draw_card
from companion.session.reports import evening_cards
from companion.session.reports.chronicles import tell_chronicle
from labels import designfile
from labels.designs import Plain
from labels.designs.own import OwnLabel
from labels.drawing import qr
from labels.drawing.ink import Ink
from labels.geometry import Box
from labels.output import charts, page, pdf, testpage
from labels.output.page import Document, PageChart, PageTable, PageText, TableColumn
from labels.output.pdf import Setup
from labels.paper import sheet, stocks
from labels.paper.sheet import Label
from tests.labels.paper import aloud
from tests.labels.samples import DAMAGE, LONGEST, LONGEST_CODED, SWIFT, box_label
from tests.printing.evenings import create_deck, live, play
from tests.session.campaign import play_campaign

SHEET = stocks.find("5163")
SETUP = Setup("Labels", outlines=True)
IN_MANY_SCRIPTS = "Łódź שלום Ωmega Быт"


def failures(document: bytes) -> list[str]:
    """What the validator finds wrong, each in its words."""
    report = validator.validate_pdf_bytes(document, profile=validator.ValidationProfile.PDF_UA_1)
    assert report.rules.total > 100
    return [f"{failure.rule_id}: {failure.message}" for failure in report.failures]


def elements(opened: pikepdf.Pdf, kind: str) -> list[pikepdf.Object]:
    """The structure elements of a kind, in the order in which they were written."""
    return [
        each
        for each in opened.objects
        if isinstance(each, pikepdf.Dictionary) and "/P" in each and each.get("/S") == kind
    ]


def print_labels(*labels: Label, setup: Setup = SETUP) -> bytes:
    return pdf.render_sheets(sheet.place_labels(labels, SHEET), SHEET, setup)


def sheet_of_all_designs(archive: Archive) -> bytes:  # noqa: ARG001
    return print_labels(*LONGEST, *LONGEST_CODED, SWIFT, SWIFT, box_label(IN_MANY_SCRIPTS), DAMAGE)


def record_sheet(archive: Archive) -> bytes:
    deck = create_deck(archive)
    live(archive, deck)
    dates = {entry.number: entry.at for entry in archive.story(deck)}
    record = jobs.record_document(deck, archive.record(deck), archive.marks(deck), dates)
    return page.render_document(record, page.paper("letter"))


def table_aid(archive: Archive) -> bytes:  # noqa: ARG001
    return page.render_document(jobs.aid_document(registry.game("decknforge")), page.paper("a4"))


def calibration_page(archive: Archive) -> bytes:  # noqa: ARG001
    return testpage.render_test_page(SHEET, used=[1, 2])


def evening_page(archive: Archive) -> bytes:
    return draw_card(evening_cards.present_stored(archive, archive.find_session(play(archive))).card)


def chronicle(archive: Archive) -> bytes:
    play_campaign(archive, 2)
    return draw_chronicle(tell_chronicle(archive, archive.decks(), "The first road"))


def report(archive: Archive) -> bytes:  # noqa: ARG001
    columns = (TableColumn("Figure", 2, bold=True), TableColumn("", 1))
    table = PageTable("All figures", columns, tuple((f"row {row}", "") for row in range(80)), blanks=3)
    chart = PageChart(charts.BarChart("Kills", (charts.Bar("Ana", (3,)), charts.Bar("Ben", (1,)))), "What it counts.")
    return page.render_document(
        Document("Rehearsed", "", (PageText("", ("One.",)), chart, table), columns=2), page.paper("a4")
    )


KINDS: tuple[Callable[[Archive], bytes], ...] = (
    sheet_of_all_designs,
    record_sheet,
    table_aid,
    calibration_page,
    evening_page,
    chronicle,
    report,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_printed_is_accessible(kind: Callable[[Archive], bytes], archive: Archive) -> None:
    assert failures(kind(archive)) == []


def test_the_validator_sees_what_is_wrong() -> None:
    unmarked = print_labels(SWIFT).replace(b"<pdfuaid:part>1<", b"<pdfuaid:part>9<")
    assert [failure.split(":")[0] for failure in failures(unmarked)] == ["PDFUA1-ID-PART-001"]


def test_a_table_is_read_as_a_table(archive: Archive) -> None:
    with pikepdf.open(BytesIO(record_sheet(archive))) as opened:
        rows = elements(opened, "/Table")[0].K
        assert {str(row.S) for row in rows} == {"/TR"}
        heads, first = rows[0].K, rows[1].K
        assert {str(cell.A.Scope) for cell in heads} == {"/Column"}
        assert [str(cell.S) for cell in first][:2] == ["/TH", "/TD"]
        assert len(first) == len(heads)


def test_a_code_and_a_picture_say_what_they_are(tmp_path: Path) -> None:
    Image.new("RGB", (40, 40), "red").save(photo := tmp_path / "Ana Silva.png")
    parts = '[[part]]\npicture = "{photo}"\nbox = [2, 2, 20, 20]\n[[part]]\ncode = "{link}"\nbox = [40, 2, 40, 40]\n'
    own = OwnLabel(designfile.parse_design(parts, "guest", "guest.toml"), (str(photo), "https://example.org"))
    document = print_labels(own)
    assert failures(document) == []
    with pikepdf.open(BytesIO(document)) as opened:
        figures = [str(figure.Alt) for figure in elements(opened, "/Figure")]
    assert figures == ["Picture: Ana Silva", "QR code: https://example.org"]


def test_a_label_that_occurs_again_says_its_code_too() -> None:
    label = box_label("Grave Choir", 7)
    texts = [text for _, text in aloud(print_labels(label, label))]
    assert texts == [f"Grave Choir {label.notes[0]} {label.shown_id} QR code: {label.payload}"] * 2


def test_what_is_drawn_again_and_again_is_described_each_time() -> None:
    symbol = qr.symbol("AGAIN")

    def draw(ink: Ink) -> None:
        for x in (10, 60):
            with ink.element():
                ink.draw_repeated(Box(x, 10, 40, 40), lambda ink, box: ink.symbol(box, symbol), "code")

    document = pdf.render_pages([draw], (120, 60), "Codes")
    assert failures(document) == []
    assert aloud(document) == [("P", "QR code: AGAIN")] * 2


def test_a_code_that_stands_alone_is_a_figure(archive: Archive) -> None:
    with pikepdf.open(BytesIO(chronicle(archive))) as opened:
        codes = [str(figure.Alt) for figure in elements(opened, "/Figure") if "QR code" in str(figure.Alt)]
    assert codes == [f"QR code: DECK:{deck.deck}" for deck in archive.decks()]


@pytest.mark.parametrize(("text", "language"), [("שלום", "he"), ("Быт", "ru"), ("Ωμέγα", "el")])
def test_a_name_in_another_script_says_its_language(text: str, language: str) -> None:
    with pikepdf.open(BytesIO(print_labels(Plain(text, "beside English words")))) as document:
        spans = [
            each.operands[1].Lang
            for each in pikepdf.parse_content_stream(document.pages[0], "BDC")
            if isinstance(each, pikepdf.ContentStreamInstruction) and str(each.operands[0]) == "/Span"
        ]
    assert [str(span) for span in spans] == [language]


def test_a_file_says_the_language_of_its_words() -> None:
    document = print_labels(SWIFT, setup=Setup("Etiketten", language="de"))
    assert failures(document) == []
    with pikepdf.open(BytesIO(document)) as opened:
        assert str(opened.Root.Lang) == "de"
        assert opened.open_metadata()["dc:language"] == {"de"}
        assert opened.open_metadata()["dc:title"] == "Etiketten"
