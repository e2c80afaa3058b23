"""The pages for games of one's own: found, begun, edited beside their check, saved, taken back, and never lost."""

from __future__ import annotations

import html
import re
import time
from typing import Final

import pytest

from companion.archive.exchange import pages
from companion.forms import settings
from companion.games import registry
from companion.games.described import load
from companion.games.described.page.starter import starter_page
from tests.archive.crowns import ONE, TWO
from tests.web.host.filling import PageForm
from tests.web.serving import PATIENCE, Answer, Host, Phone

GAMES: Final = "/host/games"
EDIT: Final = "/host/page"
pytestmark = pytest.mark.usefixtures("no_drafts")

_VERSION: Final = re.compile(r'name="version" value="(\w+)"')
_TEXT: Final = re.compile(r"<textarea[^>]*>\n(.*?)</textarea>", re.DOTALL)


class Editor:
    """The page of a game in the host's browser."""

    def __init__(self, browser: Phone, name: str) -> None:
        self.browser = browser
        self.name = name
        self.path = f"{GAMES}/{name}"
        self.load()

    def load(self) -> str:
        """Load the page; its text."""
        self.page = self.browser.get(self.path)
        assert self.page.status == 200
        self.version = _VERSION.findall(self.page.text)[0]
        self.text = edited_text(self.page)
        return self.text

    def press(self, do: str, text: str | None = None, **fields: str) -> Answer:
        """Press a button, with another text in the field if one is given."""
        sent = {"name": self.name, "version": self.version, "text": self.text if text is None else text}
        return self.browser.post(EDIT, self.page.token, **{**sent, "do": do, **fields})


def edited_text(answer: Answer) -> str:
    """The text in the field of a page."""
    return html.unescape(_TEXT.findall(answer.text)[0])


def begin(host: Host, name: str, ready: str = "") -> Editor:
    """Begin a page."""
    browser = host.browser()
    path = f"{GAMES}/{ready}" if ready else GAMES
    answer = browser.post(path, browser.get(path).token, name=name)
    assert answer.leads_to == f"{GAMES}/{name}", answer.text
    return Editor(browser, name)


def saved_text(host: Host, name: str) -> str:
    """The text of the saved page of a game; "" if there is none."""
    row = pages.find_present(host.archive, name)
    return pages.text_of(host.archive, row.page) if row else ""


