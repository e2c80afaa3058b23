"""The table screen. It shows a sitting, and forwards keys, clicks and lines to it."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import ClassVar, Final

import msgspec
from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.command import Provider
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Input

from companion import scan, tui
from companion.archive import Archive, ArchiveError
from companion.forms import settings
from companion.session.core.moments import join_sentences
from companion.session.reading.selection import NOTHING, as_action, as_text, facts_of
from companion.session.reading.table_questions import due_prompts, is_done, is_over, offer_to_draw
from companion.session.reports.clock_reading import describe_clock, has_clock, read_counted_times, toggle_clock
from companion.session.table.coaching import Coaching
from companion.session.table.confirmations import ActionDone, Closed, ConfirmationNeeded, Rejected, Reloaded, Reply
from companion.session.table.countdown import CountdownWish, read_wish
from companion.session.table.table_client import TableClient
from companion.tabletop.action import RuleError
from companion.tabletop.table.common_actions import Add, Concede, Next, Note, Redo, Undo
from companion.tabletop.table.table import TableView
from companion.tui import drawing, frame
from companion.tui.messages import (
    ActionsSubmitted,
    AmendRequested,
    CeremonyRequested,
    GoOnRequested,
    LineBegun,
    LineEntered,
    RematchRequested,
    TableChanged,
    TargetChosen,
)
from companion.tui.screens.base import STYLES, StatusLineScreen, find_photograph, is_key_held, key_name
from companion.tui.screens.table.answer_cursor import AnswerCursor
from companion.tui.shortcuts import CHOOSING, PHONES, TABLE_KEYS, TYPING, invitation, shortcuts
from companion.tui.terminal.input_queue import InputQueueApp
from companion.tui.terminal.terminal_input import types
from companion.tui.widgets.bars import Key, KeyBar, Status, StatusLine
from companion.tui.widgets.board import LEAST, BoardSpace
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.log import LogView
from companion.tui.widgets.prompt_list import PromptList
from companion.tui.widgets.tabletop import Tabletop
from templates.languages.messages import Message, Text, joined, listed, phrase, signed

SETTLE = 0.3
"""Seconds in which Enter on the empty line and Next are dropped after their meaning has changed."""

TALLY = 1.0
"""Seconds after the last press of `+` or `-` that end the change."""

_AMOUNT: Final = r"(\d{1,4})(?:\s+(\S.*)?)?"
"""The amount after `+` or `−`, and the reason for it."""

_FIXED, _STATUS = 4, 2
"""Rows of the head, the command bar and the keys; and the minimum of rows for the status line."""

_FROM_THE_LIST = phrase("↓ chooses from the list above")

_TO_CONFIRM = {
    "seal": phrase("Press it again to confirm."),
    "undo": phrase("Undo again to do it anyway."),
    "amendment": phrase("Press Enter again to confirm."),
    "harm": phrase("Repeat it to confirm."),
}


def _commands() -> type[Provider]:
    """Return the provider of the table's commands that have no key; it is loaded when the command palette opens."""
    return tui.palette.TableCommands


