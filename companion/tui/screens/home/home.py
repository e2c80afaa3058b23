"""The home screen: opens the tables and decks of its lists, and leads to every other screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, OptionList

from companion.forms import settings
from companion.games import registry
from companion.games.game_search import synonyms_of
from companion.tui.messages import RematchRequested, SampleRequested, TableRequested
from companion.tui.screens.base import STYLES
from companion.tui.screens.home.home_lists import SearchingScreen
from companion.tui.widgets.bars import Key, KeyBar
from companion.tui.widgets.panel import PagedList
from templates.languages.messages import Text, declared, joined, phrase, phrase_in

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.archive.fast_read import HomeLists
    from companion.forms.decks.deck_forms import NewDeck
    from companion.session.table.form_answers import Answers
    from companion.session.table.form_filling import Fillable, FormResult
    from companion.tui.screens.decks.deck import DeckScreen
    from companion.tui.screens.form import FormScreen


_OPENERS: Final[Mapping[str, tuple[str, str]]] = {
    "print": ("companion.tui.screens.print", "open_print"),
    "scan": ("companion.tui.screens.decks.scan", "open_scan"),
    "people": ("companion.tui.screens.people", "open_people"),
    "leagues": ("companion.tui.screens.leagues", "open_leagues"),
    "statistics": ("companion.tui.screens.statistics", "open_statistics"),
    "archive": ("companion.tui.screens.archive", "open_archive"),
    "settings": ("companion.tui.screens.home.settings", "open_settings"),
}
"""The functions that open the other screens, each with its module, which is loaded by its key."""


_DRAFTS: Final = {"Build": "Found", "Adopt": "Adopt"}
"""The names under which drafts are stored."""


class Home(SearchingScreen):
    """The home screen.

    Its lists fill when the archive is open, or begin with those that were read early; typed or scanned text searches
    them.
    """

    CSS_PATH = STYLES / "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", id="home.help", tooltip="Explain the keys"),
        Binding("f2", "new", "New table", id="home.new", tooltip="Choose who plays and with which decks"),
        Binding(
            "ctrl+n",
            "another",
            "Another game",
            id="home.another",
            show=False,
            tooltip="A game of your own on one page: choose a ready one, copy it, or answer a form",
        ),
        Binding("f4", "found", "Build", id="home.found", tooltip="Build a new deck, step by step"),
        Binding("f5", "go('print')", "Print", id="home.print", tooltip="Labels, record sheets, table aids, test pages"),
        Binding("f6", "go('scan')", "Scan", id="home.scan", tooltip="Identify a code, from a picture or typed"),
        Binding("f3", "adopt", "Adopt", id="home.adopt", tooltip="Import a deck that was kept on paper"),
        Binding("ctrl+t", "again", "Again", id="home.again", tooltip="The chosen table again, once its game is over"),
        Binding(
            "f7",
            "go('people')",
            "People",
            id="home.people",
            tooltip="Purses with their history, and who holds which deck",
        ),
        Binding("ctrl+l", "go('leagues')", "Leagues", id="home.leagues", tooltip="Pairings and standings"),
        Binding(
            "ctrl+s",
            "go('statistics')",
            "Statistics",
            id="home.statistics",
            show=False,
            tooltip="Who wins how often, by people, decks, opponents and more",
        ),
        Binding(
            "f12", "go('settings')", "Settings", id="home.settings", tooltip="Theme, printer, paper, where things are"
        ),
        Binding(
            "ctrl+o", "go('archive')", "Archive", id="home.archive", tooltip="Show its place and backups, and check it"
        ),
        Binding(
            "f9", "sample", "Sample", id="home.sample", tooltip="Open a sample campaign, or go back to your own archive"
        ),
        Binding("f8", "discard", "Remove it", id="home.discard", tooltip="Delete the sample campaign"),
        Binding("tab", "other_list", "Other list", id="home.other", tooltip="Go to the other list"),
        Binding("up", "move(-1)", "Row above", id="home.up", show=False, tooltip="Go to the row above"),
        Binding("down", "move(1)", "Row below", id="home.down", show=False, tooltip="Go to the row below"),
        Binding("pageup", "page(-1)", "Page up", id="home.pageup", show=False, tooltip="Scroll up by a page"),
        Binding("pagedown", "page(1)", "Page down", id="home.pagedown", show=False, tooltip="Scroll down by a page"),
        Binding("escape", "clear", "Back", id="home.back", show=False, tooltip="Clear the field"),
    ]

    is_home = True

    def __init__(self, lists: HomeLists | None = None) -> None:
        super().__init__(lists)
        self._forms: dict[str, dict[str, Answers]] = {}
        self._about = ""
        self._why_closed = phrase("The archive is not open yet; a moment, please.")

    def on_mount(self) -> None:
        """Focus the field, and show the early lists."""
        self.set_focus(self.box)
        self.say(phrase("Opening the archive …"))
        self.show_keys()
        self.show_early_lists()

    def show_keys(self) -> None:
        """Show the keys by their names after remapping."""
        active = {each.binding.id: each.binding for each in self.active_bindings.values()}
        keys: dict[str, Key] = {}
        for own in self.BINDINGS:
            binding = active.get(own.id) if isinstance(own, Binding) else None
            if binding is not None and binding.id and binding.show:
                key = self.app.get_key_display(binding)
                keys[binding.id] = (key, declared(binding.description), f"screen.{binding.action}")
        # Translators: “yours” is the user's own archive, after a look at the sample.
        to_own = phrase("Back to yours")
        back: list[Key] = [(keys.pop("home.sample")[0], to_own, "screen.sample")] if self.is_sample else []
        back += [keys.pop("home.discard")] if "home.discard" in keys else []
        if self.welcome is not None:
            keys.pop("home.again", None)
        opens = phrase("Go on") if self.welcome is not None else phrase_in("verb", "Open")
        keys_first = (("Enter", opens, "screen.enter"), *back)
        self.query_one(KeyBar).show((*keys_first, *keys.values(), ("^Q", phrase("Quit"), "app.quit")))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 – Textual's
        """Return False for `discard` unless the sample is shown."""
        return self.is_sample if action == "discard" else True

    def cannot_open(self, why: Text) -> None:
        """Report that the archive cannot be opened."""
        self._why_closed = joined(" ", (why, phrase("Nothing can be saved; Ctrl+Q ends.")))
        self.say(self._why_closed, wrong=True)

    async def show_archive(self, archive: Archive, *, is_sample: bool) -> None:
        """Show this archive from now on."""
        self.archive, self.is_sample = archive, is_sample
        self.set_class(is_sample, "-sample")
        self.box.value = ""
        self._forms.clear()
        self.refresh_bindings()
        self.show_keys()
        if await self.refresh_lists():
            self._tell_archive(archive)
        self.refresh_overview()
        self.refresh_backup_state()

    # Opening rows

    @on(Input.Submitted, "#box")
    async def submit_line(self) -> None:
        """Open the highlighted match of the text; if nothing matches, read the text as an id or report an error."""
        text = self.box.value.strip()
        if (welcome := self.welcome) is not None and (not text or welcome.answers(text)):
            self.box.value = ""
            await self.run_action(f"screen.{welcome.chosen}")
            return
        if text:
            await self.refresh_lists()
        lists = [each for each in (self._active_list, self.sessions, self.decks) if each is not None and each.chosen]
        if lists:
            await self._open(lists[0], lists[0].chosen)
        elif text and not await self._show_deck(text):
            # The next typed or scanned text replaces this one.
            self.box.select_all()

    @on(OptionList.OptionSelected, "#sessions")
    @on(OptionList.OptionSelected, "#decks")
    async def open_clicked_row(self, event: OptionList.OptionSelected) -> None:
        """Open a row on a click."""
        assert isinstance(event.option_list, PagedList)
        self._turn_to(event.option_list)
        await self._open(event.option_list, str(event.option_id))

    @on(Input.Changed, "#box")
    def choose_by_digit(self) -> None:
        """Go to the game of a typed digit while the archive is empty; Enter begins it.

        The digit alone does not begin it: a scanned or typed text may start with one.
        """
        if (welcome := self.welcome) is not None and (way := welcome.way_of_digit(self.box.value)):
            welcome.search("")
            welcome.highlighted = welcome.get_option_index(way)

    @on(OptionList.OptionHighlighted, "#welcome")
    def tell_about(self) -> None:
        """Show the full description of a game whose row is cut, until another one is highlighted."""
        if self.welcome is not None and self.welcome.cut_about != self._about:
            self._about = self.welcome.cut_about
            self.say(self._about)

    @on(OptionList.OptionSelected, "#welcome")
    async def begin(self, event: OptionList.OptionSelected) -> None:
        """Run the chosen way to begin on Enter or a click."""
        await self.run_action(f"screen.{event.option_id}")

    async def _open(self, rows: PagedList, which: str) -> None:
        """Continue a table, or open a deck's record."""
        if self._require_archive() is None:
            return
        if rows is self.sessions:
            self.box.value = ""
            self.post_message(TableRequested(which))
        else:
            await self._show_deck(which)

    async def _show_deck(self, text: str) -> bool:
        screen = await self._deck(text)
        if screen is not None:
            await self.app.push_screen(screen)
        return screen is not None

    async def _deck(self, text: str, message: Text = "") -> DeckScreen | None:
        """Return the screen of a deck; None, with a message, if there is none."""
        archive = self._require_archive()
        if archive is None:
            return None

        from companion.tui.screens.decks.deck import DeckScreen, look_up

        deck = await self._run_query(lambda: look_up(archive, text))
        if deck is None:
            return None
        self.box.value = ""
        return DeckScreen(archive, deck, message)

    def _require_archive(self) -> Archive | None:
        if self.archive is None:
            self.say(self._why_closed, wrong=True)
        return self.archive

    # Forms

    async def action_new(self, game: str = "") -> None:
        """Open the form for a new table, of this game if one is named."""
        if self._require_archive() is not None and (form := await self._table_form(game)) is not None:
            await self.app.push_screen(form)

    async def _table_form(self, game: str = "") -> FormScreen | None:
        """Return the form for a new table; None, with a message, if the games cannot be read."""
        from companion.session.table.seating import TableForm
        from companion.tabletop.table.choices import Choice
        from companion.tabletop.table.house_rules import TABLE

        archive = self.archive
        assert archive is not None
        listed = await self._read_games(archive)
        if listed is None:
            return None
        draws = settings.read_settings().draws or TABLE
        another = Choice(
            "another game", phrase("Another game…"), phrase("a ready one, a copy that you change, or your own")
        )
        offered = (*(Choice(each.name, each.title, synonyms=synonyms_of(each)) for each in listed), another)
        return await self._form(
            "table",
            (game,) if game else [each.name for each in listed],
            lambda game: TableForm(archive, registry.game(game), draws),
            self._to_table,
            offered=offered,
            ways={another.value: self._another_game},
            asks_before_leaving=True,
        )

    async def action_another(self) -> None:
        """Open the screen for a game that a page describes: a ready one, a copy of it, or the user's own."""
        if self._require_archive() is not None:
            await self.app.push_screen(await self._another_game())

    async def _another_game(self) -> FormScreen:
        from companion.tui.screens.home.another_game import AnotherGameScreen

        archive = self.archive
        assert archive is not None
        return await AnotherGameScreen.of(archive, self._play)

    async def _play(self, outcome: FormResult) -> FormScreen | None:
        """Go on to a table of the game that was chosen or described."""
        return await self._table_form(outcome.id)

    def action_again(self) -> None:
        """Open the chosen table again, with its people, decks and house rules, or the next game of its match."""
        chosen = self.sessions.chosen if self._active_list is self.sessions else None
        if self._require_archive() is not None and chosen:
            self.post_message(RematchRequested(chosen))
        else:
            self.say(
                phrase("Choose a table whose game is over, to open it again with its people, decks and rules."),
                wrong=True,
            )

    async def action_found(self) -> None:
        """Open the form that builds a new deck."""
        await self._new_deck("Build")

    async def action_adopt(self) -> None:
        """Open the form that adopts a deck from its paper record sheet."""
        await self._new_deck("Adopt")

    async def _new_deck(self, how: NewDeck) -> None:
        from companion.forms.decks.deck_forms import LabelledDeckForm, new_deck_forms

        archive = self._require_archive()
        if archive is None:
            return
        forms = await self._run_query(lambda: new_deck_forms(archive, how))
        if forms is None:
            return

        def open_form(game: str) -> Fillable:
            return LabelledDeckForm(archive, registry.game(game), forms[game], how)

        await self.app.push_screen(await self._form(_DRAFTS[how], [*forms], open_form, self._open_new_deck))

    async def _form(
        self,
        what: str,
        games: Sequence[str],
        open_form: Callable[[str], Fillable],
        leads: Callable[[FormResult], Awaitable[Screen[Any] | None]],
        **more: Any,
    ) -> FormScreen:
        """Return a form that goes on with `leads`; it offers its last draft."""
        from companion.tui.screens.form import FormScreen

        assert self.archive is not None
        beside = self.archive.name
        if what not in self._forms:
            self._forms[what] = settings.draft_answers(beside, what)
        keep = partial(settings.keep_draft, beside, what)
        usual = await self._run_query(self.archive.last_game) or ""
        return FormScreen(games, open_form, self._forms[what], usual if usual in games else "", keep, leads, **more)

    async def _to_table(self, outcome: FormResult) -> None:
        self.post_message(TableRequested(outcome.id))

    async def _open_new_deck(self, outcome: FormResult) -> DeckScreen | None:
        return await self._deck(outcome.id, str(outcome.message))

    # Everything else

    def action_sample(self) -> None:
        """Switch to the sample campaign, or back to the user's own archive."""
        if self._require_archive() is not None:
            self.post_message(SampleRequested())

    def action_discard(self) -> None:
        """Go back to the user's own archive, and delete the sample."""
        self.post_message(SampleRequested(discard=True))

    async def action_go(self, way: str) -> None:
        """Open one of the other screens."""
        archive = self._require_archive()
        if archive is not None:
            module, opener = _OPENERS[way]
            screens = await asyncio.to_thread(import_module, module)
            await getattr(screens, opener)(self, archive)

    def action_help(self) -> None:
        """Show the keys of this screen."""
        from companion.tui.screens.help import Help

        self.app.push_screen(Help(self.active_bindings))
