"""A form that is filled in answer by answer, and the function that opens it from other screens."""

from __future__ import annotations

import asyncio
import contextlib
import csv
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.types import CSSPathType
from textual.widgets import Input, OptionList, Static

from companion import scan
from companion.archive import ArchiveError, deck_id
from companion.archive.storage import files
from companion.games import registry
from companion.session.table import terms
from companion.session.table.form_answers import Answers
from companion.session.table.form_filling import GAME, WHOLE, Fillable, FormCursor, FormResult
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.deck_lists.decoding import MAX_BYTES, decode_list
from companion.tabletop.decks.form import Field, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tui import drawing, frame
from companion.tui.screens.base import (
    STYLES,
    StatusLineScreen,
    StatusScreen,
    TypingScreen,
    find_list_file,
    find_photograph,
    key_name,
)
from companion.tui.screens.help import Help
from companion.tui.terminal.input_queue import BEFORE_MORE_KEYS
from companion.tui.widgets import form_sheet
from companion.tui.widgets.bars import Key, KeyBar, KeyEffect, StatusLine
from companion.tui.widgets.form_sheet import ChoiceList, FormSheet, SheetPart, listable
from labels.errors import LabelError
from templates.languages.messages import Text, joined, phrase, phrase_in, phrases

if TYPE_CHECKING:
    from pathlib import Path

    from textual.widgets import TextArea


_WRONG = (ArchiveError, RuleError, NotationError, deck_id.DeckIdError)


