"""A deck in the host's browser, compared with its record by photographs of its spread cards."""

import re
from collections.abc import Sequence
from html import unescape
from random import Random

import pytest
from msgspec.structs import replace

from companion.archive import deck_records
from companion.printing import jobs
from companion.tabletop.decks.label_numbers import LooseLabel, format_number
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from tests.archive import bands
from tests.printing import evenings
from tests.scan import spreads
from tests.web.serving import Answer, Host, Phone

PATH = "/host/audit/photographs"
TAKE = f"{PATH}/take"
_FORM_WITH_FILES = "multipart/form-data; boundary=xXxcutxXx"


def picture_of(host: Host, deck: str, part: slice = slice(None), *, seed: int = 5) -> bytes:
    """A photograph of some of a deck's labels."""
    labels = jobs.cards_job(host.archive, [host.archive.find_deck(deck)], with_codes=True).labels
    faces = [label for label in labels if isinstance(label, EffectLabel | HeadedLabel | FiguresLabel)][part]
    return spreads.photograph_of(faces, [face.code for face in faces], Random(seed), angle=1).jpeg


def send_spreads(browser: Phone, deck: str, *pictures: bytes, token: str | None = None) -> Answer:
    """Send photographs of a deck, as a browser does."""
    token = browser.get("/host").token if token is None else token
    parts = [("token", "", token.encode()), ("deck", "", deck.encode())]
    parts += [("picture", f"spread {number}.jpg", each) for number, each in enumerate(pictures, 1)]
    if not pictures:
        # This is a field without a chosen file.
        parts.append(("picture", "", b""))
    body = b"".join(
        f'--xXxcutxXx\r\nContent-Disposition: form-data; name="{name}"'.encode()
        + (f'; filename="{file}"'.encode() if name == "picture" else b"")
        + b"\r\n\r\n"
        + content
        + b"\r\n"
        for name, file, content in parts
    )
    return browser.ask("POST", PATH, body + b"--xXxcutxXx--\r\n", content_type=_FORM_WITH_FILES)


def press_button(browser: Phone, deck: str, **fields: str) -> Answer:
    """Press a button of the page."""
    return browser.post(TAKE, browser.get("/host").token, deck=deck, **fields)


def list_buttons(page: str) -> Sequence[tuple[str, str]]:
    """The keys and the texts of what can be written down."""
    buttons = re.findall(r'name="take" value="(\w{16})">(.*?)</button>', page)
    return [(key, unescape(re.sub(r"<[^>]+>", "", text))) for key, text in buttons]


@pytest.mark.slow
def test_photographs_together_tick_off_what_is_done(own_host: Host) -> None:
    deck, browser = evenings.create_deck(own_host.archive, called="The Ash Ledger"), own_host.browser()
    assert f'href="{PATH}?deck={deck}"' in browser.get(f"/d/{deck}").text
    assert f'href="{PATH}?deck={deck}"' in browser.get(f"/host/audit?deck={deck}").text
    chores = {chore.id for chore in deck_records.chores(own_host.archive, deck)}
    halves = picture_of(own_host, deck, slice(0, 4)), picture_of(own_host, deck, slice(4, None), seed=6)
    answer = send_spreads(browser, deck, *halves)
    assert answer.leads_to == f"{PATH}?deck={deck}#result", re.findall(r'class="wrong".*', answer.text)
    page = browser.get(f"{PATH}?deck={deck}").text
    assert "as the record has them" in page
    for number in (1, 2):
        picture = browser.ask("GET", f"{PATH}/{number}.jpg?deck={deck}")
        assert picture.status == 200
        assert picture.headers["content-type"] == "image/jpeg"
    assert browser.get(f"{PATH}/3.jpg?deck={deck}").status == 404
    (key, text), *others = list_buttons(page)
    assert "tick that off" in text
    assert others
    # One of them is written down, and then all others at once.
    assert press_button(browser, deck, take=key).leads_to == f"{PATH}?deck={deck}"
    assert len(deck_records.chores(own_host.archive, deck)) == len(chores) - 1
    assert key not in dict(list_buttons(browser.get(f"{PATH}?deck={deck}").text))
    assert press_button(browser, deck, take=key).status == 409, "it was taken before"
    press_button(browser, deck, take="all")
    assert not list_buttons(browser.get(f"{PATH}?deck={deck}").text)
    press_button(browser, deck, anew="yes")
    assert ".jpg" not in browser.get(f"{PATH}?deck={deck}").text


