"""A box scanned with a phone, and pictures that want to harm: each ends in one sentence, and the table goes on."""

import io
import re
import struct
import zlib
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import pytest
from PIL import Image
from playwright.async_api import Browser, Page, expect

from companion.archive import Archive, deck_id, deck_records
from companion.printing import jobs
from companion.session.table.shared_session import News
from companion.web.scanning import PICTURE_LIMIT
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from labels.output import pdf, proof
from labels.paper import sheet, stocks
from tests.archive.keepsake import Founded, Played
from tests.bench.photos import Label, label, on_table, qr, seeded
from tests.printing.evenings import begin_fight, create_deck, stuck_faces
from tests.scan import spreads
from tests.web.serving import PIN, Answer, Host, Phone
from tests.web.test_browser import Seen

_BOUNDARY: Final = "xXxcutxXx"
_KIND: Final = f"multipart/form-data; boundary={_BOUNDARY}"


@pytest.fixture(scope="module")
def deck(host: Host) -> str:
    """A deck whose box is scanned."""
    # Tests that another process has taken over leave the module, and come back to it.
    if present := host.archive.decks_named("keepsake", "Grave Choir"):
        return present[0].deck
    return host.archive.found_deck("keepsake", [Founded("Grave Choir", "Ana"), Played(glory=3)])


@pytest.fixture(scope="module")
def phone(host: Host) -> Phone:
    """A phone that was let in."""
    return host.phone("Ana")


def form_of(picture: bytes, token: str) -> bytes:
    """What a browser sends."""
    part = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="'
    head = f'{part}token"\r\n\r\n{token}\r\n{part}picture"; filename="box.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    return head.encode() + picture + f"\r\n--{_BOUNDARY}--\r\n".encode()


def _send(phone: Phone, picture: bytes) -> Answer:
    """Send a picture as a phone does."""
    return phone.ask("POST", "/scan", form_of(picture, phone.get("/scan").token), content_type=_KIND)


def saved(picture: Image.Image, kind: str = "JPEG") -> bytes:
    """A picture as a file."""
    file = io.BytesIO()
    picture.save(file, kind)
    return file.getvalue()


