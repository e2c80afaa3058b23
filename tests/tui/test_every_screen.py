"""Every screen in the pseudo-language at 80×24: no word of its own stays English, and no text is cut."""

import ast
import re
import shutil
from collections.abc import Iterator
from functools import cache, partial
from inspect import getmembers, isclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
from rich.cells import cell_len
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea

from companion.archive import Archive, fast_read
from companion.cli.screen import serve_beside
from companion.tui import key_scopes as key_scopes  # loads every screen
from companion.tui.palette import Palette
from companion.tui.screens.decks.photographs import FramedPhotograph
from companion.tui.screens.form import FormScreen
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.prompt_list import PromptList
from templates.languages.messages import ENGLISH, set_language
from templates.languages.pseudo import PSEUDO, strip_brackets
from tests.test_house_rules import ROOT
from tests.tui.conftest import Seat, Watched
from tests.tui.hand import Hand
from tests.tui.screen_samples import SAMPLES, SIZE, Samples, Show, form_modules, make_samples, press_keys

BASES: Final = frozenset(
    {
        *("BaseScreen", "StatusLineScreen", "TypingScreen", "BoxScreen", "ListScreen", "AskingScreen"),
        *("SearchingScreen",),
    }
)
"""Screens that are only built upon."""
NAMES: Final = re.compile(
    r"\b(?:Ana|Ben|Cy|Cleo|Dora|Eve|Emil|Fay|Friday|Winter|Rex|Salt Tide|Grave Choir|Salt and Iron|The Lantern Debt"
    r"|Tithe Collector|Moth Queen|Drowned Bell|The Hollow Abbot|Candle Thief|Wormwood|Barnacle King|Ferryman"
    r"|Ledger Beast|Ledger|Beast|The Undertow|Wolf|Golem|Wyrm|Hound|Blade|Spear|Crab|Gust|Hag|Ox|Eel|Snake"
    r"|Tide Wheel|Salt Pan|Light House|blue folder|office|Letter|Avery)\b"
)
"""Names that people gave to people, decks, cards, sheets and evenings of the samples, and of papers and makers."""
GAMES: Final = re.compile(
    r"DecknForge|SolForge|Soul-Forger|Odd Frontier TCG|Crown and Poison|Bids and Tricks|Seven Lanes|Crown|The long road"
    r"|Against the villain|Commander, any decks|Duel with life totals|Just count|Faulty duel|Miniature"
    r"|soulforger|oddfrontier|solforge|decknforge|legacy|campaign|partners"
)
PAGES: Final = re.compile(
    r"Life begins with 25 instead of 20"
    r"|Hand \d|Bid/Tricks|Points|Draw one more card|Draw a card|Main phase|Draw|Storm|Time day|Dungeon|Life|Cmd|Psn"
    r"|Creature|Shielded|Attack somebody's life|Bid\?"
)
"""Words that the pages of the games on pages give."""
NOTATION: Final = re.compile(
    r"Glory \d+, \d+ dungeons?"
    r"|\b(?:zz|BJ|SEAT|CARD|N|THING|TARGET|COUNTER|VALUE|TEXT|HEALTH|ATK|HP|DEF|ON|OFF|OMW|GW|OGW|DECK|main|swiss"
    r"|table|none|[A-Z0-9]{4}(?:-[A-Z0-9]{1,4})+|[A-Z0-9]{6,}|[a-z0-9-]+\.(?:sqlite|pdf|toml))\b"
    r"|\b(?:seat|reveal|next|pass|spike|foil|snipe|brace|set|put|remove|give|draw|turn|won|concede|attack|enter|bid"
    r"|forge|cast|bank|battle|damage|summon|permanent|action|set-action|queue|wound|fade|fades|watch|tension|loud|yes|no"
    r"|begin|seed|name|monster|legend|inscribed|sharp|thorns|bright|active|bosses|ronum|power|endurance|crown|dungeon"
    r"|for|on|ana|ben|dora|discord|bonus|rally|surge|momentum|[a-z]+(?=/[a-z]))\b"
)
"""Lines that players type, with their places, ids, files, and parts of decks."""
KEYS: Final = re.compile(r"Enter|Tab|Esc|Ctrl|tab|\^[A-Z]|F\d+")
MARKS: Final = str.maketrans(dict.fromkeys("▌⁰¹²³⁴⁵⁶⁷⁸⁹", " "))
"""The bar of the chosen row, and the small numbers of things."""
PATH: Final = re.compile(r"http://[\d.:]+|[A-Z]:\\\S+(?:\n\s*\S+)?|(?:~|/tmp)?/\S+(?:\n\s*\S+)?")
THEMES: Final = frozenset({"themes", "settings"})
"""The samples with the names of Textual's themes."""


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    """The archive of all samples."""
    return make_samples(tmp_path_factory.mktemp("samples") / "archive.sqlite")