@pytest.mark.slow
def test_a_label_that_the_record_lacks_is_offered(own_host: Host) -> None:
    deck, browser = bands.found_band(own_host.archive), own_host.browser()
    deck_records.tick(own_host.archive, deck, ("all",))
    picture = picture_of(own_host, deck)
    deck_records.mend(own_host.archive, deck, {"9S sharp": ""}, "sold")
    assert send_spreads(browser, deck, picture).status == 303
    page = browser.get(f"{PATH}?deck={deck}").text
    assert "Should not be there" in page
    ((key, _),) = [each for each in list_buttons(page) if "9♠" in each[1]]
    press_button(browser, deck, take=key)
    paper = deck_records.read_marks(own_host.archive, deck)
    assert paper.keeping.paper(paper.marks).get("9S sharp") == "yes"


@pytest.mark.slow
def test_the_card_of_a_starter_label_is_asked(own_host: Host) -> None:
    deck, browser = bands.found_band(own_host.archive), own_host.browser()
    deck_records.tick(own_host.archive, deck, ("all",))
    starter = format_number(LooseLabel(4, 77))
    labels = jobs.cards_job(own_host.archive, [own_host.archive.find_deck(deck)], with_codes=True).labels
    faces = [label for label in labels if isinstance(label, EffectLabel | HeadedLabel | FiguresLabel)]
    own = {text.spot: text.code for text in jobs.deck_labels(own_host.archive, deck).borne()}["4H quick"]
    faces = [replace(face, code=starter) if face.code == own else face for face in faces]
    picture = spreads.photograph_of(faces, [face.code for face in faces], Random(5), angle=1)
    assert send_spreads(browser, deck, picture.jpeg).status == 303
    page = browser.get(f"{PATH}?deck={deck}").text
    assert f'name="number" value="{starter}"' in page
    for card, sentence in (("", "Type the card"), ("14S", "14S")):
        refused = press_button(browser, deck, number=starter, card=card)
        assert refused.status == 422
        assert sentence in refused.text
    assert press_button(browser, deck, number=starter, card="4H").status == 303
    assert f'name="number" value="{starter}"' not in browser.get(f"{PATH}?deck={deck}").text


@pytest.mark.slow
def test_another_deck_is_named_and_put_aside(own_host: Host) -> None:
    deck, browser = bands.found_band(own_host.archive), own_host.browser()
    other = bands.found_band(own_host.archive, "Salt and Iron", "Ben")
    refused = send_spreads(browser, deck, picture_of(own_host, other))
    assert refused.status == 422
    assert "Salt and Iron" in refused.text
    assert ".jpg" not in browser.get(f"{PATH}?deck={deck}").text


@pytest.mark.slow
def test_what_is_no_photograph_is_named_and_the_rest_is_read(own_host: Host) -> None:
    deck, browser = bands.found_band(own_host.archive), own_host.browser()
    assert "Choose a photograph first." in send_spreads(browser, deck).text
    refused = send_spreads(browser, deck, b"no picture", picture_of(own_host, deck))
    assert refused.status == 422
    assert "spread 1.jpg" in refused.text
    assert "/tmp" not in refused.text
    assert f"{PATH}/1.jpg?deck={deck}" in refused.text, "the other one is here"
    assert "At most 12 photographs" in send_spreads(browser, deck, *[b"x"] * 12).text


def test_only_the_host_compares_photographs(own_host: Host) -> None:
    deck, browser = bands.found_band(own_host.archive), own_host.browser()
    assert send_spreads(browser, deck, b"x", token="0" * 64).status == 403
    assert browser.post(TAKE, "0" * 64, deck=deck, take="all").status == 403
    for wrong in ("", "nothing", "0000000000000"):
        assert browser.get(f"{PATH}?deck={wrong}").status == 404
        assert send_spreads(browser, wrong, b"x").status == 404
        assert press_button(browser, wrong, take="all").status == 404
    assert press_button(browser, deck, take="all").status == 409, "there is no photograph"
    own_host.server.phones.allow_all("all")
    phone = own_host.phone("Ana")
    assert phone.get(f"{PATH}?deck={deck}").status == 403
    assert phone.get(f"{PATH}/1.jpg?deck={deck}").status == 403
    assert send_spreads(phone, deck, b"x", token=phone.get("/scan").token).status == 403
