"""The pages of label designs: what their forms change, what they refuse, and what is saved where."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path
from time import process_time
from urllib.parse import urlencode

import pytest
from PIL import Image

from companion.printing import designs
from companion.web.host.designs.designer import DESIGN_TABLE_LIMIT
from companion.web.sharing.upload_folder import clean_path
from tests.printing.workbooks import write_xlsx
from tests.web.serving import Answer, Host
from tests.web.test_sharing import multipart

KIND = "multipart/form-data; boundary=xXxcutxXx"
PNG = "\udc89PNG"
BUNDLED = Path(__file__).parents[3] / "templates" / "designs"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of designs, which is not there at first."""
    place = tmp_path / "designs"
    monkeypatch.setattr(designs, "designs_folder", lambda: place)
    return place


class Designer:
    """A browser at the page of a design."""

    def __init__(self, host: Host, name: str) -> None:
        self.browser = host.browser()
        self.name = name
        self.page = self.browser.get(self.path)

    @property
    def path(self) -> str:
        return f"/host/designs/{self.name}"

    def press(self, button: str, *, part: int = 1, **fields: str) -> Answer:
        """Send a form as it is on the page, with other values, and go where it leads."""
        self.page = self.browser.get(f"{self.path}?part={part}")
        pairs = [*self.form(button).items(), *fields.items(), ("part", str(part)), ("do", button)]
        answer = self.browser.post(self.path, self.page.token, **dict(pairs))
        if answer.status == 303:
            assert answer.leads_to.startswith("/host/designs")
            self.page = self.browser.get(answer.leads_to)
        else:
            self.page = answer
        return answer

    def press_print(self) -> Answer:
        """Pass the rows on to the print page."""
        return self.browser.post(self.path, self.page.token, do="print", part="1", row="1")

    def form(self, button: str) -> dict[str, str]:
        """The values of the fields of the part, or of the design."""
        prefix = {"set": "set", "settings": "settings"}.get(button)
        return {} if prefix is None else read_fields(self.page.text, prefix)

    @property
    def alert(self) -> str:
        """The fault that the page names."""
        match = re.search(r'role="alert">([^<]*)<', self.page.text)
        return unescape(match[1]) if match else ""

    @property
    def is_unchanged(self) -> bool:
        """Return True if there is nothing to undo."""
        return bool(re.search(r'id="undo"[^>]* disabled', self.page.text))

    @property
    def selected(self) -> int:
        """The selected part."""
        match = re.search(r'data-unit="[^"]*" data-part="(\d+)"', self.page.text)
        assert match
        return int(match[1])

    def lay(self, **parts: bytes) -> Answer:
        """Lay a table beside the design."""
        body = multipart(self.page.token, design=self.name.encode(), **parts)
        answer = self.browser.ask("POST", "/host/design-table", body, content_type=KIND)
        self.page = self.browser.get(answer.leads_to) if answer.status == 303 else answer
        return answer

    def saved(self, folder: Path, name: str = "") -> str:
        """Save, and return the file."""
        assert self.press("save", part=self.selected, name=name or self.name).status == 303
        return (folder / f"{name or self.name}.toml").read_bytes().decode()


def read_fields(page: str, prefix: str) -> dict[str, str]:
    """The fields of a form that a browser would send."""
    values = {}
    for name, value in re.findall(rf'<input id="{prefix}-(\w+)"[^>]* value="([^"]*)"', page):
        values[name] = unescape(value)
    for name, value in re.findall(rf'<input type="color" id="{prefix}-(\w+)"[^>]* value="([^"]*)"', page):
        values[name] = unescape(value)
    for name, value in re.findall(rf'<textarea id="{prefix}-(\w+)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL):
        values[name] = unescape(value).replace("\n", "\r\n")
    for name, options in re.findall(rf'<select id="{prefix}-(\w+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        values[name] = re.findall(r'value="([^"]*)" selected', options)[0]
    for name in re.findall(rf'<input type="checkbox" id="{prefix}-(\w+)"[^>]* checked', page):
        values[name] = "on"
    return values


