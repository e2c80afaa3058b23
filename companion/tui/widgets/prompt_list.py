"""What the people at the table should do now, in order, and what may be worth a thought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from textual.content import Content
from textual.style import Style

from companion.games.table import Prompt
from companion.tui import drawing
from companion.tui.widgets import answer_list
from companion.tui.widgets.answer_list import AnswerList
from companion.tui.widgets.panel import Panel


class PromptListPart(NamedTuple):
    """The prompts in the order in which Enter answers them, the game's hints, how the game ended, what can answer the
    first prompt or follow what is typed, and who or what fell last.
    """

    prompts: tuple[Prompt, ...]
    hints: tuple[str, ...]
    outcome: str
    answers: AnswerList = AnswerList()
    fell: tuple[str, ...] = ()


class PromptList(Panel[PromptListPart]):
    """The prompts, the first one first; it is the one that Enter answers."""

    BORDER_TITLE = "Now"
    grows = True

    @staticmethod
    def draw(part: PromptListPart, width: int) -> list[Content]:
        """A row for each prompt, below the first its answers, then the hints."""
        first, rest = _in_full(part, width)
        return [*first, *answer_list.rows(part.answers, width, answer_list.USUAL), *rest]

    @classmethod
    def fitted(cls, part: PromptListPart, rows: list[Content], width: int, height: int) -> list[Content]:
        """The answers get what the first prompt leaves, the others what the answers leave: offers as lines that run on,
        a row a hint; then the other questions so, too; then the longest hints go, and last the rest.
        """
        if len(rows) <= height and not part.answers:
            return rows
        first, most, rest = _shares(part, width, height)
        return [*first, *answer_list.rows(part.answers, width, most), *rest]

    @property
    def column(self) -> int:
        """How many answers stand below each other now."""
        width, height = self.content_size
        if self.part is None or not height:
            return answer_list.USUAL
        return answer_list.column(self.part.answers, width, _shares(self.part, width, height)[1])

    def prompts_need(self, width: int) -> int:
        """How many rows the prompts would like, whatever answers them: what is typed moves nothing on the table."""
        return 0 if self.part is None else sum(map(len, _in_full(self.part, width)))


def _shares(part: PromptListPart, width: int, height: int) -> tuple[list[Content], int, list[Content]]:
    """The first prompt, how many rows the answers get, and what stands behind them, in as many rows as there are."""
    first, whole = _in_full(part, width)
    matters = part.answers.typed or part.answers.chosen is not None
    share = height - len(first) if matters else (height - len(first)) * 2 // 3
    wanted = min(answer_list.natural(part.answers), max(answer_list.LEAST, share))
    for rest in (whole, *_in_less(part, width), []):
        if len(first) + wanted + len(rest) <= height:
            break
    return first, height - len(first) - len(rest), rest


def _in_full(part: PromptListPart, width: int) -> tuple[list[Content], list[Content]]:
    """The first prompt, and what stands behind its answers."""
    due, offers = _told_apart(part)
    others = [*_rows(part, width, (*due[1:], *offers)), *_hints(part, width)]
    return [*_banner(part, width), *_rows(part, width, due[:1])], others


def _in_less(part: PromptListPart, width: int) -> Iterator[list[Content]]:
    """What stands behind the answers, in fewer and fewer rows."""
    due, offers = _told_apart(part)
    hints = [hint.truncate(width, ellipsis=True) for hint in _hints(part, 10 * width)]
    for whole, brief in ((due[1:], offers), ((), (*due[1:], *offers))):
        rows = [*_rows(part, width, whole), *_in_brief(part, width, brief)]
        yield rows + hints
    yield rows + hints[:1]
    yield rows


def _told_apart(part: PromptListPart) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which prompts are questions, the first one in any case, and which are offers."""
    numbers = range(len(part.prompts))
    due = tuple(at for at in numbers if at == 0 or part.prompts[at].due)
    return due, tuple(at for at in numbers if at not in due)


def _banner(part: PromptListPart, width: int) -> Iterator[Content]:
    told = [*([part.outcome] if part.outcome else []), *part.fell]
    if told:
        banners = (Content.styled(f" {text.upper()} ", "bold reverse") for text in told)
        yield Content("  ").join(banners).truncate(width, ellipsis=True)


def _rows(part: PromptListPart, width: int, shown: Iterable[int]) -> Iterator[Content]:
    for at in shown:
        prompt = part.prompts[at]
        row = _prompt(prompt, first=at == 0, width=width).stylize(_click(at))
        yield from drawing.indented(row, width, 2) if at == 0 else [row.truncate(width, ellipsis=True)]


def _in_brief(part: PromptListPart, width: int, shown: Sequence[int]) -> list[Content]:
    """Only the lines that answer some prompts, one behind the other."""
    lines = [Content(f"{part.prompts[at].line} {part.prompts[at].wants}".rstrip()).stylize(_click(at)) for at in shown]
    if not lines:
        return []
    marks = (Content.styled("○ ", "bold $text-accent"), Content("  "))
    rows = drawing.flow(lines, width - marks[0].cell_length)
    return [marks[at > 0] + row for at, row in enumerate(rows)]


def _hints(part: PromptListPart, width: int) -> Iterator[Content]:
    for hint in part.hints:
        yield from drawing.indented(Content.assemble(("  ! ", "bold $text-warning"), hint), width, 4)


def _prompt(prompt: Prompt, *, first: bool, width: int) -> Content:
    mark = "▶ " if first else "• " if prompt.due else "○ "
    line = f"{prompt.line} {prompt.wants}".rstrip()
    text = Content.assemble((mark, "bold $text-accent"), (prompt.text, "bold" if first else ""))
    gap = width - text.cell_length - len(line)
    return text + Content.assemble((" " * gap + line, drawing.DIM)) if gap >= 2 else text


def _click(at: int) -> Style:
    """What a click on a prompt does: it takes the suggested way of answering it."""
    return Style.from_meta({"@click": f"screen.take({at})"})
