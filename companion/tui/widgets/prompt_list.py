"""What the people at the table should do now, and the list of answers to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from textual.content import Content
from textual.style import Style

from companion.session.table_questions import PUT_RIGHT, Answer, Question
from companion.tabletop.table import Prompt
from companion.tui import drawing
from companion.tui.widgets.answer_grid import AnswerGrid, answer_grid, grid_rows
from companion.tui.widgets.panel import Panel, chosen_row

USUAL: Final = 10
"""Rows that a list takes where nobody has said how many there are."""
LEAST: Final = 3
"""Rows below which a list is of no use."""

_INDENT: Final = 2
_WORD, _TITLE = 22, 26
"""Columns of a word and of a title at most, so that all details begin below each other."""
_ROOMY: Final = 80
"""Columns from which on there is room for a title beside what a row means."""
_CELL: Final = 12
"""Columns that an answer takes at least, where several stand side by side."""
_ANY: Final = 1000
"""Rows, where nobody counts them."""


class AnswerList(msgspec.Struct, frozen=True):
    """What can be chosen, and which row is (None while nobody has gone into the list); `keys` says how, and `typed`
    that something stands in the bar, so that the list matters more than other questions.

    The last `offers` of the answers are what else could be done: listed once somebody is in the list, as they stand
    below it otherwise.
    """

    question: Question = Question()
    chosen: int | None = None
    keys: str = ""
    typed: bool = False
    offers: int = 0

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


class _Grid(msgspec.Struct, frozen=True):
    """How many answers stand side by side and below each other; and whether a row below tells how to choose."""

    columns: int
    lines: int
    tells: bool

    @property
    def size(self) -> int:
        """Answers on a page."""
        return self.columns * self.lines


def natural(part: AnswerList, width: int) -> int:
    """How many rows show everything below each other; how to choose is said where there is one more."""
    grid = answer_grid(part.rows, width, _ANY)
    rows = len(part.rows) if grid is None else len(grid.rows)
    return rows + bool(part.question.wanted or part.question.note)


def answer_rows(part: AnswerList, width: int, most: int) -> list[Content]:
    """At most so many rows; where not all answers fit, a page with the chosen one, and how many there are."""
    rows = part.rows
    if most <= 0 or not (rows or part.question.wanted or part.question.note):
        return []
    if cards := answer_grid(rows, width, most):
        return _card_rows(part, cards, width, most)
    grid = _grid(part, width, most)
    page = (part.chosen or 0) // grid.size
    page_rows = range(page * grid.size, min(len(rows), (page + 1) * grid.size))
    footer = _footer(part, page_rows, width)
    return [*_lines(part, page_rows, grid, width), *([footer.stylize(_turn(page_rows, rows))] if grid.tells else [])][
        :most
    ]


def _card_rows(part: AnswerList, grid: AnswerGrid, width: int, most: int) -> list[Content]:
    """Cards with a row of their own, then the others; how to choose in a row that is left."""
    rows = part.rows
    alone = [at for row in grid.rows[: grid.alone] for at in row if at is not None]
    word = max((len(_name(rows[at])) for at in alone), default=0)
    lines = [_row(rows[at], word, 0, at == part.chosen, width).stylize(_answer_click(at)) for at in alone]
    for cells in grid_rows(grid, rows, part.chosen):
        clicks = (cell if at is None else cell.stylize(_answer_click(at)) for cell, at in cells)
        lines.append(Content(" ") + Content("").join(clicks))
    return [*lines, _footer(part, range(len(rows)), width)][:most]


def column(part: AnswerList, width: int, most: int) -> int:
    """How many answers stand below each other where there is room for so many rows: the next is the one beside."""
    return _grid(part, width, most).lines


def _grid(part: AnswerList, width: int, most: int) -> _Grid:
    rows = part.rows
    side_by_side = max(1, (width - _INDENT) // _cell(rows))
    # Where all fit without it, how to choose is said only in a row that is left.
    tells = most > len(rows) or len(rows) > most * side_by_side or bool(part.question.wanted or part.question.note)
    room = max(1, most - tells)
    columns = 1 if len(rows) <= room else min(side_by_side, -(-len(rows) // room))
    # On all pages alike, so that → leads beside on each of them, and from the last column to the next page.
    lines = max(1, -(-min(len(rows), columns * room) // columns))
    return _Grid(columns, lines, tells)


def _cell(rows: Sequence[Answer]) -> int:
    """Columns for one answer side by side: three of four stand there whole, the others are cut."""
    widths = sorted(_brief(answer).cell_length for answer in rows)
    return max([_CELL, *widths[3 * len(widths) // 4 :][:1]])


def _lines(part: AnswerList, page_rows: range, grid: _Grid, width: int) -> list[Content]:
    rows = part.rows
    if grid.columns == 1:
        visible = [rows[at] for at in page_rows]
        word = min(_WORD, max((len(_name(answer)) for answer in visible), default=0))
        # What a row means matters more than what its word is called.
        no_title = width < _ROOMY and any(answer.detail for answer in visible)
        title = 0 if no_title else min(_TITLE, max((len(_title(answer)) for answer in visible), default=0))
        return [_row(rows[at], word, title, at == part.chosen, width).stylize(_answer_click(at)) for at in page_rows]
    cell = (width - _INDENT) // grid.columns
    cells = [_brief_cell(rows[at], cell, chosen=at == part.chosen).stylize(_answer_click(at)) for at in page_rows]
    # Down one column, then the next: so that ↓ leads to what stands below.
    return [Content("").join(cells[at :: grid.lines]) for at in range(min(grid.lines, len(cells)))]


def _row(answer: Answer, word: int, title: int, chosen: bool, width: int) -> Content:
    name, about = f"  {_name(answer):<{word}}", f"  {_title(answer):<{title}}" if title else ""
    detail = f"  {drawing.single(answer.detail)}"
    row = Content.assemble((name, drawing.BOLD), about, (detail, drawing.DIM)).truncate(width, ellipsis=True)
    return chosen_row(row, width) if chosen else row


def _name(answer: Answer) -> str:
    return drawing.single(answer.name)


def _title(answer: Answer) -> str:
    """What people call it, where that is not the word again."""
    return "" if _plainly(answer.name) == _plainly(answer.title) else drawing.single(answer.title)


def _plainly(name: str) -> str:
    """A name without what a word of the notation has otherwise: `reapers-mark` is Reaper's Mark."""
    return name.lower().strip('"').replace("'", "").replace("-", " ")


