"""The prompts of the table, and the list of answers to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec
from textual.content import Content
from textual.style import Style

from companion.session.reading.local_words import title_of_line
from companion.session.reading.table_questions import PUT_RIGHT, Answer, Question
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.table.table import Prompt
from companion.tui import drawing
from companion.tui.widgets.answer_grid import AnswerGrid, answer_grid, grid_rows
from companion.tui.widgets.panel import Panel, chosen_row
from templates.languages.messages import Text, phrase

USUAL: Final = 10
"""The rows of a list while the height is unknown."""
LEAST: Final = 3
"""Rows below which a list is useless."""

_INDENT: Final = 2
_WORD, _TITLE = 22, 26
"""The maximum columns of a word and of a title, so that all details are aligned."""
_TITLED_WORD: Final = 32
"""The maximum columns of a word after its title."""
_ROOMY: Final = 80
"""Columns from which on there is room for a title beside the details."""
_CELL: Final = 12
"""The minimum of columns for an answer, if several are side by side."""
_LEAST_BESIDE: Final = 30
"""The minimum of columns for an offer behind a hint."""
_ANY: Final = 1000
"""A number of rows that is never reached."""


class AnswerList(msgspec.Struct, frozen=True):
    """The answers to choose from, and the chosen row (None while the cursor is outside of the list).

    `keys` explains how to choose, and `typed` is True while the bar has a text, as the list then matters more than
    other questions. `verbs` are the titles of the verbs in the reader's language, which stand before lines of notation;
    none in English. The last `offers` of the answers are the other things to do: the list has them only while the
    cursor is in it, as they are below it otherwise. With `is_numbered`, each row begins with the number to type for it.
    """

    question: Question = Question()
    chosen: int | None = None
    keys: Text = ""
    typed: bool = False
    offers: int = 0
    verbs: Mapping[str, str] = MappingProxyType({})
    is_numbered: bool = False

    def __bool__(self) -> bool:
        return self.question != Question()

    @property
    def rows(self) -> tuple[Answer, ...]:
        """The answers that are listed now."""
        answers = self.question.answers
        return answers if self.chosen is not None else answers[: len(answers) - self.offers]

    @property
    def answer(self) -> Answer | None:
        """The chosen answer."""
        return None if self.chosen is None else self.question.answers[self.chosen]


class _AnswerLayout(msgspec.Struct, frozen=True):
    """The layout of answers in columns and lines; `tells` is True if a row below explains how to choose."""

    columns: int
    lines: int
    tells: bool

    @property
    def size(self) -> int:
        """The number of answers on a page."""
        return self.columns * self.lines


def natural(part: AnswerList, width: int) -> int:
    """Return the rows that show all answers below each other; the explanation of how to choose needs one more."""
    grid = answer_grid(part.rows, width, _ANY)
    rows = len(part.rows) if grid is None else len(grid.rows)
    return rows + bool(part.question.input_hint or part.question.note)


def answer_rows(part: AnswerList, width: int, most: int) -> list[Content]:
    """Draw the answers in at most `most` rows; if not all fit, the page with the chosen one, and their number."""
    rows = part.rows
    if most <= 0 or not (rows or part.question.input_hint or part.question.note):
        return []
    if cards := answer_grid(rows, width, most):
        return _card_rows(part, cards, width, most)
    grid = _fit_grid(part, width, most)
    page = (part.chosen or 0) // grid.size
    page_rows = range(page * grid.size, min(len(rows), (page + 1) * grid.size))
    footer = _footer(part, page_rows, width)
    return [
        *_answer_lines(part, page_rows, grid, width),
        *([footer.stylize(_turn(page_rows, rows))] if grid.tells else []),
    ][:most]


def _card_rows(part: AnswerList, grid: AnswerGrid, width: int, most: int) -> list[Content]:
    """Return the cards with a row of their own, then the others; a row that is left explains how to choose."""
    rows = part.rows
    alone = [at for row in grid.rows[: grid.alone] for at in row if at is not None]
    word = max((_name(rows[at], part.verbs).cell_length for at in alone), default=0)
    lines = [_draw_row(part, at, word, 0, width).stylize(_answer_click(at)) for at in alone]
    for cells in grid_rows(grid, rows, part.chosen):
        clicks = (cell if at is None else cell.stylize(_answer_click(at)) for cell, at in cells)
        lines.append(Content(" ") + Content("").join(clicks))
    return [*lines, _footer(part, range(len(rows)), width)][:most]


def column(part: AnswerList, width: int, most: int) -> int:
    """Return the number of answers in a column of at most `most` rows, which is the step to the answer beside."""
    return _fit_grid(part, width, most).lines


def _fit_grid(part: AnswerList, width: int, most: int) -> _AnswerLayout:
    rows = part.rows
    side_by_side = max(1, (width - _INDENT) // _cell(part))
    # If all answers fit without it, the explanation of how to choose only takes a row that is left.
    tells = most > len(rows) or len(rows) > most * side_by_side or bool(part.question.input_hint or part.question.note)
    room = max(1, most - tells)
    columns = 1 if len(rows) <= room else min(side_by_side, -(-len(rows) // room))
    # The same on all pages, so that → leads to the next column on each of them, and from the last column to the next
    # page.
    lines = max(1, -(-min(len(rows), columns * room) // columns))
    return _AnswerLayout(columns, lines, tells)


def _cell(part: AnswerList) -> int:
    """Return the columns for one of several answers side by side: three quarters of them fit, the others are cut."""
    widths = sorted(_brief(answer, part.verbs).cell_length for answer in part.rows)
    return max([_CELL, *widths[3 * len(widths) // 4 :][:1]])


def _answer_lines(part: AnswerList, page_rows: range, grid: _AnswerLayout, width: int) -> list[Content]:
    rows = part.rows
    if grid.columns == 1:
        visible = [rows[at] for at in page_rows]
        word = min(
            _TITLED_WORD if part.verbs else _WORD,
            max((_name(answer, part.verbs).cell_length for answer in visible), default=0),
        )
        # The details of a row matter more than its title.
        no_title = width < _ROOMY and any(answer.detail for answer in visible)
        title = 0 if no_title else min(_TITLE, max((len(_title(answer)) for answer in visible), default=0))
        return [_draw_row(part, at, word, title, width).stylize(_answer_click(at)) for at in page_rows]
    cell = (width - _INDENT) // grid.columns
    cells = [_brief_cell(part, at, cell).stylize(_answer_click(at)) for at in page_rows]
    # Column by column, so that ↓ leads to the answer below.
    return [Content("").join(cells[at :: grid.lines]) for at in range(min(grid.lines, len(cells)))]


def _draw_row(part: AnswerList, at: int, word: int, title: int, width: int) -> Content:
    answer = part.question.answers[at]
    name, about = _name(answer, part.verbs, word, "  "), f"  {_title(answer):<{title}}" if title else ""
    detail = f"  {drawing.narrow_glyphs(answer.detail)}"
    row = Content.assemble(_number(part, at), name, about, (detail, drawing.DIM)).truncate(width, ellipsis=True)
    return chosen_row(row, width) if at == part.chosen else row


def _number(part: AnswerList, at: int) -> Content:
    """Return the number to type for a row; nothing if the rows have none."""
    return Content.styled(f"  {at + 1}", drawing.DIM) if part.is_numbered else Content("")


def _name(answer: Answer, verbs: Mapping[str, str], width: int = 0, indent: str = "") -> Content:
    """Return the name of an answer in at least `width` columns; a line comes after the title of its verb, if that has
    one.
    """
    name = drawing.narrow_glyphs(answer.name)
    title = title_of_line(name, verbs) if answer.line.strip().startswith(name) else ""
    if not title:
        return Content.styled(f"{indent}{name:<{width}}", drawing.BOLD)
    titled = Content.assemble((title, drawing.BOLD), (f"{drawing.BULLET}{name}", drawing.DIM))
    return Content(indent) + titled.pad_right(max(0, width - titled.cell_length))


def _title(answer: Answer) -> str:
    """Return the title of an answer, unless it repeats the word."""
    return "" if _plainly(answer.name) == _plainly(answer.title) else drawing.narrow_glyphs(answer.title)


def _plainly(name: Text) -> str:
    """Return a name in the spelling of words in the notation: `reapers-mark` is Reaper's Mark."""
    return str(name).lower().strip('"').replace("'", "").replace("-", " ")