@pytest.fixture
def pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything speaks the pseudo-language, in an empty folder and without a printer."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    set_language(PSEUDO)
    yield
    set_language(ENGLISH)


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    """All classes below a class, in modules of the screens."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("companion.tui"):
            yield each
        yield from subclasses(each)


@cache
def shown_screens() -> frozenset[str]:
    return frozenset(sample.screen.__name__ for sample in SAMPLES.values())


def test_every_screen_has_a_sample() -> None:
    screens = {each.__name__ for each in subclasses(Screen)} - BASES
    assert screens - shown_screens() == set()


def test_every_form_has_a_sample() -> None:
    classes = chain.from_iterable(getmembers(module, isclass) for module in form_modules())
    own = {kind.__name__ for name, kind in classes if kind.__module__.startswith("companion.forms")}
    there = {form for sample in SAMPLES.values() for form in sample.forms}
    # The terminal rehearses by a command; this form is on the host's pages alone, and tests/web has its samples.
    assert {name for name in own if name.endswith("Form")} - there == {"RehearsalForm"}


def test_every_panel_has_a_sample() -> None:
    panels = {each.__name__ for each in subclasses(Panel) if each.__name__ != "Panel"}
    assert panels - {part for sample in SAMPLES.values() for part in sample.panels} == set()


def widget_text(hand: Hand, widget: Widget, *, whole: bool = False) -> str:
    """What is widgets in a widget, without its frame unless `whole`."""
    region = widget.region if whole else widget.content_region
    region = region.intersection(hand.app.screen.region)
    rows = [list(strip) for strip in hand.app.screen._compositor.render_strips()]
    cells = [_cells("".join(segment.text for segment in row)) for row in rows[region.y : region.bottom]]
    return "\n".join("".join(row[region.x : region.right]) for row in cells)


def _cells(text: str) -> list[str]:
    """The cells of a row; a wide letter is in its first one."""
    return [cell for letter in text if cell_len(letter) for cell in (letter, *[""] * (cell_len(letter) - 1))]


def leaves(hand: Hand) -> list[Widget]:
    """The widgets that draw texts, from those that are visible now."""
    visible = hand.app.screen._compositor.visible_widgets
    return [widget for widget in visible if not widget.is_container and widget.content_region.area > 0]


def lies_beneath(hand: Hand, widget: Widget) -> bool:
    """Whether something is widgets over it."""
    x, y = widget.content_region.offset
    return hand.app.screen.get_widget_at(x, y)[0] is not widget


def cut_texts(hand: Hand, widget: Widget) -> list[str]:
    """The texts of a widget that begin and do not end, but for those to which it scrolls."""
    text = widget_text(hand, widget)
    if isinstance(widget, CommandBar) and " F4: " in text:
        text = text.partition("·  F4: ")[0]  # where going on leads to is told as far as there is room
    if isinstance(widget, PromptList):
        # What is asked besides, and what an answer does, is shown whole once it is chosen.
        text = "\n".join(row for row in text.splitlines() if not row.rstrip().endswith("…"))
    if re.search(r"⟦… \d+ more", text):
        return []  # it says how many rows more there are, which a key shows
    missing = text.count("⟦") - text.count("⟧")
    scrolls = max(widget.max_scroll_y, getattr(widget.parent, "max_scroll_y", 0)) > 0
    return [text] if missing and not scrolls else []


def cut_titles(hand: Hand, widget: Widget) -> list[str]:
    ends = ((widget.styles.border_top, widget.border_title), (widget.styles.border_bottom, widget.border_subtitle))
    titles = [Content.from_markup(title).plain for (kind, _), title in ends if kind and title]
    frame_text = widget_text(hand, widget, whole=True) if titles else ""
    return [title for title in titles if "⟦" in title and title not in frame_text]


def unbracketed_words(hand: Hand, widget: Widget, sample: str) -> list[str]:
    """The words that no message says, and that are no name, notation or key."""
    typed = widget.value if isinstance(widget, Input) else widget.text if isinstance(widget, TextArea) else ""
    return [] if typed or sample in THEMES else foreign_words(widget_text(hand, widget))


def foreign_words(screen_text: str) -> list[str]:
    """The words of a text on the screen that no message says, and that are no name, notation or key."""
    text = PATH.sub("", screen_text.translate(MARKS))
    outside = " ".join(strip_brackets(text).split())
    for pattern in (GAMES, PAGES, NAMES, NOTATION, KEYS):
        outside = pattern.sub("", outside)
    return re.findall(r"[A-Za-z]{2,}", outside)


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    # No font of Windows that Wine brings prints ⟦ on labels.
    "name",
    [pytest.param(name, marks=pytest.mark.posix) if name == "printed" else name for name in SAMPLES],
)
@pytest.mark.usefixtures("pseudo")
async def test_a_screen_speaks_the_language_and_cuts_nothing(
    sit: Seat, archive: Archive, place: Path, samples: Samples, name: str
) -> None:
    sample = SAMPLES[name]
    archive.close()
    if not sample.is_empty:
        shutil.copy(samples.file, place)
    serve = partial(serve_beside, host="127.0.0.1", port=0, announce=False) if sample.serves else None
    async with sit(samples.tables[sample.table] if sample.table else None, size=SIZE, serve=serve) as hand:
        if sample.is_empty:
            await hand.until_welcomed()
        elif not sample.table:
            await hand.until(lambda: hand.home.sessions.total > 0)
        await sample.show(hand)
        screen = hand.app.screen
        assert isinstance(screen, sample.screen)
        if sample.forms:
            assert isinstance(screen, FormScreen)
            assert type(screen.cursor.form).__name__ in sample.forms
        within = screen.query_one(sample.within) if sample.within else screen
        widgets = [
            widget for widget in leaves(hand) if within in widget.ancestors_with_self and not lies_beneath(hand, widget)
        ]
        assert set(sample.panels) <= {type(widget).__name__ for widget in widgets}
        assert [text for widget in widgets for text in cut_texts(hand, widget)] == []
        framed = [widget for widget in hand.app.screen._compositor.visible_widgets if widget.region.area]
        assert [title for widget in framed for title in cut_titles(hand, widget)] == []
        assert [word for widget in widgets for word in unbracketed_words(hand, widget, name)] == []


async def _save_screenshot(hand: Hand) -> None:
    hand.app.deliver_screenshot("screen.svg", str(Path.cwd()))


async def _lose_screenshot(hand: Hand) -> None:
    folder = Path("screen.svg")
    folder.mkdir()
    hand.app.deliver_screenshot(folder.name, str(Path.cwd()))


async def _press_copy(hand: Hand) -> None:
    # A list of commands has no line for messages.
    await press_keys(Palette, "ctrl+p")(hand)
    hand.app.action_help_quit()


async def _fail(hand: Hand) -> None:
    hand.app.notify_fault(ZeroDivisionError())
    assert isinstance(hand.app, Watched)
    hand.app.faults.clear()


async def _lose_photograph(hand: Hand) -> None:
    await SAMPLES["photographs, compared"].show(hand)
    Path("spread.jpg").unlink()
    await press_keys(FramedPhotograph, "f3")(hand)


async def _do_nothing(hand: Hand) -> None:
    """Leave it to the start of the program."""


TOASTS: Final[dict[str, Show]] = {
    "report_screenshot": _save_screenshot,
    "report_lost_screenshot": _lose_screenshot,
    "add_note": _press_copy,
    "notify_fault": _fail,
    "_take_own_keys": _do_nothing,
    "_cannot_open": _do_nothing,
    "on_mount": _lose_photograph,
}
"""Functions that bring each notification onto the screen, by the function that shows it."""


def test_every_toast_has_a_sample() -> None:
    shows = set()
    for path in (ROOT / "companion/tui").rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
                shows |= {function.name for call in calls if isinstance(call, ast.Attribute) and call.attr == "notify"}
    assert shows == TOASTS.keys()


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TOASTS)
@pytest.mark.usefixtures("pseudo")
async def test_a_toast_speaks_the_language(
    archive: Archive, place: Path, tmp_path: Path, samples: Samples, name: str
) -> None:
    archive.close()
    shutil.copy(samples.file, place)
    session, entries = None, fast_read.read_session(str(place), samples.tables["over"])
    if name == "_take_own_keys":
        keys = tmp_path / "config/table-companion/keys.toml"
        keys.parent.mkdir(parents=True, exist_ok=True)
        keys.write_text("table.undo = 'nokey'\nnowhere = 'f3'\n", encoding="utf-8")
    if name == "_cannot_open":
        session = samples.tables["over"]
        place.write_bytes(b"no archive" * 1000)
    app = Watched(str(place), session, entries if session else ())
    async with app.run_test(size=SIZE) as pilot:
        hand = Hand(app, pilot)
        if session is None:
            await hand.until(lambda: app.archive is not None and hand.home.sessions.total > 0)
        await TOASTS[name](hand)
        await hand.until(lambda: len(app._notifications) > 0)
        (toast,) = app._notifications
        assert "⟦" in toast.message
        assert foreign_words(f"{toast.message} {toast.title}") == []
