"""The later editions of a deck's page: the changes that each makes for the deck, and whether to adopt one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content

from companion.archive import Archive, ArchiveError, DeckRow
from companion.archive.exchange import pages
from companion.archive.storage.rows import PageRow
from companion.tui import drawing, frame
from companion.tui.screens.asking import AnswerRow, AskingScreen
from companion.tui.screens.base import key_name
from companion.tui.screens.help import Help
from templates.languages.messages import Text, phrase


class Later(NamedTuple):
    """A later edition, and its changes, a sentence each."""

    page: PageRow
    changes: tuple[Text, ...]


def look_up_later(archive: Archive, row: DeckRow) -> tuple[Later, ...]:
    """Return the later editions of a deck's page, the earliest first. Raises ArchiveError."""
    return tuple(Later(page, pages.edition_changes(archive, row, page)) for page in pages.later_editions(archive, row))


class EditionScreen(AskingScreen):
    """Shows the changes of later editions, and asks for the edition that the deck follows."""

    def __init__(self, archive: Archive, row: DeckRow, later: Sequence[Later]) -> None:
        super().__init__()
        self._archive = archive
        self._row = row
        self._later = later

    def on_mount(self) -> None:
        """Show the latest edition last, and offer it first."""
        what = str(phrase("later editions"))
        self.show_where(Content.assemble((self._row.name, "bold $text-accent"), drawing.BULLET, what))
        self.show_keys(
            ("Enter", phrase("Choose"), ""),
            (key_name(self, "asking.back"), phrase("Back"), "screen.back"),
            (key_name(self, "asking.help"), phrase("Help"), "screen.help"),
        )
        self.tell([row for each in self._later for row in _rows(each)])
        takes = [
            AnswerRow(
                phrase("Edition {number}", number=str(each.page.edition)),
                phrase("from now on; what is written on cards stays"),
                each,
            )
            for each in reversed(self._later)
        ]
        # Translators: The deck stays with its current edition.
        stay = AnswerRow(phrase("Stay"), phrase("with its current edition"), None)
        self.ask(phrase("Which edition should {deck} use?", deck=self._row.name), (stay, *takes))

    async def take(self, answer: AnswerRow) -> None:
        """Adopt the edition or stay with the current one, and go back to the deck."""
        if isinstance(answer.means, Later):
            try:
                await asyncio.to_thread(pages.take_edition, self._archive, self._row, answer.means.page.page)
            except ArchiveError as error:
                self.say(frame.describe_error(error), wrong=True)
                return
        self.dismiss()

    async def enter(self, text: str) -> None:
        """Report that the text names no edition: nothing else is typed here."""
        self.say(phrase("No edition is called “{text}”; choose one of the list.", text=text.strip()), wrong=True)

    async def back(self) -> None:
        """Go back to the deck, which keeps its edition."""
        self.dismiss()

    async def action_take_back(self) -> None:
        """Report that nothing was changed here yet."""
        self.say(phrase("Nothing was changed here."))

    def action_help(self) -> None:
        """Show the keys of this screen."""
        self.app.push_screen(Help(self.active_bindings))


def _rows(later: Later) -> list[Content]:
    edition = phrase("Edition {number} of {game}", number=str(later.page.edition), game=later.page.title)
    head = Content.styled(drawing.narrow_glyphs(str(edition)), drawing.BOLD)
    sentences: Sequence[Text] = later.changes or (phrase("It changes nothing that this program can show."),)
    return [head, *(Content(f"  {drawing.narrow_glyphs(str(sentence))}") for sentence in sentences)]