def _brief(answer: Answer, verbs: Mapping[str, str]) -> Content:
    """Return an answer in few cells: its name, and its detail or title."""
    name, about = _name(answer, verbs), drawing.narrow_glyphs(answer.detail) or _title(answer)
    return Content.assemble("  ", name, " " if name and about else "", (about, drawing.DIM))


def _brief_cell(part: AnswerList, at: int, cell: int) -> Content:
    content = _number(part, at) + _brief(part.question.answers[at], part.verbs)
    content = content.truncate(cell - 1, ellipsis=True)
    content = chosen_row(content, cell - 1) if at == part.chosen else content
    return content.pad_right(cell - content.cell_length)


def _footer(part: AnswerList, page_rows: range, width: int) -> Content:
    """Return the last row: the number of answers if not all are shown, what else can be typed, and how to choose."""
    rows, wanted = part.rows, part.question.input_hint
    pieces: list[Text] = [part.question.note]
    if len(page_rows) < len(rows):
        first, last = str(page_rows.start + 1), str(page_rows.stop)
        visible = phrase("{first}–{last} of {all}", first=first, last=last, all=str(len(rows)))
        pieces.append(f"{visible} ▼")
    if wanted:
        # Translators: {what} is what may be typed, such as “a whole number” or “CARD”.
        pieces.append(phrase("or type {what}", what=wanted) if rows else phrase("type {what}", what=wanted))
    if rows:
        pieces.append(part.keys)
    return Content.styled("  " + drawing.BULLET.join(map(str, filter(None, pieces))), drawing.DIM).truncate(
        width, ellipsis=True
    )