class TableScreen(StatusLineScreen[None]):
    """A table, as seen by a sitting."""

    CSS_PATH = STYLES / "table.tcss"
    has_home_key = True
    BINDINGS: ClassVar[list[BindingType]] = [*TABLE_KEYS]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands}

    tabletop = getters.query_one(Tabletop)
    log_view = getters.query_one(LogView)
    prompt_list = getters.query_one(PromptList)
    bar = getters.query_one(CommandBar)
    keys = getters.query_one(KeyBar)

    def __init__(self, sitting: TableClient) -> None:
        super().__init__()
        self.sitting = sitting
        self.selection = sitting.selection
        self.answer_cursor = AnswerCursor(sitting)
        self.settle = SETTLE
        self.tally_delay = TALLY
        self._tally_timer: Timer | None = None
        self.view: TableView = sitting.view
        self._asked_since = self._taken_at = 0.0
        self._status_rows: int | None = None
        self._drawn_in: Size | None = None
        self._all_keys: Mapping[str, ActiveBinding] = {}
        self._question_kind = ""
        """The kind of the last confirmation question; "" if the last line needed none."""
        self._suggestion: tuple[str, Text] = ("", "")
        """The line that was suggested last, by a photograph or for confirmation, and the sentence about it."""

    def compose(self) -> ComposeResult:
        """Yield the table, the command bar, the status line and the keys."""
        yield Tabletop(self.sitting.describe_moment)
        yield CommandBar(self.sitting)
        yield StatusLine()
        yield KeyBar()

    async def on_mount(self) -> None:
        """Pass the table's keys to the command bar, follow other screens, and draw."""
        # Read once, after remapping: `active_bindings` has the symbols only while the bar leaves all of them to the
        # table.
        self._all_keys = self.active_bindings
        keys = ((key, active.binding) for key, active in self._all_keys.items() if active.node is self)
        self.bar.symbols = {key: binding.action for key, binding in keys if types(key)}
        self.set_focus(self.bar)
        self.sitting.watch(lambda news: self.post_message(TableChanged(news.sentence, news.line)))
        self.sitting.countdown.go_on(monotonic())
        await self.redraw()

    def on_unmount(self) -> None:
        """Stop following the table, and pause its countdown until the next visit."""
        self.sitting.countdown.pause(monotonic())
        self.sitting.leave()

    # Drawing

    async def redraw(self) -> None:
        """Draw what has changed on the table."""
        asked_before, was_over = due_prompts(self.view)[:1], self.view.outcome is not None
        moment_before = self.view.card_work.moment
        self.view = self.sitting.view
        self.remove_class("-ended")
        if (moment := self.view.card_work.moment) != moment_before:
            self.set_class(bool(moment), "-moment")
        if self.view.outcome is not None and not was_over:
            self.run_worker(self._tell_ending(), name="tell the ending", exclusive=True, group="ending")
        if due_prompts(self.view)[:1] != asked_before:
            self._asked_since = monotonic()
        self.tabletop.show(self.view, self.sitting.log, self.sitting.fell(), self.sitting.card_work)
        self.tabletop.tell_time(self.sitting.session, self.sitting.countdown)
        self.list_answers()
        await self.show_choice()

    async def _tell_ending(self) -> None:
        """Show the end of a game in place of the board, until something else happens."""
        ending = await asyncio.to_thread(self.sitting.ending)
        if self.sitting.view.outcome is not None:
            self.tabletop.ending.show(ending)
            self.add_class("-ended")

    async def show_choice(self) -> None:
        """Draw everything that depends on the chosen seat: the board, the placeholder of the command bar, the keys."""
        self._drawn_in = self.size
        rows = await self.tabletop.show_board(self.view, self.selection, BoardSpace(*self.size))
        # The status line lists the cards to draw by hand: if rows are scarce, it gets what the table leaves.
        free = max(_STATUS, self.size.height - _FIXED - rows) if self.has_class("-short") else None
        if free != self._status_rows:
            self.status_line.styles.max_height = self._status_rows = free
        self._show_invitation()

    def _show_invitation(self) -> None:
        """Show what can be typed or what Enter would do, and the other keys."""
        answer = self.answer_cursor.answers.answer
        width = self.bar.content_size.width or self.size.width - self.bar.gutter.width
        help_key, go_key = key_name(self, "table.help"), key_name(self, "table.go")
        # Translators: {line} is what the key Enter would enter.
        enter = phrase("Enter: {line}", line=self.sitting.title_line(answer.line)) if answer else None
        self.bar.placeholder = drawing.with_signs(str(enter or invitation(self.sitting, help_key, go_key, width)))
        self.keys.show(self._keys())

    def _keys(self) -> tuple[Key, ...]:
        """Return the keys that matter now, by their names after remapping."""
        if self.answer_cursor.is_inside:
            return CHOOSING
        if self.bar.value:
            return TYPING
        active = self.active_bindings.values()
        own = [a.binding for a in active if (a.node is self and a.binding.show) or a.binding.id == PHONES]
        return shortcuts(own, self.app.get_key_display, self.sitting)

    def hint(self, text: Text = "") -> None:
        """Show what the keys do just now, until that changes."""
        self.status_line.show(Status(str(text), "help"))

    async def on_resize(self, event: events.Resize) -> None:
        """Use the available room, or show how much is needed."""
        small = BoardSpace(*event.size).small
        was_small = self.has_class("-small")
        self.set_class(small, "-small")
        if self.is_mounted and self.query(CommandBar):
            if small:
                # Translators: Sizes of the terminal in columns and rows, such as 80×24.
                needs, has = ("×".join(map(str, size)) for size in (LEAST, self.size))
                self.say(phrase("Needs {needed}, has {size}; keys still work.", needed=needs, size=has))
            elif was_small:
                self.say("")
            # A screen gets its first size twice, the second time after it was drawn in it.
            if event.size != self._drawn_in:
                await self.show_choice()
                # The command bar has its new width after the layout.
                self.call_after_refresh(self._show_invitation)

    # The command bar

    @on(Input.Changed)
    async def help_with_line(self, event: Input.Changed) -> None:
        """Help with the typed line, and clear the message about another line."""
        self.list_answers()
        # Without a text, Enter may mean something else than it did while a row was chosen.
        self._show_invitation()
        status = self.status_line.part
        if event.value:
            self.hint(self._explain(event.value))
        elif status is not None and status.kind in ("wrong", "help"):
            self.hint()
        await self._read_amount(event.value)

    def _explain(self, text: str) -> Message:
        """Return help with a text: the completion of its line, the effect of Enter, and of going on after it."""
        if text == self._suggestion[0]:
            return joined(" ", (self._suggestion[1], phrase("Enter does it, Esc drops it.")))
        behind = self.sitting.course_behind(text).sentence
        # Translators: {course} is what follows the typed line.
        goes_on = phrase("{key}: and then {course}", key=key_name(self, "table.go"), course=behind) if behind else ""
        return joined("  ·  ", filter(None, (self.sitting.explain(text), goes_on)))

    @on(Input.Submitted)
    async def submit_line(self, event: Input.Submitted) -> None:
        """Process Enter: end the running tally, take the chosen row, run the typed line, amend the chosen line of the
        log, or answer the first prompt.
        """
        event.stop()
        if self.selection.tally is not None:
            self.end_tally()
        elif self.answer_cursor.is_inside:
            self.action_take_answer()
        elif event.value.strip().lower() in ("?", "help"):
            self.bar.show_text("")
            self.action_help()
        elif self.sitting.leads_out(event.value):
            self.bar.show_text("")
            self.action_leave()
        elif self._asks_for_clock(event.value):
            self.bar.show_text("")
        elif (photograph := find_photograph(event.value)) is not None:
            self.bar.show_text("")
            self._read_photograph(photograph)
        elif event.value.lower().startswith("help "):
            self.action_help()
            self.bar.show_text("")
        elif event.value.strip():
            await self.enter(LineEntered(event.value))
        elif (line := self.log_view.chosen) is not None:
            self.amend_requested(AmendRequested(line.number, line.text))
        else:
            await self.action_answer()

    # The list of answers

    def list_answers(self) -> None:
        """Show the answers to the question, or the completions of the typed text."""
        self.answer_cursor.fill(self.bar.value)
        self._show_answers()

    def _show_answers(self) -> None:
        part = self.prompt_list.part
        if part is not None:
            self.prompt_list.show(msgspec.structs.replace(part, answers=self.answer_cursor.answers))

    def choose_answer(self, by: int) -> bool:
        """Move in the list, into it and out of it, as `AnswerCursor.move` does; return False if nothing changed."""
        cards = self.prompt_list.cards
        return self._move_in_list(lambda cursor: cursor.move(by, cards))

    def _move_in_list(self, move: Callable[[AnswerCursor], bool]) -> bool:
        """Move the cursor, then show it with the details of its row; return the result of `move`."""
        before = self.answer_cursor.answers
        moved = move(self.answer_cursor)
        if self.answer_cursor.answers is not before:
            self._show_answers()
            answer = self.answer_cursor.answers.answer
            self.hint(answer.detail if answer else self._explain(self.bar.value))
            self._show_invitation()
        return moved

    def action_turn_list(self, to: int) -> None:
        """Go to a row of another page on a click."""
        self._move_in_list(lambda cursor: cursor.move_to(to))

    def action_take_answer(self, at: int | None = None, enter: bool = True) -> None:
        """Take a row, by default the chosen one: enter its line if that is complete; else continue it.

        Drop the press if the list has just changed: a second click belongs to the first one.
        """
        if self._has_just_changed() or monotonic() - self._taken_at < self.settle:
            self._leave_out()
            return
        self._taken_at = monotonic()
        answers = self.answer_cursor.answers
        at = answers.chosen if at is None else at
        if at is None or at >= len(answers.question.answers):
            return
        text = answers.question.answers[at].line
        if enter and self.sitting.is_whole(text):
            self.post_message(LineEntered(text))
        else:
            self.begin_line(self.answer_cursor.take(at, self.bar.value))

    # Keys that the command bar leaves to the table

    @on(CommandBar.RowMoved)
    async def move_row(self, message: CommandBar.RowMoved) -> None:
        """Move up or down: in the list; on an empty line along the log if it is shown, or between counters; else
        through the history, and past its newest line into the list.
        """
        if message.by < 0 and self.choose_answer(message.by):
            return
        if not self.bar.value and self.has_class("-log"):
            self.log_view.choose(message.by)
        elif not self.bar.value and self.selection.chosen != NOTHING:
            await self.action_choose_counter(message.by)
        elif not (message.by > 0 and self.bar.is_at_newest and self.choose_answer(message.by)):
            self.bar.recall(message.by)

    @on(CommandBar.ColumnMoved)
    async def move_column(self, message: CommandBar.ColumnMoved) -> None:
        """Move left or right: in the list between columns; on an empty line between seats; else in the text."""
        column, cards = self.prompt_list.column, self.prompt_list.cards
        if self._move_in_list(lambda cursor: cursor.move_beside(message.by, column, cards)):
            return
        if self.bar.value:
            self.bar.move_cursor(message.by, select=message.select)
        else:
            await self.action_choose_next(message.by)

    @on(CommandBar.CompletionRequested)
    def complete(self, message: CommandBar.CompletionRequested) -> None:
        """Put the chosen row into the bar, complete or not; without a chosen row, complete the word."""
        if self.answer_cursor.is_inside:
            self.action_take_answer(enter=False)
        else:
            self.bar.complete_word(message.by)

    @on(CommandBar.Escaped)
    async def go_back(self) -> None:
        """Leave the list, undo the row taken last, or empty the line; on an empty line, let go of the selection."""
        if self.choose_answer(0):
            return
        before = self.answer_cursor.take_back(self.bar.value)
        if before is not None:
            self.begin_line(before)
        elif self.bar.value:
            self.bar.show_text("")
        else:
            await self.action_let_go()

    def begin_line(self, text: str) -> None:
        """Put a text into the command bar, for the user to continue."""
        self.bar.show_text(text)
        self.set_focus(self.bar)

    # The selection and its counter

    @on(TargetChosen)
    async def choose_target(self, message: TargetChosen) -> None:
        """Choose a seat or a thing on a click."""
        otherwise = phrase("None of its figures can be changed this way.")
        await self._choose(lambda: self.selection.choose(message.target), otherwise)

    async def action_choose_next(self, by: int) -> None:
        """Choose the seat or thing beside the chosen one."""
        await self._choose(lambda: self.selection.move(by), phrase("Nobody sits here yet."))

    async def action_choose_counter(self, by: int) -> None:
        """Choose another counter."""
        await self._choose(lambda: self.selection.move_counter(by), phrase("Choose a seat first, with ← or →."))

    async def _choose(self, choose: Callable[[], bool], otherwise: Text) -> None:
        self.end_tally()
        if not choose():
            self.say(otherwise, wrong=True)
            return
        self.hint(self._describe_selection())
        await self.show_choice()

    def _describe_selection(self) -> Text:
        """Return everything about the selected target, of which the board may have no room for all, and the keys."""
        selected = self.selection.chosen
        figures = listed(facts_of(self.view, selected.target))
        if not selected.counter:
            # Translators: {target} is a player or a card, {figures} everything about it.
            return phrase("{target}: {figures}. Esc deselects.", target=self.selection.name, figures=figures)
        # Translators: {target} and {figures} as before, {counter} is the title of a figure.
        return phrase(
            "{target}: {figures}. + and − change {counter}, ↑ and ↓ select another counter, Esc deselects.",
            target=self.selection.name,
            figures=figures,
            counter=self.selection.title,
        )

    async def action_press(self, sign: int, large: bool = False) -> None:
        """Change the chosen counter; presses in quick succession are one change."""
        if not self.selection.press(sign, large=large):
            self.say(phrase("Choose a seat or a thing first, with ← or →."), wrong=True)
            return
        self._stop_tally_timer()
        self._tally_timer = self.set_timer(self.tally_delay, self.end_tally)
        tally = self.selection.tally
        # Translators: {target} is a player or a card, {counter} the title of a figure, {change} is such as +2.
        self.hint(
            phrase(
                "{target}: {counter} {change}? Space says why, Esc drops it.",
                target=self.selection.name,
                counter=self.selection.title,
                change=signed(tally.amount) if tally else "",
            )
        )
        await self.show_choice()

    def _stop_tally_timer(self) -> None:
        """Let the running change wait for Enter."""
        if self._tally_timer is not None:
            self._tally_timer.stop()
        self._tally_timer = None

    def end_tally(self) -> None:
        """Enter the running change as one line; the text after a typed number is its reason."""
        self._stop_tally_timer()
        tally = self.selection.take_tally()
        if tally is None:
            return
        number = re.fullmatch(_AMOUNT, self.bar.value)
        if number:
            self.bar.show_text("")
        if tally.amount:
            reason = (Note(number[2]),) if number and number[2] else ()
            self.post_message(ActionsSubmitted((as_action(tally), *reason)))
        else:
            self.call_later(self.show_choice)

    async def action_reason(self) -> None:
        """Continue the running change as a text, to which the user adds the reason."""
        self._stop_tally_timer()
        tally = self.selection.take_tally()
        if tally is None:
            self.hint(phrase("Change a counter first: choose a seat, then + or −; Space then says why."))
            return
        self.begin_line(as_text(tally))
        await self.show_choice()

    async def _read_amount(self, text: str) -> None:
        """Take a number after `+` or `−` as the amount; any other text is a line of its own."""
        tally = self.selection.tally
        if tally is None:
            return
        number = re.fullmatch(_AMOUNT, text)
        tally.number = int(number[1]) if number else None
        if text and not number:
            self.end_tally()
        elif text:
            self._stop_tally_timer()
            await self.show_choice()

    # Forwarding to the sitting

    @on(LineEntered)
    async def enter(self, message: LineEntered) -> None:
        """Run a line; the typed text stays until it is stored."""
        if self._question_kind == "seal" and await is_key_held(self):
            return
        reply = await self._forward(lambda: self.sitting.enter(message.text, goes_on=message.goes_on))
        if isinstance(reply, Rejected):
            if self.bar.value == message.text and self.answer_cursor.ask_which(message.text):
                self._show_answers()
            if self.answer_cursor.answers.question.answers:
                self.say(joined("  ·  ", (reply.sentence, _FROM_THE_LIST)), wrong=True)
        if isinstance(reply, ActionDone) or (isinstance(reply, ConfirmationNeeded) and reply.question.kind == "undo"):
            self.bar.remember((reply.recall if isinstance(reply, ActionDone) else "") or message.text.strip())
            self.bar.show_text("")
            self._asked_since = monotonic()
        elif self.bar.value == message.text:
            # The line was refused, or needs a confirmation: typing replaces it, Enter enters it again.
            self.bar.select_all()

    @on(ActionsSubmitted)
    async def submit(self, message: ActionsSubmitted) -> None:
        """Run the actions."""
        if self._question_kind == "seal" and await is_key_held(self):
            return
        gives_up = any(isinstance(action, Concede) for action in message.actions)
        reply = await self._forward(lambda: self.sitting.submit(*message.actions, shortened=gives_up))
        is_step = any(isinstance(action, Add) for action in message.actions)
        if is_step and isinstance(reply, ConfirmationNeeded) and reply.question.kind == "harm":
            # Enter has ended the change, and would else give the suggested answer; keys of actions are pressed again.
            self._suggest(", ".join(map(self.sitting.notation.format, message.actions)), reply.sentence)

    async def _forward(self, what: Callable[[], Reply]) -> Reply:
        """Run this in the sitting, show its reply, and draw the changes."""
        # The archive waits for the disk; the screen goes on meanwhile.
        reply = await asyncio.to_thread(what)
        self._question_kind = reply.question.kind if isinstance(reply, ConfirmationNeeded) else ""
        match reply:
            case Closed():
                self.action_leave()
            case ConfirmationNeeded(question):
                text = joined(" ", (reply.sentence, _TO_CONFIRM[question.kind]))
                self.status_line.show(Status(str(text), "asked"))
            case Rejected(sentence, where):
                self.say(frame.add_hint(sentence, where), wrong=True)
            case ActionDone(tells):
                sentence = str(reply.sentence)
                alone = tells if sentence == str(join_sentences(tells)) else ()
                self.status_line.show(Status(sentence, tells=alone))
                await self.redraw()
            case Reloaded():
                self.say(str(reply.sentence), wrong=True)
                await self.redraw()
        if reply.earlier and isinstance(reply, (ConfirmationNeeded, Rejected)):
            await self.redraw()
        if isinstance(reply, ActionDone) and reply.coaching is not None:
            self.run_worker(self._tell_answer(reply.coaching), name="ask the coach", group="coach", exclusive=True)
        return reply

    async def _tell_answer(self, coaching: Coaching) -> None:
        """Wait for the coach while keys go on working, and show its answer."""
        self.say(str(await asyncio.to_thread(coaching.answer)))

    @on(GoOnRequested)
    async def go_on(self) -> None:
        """Do what is suggested."""
        if isinstance(await self._forward(self.sitting.go_on), ActionDone):
            self._asked_since = monotonic()

    @on(TableChanged)
    async def follow(self, message: TableChanged) -> None:
        """Show a change that another screen made to the table, or suggest its line, which Enter takes."""
        if message.line:
            self._suggest(message.line, str(message.sentence))
        elif await asyncio.to_thread(self.sitting.follow):
            self.say(str(message.sentence))
            await self.redraw()

    @on(LineBegun)
    def line_begun(self, message: LineBegun) -> None:
        """Continue a line that was begun elsewhere."""
        self.begin_line(message.text)

    @on(AmendRequested)
    def amend_requested(self, message: AmendRequested) -> None:
        """Offer a line of the log for changes; a preview of the consequences comes before they happen."""
        self.begin_line(f"amend {message.number} {message.text} ")

    # Keys and clicks

    async def action_answer(self) -> None:
        """Answer the first prompt, or begin its line if words are missing.

        A prompt that a player is asked on their phone is theirs to answer: here it has to be typed, or chosen in the
        list.
        """
        if self._has_just_changed():
            self._leave_out()
            return
        first = due_prompts(self.view)[:1]
        if self.sitting.is_sealed or is_over(self.view):
            self.post_message(CeremonyRequested(self.sitting))
        elif is_done(self.view):
            self.action_leave()
        elif not first:
            key = key_name(self, "table.help")
            self.hint(phrase("Nothing is asked now; type a line, or {key} for help.", key=key))
        elif first[0].wants:
            self.bar.show_text(f"{first[0].line} ")
        elif await asyncio.to_thread(self._is_asked_on_phone, first[0].seat):
            name = next((seat.name for seat in self.view.seats if seat.seat == first[0].seat), first[0].seat)
            sentence = phrase(
                "{player} is asked on a phone. To answer here, type it, or choose it with ↓.", player=name
            )
            self.say(sentence, wrong=True)
        else:
            self.post_message(LineEntered(first[0].line))

    def _is_asked_on_phone(self, seat: str) -> bool:
        """Return True if the player of a seat is asked on a phone; a question to everybody ("") is asked on none."""
        from companion.archive import web_access

        archive: Archive | None = getattr(self.app, "archive", None)
        session = self.sitting.session.id
        if archive is None or not session or not seat:
            return False
        with contextlib.suppress(ArchiveError):  # a write of the answer then fails, too, and reports it
            return web_access.is_asked_on_phone(archive, session, seat)
        return False

    def action_take(self, at: int) -> None:
        """Answer a prompt on a click as it suggests; if words are missing, put its line into the bar."""
        prompts = self.prompt_list.part.prompts if self.prompt_list.part else ()
        if at >= len(prompts):
            return
        if self._has_just_changed():
            self._leave_out()
            return
        if prompts[at].wants:
            self.begin_line(f"{prompts[at].line} ")
        else:
            self.post_message(LineEntered(prompts[at].line))

    def action_draw(self) -> None:
        """Let the program draw the cards that the table is asked to draw."""
        offer = offer_to_draw(self.view)
        if self._has_just_changed():
            self._leave_out()
        elif offer is None:
            self.hint(phrase("Nothing is drawn now."))
        else:
            self.post_message(LineEntered(offer.line))

    def action_next(self) -> None:
        """Finish the step with its default."""
        if self._has_just_changed():
            self._leave_out()
        else:
            self.post_message(ActionsSubmitted((Next(),)))

    def action_go_on(self) -> None:
        """Run the typed line, then everything that is suggested, up to the next decision."""
        if self._has_just_changed():
            self._leave_out()
        elif self.answer_cursor.is_inside:
            self.hint(phrase("Enter takes the chosen row first, or Esc leaves it."))
        elif self.bar.value.strip():
            self.post_message(LineEntered(self.bar.value, goes_on=True))
        else:
            self.end_tally()
            self.post_message(GoOnRequested())

    def _leave_out(self) -> None:
        """Drop the current key or click, and report it: there was no time to read its effect."""
        if isinstance(self.app, InputQueueApp):
            self.app.leave_out()

    def _has_just_changed(self) -> bool:
        return monotonic() - self._asked_since < self.settle

    def action_undo(self) -> None:
        """Undo the last line."""
        self.post_message(ActionsSubmitted((Undo(),)))

    def action_redo(self) -> None:
        """Redo the last line that was undone."""
        self.post_message(ActionsSubmitted((Redo(),)))

    def action_warn(self) -> None:
        """Switch the confirmation before `next` costs a player the fight on or off; this is stored, for every table."""
        self.sitting.warns = not self.sitting.warns
        keep = asyncio.to_thread(self._keep, warnings="" if self.sitting.warns else settings.OFF)
        self.run_worker(keep, name="keep whether next asks", group="warnings", exclusive=True)
        # Translators: “Next” is the action that finishes a step.
        key = key_name(self, "table.warn")
        self.say(
            phrase("Next asks before a player would be out, or the game lost; {key} changes that.", key=key)
            if self.sitting.warns
            else phrase("Next asks no more; {key} changes that.", key=key)
        )

    async def action_teach(self) -> None:
        """Switch the hints for the real cards at each step on or off; this is stored, for every table."""
        self.sitting.teaches = not self.sitting.teaches
        keep = asyncio.to_thread(self._keep, cards=settings.ON if self.sitting.teaches else settings.OFF)
        self.run_worker(keep, name="keep whether cards are shown", group="cards", exclusive=True)
        key = key_name(self, "table.cards")
        self.say(
            phrase("What to do with the real cards is shown at each step; {key} changes that.", key=key)
            if self.sitting.teaches
            else phrase("What to do with the real cards is no longer shown; {key} changes that.", key=key)
        )
        await self.redraw()

    def _read_photograph(self, path: Path) -> None:
        """Answer the question from the labels in a photograph of the cards, while keys go on working."""
        self.say(phrase("Reading {file} …", file=path.name))
        self.run_worker(self._answer_by_photograph(path), name="read a photograph", group="photograph", exclusive=True)

    async def _answer_by_photograph(self, path: Path) -> None:
        from companion.tui.spreads import read_table

        archive: Archive | None = getattr(self.app, "archive", None)
        if archive is None:
            self.say(phrase("The archive with the decks of this table is not open."), wrong=True)
            return
        try:
            seen = await asyncio.to_thread(read_table, archive, self.sitting.session, path)
        except (scan.PictureError, ArchiveError) as error:
            self.say(frame.describe_error(error), wrong=True)
            return
        self._suggest(seen.line, seen.sentence)

    def _suggest(self, line: str, sentence: Text) -> None:
        """Put a line into the command bar, for Enter to take; if the bar has a text, only show the sentence."""
        if line and not self.bar.value:
            self._suggestion = (line, sentence)
            self.begin_line(line)
        else:
            self.say(sentence, wrong=not line)

    def _countdown_wish(self, text: str) -> CountdownWish | None:
        """Read `clock 90`, `clock 90 bell` or `clock off`; None if a thing on the table has that name."""
        word, _, rest = text.strip().partition(" ")
        is_asked = word.lower() == "clock" and rest.strip() and not self.sitting.changes_figure(text)
        wish = read_wish(rest) if is_asked else None
        # `clock off` ends the clock of the table, if there is one, and else the countdown.
        return None if wish and not wish.seconds and toggle_clock(self.sitting.session) else wish

    def _asks_for_clock(self, text: str) -> bool:
        """Answer `clock` alone, or set a countdown; return False for any other text."""
        if text.strip().lower() == "clock" and has_clock(self.sitting.session):
            self.say_clock()
            return True
        wish = self._countdown_wish(text)
        if wish is not None:
            self._wish_countdown(wish)
        return wish is not None

    def action_clock(self) -> None:
        """Pause the clock of the table or let it go on; without one, say what can be counted."""
        if action := toggle_clock(self.sitting.session):
            self.post_message(ActionsSubmitted((action,)))
        else:
            self.say_clock()

    def say_clock(self) -> None:
        """Show what the clock has counted, or what it could count."""
        reading = read_counted_times(self.sitting.session, datetime.now(UTC))
        self.say(joined(" ", describe_clock(reading)))

    def _wish_countdown(self, wish: CountdownWish) -> None:
        """Set a countdown for each turn or round from now on, or none; this is stored, for every table."""
        self.sitting.countdown.wish = wish
        keep = asyncio.to_thread(self._keep, clock=wish.text if wish.seconds else "")
        self.run_worker(keep, name="keep the countdown", group="countdown", exclusive=True)
        if not wish.seconds:
            self.say(phrase("No countdown."))
        elif wish.bell:
            self.say(
                phrase(
                    "Each turn or round has {seconds} s now, with a bell at the end; `clock off` ends that. Nothing "
                    "else happens when time is up.",
                    seconds=str(wish.seconds),
                )
            )
        else:
            self.say(
                phrase(
                    "Each turn or round has {seconds} s now; `clock off` ends that. Nothing else happens when time is "
                    "up.",
                    seconds=str(wish.seconds),
                )
            )
        self.tabletop.tell_time(self.sitting.session)

    def _keep(self, **changes: str) -> None:
        try:
            settings.change(**changes)
        except settings.NotKept as error:
            text = phrase("This applies for now but cannot be saved: {reason}.", reason=str(error))
            self.app.call_from_thread(self.say, text, wrong=True)

    async def action_let_go(self) -> None:
        """Let go of the question, the line of the log and the running change; else of the selection; else close the
        log.
        """
        self.sitting.let_be()
        self.log_view.choose(0)
        self._stop_tally_timer()
        if self.selection.tally is None and self.selection.chosen == NOTHING:
            self.remove_class("-log", "-scoreboard", "-ended", "-moment")
        self.selection.let_go()
        self.hint()
        await self.show_choice()

    # Views over the board

    def action_log(self) -> None:
        """Show the log in place of the board, or go back; in the log, arrow keys choose a line to amend."""
        self.remove_class("-scoreboard")
        self.toggle_class("-log")
        self.log_view.choose(0)
        key = key_name(self, "table.log")
        how = phrase("↑ ↓ choose a line; Enter changes it, or puts one before it; {key} leads back.", key=key)
        self.hint(how if self.has_class("-log") else "")

    def action_scoreboard(self) -> None:
        """Show figures that can be read across the table, or go back; keys and lines go on working."""
        self.remove_class("-log")
        self.toggle_class("-scoreboard")

    async def action_card(self) -> None:
        """Show the evening so far on one page."""
        from companion.session.reports import evening_cards
        from companion.tui.screens.table.evening import EveningScreen

        archive: Archive | None = getattr(self.app, "archive", None)
        try:
            evening = await asyncio.to_thread(evening_cards.present_session, archive, self.sitting.session)
        except RuleError as error:
            self.say(str(error), wrong=True)
            return
        await self.app.push_screen(EveningScreen(evening.card))

    def action_page(self, by: int) -> None:
        """Page through the log."""
        page = self.log_view.scroll_page_up if by < 0 else self.log_view.scroll_page_down
        page(animate=False)

    def action_help(self) -> None:
        """Explain the chosen answer, the typed word or the chosen thing, beside all keys, lines and words."""
        from companion.tui.screens.help import Help

        all_terms = self.sitting.terms
        words = self.answer_cursor.words_to_explain(self.bar.value, self.status_line.part)
        about = self.sitting.look_up(words)
        table = self.sitting
        self.app.push_screen(Help(self._all_keys, table.notation, table.credit, all_terms, about, table.verb_titles))

    def action_rematch(self) -> None:
        """Open the same table again, or the next game of the match."""
        if self.sitting.session.id:
            self.post_message(RematchRequested(self.sitting.session.id))

    def action_leave(self) -> None:
        """Go back home; the table stays as it is."""
        self.end_tally()
        self.dismiss()