def _brief(answer: Answer) -> Content:
    """An answer in few cells: its name, and what there is to know of it."""
    name, about = _name(answer), drawing.single(answer.detail) or _title(answer)
    return Content.assemble("  ", (name, drawing.BOLD), " " if name and about else "", (about, drawing.DIM))


def _brief_cell(answer: Answer, cell: int, *, chosen: bool) -> Content:
    content = _brief(answer).truncate(cell - 1, ellipsis=True)
    content = chosen_row(content, cell - 1) if chosen else content
    return content.pad_right(cell - content.cell_length)


def _footer(part: AnswerList, page_rows: range, width: int) -> Content:
    """How many there are where not all are shown, what can be typed besides, and how to choose."""
    rows, wanted = part.rows, part.question.wanted
    pieces = [part.question.note]
    if len(page_rows) < len(rows):
        pieces.append(f"{page_rows.start + 1}–{page_rows.stop} of {len(rows)} ▼")
    if wanted:
        pieces.append(f"or type {wanted}" if rows else f"type {wanted}")
    if rows:
        pieces.append(part.keys)
    return Content.styled("  " + drawing.BULLET.join(piece for piece in pieces if piece), drawing.DIM).truncate(
        width, ellipsis=True
    )


def _turn(page_rows: range, rows: Sequence[Answer]) -> Style:
    """A click on how many there are leads to the next page, and from the last to the first."""
    if len(page_rows) == len(rows):
        return Style.null()
    return Style.from_meta({"@click": f"screen.turn_list({page_rows.stop % len(rows)})"})


