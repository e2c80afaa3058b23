"""What people want done at a table: read, previewed where it cannot be undone lightly, kept, then shown.

Separate from the table, which shows it and knows the keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual import getters, on

from companion.archive import ArchiveError, Conflict
from companion.games.action import Action, NotationError, RuleError, Tell, permanent_changes
from companion.games.lines import Amend, Redo, Undo
from companion.session.log import Moment
from companion.session.session import Session
from companion.tui import asking, words
from companion.tui.messages import ActionsSubmitted, AmendRequested, RedoRequested, UndoRequested
from companion.tui.screens.changes import Changes
from companion.tui.widgets.command_bar import CommandBar


class Intentions(Changes):
    """A screen on which a session is played; every change of it is one intention."""

    bar = getters.query_one(CommandBar)

    def __init__(self, session: Session, reopen: Callable[[], Session] | None) -> None:
        super().__init__()
        self.session = session
        self._reopen = reopen
        self._entering = ""
        self._previewed = ""
        self._warned_of: Moment | None = None
        self._sealing: Sequence[Action] = ()

    async def redraw(self) -> None:
        """Draw what has changed of the table."""
        raise NotImplementedError

    def is_keeping(self, text: str) -> bool:
        """Whether this text is being kept at this moment, so that Enter was pressed twice."""
        return text == self._entering != ""

    def begin_line(self, text: str) -> None:
        """Put a text to go on with into the command bar."""
        self.bar.put(text)
        self.bar.focus()

    def enter(self, text: str) -> None:
        """Read what was typed and have it done; an amendment is previewed first."""
        word = text.strip().removeprefix(":").lower()
        if word in ("undo", "redo"):
            self.bar.remember(text)
            self.bar.put("")
            self.post_message(UndoRequested() if word == "undo" else RedoRequested())
            return
        try:
            actions = asking.read(text, self.view, self.session.notation)
        except NotationError as error:
            self.say(str(error), wrong=True)
            return
        if isinstance(actions[0], Amend) and text != self._previewed:
            self._previewed = text
            self.run_worker(self._tell_consequences(actions[0]), exclusive=True)
            return
        self._entering = text if text == self.bar.value else ""
        self.post_message(ActionsSubmitted(actions, text))

    async def _tell_consequences(self, amend: Amend) -> None:
        """What an amendment would lead to, before it happens."""
        try:
            (proposal,) = await asyncio.to_thread(self.session.preview, amend)
        except RuleError as error:
            self.say(str(error), wrong=True)
        else:
            self.say(f"Would be: {words.sentences(proposal.tells)} Enter again does it.")

    @on(ActionsSubmitted)
    async def intended(self, message: ActionsSubmitted) -> None:
        """Do it; what was typed stays until it is kept."""
        self._warned_of = None
        if message.actions != self._sealing and self._would_seal(message.actions):
            self._sealing, self._entering = message.actions, ""
            self.say("This writes the game into its decks' records, and cannot be undone then. Once more does it.")
            return
        self._sealing = ()
        if await self._carry_out(lambda: self.session.do(*message.actions)):
            if message.typed:
                self.bar.remember(message.typed.strip())
                # A scanner or a quick hand may have typed on meanwhile.
                self.bar.put(self.bar.value.removeprefix(message.typed))
            await self.redraw()
        self._entering = ""

    def _would_seal(self, actions: Sequence[Action]) -> bool:
        """Whether these end what can be undone."""
        if any(isinstance(action, Amend | Undo | Redo) for action in actions) or self.session.sealing().marks:
            return False
        try:
            proposals = self.session.preview(*actions)
        except (NotationError, RuleError):
            return False
        return bool(self.session.game.marks(proposals[-1].position.head.state))

    @on(UndoRequested)
    async def taken_back(self) -> None:
        """Undo one intention, and name what was already done with real cards; what stays on them, first."""
        moments = self.session.undoable()
        lasting = permanent_changes(tell for moment in moments for tell in moment.tells)
        if lasting and moments[0] is not self._warned_of:
            self._warned_of = moments[0]
            self.say(
                f"May have been done already, for good: {' '.join(lasting)} Undo once more if it must be.", wrong=True
            )
            return
        self._warned_of = None
        by_hand = [tell.text for moment in moments for tell in moment.tells if tell.by_hand]
        if await self._carry_out(self.session.undo):
            undo_cards = f" With the cards, undo: {' '.join(by_hand)}" if by_hand else ""
            self.say(f"Taken back: {words.lines(moments[::-1])}.{undo_cards}")
            await self.redraw()

    @on(RedoRequested)
    async def done_again(self) -> None:
        """Redo one intention."""
        moments = self.session.redoable()
        if await self._carry_out(self.session.redo):
            self.say(f"Done again: {words.lines(moments)}.")
            await self.redraw()

    @on(AmendRequested)
    def mended(self, message: AmendRequested) -> None:
        """Offer a line of the log to be changed; what would follow is shown before it happens."""
        self.begin_line(f"amend {message.number} {message.text} ")
        self.say(f"Change what line {message.number} should have said; Enter shows what would follow, Esc leaves it.")

    async def _carry_out(self, what: Callable[[], tuple[Tell, ...]]) -> bool:
        """Keep first, then show. What is wrong is told in words, and nothing has changed then."""
        try:
            # The archive waits for the disk; the screen goes on meanwhile.
            tells = await asyncio.to_thread(what)
        except Conflict:
            await self._read_again()
        except (NotationError, RuleError, ArchiveError) as error:
            self.say(str(error), wrong=True)
        # Whatever it is, the evening goes on with the table as it was.
        except Exception as error:
            self.say(f"That failed and nothing was changed ({type(error).__name__}: {error}).", wrong=True)
        else:
            self.say(words.sentences(tells))
            return True
        return False

    async def _read_again(self) -> None:
        """Somebody else has played on: show that, and keep what was typed here."""
        if self._reopen is not None:
            try:
                self.session = await asyncio.to_thread(self._reopen)
            except (NotationError, RuleError, ArchiveError) as error:
                self.say(f"Another window has played on, and what it wrote cannot be read: {error}", wrong=True)
                return
            await self.redraw()
        self.say(
            "Another window has played on at this table; this one now shows the newest, and did nothing itself. "
            "Look, then enter again what is still right.",
            wrong=True,
        )
