"""The deck screen: its record as it is today, its chores, and its story."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import ClassVar, NamedTuple, TypeVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.archive import Archive, ArchiveError, DeckRow, deck_id, deck_records
from companion.archive.chapters import Chapter
from companion.archive.exchange import pages
from companion.forms.decks.audit_form import AuditForm
from companion.forms.decks.deck_forms import RebuildForm
from companion.games import registry
from companion.session.table import terms
from companion.session.table.form_filling import FormResult
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.portrait import Portrait
from companion.tabletop.records import Chore, Record, facts
from companion.tui import drawing, frame
from companion.tui.screens.base import STYLES, key_name
from companion.tui.screens.box import BoxScreen
from companion.tui.screens.decks.edition import EditionScreen, look_up_later
from companion.tui.screens.decks.rebuild import RebuildScreen
from companion.tui.screens.decks.versions import VersionsScreen
from companion.tui.screens.form import open_form
from companion.tui.screens.help import Help
from companion.tui.widgets.bars import Key, KeyBar, KeyEffect, StatusLine
from companion.tui.widgets.page import Page
from companion.tui.widgets.panel import ChoosingList
from companion.tui.widgets.portrait import PortraitPage
from templates.languages.dates import numeric_date
from templates.languages.messages import Text, phrase, phrase_in

T = TypeVar("T")


class ShownDeck(NamedTuple):
    """A deck as it is today; the chapters of its story are in order, oldest first."""

    row: DeckRow
    record: Record
    chapters: Sequence[Chapter]
    chores: Sequence[Chore]
    portrait: Portrait | None
    versions: int
    """The number of lists that it has had; 0 if such decks have none."""
    later: int
    """The number of later editions of its game's page in the archive."""


def look_up(archive: Archive, text: str) -> ShownDeck:
    """Return the deck of an id, in any spelling, or of the beginning of a name. Raises ArchiveError, DeckIdError."""
    row = archive.find_deck(text)
    try:
        game = registry.game(row.game, row.page)
    except NotationError as error:
        raise ArchiveError(str(error)) from error
    record = archive.record(row.deck)
    chores = deck_records.chores(archive, row.deck)
    marks = archive.marks(row.deck)
    versions = len(game.decks.keeping.lists(marks)) if game.decks.keeping else 0
    later = len(pages.later_editions(archive, row)) if row.page else 0
    return ShownDeck(
        row, record, archive.chapters(row.deck), chores, game.decks.portrait(record, marks), versions, later
    )