def _answer_click(at: int) -> Style:
    """What a click on an answer does: it takes it."""
    return Style.from_meta({"@click": f"screen.take_answer({at})"})


class PromptListPart(msgspec.Struct, frozen=True):
    """The prompts in the order in which Enter answers them, the game's hints, how the game ended, what can answer the
    first prompt or follow what is typed, and who or what fell last.
    """

    prompts: tuple[Prompt, ...]
    hints: tuple[str, ...]
    outcome: str
    answers: AnswerList = AnswerList()
    fell: tuple[str, ...] = ()
    work: tuple[str, ...] = ()
    """What is done with the real cards, for who wants to be told."""


class PromptList(Panel[PromptListPart]):
    """The prompts, the first one first; it is the one that Enter answers."""

    BORDER_TITLE = "Now"
    grows = True

    @staticmethod
    def draw(part: PromptListPart, width: int) -> list[Content]:
        """A row for each prompt, below the first its answers, then the hints."""
        first, rest = _in_full(part, width)
        return [*first, *answer_rows(part.answers, width, USUAL), *rest]

    @classmethod
    def fitted(cls, part: PromptListPart, rows: list[Content], width: int, height: int) -> list[Content]:
        """The answers get what the first prompt leaves, the others what the answers leave: offers as lines that run on,
        a row a hint; then the other questions so, too; then what is least to be acted on now goes.
        """
        if len(rows) <= height and not part.answers:
            return rows
        first, most, rest = _shares(part, width, height)
        return [*first, *answer_rows(part.answers, width, most), *rest]

    @property
    def column(self) -> int:
        """How many answers stand below each other now."""
        width, height = self.content_size
        if self.part is None or not height:
            return USUAL
        return column(self.part.answers, width, _shares(self.part, width, height)[1])

    @property
    def cards(self) -> AnswerGrid | None:
        """How the cards stand that there are to choose from now; None where none are, or where they are a list."""
        width, height = self.content_size
        if self.part is None or not height:
            return None
        return answer_grid(self.part.answers.rows, width, _shares(self.part, width, height)[1])

    def prompts_need(self, width: int) -> int:
        """How many rows the prompts would like, whatever answers them: what is typed moves nothing on the table."""
        return 0 if self.part is None else sum(map(len, _in_full(self.part, width)))


def _shares(part: PromptListPart, width: int, height: int) -> tuple[list[Content], int, list[Content]]:
    """The first prompt, how many rows the answers get, and what stands behind them, in as many rows as there are."""
    first, whole = _in_full(part, width)
    matters = part.answers.typed or part.answers.chosen is not None
    share = height - len(first) if matters else (height - len(first)) * 2 // 3
    # Cards in a grid are found at once, in a list of a few they are not: the grid is the last to give way.
    cards = answer_grid(part.answers.rows, width, share) or answer_grid(part.answers.rows, width, height - len(first))
    wanted = min(natural(part.answers, width), max(LEAST, share, len(cards.rows) if cards else 0))
    for rest in (whole, *_in_less(part, width), []):
        if len(first) + wanted + len(rest) <= height:
            break
    return first, height - len(first) - len(rest), rest


def _in_full(part: PromptListPart, width: int) -> tuple[list[Content], list[Content]]:
    """The first prompt, and what stands behind its answers."""
    due, offers = _due_and_offers(part)
    others = [*_rows(part, width, (*due[1:], *offers)), *_hints(part, width)]
    return [*_banner(part, width), *_rows(part, width, due[:1])], others


