"""Printing from the host's browser: the form with its preview, what is sent, the PDF, and how it came out."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from companion.archive import Archive, deck_id, stationery
from labels.output import proof
from labels.paper import stocks
from tests.labels.paper import Paper, text_in
from tests.printing import evenings
from tests.printing.workbooks import write_xlsx
from tests.web.host.filling import PageForm
from tests.web.serving import Answer, Host, Phone

PRINT: Final = "/host/print"
UPLOAD: Final = "/host/print/upload"
STOCK: Final = stocks.find("18294")
_CUT: Final = "xXxcutxXx"
_IMAGE: Final = re.compile(r'src="(/host/print/proof/\w+/\d+\.png)"')


def sending(token: str, name: str = "", content: bytes = b"", text: bytes = b"") -> bytes:
    """The form with a file, as browsers send it."""
    part = f'--{_CUT}\r\nContent-Disposition: form-data; name="'
    head = f'{part}token"\r\n\r\n{token}\r\n{part}file"; filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'
    return head.encode() + content + f'\r\n{part}text"\r\n\r\n'.encode() + text + f"\r\n--{_CUT}--\r\n".encode()


def send_file(browser: Phone, name: str = "", content: bytes = b"", text: bytes = b"") -> Answer:
    """Send a file, or a pasted table."""
    body = sending(browser.get(PRINT).token, name, content, text)
    return browser.ask("POST", UPLOAD, body, content_type=f"multipart/form-data; boundary={_CUT}")


def content_of(answer: Answer) -> bytes:
    """The bytes that came back."""
    assert answer.status == 200, answer.text
    return answer.text.encode(errors="surrogateescape")


def pdf_of(browser: Phone, out: str) -> bytes:
    """The PDF of a print-out."""
    return content_of(browser.get(f"{out}/labels.pdf"))


def press_on_print_out(browser: Phone, out: str, button: str) -> Answer:
    """Press a button of a print-out."""
    return browser.post(out, browser.get(out).token, do=button)


def inked_positions(document: bytes) -> list[int]:
    """The positions of the first page that bear ink."""
    paper = Paper(document, 72)
    return [position for position in range(1, STOCK.count + 1) if paper.ink(STOCK.box(position))]


def test_tonights_labels_are_printed_with_three_clicks(own_host: Host) -> None:
    evenings.play(own_host.archive)
    browser = own_host.browser()
    # From home: Print, Make the PDF, Open the PDF.
    assert 'href="/host/print"' in browser.get("/host").text
    form = PageForm(browser, PRINT)
    assert "Tonight" in form.get("what")
    out = form.press("keep").leads_to
    page = browser.get(out)
    assert f'href="{out}/labels.pdf"' in page.text
    document = pdf_of(browser, out)
    assert inked_positions(document)
    assert text_in(document, STOCK.box(1))


def test_the_preview_is_the_page_that_is_printed(own_host: Host) -> None:
    browser = own_host.browser()
    form = PageForm(browser, f"{PRINT}?what=starter")
    (image,) = _IMAGE.findall(form.page.text)
    picture = content_of(browser.get(image))
    out = form.press("keep").leads_to
    document = pdf_of(browser, out)
    assert picture.startswith(b"\x89PNG")
    assert proof.page_count(document) == 1
    assert inked_positions(document) == [*range(1, 61)]
    assert "60 labels on 1 sheet of 18294" in form.page.text
    assert form.page.text.count('class="now"') == 60 + 0


def test_a_deck_is_printed_from_its_address_and_its_code_read_back(own_host: Host) -> None:
    deck = evenings.create_deck(own_host.archive)
    browser = own_host.browser()
    out = PageForm(browser, f"{PRINT}?what=box&which={deck}").press("keep").leads_to
    document = pdf_of(browser, out)
    assert Paper(document, 300).codes(STOCK.box(1)) == [deck_id.payload(deck)]


def test_all_pages_can_be_looked_at(own_host: Host) -> None:
    stationery.begin_sheet(own_host.archive, "blue folder", "18294", 60, tuple(range(16, 61)))
    browser = own_host.browser()
    page = browser.get(f"{PRINT}?what=starter").text
    images = _IMAGE.findall(page)
    assert len(images) == 2
    assert "Page 2 of 2" in page
    assert {content_of(browser.get(image))[:4] for image in images} == {b"\x89PNG"}
    for wrong in (
        images[0].replace("/1.png", "/0.png"),
        images[0].replace("/1.png", "/3.png"),
        f"{PRINT}/proof/x/1.png",
    ):
        assert browser.get(wrong).status == 404


@pytest.mark.parametrize(("button", "free", "waiting"), [("printed", 0, 0), ("spoiled", 0, 0), ("blank", 45, 0)])
def test_a_stored_sheet_keeps_count(own_host: Host, button: str, free: int, waiting: int) -> None:
    stationery.begin_sheet(own_host.archive, "blue folder", "18294", 60, tuple(range(16, 61)))
    browser = own_host.browser()
    out = PageForm(browser, f"{PRINT}?what=starter").press("keep").leads_to
    assert stationery.find_sheet(own_host.archive, "blue folder").waiting == tuple(range(16, 61))
    assert press_on_print_out(browser, out, button).leads_to == out
    row = stationery.find_sheet(own_host.archive, "blue folder")
    assert (len(row.free), len(row.waiting)) == (free, waiting)
    # A second answer changes nothing.
    assert press_on_print_out(browser, out, "blank" if button != "blank" else "spoiled").status == 409
    assert stationery.find_sheet(own_host.archive, "blue folder") == row


def test_a_sheet_that_waits_is_settled_later(own_host: Host) -> None:
    stationery.begin_sheet(own_host.archive, "blue folder", "18294", 60, tuple(range(1, 61)))
    stationery.claim(own_host.archive, {"blue folder": (1, 2)})
    browser = own_host.browser()
    page = browser.get(PRINT)
    assert "2 labels wait for an answer." in page.text
    answer = browser.post(f"{PRINT}/sheet", page.token, sheet="blue folder", do="printed")
    assert answer.leads_to == PRINT
    row = stationery.find_sheet(own_host.archive, "blue folder")
    assert (len(row.free), row.waiting) == (58, ())
    assert browser.post(f"{PRINT}/sheet", page.token, sheet="blue folder", do="dance").status == 400
    assert browser.post(f"{PRINT}/sheet", page.token, sheet="no such sheet", do="printed").status == 409


def test_a_full_sheet_is_asked_about_first_and_at_home(own_host: Host) -> None:
    stationery.begin_sheet(own_host.archive, "tray sheet", "18294", 60, (5, 6))
    stationery.claim(own_host.archive, {"tray sheet": (5, 6)})
    browser = own_host.browser()
    page = browser.get(PRINT).text
    assert page.index("2 labels wait for an answer.") < page.index('class="filling"')
    home = browser.get("/host")
    assert "2 labels wait for an answer." in home.text
    browser.post(f"{PRINT}/sheet", home.token, sheet="tray sheet", do="printed")
    assert "Did it come out right?" not in browser.get("/host").text


def test_a_sheet_without_a_name_that_came_out_right_stays_used(own_host: Host) -> None:
    browser = own_host.browser()
    PageForm(browser, f"{PRINT}?what=blank", {"count": "5"}).press("look")
    out = PageForm(browser, PRINT).press("keep").leads_to
    page = browser.get(out).text
    assert "Marks its labels as used." in page
    assert "They are free again." not in page
    assert press_on_print_out(browser, out, "printed").leads_to == out
    assert "Its labels count as used." in browser.get(out).text
    assert PageForm(browser, f"{PRINT}?what=blank").get("free") == "6-60"
    assert press_on_print_out(browser, out, "blank").status == 409


def test_free_positions_of_a_sheet_without_a_name_are_kept(own_host: Host) -> None:
    browser = own_host.browser()
    PageForm(browser, f"{PRINT}?what=blank", {"count": "5"}).press("look")
    out = PageForm(browser, PRINT).press("keep").leads_to
    assert inked_positions(pdf_of(browser, out))[:1] in ([], [1])
    assert PageForm(browser, f"{PRINT}?what=blank").get("free") == "6-60"
    assert press_on_print_out(browser, out, "blank").leads_to == out
    assert PageForm(browser, f"{PRINT}?what=blank").get("free") == ""


def test_two_browsers_never_print_on_one_position(own_host: Host) -> None:
    stationery.begin_sheet(own_host.archive, "blue folder", "18294", 60, tuple(range(1, 61)))
    forms = [PageForm(own_host.browser(), f"{PRINT}?what=blank") for _ in range(4)]
    for form in forms:
        form.put("sheet", "blue folder")
        form.put("count", "7")
    with ThreadPoolExecutor(4) as pool:
        answers = [*pool.map(lambda form: form.press("keep"), forms)]
    count = sum(answer.status == 303 for answer in answers)
    row = stationery.find_sheet(own_host.archive, "blue folder")
    assert len({answer.leads_to for answer in answers if answer.status == 303}) == count >= 1
    assert len(row.waiting) == 7 * count
    assert len(row.free) == 60 - 7 * count


def test_a_sheet_that_was_taken_meanwhile_is_refused_in_one_sentence(own_host: Host) -> None:
    archive = own_host.archive
    stationery.begin_sheet(archive, "blue folder", "18294", 60, (1, 2, 3))
    form = PageForm(own_host.browser(), f"{PRINT}?what=blank", {"sheet": "blue folder", "count": "3"})
    stationery.claim(archive, {"blue folder": (1, 2, 3)})
    answer = form.press("keep")
    assert answer.status == 422
    assert "is full" in answer.text
    assert stationery.find_sheet(archive, "blue folder").waiting == (1, 2, 3)


# Labels of one's own


def test_a_table_is_sent_and_its_codes_are_read_back(own_host: Host, tmp_path: Path) -> None:
    rows = [
        ["name", "text", "code"],
        ["Grog", "Costs 2 Coppers", "https://cards.example/1"],
        ["Rum", "Costs 3", "second"],
    ]
    book = write_xlsx(tmp_path / "drinks.xlsx", {"Drinks": rows}).read_bytes()
    browser = own_host.browser()
    assert send_file(browser, "drinks.xlsx", book).leads_to == PRINT
    form = PageForm(browser, PRINT)
    assert form.get("table") == "drinks.xlsx"
    assert "2 labels on 1 sheet" in form.page.text
    document = pdf_of(browser, form.press("keep").leads_to)
    paper = Paper(document, 600)
    assert [paper.codes(STOCK.box(position)) for position in (1, 2)] == [["https://cards.example/1"], ["second"]]
    assert text_in(document, STOCK.box(1)).startswith("Grog")


@pytest.mark.parametrize("text", [b"name\ttext\r\nGrog\tCosts 2\r\n", b"name,text\nGrog,Costs 2\n"])
def test_a_table_is_pasted(own_host: Host, text: bytes) -> None:
    browser = own_host.browser()
    assert send_file(browser, text=text).leads_to == PRINT
    assert "1 label on 1 sheet" in browser.get(PRINT).text


def test_labels_are_typed(own_host: Host) -> None:
    browser = own_host.browser()
    form = PageForm(browser, f"{PRINT}?what=own", {"rows 0 name": "Grog", "rows 1 name": "Rum"})
    document = pdf_of(browser, form.press("keep").leads_to)
    assert [text_in(document, STOCK.box(position)).strip() for position in (1, 2)] == ["Grog", "Rum"]


def test_an_error_in_a_table_names_its_line_and_no_folder(own_host: Host) -> None:
    browser = own_host.browser()
    send_file(browser, "drinks.csv", b"name,count\nGrog,many\n")
    answer = PageForm(browser, PRINT).press("keep")
    assert answer.status == 422
    assert "Line 2" in answer.text
    assert "companion-" not in answer.text
    assert "/tmp" not in answer.text


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("drinks.exe", b"MZ", "neither a table nor a picture"),
        ("drinks", b"name\nGrog", "neither a table nor a picture"),
        ("drinks.csv", b" \r\n ", "No file was sent"),
        ("", b"", "No file was sent"),
        ("big.csv", b"name\n" + b"x\n" * (4 * 2**20), "more than 8 MB"),
    ],
)
def test_a_file_that_is_no_table_is_refused(own_host: Host, name: str, content: bytes, why: str) -> None:
    answer = send_file(own_host.browser(), name, content)
    assert answer.status == 422
    assert why in answer.text


@pytest.mark.parametrize("name", ["bomb.xlsx", "odd.ods", "old.xls", "rows.jsonl", "page.toml"])
def test_a_hostile_file_harms_nothing(own_host: Host, name: str) -> None:
    browser = own_host.browser()
    assert send_file(browser, name, b"PK\x03\x04" + bytes(range(256)) * 40).leads_to == PRINT
    answer = PageForm(browser, PRINT).press("keep")
    assert answer.status == 422
    assert browser.get("/host").status == 200


@pytest.mark.parametrize("name", ["../../../etc/evil.csv", "..\\..\\evil.csv", "/etc/evil.csv", "C:\\evil.csv"])
def test_the_name_of_a_file_leads_nowhere(own_host: Host, name: str, tmp_path: Path) -> None:
    browser = own_host.browser()
    assert send_file(browser, name, b"name\nGrog\n").leads_to == PRINT
    assert PageForm(browser, PRINT).get("table") == "evil.csv"
    assert not [*tmp_path.rglob("evil.csv")]


@pytest.mark.parametrize("table", ["{secret}", "../{name}", "~/secret.csv", "no-such.csv"])
def test_no_path_of_this_machine_is_read_as_a_table(own_host: Host, tmp_path: Path, table: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("name\nTreasure\n", encoding="utf-8")
    browser = own_host.browser()
    send_file(browser, "drinks.csv", b"name\nGrog\n")
    form = PageForm(browser, PRINT, {"table": table.format(secret=secret, name=secret.name)})
    answer = form.press("keep")
    assert answer.status == 422
    assert "no longer here" in answer.text
    assert "Treasure" not in answer.text


def test_no_path_of_this_machine_is_read_as_a_design_or_picture(own_host: Host, tmp_path: Path) -> None:
    design = tmp_path / "mine.toml"
    design.write_text("secret = 1\n", encoding="utf-8")
    browser = own_host.browser()
    answer = PageForm(browser, f"{PRINT}?what=own", {"rows 0 name": "Grog", "design": str(design)}).press("keep")
    assert answer.status == 422
    assert "There is no design" in answer.text
    picture = Path(__file__).parents[3] / "templates" / "web" / "icon.png"
    for path in (str(picture), os.path.relpath(picture)):
        form = PageForm(browser, f"{PRINT}?what=own", {"rows 0 name": "Grog", "rows 0 picture": path})
        assert form.press("keep").status == 422
    send_file(browser, "drinks.csv", f"name,picture\nGrog,{picture}\n".encode())
    assert PageForm(browser, PRINT).press("keep").status == 422


def test_a_picture_that_was_sent_is_printed(own_host: Host) -> None:
    picture = (Path(__file__).parents[3] / "templates" / "web" / "icon.png").read_bytes()
    browser = own_host.browser()
    assert send_file(browser, "grog.png", picture).leads_to == PRINT
    assert send_file(browser, "drinks.csv", b"name,picture\nGrog,grog.png\n").leads_to == PRINT
    form = PageForm(browser, PRINT)
    assert "grog.png" in form.page.text
    assert inked_positions(pdf_of(browser, form.press("keep").leads_to)) == [1]


def test_the_path_of_the_pdf_is_never_the_browsers(own_host: Host, tmp_path: Path) -> None:
    form = PageForm(own_host.browser(), f"{PRINT}?what=starter")
    for name in ("file", "folder", "usual_stock"):
        form.put(name, str(tmp_path / "written.pdf"))
    form.press("keep")
    assert not (tmp_path / "written.pdf").exists()


# The printers of the system


@pytest.fixture
def printers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A printing system of shell programs, first on the path: what it is given lies in this folder."""
    place = tmp_path / "cups"
    place.mkdir()
    for name, does in (
        ("lpstat", '[ "$1" = -e ] && printf "attic\\noffice\\n" || echo "system default destination: office"'),
        ("lp", f'cd {place}; [ ! -e jam ] || exit 1; echo "$@" > sent; cat > sent.pdf; echo "request id is office-7"'),
    ):
        program = place / name
        program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return place