def _turn(page_rows: range, rows: Sequence[Answer]) -> Style:
    """Return a style whose click leads to the next page, and from the last one to the first."""
    if len(page_rows) == len(rows):
        return Style.null()
    return Style.from_meta({"@click": f"screen.turn_list({page_rows.stop % len(rows)})"})


def _answer_click(at: int) -> Style:
    """Return a style whose click takes an answer."""
    return Style.from_meta({"@click": f"screen.take_answer({at})"})


class PromptListPart(msgspec.Struct, frozen=True):
    """The content of the prompt list.

    It has the prompts in the order in which Enter answers them, the game's hints, the result of the game, the answers
    to the first prompt or the completions of the typed text, and what fell last.
    """

    prompts: tuple[Prompt, ...]
    hints: tuple[Text, ...]
    outcome: Text
    answers: AnswerList = AnswerList()
    fell: tuple[Text, ...] = ()
    work: tuple[Text, ...] = ()
    """The steps for the real cards, if these hints are on."""


class PromptList(Panel[PromptListPart]):
    """The prompts; Enter answers the first one."""

    grows = True

    def __init__(self) -> None:
        super().__init__()
        # Translators: The heading of the questions of a table.
        self.border_title = str(phrase("Now"))

    @staticmethod
    def draw(part: PromptListPart, width: int) -> list[Content]:
        """Draw a row for each prompt, the answers below the first, then the hints."""
        first, rest = _in_full(part, width)
        return [*first, *answer_rows(part.answers, width, USUAL), *rest]

    @classmethod
    def fit_rows(cls, part: PromptListPart, rows: list[Content], width: int, height: int) -> list[Content]:
        """Return the first prompt, the answers in the room that it leaves, and the rest in the room that they leave.

        If room is scarce, offers are joined into lines and hints get a row each; then the other questions are joined,
        too; then the least urgent rows go.
        """
        if len(rows) <= height and not part.answers:
            return rows
        first, most, rest = _shares(part, width, height)
        return [*first, *answer_rows(part.answers, width, most), *rest]

    @property
    def column(self) -> int:
        """The number of answers below each other now."""
        width, height = self.content_size
        if self.part is None or not height:
            return USUAL
        return column(self.part.answers, width, _shares(self.part, width, height)[1])

    @property
    def cards(self) -> AnswerGrid | None:
        """The grid of the cards to choose from now; None if there are none, or if they are a list."""
        width, height = self.content_size
        if self.part is None or not height:
            return None
        return answer_grid(self.part.answers.rows, width, _shares(self.part, width, height)[1])

    def prompts_need(self, width: int) -> int:
        """Return the number of rows that the prompts need, apart from the answers, so that typing moves nothing on the
        table.
        """
        return 0 if self.part is None else sum(map(len, _in_full(self.part, width)))

    def prompts_need_at_least(self, width: int) -> int:
        """Return the number of rows for the first prompt, a few answers, all hints, and the other prompts in brief."""
        if self.part is None:
            return 0
        part = msgspec.structs.replace(self.part, answers=AnswerList(verbs=self.part.answers.verbs))
        first, _ = _in_full(part, width)
        return len(first) + LEAST + len(next(_in_less(part, width)))


