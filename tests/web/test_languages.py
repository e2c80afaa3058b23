"""Pages in the language of each reader: phones with two languages at one table, the choice on a page, the cookie."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from companion.archive import Archive
from templates.languages.catalogues import offer_language, read_catalogue
from templates.languages.messages import Language
from templates.languages.pseudo import PSEUDO
from tests.languages.samples import po
from tests.printing.evenings import create_deck, live
from tests.web.page_texts import PageTexts
from tests.web.serving import PIN, Host, Phone, serving
from tests.web.test_leagues import play

FORMS: Final = "nplurals=2; plural=(n != 1);"
IN_GERMAN: Final = {
    "Asked now: {players}": "Jetzt gefragt: {players}",
    "What happened": "Was geschah",
    "This is my seat: {player}": "Mein Platz: {player}",
    "Seats": "Plätze",
    "Tables": "Tische",
    "All tables": "Alle Tische",
    "Come in": "Herein",
    "The six digits on the host’s screen": "Die sechs Ziffern",
    "{action}: on its way …": "{action}: unterwegs …",
    "The table has been out of reach since {time}; trying again.": "Der Tisch ist seit {time} unerreichbar.",
    "No pages are served at this address.": "Hier gibt es keine Seiten.",
}


def german(*, is_finished: bool = True) -> Language:
    """German, as far as these tests read it."""
    entries = "\n\n".join(f"msgid {json.dumps(text)}\nmsgstr {json.dumps(IN_GERMAN[text])}" for text in IN_GERMAN)
    language = read_catalogue(po(entries.encode().decode("unicode_escape"), "de", "Deutsch", FORMS))
    return Language("de", "Deutsch", language.catalogue, is_finished=is_finished)


@pytest.fixture
def _german() -> Iterator[None]:
    with offer_language(german()):
        yield


@pytest.fixture
def fight(host: Host) -> str:
    """A table with three people before their first Boss."""
    return host.fight()


def asked_in(phone: Phone, path: str, language: str) -> str:
    """A page as a browser of this language gets it."""
    return phone.get(path, accept_language=language).text


@pytest.mark.usefixtures("_german")
def test_two_phones_at_a_table_read_their_own_language(host: Host, fight: str) -> None:
    ana, ben = host.phone(), host.phone()
    length = len(host.archive.lines(fight))
    pages = (
        asked_in(ana, f"/t/{fight}", "de-AT,de;q=0.9,en;q=0.5"),
        asked_in(ben, f"/t/{fight}", "en-GB,de;q=0.5"),
    )
    for page, code, seat in zip(pages, ("de", "en"), ("Mein Platz", "This is my seat"), strict=True):
        assert f'<html lang="{code}">' in page
        assert f"{seat}: Ben" in page
    with (
        ana.news(fight, length, accept_language="de") as anas,
        ben.news(fight, length, accept_language="en") as bens,
    ):
        assert anas.next().kind == bens.next().kind == "beat"
        host.sitting(fight).enter("add ben hp -3")
        in_german, in_english = anas.of_table().sections["seats"], bens.of_table().sections["seats"]
    assert "Plätze</h2>" in in_german
    assert "Seats</h2>" not in in_german
    assert "Seats</h2>" in in_english
    assert "Plätze" not in in_english
    assert "<strong>17</strong>" in in_german
    assert "<strong>17</strong>" in in_english


@pytest.mark.usefixtures("_german")
def test_pages_rendered_at_the_same_moment_are_not_mixed(host: Host, fight: str) -> None:
    phones = [(host.phone(), language) for language in ("de", "en", "de", "en")]

    def look(phone: Phone, language: str) -> list[tuple[str, str]]:
        return [(language, asked_in(phone, f"/t/{fight}", language)) for _ in range(6)]

    with ThreadPoolExecutor(len(phones)) as threads:
        looking = [threads.submit(look, *each) for each in phones]
        for _ in range(12):
            host.sitting(fight).enter("add ben hp -1")
        pages = [page for each in looking for page in each.result()]
    for language, text in pages:
        own, other = ("Was geschah", "What happened") if language == "de" else ("What happened", "Was geschah")
        assert own in text
        assert other not in text


@pytest.mark.usefixtures("_german")
def test_a_choice_is_kept_in_a_cookie(host: Host) -> None:
    phone = host.phone()
    login = phone.cookie
    chosen = phone.get("/tables?language=de", accept_language="en")
    assert '<html lang="de"' in chosen.text
    assert phone.cookie == "companion-language=de"
    assert "SameSite=Lax" in chosen.headers["set-cookie"]
    # A cookie of another program at this address, which Python's own parser would stop at.
    phone.cookie = f"od[d=é; {login}; companion-language=de".encode().decode("latin-1")
    assert '<html lang="de"' in asked_in(phone, "/tables", "en")
    phone.cookie = login
    assert '<html lang="en"' in asked_in(phone, "/tables", "en")


def test_only_a_known_language_is_kept(host: Host) -> None:
    stranger = host.stranger()
    for wish in ("tlh", "..%2F..%2Fde", "de%0d%0aset-cookie:x=y", ""):
        assert "companion-language" not in stranger.get(f"/screen?language={wish}").headers.get("set-cookie", "")


def test_an_unfinished_language_must_be_asked_for_by_name(host: Host) -> None:
    with offer_language(german(is_finished=False)):
        stranger = host.stranger()
        assert "Come in" in asked_in(stranger, "/pin", "de")
        assert "Herein" in stranger.get("/pin?language=de").text


@pytest.mark.usefixtures("_german")
def test_languages_are_offered_by_their_own_names(host: Host) -> None:
    text = asked_in(host.stranger(), "/pin", "de")
    assert '<a href="?language=de" lang="de" hreflang="de" aria-current="true">Deutsch</a>' in text
    assert '<a href="?language=en" lang="en" hreflang="en">English</a>' in text


@pytest.mark.usefixtures("_german")
def test_a_refusal_before_any_page_is_in_the_language_of_the_browser(host: Host) -> None:
    refused = host.stranger().get("/pin", host="elsewhere.example", accept_language="de")
    assert refused.status == 421
    assert refused.text == "Hier gibt es keine Seiten."


@pytest.mark.usefixtures("_german")
def test_the_stream_of_a_page_in_another_language_reloads_it(host: Host, fight: str) -> None:
    phone = host.phone()
    with phone.news(fight, "1&in=en", accept_language="de") as news:
        assert news.next().kind == "again"
    with phone.news(fight, "1&in=de", accept_language="de") as news:
        assert news.next().kind == "table"


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.usefixtures("_german")
async def test_scripts_speak_the_language_of_their_page(browser: Browser, host: Host, fight: str) -> None:
    context = await browser.new_context(locale="de-DE")
    page = await context.new_page()
    refused = list[str]()
    page.on("console", lambda message: refused.append(message.text) if "Content Security" in message.text else None)
    # No stream of the page is ever open; a script says so.
    await page.route("**/news*", lambda route: route.abort())
    await page.goto(f"http://127.0.0.1:{host.port}/t/{fight}")
    await page.get_by_label("Die sechs Ziffern").fill(PIN)
    await page.get_by_role("button", name="Herein").click()
    await expect(page.get_by_role("heading", name="Jetzt gefragt")).to_be_visible()
    await expect(page.locator("#reach")).to_contain_text("unerreichbar")
    assert refused == []
    await context.close()


# The pseudo-language


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """An archive without the names of other tests."""
    place = tmp_path_factory.mktemp("pseudo") / "archive.sqlite"
    with Archive.open(str(place), by="tests") as archive, serving(archive) as host:
        yield host


@pytest.fixture(scope="module")
def pages(alone: Host) -> dict[str, str]:
    """The main pages by their kinds, at a table with a seat for Ana, who has all permissions."""
    table = alone.table("seat ana", "seat ben", "active ana", "begin seed 1")
    deck = create_deck(alone.archive)
    live(alone.archive, deck)
    alone.sitting(table).enter("add ben hp -1")
    return {
        "pin": f"/pin?language={PSEUDO.code}",
        "table": f"/t/{table}",
        "screen": f"/t/{table}/screen",
        "log": f"/t/{table}/log",
        "tables": "/tables",
        "decks": "/decks",
        "deck": f"/d/{deck}",
        "leagues": "/leagues",
        "league": f"/l/{play(alone).row.league}",
        "scan": "/scan",
        "photo": f"/t/{table}/photo",
        "hand": f"/t/{table}/photo?hand=1",
    }


@pytest.fixture(scope="module")
def reader(alone: Host, pages: dict[str, str]) -> Phone:
    """A phone in the pseudo-language, with all permissions and Ana's seat."""
    phone = alone.phone("Zoe")
    alone.server.phones.allow(alone.server.phones.all()[-1].phone, "all")
    assert phone.sit(pages["table"].removeprefix("/t/"), "ana").status == 303
    phone.cookie += f"; companion-language={PSEUDO.code}"
    return phone


KINDS: Final = [
    *("pin", "table", "screen", "log", "tables", "decks", "deck"),
    *("leagues", "league", "scan", "photo", "hand"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_all_words_of_a_page_are_messages(alone: Host, reader: Phone, pages: dict[str, str], kind: str) -> None:
    answer = (alone.stranger() if kind == "pin" else reader).get(pages[kind])
    assert f'lang="{PSEUDO.code}"' in answer.text
    assert PageTexts(answer.text).unbracketed_words == []


@pytest.mark.parametrize("kind", ["table", "screen", "scan"])
def test_a_page_gives_texts_to_its_script_without_another_one(reader: Phone, pages: dict[str, str], kind: str) -> None:
    text = reader.get(pages[kind]).text
    assert " data-texts=" in text
    assert all(each.startswith("src=") for each in re.findall(r"<script ([^>]*)>", text))