def _in_less(part: PromptListPart, width: int) -> Iterator[list[Content]]:
    """Yield the rows behind the answers, fewer each time: the other questions as lines that run on; then what is
    done with the cards goes before the hints, whose first ones matter most, and offers, which the list has too, go
    before the first hint.
    """
    due, offers = _due_and_offers(part)
    work, hints = (
        [row.truncate(width, ellipsis=True) for row in rows(part, 10 * width)] for rows in (_work, _game_hints)
    )
    yield [*_rows(part, width, due[1:]), *_in_brief(part, width, offers), *work, *hints]
    rows = _in_brief(part, width, (*due[1:], *offers))
    yield from ([*rows, *work[:most], *hints] for most in range(len(work), -1, -1))
    yield from ([*rows, *hints[:most]] for most in range(len(hints) - 1, 0, -1))
    yield [*_in_brief(part, width, due[1:]), *hints[:1]]
    yield rows


def _due_and_offers(part: PromptListPart) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which prompts are questions, the first one in any case, and which are offers."""
    numbers = range(len(part.prompts))
    due = tuple(at for at in numbers if at == 0 or part.prompts[at].due)
    if part.answers.chosen is not None and part.answers.offers:
        return due[:1], ()  # they stand in the list
    return due, tuple(at for at in numbers if at not in due)


def _banner(part: PromptListPart, width: int) -> Iterator[Content]:
    texts = [*([part.outcome] if part.outcome else []), *part.fell]
    if texts:
        banners = (Content.styled(f" {text.upper()} ", drawing.BANNER) for text in texts)
        yield Content("  ").join(banners).truncate(width, ellipsis=True)


def _rows(part: PromptListPart, width: int, numbers: Iterable[int]) -> Iterator[Content]:
    for at in numbers:
        prompt = part.prompts[at]
        row = _prompt(prompt, first=at == 0, width=width).stylize(_prompt_click(at))
        yield from drawing.indented(row, width, 2) if at == 0 else [row.truncate(width, ellipsis=True)]


def _in_brief(part: PromptListPart, width: int, numbers: Sequence[int]) -> list[Content]:
    """Only the lines that answer some prompts, one behind the other."""
    lines = [Content(_line(part.prompts[at])).stylize(_prompt_click(at)) for at in numbers]
    if not lines:
        return []
    marks = (Content.styled("○ ", "bold $text-accent"), Content("  "))
    rows = drawing.flow(lines, width - marks[0].cell_length)
    return [marks[at > 0] + row for at, row in enumerate(rows)]


def _line(prompt: Prompt) -> str:
    """The lines that answer a prompt, with what they have in common said once: `convert/target ben`; of a figure that
    is put right, people know no line.
    """
    if prompt == PUT_RIGHT:
        return prompt.text
    verb, _, rest = prompt.line.partition(" ")
    others = (answer.line.partition(" ") for answer in prompt.others)
    verbs = dict.fromkeys((verb, *(other for other, _, after in others if after == rest)))
    if len(verbs) > 1 and rest:
        return f"{'/'.join(verbs)} {rest}"
    return f"{prompt.line} {prompt.wants}".rstrip()


def _hints(part: PromptListPart, width: int) -> Iterator[Content]:
    yield from _work(part, width)
    yield from _game_hints(part, width)


def _work(part: PromptListPart, width: int) -> Iterator[Content]:
    for step in part.work:
        yield from drawing.indented(Content.assemble(("  » ", "bold $text-accent"), step), width, 4)


def _game_hints(part: PromptListPart, width: int) -> Iterator[Content]:
    for hint in part.hints:
        yield from drawing.indented(Content.assemble(("  ! ", "bold $text-warning"), hint), width, 4)


def _prompt(prompt: Prompt, *, first: bool, width: int) -> Content:
    mark = "▶ " if first else "• " if prompt.due else "○ "
    line = f"{prompt.line} {prompt.wants}".rstrip()
    text = Content.assemble((mark, "bold $text-accent"), (prompt.text, drawing.BOLD if first else ""))
    gap = width - text.cell_length - len(line)
    return text + Content.assemble((" " * gap + line, drawing.DIM)) if gap >= 2 else text


def _prompt_click(at: int) -> Style:
    """What a click on a prompt does: it takes the suggested way of answering it."""
    return Style.from_meta({"@click": f"screen.take({at})"})
