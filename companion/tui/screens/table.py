"""The table: one hand, five pairs of eyes. Shows a session's `TableView` and turns keys and words into intentions."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Container
from textual.widgets import Input

from companion.games.lines import Next
from companion.games.table import TableView
from companion.session.session import Session
from companion.tui import asking, choosing, words
from companion.tui.choosing import NOTHING
from companion.tui.legend import TYPING, legend
from companion.tui.messages import ActionsSubmitted, AmendRequested, RedoRequested, UndoRequested
from companion.tui.screens.changes import CHANGE_KEYS
from companion.tui.screens.help import Help
from companion.tui.screens.intentions import Intentions
from companion.tui.widgets.board import Board, Room
from companion.tui.widgets.command_bar import CommandBar
from companion.tui.widgets.head import Head, HeadPart
from companion.tui.widgets.keys import Key, KeyBar
from companion.tui.widgets.log import LogView
from companion.tui.widgets.prompt_list import PromptList, PromptListPart
from companion.tui.widgets.scoreboard import Scoreboard
from companion.tui.widgets.status_line import Status, StatusLine

SETTLE = 0.3
"""Seconds in which `Enter` and `n` are not taken again, as they have just come to mean something else."""

_LEAST = (60, 18)
_FIXED, _SAID = 4, 2
"""Rows of head, command bar and keys; and rows for what was said at least."""


class TableScreen(Intentions):
    """One table. `reopen` gives the session as it is kept now, for when somebody else has played on."""

    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next", "Next", id="table.next", tooltip="Finish this step with its default and go on"),
        Binding("u", "undo", "Undo", id="table.undo", tooltip="Take back the last intention"),
        Binding("r", "redo", "Redo", id="table.redo", tooltip="Do again what was taken back"),
        *CHANGE_KEYS,
        Binding("enter", "answer", "Answer", id="table.answer", show=False, tooltip="Answer the first prompt"),
        Binding("left", "choose_next(-1)", "Seat before", id="table.left", show=False, tooltip="To the seat before"),
        Binding("right", "choose_next(1)", "Next seat", id="table.right", show=False, tooltip="To the next seat"),
        Binding("question_mark,f1", "help", "Help", id="table.help", tooltip="All keys and all lines"),
        Binding("z", "far", "Far", id="table.far", tooltip="Figures to be read across the table, and back"),
        Binding("l", "log", "Log", id="table.log", tooltip="The log in large, and back"),
        Binding("ctrl+b", "leave", "Home", id="table.leave", tooltip="Leave the table; it is kept as it stands"),
    ]

    head = getters.query_one(Head)
    board = getters.query_one(Board)
    scoreboard = getters.query_one(Scoreboard)
    prompt_list = getters.query_one(PromptList)
    log_view = getters.query_one(LogView)
    status_line = getters.query_one(StatusLine)
    keys = getters.query_one(KeyBar)

    def __init__(self, session: Session, reopen: Callable[[], Session] | None = None) -> None:
        super().__init__(session, reopen)
        self.settle = SETTLE
        self.view: TableView = session.view()
        self._asked_since = 0.0
        self._cards = False
        self._said_rows: int | None = None
        self._own_keys: dict[str, str] = {}
        self._all_keys: Mapping[str, ActiveBinding] = {}

    def compose(self) -> ComposeResult:
        """From top to bottom; the log moves beside PromptList where there is room."""
        yield Head()
        yield Board()
        yield Scoreboard()
        with Container(id="below"):
            yield PromptList()
            yield LogView()
        yield CommandBar()
        yield StatusLine()
        yield KeyBar()

    async def on_mount(self) -> None:
        """Hand the command bar what it must know of the table, and draw."""
        # Asked once, with remapped ones: which ones count now is for `_is_key` to say.
        self._all_keys = self.active_bindings
        self._own_keys = {key: active.binding.action for key, active in self._all_keys.items() if active.node is self}
        self.bar.is_key = self._is_key
        self.bar.complete = self._complete
        self.bar.answers = self._answers
        self.bar.browse = self._browse
        self.bar.focus()
        await self.redraw()
        # A long log is many objects that stay. To look through all of them again and again costs 40 ms each time.
        gc.freeze()

    def on_unmount(self) -> None:
        """What belonged to the table may be cleared away."""
        gc.unfreeze()

    # What is shown

    async def redraw(self) -> None:
        """Draw what has changed of the table."""
        asked_before = asking.due(self.view)[:1]
        self.view = self.session.view()
        if asking.due(self.view)[:1] != asked_before:
            self._asked_since = monotonic()
        self._cards = asking.takes_cards(self.view, self.session.notation)
        if self.choice != NOTHING:
            self.choice = choosing.on(self.view, *self.choice)
        self.head.show(HeadPart(self.view.title, self.view.counters, self.view.steps, self.view.step))
        prompts = asking.due(self.view)
        offers = tuple(prompt for prompt in self.view.prompts if prompt not in prompts)
        self.prompt_list.show(PromptListPart((*prompts, *offers), self.view.hints, self.view.outcome))
        self.scoreboard.show(self.view)
        self.log_view.show(self.session.moments())
        await self.show_choice()

    async def show_choice(self) -> None:
        """Draw what depends on the chosen seat: the board, the command bar's hint, the keys."""
        asked = self.prompt_list.needs(self.prompt_list.content_size.width)
        taken = await self.board.show(self.view, self.choice, self.tally, Room(*self.size), asked)
        # What there is to draw by hand stands there: where rows are scarce, it gets what PromptList leaves.
        free = max(_SAID, self.size.height - _FIXED - taken - asked) if self.has_class("-short") else None
        if free != self._said_rows:
            self.status_line.styles.max_height = self._said_rows = free
        self.bar.placeholder = words.invitation(self.view)
        self.keys.show(self._keys())

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell something below the command bar."""
        self.status_line.show(Status(text, "wrong" if wrong else "told"))

    def _keys(self) -> tuple[Key, ...]:
        """The keys that matter now, by the names they have after remapping."""
        if self.bar.value:
            return TYPING
        own = [a.binding for a in self.active_bindings.values() if a.node is self and a.binding.show]
        seats = "← →" if self._cards else f"1–{len(self.view.seats)}"
        return legend(own, self.app.get_key_display, self.session, self.view, self.choice, seats)

    async def on_resize(self, event: events.Resize) -> None:
        """Use the room there is, or say how much is needed."""
        small = event.size.width < _LEAST[0] or event.size.height < _LEAST[1]
        was_small = self.has_class("-small")
        self.set_class(small, "-small")
        if self.is_mounted and self.query(CommandBar):
            if small:
                self.say(f"Needs {'×'.join(map(str, _LEAST))}, has {'×'.join(map(str, self.size))}; keys go on.")
            elif was_small:
                self.say("")
            await self.show_choice()

    # What is typed

    def _is_key(self, key: str) -> bool:
        """Whether a key on the empty command bar is the table's. One that has nothing to do now begins a word."""
        if key.isdecimal():
            return self.tally is not None or not self._cards
        idle = {
            "counter": self.choice == NOTHING,
            "redo": not self.session.redoable(),
            "reason": self.tally is None,
        }
        return key in self._own_keys and not idle.get(self._own_keys[key], False)

    def _complete(self, text: str) -> Sequence[str]:
        return asking.complete(text, self.session, self.view)

    def _answers(self) -> Sequence[str]:
        first = asking.due(self.view)[:1]
        return [*(other.line for other in first[0].others), first[0].line] if first else ()

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Help with the line that is being typed."""
        self.keys.show(self._keys())
        if event.value:
            self.status_line.show(Status(asking.explain(event.value, self.view, self.session.notation), "help"))

    @on(Input.Submitted)
    async def entered(self, event: Input.Submitted) -> None:
        """Enter: the tally that is running, the typed line, or the answer to the first prompt."""
        event.stop()
        if self.tally is not None:
            self.end_tally()
        elif self.is_keeping(event.value):
            pass  # it is being kept at this moment; the key was pressed twice
        elif event.value.strip():
            self.enter(event.value)
        elif (line := self.log_view.chosen) is not None:
            self.mended(AmendRequested(line.number, line.text))
        else:
            self.action_answer()

    # What keys and clicks do

    def action_answer(self) -> None:
        """Answer the first prompt, or begin its line where words are missing."""
        if self._has_just_changed():
            return
        first = asking.due(self.view)[:1]
        if not first:
            self.say("Nothing is asked now; type a line, or ? for help.")
        elif first[0].wants:
            self.bar.put(f"{first[0].line} ")
        else:
            self.enter(first[0].line)

    def action_take(self, at: int, way: int) -> None:
        """Take a way of answering a prompt, as with the mouse: the suggested one at once, others by way of the bar."""
        prompts = self.prompt_list.part.prompts if self.prompt_list.part else ()
        if at >= len(prompts) or self._has_just_changed():
            return
        line = asking.ways(prompts[at])[way]
        if way or prompts[at].wants:
            self.begin_line(f"{line} ")
        else:
            self.enter(line)

    async def action_enter_line(self) -> None:
        """Enter what stands in the command bar."""
        await self.bar.action_submit()

    def action_complete(self) -> None:
        """Complete the word in the command bar."""
        self.bar.action_next_word()

    def action_clear_line(self) -> None:
        """Empty the command bar."""
        self.bar.action_clear_line()

    def action_next(self) -> None:
        """Finish the step with its default."""
        if not self._has_just_changed():
            self.post_message(ActionsSubmitted((Next(),)))

    def _has_just_changed(self) -> bool:
        return monotonic() - self._asked_since < self.settle

    def action_undo(self) -> None:
        """Take back."""
        self.post_message(UndoRequested())

    def action_redo(self) -> None:
        """Do again."""
        self.post_message(RedoRequested())

    async def action_let_go(self) -> None:
        """Let go of whatever is chosen, a line of the log first."""
        self.log_view.choose(0)
        await super().action_let_go()

    def action_log(self) -> None:
        """Give the log the room of the board, and back; there, arrow keys choose a line to amend."""
        self.remove_class("-far")
        self.toggle_class("-log")
        self.log_view.choose(0)
        if self.has_class("-log"):
            self.say("↑ and ↓ choose a line, Enter offers it to be changed, l leads back.")

    def _browse(self, by: int) -> bool:
        """Arrow keys in the log, where that has the room."""
        if self.has_class("-log"):
            self.log_view.choose(by)
        return self.has_class("-log")

    def action_far(self) -> None:
        """Give the room to figures that can be read across the table, and back; keys and words go on as before."""
        self.remove_class("-log")
        self.toggle_class("-far")

    def action_page(self, by: int) -> None:
        """Page through the log."""
        page = self.log_view.scroll_page_up if by < 0 else self.log_view.scroll_page_down
        page(animate=False)

    def action_help(self) -> None:
        """All keys and all lines."""
        self.app.push_screen(Help(self._all_keys, self.session.notation, self.session.game.credit))

    def action_leave(self) -> None:
        """Back home; the table stays as it stands."""
        self.end_tally()
        self.dismiss()
