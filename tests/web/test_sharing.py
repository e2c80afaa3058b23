"""Games shared in the browser: taken away as a file or as QR codes, and taken in only after a look, by who may."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from typing import Final

import pytest
import zxingcpp
from PIL import Image, ImageDraw
from playwright.async_api import Browser, Page

from companion.archive import Archive
from companion.archive.exchange import page_codes, pages
from companion.games import registry
from companion.games.described import load
from companion.web.sharing.games import PAGE_LIMIT
from tests.archive import crowns
from tests.archive.crowns import ONE, TWO
from tests.bench.photos import qr
from tests.web.serving import Answer, Host, Phone, serving

_BOUNDARY: Final = "xXxcutxXx"
_KIND: Final = f"multipart/form-data; boundary={_BOUNDARY}"
LEGACY: Final = registry.ready_text("legacy") or ""
LEGACY_PAGE: Final = load.digest_of(LEGACY)


@pytest.fixture
def sharer(archive: Archive) -> Iterator[Host]:
    """Who lets phones do everything."""
    with serving(archive, permissions="all") as host:
        yield host


def multipart(token: str, **parts: bytes) -> bytes:
    """What a browser sends for a form with files."""
    texts = {"token": token.encode(), **parts}
    body = b"".join(
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + content + b"\r\n"
        for name, content in texts.items()
    )
    return body + f"--{_BOUNDARY}--\r\n".encode()


def look(phone: Phone, token: str, **parts: bytes) -> Answer:
    """Send a page to look at it."""
    return phone.ask("POST", "/games/look", multipart(token, **parts), content_type=_KIND)


def send_codes(phone: Phone, *codes: str) -> Answer:
    """Send a picture of these codes."""
    squares = [qr(code) for code in codes]
    side = max(square.width for square in squares)
    picture = Image.new("L", (side * len(squares), side), 255)
    for number, square in enumerate(squares):
        picture.paste(square, (number * side, 0))
    file = io.BytesIO()
    picture.save(file, "PNG")
    body = multipart(phone.get("/scan").token, picture=file.getvalue())
    return phone.ask("POST", "/scan", body, content_type=_KIND)


def draw_svg(page: str) -> Image.Image:
    """Draw the code of a page as a browser does."""
    side = int(re.findall(r'viewBox="0 0 (\d+)', page)[0])
    picture = Image.new("L", (side, side), 255)
    draw = ImageDraw.Draw(picture)
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", page):
        draw.line((int(x), int(y), int(x) + int(width) - 1, int(y)), fill=0)
    return picture.resize((side * 4, side * 4), Image.Resampling.NEAREST)


def test_every_game_with_a_page_is_listed_and_taken_away(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    phone = own_host.phone("Ana")
    listed = phone.get("/games").text
    assert f'href="/g/{load.digest_of(ONE)}"' in listed
    assert f'href="/g/{LEGACY_PAGE}"' in listed
    for page, text, name in ((load.digest_of(ONE), ONE, "crown"), (LEGACY_PAGE, LEGACY, "legacy")):
        assert "It keeps in your archive" in phone.get(f"/g/{page}").text
        answer = phone.get(f"/g/{page}/page.toml")
        assert (answer.status, answer.text) == (200, text)
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}.toml"'


def test_codes_are_shown_one_after_another(own_host: Host) -> None:
    phone, codes = own_host.phone("Ana"), page_codes.write_codes(LEGACY)
    read = []
    for number in range(1, len(codes) + 1):
        answer = phone.get(f"/g/{LEGACY_PAGE}/codes?at={number}")
        assert f"Code {number} of {len(codes)}" in answer.text
        assert ("Next code" in answer.text, "Previous code" in answer.text) == (number < len(codes), number > 1)
        read += [code.text for code in zxingcpp.read_barcodes(draw_svg(answer.text))]
    assert tuple(read) == codes
    for odd in ("0", "99", "-1", "two", "1" * 40):
        assert phone.get(f"/g/{LEGACY_PAGE}/codes?at={odd}").status == 200


@pytest.mark.parametrize("page", ["0" * 16, "crown", "../../etc", "A" * 16, "0" * 400])
def test_an_unknown_page_is_not_found(own_host: Host, page: str) -> None:
    phone = own_host.phone()
    assert [phone.get(f"/g/{page}{way}").status for way in ("", "/page.toml", "/codes")] == [404] * 3


def test_a_page_is_seen_before_it_is_taken(sharer: Host) -> None:
    phone = sharer.phone("Ana")
    token = phone.get("/games").token
    for way in ("file", "text"):
        answer = look(phone, token, **{way: ONE.replace("\n", "\r\n").encode()})
        assert answer.status == 200
        assert "Crown by Ana, edition 1, for 2-6 players." in answer.text
        assert "Decks whose cards are written on for ever" in answer.text
        assert not pages.pages(sharer.archive)
    taken = phone.post("/games/take", token, page=load.digest_of(ONE))
    assert (taken.status, taken.leads_to) == (303, f"/g/{load.digest_of(ONE)}")
    assert [row.name for row in pages.pages(sharer.archive)] == ["crown"]
    again = look(phone, token, file=ONE.encode())
    assert "is here already" in again.text
    assert 'action="/games/take"' not in again.text


def test_a_later_edition_says_what_it_replaces(sharer: Host) -> None:
    pages.add_page(sharer.archive, ONE)
    crowns.found_deck(sharer.archive, "Grave Choir")
    phone = sharer.phone("Ana")
    answer = look(phone, phone.get("/games").token, text=TWO.encode())
    assert "It takes the place of edition 1 for new tables." in answer.text
    assert "What was played keeps its edition: 1 deck and 0 sessions." in answer.text


def test_a_taken_name_asks_for_another_word(sharer: Host) -> None:
    pages.add_page(sharer.archive, ONE)
    phone = sharer.phone("Ana")
    token, theirs = phone.get("/games").token, crowns.page(by="Ben")
    refused = look(phone, token, text=theirs.encode())
    assert (refused.status, "Another game is called “crown” here" in refused.text) == (422, True)
    assert look(phone, token, text=theirs.encode(), name=b"tiara").status == 200
    assert phone.post("/games/take", token, page=load.digest_of(theirs)).status == 303
    assert {row.name for row in pages.pages(sharer.archive)} == {"crown", "tiara"}


@pytest.mark.parametrize("permissions", ["look", "own"])
def test_a_guest_looks_and_takes_nothing(archive: Archive, permissions: str) -> None:
    with serving(archive, permissions="look" if permissions == "look" else "own") as host:
        phone = host.phone("Ana")
        listed = phone.get("/games")
        assert "/games/look" not in listed.text
        token = phone.get("/scan").token
        assert look(phone, token, text=ONE.encode()).status == 403
        assert phone.post("/games/take", token, page=load.digest_of(ONE)).status == 403
        assert send_codes(phone, *page_codes.write_codes(ONE)).leads_to == "/games/offer"
        offered = phone.get("/games/offer").text
        assert "Crown by Ana" in offered
        assert "/games/take" not in offered
        assert phone.post("/games/take", token, page=load.digest_of(ONE)).status == 403
        assert not pages.pages(archive)


def test_only_what_was_shown_to_this_phone_is_taken(sharer: Host) -> None:
    phone, other = sharer.phone("Ana"), sharer.phone("Ben")
    token = phone.get("/games").token
    look(phone, token, text=ONE.encode())
    assert other.post("/games/take", other.get("/games").token, page=load.digest_of(ONE)).status == 409
    look(phone, token, text=TWO.encode())
    assert phone.post("/games/take", token, page=load.digest_of(ONE)).status == 409
    assert phone.post("/games/take", token).status == 409
    assert phone.post("/games/take", "0" * 64, page=load.digest_of(TWO)).status == 403
    assert not pages.pages(sharer.archive)


HOSTILE: Final[dict[str, tuple[bytes, str]]] = {
    "nothing": (b"", "No page was sent"),
    "blank": (b" \n", "No page was sent"),
    "long": (b"#" * 262_145, "more than 256 KiB"),
    "utf-16": (ONE.encode("utf-16"), "not UTF-8"),
    "broken": (b'name = "crown', "line 1"),
    "nested": (b"a = " + b"[" * 100_000, "The page, line 1"),
    "tables": (b"name = 'a'\n" + b"[a" + b".a" * 60_000 + b"]", "The page"),
    "dotted": (b".".join([b"a"] * 60_000) + b" = 1", "The page"),
    "number": (b"edition = " + b"9" * 200_000, "The page"),
    "script": (b'name = "<script>alert(1)</script>"\ntitle = "<b>x</b>"\n', "The page"),
    "keys": (b"".join(b"k%d = 1\n" % number for number in range(20_000)), "The page"),
    "homebrew": (b'homebrew = "nothing"\nname = "x"\n', "no such game"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_page_is_refused_in_a_sentence(sharer: Host, case: str) -> None:
    content, sentence = HOSTILE[case]
    phone = sharer.phone("Ana")
    refused = look(phone, phone.get("/games").token, file=content)
    assert (refused.status, refused.text.count('role="alert"')) == (422, 1)
    assert sentence in refused.text
    assert "<b>x" not in refused.text
    assert len(refused.text) < 20_000
    assert not pages.pages(sharer.archive)


def test_too_large_a_form_is_not_received(sharer: Host) -> None:
    phone = sharer.phone("Ana")
    token = phone.get("/games").token
    size = str(PAGE_LIMIT.size + 1)
    assert phone.ask("POST", "/games/look", b"x", content_type=_KIND, content_length=size).status == 413
    assert look(phone, token, file=b"#" * 300_000).status == 422
    assert look(phone, "0" * 64, file=ONE.encode()).status == 403
    assert phone.ask("POST", "/games/look", b"--", content_type=_KIND).status == 403


def test_codes_are_photographed_in_any_order(sharer: Host) -> None:
    phone, codes = sharer.phone("Ana"), [*page_codes.write_codes(LEGACY)]
    random.Random(3).shuffle(codes)
    first = send_codes(phone, *codes[:2])
    assert (first.status, "2 of 5 codes of the page are read; missing:" in first.text) == (200, True)
    assert "3 of 5" in send_codes(phone, codes[1], codes[2]).text
    other = sharer.phone("Ben")
    assert "1 of 5" in send_codes(other, codes[3]).text, "each phone has its own"
    assert send_codes(phone, *codes[3:]).leads_to == "/games/offer"
    offered = phone.get("/games/offer")
    assert "The long road" in offered.text
    assert phone.post("/games/take", offered.token, page=LEGACY_PAGE).status == 303
    assert phone.get("/games/offer").leads_to == "/games"


def test_a_code_beside_a_box_is_listed(sharer: Host) -> None:
    phone, codes = sharer.phone("Ana"), page_codes.write_codes(LEGACY)
    answer = send_codes(phone, "DECK:0000000000000", codes[0])
    assert "is one of ours, but not in this archive" in answer.text
    assert "1 of 5 codes of the page are read" in answer.text
    assert "/games/offer" in send_codes(phone, "DECK:0000000000000", *codes[1:]).text


def test_a_damaged_code_is_refused_on_the_phone(sharer: Host) -> None:
    phone = sharer.phone("Ana")
    refused = send_codes(phone, f"{page_codes.write_codes(ONE)[0][:-8]}//")
    assert (refused.status, "damaged or misread" in refused.text) == (422, True)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_game_is_taken_in_without_scripts(sharer: Host, browser: Browser) -> None:
    context = await browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 640})
    phone = sharer.phone("Ana")
    name, _, value = phone.cookie.partition("=")
    origin = f"http://127.0.0.1:{sharer.port}"
    await context.add_cookies([{"name": name, "value": value, "url": origin}])
    page: Page = await context.new_page()
    await page.goto(f"{origin}/games")
    await page.get_by_label("Or the text of its page").fill(ONE)
    await page.get_by_role("button", name="See what it is").click()
    await page.get_by_text("Crown by Ana, edition 1").wait_for()
    await page.get_by_role("button", name="Take it in").click()
    await page.get_by_role("link", name="The page as QR codes").click()
    box = await page.locator("svg.code").bounding_box()
    assert box is not None
    assert box["width"] >= 300
    assert box["x"] + box["width"] <= 360
    await context.close()
    assert [row.name for row in pages.pages(sharer.archive)] == ["crown"]