def _shares(part: PromptListPart, width: int, height: int) -> tuple[list[Content], int, list[Content]]:
    """Return the first prompt, the number of rows for the answers, and the rest in as many rows as there are."""
    first, whole = _in_full(part, width)
    matters = part.answers.typed or part.answers.chosen is not None
    share = height - len(first) if matters else (height - len(first)) * 2 // 3
    # Cards are found at once in a grid, but not in a short list: the grid is the last to give way.
    cards = answer_grid(part.answers.rows, width, share) or answer_grid(part.answers.rows, width, height - len(first))
    wanted = min(natural(part.answers, width), max(LEAST, share, len(cards.rows) if cards else 0))
    for rest in (whole, *_in_less(part, width), []):
        if len(first) + wanted + len(rest) <= height:
            break
    return first, height - len(first) - len(rest), rest


def _in_full(part: PromptListPart, width: int) -> tuple[list[Content], list[Content]]:
    """Return the first prompt, and the rows after its answers."""
    due, offers = _due_and_offers(part)
    others = [*_prompt_rows(part, width, (*due[1:], *offers)), *_hint_rows(part, width)]
    return [*_draw_banner(part, width), *_prompt_rows(part, width, due[:1])], others


def _in_less(part: PromptListPart, width: int) -> Iterator[list[Content]]:
    """Yield the rows after the answers, fewer each time.

    First the other questions are joined into lines. Then the steps for the real cards go, before the hints, whose first
    ones matter most. At last the first row of offers and the first hint share a row, so that neither hides the other;
    all offers are in the list as well.
    """
    due, offers = _due_and_offers(part)
    work, hints = part.work, part.hints
    rows = _in_brief(part, width, (*due[1:], *offers))
    yield [
        *_prompt_rows(part, width, due[1:]),
        *_in_brief(part, width, offers),
        *_work_rows(work, width),
        *_game_hints(hints, width),
    ]
    for most in range(len(work), -1, -1):
        yield [*rows, *_work_rows(work[:most], width), *_game_hints(hints, width)]
    yield from ([*rows, *_game_hints(hints[:most], width)] for most in range(len(hints) - 1, 0, -1))
    questions, brief_offers = _in_brief(part, width, due[1:]), _in_brief(part, width, offers)
    if brief_offers and hints:
        offer, hint = _cut(brief_offers, width), list(_game_hints(hints[:1], width))
        yield [*questions, offer, *hint]
        if len(hint) > 1 and width - hint[-1].cell_length >= _LEAST_BESIDE:
            yield [*questions, *hint[:-1], _beside(hint[-1] + Content("  "), offer, width)]
        yield [*questions, offer, _hint(hints[0]).truncate(width, ellipsis=True)]
        yield [*questions, _beside(offer, _hint(hints[0]), width)]
        return
    yield [*questions, *_game_hints(hints[:1], width)]
    yield rows


def _cut(rows: Sequence[Content], width: int) -> Content:
    """Return the first of some rows, with a sign for those that are left out."""
    return rows[0] if len(rows) == 1 else rows[0].truncate(width - 2, ellipsis=True) + Content.styled(" …", drawing.DIM)


