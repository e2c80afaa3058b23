"""Two versions of a deck side by side: each in full, with the differences marked."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input, Static

from companion.archive import Archive, DeckRow, deck_records
from companion.games import registry
from companion.tabletop.decks.decklist import change_text, part_sizes
from companion.tabletop.decks.keeping import ListVersion
from companion.tui import drawing
from companion.tui.screens.base import STYLES, key_name
from companion.tui.screens.box import BoxScreen
from companion.tui.widgets.bars import KeyBar, KeyEffect, StatusLine
from companion.tui.widgets.portrait import PortraitPage
from templates.languages.dates import numeric_date
from templates.languages.messages import joined, phrase

_PAIR: Final = 2


class VersionsScreen(BoxScreen[None]):
    """The lists that a deck has had, two at a time; side by side if there is room, else one below the other."""

    CSS_PATH = STYLES / "versions.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="versions.back", tooltip="Back to the deck"),
        Binding("f1", "help", "Help", id="versions.help", show=False, tooltip="Explain the keys"),
        Binding(
            "left",
            "step(-1)",
            "Earlier",
            id="versions.earlier",
            priority=True,
            tooltip="Go to the previous version on both sides",
        ),
        Binding(
            "right",
            "step(1)",
            "Later",
            id="versions.later",
            priority=True,
            tooltip="Go to the next version on both sides",
        ),
        Binding("up", "scroll(-1)", "Up", id="versions.up", show=False, tooltip="Scroll both up by a row"),
        Binding("down", "scroll(1)", "Down", id="versions.down", show=False, tooltip="Scroll both down by a row"),
        Binding("pageup", "page(-1)", "Page up", id="versions.pageup", show=False, tooltip="Scroll both up by a page"),
        Binding(
            "pagedown", "page(1)", "Page down", id="versions.pagedown", show=False, tooltip="Scroll both down by a page"
        ),
    ]

    def __init__(self, archive: Archive, row: DeckRow) -> None:
        super().__init__()
        self._row = row
        self._lists = deck_records.deck_lists(archive, row.deck)
        self._days = {line.number: str(numeric_date(line.at)) for line in archive.story(row.deck)}
        self._at = (max(0, len(self._lists) - _PAIR), len(self._lists) - 1)

    def compose(self) -> ComposeResult:
        """Yield the changes, both lists, the field and the keys."""
        yield Static(id="title")
        with Container(id="sides"):
            for name in ("older", "newer"):
                page = PortraitPage(id=name)
                page.can_focus = False
                yield page
        box = Input(id="box", placeholder=str(phrase("two versions to compare, as 1 3")), select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the last two versions."""
        self.set_focus(self.box)
        self._show()

    def _show(self) -> None:
        older, newer = (self._lists[at] for at in self._at)
        changed = drawing.narrow_glyphs(str(change_text(older.cards, newer.cards)))
        title = Content.assemble((self._row.name, drawing.ACCENT), drawing.BULLET, changed)
        self.query_one("#title", Static).update(title)
        game = registry.game(self._row.game, self._row.page)
        for name, version, other in (("older", older, newer), ("newer", newer, older)):
            page = self.query_one(f"#{name}", PortraitPage)
            page.border_title = self._title(version)
            page.show_portrait(game.decks.list_portrait(version.cards, other.cards))
        back, help_ = (key_name(self, f"versions.{name}") for name in ("back", "help"))
        steps = f"{key_name(self, 'versions.earlier')} {key_name(self, 'versions.later')}"
        keys = (
            (back, phrase("Back"), "screen.back"),
            (steps, KeyEffect(phrase("Other versions"), phrase("Versions")), ""),
            ("↑ ↓", KeyEffect(phrase("Scroll both"), phrase("Scroll")), ""),
            (help_, phrase("Help"), "screen.help"),
        )
        self.query_one(KeyBar).show(keys)

    def _title(self, version: ListVersion) -> str:
        day = self._days.get(version.mark, "")
        number = phrase("Version {number}", number=str(version.version))
        return str(joined(drawing.BULLET, filter(None, (number, day, part_sizes(version.cards)))))

    @on(Input.Submitted, "#box")
    def compare(self, event: Input.Submitted) -> None:
        """Compare two versions by their numbers, in any order."""
        numbers = [version.version for version in self._lists]
        try:
            typed = [numbers.index(int(word)) for word in event.value.replace(",", " ").split()]
        except ValueError:
            typed = []
        if len(typed) != _PAIR:
            first, last = str(numbers[0]), str(numbers[-1])
            text = phrase(
                "Write two versions from {first} to {last}, as {example}.",
                first=first,
                last=last,
                example=f"{first} {last}",
            )
            self.say(text, wrong=True)
            self.box.select_all()
            return
        self._at = (min(typed), max(typed))
        self.box.value = ""
        self.say("")
        self._show()

    def action_step(self, by: int) -> None:
        """Move both versions by one, as far as there are any."""
        if self._at[0] + by >= 0 and self._at[1] + by < len(self._lists):
            self._at = (self._at[0] + by, self._at[1] + by)
            self._show()

    def action_scroll(self, by: int) -> None:
        """Scroll both lists by a row."""
        for page in self.query(PortraitPage):
            page.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll both lists by a page."""
        for page in self.query(PortraitPage):
            page.scroll_relative(y=by * max(1, page.size.height - 1), animate=False)
