"""A screen that asks: a text, and below it the answers in a list, filtered by typing, chosen with arrows and Enter.

Shared by the ceremony after a game and by the chores after the seal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import and_
from typing import ClassVar, Literal, NamedTuple

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.tabletop.notation.cards import format_words
from companion.tabletop.notation.word_search import rank_beginning
from companion.tui import drawing
from companion.tui.screens.base import STYLES, key_name
from companion.tui.screens.box import BoxScreen
from companion.tui.widgets.bars import Key, KeyBar, StatusLine
from companion.tui.widgets.panel import ChoosingList
from templates.languages.messages import Text, partition_subject, phrase

Leads = Literal["on", "table", "home", "again"]
"""The place to which such a screen leads when it ends."""


class AnswerRow(NamedTuple):
    """A row of the list: its text, details to know before it is taken, and its meaning."""

    text: Text
    detail: Text
    means: object


class AskingScreen(BoxScreen[Leads]):
    """A screen with one question at a time."""

    CSS_PATH = STYLES / "asking.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape", "back", "Back", id="asking.back", tooltip="Clear the field; go back to the previous question"
        ),
        Binding("f1", "help", "Help", id="asking.help", tooltip="Explain the keys"),
        Binding("up", "move(-1)", "Up", id="asking.up", show=False, tooltip="Go to the answer above"),
        Binding("down", "move(1)", "Down", id="asking.down", show=False, tooltip="Go to the answer below"),
        Binding("ctrl+z", "take_back", "Take back", id="asking.undo", tooltip="Undo what was done last"),
        # The list would take these keys, and select another answer than the one in view.
        Binding("pageup", "page(-1)", "Up", id="asking.earlier", show=False, tooltip="Scroll up", priority=True),
        Binding("pagedown", "page(1)", "Down", id="asking.further", show=False, tooltip="Scroll down", priority=True),
    ]

    answers = getters.query_one("#answers", OptionList)
    page = getters.query_one("#page", VerticalScroll)

    def __init__(self) -> None:
        super().__init__()
        self._question: Text = ""
        self._answers: Sequence[AnswerRow] = ()
        self._rows: Sequence[AnswerRow] = ()

    def compose(self) -> ComposeResult:
        """Yield the place, the text, the question, the answers, the field and the keys."""
        yield Static(id="where")
        page = VerticalScroll(Static(id="text"), id="page")
        page.can_focus = False
        yield page
        yield Static(id="question")
        yield ChoosingList(id="answers")
        box = Input(id="box", placeholder=str(phrase("type to shorten the list")), select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    def ask(self, question: Text, answers: Sequence[AnswerRow], at: int = 0) -> None:
        """Show a question with its answers, and select the one at `at`."""
        if question != self._question or not {each.text for each in answers} <= {each.text for each in self._answers}:
            self.mark_new_offers()
        self._question, self._answers = question, answers
        self.query_one("#question", Static).update(drawing.card_signs(Content(drawing.narrow_glyphs(str(question)))))
        with self.box.prevent(Input.Changed):
            self.box.value = ""
        self._fill(at)
        self.set_focus(self.answers)

    def show_where(self, where: Content) -> None:
        """Show the current place in the first row."""
        self.query_one("#where", Static).update(where)

    def tell(self, rows: Sequence[Content]) -> None:
        """Show a text above the question."""
        self.query_one("#text", Static).update(drawing.card_signs(Content("\n").join(rows)))
        self.page.display = bool(rows)
        self.page.scroll_home(animate=False)

    def show_keys(self, *keys: Key) -> None:
        """Show the keys that matter now."""
        self.query_one(KeyBar).show(keys)

    def _fill(self, at: int = 0) -> None:
        text = self.box.value.strip().lower()
        # Cards are printed as `K♠` in the list, and typed as `ks`.
        texts = {text, format_words(text).lower()}
        telling = zip(self._answers, _tell_apart(self._answers), strict=True)
        matches = [(answer, own) for answer, own in telling if _has_any(own, texts)] or [
            (answer, answer) for answer in self._answers if _has_any(answer, texts)
        ]
        ranks = [min(rank_beginning(each, str(own.text)) for each in texts) for _, own in matches]
        self._rows = [answer for _, (answer, _) in sorted(zip(ranks, matches, strict=True), key=lambda row: row[0])]
        self.answers.clear_options()
        self.answers.add_options([Option(_row(each)) for each in self._rows])
        self.answers.highlighted = max(0, min(at, len(self._rows) - 1)) if self._rows else None
        if not self._rows and text:
            lists_all = key_name(self, "asking.back")
            hint = phrase(
                "No answer has “{text}”; Enter takes it as a line, {key} lists all.",
                text=self.box.value,
                key=lists_all,
            )
            row = Content.styled(drawing.narrow_glyphs(str(hint)), drawing.DIM)
            self.answers.add_option(Option(row, disabled=True))

    async def take(self, answer: AnswerRow) -> None:
        """Run the action of an answer."""
        raise NotImplementedError

    async def enter(self, text: str) -> None:
        """Process a typed text that matches no answer."""
        raise NotImplementedError

    @property
    def choice(self) -> AnswerRow | None:
        """The answer that is highlighted."""
        at = self.answers.highlighted
        return None if at is None or at >= len(self._rows) else self._rows[at]

    @on(Input.Changed, "#box")
    def filter_answers(self) -> None:
        """Show only the answers that contain the typed text; those that begin with it come first."""
        self._fill()

    @on(Input.Submitted, "#box")
    async def submit_line(self, event: Input.Submitted) -> None:
        """Take the chosen answer on Enter; if no answer matches, submit the text itself."""
        event.stop()
        if (answer := self.choice) is not None:
            await self._take_if_offered(answer)
        elif event.value.strip():
            await self.enter(event.value)
            self.select_refused(event.value)

    @on(OptionList.OptionSelected, "#answers")
    async def take_clicked(self, event: OptionList.OptionSelected) -> None:
        """Take an answer on Enter or a click."""
        event.stop()
        await self._take_if_offered(self._rows[event.option_index])

    async def _take_if_offered(self, answer: AnswerRow) -> None:
        """Take an answer, unless the key was pressed before the answer was visible."""
        if self.offers_precede_press or self.box.value:
            await self.take(answer)
        else:
            self.leave_out()

    def action_move(self, by: int) -> None:
        """Move the selection with the arrow keys while text is typed."""
        (self.answers.action_cursor_up if by < 0 else self.answers.action_cursor_down)()

    def action_page(self, by: int) -> None:
        """Scroll the text if it is longer than its room, else page through the answers."""
        if self.page.display and self.page.max_scroll_y:
            (self.page.scroll_page_up if by < 0 else self.page.scroll_page_down)(animate=False)
        else:
            page = self.answers.action_page_up if by < 0 else self.answers.action_page_down
            page()  # type: ignore[no-untyped-call]

    async def action_back(self) -> None:
        """Clear the typed text; if there is none, go back to the previous question."""
        if self.box.value:
            self.box.value = ""
            self.set_focus(self.answers)
        else:
            await self.back()

    async def back(self) -> None:
        """Go back to the previous question."""
        raise NotImplementedError

    async def action_take_back(self) -> None:
        """Undo the last action."""
        raise NotImplementedError


def _tell_apart(answers: Sequence[AnswerRow]) -> Iterator[AnswerRow]:
    """Yield the answers without the words that all of them share: for `fade ana 5♣ 6♠ fades 5♣`, only the last card."""
    words = [Counter(str(answer.text).split()) for answer in answers]
    shared = reduce(and_, words) if len(words) > 1 else Counter[str]()
    for answer, own in zip(answers, words, strict=True):
        yield answer._replace(text=" ".join((own - shared).elements()))


def _has_any(answer: AnswerRow, texts: Collection[str]) -> bool:
    whole = f"{answer.text} {answer.detail}".lower()
    return any(text in whole for text in texts)


def _row(answer: AnswerRow) -> Content:
    detail = f"  {drawing.narrow_glyphs(str(answer.detail))}" if answer.detail else ""
    # In a sentence about a player or a deck, the name stands out.
    name, colon, about = map(drawing.narrow_glyphs, partition_subject(answer.text))
    return Content.assemble((f"{name}{colon}", drawing.BOLD), about, (detail, drawing.DIM))
