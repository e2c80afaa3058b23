"""A page of a language that is written from right to left: it begins at the right, and cards are read as printed."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from companion.web import templates
from templates.languages.catalogues import offer_language, read_catalogue
from templates.languages.messages import Language, speaking
from tests.languages.samples import po
from tests.web.serving import PIN, Host

IN_ARABIC: Final = """\
msgid "Asked now"
msgstr "السؤال الآن"

msgid "Come in"
msgstr "ادخل"

msgid "The six digits on the host’s screen"
msgstr "الأرقام الستة على شاشة المضيف"

msgid "Your name, so that the host knows whose phone this is"
msgstr "اسمك"

msgid "reveal a card"
msgstr "اكشف بطاقة"

msgid "{player} reveals {card}: {value}."
msgstr "{player} يكشف {card}: {value}."

msgid "HP"
msgstr "نقاط الحياة"

msgid "Hand"
msgstr "اليد"

msgid "Deck"
msgstr "المجموعة"

msgid "Coppers"
msgstr "النحاس"

msgid "What happened"
msgstr "ماذا حدث"

msgid "My hand"
msgstr "يدي"

msgid "This is my seat: {player}"
msgstr "هذا مقعدي: {player}"

msgid "{player}'s band"
msgstr "فرقة {player}"
"""


def arabic() -> Language:
    """Arabic, as far as these tests read it."""
    language = read_catalogue(po(IN_ARABIC, "ar", "العربية", "nplurals=1; plural=0;"))
    return Language("ar", "العربية", language.catalogue, is_rtl=True, is_finished=True)


@pytest.fixture
def _arabic() -> Iterator[None]:
    with offer_language(arabic()):
        yield


def test_a_catalogue_in_arabic_is_written_from_right_to_left() -> None:
    language = read_catalogue(po(IN_ARABIC, "ar", "العربية", "nplurals=1; plural=0;"))
    assert (language.is_rtl, language.direction) == (True, "rtl")


def test_a_card_keeps_its_direction() -> None:
    with speaking(arabic()):
        html = templates.color_suits("10♥ K♠")
    assert html == '<span dir="ltr" class="red">10♥</span> <span dir="ltr">K♠</span>'


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.usefixtures("_arabic")
async def test_a_table_begins_at_the_right(browser: Browser, own_host: Host) -> None:
    session = own_host.fight()
    own_host.server.phones.allow_all("own")
    own_host.sitting(session).enter("reveal ben QH")
    context = await browser.new_context(viewport={"width": 360, "height": 640}, locale="ar-EG")
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{own_host.port}/t/{session}")
    await page.get_by_label("الأرقام الستة").fill(PIN)
    await page.get_by_label("اسمك").fill("Ana")
    await page.get_by_role("button", name="ادخل").click()
    await expect(page.get_by_role("heading", name="السؤال الآن")).to_be_visible()
    assert await page.locator("html").get_attribute("dir") == "rtl"
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    first, second = [await each.bounding_box() for each in (await page.locator(".glance li").all())[:2]]
    assert first is not None
    assert second is not None
    assert first["x"] > second["x"]
    king, queen = [await page.locator(f"#asked button[value$='={card}']").bounding_box() for card in ("KS", "QS")]
    assert king is not None
    assert queen is not None
    assert king["x"] > queen["x"]
    number = await page.locator("#log ol").first.evaluate("(one) => getComputedStyle(one).paddingRight")
    assert number != "0px"
    await context.close()
