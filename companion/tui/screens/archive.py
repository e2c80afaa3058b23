"""The archive screen: its place and size, its backups, and its integrity."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from textual import work
from textual.content import Content
from textual.message import Message as ScreenMessage
from textual.widgets.option_list import Option

from companion.archive import Archive, ArchiveError, maintenance
from companion.archive.maintenance import Fault
from companion.archive.recovery import backups
from companion.archive.recovery.backups import Backup
from companion.archive.sharing import deck_decisions, questions
from companion.archive.sharing.deck_decisions import DeckDecision
from companion.archive.storage.lists import StreamProgress
from companion.archive.storage.lookup import StoryLine
from companion.forms import archive_upkeep
from companion.tabletop.text import in_quotes, sanitize
from companion.tui import drawing, frame
from companion.tui.screens.base import StatusScreen
from companion.tui.screens.listing import ListScreen, fits
from companion.tui.screens.plays import open_plays
from templates.languages.dates import date_and_time
from templates.languages.messages import Text, listed, phrase

_IMPORTED = "imported"
_WAYS: Mapping[str, tuple[Text, Text]] = {
    "info": (phrase("Where it is"), phrase("The place of this archive, and its backups.")),
    "check": (
        phrase("Check it"),
        phrase("Reads everything, to check that it is undamaged and that its lists agree with its entries."),
    ),
    "repair": (
        phrase("Rebuild its lists"),
        phrase("Rebuilds lists that a check found wrong; entries are never changed."),
    ),
    "backup": (
        phrase("Copy it"),
        phrase("Writes a complete copy beside the archive; you can continue meanwhile."),
    ),
    _IMPORTED: (
        phrase("Imported games"),
        phrase("Imports games that were played without the companion: an export of BG Stats, or a list of old scores."),
    ),
}
_ACCEPT = "accept"
_DECISION = "decision"
_ACCEPTANCE = (archive_upkeep.ACCEPTANCE, archive_upkeep.ABOUT_ACCEPTANCE)

_ACCEPT_QUESTION = phrase("Enter again takes it as it is, and it is written to from then on.")
_PUTS_BACK = phrase("Checks this backup and puts it in the archive's place; what is here now is kept beside it.")


class ArchiveScreen(ListScreen):
    """The actions on the archive; each runs beside the screen and reports its progress."""

    heading = phrase("Archive")
    placeholder = phrase("type what to do")
    verb = phrase("Do it")
    nothing = phrase("There is nothing with this name; Esc clears the field.")

    class AcceptanceRequested(ScreenMessage):
        """A request to accept the archive as it is, though this computer last saw more in it."""

    class RestoreRequested(ScreenMessage):
        """A request to replace the archive by a backup."""

        def __init__(self, backup: Path) -> None:
            super().__init__()
            self.backup = backup

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._is_busy = threading.Lock()
        self._faults: Sequence[Fault] | None = None
        self._backups: Mapping[str, Backup] = {}
        self._decisions: Mapping[str, DeckDecision] | None = None
        self._unconfirmed = ""

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the decisions that a shared folder waits for, the actions, and the backups to go back to."""
        self._backups = archive_upkeep.find_backups(self.archive)
        titles = {row: str(decision.title) for row, decision in self._read_decisions().items()}
        titles |= {name: str(title) for name, (title, _) in self._ways().items()}
        titles |= {name: str(archive_upkeep.name_backup(each)) for name, each in self._backups.items()}
        return [
            Option(Content.styled(title, drawing.BOLD), name) for name, title in titles.items() if fits(text, title)
        ]

    def _read_decisions(self) -> Mapping[str, DeckDecision]:
        """Return the ways to decide about decks whose history went on here and at another device, by their rows."""
        if self._decisions is None:
            open_questions = questions.read_questions(self.archive)
            decisions = (each for question in open_questions for each in deck_decisions.list_decisions(question))
            self._decisions = {f"{_DECISION} {number}": each for number, each in enumerate(decisions)}
        return self._decisions

    def _ways(self) -> Mapping[str, tuple[Text, Text]]:
        """Return the title and the effect of each action, by its name."""
        return {_ACCEPT: _ACCEPTANCE, **_WAYS} if self.archive.store.loss_reason else _WAYS

    def describe_row(self, row: str) -> Content:
        """Describe the effect of the row; then the archive, its backups, and the result of the last check."""
        if (decision := self._read_decisions().get(row)) is not None:
            return Content("\n").join(_describe_decision(decision))
        store, ways = self.archive.store, self._ways()
        rows = [
            Content.styled(str(ways[row][1] if row in ways else _PUTS_BACK), "$text-accent"),
            Content(""),
            Content.styled(self.archive.name, "bold $text-accent"),
            *self._describe_size(),
            *(
                [Content.styled(str(frame.describe_error(store.refusal)), "$text-warning")]
                if store.read_only_reason
                else ()
            ),
            *(_draw_faults(self._faults) if self._faults is not None else ()),
            *_backup_row(tuple(self._backups.values())),
        ]
        return Content("\n").join(rows)

    def _describe_size(self) -> Iterator[Content]:
        """Yield the size of the archive, or the error if it is too damaged to be counted."""
        try:
            info = maintenance.info(self.archive)
        except ArchiveError as error:
            yield Content.styled(str(error), "$text-error")
            return
        yield Content(str(info.contents))
        if info.bytes is not None:
            yield Content.styled(str(archive_upkeep.format_megabytes(info.bytes)), drawing.DIM)

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002
        """Run the action; ask for confirmation if it changes the archive itself."""
        self.box.value = ""
        unconfirmed, self._unconfirmed = self._unconfirmed, ""
        if (decision := self._read_decisions().get(row)) is not None:
            await self._decide(row, decision, is_meant=unconfirmed == row)
        elif row == "info":
            await self.refill("info")
        elif row == _IMPORTED:
            await open_plays(self, self.archive)
        elif row == _ACCEPT or row in self._backups:
            await self._change(row, is_meant=unconfirmed == row)
        elif row:
            self._do({"check": self._check, "repair": self._repair, "backup": self._back_up}[row])

    async def _change(self, row: str, *, is_meant: bool) -> None:
        """Replace the archive by a backup, or accept an older one, after a confirmation."""
        if is_meant and row == _ACCEPT:
            self.post_message(self.AcceptanceRequested())
        elif is_meant:
            self.post_message(self.RestoreRequested(self._backups[row].path))
        else:
            self._unconfirmed = row
            goes_back = phrase("Enter again goes back to {backup}; what is here now is kept beside it.", backup=row)
            self.say(_ACCEPT_QUESTION if row == _ACCEPT else goes_back)
            await self.refill(row)

    async def _decide(self, row: str, decision: DeckDecision, *, is_meant: bool) -> None:
        """Decide which history of a deck counts, after a confirmation."""
        if not is_meant:
            self._unconfirmed = row
            deck = in_quotes(decision.question.name)
            self.say(phrase("Enter again decides it for {deck}, on all devices.", deck=deck))
            return
        self._do(lambda: self._share_decision(decision))

    def _share_decision(self, decision: DeckDecision) -> Text:
        sentence = deck_decisions.share_decision(self.archive, decision)
        self._decisions = None
        return sentence

    @work(thread=True)
    def _do(self, what: Callable[[], Text]) -> None:
        """Run one action at a time in a thread, and report its result."""
        if not self._is_busy.acquire(blocking=False):
            busy = phrase("Please wait: another task is still running.")
            self.app.call_from_thread(self.say, busy, wrong=True)
            return
        sentence: Text
        try:
            sentence, wrong = what(), False
        except (ArchiveError, OSError) as error:
            sentence, wrong = str(error), True
        finally:
            self._is_busy.release()
        self.app.call_from_thread(self._finish, sentence, wrong)

    def _finish(self, sentence: Text, wrong: bool) -> None:
        if self.is_attached:
            self.say(sentence, wrong=wrong)
            self._search()

    def _check(self) -> Text:
        self._faults, sentence = archive_upkeep.check(self.archive, self._watch())
        return sentence

    def _repair(self) -> Text:
        sentence = archive_upkeep.repair_lists(self.archive, self._watch())
        self._faults = None
        return sentence

    def _back_up(self) -> Text:
        return archive_upkeep.copy_beside(self.archive)

    def _watch(self) -> StreamProgress:
        return archive_upkeep.watch_streams(partial(self.app.call_from_thread, self.say))