@pytest.mark.posix
def test_the_pdf_is_sent_to_a_printer_of_the_system(own_host: Host, printers: Path) -> None:
    browser = own_host.browser()
    out = PageForm(browser, f"{PRINT}?what=starter").press("keep").leads_to
    assert browser.get(out).text.index("send office") < browser.get(out).text.index("send attic")
    assert press_on_print_out(browser, out, "send office").leads_to == out
    assert "request id is office-7" in browser.get(out).text
    assert "-d office -o print-scaling=none" in (printers / "sent").read_text(encoding="utf-8")
    assert (printers / "sent.pdf").read_bytes() == pdf_of(browser, out)
    (printers / "sent").unlink()
    for wrong in ("send -o", "send nobody", "send"):
        assert press_on_print_out(browser, out, wrong).status == 409
    assert not (printers / "sent").exists()
    (printers / "jam").touch()
    assert "did not take it" in press_on_print_out(browser, out, "send office").text


# Who may print


def test_only_the_host_prints(own_host: Host) -> None:
    browser = own_host.browser()
    out = PageForm(browser, f"{PRINT}?what=starter").press("keep").leads_to
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    token = phone.get("/scan").token
    for path in (PRINT, out, f"{out}/labels.pdf", f"{PRINT}/proof/x/1.png"):
        assert phone.get(path).status == 403
    for path in (PRINT, out, f"{PRINT}/sheet"):
        assert phone.post(path, token, do="keep", game="print").status == 403
    body = sending(token, "drinks.csv", b"name\nGrog\n")
    assert phone.ask("POST", UPLOAD, body, content_type=f"multipart/form-data; boundary={_CUT}").status == 403


