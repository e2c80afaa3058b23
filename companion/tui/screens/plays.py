"""The list of games that were imported: played without the companion, or before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive
from companion.archive.exchange import play_removal
from companion.archive.exchange.play_removal import name_play
from companion.archive.storage.plays import ImportedPlay
from companion.archive.storage.rows import PAGE
from companion.forms.play_form import PlayImportForm
from companion.session.table.form_filling import FormResult
from companion.tui import drawing
from companion.tui.screens.base import StatusScreen, key_name
from companion.tui.screens.form import open_form
from companion.tui.screens.listing import ListScreen
from companion.tui.widgets.bars import Key, KeyEffect
from templates.languages.dates import full_date, numeric_date
from templates.languages.messages import phrase, phrase_in, phrases


class PlaysScreen(ListScreen):
    """All imported games, newest first; one can be removed, and brought back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f4", "import_file", "Import", id="plays.import", tooltip="Import an export of BG Stats or a list of scores"
        ),
        Binding(
            "f8",
            "remove",
            "Remove",
            id="plays.remove",
            tooltip="Remove the chosen game, so that it no longer counts, or bring it back; press it twice",
        ),
    ]
    heading = phrase("Imported games")
    placeholder = phrase("type a game, a name or a year")
    verb = phrase_in("verb", "Show")
    nothing = phrase("No game was imported yet. F4 imports an export of the app BG Stats, or a list of old scores.")

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._plays: Mapping[str, ImportedPlay] = {}
        self._unconfirmed = ""

    def page(self, text: str, number: int) -> tuple[Sequence[Option], int, int]:
        """Return a page of the games that have every typed word in their title, date or players."""
        plays = play_removal.find_plays(self.archive, text)
        start = number - number % PAGE
        self._plays = {play.row.source: play for play in plays[start : start + PAGE]}
        return [_option(play) for play in self._plays.values()], start, len(plays)

    def describe_row(self, row: str) -> Content:
        """Describe a game: when and where it was played, by whom, and with what result."""
        play = self._plays.get(row)
        return Content("\n").join(_describe(play)) if play is not None else Content("")

    async def take(self, row: str, text: str) -> None:
        """Show all games again with the chosen one described."""
        self._unconfirmed = self.box.value = ""
        self.say("" if row else phrase("No imported game has “{text}”.", text=text), wrong=not row)

    async def action_import_file(self) -> None:
        """Open the form for an import."""
        self._unconfirmed = ""
        await open_form(self, lambda: PlayImportForm(self.archive), self._show_import)

    async def _show_import(self, outcome: FormResult | None) -> None:
        if outcome is not None:
            self.box.value = ""
            await self.refill()
            self.say(str(outcome.message))

    async def action_remove(self) -> None:
        """Remove the chosen game, or bring it back, after a second press."""
        play = self._plays.get(self.rows.chosen)
        if play is None:
            return
        key = key_name(self, "plays.remove")
        if self._unconfirmed != play.row.source:
            self._unconfirmed = play.row.source
            question = (
                phrase("{key} again brings back {play}: it counts again.", key=key, play=name_play(play))
                if play.is_removed
                else phrase(
                    "{key} again removes {play}: it no longer counts, and can be brought back.",
                    key=key,
                    play=name_play(play),
                )
            )
            self.say(question, wrong=not play.is_removed)
            return
        self._unconfirmed = ""
        change = play_removal.restore_play if play.is_removed else play_removal.remove_play
        changed = await self.run_query(lambda: change(self.archive, play.row.source))
        await self.refill(play.row.source)
        if changed is not None:
            self.say(
                phrase("{play} is removed; {key} brings it back.", play=name_play(play), key=key)
                if changed.is_removed
                else phrase("{play} counts again.", play=name_play(play))
            )

    async def action_move(self, by: int) -> None:
        """Move `by` rows down; what was asked about another row is no longer confirmed."""
        self._unconfirmed = ""
        await super().action_move(by)

    def keys(self) -> Sequence[Key]:
        """Return the keys that import games and remove one."""
        importing = (key_name(self, "plays.import"), phrase_in("verb", "Import"), "screen.import_file")
        if not self._plays:
            return (importing,)
        remove = KeyEffect(phrase("Remove or bring back"), phrase_in("verb", "Remove"))
        return (importing, (key_name(self, "plays.remove"), remove, "screen.remove"))


def _option(play: ImportedPlay) -> Option:
    style = drawing.DIM if play.is_removed else drawing.BOLD
    about = numeric_date(play.row.at)
    if play.is_removed:
        about = phrase("{day} · removed", day=about)
    return Option(Content.assemble((play.row.name, style), (f"  {about}", drawing.DIM)), play.row.source)


def _describe(play: ImportedPlay) -> Iterator[Content]:
    row, result = play.row, play.row.result
    yield Content.assemble((row.name, "bold $text-accent"), drawing.BULLET, str(full_date(row.at)))
    if play.is_removed:
        yield Content.styled(str(phrase("Removed: it does not count in statistics.")), "$text-warning")
    yield Content("")
    for player in sorted(result.players, key=lambda each: (each.result != "won", each.place)):
        figures = ", ".join(map(str, player.final.values()))
        won = str(phrase_in("player", "won")) if player.result == "won" else ""
        yield Content.assemble((player.name, drawing.BOLD), f"  {figures}", (f"  {won}", drawing.FIGURE))
    if result.outcome == "draw":
        yield Content(str(phrase("It was a draw.")))
    if result.minutes:
        yield Content(str(phrases("{n} minute", "{n} minutes", n=result.minutes)))
    if result.venue:
        yield Content(result.venue)
    yield Content("")
    yield Content.styled(f"{row.source.partition(':')[0]} · {play.id}", drawing.DIM)


async def open_plays(screen: StatusScreen, archive: Archive) -> None:
    """Open the list of imported games."""
    await screen.app.push_screen(PlaysScreen(archive))