def photo_of(code: str) -> Image.Image:
    """A printed box with this code, as a hand holds a telephone over it."""
    rng = seeded("phone", code)
    return on_table(rng, label(rng, code).at(6), (1200, 900), turn=12)[0]


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few kilobytes: one bit a pixel until somebody looks at it in colour, and sees through it."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0))
    colours = chunk(b"PLTE", bytes(6)) + chunk(b"tRNS", bytes(2))
    data = zlib.compress(bytes((width // 8 + 2) * min(height, 10_000)))
    return b"\x89PNG\r\n\x1a\n" + head + colours + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.sample(2)
@pytest.mark.parametrize("address", ["", "https://cards.example/d/"])
def test_a_photo_of_a_box_leads_to_its_deck(phone: Phone, deck: str, address: str) -> None:
    answer = _send(phone, saved(photo_of(deck_id.payload(deck, address))))
    assert (answer.status, answer.leads_to) == (303, f"/d/{deck}")
    assert "Grave Choir" in phone.get(answer.leads_to).text


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (saved(Image.new("L", (400, 300), 200)), "No QR code in the picture"),
        (saved(qr("https://menu.example/<b>today</b>")), "Another program"),
        (saved(qr("DECK:0000000000000")), "is one of ours, but not in this archive"),
        (saved(qr("https://cards.example/d/7K3M9QPX2B4T0")), "does not match its check symbol"),
        (b"", "No picture was sent"),
        (b"<html><script>alert(1)</script>", "is not a picture that can be read here"),
        (bytes(range(256)) * 4000, "is not a picture that can be read here"),
        (saved(qr("DECK:0000000000000"), "PNG")[:-40], "is a damaged picture"),
        (b"%PDF-1.7 nothing", "is a PDF; take a photo of the code instead"),
        # A picture that has a program of its own draw it, and one that is another kind of file, too.
        (saved(Image.new("L", (9, 9)), "EPS"), "is not a picture that can be read here"),
        (saved(Image.new("RGB", (9, 9)), "GIF") + b"<script>alert(1)</script>", "No QR code in the picture"),
        (saved(Image.new("RGB", (9, 9)), "GIF") + b"%PDF-1.7", "is a PDF; take a photo"),
        (saved(Image.new("L", (900, 900), 99))[:400], "No QR code in the picture"),
        (f"\r\n--{_BOUNDARY}".encode() * 9, "No picture was sent"),
    ],
    ids=range(14),
)
def test_what_leads_to_no_deck_is_one_sentence(phone: Phone, picture: bytes, sentence: str) -> None:
    answer = _send(phone, picture)
    assert (answer.status, answer.text.count('role="alert"')) == (422, 1)
    assert sentence in answer.text
    assert "<b>today" not in answer.text
    assert "companion-" not in answer.text


def test_a_picture_without_a_code_can_be_searched_longer(phone: Phone) -> None:
    token = phone.get("/scan").token
    quick = _send(phone, saved(Image.effect_noise((2000, 1500), 120)))
    assert (quick.status, quick.text.count('role="alert"')) == (422, 1)
    assert "Search this picture longer" in quick.text
    longer = phone.post("/scan?longer=1", token)
    assert (longer.status, "No QR code in the picture" in longer.text) == (422, True)
    assert "Search this picture longer" not in longer.text
    assert "no longer here" in phone.post("/scan?longer=1", token).text


def test_several_boxes_in_one_picture_are_a_list(phone: Phone, deck: str) -> None:
    table = Image.new("L", (700, 320), 230)
    table.paste(qr(deck_id.payload(deck)), (20, 40))
    table.paste(qr("DECK:0000000000000"), (380, 40))
    answer = _send(phone, saved(table))
    assert answer.status == 200
    assert f'href="/d/{deck}"' in answer.text
    assert "0000-0000-0000-0 is one of ours, but not in this archive" in answer.text


@pytest.mark.posix
def test_a_bomb_ends_with_its_reader_and_the_table_goes_on(host: Host, phone: Phone) -> None:
    session = host.fight()
    other = host.phone()
    with other.news(session) as news:
        assert news.next().kind == "table"
        answers = [_send(phone, picture) for picture in (bomb(7200, 7000), bomb(40000, 40000))]
        assert [answer.status for answer in answers] == [422, 422]
        assert "larger than 28 million pixels" in answers[0].text
        assert "larger than 120 million pixels" in answers[1].text
        host.sitting(session).enter("add ana hp -1")
        assert news.of_table().sentence == "Ana: HP 20 → 19, by hand."
    assert phone.get("/scan").status == 200


def head(host: Host, phone: Phone, more: str) -> bytes:
    """The head of a request that sends a picture."""
    text = f"POST /scan HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\nOrigin: {phone.origin}\r\nCookie: {phone.cookie}\r\n"
    return f"{text}Content-Type: {_KIND}\r\n{more}\r\n\r\n".encode()


def test_too_large_a_picture_is_refused_before_it_is_sent(host: Host, phone: Phone) -> None:
    with host.raw(head(host, phone, f"Content-Length: {PICTURE_LIMIT.size + 1}")) as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


def test_a_picture_of_unknown_size_is_refused_on_the_way(host: Host, phone: Phone) -> None:
    token = phone.get("/scan").token
    piece = b"%x\r\n%s\r\n" % (1 << 20, bytes(1 << 20))
    with host.raw(head(host, phone, "Transfer-Encoding: chunked")) as connection:
        start = form_of(b"", token)[:-40]
        connection.sendall(b"%x\r\n%s\r\n" % (len(start), start))
        for _ in range(20):
            connection.sendall(piece)
        connection.sendall(piece)
        answer = connection.recv(4000)
        while b"20 MB" not in answer and (more := connection.recv(4000)):
            answer += more
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"larger than 20 MB" in answer
    assert phone.get("/scan").status == 200


def test_a_form_of_nobody_is_refused_before_its_picture_has_come(host: Host, phone: Phone) -> None:
    start = form_of(bytes(8192), "0" * 64)
    with host.raw(head(host, phone, "Content-Length: 1000000") + start) as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 403 ")
    assert phone.ask("POST", "/scan", form_of(b"x", host.phone().get("/scan").token)).status == 403
    assert phone.ask("POST", "/scan", b"token=1").status == 403
    assert phone.ask("POST", "/scan", b"").status == 403


def test_a_stranger_sends_nothing(host: Host, phone: Phone) -> None:
    stranger = host.stranger()
    body = form_of(b"x", phone.get("/scan").token)
    assert stranger.ask("POST", "/scan", body, content_type=_KIND).leads_to == "/pin"
    assert stranger.get("/scan").leads_to == "/pin?to=/scan"


def test_a_phone_sends_one_picture_at_a_time(host: Host, deck: str) -> None:
    phone = host.phone()
    token = phone.get("/scan").token
    start = head(host, phone, "Content-Length: 100000") + form_of(bytes(8192), token)
    with host.raw(start):
        wait_for(lambda: _send(phone, b"x").status == 503)
    wait_for(lambda: _send(phone, saved(qr(deck_id.payload(deck)))).leads_to == f"/d/{deck}")


def wait_for(what: Callable[[], bool]) -> None:
    """Ask until it is so; the server hears of a connection a little later than who makes it."""
    for _ in range(100):
        if what():
            return
    raise AssertionError("It never came so.")


def printed(archive: Archive, deck: str, path: Path) -> None:
    """A sheet with the deck's box label from our press, photographed askew."""
    from companion.printing.jobs import box_labels

    stock = stocks.find("18294")
    laid = sheet.place_labels(box_labels([archive.find_deck(deck)]), stock)
    page = proof.page_as_picture(pdf.render_sheets(laid, stock, pdf.Setup("Boxes")), 1, 300).convert("L")
    die, dots = stock.box(1), 300 / 72
    top = stock.page_size[1] - die.y - die.height
    cut = page.crop(tuple(round(edge * dots) for edge in (die.x, top, die.x + die.width, top + die.height)))  # type: ignore[arg-type]
    rng = seeded("printed", 1)
    on_table(rng, Label(cut, 6.0, (0, 0, cut.width, cut.height), ""), (1600, 1200), turn=10)[0].save(path, "JPEG")


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_printed_box_is_scanned_on_a_phone(browser: Browser, host: Host, deck: str, tmp_path: Path) -> None:
    printed(host.archive, deck, tmp_path / "box.jpg")
    context = await browser.new_context(viewport={"width": 360, "height": 800}, java_script_enabled=False)
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{host.port}/scan")
    await page.get_by_label("six digits").fill(PIN)
    await page.get_by_role("button", name="Come in").click()
    await page.get_by_label("A photo of the code").set_input_files(tmp_path / "box.jpg")
    await page.get_by_role("button", name="Open its deck").click()
    await expect(page.get_by_role("heading", name="Grave Choir")).to_be_visible()
    await context.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_the_scanning_pages_are_readable_by_everybody(browser: Browser, host: Host, tmp_path: Path) -> None:
    context = await browser.new_context(viewport={"width": 360, "height": 800}, color_scheme="dark")
    seen = Seen(await context.new_page(), host)
    await seen.page.goto(f"http://127.0.0.1:{host.port}/scan")
    await seen.page.get_by_label("six digits").fill(PIN)
    await seen.page.get_by_role("button", name="Come in").click()
    faults = [await seen.faults()]
    (tmp_path / "x.png").write_bytes(b"no picture")
    await seen.page.get_by_label("A photo of the code").set_input_files(tmp_path / "x.png")
    await seen.page.get_by_role("button", name="Open its deck").click()
    await expect(seen.page.get_by_role("alert")).to_contain_text("is not a picture")
    assert [*faults, await seen.faults()] == [[], []]
    assert [complaint for complaint in seen.complaints if "422" not in complaint] == []
    await context.close()


@pytest.mark.slow
def test_a_photo_of_a_spread_deck_shows_it_beside_its_record(host: Host, phone: Phone) -> None:
    deck = create_deck(host.archive, "Salt and Iron")
    labels = jobs.cards_job(host.archive, [host.archive.find_deck(deck)], with_codes=True).labels
    faces = [face for face in labels if isinstance(face, EffectLabel | HeadedLabel | FiguresLabel)]
    stuck = faces[:-1]
    picture = spreads.photograph_of(stuck, [face.code for face in stuck], Random(8), angle=1)
    answer = _send(phone, picture.jpeg)
    assert answer.status == 200
    assert "Salt and Iron" in answer.text
    assert "Done, as the photograph shows" in answer.text
    assert faces[-1].title in answer.text.partition("Still to be stuck")[2]
    framed = Image.open(io.BytesIO(phone.get("/scan/picture.jpg").text.encode(errors="surrogateescape")))
    assert framed.size == (1200, 900)
    assert host.phone("Ben").get("/scan/picture.jpg").status == 404


@pytest.mark.slow
def test_a_picture_that_is_too_small_is_one_sentence(own_host: Host) -> None:
    deck = create_deck(own_host.archive)
    labels = jobs.cards_job(own_host.archive, [own_host.archive.find_deck(deck)], with_codes=True).labels
    faces = [face for face in labels if isinstance(face, EffectLabel | HeadedLabel | FiguresLabel)]
    picture = Image.open(io.BytesIO(spreads.photograph_of(faces, [face.code for face in faces], Random(8)).jpeg))
    small = io.BytesIO()
    picture.resize((picture.width // 5, picture.height // 5)).save(small, "JPEG")
    answer = _send(own_host.phone("Ana"), small.getvalue())
    assert answer.status == 422
    assert "can be read: go closer" in answer.text
    assert "Not seen" not in answer.text


@pytest.mark.slow
def test_a_photo_of_the_table_is_taken_by_one_tap_and_suggested_to_the_host(own_host: Host) -> None:
    session = begin_fight(own_host.archive)
    faces = stuck_faces(own_host.archive, session, "ana:5C", "cy:9S")
    picture = spreads.photograph_of(faces, [face.code for face in faces], Random(3), angle=1)
    news = list[News]()
    hosting = own_host.sitting(session.id)
    hosting.watch(news.append)
    phone, path = own_host.phone("Ana"), f"/t/{session.id}/photo"
    own_host.server.phones.allow(own_host.server.phones.all()[-1].phone, "all")
    page = phone.ask(
        "POST", f"/scan?table={session.id}", form_of(picture.jpeg, phone.get(path).token), content_type=_KIND
    )
    assert page.status == 200
    assert "Ana: reveal a card · 5♣" in re.sub(r"<[^>]+>", "", page.text)
    assert "Ben is asked as usual" in page.text
    assert [each.line for each in news] == ["reveal ana 5C, reveal cy 9S"]
    at, line = (re.search(rf'name="{name}" value="([^"]*)"', page.text) for name in ("at", "line"))
    assert at is not None
    assert line is not None
    fields = {"at": at[1], "line": line[1]}
    looking = own_host.phone("Dora")
    own_host.server.phones.allow(own_host.server.phones.all()[-1].phone, "look")
    refused = looking.post(path, looking.get(path).token, **fields)
    assert refused.status == 409
    assert "only for its own seat" in refused.text
    assert phone.post(path, page.token, **fields).leads_to == f"/t/{session.id}"
    assert [upcard.card for upcard in own_host.sitting(session.id).session.state.revealed] == ["5C", "9S"]
    # Nothing is done twice.
    again = phone.post(path, page.token, **fields)
    assert again.status == 409
    assert "The game has continued since" in again.text
    hosting.leave()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_the_walk_of_a_box_in_a_browser(browser: Browser, own_host: Host, tmp_path: Path) -> None:
    deck = create_deck(own_host.archive)
    row = own_host.archive.find_deck(deck)
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    seen = Seen(await context.new_page(), own_host)
    page = seen.page
    await page.goto(f"http://127.0.0.1:{own_host.port}/scan")
    await page.get_by_label("six digits").fill(PIN)
    await page.get_by_label("Your name").fill("Ana")
    await page.get_by_role("button", name="Come in").click()
    await page.get_by_label("A photo of the code").wait_for()
    own_host.server.phones.allow(own_host.server.phones.all()[-1].phone, "all")
    # Printed with codes and stuck, but for one; ticked off where they are seen.
    labels = jobs.cards_job(own_host.archive, [row], with_codes=True).labels
    faces = [face for face in labels if isinstance(face, EffectLabel | HeadedLabel | FiguresLabel)]
    lost = next(face for face in faces if face.title == "Sharp")
    await photograph(page, [face for face in faces if face is not lost], tmp_path)
    await expect(page.get_by_role("region", name="Still to be stuck")).to_contain_text("Sharp on 10♦")
    await expect(page.get_by_role("img", name="Your photograph")).to_be_visible()
    assert await seen.faults() == []
    await page.get_by_role("button", name=re.compile("Banner on Q.: tick")).click()
    await expect(page.get_by_role("heading", name="Grave Choir")).to_be_visible()
    # The one that was missing is printed alone, stuck and seen, and ticked off.
    (again,) = jobs.spots_job(own_host.archive, row, ["10D sharp"], with_codes=True).labels
    assert again == lost
    await page.goto(f"http://127.0.0.1:{own_host.port}/scan")
    await photograph(page, faces, tmp_path)
    await expect(page.get_by_role("region", name="Done, as the photograph shows")).to_contain_text("Sharp on 10♦")
    await expect(page.get_by_role("region", name="Still to be stuck")).to_have_count(0)
    await page.get_by_role("button", name=re.compile("Sharp on 10.: tick")).click()
    await expect(page.get_by_role("heading", name="Grave Choir")).to_be_visible()
    chores = {chore.spot for chore in deck_records.chores(own_host.archive, deck)}
    assert "QH banner" not in chores
    assert "10D sharp" not in chores
    assert "7S echo" in chores
    assert seen.complaints == []
    await context.close()


async def photograph(page: Page, faces: Sequence[EffectLabel | HeadedLabel | FiguresLabel], folder: Path) -> None:
    """Sends a picture of the cards with these labels, all of which show."""
    pictures = (spreads.photograph_of(faces, [face.code for face in faces], Random(each), angle=1) for each in count())
    picture = next(picture for picture in pictures if picture.whole == picture.all)
    (folder / "spread.jpg").write_bytes(picture.jpeg)
    await page.get_by_label("A photo of the code").set_input_files(folder / "spread.jpg")
    await page.get_by_role("button", name="Open its deck").click()
