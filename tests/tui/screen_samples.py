"""A sample of every screen in one archive, for tests that look at all of them in another language.

The archive has a sealed evening, a table of each game, a league, decks of each kind, and a game on a page. Samples
are reached by keys, never by words, so that they work in any language.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random
from types import ModuleType
from typing import Any, Final, NamedTuple

from textual.screen import Screen

import companion.forms
from companion.archive import Archive, deck_records, stationery, web_access
from companion.archive.exchange import pages
from companion.games import registry
from companion.league import season
from companion.printing import jobs, wording
from companion.session.core import archive_journal
from companion.session.reading.table_questions import due_prompts
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.decks.form import FormContext
from companion.tui.palette import Palette, ThemePalette
from companion.tui.screens.archive import ArchiveScreen
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.decks.edition import EditionScreen
from companion.tui.screens.decks.photographs import FramedPhotograph, PhotographsScreen
from companion.tui.screens.decks.rebuild import RebuildScreen
from companion.tui.screens.decks.scan import ScanScreen
from companion.tui.screens.decks.versions import VersionsScreen
from companion.tui.screens.form import FormScreen
from companion.tui.screens.help import Help
from companion.tui.screens.home.another_game import AnotherGameScreen
from companion.tui.screens.home.doctor import DoctorScreen
from companion.tui.screens.home.home import Home
from companion.tui.screens.home.settings import SettingsScreen
from companion.tui.screens.leagues import LeagueScreen, LeaguesScreen
from companion.tui.screens.people import PeopleScreen
from companion.tui.screens.phones import PhonesScreen
from companion.tui.screens.plays import PlaysScreen
from companion.tui.screens.print import PrintedScreen, PrintScreen
from companion.tui.screens.statistics import StatisticsScreen
from companion.tui.screens.table.ceremony import CeremonyScreen, TonightScreen
from companion.tui.screens.table.evening import EveningScreen
from companion.tui.screens.table.table import TableScreen
from labels.designs import EffectLabel
from tests.archive import crowns
from tests.games.described.shown import CROWN_PLAYED, TRICKS_PLAYED, table_of
from tests.printing import evenings
from tests.scan import spreads
from tests.session.matches import ENTER, MATCHES
from tests.tui.hand import Hand

NOW: Final = datetime(2026, 3, 6, 20, tzinfo=UTC)
SIZE: Final = (80, 24)

Show = Callable[[Hand], Awaitable[None]]


class Sample(NamedTuple):
    """A screen, the keys that lead there, and what it shows.

    `table` is the session at whose table the program starts ("" for home), `forms` and `panels` are the names of
    classes, `is_empty` says that the archive has nothing yet, and `within` is the part of the screen that is meant. The
    program `serves` pages if asked to.
    """

    screen: type[Screen[Any]]
    show: Show
    table: str = ""
    forms: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    is_empty: bool = False
    within: str = ""
    serves: bool = False


class Samples(NamedTuple):
    """An archive with everything that the samples show, and its tables by their names here."""

    file: Path
    tables: dict[str, str]


def _play(archive: Archive, game: str, count: int) -> str:
    """Play the beginning of a match; return its session."""
    client = TableClient(SharedSessions(archive).open(archive_journal.start(archive, game).id))
    for name in ("Ana", "Ben"):
        client.enter(f"seat {name.lower()} name {name}")
    for text in MATCHES[game].typed[:count]:
        client.enter(text if text != ENTER else due_prompts(client.view)[0].line)
    return client.session.id


def _fight(archive: Archive, *more: str) -> str:
    """Begin a dungeon of three loose bands, and go on with these lines; return its session."""
    session = archive_journal.start(archive, "decknforge")
    for line in (
        *('seat ana name "Ana"', 'seat ben name "Ben"', "monster ana AS legend", "inscribed ana 5C sharp"),
        *("inscribed ana 6S thorns", "inscribed ana 8C bright", "active ana", "bosses ana:AS", "begin seed 1"),
        *more,
    ):
        session.enter(line)
    return session.id


_LOST: Final = (
    *("set boss hp 1", "reveal ana KS", "reveal ben 2H", "next", "damage", "bonus rally", "set table outcome loss"),
    "fade ana 5C 6S",
)


def _found_list(archive: Archive) -> None:
    """Found a deck by a list, and keep its second version."""
    game = registry.game("oddfrontier")
    assert game.decks.founding is not None
    answers = {"name": "Salt Tide", "holder": "Ben", "list": wording.read_example(game, "salt-tide.txt")}
    deck, _ = deck_records.new_deck(archive, game, game.decks.founding.validate_answers(answers, FormContext()))
    draft = deck_records.draft_list(archive, deck, "", ["-2 Crab", "+1 Gust", "+1 Hag | creature | Sea | 2/2"])
    deck_records.rebuild(archive, deck, draft.text, "too slow", "Ben")


def make_samples(file: Path) -> Samples:
    """Fill an archive with everything that the samples show."""
    with Archive.open(str(file), by="test", clock=lambda: NOW) as archive:
        tables = {"sealed": evenings.play(archive)}
        stationery.begin_sheet(archive, "blue folder", "18294", 60, tuple(range(16, 61)))
        stationery.claim(archive, {"blue folder": (16, 17)})
        stationery.calibrate(archive, "office", 0.5, -1.2, 1.001, 1.0)
        _found_list(archive)
        begun = season.create(
            archive, "Winter", ["Ana", "Ben", "Cy", "Dora", "Eve"], season.LeagueSettings(seed=1, rounds=3)
        )
        pairings = season.draw_next(archive, begun, 1)
        first = pairings.league.round(1)[0]
        season.enter(archive, pairings, season.read_outcome(pairings, [*first.people, "2-0"]))
        pages.add_page(archive, crowns.ONE)
        crowns.found_deck(archive, "Rex")
        pages.add_page(archive, crowns.TWO)
        tables |= {
            "dungeon": _fight(archive),
            "struck": _fight(archive, "reveal ana KS", "reveal ben 2H"),
            "lost": _fight(archive, *_LOST),
            "dying": _fight(archive, "set boss hp 1", "reveal ana KS", "reveal ben 2H", "next"),
            "setup": archive_journal.start(archive, "decknforge").id,
            "soulforger": _play(archive, "soulforger", 10),
            "oddfrontier": _play(archive, "oddfrontier", 9),
            "solforge": _play(archive, "solforge", 6),
            "crown": table_of(archive, "poisoned", CROWN_PLAYED),
            "tricks": table_of(archive, "bids", TRICKS_PLAYED),
        }
        over = archive_journal.start(archive, "solforge")
        for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1", "damage ben 120"):
            over.enter(line)
        tables["over"] = over.id
    return Samples(file, tables)


def press_keys(kind: type[Screen[Any]], *pressed: str) -> Show:
    """Press keys until a screen of this kind is on the terminal and at rest."""

    async def show(hand: Hand) -> None:
        for key in pressed:
            await hand.press(key)
            await hand.settle()
        await hand.until(lambda: isinstance(hand.app.screen, kind) and hand.app.screen.is_running)
        await hand.settle()

    return show


def type_lines(kind: type[Screen[Any]], *typed: str) -> Show:
    """Type lines and press keys (in <>) until a screen of this kind is on the terminal and at rest."""

    async def show(hand: Hand) -> None:
        for text in typed:
            if text.startswith("<"):
                await hand.press(text.strip("<>"))
            else:
                await hand.enter(text)
            await hand.settle()
        await hand.until(lambda: isinstance(hand.app.screen, kind) and hand.app.screen.is_running)
        await hand.settle()

    return show


def _table(name: str, *typed: str, panels: tuple[str, ...] = ()) -> Sample:
    return Sample(TableScreen, type_lines(TableScreen, *typed), name, panels=panels)


async def _show_stocks(hand: Hand) -> None:
    await press_keys(SettingsScreen, "f12")(hand)
    screen = hand.app.screen
    assert isinstance(screen, SettingsScreen)
    for _ in screen.cursor.places():
        if screen.cursor.at.field != "stock":
            await hand.press("tab")
            await hand.settle()
    assert screen.cursor.at.field == "stock"


async def _show_phones(hand: Hand) -> None:
    archive = hand.app.archive
    assert archive is not None
    web_access.open_access(archive, "271828", "own")
    web_access.admit_phone(archive, "Ana")
    web_access.block_phone(archive, web_access.admit_phone(archive, "Ben").phone)
    web_access.admit_phone(archive, "Cy", waiting=True)
    await press_keys(PhonesScreen, "ctrl+g", "down")(hand)


def _show_photograph(*keys: str) -> Show:
    """Type the path of a photograph of two labels of a deck, and press keys."""

    async def show(hand: Hand) -> None:
        archive = hand.app.archive
        assert archive is not None
        deck = next(row for row in archive.decks() if row.name == "Grave Choir")
        labels = jobs.cards_job(archive, [deck], with_codes=True).labels
        faces = [label for label in labels if isinstance(label, EffectLabel)][:2]
        picture = spreads.photograph_of(faces, [face.code for face in faces], Random(5), angle=1)
        Path("spread.jpg").write_bytes(picture.jpeg)
        await type_lines(PhotographsScreen, "grave", "<f8>", str(Path("spread.jpg").absolute()))(hand)
        await type_lines(FramedPhotograph if keys else PhotographsScreen, *keys)(hand)

    return show


async def _search_themes(hand: Hand) -> None:
    hand.app.search_themes()
    await type_lines(ThemePalette)(hand)


async def _show_keys(hand: Hand) -> None:
    hand.app.action_show_help_panel()
    await hand.until(lambda: bool(hand.app.screen.query("BindingsTable")))
    await hand.settle()


async def _fell_boss(hand: Hand) -> None:
    # A game of that kind has been sealed here, so the steps for the real cards are off.
    await hand.press("f6")
    await hand.until(lambda: hand.table.sitting.teaches)
    await hand.enter("damage")
    await hand.until(lambda: hand.table.has_class("-moment"))
    await hand.settle()


SAMPLES: Final[dict[str, Sample]] = {
    "welcome": Sample(Home, press_keys(Home), is_empty=True),
    "welcome, build": Sample(
        FormScreen, press_keys(FormScreen, "f4", "enter"), is_empty=True, forms=("LabelledDeckForm",)
    ),
    "home": Sample(Home, press_keys(Home), panels=("OverviewPanel", "KeyBar", "StatusLine")),
    "keys of home": Sample(Home, _show_keys, within="HelpPanel"),
    "home, other list": Sample(Home, press_keys(Home, "tab")),
    "home, nothing found": Sample(Home, type_lines(Home, "zzz")),
    "help of home": Sample(Help, press_keys(Help, "f1")),
    "commands": Sample(Palette, press_keys(Palette, "ctrl+p")),
    "themes": Sample(ThemePalette, _search_themes),
    "new table": Sample(FormScreen, press_keys(FormScreen, "f2")),
    "new table, seats": Sample(FormScreen, type_lines(FormScreen, "<f2>", "<enter>", "Ana", "zz", "<down>")),
    "build": Sample(FormScreen, press_keys(FormScreen, "f4")),
    "adopt": Sample(FormScreen, press_keys(FormScreen, "f3")),
    "another game": Sample(AnotherGameScreen, press_keys(AnotherGameScreen, "ctrl+n")),
    "another game, copied": Sample(
        AnotherGameScreen, type_lines(AnotherGameScreen, "<ctrl+n>", "<down>", "<enter>"), forms=("GameForm",)
    ),
    "print": Sample(PrintScreen, press_keys(PrintScreen, "f5"), forms=("PrintForm",), panels=("SheetMapPanel",)),
    "printed": Sample(PrintedScreen, press_keys(PrintedScreen, "f5", "ctrl+s")),
    "calibration": Sample(
        FormScreen, press_keys(FormScreen, "f5", "ctrl+s", *["down"] * 4, "enter"), forms=("CalibrationForm",)
    ),
    "scan": Sample(ScanScreen, press_keys(ScanScreen, "f6")),
    "scan, no code": Sample(ScanScreen, type_lines(ScanScreen, "<f6>", "DECK:7K3M9QPX2B4TD")),
    "phones": Sample(PhonesScreen, _show_phones, serves=True),
    "people": Sample(PeopleScreen, press_keys(PeopleScreen, "f7", "down")),
    "people, forget": Sample(PeopleScreen, press_keys(PeopleScreen, "f7", "f8")),
    "people, nickname": Sample(PeopleScreen, press_keys(PeopleScreen, "f7", "f4")),
    "leagues": Sample(LeaguesScreen, press_keys(LeaguesScreen, "ctrl+l")),
    "league form": Sample(FormScreen, press_keys(FormScreen, "ctrl+l", "f4"), forms=("LeagueForm",)),
    "league": Sample(LeagueScreen, press_keys(LeagueScreen, "ctrl+l", "enter")),
    "league, played": Sample(LeagueScreen, press_keys(LeagueScreen, "ctrl+l", "enter", "down", "down")),
    "league, draw": Sample(LeagueScreen, press_keys(LeagueScreen, "ctrl+l", "enter", "f2")),
    "statistics": Sample(StatisticsScreen, press_keys(StatisticsScreen, "ctrl+s")),
    "statistics, bosses": Sample(StatisticsScreen, press_keys(StatisticsScreen, "ctrl+s", *["down"] * 5)),
    "imported games": Sample(PlaysScreen, press_keys(PlaysScreen, "ctrl+s", "f4")),
    "import": Sample(FormScreen, press_keys(FormScreen, "ctrl+s", "f4", "f4"), forms=("PlayImportForm",)),
    "archive": Sample(ArchiveScreen, press_keys(ArchiveScreen, "ctrl+o")),
    "archive, checked": Sample(ArchiveScreen, press_keys(ArchiveScreen, "ctrl+o", "down", "enter")),
    "settings": Sample(SettingsScreen, press_keys(SettingsScreen, "f12"), forms=("SettingsForm",)),
    "settings, stocks": Sample(SettingsScreen, _show_stocks),
    "settings, further": Sample(SettingsScreen, type_lines(SettingsScreen, "<f12>", *["<enter>"] * 4)),
    "doctor": Sample(DoctorScreen, press_keys(DoctorScreen, "f12", "f2")),
    "deck": Sample(DeckScreen, type_lines(DeckScreen, "grave")),
    "help of a deck": Sample(Help, type_lines(Help, "grave", "<f1>")),
    "audit": Sample(FormScreen, type_lines(FormScreen, "grave", "<f2>", "<f6>"), forms=("AuditForm",)),
    "photographs": Sample(PhotographsScreen, type_lines(PhotographsScreen, "grave", "<f8>")),
    "photographs, compared": Sample(PhotographsScreen, _show_photograph()),
    "photograph with frames": Sample(FramedPhotograph, _show_photograph("<f3>")),
    "deck by a list": Sample(DeckScreen, type_lines(DeckScreen, "salt tide")),
    "versions": Sample(VersionsScreen, type_lines(VersionsScreen, "salt tide", "<f4>")),
    "rebuild": Sample(
        RebuildScreen, type_lines(RebuildScreen, "salt tide", "<f3>", "-4 Light House", "-1 Ox"), forms=("RebuildForm",)
    ),
    "deck with a later edition": Sample(DeckScreen, type_lines(DeckScreen, "rex")),
    "edition": Sample(EditionScreen, type_lines(EditionScreen, "rex", "<f7>")),
    "table that begins": _table("setup"),
    "dungeon": _table("dungeon", panels=("Head", "ZonePanel", "SeatPanel", "PromptList")),
    "dungeon from afar": _table("dungeon", "<f2>", panels=("Scoreboard",)),
    "log of a dungeon": _table("dungeon", "<f3>"),
    "Boss that has fallen": Sample(TableScreen, _fell_boss, "dying", panels=("MomentPanel",)),
    "game that ends": _table("solforge", "damage ben 120", panels=("EndingPanel",)),
    "dungeon, chosen": _table("dungeon", "<right>", "<plus>"),
    "dungeon, refused": _table("dungeon", "reveal ana XX"),
    "dungeon, next step": _table("struck"),
    "dungeon, undone": _table("struck", "<ctrl+z>"),
    "help of a table": Sample(Help, type_lines(Help, "<f1>"), "dungeon"),
    "table over": _table("over"),
    "evening": Sample(EveningScreen, type_lines(EveningScreen, "<f8>"), "over"),
    "ceremony": Sample(CeremonyScreen, type_lines(CeremonyScreen, "<enter>"), "lost"),
    "tonight": Sample(TonightScreen, type_lines(TonightScreen, "<enter>"), "sealed"),
    "evening of a dungeon": Sample(EveningScreen, type_lines(EveningScreen, "<enter>", "<f8>"), "sealed"),
    "sealed": _table("sealed"),
    "soulforger": _table("soulforger"),
    "oddfrontier": _table("oddfrontier"),
    "solforge": _table("solforge", panels=("LanesPanel",)),
    "crown": _table("crown"),
    "tricks": _table("tricks", panels=("ScoreSheetPanel",)),
}


def form_modules() -> list[ModuleType]:
    """All modules of forms."""
    return [import_module(each.name) for each in walk_packages(companion.forms.__path__, "companion.forms.")]