def _beside(first: Content, second: Content, width: int) -> Content:
    """Return an offer and a hint in one row; of two long ones, each gets half of it."""
    room = max(width // 2, width - second.cell_length)
    left = first.truncate(room, ellipsis=True)
    return left + second.truncate(width - left.cell_length, ellipsis=True)


def _due_and_offers(part: PromptListPart) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the prompts that are questions, which include the first one, and of those that
    are offers.
    """
    numbers = range(len(part.prompts))
    due = tuple(at for at in numbers if at == 0 or part.prompts[at].due)
    if part.answers.chosen is not None and part.answers.offers:
        return due[:1], ()  # they are in the list
    return due, tuple(at for at in numbers if at not in due)


def _draw_banner(part: PromptListPart, width: int) -> Iterator[Content]:
    texts = [*([part.outcome] if part.outcome else []), *part.fell]
    if texts:
        banners = (Content.styled(f" {str(text).upper()} ", drawing.BANNER) for text in texts)
        yield Content("  ").join(banners).truncate(width, ellipsis=True)


def _prompt_rows(part: PromptListPart, width: int, numbers: Iterable[int]) -> Iterator[Content]:
    for at in numbers:
        prompt = part.prompts[at]
        row = _draw_prompt(prompt, first=at == 0, width=width).stylize(_prompt_click(at))
        yield from drawing.wrap_with_indent(row, width, 2) if at == 0 else [row.truncate(width, ellipsis=True)]


def _in_brief(part: PromptListPart, width: int, numbers: Sequence[int]) -> list[Content]:
    """Return the lines that answer some prompts, one after another."""
    lines = [_line(part.prompts[at], part.answers.verbs).stylize(_prompt_click(at)) for at in numbers]
    if not lines:
        return []
    marks = (Content.styled("○ ", "bold $text-accent"), Content("  "))
    rows = drawing.lay_out_rows(lines, width - marks[0].cell_length)
    return [marks[at > 0] + row for at, row in enumerate(rows)]


def _line(prompt: Prompt, titles: Mapping[str, str]) -> Content:
    """Return the lines that answer a prompt, with their common part once: `convert/target ben`; for the offer to fix a
    figure, return its text, since people know no line for it. The titles of the verbs come first, if they have any.
    """
    if prompt == PUT_RIGHT:
        return Content(str(prompt.text))
    verb, _, rest = prompt.line.partition(" ")
    others = (answer.line.partition(" ") for answer in prompt.others)
    verbs = tuple(dict.fromkeys((verb, *(other for other, _, after in others if after == rest))))
    if len(verbs) > 1 and rest:
        line = f"{'/'.join(verbs)} {rest}"
    else:
        verbs, line = (verb,), f"{prompt.line} {UsageText(prompt.wants)}".rstrip()
    if not any(each in titles for each in verbs):
        return Content(line)
    title = "/".join(titles.get(each, each) for each in verbs)
    # The lines of other prompts follow after a bullet.
    return Content.assemble(title, (f" {line}", drawing.DIM))


def _hint_rows(part: PromptListPart, width: int) -> Iterator[Content]:
    yield from _work_rows(part.work, width)
    yield from _game_hints(part.hints, width)


def _work_rows(steps: Sequence[Text], width: int) -> Iterator[Content]:
    for step in steps:
        yield from drawing.wrap_with_indent(Content.assemble(("  » ", "bold $text-accent"), str(step)), width, 4)


def _game_hints(hints: Sequence[Text], width: int) -> Iterator[Content]:
    for hint in hints:
        yield from drawing.wrap_with_indent(_hint(hint), width, 4)


def _hint(hint: Text) -> Content:
    return Content.assemble(("  ! ", "bold $text-warning"), str(hint))


def _draw_prompt(prompt: Prompt, *, first: bool, width: int) -> Content:
    mark = "▶ " if first else "• " if prompt.due else "○ "
    line = f"{prompt.line} {UsageText(prompt.wants)}".rstrip()
    text = Content.assemble((mark, "bold $text-accent"), (str(prompt.text), drawing.BOLD if first else ""))
    gap = width - text.cell_length - len(line)
    return text + Content.assemble((" " * gap + line, drawing.DIM)) if gap >= 2 else text


def _prompt_click(at: int) -> Style:
    """Return a style whose click takes the suggested answer of a prompt."""
    return Style.from_meta({"@click": f"screen.take({at})"})