class FormScreen(TypingScreen[FormResult | None], StatusLineScreen[FormResult | None]):
    """The form of one of several games; returns the stored result.

    `offered` are the games with the titles of their choices, if these differ from the titles in the rules; a choice
    that is no game leads to another screen, by `ways`.

    The form begins empty. `drafts` are earlier answers by game that were not stored, the newest last: that one is
    offered, and fills the form only if the user takes it up. The current answers are a draft until they are stored.
    """

    CSS_PATH: ClassVar[CSSPathType | None] = STYLES / "form.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "step(1)", "Next", id="form.next", tooltip="Go to the next answer"),
        Binding("shift+tab", "step(-1)", "Before", id="form.before", tooltip="Go to the previous answer"),
        Binding("up", "choose(-1)", "Choice above", id="form.up", show=False, tooltip="Go to the choice above"),
        Binding("down", "choose(1)", "Choice below", id="form.down", show=False, tooltip="Go to the choice below"),
        Binding(
            "pagedown", "section(1)", "Next question", id="form.later", show=False, tooltip="Go to the next question"
        ),
        Binding(
            "pageup",
            "section(-1)",
            "Question before",
            id="form.earlier",
            show=False,
            tooltip="Go to the previous question",
        ),
        Binding(
            "ctrl+r",
            "draw",
            "Draw",
            id="form.draw",
            tooltip="Let chance answer, if the game leaves the answer to chance",
        ),
        Binding(
            "f9",
            "draw_all",
            "Draw all",
            id="form.draw_all",
            tooltip="Draw all empty answers that are left to chance",
        ),
        Binding("f7", "take_up", "Take up", id="form.draft", show=False, tooltip="Restore the unsaved draft"),
        Binding("f8", "remove", "Remove", id="form.remove", tooltip="Remove this answer with all its parts"),
        # A text of several lines has these keys, too, and would take them first.
        Binding(
            "ctrl+z",
            "undo",
            "Undo",
            id="form.undo",
            priority=True,
            tooltip="Undo what was typed, chosen or drawn last",
        ),
        Binding("ctrl+y", "redo", "Redo", id="form.redo", show=False, priority=True, tooltip="Redo what was undone"),
        Binding("ctrl+s", "finish", "Done", id="form.done", tooltip="Save it, if everything is correct"),
        Binding("f1", "help", "Help", id="form.help", show=False, tooltip="Explain the terms and keys here"),
        Binding("escape", "leave", "Back", id="form.back", tooltip="Go back; what you typed is offered next time"),
    ]

    taken_up: ClassVar[Text] = phrase("This was not saved last time.")
    """The message after a draft was taken up."""

    sheet = getters.query_one(FormSheet)
    entry = getters.query_one("#entry", Input)
    choice_list = getters.query_one(ChoiceList)

    def __init__(
        self,
        games: Sequence[str],
        open_form: Callable[[str], Fillable],
        drafts: dict[str, Answers],
        game: str = "",
        keep: Callable[[str, Values], None] | None = None,
        leads: Callable[[FormResult], Awaitable[Screen[Any] | None]] | None = None,
        offered: Sequence[Choice] = (),
        ways: Mapping[str, Callable[[], Awaitable[Screen[Any]]]] = MappingProxyType({}),
        *,
        asks_before_leaving: bool = False,
    ) -> None:
        super().__init__()
        self._games = tuple(offered)
        self._ways = ways
        self._asks_before_leaving = asks_before_leaving
        """True if leaving it with answers needs a confirmation even though they are kept as a draft."""
        self._leads = leads
        """Returns the screen that replaces this one after the form is stored; None to go back."""
        self._keep = keep
        """Stores the draft by the game's name, in case the program ends before the form is complete."""
        self._drafts = drafts
        left = [each for each in drafts if each in games]
        self._offered = left[-1] if left else ""
        """The game whose draft is offered; "" if there is none, or it is taken up."""
        self._offered_answers = drafts.get(self._offered)
        self._open_form = open_form
        self.cursor = FormCursor(games, open_form, game)
        """The current place in the form, with the answers."""
        self._is_fresh = True
        self._asked_to_leave: object = None
        """The answers that Esc would discard, after the user was asked; None if not asked, or after the user
        went on.
        """
        self._lines: TextArea | None = None

    def on_resize(self) -> None:
        """Keep the current answer in sight."""
        self.call_after_refresh(self.sheet.scroll_to_highlight)

    @property
    def field(self) -> Input:
        """The only input field."""
        return self.entry

    def compose(self) -> ComposeResult:
        """Yield all answers, then the current question with its choices."""
        yield Static(str(self.cursor.form.title), id="title", markup=False)
        with Container(id="sides"):
            yield FormSheet(id="sheet")
            with Container(id="asked"):
                yield Static(id="question")
                entry = Input(id="entry", select_on_focus=False)
                entry.cursor_blink = False
                yield entry
                yield ChoiceList(id="choices")
            yield from self.beside()
        yield StatusLine()
        yield KeyBar()

    def beside(self) -> ComposeResult:
        """Yield the widgets beside the answers; most forms have none."""
        yield from ()

    def on_mount(self) -> None:
        """Focus the field for the first answer."""
        self.set_focus(self.entry)
        # In a worker: the whole app waits while a screen is being mounted.
        self.run_worker(self._begin(), name="first answer", group=BEFORE_MORE_KEYS)

    async def _begin(self) -> None:
        """Go to the first answer, and offer the last draft."""
        await self._go(self.cursor.begins_at)
        if self._offered_answers is not None:
            title = f"{self._title_of(self._offered)} · " if len(self.cursor.games) > 1 else ""
            # Answers that were read from the disk don't know their questions yet, nor the titles of their values.
            self._offered_answers.fields = self._offered_answers.fields or await self._read_fields(self._offered)
            holds = f"{title}{self._offered_answers.in_brief()}"
            self.say(self.offer_draft(holds, key_name(self, "form.draft")))

    async def _read_fields(self, game: str) -> tuple[Field, ...]:
        """Return the fields of the form of a game; none if it cannot be read, which taking up the draft reports."""
        with contextlib.suppress(*_WRONG):
            return tuple((await asyncio.to_thread(lambda: self._open_form(game).build_state({}))).fields)
        return ()

    def offer_draft(self, answers: str, key: str) -> Text:
        """Return the message that offers a draft, known by its first answers; `key` takes it up."""
        return phrase("Not kept last time: {answers}. {key} takes it up; typing begins anew.", answers=answers, key=key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 – Textual's
        """Return False for `take_up` if no draft is offered."""
        return self._offered_answers is not None if action == "take_up" else True

    async def action_take_up(self) -> None:
        """Continue the last draft at the place where it was left."""
        answers, self._offered_answers = self._offered_answers, None
        assert answers is not None
        self.cursor.take(self._offered, answers)
        self._show_title()
        self.refresh_bindings()
        # The questions may depend on the answers.
        await self.check_answers()
        await self._go(self.cursor.begins_at)
        self.say(self.taken_up)

    def _show_title(self) -> None:
        self.query_one("#title", Static).update(str(self.cursor.form.title))

    # The current place

    async def _go(self, place: FormPlace) -> None:
        """Go to a place, which may move up as empty answers are dropped."""
        self.cursor.go(place)
        self._asked_to_leave = None
        self.mark_new_offers()
        await self._put_in_line(self.cursor.text)
        self.choice_list.forget()
        self.say("")
        await self.check_answers()

    async def _put_in_line(self, text: str) -> None:
        """Put the answer into the field, to be typed over; a text of several lines has its own field."""
        field = self.cursor.current_field
        is_text = field is not None and field.kind == "list"
        self.entry.display = not is_text
        with self.prevent(Input.Changed):
            self.entry.value = "" if is_text else text if field is None else field.write_answer(text)
        if is_text or self._lines is not None:
            await self._put_in_lines(text if is_text else "", is_asked=is_text)
        self.set_focus(self._lines if is_text else self.entry)
        # Typing replaces this text; → keeps it, and goes on behind it.
        self.entry.select_all()
        self._is_fresh = True

    async def _put_in_lines(self, text: str, *, is_asked: bool) -> None:
        """Put a text of several lines into its own field, which is made on first use, as few forms need it."""
        from textual.widgets import TextArea

        if self._lines is None:
            self._lines = TextArea(id="lines", tab_behavior="focus", compact=True)
            self._lines.cursor_blink = False
            await self.mount(self._lines, after=self.entry)
        self._lines.display = is_asked
        with self.prevent(TextArea.Changed):
            self._lines.text = text

    @property
    def lines(self) -> TextArea | None:
        """The field for a text of several lines, if the question asks for one."""
        return self._lines if self._lines is not None and self._lines.display else None

    async def action_step(self, by: int) -> None:
        """Go to the next answer, or the previous one; this chooses nothing."""
        await self._go(self.cursor.step(by))

    async def action_section(self, by: int) -> None:
        """Go to the first answer of the next question, or of the previous one."""
        await self._go(self.cursor.section(by))

    @on(OptionList.OptionSelected, "#sheet")
    async def go_to_row(self, event: OptionList.OptionSelected) -> None:
        """Go to the answer in a row; a click on the last row finishes the form."""
        place = self.sheet.place_of(str(event.option_id))
        if place == self.cursor.at == WHOLE:
            await self.action_finish()
        else:
            await self._go(place)

    # Typing and choosing

    @on(Input.Changed, "#entry")
    def take_text(self) -> None:
        """Store the text while it is typed; the form is checked a moment later."""
        self._is_fresh = False
        self.say("")  # the message was about another answer
        if self.cursor.is_question and self._typed_answer != self.cursor.text:
            self.cursor.answers.put(self.cursor.at, self._typed_answer)
            self._look_soon()
        self._offer()

    @property
    def _typed_answer(self) -> str:
        """The answer in the field, where it may stand by its title in the current language."""
        field = self.cursor.current_field
        return self.entry.value if field is None else field.read_answer(self.entry.value)

    def on_paste(self, event: events.Paste) -> None:
        """Leave a paste to the text of several lines that took it: unlike an input, that lets the event bubble up."""
        if self.lines is not None and self.lines.has_focus:
            event.stop()
            event.prevent_default()

    async def take_pasted_cells(self, text: str) -> bool:
        """Fill in rows of a spreadsheet, if one question takes any number of them."""
        if self.lines is not None and self.lines.has_focus:
            return False
        cells = csv.reader(text.splitlines(keepends=True), delimiter="\t")
        try:
            place = self.cursor.put_cells([row for row in cells if any(row)])
        except (RuleError, csv.Error) as error:
            self.say(str(error), wrong=True)
            return True
        if place is None:
            return False
        await self.check_answers()
        await self._go(place)
        return True

    def on_text_area_changed(self) -> None:
        """Store a text of several lines while it is typed; the path of a file becomes its content."""
        if self.lines is not None and (file := find_list_file(self.lines.text)) is not None:
            self._load_list(file)
        if self.lines is not None and self.lines.text != self.cursor.text:
            self.cursor.answers.put(self.cursor.at, self.lines.text)
            self._look_soon()

    def _load_list(self, file: Path) -> None:
        """Put the content of a file in place of its path."""
        assert self.lines is not None
        try:
            with files.open_input(file) as opened:
                self.lines.text = decode_list(opened.read(MAX_BYTES + 1))
        except (OSError, ArchiveError, NotationError) as error:
            self.say(frame.describe_error(error), wrong=True)

    @work(exclusive=True, group="look")
    async def _look_soon(self) -> None:
        await self.check_answers()

    @on(Input.Submitted, "#entry")
    async def submit_line(self) -> None:
        """Take the chosen or typed answer, and go on; at the end, finish the form."""
        if self.cursor.at == WHOLE and self.choice_list.chosen is None:
            await self.action_finish()
            return
        if (photograph := find_photograph(self.entry.value)) is not None and await self._fill_by(photograph):
            return
        await self.check_answers()
        if (choice := self.choice_list.chosen) is not None:
            await self.take_choice(choice)
        elif self.cursor.at == GAME:
            await self._keep_game()
        elif (finding := self.cursor.refuse()) is not None:
            self._stay(finding)
        else:
            await self._go(self.cursor.onward())

    async def _fill_by(self, photograph: Path) -> bool:
        """Fill in the labels in a photograph of the deck; return False if this form takes no photographs."""
        from companion.forms.decks.deck_forms import LabelledDeckForm

        form, at = self.cursor.form, self.cursor.at
        if not isinstance(form, LabelledDeckForm) or not form.takes_photographs:
            return False
        if self.cursor.is_question:
            # The path was typed into the place of an answer.
            self.cursor.answers.put(at, "")
        values = self.cursor.answers.values()
        self.say(phrase("Reading {file} …", file=photograph.name))
        try:
            filled = await asyncio.to_thread(form.read_photograph, values, photograph)
        except (scan.PictureError, LabelError) as error:
            self.say(frame.describe_error(error), wrong=True)
            return True
        self.cursor.take(self.cursor.game, Answers(self.cursor.answers.fields, filled))
        await self.check_answers()
        await self._go(at)
        self.say(phrase("The labels from the photograph are filled in; add the rest."))
        return True

    def _stay(self, finding: Finding) -> None:
        """Keep the cursor on a faulty answer: typing replaces it."""
        self._is_fresh = True
        self.show_form()
        self.entry.select_all()
        way_on = phrase("Type it again; {key} goes on anyway.", key=key_name(self, "form.next"))
        self.say(joined(" ", (finding.text, way_on)), wrong=True)

    @on(OptionList.OptionSelected, "#choices")
    async def take_clicked_choice(self, event: OptionList.OptionSelected) -> None:
        """Take a choice on a click, unless it came before the current choices were visible."""
        if self.offers_precede_press:
            await self.take_choice(self.choice_list.choices[event.option_index])
        else:
            self.leave_out()

    async def take_choice(self, choice: Choice) -> None:
        """Take a choice. If more could follow it in the same answer, stay there."""
        if self.cursor.at == WHOLE:
            titles = ((each, str(self._finding_title(each))) for each in self.cursor.wrong())
            wrong = next((each for each, title in titles if title == choice.value), None)
            if wrong is not None:
                await self.go_to_finding(wrong)
            return
        if self.cursor.at == GAME and choice.value in self._ways:
            self.app.switch_screen(await self._ways[choice.value]())
            return
        if self.cursor.at == GAME:
            self.cursor.take(str(choice.value))
            self._show_title()
            await self._go(self.cursor.places()[1])
            return
        before = _before_last(self.entry.value) if self.cursor.is_list else ""
        text = f"{before}{choice.value}"
        is_new = self.choice_list.is_open and self._typed_answer.strip() != text
        self.cursor.answers.put(self.cursor.at, text)
        if is_new and (self.cursor.is_list or await self._leads_on(text)):
            await self._go(self.cursor.at)
            await self._go_on_behind()
        else:
            # Another answer may lead to other questions.
            await self.check_answers()
            await self._go(self.cursor.onward())

    def _finding_title(self, finding: Finding) -> Text:
        """Return the text of an error, with the number of the answer if a question has several."""
        field = next((each for each in self.cursor.answers.fields if each.name == finding.place.field), None)
        entry = finding.place.entry
        if field is None or not field.many or entry is None:
            return finding.text
        # Translators: An error in one of several answers, such as “Label 2: …”.
        return phrase("{field} {number}: {error}", field=field.caption, number=entry + 1, error=finding.text)

    async def go_to_finding(self, finding: Finding) -> None:
        """Go to the answer that has the error."""
        await self._go(self.cursor.place_of(finding))
        if self.lines is not None and finding.place.entry:
            self.lines.move_cursor((finding.place.entry - 1, 0))

    def _title_of(self, game: str) -> str:
        """Return the title of a game in the choices."""
        title = next((choice.title for choice in self._games if choice.value == game), "")
        return str(title or registry.title(game))

    async def _go_on_behind(self) -> None:
        """Stay for more of the same answer; Enter alone goes on to the next one."""
        if not self.cursor.is_list:
            with self.prevent(Input.Changed):
                self.entry.value += " "
            await self.check_answers()
        self.entry.cursor_position = len(self.entry.value)
        self.say(phrase("Enter goes on; ↓ chooses what else belongs here."))

    async def _leads_on(self, text: str) -> bool:
        """Return True if a choice would continue the chosen text."""
        candidates = await asyncio.to_thread(self._candidates_at, self.cursor.at, f"{text} ")
        return any(str(choice.value).startswith(f"{text} ") for choice in listable(candidates))

    async def _keep_game(self) -> None:
        """Go on with the current game, unless something else was typed."""
        if text := self.entry.value.strip():
            self.entry.select_all()
            self.say(phrase("No game here is called “{text}”; choose one with ↑ ↓.", text=text), wrong=True)
        else:
            await self._go(self.cursor.places()[1])

    def action_choose(self, by: int) -> None:
        """Move up and down among the choices; above the first one, none is marked and the typed text counts."""
        self.choice_list.step(by)

    async def action_draw(self) -> None:
        """Draw an answer by chance; if this one is not left to chance, draw for every empty place that is."""
        field = self.cursor.current_field
        another = phrase("{key} suggests another.", key=key_name(self, "form.draw"))
        # Translators: Chance has given an answer.
        await self._draw_and_say(another if field and field.names else phrase("Drawn."))

    async def action_draw_all(self) -> None:
        """Draw an answer for every empty place that is left to chance."""
        await self._draw_and_say(phrase("Drawn. Each answer can still be changed."), everywhere=True)

    async def _draw_and_say(self, says: Text, *, everywhere: bool = False) -> None:
        try:
            is_drawn = self.cursor.draw(Random(), everywhere=everywhere)
        except RuleError as error:
            self.say(str(error), wrong=True)
            return
        await self._go(self.cursor.at)
        self.say(says if is_drawn else phrase("There is nothing to draw here."))

    async def action_remove(self) -> None:
        """Remove the current answer with all of its parts."""
        self.cursor.answers.remove(self.cursor.at)
        await self._go(self.cursor.at)

    async def action_undo(self) -> None:
        """Undo the last change of an answer; in a text of several lines, undo its edits first."""
        if self.lines is not None and _changes_text(self.lines, self.lines.undo):
            return
        says = phrase("Taken back; {key} does it again.", key=key_name(self, "form.redo"))
        await self._return_to(self.cursor.undo(), says, phrase("Nothing to undo here."))

    async def action_redo(self) -> None:
        """Redo the last change that was undone."""
        if self.lines is not None and _changes_text(self.lines, self.lines.redo):
            return
        await self._return_to(self.cursor.redo(), phrase("Done again."), phrase("Nothing to redo here."))

    async def _return_to(self, place: FormPlace | None, says: Text, nothing: Text) -> None:
        if place is None:
            self.say(nothing)
            return
        self._show_title()
        # The questions may depend on the answers.
        self.cursor.at = WHOLE
        await self.check_answers()
        await self._go(place)
        self.say(says)

    async def action_finish(self) -> None:
        """Store the form, with the marked choice; or go to the first error."""
        if not await self._take_marked():
            return
        self.cursor.is_tried = True
        await self.check_answers()
        if wrong := self.cursor.wrong():
            await self.go_to_first_wrong()
            self.say(_count_wrong(len(wrong)), wrong=True)
            return
        try:
            outcome = await asyncio.to_thread(self.cursor.form.keep, self.cursor.answers.values())
        except _WRONG as error:
            self.say(frame.describe_error(error), wrong=True)
            return
        self.end_draft()
        following = await self._leads(outcome) if self._leads is not None else None
        if following is None:
            self.dismiss(outcome)
        else:
            # Switch in one step: otherwise the screen beneath would show for a moment.
            self.app.switch_screen(following)

    async def _take_marked(self) -> bool:
        """Take the choice that is marked by arrows or letters, as Enter would; return False if that leads to another
        screen.
        """
        choice, at = self.choice_list.chosen, self.cursor.at
        if choice is None or at == WHOLE or not (self.choice_list.is_moved or self.entry.value.strip()):
            return True
        if at == GAME and choice.value in self._ways:
            await self.take_choice(choice)
            return False
        if at == GAME:
            if choice.value != self.cursor.game:
                await self.take_choice(choice)
        else:
            before = _before_last(self.entry.value) if self.cursor.is_list else ""
            self.cursor.answers.put(at, f"{before}{choice.value}")
        return True

    async def go_to_first_wrong(self) -> None:
        """Go to the first answer that has an error."""
        place = self.cursor.first_wrong()
        first = next((each for each in self.cursor.wrong() if self.cursor.place_of(each) == place), None)
        if first is not None:
            await self.go_to_finding(first)

    def action_leave(self) -> None:
        """Leave the form. A draft is offered next time; if the answers would be lost, or the form asks, ask first."""
        entered, is_lost = self.cursor.answers.snapshot, not self.keeps_draft
        asks = is_lost or self._asks_before_leaving
        if self.cursor.is_changed and asks and self._asked_to_leave != entered:
            keys = {"back": key_name(self, "form.back"), "key": key_name(self, "form.done")}
            done = self.cursor.form.done
            # Translators: {back} and {key} are keys, {done} is the last step of the form, such as “Write the PDF”.
            discards = phrase(
                "{back} again discards what you entered; {key} chooses “{done}”; any other key goes on.",
                **keys,
                done=done,
            )
            # Translators: {back}, {key} and {done} as before.
            leaves = phrase(
                "{back} again leaves this form, which offers next time what you entered; {key} chooses “{done}”; any "
                "other key goes on.",
                **keys,
                done=done,
            )
            self.say(discards if is_lost else leaves, wrong=is_lost)
            self._asked_to_leave = entered
            return
        self.dismiss(None)

    @property
    def keeps_draft(self) -> bool:
        """True if the answers are offered again after the form is left."""
        return self._keep is not None

    # The draft

    def keep_draft(self, values: Values) -> None:
        """Store the draft. If nothing was typed, the previous draft stays as it is."""
        game, answers = self.cursor.game, self.cursor.answers
        if self.cursor.is_begun:
            self._drafts.pop(game, None)
            self._drafts[game] = answers
            if self._keep is not None:
                self._keep(game, values)
        elif self._drafts.get(game) is answers:
            self._forget_draft()

    def end_draft(self) -> None:
        """Delete the draft after the form is complete."""
        self._forget_draft()

    def _forget_draft(self) -> None:
        """Delete the draft: its answers are stored, or there are none any more."""
        self._drafts.pop(self.cursor.game, None)
        if self._keep is not None:
            self._keep(self.cursor.game, {})

    # Drawing

    async def check_answers(self) -> None:
        """Check the answers and find the choices of the current question, then show them."""
        form, values, at, text = self.cursor.form, self.cursor.answers.values(), self.cursor.at, self._typed_answer
        try:
            state = await asyncio.to_thread(form.build_state, values)
            candidates = await asyncio.to_thread(self._candidates_at, at, text)
        except _WRONG as error:
            self.say(frame.describe_error(error), wrong=True)
            return
        if form is not self.cursor.form:
            return  # the user has switched to another game meanwhile, and this state belongs to the previous one
        self.cursor.saw(state)
        # By the current questions: some values may have answered only the previous ones.
        self.keep_draft(self.cursor.answers.values())
        if at == self.cursor.at and self.query(FormSheet):
            wrong = tuple(Choice(str(self._finding_title(each))) for each in self.cursor.wrong())
            self.choice_list.candidates = wrong if at == WHOLE else candidates
            self.show_form()

    def _candidates_at(self, place: FormPlace, text: str) -> Candidates:
        if place == GAME:
            return self._games or tuple(Choice(name, registry.title(name)) for name in self.cursor.games)
        if place == WHOLE:
            return ()
        candidates = self.cursor.form.candidates(self.cursor.answers.values(), place, text)
        return candidates if isinstance(candidates, Open) else tuple(candidates)

    def show_form(self) -> None:
        """Show the answers, the current question and the keys."""
        cursor = self.cursor
        game = self._title_of(cursor.game) if len(cursor.games) > 1 else ""
        filled, idle = cursor.seen.filled, cursor.seen.idle
        self.sheet.show(
            SheetPart(cursor.answers, filled, cursor.at, cursor.due_findings(), game, str(cursor.form.done), idle)
        )
        self.query_one("#question", Static).update(
            drawing.card_signs(form_sheet.question(cursor, self.choice_list.what_to_type))
        )
        self._offer()
        draw = key_name(self, "form.draw")
        self.entry.placeholder = form_sheet.form_invitation(
            cursor,
            game,
            bool(self.choice_list.choices),
            draw,
            width=self.entry.content_size.width or self.app.size.width,
            takes_first=self.choice_list.takes_first,
        )
        self.show_keys()
        # The choices may have taken room from the sheet.
        self.call_after_refresh(self.sheet.scroll_to_highlight)

    def _offer(self) -> None:
        """Show the choices that match the typed text."""
        text = self.entry.value.rpartition(",")[2].strip() if self.cursor.is_list else self.entry.value.strip()
        self.choice_list.is_numbered = self.cursor.at == GAME and bool(self._games)
        self.choice_list.fit(text, is_typed=not self._is_fresh)

    def show_keys(self) -> None:
        """Show the keys that apply now at the foot of the screen."""
        self.query_one(KeyBar).show(tuple(self.keys()))

    def keys(self) -> Iterator[Key]:
        """Yield the keys that apply now."""
        name, choices, is_text = partial(key_name, self), bool(self.choice_list.choices), self.lines is not None
        if self._offered_answers is not None and not self.cursor.is_begun:
            yield (
                name("form.draft"),
                KeyEffect(phrase("Take up the draft"), phrase_in("key", "Draft")),
                "screen.take_up",
            )
        yield from form_sheet.form_keys(self.cursor, name, has_choices=choices, is_text=is_text)
        if self.cursor.can_undo:
            yield (name("form.undo"), phrase("Undo"), "screen.undo")

    def action_help(self) -> None:
        """Explain the chosen answer, the typed word or the question, beside all words and keys."""
        choice = self.choice_list.chosen
        title = str(self.cursor.current_field.caption) if self.cursor.current_field else ""
        words = (*((str(choice.title or choice.value),) if choice else ()), self.entry.value, title)
        all_terms = terms.game_terms(registry.game(self.cursor.game)) if self.cursor.game in registry.names() else ()
        matches = (terms.look_up((word,), all_terms) for word in words if word)
        self.app.push_screen(Help(self.active_bindings, terms=all_terms, about=next(filter(None, matches), ())))


def _count_wrong(count: int) -> Text:
    """Return the message about errors in a form."""
    if count == 1:
        return phrase("This is not right yet.")
    return phrases("This is not right yet, nor is {n} more.", "This is not right yet, nor are {n} more.", n=count - 1)


def _changes_text(lines: TextArea, edit: Callable[[], None]) -> bool:
    """Undo or redo an edit within a text of several lines. Return False if there is none."""
    text = lines.text
    edit()
    return lines.text != text


def _before_last(text: str) -> str:
    """Return the text before the last of several words separated by commas."""
    before, comma, _ = text.rpartition(",")
    return f"{before}{comma} " if comma else ""


async def open_form(
    screen: StatusScreen, form: Callable[[], Fillable], on_close: Callable[[FormResult | None], Awaitable[None]]
) -> None:
    """Open a form, which is made in a thread."""
    fillable = await asyncio.to_thread(form)
    pushed: Screen[FormResult | None] = FormScreen(["form"], lambda _: fillable, {})
    await screen.app.push_screen(pushed, on_close)