def test_all_designs_are_listed_with_their_pictures(own_host: Host, folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.toml").write_text('title = "Mine & yours"\n[[part]]\ntext = "{a}"\n', encoding="utf-8")
    (folder / "broken.toml").write_text("[[part]]\n", encoding="utf-8")
    page = own_host.browser().get("/host/designs")
    assert "Mine &amp; yours" in page.text
    assert "broken.toml”, part 1: it has none of text" in page.text
    pictures = re.findall(r'<img src="([^"]+)"', page.text)
    assert len(pictures) == 1 + len(list(BUNDLED.glob("*.toml")))
    browser = own_host.browser()
    for picture in pictures[::8]:
        assert browser.get(picture).text.startswith(PNG)


def test_a_form_that_is_sent_as_it_is_changes_nothing(own_host: Host, folder: Path) -> None:
    # Every third one is enough here; all are opened and changed in tests/labels/test_editing.py.
    for file in sorted(BUNDLED.glob("*.toml"))[::3]:
        designer = Designer(own_host, file.stem)
        for part in range(1, designer.page.text.count('name="tick"') + 1):
            assert designer.press("set", part=part).status == 303
        assert designer.press("settings").status == 303
        assert designer.is_unchanged
        assert designer.saved(folder, f"{file.stem}-2").encode() == file.read_bytes()


def test_a_part_is_changed_and_the_program_keeps_its_design(own_host: Host, folder: Path) -> None:
    bundled = (BUNDLED / "badge.toml").read_text(encoding="utf-8")
    designer = Designer(own_host, "badge")
    designer.press("set", part=2, source="Hello {name}", role="figure", bold="no", italic="on", least="8", most="12,5")
    designer.press("set", part=2, left="32", across="centre", colour="#112233")
    assert designer.alert == ""
    saved = designer.saved(folder)
    assert 'text = "Hello {name}"\nrole = "figure"\nsize = [8, 12.5]\nbox = ["31.5 %"' in saved
    assert 'align = "centre bottom"\nitalic = true\nbold = false\ncolour = "#112233"\n' in saved
    assert saved.startswith(bundled[:400])
    assert saved.endswith(bundled[-400:])
    assert (BUNDLED / "badge.toml").read_text(encoding="utf-8") == bundled


def test_a_jam_label_is_made_from_nothing(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    token = browser.get("/host/designs").token
    answer = browser.post("/host/designs", token, name="plum", stock="L7160")
    assert answer.leads_to == "/host/designs/plum"
    designer = Designer(own_host, "plum")
    designer.press("add-line")
    line = designer.selected
    designer.press("align-centre", part=line, tick=str(line))
    designer.press("add-text", part=line)
    designer.press("set", part=designer.selected, source="{date:D MMMM YYYY}", role="small")
    designer.press("add-code", part=line)
    assert designer.alert == ""
    saved = designer.saved(folder)
    assert saved.count("[[part]]") == 4
    assert 'stock = "L7160"' in saved
    assert designs.find_design("plum").columns == ("name", "date", "code")
    assert browser.get("/host/designs/plum/label.png?row=0").text.startswith(PNG)
    assert "yours: plum" in browser.get("/host/designs").text


def test_a_frame_on_a_round_label_is_a_ring(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="lid", stock="L7780")
    designer = Designer(own_host, "lid")
    designer.press("add-frame")
    assert designer.saved(folder).endswith('\n\n[[part]]\nframe = "#2B2F36"\n')


def test_each_kind_of_part_finds_room_of_its_own(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="shelf label", stock="L7163")
    designer = Designer(own_host, "shelf%20label")
    kinds = re.findall(r'value="(add-\w+)"', designer.page.text)
    assert len(kinds) == 9
    for kind in kinds:
        designer.press(kind, part=designer.selected)
        assert (designer.page.status, designer.alert) == (200, ""), kind
    saved = designer.saved(folder, "shelf label")
    assert saved.count("[[part]]") == 1 + len(kinds)
    assert 'symbology = "ean13"\nfigures = true' in saved
    assert 'fill = "#2B2F36"\ncorner = 100' in saved
    assert 'frame = "#2B2F36"\ncorner = 100' in saved


def test_a_code_finds_room_beside_a_text_that_fills_the_label(own_host: Host, folder: Path) -> None:
    folder.mkdir()
    (folder / "wide.toml").write_text('stock = "L7160"\n[[part]]\ntext = "{name}"\n', encoding="utf-8")
    designer = Designer(own_host, "wide")
    designer.press("add-code")
    assert (designer.page.status, designer.alert) == (200, "")
    designer.press("undo", part=designer.selected)
    assert designer.is_unchanged


def test_a_new_part_shows_the_column_that_suits_it(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="goods", stock="L7160")
    designer = Designer(own_host, "goods")
    designer.lay(pasted=b"name,number,web,weight\nPlum,401234567890,https://a.org,250 g\n")
    for kind in ("barcode", "code", "text"):
        designer.press(f"add-{kind}", part=designer.selected)
    saved = designer.saved(folder, "goods")
    for line in ('code = "{number}"', 'code = "{web}"', 'text = "{weight}"'):
        assert line in saved


def test_a_column_is_dropped_on_the_label_or_takes_the_place_of_an_unknown_field(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="goods", stock="L7160")
    designer = Designer(own_host, "goods")
    designer.lay(pasted=b"title,price\nPlum,3.20\n")
    designer.press("insert", column="title")
    designer.press("insert-text", column="price", left="60", top="85")
    designer.press("insert", column="title", part=designer.selected)
    saved = designer.saved(folder, "goods")
    assert 'text = "{title}"' in saved
    # Its middle is where it was dropped.
    assert 'text = "{price} {title}"\nbox = [6.17, 26.49, 30, 7]' in saved


def test_a_new_text_on_a_round_label_is_centred(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="lid", stock="L7780")
    designer = Designer(own_host, "lid")
    designer.lay(pasted=b"name,year\nPlum,2026\n")
    designer.press("insert-text", column="year", left="56.7", top="80")
    assert designer.alert == ""
    assert 'text = "{year}"' in (saved := designer.saved(folder, "lid"))
    assert saved.partition("{year}")[2].count('align = "centre"') == 1


def test_unknown_labels_are_refused_at_their_field_with_a_way_out_of_the_page(own_host: Host) -> None:
    browser = own_host.browser()
    page = browser.post("/host/designs", browser.get("/host/designs").token, name="jam", stock="L9999x")
    designer = Designer(own_host, "badge")
    designer.press("settings", stock="L9999x")
    for text in (unescape(page.text), designer.alert):
        assert "No labels are known as “L9999x”" in text
        assert "companion labels" not in text
    form = page.text.partition('class="new-design"')[2]
    assert 'role="alert"' in form.partition('name="name"')[0]


def test_a_long_column_makes_a_text_that_fits(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="rune", stock="18294")
    designer = Designer(own_host, "rune")
    designer.lay(pasted=b"name,effect\nGlint,Revealed: gain 1 Copper. Your Glints give 3 per Boss at most.\n")
    designer.press("add-text")
    assert designer.alert == ""
    page = designer.browser.get(f"{designer.path}?row=1&check=1").text
    assert "All rows can be printed." in page
    designer.press("undo", part=designer.selected)
    assert designer.is_unchanged
    designer.press("insert-text", column="effect", left="10", top="34")
    page = designer.browser.get(f"{designer.path}?row=1&check=1").text
    assert "All rows can be printed." in page
    assert designer.saved(folder, "rune").count("[[part]]") == 2


def test_a_new_line_lies_below_the_title(own_host: Host) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="lined", stock="L7160")
    designer = Designer(own_host, "lined")
    bottom = sum(float(read_fields(designer.page.text, "set")[name]) for name in ("top", "height"))
    designer.press("add-line")
    assert float(read_fields(designer.page.text, "set")["top"]) >= bottom + 0.9


def test_the_kind_of_a_code_is_chosen_with_its_checks(own_host: Host, folder: Path) -> None:
    designer = Designer(own_host, "badge")
    designer.lay(pasted=b"name,link,table,role,photo\nAna,400638133393,1,,\n")
    page = unescape(designer.browser.get(f"{designer.path}?part=6&row=1").text)
    assert "This row gives 4006381333931: the check digit 1 was added." in page
    assert "“400638133393” is no ITF-14, which has 14 figures" in page
    assert 'id="kind-qr" class="plain" aria-pressed="true"' in page
    designer.press("symbology-code128", part=6)
    assert (designer.page.status, designer.alert) == (200, "")
    assert 'symbology = "code128"' in designer.saved(folder)
    designer.press("symbology-qr", part=6)
    designer.press("symbology-star", part=6)
    assert designer.page.status == 400


def test_a_format_is_chosen_by_its_example(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="till", stock="L7160")
    designer = Designer(own_host, "till")
    designer.lay(pasted=b"name,cost,day,ean\nPlum,12.5,2027-03-01,400638133393\n")
    # Formats are those of the columns that the text shows.
    assert 'name="field"' not in designer.page.text
    for column in ("cost", "day", "ean"):
        designer.press("insert", column=column)
    buttons = dict(re.findall(r'name="field" value="([^"]+)"[^>]*><bdi>([^<]+)</bdi>', designer.page.text))
    assert (buttons["{cost:0.00 €}"], buttons["{day:D MMMM YYYY}"]) == ("12.50 €", "1 March 2027")
    assert not any("{ean:" in field for field in buttons)
    designer.press("insert-format", field="{cost:0.00 €}")
    designer.press("insert-format", field="{cost:0.00}")
    designer.press("insert-format", field="{day:D MMMM YYYY}")
    assert 'text = "{name} {cost:0.00} {day:D MMMM YYYY} {ean}"' in designer.saved(folder)


def test_a_condition_is_built_from_a_column_and_a_comparison(own_host: Host, folder: Path) -> None:
    designer = Designer(own_host, "badge")
    for fields, line in (
        ({"when_column": "role"}, 'when = "{role} is not empty"'),
        ({"when_column": "role", "when_test": "=", "when_value": "host"}, 'when = "{role} = host"'),
        ({"when_column": "table", "when_test": "<", "when_value": "5"}, 'when = "{table} < 5"'),
    ):
        designer.press("set", part=2, **fields)
        assert designer.alert == ""
        assert line in designer.saved(folder)
    designer.press("set", part=2, when_value="")
    assert "Write the text or number" in designer.alert
    designer.press("set", part=2, when_column="")
    assert "when" not in designer.saved(folder)


def test_a_kind_of_code_that_needs_more_room_gets_it(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="till", stock="L7160")
    designer = Designer(own_host, "till")
    designer.press("add-code")
    designer.press("symbology-ean13", part=designer.selected)
    assert (designer.page.status, designer.alert) == (200, "")
    assert 'symbology = "ean13"\nfigures = true' in designer.saved(folder)


def test_several_parts_are_moved_spaced_and_removed_together(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    kind = {"content_type": "application/x-www-form-urlencoded"}

    def press(button: str, ticks: str, **fields: str) -> str:
        pairs = [("token", designer.page.token), ("part", ticks[0]), *(("tick", tick) for tick in ticks)]
        body = urlencode([*pairs, ("do", button), *fields.items()])
        answer = designer.browser.ask("POST", designer.path, body, **kind)
        return designer.browser.get(answer.leads_to).text if answer.status == 303 else answer.text

    def tops(page: str) -> list[float]:
        matches = re.findall(r'data-part="(\d)"[^>]* y="([\d.]+)" width', page)
        return [float(top) for _, top in sorted(matches)]

    before = tops(designer.page.text)
    moved = tops(press("move", "245", right="0", down="3"))
    assert [round(new - old) for new, old in zip(moved, before, strict=True)] == [0, 3, 0, 3, 3, 0]
    assert "Tick three or more parts" in press("distribute-down", "24")
    assert "begins outside of the label" in press("move", "245", right="0", down="300")
    assert tops(press("undo", "2")) == before
    assert len(tops(press("remove", "245"))) == 3
    assert "A design has one part at least" in press("remove", "136")
    assert tops(press("undo", "1")) == before


REFUSED: tuple[tuple[str, dict[str, str], str], ...] = (
    ("set", {"left": "80"}, "leaves the label at its right edge"),
    ("set", {"left": "far"}, "“far” is no number; write one as in 12.5."),
    ("set", {"width": "nan"}, "“nan” is no number"),
    ("set", {"source": "{"}, "“{” has a brace without a field"),
    ("set", {"colour": "red"}, "colour is “red”; write a colour"),
    ("set", {"rotate": "450"}, "rotate is 450; write a whole number from -359 to 359"),
    ("set", {"markup": "on", "source": "**{name}"}, "text: “**{name}” has ** where bold or italic begins"),
    ("set", {"typeface": "Arial"}, "typeface is “Arial”; write one of sans, serif"),
    ("set", {"when_column": "table", "when_test": "like", "when_value": "vegan"}, "is no condition; write"),
    ("set", {"most": "3"}, "size is [9, 3]; write the smallest and the largest"),
    ("settings", {"stock": "none such"}, "none such"),
    ("settings", {"margin": "-1"}, "margin is -1; write a length"),
    ("settings", {"stock": "94102"}, "choose a larger stock"),
    ("align-left", {"among": "parts"}, "Tick two or more parts"),
    ("place", {"left": "x"}, "“x” is no number"),
    ("remove", {"part": "77"}, "This part is no longer there"),
    ("save", {"name": "../evil"}, "“../evil” is no name of a design"),
    ("save", {"name": "x" * 61}, "is no name of a design"),
)


def test_what_is_refused_says_why_and_changes_nothing(own_host: Host, folder: Path) -> None:
    designer = Designer(own_host, "badge")
    for button, fields, says in REFUSED:
        designer.page = designer.browser.get(f"{designer.path}?part=2")
        sent = {"part": "2", **designer.form(button), "do": button, **fields}
        designer.page = designer.browser.post(designer.path, designer.page.token, **sent)
        assert (designer.page.status, says in designer.alert) == (409, True), f"{says}: {designer.alert}"
        assert designer.is_unchanged
    assert not folder.exists()


def test_what_was_typed_stays_after_a_refusal(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    designer.press("set", part=2, source="{a}\nand {", left="31")
    assert designer.page.status == 409
    assert ">\n{a}\nand {</textarea>" in designer.page.text
    assert 'name="left" inputmode="decimal" autocomplete="off" dir="ltr" value="31"' in designer.page.text


def test_changes_are_undone_and_redone(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    version = re.findall(r"v=(\w+)", designer.page.text)
    designer.press("copy", part=5)
    copy = designer.selected
    designer.press("up", part=2)
    designer.press("down", part=copy)
    designer.press("remove", part=1)
    for _ in range(4):
        assert designer.press("undo").status == 303
    assert re.findall(r"v=(\w+)", designer.page.text) == version
    assert designer.is_unchanged
    for _ in range(4):
        designer.press("redo")
    assert re.search(r'id="redo"[^>]* disabled', designer.page.text)
    designer.press("reload")
    assert re.findall(r"v=(\w+)", designer.page.text) == version


def test_ticked_parts_are_aligned_with_each_other(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    fields = [("token", designer.page.token), ("part", "2"), ("tick", "2"), ("tick", "6"), ("among", "parts")]
    body = urlencode([*fields, ("do", "align-top")])
    kind = {"content_type": "application/x-www-form-urlencoded"}
    answer = designer.browser.ask("POST", designer.path, body, **kind)
    page = designer.browser.get(answer.leads_to).text
    tops = re.findall(r'data-part="[26]"[^>]* y="([\d.]+)"', page)
    assert [float(top) for top in tops] == pytest.approx([0, 0])


def test_a_table_is_laid_beside_and_paged_through(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    rows = "Name\tTable\tLink\tRole\tPhoto\nAna & Co\t3\thttps://example.org\t\t\nBen\t4\t\t\t\n"
    assert designer.lay(pasted=rows.encode()).status == 303
    assert "Row 1 of 2" in designer.page.text
    assert "Ana &amp; Co" in designer.page.text
    first, second = (designer.browser.get(f"{designer.path}/label.png?row={row}").text for row in (1, 2))
    assert first != second
    page = designer.browser.get(f"{designer.path}?part=5&row=2&check=1").text
    assert "All rows can be printed." in page
    designer.press("insert", part=5, column="Link")
    assert "Table {table} {Link}" in unescape(designer.page.text), designer.alert
    designer.press("insert", part=3, column="Link")
    assert "A colour shows no column" in designer.alert


def test_what_is_wrong_with_rows_is_told_by_row(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    long = "Wwwwwwwwwwwwwwww" * 20
    rows = f"name,table,link,role,photo\nAna,3,,,\n{long},4,,,\nBen,5,,,nobody.png\n"
    designer.lay(pasted=rows.encode())
    page = designer.browser.get(f"{designer.path}?part=1&row=1&check=1").text
    assert re.findall(r'row=(\d+)" data-go>Row \d+</a>', page) == ["2", "3"]
    assert "there is no picture “nobody.png”" in page
    assert 'class="wrong"' in designer.browser.get(f"{designer.path}?row=2").text
    assert ">Row 3: there is no picture “nobody.png”" in designer.browser.get(f"{designer.path}?row=3").text
    assert designer.browser.get(f"{designer.path}/label.png?row=2").text.startswith(PNG)


def test_a_table_that_cannot_be_read_is_refused(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    for pasted, says in (
        (b"name", "The table has no rows below its first"),
        (b"name,name\na,b", "twice"),
        (b"\xff\xfe\x00", "The table has no rows"),
        (b"name,table\na,b,c", "has 3 cells"),
    ):
        assert designer.lay(pasted=pasted).status == 409
        assert says in designer.alert
        assert "/tmp" not in designer.alert


def file_part(token: str, name: str, content: bytes, file_name: str) -> bytes:
    """A form with a file that has a name."""
    body = multipart(token, design=name.encode(), file=content)
    return body.replace(b'name="file"', f'name="file"; filename="{file_name}"'.encode())


def test_files_come_through_the_gate_of_printing(own_host: Host, tmp_path: Path) -> None:
    book = tmp_path / "guests.xlsx"
    write_xlsx(book, {"Guests": [["name", "table"], ["Ana", 3]]})
    designer = Designer(own_host, "badge")
    for content, name, says in (
        (book.read_bytes(), "guests.xlsx", ""),
        (b"PK\x03\x04 no workbook", "guests.xlsx", "guests.xlsx"),
        (b"name,table\nAna,3", "guests.csv", ""),
        (b"MZ", "guests.exe", "“guests.exe” is no table; save it as .xlsx, .ods or .csv"),
    ):
        body = file_part(designer.page.token, "badge", content, name)
        answer = designer.browser.ask("POST", "/host/design-table", body, content_type=KIND)
        assert answer.status == (409 if says else 303), answer.text
        assert says in unescape(answer.text)
        assert str(tmp_path.parent) not in answer.text


def send_own_picture(designer: Designer, part: int, name: str, content: bytes) -> Answer:
    """Send a picture for a part of a design."""
    body = multipart(designer.page.token, design=designer.name.encode(), part=str(part).encode(), picture=content)
    body = body.replace(b'name="picture"', f'name="picture"; filename="{name}"'.encode())
    answer = designer.browser.ask("POST", "/host/design-table", body, content_type=KIND)
    designer.page = designer.browser.get(answer.leads_to) if answer.status == 303 else answer
    return answer


def draw_square(colour: str) -> bytes:
    picture = BytesIO()
    Image.new("RGB", (40, 40), colour).save(picture, "PNG")
    return picture.getvalue()


def test_a_picture_is_sent_and_shown(own_host: Host, folder: Path) -> None:
    designer = Designer(own_host, "badge")
    before = designer.browser.get(f"{designer.path}/label.png").text
    assert send_own_picture(designer, 1, "../My dog.png", draw_square("red")).status == 303
    assert (folder / "My dog.png").read_bytes() == draw_square("red")
    assert "My dog.png" in designer.page.text
    assert designer.browser.get(f"{designer.path}/label.png").text != before
    for name, content, says in (
        ("My dog.png", draw_square("blue"), "has another picture “My dog.png”"),
        ("x.png", b"no picture", "x.png"),
        ("x.png", b"", "No picture was sent"),
    ):
        assert send_own_picture(designer, 1, name, content).status == 409
        assert says in designer.alert
        assert "/tmp" not in designer.alert
    assert [file.name for file in folder.iterdir()] == ["My dog.png"]


def test_the_rows_go_to_the_print_page_with_their_pictures(own_host: Host, folder: Path) -> None:
    designer = Designer(own_host, "badge")
    designer.lay(pasted=b"name,table,link,role,photo\nAna,1,https://a.org,,ana.png\nBen,2,https://b.org,,\n")
    send_own_picture(designer, 1, "ana.png", draw_square("red"))
    assert designer.is_unchanged
    answer = designer.press_print()
    assert answer.leads_to == "/host/print?what=own&design=badge&stock=5163&table=badge.csv"
    page = designer.browser.get(answer.leads_to).text
    assert "2 labels" in page
    assert 'value="badge.csv"' in page
    assert "Page 1 of 1" in page
    designer.press("set", part=2, source="Hello {name}")
    designer.press("print", part=2)
    assert "save it under a name of your own, and print then" in designer.alert
    browser = own_host.browser()
    browser.post("/host/designs", browser.get("/host/designs").token, name="plum", stock="L7160")
    answer = browser.post("/host/designs/plum", browser.get("/host/designs/plum").token, do="print", part="1", row="0")
    assert answer.leads_to == "/host/print?what=own&design=plum&stock=L7160"
    assert (folder / "plum.toml").exists()
    assert 'value="plum"' in browser.get(answer.leads_to).text


def test_pictures_in_folders_go_to_the_print_page(own_host: Host, folder: Path) -> None:
    (folder / "photos").mkdir(parents=True)
    (folder / "photos" / "ana.png").write_bytes(draw_square("red"))
    designer = Designer(own_host, "badge")
    designer.lay(pasted=b"name,table,link,role,photo\nAna,1,https://a.org,,photos/ana.png\n")
    answer = designer.press_print()
    page = unescape(designer.browser.get(answer.leads_to).text)
    assert "1 label" in page
    assert "Page 1 of 1" in page
    assert "there is no picture" not in page


def test_the_rows_of_a_sample_go_to_the_print_page(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    designer.browser.get(f"{designer.path}?sample=1")
    answer = designer.press_print()
    assert answer.leads_to == "/host/print?what=own&design=badge&stock=5163&table=badge.csv"
    page = unescape(designer.browser.get(answer.leads_to).text)
    assert "Page 1 of 1" in page
    assert "there is no picture" not in page


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("photos/ana.png", "photos/ana.png"),
        ("../../photos/a?b.PNG", "photos/a_b.png"),
        ("/etc/..\\ana.png", "etc/ana.png"),
        ("", "table."),
    ],
)
def test_a_file_in_folders_stays_inside(name: str, path: str) -> None:
    assert clean_path(name) == path


def test_an_address_names_no_file_of_this_machine_to_print(own_host: Host, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("name\nSecret\n", encoding="utf-8")
    for table in (str(tmp_path / "secret.csv"), "../secret.csv", "secret.csv"):
        page = own_host.browser().get(f"/host/print?{urlencode({'what': 'own', 'table': table})}")
        assert (page.status, "Secret" in page.text) == (200, False)


def test_too_large_a_table_is_refused(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    size = {"content_length": str(DESIGN_TABLE_LIMIT.size + 1)}
    answer = designer.browser.ask("POST", "/host/design-table", b"", content_type=KIND, **size)
    assert answer.status == 413


def test_without_its_token_no_form_changes_anything(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    for token in ("", "0" * 64):
        for path, fields in (
            ("/host/designs", {"name": "plum"}),
            ("/host/designs/badge", {"do": "remove", "part": "1"}),
            ("/host/designs/badge", {"do": "save", "name": "plum"}),
        ):
            assert browser.post(path, token, **fields).status == 403
        body = multipart(token, design=b"badge", pasted=b"name\nAna")
        assert browser.ask("POST", "/host/design-table", body, content_type=KIND).status == 403
    assert Designer(own_host, "badge").is_unchanged
    assert not folder.exists()


def test_only_the_host_sees_designs(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    for visitor in (own_host.stranger(), own_host.phone("Ana")):
        for path in ("/host/designs", "/host/designs/badge", "/host/designs/badge/label.png"):
            assert visitor.get(path).status == 403


def test_unknown_names_are_no_pages(own_host: Host) -> None:
    browser = own_host.browser()
    for name in ("nothing", "..%2Fbadge", "%2E%2E", "badge.toml", "..%2F..%2Fetc%2Fpasswd", "a%00b", "x" * 900):
        for path in (f"/host/designs/{name}", f"/host/designs/{name}/label.png", f"/host/designs/{name}/file.png"):
            assert browser.get(path).status == 404


def test_a_new_design_needs_a_free_name_that_files_can_have(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    token = browser.get("/host/designs").token
    for name in ("", " ", "../x", "a/b", "a\\b", ".hidden", "badge", "Badge", "x" * 61, "a\nb", "aux", "x."):
        answer = browser.post("/host/designs", token, name=name, stock="")
        assert (answer.status, 'role="alert"' in answer.text) == (409, True), name
    assert not folder.exists()


def test_a_name_with_spaces_and_letters_of_all_scripts_is_saved(own_host: Host, folder: Path) -> None:
    browser = own_host.browser()
    answer = browser.post("/host/designs", browser.get("/host/designs").token, name="Pflaume süß 2", stock="")
    assert answer.leads_to == "/host/designs/Pflaume%20s%C3%BC%C3%9F%202"
    designer = Designer(own_host, "Pflaume%20s%C3%BC%C3%9F%202")
    assert 'title = "Pflaume süß 2"' in designer.saved(folder, "Pflaume süß 2")


def test_another_design_of_the_user_is_not_overwritten(own_host: Host, folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.toml").write_text('[[part]]\ntext = "{a}"\n', encoding="utf-8")
    designer = Designer(own_host, "badge")
    assert designer.press("save", name="mine").status == 409
    assert "There is a design “mine” of yours; choose another name." in designer.alert
    assert designer.press("save", name="MINE").status == 409
    assert (folder / "mine.toml").read_text(encoding="utf-8") == '[[part]]\ntext = "{a}"\n'


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(own_host: Host, folder: Path) -> None:
    folder.mkdir()
    file = folder / "mine.toml"
    file.write_bytes(b'[[part]]\r\ntext = "{a}"\r\n')
    designer = Designer(own_host, "mine")
    designer.press("set", source="{b}")
    assert designer.saved(folder) == '[[part]]\r\ntext = "{b}"\r\n'
    file.write_bytes(b'[[part]]\ntext = "{c}"\n')
    designer.press("set", source="{d}")
    assert designer.press("save", name="mine").status == 409
    assert "was changed meanwhile by another program" in designer.alert
    assert file.read_bytes() == b'[[part]]\ntext = "{c}"\n'


def test_a_design_that_does_not_fit_can_be_repaired(own_host: Host, folder: Path) -> None:
    folder.mkdir()
    (folder / "wide.toml").write_text(
        'stock = "94102"\n[[part]]\ntext = "{a}"\nbox = [0, 0, 90, 9]\n', encoding="utf-8"
    )
    designer = Designer(own_host, "wide")
    assert "leaves the label at its right edge" in designer.page.text
    assert "<image" not in designer.page.text
    assert designer.press("set", width="12", height="8").status == 303
    assert "<image" in designer.page.text


def test_a_change_is_drawn_within_150_milliseconds(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    took = []
    for number in range(6):
        start = process_time()
        fields = {"do": "place", "part": "1", "left": str(10 + number), "top": "9", "width": "60", "height": "60"}
        answer = designer.browser.post(designer.path, designer.page.token, live="1", **fields)
        (picture,) = re.findall(r'<image href="([^"]+)"', answer.text)
        assert designer.browser.get(unescape(picture)).text.startswith(PNG)
        took.append(process_time() - start)
        assert answer.headers["content-location"] == f"{designer.path}?part=1"
    # Seconds of computing, as other programs may have the machine meanwhile; the first change loads what all need.
    assert min(took) <= 0.15, took


def test_a_button_that_is_not_known_changes_nothing(own_host: Host) -> None:
    designer = Designer(own_host, "badge")
    for button in ("", "dance", "add-", "add-star", "align-", "align-round", "symbology-", "distribute-up"):
        assert designer.press(button).status == 400