class DeckScreen(BoxScreen[None]):
    """The record of one deck; if the cards in the box differ, they are right."""

    CSS_PATH = STYLES / "deck.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="deck.back", tooltip="Clear the field; back home"),
        Binding("f1", "help", "Help", id="deck.help", show=False, tooltip="Explain the keys"),
        Binding("tab,right", "app.focus_next", "Next column", id="deck.next", tooltip="Go to the next column"),
        Binding(
            "shift+tab,left",
            "app.focus_previous",
            "Column before",
            id="deck.before",
            tooltip="Go to the previous column",
        ),
        Binding("space,enter", "tick", "Done", id="deck.tick", tooltip="Check off the selected chore"),
        Binding("f2", "tick_all", "All done", id="deck.all", tooltip="Check off all chores"),
        Binding("f3", "rebuild", "Rebuild", id="deck.rebuild", tooltip="Swap cards, or change the whole list"),
        Binding(
            "f4", "versions", "Versions", id="deck.versions", tooltip="Compare two versions of its list side by side"
        ),
        Binding("f5", "print", "Print", id="deck.print", tooltip="Print its labels, its box label or its record sheet"),
        Binding(
            "f6", "audit", "Look through", id="deck.audit", tooltip="Compare the box with its record, card by card"
        ),
        Binding(
            "f8", "photographs", "Photographs", id="deck.photographs", tooltip="Compare photographs with its record"
        ),
        Binding("f7", "edition", "Edition", id="deck.edition", tooltip="Show later editions of its game's page"),
        Binding("ctrl+z", "untick", "Not done", id="deck.undo", tooltip="Undo the last check mark made here"),
    ]

    chores = getters.query_one("#chores", OptionList)

    def __init__(self, archive: Archive, deck: ShownDeck, message: Text = "") -> None:
        super().__init__()
        self._archive = archive
        self._deck = deck
        self._message = message
        self._visit = deck_records.Visit(archive)

    def compose(self) -> ComposeResult:
        """Yield the name and id, the record beside the story, the field and the keys."""
        yield Static(id="name")
        with Container(id="sides"):
            with Container(id="today"):
                record = PortraitPage(id="record")
                record.border_title = str(phrase("Today"))
                yield record
                yield ChoosingList(id="chores")
            story = Page(id="story")
            story.border_title = str(phrase("Story, newest first"))
            yield story
        box = Input(id="box", placeholder=str(phrase("scan or type another box")), select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the chores, or the record for the arrow keys to scroll."""
        self.mark_new_offers()
        self._show()
        self.say(self._message or self._later_text())
        self._to_columns()

    def _later_text(self) -> Text:
        if not self._deck.later:
            return ""
        return phrase(
            "There is a later edition of its game's page; {key} shows what it changes for this deck.",
            key=key_name(self, "deck.edition"),
        )

    def _to_columns(self) -> None:
        self.box.value = ""
        self.set_focus(self.chores if self._deck.chores else self.query_one("#record"))

    def _show(self) -> None:
        """Show the record, the story and the chores."""
        row = self._deck.row
        title = (row.name, "bold $text-accent"), drawing.BULLET, str(registry.title(row.game, row.page))
        self.query_one("#name", Static).update(
            Content.assemble(*title, drawing.BULLET, (deck_id.show(row.deck), drawing.DIM))
        )
        record = self.query_one("#record", PortraitPage)
        if self._deck.portrait is None:
            record.show(_rows(self._deck.record))
        else:
            record.show_portrait(self._deck.portrait)
        self.query_one("#story", Page).show(_story(self._deck.chapters))
        at = self.chores.highlighted or 0
        self.chores.clear_options()
        self.chores.add_options(
            [Option(Content(f"☐ {drawing.narrow_glyphs(str(chore.text))}"), chore.id) for chore in self._deck.chores]
        )
        self.chores.highlighted = min(at, len(self._deck.chores) - 1) if self._deck.chores else None
        self.chores.display = bool(self._deck.chores)
        count = str(len(self._deck.chores))
        prints = phrase("{key} prints the labels for it", key=key_name(self, "deck.print"))
        self.chores.border_title = str(phrase("To be done by hand · {n}", n=count))
        self.chores.border_subtitle = str(prints)
        self.query_one(KeyBar).show(tuple(self._keys()))

    def _keys(self) -> Iterator[Key]:
        yield (key_name(self, "deck.back"), phrase("Back"), "screen.back")
        if self._deck.chores:
            yield ("Space", phrase("Done"), "screen.tick")
            yield (key_name(self, "deck.all"), phrase("All done"), "screen.tick_all")
        if self._visit.ticks:
            yield (
                key_name(self, "deck.undo"),
                KeyEffect(phrase("Not done after all"), phrase("Undo")),
                "screen.untick",
            )
        if self._deck.versions:
            yield (key_name(self, "deck.rebuild"), phrase("Rebuild"), "screen.rebuild")
        if self._deck.versions > 1:
            yield (key_name(self, "deck.versions"), phrase("Versions"), "screen.versions")
        if self._deck.later:
            yield (
                key_name(self, "deck.edition"),
                KeyEffect(phrase("Later edition"), phrase_in("key", "Edition")),
                "screen.edition",
            )
        yield (key_name(self, "deck.print"), phrase("Print"), "screen.print")
        yield (key_name(self, "deck.help"), phrase("Help"), "screen.help")
        yield (
            key_name(self, "deck.audit"),
            KeyEffect(phrase("Look through the box"), phrase_in("key", "Box")),
            "screen.audit",
        )
        yield (key_name(self, "deck.photographs"), phrase("Photographs"), "screen.photographs")
        yield ("Tab", phrase("Next column"), "app.focus_next")
        yield ("↑ ↓", phrase("Scroll"), "")

    async def action_tick(self) -> None:
        """Tick off the chosen chore."""
        at = self.chores.highlighted
        if at is None or not self._deck.chores:
            self.say(phrase("Nothing is left to be done by hand."))
        else:
            await self._tick((self._deck.chores[at].id,))

    @on(Input.Submitted, "#box")
    async def submit_line(self, event: Input.Submitted) -> None:
        """Show the deck of another box in place of this one."""
        if not event.value.strip():
            await self.action_tick()
            return
        try:
            deck = await asyncio.to_thread(look_up, self._archive, event.value)
        except (ArchiveError, deck_id.DeckIdError) as error:
            self.say(frame.describe_error(error), wrong=True)
            # The next typed or scanned text replaces this one.
            self.box.select_all()
            return
        self._deck, self._visit = deck, deck_records.Visit(self._archive)
        self.mark_new_offers()
        self._show()
        self._to_columns()
        self.say(self._later_text())

    def action_help(self) -> None:
        """Show the keys, and the terms of the deck's game."""
        row = self._deck.row
        all_terms = terms.game_terms(registry.game(row.game, row.page))
        self.app.push_screen(Help(self.active_bindings, terms=all_terms))

    async def action_print(self) -> None:
        """Open the form that prints parts of this deck."""
        from companion.tui.screens.print import open_print

        await open_print(self, self._archive, {"what": "deck", "which": deck_id.show(self._deck.row.deck)})

    async def action_audit(self) -> None:
        """Compare the box with its record, and report the corrections."""
        try:
            form = await asyncio.to_thread(AuditForm, self._archive, self._deck.row, drawing.narrow_glyphs)
        except RuleError as error:
            self.say(frame.describe_error(error), wrong=True)
            return
        await open_form(self, lambda: form, self._show_outcome)

    async def action_photographs(self) -> None:
        """Compare photographs of the spread cards with the record; changes show here afterwards."""
        from companion.tui.screens.decks.photographs import PhotographsScreen

        await self.app.push_screen(PhotographsScreen(self._archive, self._deck.row), self._return_from_photographs)

    async def _return_from_photographs(self, _: object) -> None:
        await self._read_again()

    async def action_rebuild(self) -> None:
        """Build the next version, and report the changes."""
        if not self._deck.versions:
            self.say(phrase("Decks of this game have no list: their cards change through play."))
            return

        form = await asyncio.to_thread(RebuildForm, self._archive, self._deck.row)
        await self.app.push_screen(RebuildScreen(form), self._show_outcome)

    async def action_versions(self) -> None:
        """Show two versions of the deck's list."""
        if self._deck.versions <= 1:
            has_one = phrase("There is only one version of it so far.")
            self.say(has_one if self._deck.versions else phrase("Such decks have no list."))
            return

        await self.app.push_screen(VersionsScreen(self._archive, self._deck.row))

    async def action_edition(self) -> None:
        """Show what later editions of the game's page change for this deck, and offer to adopt one."""
        if not self._deck.later:
            no_later = phrase("There is no later edition of its game's page.")
            self.say(no_later if self._deck.row.page else phrase("Its game is not described by a page."))
            return

        later = await asyncio.to_thread(look_up_later, self._archive, self._deck.row)
        await self.app.push_screen(EditionScreen(self._archive, self._deck.row, later), self._edition_asked)

    async def _edition_asked(self, _: object) -> None:
        before = self._deck.row.page
        await self._read_again()
        if self._deck.row.page == before:
            self.say(phrase("It still uses the same edition."))
        else:
            edition = registry.game(self._deck.row.game, self._deck.row.page).edition
            self.say(phrase("It uses edition {number} from now on.", number=str(edition)))

    async def _show_outcome(self, outcome: FormResult | None) -> None:
        if outcome is not None:
            await self._read_again()
            self.say(str(outcome.message))

    async def _read_again(self) -> None:
        self._deck = await asyncio.to_thread(look_up, self._archive, self._deck.row.deck)
        self._show()

    async def action_back(self) -> None:
        """Clear the field; if it is empty, go back home."""
        if self.box.value:
            self._to_columns()
        else:
            self.dismiss()

    @on(OptionList.OptionSelected, "#chores")
    async def tick_clicked(self) -> None:
        """Tick off a chore on Enter or a click."""
        await self.action_tick()

    async def action_tick_all(self) -> None:
        """Tick off all chores."""
        if self._deck.chores:
            await self._tick(("all",))
        else:
            self.say(phrase("Nothing is left to be done by hand."))

    async def _tick(self, ids: Sequence[str]) -> None:
        if not self.offers_precede_press:
            self.leave_out()  # these chores were not visible yet
            return
        ticked_chores = await self._write(lambda: self._visit.tick(self._deck.row.deck, ids))
        if ticked_chores is not None:
            self._show()
            # Translators: {chores} are what somebody has done by hand.
            self.say(phrase("Done: {chores}", chores=drawing.in_brief(str(chore.text) for chore in ticked_chores)))

    async def action_untick(self) -> None:
        """Undo the last tick; no story records either."""
        if not self._visit.ticks:
            self.say(phrase("Nothing was checked off here."))
        elif await self._write(self._visit.take_back) is not None:
            self._show()
            self.say(phrase("That is to be done again."))

    async def _write(self, what: Callable[[], T]) -> T | None:
        """Write, then read the deck again; report an error and return None if nothing was written."""
        try:
            outcome = await asyncio.to_thread(what)
            self._deck = await asyncio.to_thread(look_up, self._archive, self._deck.row.deck)
        except (ArchiveError, RuleError) as error:
            self.say(frame.describe_error(error), wrong=True)
            return None
        return outcome


def _rows(record: Record) -> Iterator[Content]:
    """Yield a record's facts, one per row."""
    for level, name, text in facts(record):
        margin = "  " * level
        if not name:
            yield Content(f"{margin}{text}")
        else:
            heading = (str(name), drawing.BOLD) if not text else (f"{name} ", drawing.DIM)
            yield Content.assemble(margin, heading, str(text))


def _story(chapters: Sequence[Chapter]) -> Iterator[Content]:
    """Yield a deck's story, the newest chapter first: evenings whole, the time between them line by line."""
    if not chapters:
        yield Content.styled(str(phrase("Nothing has been written down yet.")), drawing.DIM)
    for chapter in reversed(chapters):
        if chapter.kind == "evening":
            yield from _evening(chapter)
        else:
            for line in (*chapter.chores[::-1], *chapter.own_lines):
                yield _prefix_date(line.at, Content(drawing.narrow_glyphs(str(line.text))))


def _evening(chapter: Chapter) -> Iterator[Content]:
    """Yield the title of the evening, its events, its lines on the deck, and last the chores."""
    title = Content.styled(drawing.narrow_glyphs(str(chapter.title)), drawing.BOLD)
    yield _prefix_date(
        chapter.at, title + Content(f" · {drawing.narrow_glyphs(chapter.venue)}") if chapter.venue else title
    )
    for text in (*chapter.facts, *(line.text for line in chapter.own_lines)):
        yield Content(f"  {drawing.narrow_glyphs(str(text))}")
    for line in chapter.chores:
        yield Content.styled(f"  {drawing.narrow_glyphs(str(line.text))}", drawing.DIM)


def _prefix_date(at: datetime, text: Content) -> Content:
    return Content.assemble((f"{numeric_date(at)}  ", drawing.DIM), text)