def test_every_write_needs_the_token(own_host: Host, archive: Archive) -> None:
    stationery.begin_sheet(archive, "blue folder", "18294", 60, (1, 2, 3))
    stationery.claim(archive, {"blue folder": (1,)})
    browser = own_host.browser()
    out = PageForm(browser, f"{PRINT}?what=aid").press("keep").leads_to
    for path in (PRINT, out, f"{PRINT}/sheet"):
        assert browser.post(path, "0" * 64, do="printed", game="print", sheet="blue folder").status == 403
    body = sending("0" * 64, "drinks.csv", b"name\nGrog\n")
    assert browser.ask("POST", UPLOAD, body, content_type=f"multipart/form-data; boundary={_CUT}").status == 403
    assert stationery.find_sheet(archive, "blue folder").waiting == (1,)


def test_an_upload_that_is_too_large_is_refused_at_once(own_host: Host) -> None:
    browser = own_host.browser()
    answer = browser.ask("POST", UPLOAD, "x", content_length=str(40 * 2**20), content_type="multipart/form-data")
    assert answer.status == 413


@pytest.mark.parametrize("path", ["?what=nothing", "/out/nothing", "/out/nothing/labels.pdf", "/out/..%2f..%2fetc"])
def test_an_unknown_address_has_no_page(own_host: Host, path: str) -> None:
    assert own_host.browser().get(f"{PRINT}{path}").status == 404