def test_games_are_listed_with_what_they_keep(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    page = own_host.browser().get(GAMES).text
    assert f'href="{GAMES}/crown"' in page
    assert f'href="{GAMES}/tricks"' in page
    assert "It keeps in your archive" in page
    assert 'href="/games"' in page


def test_a_game_is_described_by_a_few_answers(own_host: Host) -> None:
    browser, path = own_host.browser(), "/host/new-game?game=_"
    form = PageForm(browser, path, {"title": "Our Duel"})
    assert "<bdi>Ana</bdi>" in form.page.text
    form.press("look")
    form = PageForm(browser, path)
    assert form.get("title") == "Our Duel"
    assert form.press("keep").leads_to == "/host/new?game=our-duel"
    assert Editor(browser, "our-duel").text == saved_text(own_host, "our-duel") != ""


def test_a_ready_game_that_is_not_changed_is_played_as_it_is(own_host: Host) -> None:
    form = PageForm(own_host.browser(), "/host/new-game?game=tricks")
    assert form.press("keep").leads_to == "/host/new?game=tricks"
    assert saved_text(own_host, "tricks") == ""


def test_games_are_found_by_well_known_names(own_host: Host) -> None:
    browser = own_host.browser()
    page = browser.get(f"{GAMES}?q=whist").text
    assert f'href="{GAMES}/tricks"' in page
    assert f'href="{GAMES}/villain"' not in page
    assert "No page of a game is like" in browser.get(f"{GAMES}?q=qqqqzzzz").text


def test_a_ready_page_is_shown_and_cannot_be_changed(own_host: Host) -> None:
    browser = own_host.browser()
    page = browser.get(f"{GAMES}/tricks")
    assert edited_text(page) == registry.ready_text("tricks")
    assert "readonly" in page.text
    answer = browser.post(EDIT, page.token, name="tricks", version="", text=ONE, do="save")
    assert answer.status == 404


def test_a_ready_page_is_copied_changed_and_saved(own_host: Host) -> None:
    editor = begin(own_host, "our-tricks", "tricks")
    assert 'name = "our-tricks"' in editor.text
    text = editor.text.replace("edition = 1", "edition = 2")
    assert editor.press("save", text).leads_to == f"{GAMES}/our-tricks?done=saved"
    assert saved_text(own_host, "our-tricks") == text
    assert registry.game("our-tricks").name == "our-tricks"
    assert not settings.draft_answers(own_host.archive.name, "page")


@pytest.mark.parametrize("name", ["tricks", "decknforge", "Our Duel", "", "x" * 33, "../etc", "crown"])
def test_a_name_that_cannot_be_taken_is_refused(own_host: Host, name: str) -> None:
    pages.add_page(own_host.archive, ONE)
    browser = own_host.browser()
    answer = browser.post(GAMES, browser.get(GAMES).token, name=name)
    assert answer.status == 422
    assert 'class="wrong" role="alert"' in answer.text
    assert not settings.draft_answers(own_host.archive.name, "page")


def test_a_copy_under_a_wrong_word_stays_a_copy(own_host: Host) -> None:
    browser, path = own_host.browser(), f"{GAMES}/tricks"
    answer = browser.post(path, browser.get(path).token, name="Our Tricks")
    assert answer.status == 422
    assert 'value="Our Tricks"' in answer.text
    assert "take our-tricks." in answer.text
    assert edited_text(answer) == registry.ready_text("tricks")
    assert not settings.draft_answers(own_host.archive.name, "page")
    # The suggested word makes the copy.
    assert browser.post(path, answer.token, name="our-tricks").leads_to == f"{GAMES}/our-tricks"
    assert 'name = "our-tricks"' in edited_text(browser.get(f"{GAMES}/our-tricks"))
    assert browser.post(f"{GAMES}/our-tricks", answer.token, name="mine").status == 404


def test_a_page_never_takes_the_place_of_a_ready_one(own_host: Host) -> None:
    editor = begin(own_host, "our-tricks", "tricks")
    answer = editor.press("save", f"{registry.ready_text('tricks')}# changed\n")
    assert answer.status == 422
    assert "comes with this program" in answer.text
    assert saved_text(own_host, "tricks") == ""


def test_a_page_never_takes_the_place_of_another_game(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    editor = begin(own_host, "mine")
    answer = editor.press("save", TWO)
    assert answer.status == 422
    assert "Another game of yours is called" in answer.text
    assert saved_text(own_host, "crown") == ONE
    assert editor.load() == TWO


def test_faults_stand_beside_the_text_by_line(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    text = editor.text.replace("start = 20", "strat = 20")
    answer = editor.press("look", text)
    assert answer.leads_to == editor.path
    line = text[: text.index("strat")].count("\n") + 1
    editor.load()
    assert "This page has 1 fault." in editor.page.text
    assert f'data-line="{line}"' in editor.page.text
    assert "did you mean start" in editor.page.text
    assert editor.text == text


def test_a_page_with_faults_is_not_saved_and_stays_a_draft(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    text = editor.text.replace("start = 20", "strat = 20")
    for button in ("save", "check"):
        assert editor.press(button, text).status == 422
        assert editor.load() == text
    assert saved_text(own_host, "our-duel") == ""


def test_the_table_of_the_page_is_shown(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    assert "<bdi>Ana</bdi>" in editor.page.text
    assert "Draw a card." in editor.page.text
    editor.press("look", editor.text.replace("counters.life]", 'counters.life]\ntitle = "Blood"'))
    editor.load()
    assert "Blood" in editor.page.text


def wait_for_games(editor: Editor) -> str:
    """The page once its random games are over."""
    until = time.monotonic() + PATIENCE
    while (answer := editor.browser.get(f"{editor.path}/check")).status == 200:
        assert "data-waits" in answer.text
        assert time.monotonic() < until
        time.sleep(0.05)
    assert answer.leads_to == f"{editor.path}#check"
    editor.load()
    return editor.page.text


def test_random_games_find_a_line_that_nobody_can_take(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    assert editor.press("check").leads_to == f"{editor.path}/check"
    assert "Nothing is wrong with this page." in wait_for_games(editor)
    text = editor.text.replace("costs = { coins = 1 }", "costs = { coins = 99 }")
    editor.press("check", text)
    page = wait_for_games(editor)
    assert "Random games found 1 fault." in page
    assert "actions.attack" in page


def test_random_games_are_stopped(own_host: Host) -> None:
    editor = begin(own_host, "our-tricks", "tricks")
    editor.press("check")
    assert editor.press("stop").leads_to == editor.path
    assert "The random games were stopped." in wait_for_games(editor)


def test_a_draft_survives_and_can_be_left(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    browser = own_host.browser()
    editor = Editor(browser, "crown")
    editor.press("look", ONE + "# more\n")
    assert Editor(own_host.browser(), "crown").text == ONE + "# more\n"
    assert saved_text(own_host, "crown") == ONE
    editor.load()
    assert editor.press("forget").leads_to == editor.path
    assert editor.load() == ONE


def test_a_page_that_was_never_saved_is_listed_until_it_is_thrown_away(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    assert "Begun, and not saved yet" in editor.browser.get(GAMES).text
    editor.press("forget")
    assert "Begun, and not saved yet" not in editor.browser.get(GAMES).text
    assert editor.browser.get(editor.path).status == 404


def test_the_second_of_two_browsers_is_told_and_keeps_the_text(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    first, second = (Editor(own_host.browser(), "crown") for _ in range(2))
    assert first.press("save", ONE.replace("20", "21")).status == 303
    mine = ONE.replace("20", "22")
    for button in ("look", "check", "save", "undo", "forget"):
        answer = second.press(button, mine, page=load.digest_of(ONE))
        assert answer.status == 409
        assert "Somebody else has changed this page" in answer.text
        assert edited_text(answer) == mine
    assert saved_text(own_host, "crown") == ONE.replace("20", "21")
    go_on = re.findall(r'name="go-on" value="(\w+)"', answer.text)[0]
    assert second.press("", mine, **{"go-on": go_on}).leads_to == second.path
    assert second.load() == mine
    assert second.press("save").status == 303
    assert saved_text(own_host, "crown") == mine


def test_two_browsers_do_not_overwrite_each_others_drafts(own_host: Host) -> None:
    first, second = begin(own_host, "our-duel"), Editor(own_host.browser(), "our-duel")
    first.press("look", first.text + "# first\n")
    assert second.press("look", second.text + "# second\n").status == 409
    assert first.load().endswith("# first\n")


def test_an_edition_of_a_command_is_noticed(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    editor = Editor(own_host.browser(), "crown")
    editor.press("look", ONE + "# more\n")
    pages.add_page(own_host.archive, TWO)
    assert editor.press("save").status == 409
    editor.load()
    assert "An edition was saved after this draft began" in editor.page.text
    answer = editor.press("save")
    assert "Edition 2 is here already" in answer.text
    assert saved_text(own_host, "crown") == TWO


def test_the_last_save_is_taken_back_once(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    editor = Editor(own_host.browser(), "crown")
    editor.press("save", TWO)
    editor.load()
    page = load.digest_of(TWO)
    assert editor.press("undo", page=page).leads_to == f"{editor.path}?done=undo"
    assert saved_text(own_host, "crown") == ONE
    assert editor.load() == TWO
    assert editor.press("undo", page=page).status == 409
    editor.load()
    assert editor.press("save").status == 303
    assert saved_text(own_host, "crown") == TWO
    editor.load()
    editor.press("undo", page=page)
    editor.load()
    editor.press("undo", page=load.digest_of(ONE))
    assert pages.find_present(own_host.archive, "crown") is None
    assert editor.load() == TWO


def test_an_earlier_text_is_saved_again(own_host: Host) -> None:
    pages.add_page(own_host.archive, ONE)
    editor = Editor(own_host.browser(), "crown")
    other = ONE.replace("20", "21")
    for text in (other, ONE, other):
        assert editor.press("save", text).leads_to == f"{editor.path}?done=twice"
        assert saved_text(own_host, "crown") == text
        editor.load()


def test_the_text_goes_to_a_file(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    answer = editor.browser.get(f"{editor.path}/page.toml")
    assert answer.text == starter_page("our-duel")
    assert answer.headers["content-disposition"] == 'attachment; filename="our-duel.toml"'
    assert editor.browser.get(f"{GAMES}/tricks/page.toml").text == registry.ready_text("tricks")
    for path in ("nothing", "..%2Fetc", "decknforge", "a%00b"):
        assert editor.browser.get(f"{GAMES}/{path}/page.toml").status == 404
        assert editor.browser.get(f"{GAMES}/{path}").status == 404


def test_tabs_and_scripts_of_a_text_stay_what_they_are(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    text = "\n\t# </textarea><script>alert(1)</script> &lt; “é” 漢字\n" + editor.text
    editor.press("look", text)
    assert editor.load() == text
    assert "<script>alert" not in editor.page.text


HOSTILE: Final = {
    "huge": "x" * (load.MAX_BYTES + 1),
    "control": 'name = "a\x1b[31m"\n',
    "null": "name = \x00",
    "reversed": "# \u202eabc\n",
    "empty": " \n ",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_text_is_refused_by_one_sentence(own_host: Host, case: str) -> None:
    editor = begin(own_host, "our-duel")
    before = editor.text
    for button in ("look", "check", "save"):
        answer = editor.press(button, HOSTILE[case])
        assert answer.status == 422
        alert = answer.text.partition('<div role="alert">')[2].partition("</div>")[0]
        assert alert.count('<p class="wrong">') == 1
        assert "\x1b" not in answer.text
        assert "\u202e" not in answer.text
        assert editor.load() == before


@pytest.mark.parametrize("text", ["k{n} = 1\n", "[counters.c{n}]\nstrat = 1\n"])
def test_of_thousands_of_faults_the_first_are_shown(own_host: Host, text: str) -> None:
    editor = begin(own_host, "our-duel")
    whole = 'name = "our-duel"\n' + "".join(text.replace("{n}", str(number)) for number in range(9000))
    assert editor.press("look", whole).status == 303
    editor.load()
    assert 1 <= editor.page.text.count("data-line=") <= 50


def test_a_request_beyond_the_limit_is_refused(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    answer = editor.browser.ask("POST", EDIT, "x" * (4 * load.MAX_BYTES))
    assert answer.status == 413


def test_a_homebrew_is_no_page_of_a_game(own_host: Host) -> None:
    editor = begin(own_host, "our-duel")
    answer = editor.press("save", 'homebrew = "decknforge"\n' + editor.text)
    assert answer.status == 422
    assert saved_text(own_host, "our-duel") == ""


@pytest.mark.parametrize("token", ["", "0" * 64])
def test_every_write_needs_the_token_of_the_host(own_host: Host, token: str) -> None:
    editor = begin(own_host, "our-duel")
    for button in ("look", "save", "check", "stop", "undo", "forget"):
        fields = {"name": "our-duel", "version": editor.version, "text": editor.text + "#", "do": button}
        assert editor.browser.post(EDIT, token, **fields).status == 403
    assert editor.browser.post(GAMES, token, name="other", ready="").status == 403
    assert Editor(editor.browser, "our-duel").text == editor.text


def test_phones_see_and_change_nothing(own_host: Host) -> None:
    own_host.server.phones.allow_all("all")
    editor, phone = begin(own_host, "our-duel"), own_host.phone("Ana")
    stranger = own_host.stranger()
    token = phone.get("/scan").token
    for each in (phone, stranger):
        for path in (GAMES, "/host/new-game", editor.path, f"{editor.path}/check", f"{editor.path}/page.toml"):
            answer = each.get(path)
            assert answer.status == 403
            assert "our-duel" not in answer.text
        assert each.post(GAMES, token, name="other", ready="").status == 403
        fields = {"name": "our-duel", "version": editor.version, "text": ONE, "do": "save"}
        assert each.post(EDIT, token, **fields).status == 403
        assert each.post(EDIT, editor.page.token, **fields).status == 403
    assert saved_text(own_host, "our-duel") == ""
