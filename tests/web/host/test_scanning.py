"""Scanning in the host's browser: from the menu, a passport taken in, and the camera of the machine."""

import json
import os
import sys
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import async_playwright, expect

from companion.archive import Archive, deck_id
from companion.archive.exchange import passport
from tests.bench.photos import qr
from tests.printing import evenings
from tests.web.conftest import chromium
from tests.web.serving import Host, Phone
from tests.web.test_scanning import form_of, saved

_KIND = "multipart/form-data; boundary=xXxcutxXx"


def passport_of_another_archive(path: Path) -> tuple[str, str]:
    """The id and the passport of a deck that is in another archive."""
    with Archive.open(str(path / "other.sqlite")) as other:
        deck = evenings.create_deck(other, called="The Ash Ledger")
        return deck, passport.write(other, deck)


def send_picture(browser: Phone, code: str) -> str:
    """Send a photograph of a code; the page that comes back."""
    body = form_of(saved(qr(code).convert("L")), browser.get("/scan").token)
    return browser.ask("POST", "/scan", body, content_type=_KIND).text


def test_the_menu_leads_to_scanning_and_a_box_to_its_deck(own_host: Host) -> None:
    browser = own_host.browser()
    assert 'href="/scan"' in browser.get("/host").text
    deck = evenings.create_deck(own_host.archive, called="The Ash Ledger")
    body = form_of(saved(qr(deck_id.payload(deck)).convert("L")), browser.get("/scan").token)
    assert browser.ask("POST", "/scan", body, content_type=_KIND).leads_to == f"/d/{deck}"
    page = browser.get(f"/d/{deck}").text
    for kind in ("csv", "json"):
        assert f'href="/host/decks/{deck}/history.{kind}"' in page
    assert json.loads(browser.get(f"/host/decks/{deck}/history.json").text)["name"] == "The Ash Ledger"
    assert browser.get(f"/host/decks/{deck}/history.csv").text.startswith("number,at,session,by,text\n")


def test_a_deck_is_taken_in_from_its_passport_by_the_host_alone(own_host: Host, tmp_path: Path) -> None:
    own_host.server.phones.allow_all("all")
    deck, text = passport_of_another_archive(tmp_path)
    browser, phone = own_host.browser(), own_host.phone("Ana")
    assert "Take it in from its passport" not in send_picture(phone, text)
    refused = phone.post("/scan/passport", phone.get("/scan").token, code=text)
    assert refused.status == 403
    assert "Take it in from its passport" in send_picture(browser, text)
    assert browser.post("/scan/passport", "0" * 64, code=text).status == 403
    answer = browser.post("/scan/passport", browser.get("/scan").token, code=text)
    assert answer.leads_to == f"/d/{deck}"
    assert own_host.archive.find_deck(deck).name == "The Ash Ledger"
    twice = browser.post("/scan/passport", browser.get("/scan").token, code=deck_id.payload(deck))
    assert twice.status == 422


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_camera_of_the_machine_scans_a_box(own_host: Host, tmp_path: Path) -> None:
    deck = evenings.create_deck(own_host.archive, called="The Ash Ledger")
    frame = Image.new("L", (640, 480), 230)
    frame.paste(qr(deck_id.payload(deck)).resize((320, 320)), (160, 80))
    film = tmp_path / "film.y4m"
    plain = b"FRAME\n" + frame.tobytes() + bytes([128]) * (640 * 480 // 2)
    film.write_bytes(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420\n" + plain * 3)
    fake = ("device", "ui")
    options = [*(f"use-fake-{each}-for-media-stream" for each in fake), f"use-file-for-fake-video-capture={film}"]
    options += ["no-sandbox"] if sys.platform != "win32" and os.geteuid() == 0 else []
    assert own_host.server.door is not None
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(), args=[f"--{option}" for option in options]
        )
        page = await browser.new_page()
        await page.goto(f"http://127.0.0.1:{own_host.port}{own_host.server.door.make_link()}")
        await page.get_by_role("link", name="Scan", exact=True).click()
        await page.get_by_role("button", name="Use the camera of this machine").click()
        await page.get_by_role("button", name="Take the picture").click()
        await expect(page.get_by_role("heading", name="The Ash Ledger")).to_be_visible(timeout=30_000)
        await browser.close()