def _describe_decision(decision: DeckDecision) -> Iterator[Content]:
    """Yield what a decision does, and what each side of a deck's history has that the other lacks."""
    yield Content.styled(str(decision.effect), "$text-accent")
    for heading, lines in deck_decisions.list_sides(decision.question):
        if lines:
            yield from (Content(""), Content.styled(str(heading), drawing.BOLD), *map(_draw_line, lines))


def _draw_line(line: StoryLine) -> Content:
    about = sanitize(f"{line.number}  {date_and_time(line.at)}  {line.by}")
    return Content.assemble((f"{about}  ", drawing.DIM), sanitize(line.text))


def _backup_row(copies: Sequence[Backup]) -> Iterator[Content]:
    yield from (Content(""), Content.styled(str(phrase("Backups, newest first")), drawing.BOLD))
    if not copies:
        yield Content.styled(str(phrase("None yet; one is made when an evening ends.")), drawing.DIM)
    for backup in copies:
        about = listed((backups.REASONS[backup.why], archive_upkeep.format_megabytes(backup.bytes)))
        yield Content.assemble(backup.path.name, (f"  {about}", drawing.DIM))


def _draw_faults(faults: Sequence[Fault]) -> Iterator[Content]:
    yield from (Content(""), Content.styled(str(phrase("The last check")), drawing.BOLD))
    if not faults:
        yield Content(str(phrase("✓ All is well.")))
    for fault in faults:
        mend = archive_upkeep.MENDS if fault.mendable else ""
        yield Content.assemble(
            (f"✗ {frame.add_hint(fault.text, fault.look)}", "$text-error"), (f"  {mend}", drawing.DIM)
        )


async def open_archive(screen: StatusScreen, archive: Archive) -> None:
    """Open the screen of an archive."""
    await screen.app.push_screen(ArchiveScreen(archive))
