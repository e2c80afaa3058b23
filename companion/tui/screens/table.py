"""The table: one hand, five pairs of eyes. Shows a sitting and forwards keys, clicks and words to it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.command import Provider
from textual.geometry import Size
from textual.widgets import Input

from companion.session import terms
from companion.session.confirmations import ConfirmationNeeded, Done, Rejected, Reloaded, Reply
from companion.session.selection import NOTHING
from companion.session.table_client import Sitting
from companion.session.table_questions import due_prompts, is_done, is_over
from companion.tabletop.common_actions import Next, Redo, Undo
from companion.tabletop.table import TableView
from companion.tui import frame, settings
from companion.tui.messages import ActionsSubmitted, AmendRequested, CeremonyRequested, LineEntered, TableChanged
from companion.tui.palette import Leaving
from companion.tui.screens.base import key_name
from companion.tui.screens.choosing import ChoosingScreen
from companion.tui.shortcuts import CHOOSING, TABLE_KEYS, TYPING, invitation, shortcuts
from companion.tui.textual_private.keyboard import types
from companion.tui.widgets.bars import Key, KeyBar, Status, StatusLine
from companion.tui.widgets.board import LEAST, Room
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.log import LogView
from companion.tui.widgets.tabletop import Tabletop

SETTLE = 0.3
"""Seconds in which Enter on the empty line and Next are not taken again, as they have just come to mean something
else.
"""

_FIXED, _SAID = 4, 2
"""Rows of head, command bar and keys; and rows for what was said at least."""

_FROM_THE_LIST = "  ·  ↓ chooses from the list above"

_TO_CONFIRM = {
    "seal": "Once more does it.",
    "undo": "Undo once more if it must be.",
    "amendment": "Enter again does it.",
    "harm": "The same once more does it.",
}


class TableScreen(ChoosingScreen):
    """One table, as one sitting shows it."""

    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*TABLE_KEYS]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Leaving}

    tabletop = getters.query_one(Tabletop)
    log_view = getters.query_one(LogView)
    keys = getters.query_one(KeyBar)

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self.settle = SETTLE
        self.view: TableView = sitting.view
        self._asked_since = self._taken_at = 0.0
        self._said_rows: int | None = None
        self._drawn_in: Size | None = None
        self._all_keys: Mapping[str, ActiveBinding] = {}
        self._symbols: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """The table, the line to type into, what is said to it, the keys."""
        yield Tabletop()
        yield CommandBar()
        yield StatusLine()
        yield KeyBar()

    async def on_mount(self) -> None:
        """Hand the command bar what it must know of the table, hear of what other screens do, and draw."""
        # Asked once, with remapped ones; symbols are told only as long as the bar leaves them to the table.
        self.bar.is_key = lambda _: True
        self._all_keys = self.active_bindings
        keys = ((key, active.binding) for key, active in self._all_keys.items() if active.node is self)
        self._symbols = {key: binding.action for key, binding in keys if types(key)}
        self.bar.is_key = self._is_key
        self.bar.complete = lambda text: [way.word for way in self.sitting.complete(text)]
        self.bar.answers = self._answers
        self.bar.browse = self._browse
        self.bar.choose = self.choose_answer
        self.bar.choose_beside = self.choose_beside
        self.bar.take = self._take_to_go_on
        self.bar.step_back = self.step_back
        self.log_view.told = self.sitting.describe_moment
        self.set_focus(self.bar)
        self.sitting.watch(lambda news: self.post_message(TableChanged(news.sentence)))
        await self.redraw()
        # A long log is many objects that stay. To look through all of them again and again costs 40 ms each time.
        gc.freeze()

    def on_unmount(self) -> None:
        """Hear no more of the table; what belonged to it may be cleared away."""
        self.sitting.leave()
        gc.unfreeze()

    # What is shown

    async def redraw(self) -> None:
        """Draw what has changed of the table."""
        asked_before, was_over = due_prompts(self.view)[:1], self.view.outcome is not None
        self.view = self.sitting.view
        self.remove_class("-ended")
        if self.view.outcome is not None and not was_over:
            self.run_worker(self._tell_ending(), name="tell the ending", exclusive=True, group="ending")
        if due_prompts(self.view)[:1] != asked_before:
            self._asked_since = monotonic()
        self.tabletop.show(self.view, self.sitting.log, self.sitting.fell())
        self.tabletop.tell_time(self.sitting.session)
        self.list_answers()
        await self.show_choice()

    async def _tell_ending(self) -> None:
        """Give the end of a game the room of the board, until something else happens."""
        ending = await asyncio.to_thread(self.sitting.ending)
        if self.sitting.view.outcome is not None:
            self.tabletop.ending.show(ending)
            self.add_class("-ended")

    async def show_choice(self) -> None:
        """Draw what depends on the chosen seat: the board, the command bar's hint, the keys."""
        self._drawn_in = self.size
        rows = await self.tabletop.show_board(self.view, self.selection, Room(*self.size))
        # What there is to draw by hand stands there: where rows are scarce, it gets what the table leaves.
        free = max(_SAID, self.size.height - _FIXED - rows) if self.has_class("-short") else None
        if free != self._said_rows:
            self.status_line.styles.max_height = self._said_rows = free
        self._invite()

    def _invite(self) -> None:
        """Say what can be typed, or what Enter would do, and what the other keys do."""
        answer = self._list.option
        self.bar.placeholder = (
            f"Enter: {answer.text}" if answer else invitation(self.sitting, key_name(self, "table.help"))
        )
        self.keys.show(self._keys())

    def _keys(self) -> tuple[Key, ...]:
        """The keys that matter now, by the names they have after remapping."""
        if self.is_choosing:
            return CHOOSING
        if self.bar.value:
            return TYPING
        own = [a.binding for a in self.active_bindings.values() if a.node is self and a.binding.show]
        return shortcuts(own, self.app.get_key_display, self.sitting)

    async def on_resize(self, event: events.Resize) -> None:
        """Use the room there is, or say how much is needed."""
        small = Room(*event.size).small
        was_small = self.has_class("-small")
        self.set_class(small, "-small")
        if self.is_mounted and self.query(CommandBar):
            if small:
                self.say(f"Needs {'×'.join(map(str, LEAST))}, has {'×'.join(map(str, self.size))}; keys go on.")
            elif was_small:
                self.say("")
            # A screen hears of its first size twice, after it was drawn in it.
            if event.size != self._drawn_in:
                await self.show_choice()

    # What is typed

    def _is_key(self, key: str) -> bool:
        """Whether a symbol on the empty command bar is the table's: none of these begins a word."""
        action = self._symbols.get(key, "")
        if action == "reason":
            return self.selection.tally is not None
        return bool(action) and self.selection.chosen != NOTHING

    def _answers(self) -> Sequence[str]:
        return [way for prompt in due_prompts(self.view)[:1] for way in _from_the_second(self.sitting.ways(prompt))]

    @on(Input.Changed)
    async def help_with_line(self, event: Input.Changed) -> None:
        """Help with the line that is being typed; what was said of another one goes with that."""
        self.list_answers()
        self.keys.show(self._keys())
        status = self.status_line.part
        if event.value:
            self.hint(self.sitting.explain(event.value))
        elif status is not None and status.kind in ("wrong", "help"):
            self.hint()
        await self.number_of_tally(event.value)

    @on(Input.Submitted)
    async def submit_line(self, event: Input.Submitted) -> None:
        """Enter: the running tally, the typed line, the chosen line of the log, or the answer to the first prompt."""
        event.stop()
        if self.selection.tally is not None:
            self.end_tally()
        elif self.is_choosing:
            self.action_take_answer()
        elif event.value.strip() == "?":
            self.bar.put("")
            self.action_help()
        elif event.value.strip():
            await self.enter(LineEntered(event.value))
        elif (line := self.log_view.chosen) is not None:
            self.amend_requested(AmendRequested(line.number, line.text))
        else:
            self.action_answer()

    # What is forwarded

    @on(LineEntered)
    async def enter(self, message: LineEntered) -> None:
        """Have it done; what was typed stays until it is kept."""
        reply = await self._forward(lambda: self.sitting.enter(message.text))
        if isinstance(reply, Rejected) and self._list.options.rows:
            self.say(f"{reply.sentence}{_FROM_THE_LIST}", wrong=True)
        if isinstance(reply, Done) or (isinstance(reply, ConfirmationNeeded) and reply.question.kind == "undo"):
            self.bar.remember(message.text.strip())
            self.bar.put("")
            self._asked_since = monotonic()

    @on(ActionsSubmitted)
    async def submit(self, message: ActionsSubmitted) -> None:
        """Have it done."""
        await self._forward(lambda: self.sitting.submit(*message.actions))

    async def _forward(self, what: Callable[[], Reply]) -> Reply:
        """Have the sitting do it, say what it answers, and draw what has changed."""
        # The archive waits for the disk; the screen goes on meanwhile.
        reply = await asyncio.to_thread(what)
        match reply:
            case ConfirmationNeeded(question):
                self.status_line.show(Status(f"{reply.sentence} {_TO_CONFIRM[question.kind]}", "asked"))
            case Rejected(sentence, where):
                self.say(frame.led_on(sentence, where), wrong=True)
            case Done() | Reloaded():
                self.say(reply.sentence, wrong=isinstance(reply, Reloaded))
                await self.redraw()
        return reply

    @on(TableChanged)
    async def follow(self, message: TableChanged) -> None:
        """Another screen has changed the table: show that."""
        if await asyncio.to_thread(self.sitting.follow):
            self.say(message.sentence)
            await self.redraw()

    @on(AmendRequested)
    def amend_requested(self, message: AmendRequested) -> None:
        """Offer a line of the log to be changed; what would follow is shown before it happens."""
        self.begin_line(f"amend {message.number} {message.text} ")
        self.say(f"Change what line {message.number} should have said; Enter shows what would follow, Esc leaves it.")

    # What keys and clicks do

    def action_answer(self) -> None:
        """Answer the first prompt, or begin its line where words are missing."""
        if self._has_just_changed():
            return
        first = due_prompts(self.view)[:1]
        if self.sitting.is_sealed or is_over(self.view):
            self.post_message(CeremonyRequested(self.sitting))
        elif is_done(self.view):
            self.action_leave()
        elif not first:
            self.hint(f"Nothing is asked now; type a line, or {key_name(self, 'table.help')} for help.")
        elif first[0].wants:
            self.bar.put(f"{first[0].line} ")
        else:
            self.post_message(LineEntered(first[0].line))

    def action_take(self, at: int) -> None:
        """Answer a prompt as it suggests, as with the mouse; where words are missing, its line comes into the bar."""
        prompts = self.prompt_list.part.prompts if self.prompt_list.part else ()
        if at >= len(prompts) or self._has_just_changed():
            return
        if prompts[at].wants:
            self.begin_line(f"{prompts[at].line} ")
        else:
            self.post_message(LineEntered(prompts[at].line))

    def action_take_answer(self, at: int | None = None, enter: bool = True) -> None:
        """Take a row, unless the list has just come to mean something else: a second click is of the first one."""
        if not self._has_just_changed() and monotonic() - self._taken_at >= self.settle:
            self._taken_at = monotonic()
            super().action_take_answer(at, enter)

    def choose_answer(self, by: int) -> bool:
        """In the list keys do something else."""
        moved = super().choose_answer(by)
        self._invite()
        return moved

    def _take_to_go_on(self) -> bool:
        """Tab: the chosen row comes into the bar, whether or not that is all."""
        if self.is_choosing:
            self.action_take_answer(enter=False)
            return True
        return False

    def action_next(self) -> None:
        """Finish the step with its default."""
        if not self._has_just_changed():
            self.post_message(ActionsSubmitted((Next(),)))

    def _has_just_changed(self) -> bool:
        return monotonic() - self._asked_since < self.settle

    def action_undo(self) -> None:
        """Take back."""
        self.post_message(ActionsSubmitted((Undo(),)))

    def action_redo(self) -> None:
        """Do again."""
        self.post_message(ActionsSubmitted((Redo(),)))

    def action_warn(self) -> None:
        """Ask before `next` costs somebody the fight, or ask no more; that stays so, at every table."""
        self.sitting.warns = not self.sitting.warns
        keep = asyncio.to_thread(self._keep, "" if self.sitting.warns else settings.OFF)
        self.run_worker(keep, name="keep whether next asks", group="warnings", exclusive=True)
        asks = "asks before somebody would be out, or the game lost" if self.sitting.warns else "asks no more"
        self.say(f"Next {asks}; {key_name(self, 'table.warn')} changes that.")

    def _keep(self, warnings: str) -> None:
        try:
            settings.change(warnings=warnings)
        except OSError as error:
            self.app.call_from_thread(self.say, f"This holds for now and cannot be kept: {error}.", wrong=True)

    async def action_let_go(self) -> None:
        """Let go of what was asked, of the line of the log and of the change that is running; else of what is chosen;
        else of the log.
        """
        self.sitting.let_be()
        self.log_view.choose(0)
        self.hold_tally()
        if self.selection.tally is None and self.selection.chosen == NOTHING:
            self.remove_class("-log", "-scoreboard", "-ended")
        self.selection.let_go()
        self.hint()
        await self.show_choice()

    # What takes the room

    def action_log(self) -> None:
        """Give the log the room of the board, and back; there, arrow keys choose a line to amend."""
        self.remove_class("-scoreboard")
        self.toggle_class("-log")
        self.log_view.choose(0)
        leads_back = key_name(self, "table.log")
        in_log = self.has_class("-log")
        self.hint(f"↑ and ↓ choose a line, Enter offers it to be changed, {leads_back} leads back." if in_log else "")

    def _browse(self, by: int) -> bool:
        """Arrow keys on the empty line: in the log, where that has the room, or from counter to counter."""
        if self.has_class("-log"):
            self.log_view.choose(by)
        elif self.selection.chosen != NOTHING:
            self.call_later(self.action_choose_counter, by)
        return self.has_class("-log") or self.selection.chosen != NOTHING

    def action_scoreboard(self) -> None:
        """Give the room to figures that can be read across the table, and back; keys and words go on as before."""
        self.remove_class("-log")
        self.toggle_class("-scoreboard")

    def action_page(self, by: int) -> None:
        """Page through the log."""
        page = self.log_view.scroll_page_up if by < 0 else self.log_view.scroll_page_down
        page(animate=False)

    def action_help(self) -> None:
        """What the chosen answer, the typed word or the chosen thing says; all keys, lines and words besides."""
        from companion.tui.screens.help import Help

        all_terms = self.sitting.terms
        about = terms.about(self.asked_about(), all_terms)
        self.app.push_screen(Help(self._all_keys, self.sitting.notation, self.sitting.credit, all_terms, about))

    def action_leave(self) -> None:
        """Back home; the table stays as it stands."""
        self.end_tally()
        self.dismiss()


def _from_the_second(ways: Sequence[str]) -> Sequence[str]:
    """The suggested way last: Enter alone takes it."""
    return (*ways[1:], *ways[:1])
