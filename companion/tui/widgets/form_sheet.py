"""The widgets of a form: a row for each answer, its choices, and hints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import msgspec
from rich.cells import cell_len
from textual.content import Content
from textual.widgets.option_list import Option

from companion.session.table.form_answers import Answers
from companion.session.table.form_filling import GAME, WHOLE, FormCursor
from companion.tabletop.decks.form import Field, Filled, Finding, FormPlace
from companion.tabletop.notation.word_search import fold, rank_beginning, rank_word, search_words
from companion.tabletop.table.choices import NONE, Candidates, Choice, Open
from companion.tui import drawing
from companion.tui.widgets.bars import Key, KeyEffect
from companion.tui.widgets.panel import ChoosingList, same_rows
from templates.languages.messages import ENGLISH, Message, Text, any_of, phrase, phrase_in, phrases


class ChoiceList(ChoosingList, can_focus=False):
    """The choices of a question: `candidates` are all of them, `choices` those that match, one per row."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(id=id)
        self.candidates: Candidates = ()
        self.choices: list[Choice] = []
        self.is_numbered = False
        """True if a digit alone selects one of the first choices."""
        self.is_moved = False
        """True once the user has moved the highlight with the arrow keys."""

    @property
    def chosen(self) -> Choice | None:
        """The highlighted choice."""
        return None if self.highlighted is None else self.choices[self.highlighted]

    @property
    def is_open(self) -> bool:
        """True if other texts than the choices may be typed, too."""
        return isinstance(self.candidates, Open)

    @property
    def what_to_type(self) -> str:
        """The description of what may be typed, if the candidates have one."""
        return str(self.candidates.what) if isinstance(self.candidates, Open) else ""

    @property
    def takes_first(self) -> bool:
        """True if Enter alone takes the first choice, as one of the rows stands for no answer."""
        return any(choice.value in ("", NONE) for choice in self.choices)

    def forget(self) -> None:
        """Clear the choices until those of the next question are known."""
        self.candidates, self.choices = (), []
        self.clear_options()
        self.display = False

    def fit(self, text: str, *, is_typed: bool) -> None:
        """Show the matching choices. A text that `is_typed` highlights the first of them if one must be chosen."""
        typed = text if is_typed else ""
        number = int(typed) if self.is_numbered and len(typed) == 1 and typed in "123456789" else 0
        fitting = _find_matches(listable(self.candidates), "" if number else typed, are_all=not self.is_open)
        if 0 < number <= len(fitting):
            self._show(fitting, are_numbered=True)
            self.highlighted = number - 1
            return
        if fitting == self.choices:
            return  # the choice that the user moved to with the arrow keys stays highlighted
        self._show(fitting, are_numbered=self.is_numbered and not typed)
        same = [at for at, choice in enumerate(fitting) if text and text in (str(choice.value), str(choice.title))]
        takes_first = (typed and not self.is_open) or (not text and self.takes_first)
        self.highlighted = same[0] if same else 0 if takes_first and fitting else None

    def _show(self, choices: list[Choice], *, are_numbered: bool) -> None:
        self.choices, self.is_moved = choices, False
        rows = [_draw_choice(choice) for choice in choices]
        if are_numbered:
            rows = [
                Content.assemble((f"{at} " if at <= _DIGITS else "  ", drawing.ACCENT)) + row
                for at, row in enumerate(rows, 1)
            ]
        self.set_options([Option(row) for row in rows])
        self.display = bool(choices)

    def step(self, by: int) -> None:
        """Move up and down; above the first choice, none is highlighted and the typed text counts."""
        last, at = len(self.choices) - 1, self.highlighted
        if by < 0 and at is None:
            return
        row = by - 1 if at is None else at + by
        self.highlighted = None if row < 0 or last < 0 else min(row, last)
        self.is_moved = True


def listable(candidates: Candidates) -> Iterable[Choice]:
    """Return the candidates that can be listed."""
    return candidates.fitting if isinstance(candidates, Open) else candidates


def _find_matches(choices: Iterable[Choice], text: str, *, are_all: bool) -> list[Choice]:
    """Return the choices that contain every typed word; the one that is the text comes first, then those that begin
    with it.

    If none does, and there `are_all` that can be typed, return those with a small slip.
    """
    texts = [(choice, f"{choice.value} {choice.title} {choice.synonyms}") for choice in choices]
    words = fold(text).split()
    matches = [choice for choice, each in texts if all(word in fold(each) for word in words)]
    if words and are_all and not matches:
        slips = [[rank_word(word, each, forgives_slips=True) for word in search_words(text)] for _, each in texts]
        matches = [choice for (choice, _), ranks in zip(texts, slips, strict=True) if None not in ranks]
    return sorted(matches, key=lambda choice: rank_beginning(text, str(choice.value), str(choice.title)))


def _draw_choice(choice: Choice) -> Content:
    value, title = str(choice.value), drawing.narrow_glyphs(str(choice.title))
    # A value that is the English word of its title would only repeat it, also beside a translated one.
    english = choice.title.render(ENGLISH) if isinstance(choice.title, Message) else title
    same = not title or title in (value, drawing.with_signs(value)) or _slug(value) in _slug(english)
    heading = Content.assemble((title or value, drawing.BOLD), *([] if same else [(f"  {value}", drawing.DIM)]))
    return heading + Content.assemble(
        (f"  {drawing.narrow_glyphs(str(choice.detail))}" if choice.detail else "", drawing.DIM)
    )


_DIGITS = 9


def _slug(text: str) -> str:
    """Return a name in notation: `reapers-mark`."""
    return text.casefold().replace("'", "").replace("’", "").replace(" ", "-")


_GAME: Final = phrase_in("form", "Game")
"""The question which game is played."""

_LABEL = (13, 18)
"""Columns of a label (minimum and maximum), so that answers are aligned; after a longer label they follow directly."""


class SheetPart(NamedTuple):
    """The answers, their result, the current place, and the errors to show so far.

    `game` is the title of the game if there are several to choose from, `done` the name of the last step; `idle` are
    the places that need no answer.
    """

    answers: Answers
    filled: Filled
    at: FormPlace
    findings: tuple[Finding, ...]
    game: Text
    done: Text
    idle: frozenset[FormPlace] = frozenset()

    @property
    def label_width(self) -> int:
        """Columns of the labels, as many as they need."""
        titles = (len(str(field.caption)) + 1 for field in self.answers.fields if not field.many)
        return max(_LABEL[0], *(needs for needs in titles if needs <= _LABEL[1]), 0)


class FormSheet(ChoosingList, can_focus=False):
    """The rows of a form; a click on one goes to it.

    The row of the current answer is highlighted and stays in sight.
    """

    part: SheetPart | None = None

    def show(self, part: SheetPart) -> None:
        """Show this part from now on."""
        self.part = part
        rows = list(sheet_rows(part))
        width = self.scrollable_content_region.width - 2
        indent = part.label_width + 1
        options = [
            Option(_wrap_hanging(content, width, indent), _place_id(place), disabled=place is None)
            for content, place in rows
        ]
        if not same_rows(self.options, options):
            self.set_options(options)
        mine = [number for number, (_, place) in enumerate(rows) if place is not None and _same_row(place, part.at)]
        self.highlighted = mine[0] if mine else None

    def on_resize(self) -> None:
        """Wrap the rows again at the new width."""
        if self.part is not None:
            self.show(self.part)

    def place_of(self, option: str) -> FormPlace:
        """Return the place at which the row of this id begins."""
        field, entry, part = option.split("\t")
        return FormPlace(field, int(entry) if entry else None, part)


def _wrap_hanging(content: Content, width: int, indent: int) -> Content:
    """Wrap a row; its further lines are aligned with the answers."""
    rows = content.split("\n", allow_blank=True)
    return Content("\n").join(line for row in rows for line in drawing.wrap_with_indent(row, width, indent))


def _place_id(place: FormPlace | None) -> str | None:
    return (
        None if place is None else "\t".join((place.field, "" if place.entry is None else str(place.entry), place.part))
    )


def _same_row(one: FormPlace, other: FormPlace) -> bool:
    return (one.field, one.entry) == (other.field, other.entry)


def sheet_rows(part: SheetPart) -> Iterator[tuple[Content, FormPlace | None]]:
    """Yield every row with the place that it leads to; headings have none."""
    if part.game:
        yield _prefix_label(part, _GAME, [_draw_cell(part.game, "", part.at == GAME)]), GAME
    for field in part.answers.fields:
        if FormPlace(field.name) not in part.idle:
            yield from _field_rows(part, field)
    yield from _end_rows(part)


def _field_rows(part: SheetPart, field: Field) -> Iterator[tuple[Content, FormPlace | None]]:
    if not field.many and not field.parts:
        yield _draw_answer(part, field, FormPlace(field.name), field.caption), FormPlace(field.name)
        return
    if not field.many:
        first = FormPlace(field.name, 0, field.parts[0].name)
        yield _draw_answer(part, field, first, field.caption), first
        return
    title = str(field.caption)
    heading = Content.assemble((title, drawing.BOLD), *_note_beside(part, FormPlace(field.name)))
    yield _add_rows_below(heading, _findings_at(part, FormPlace(field.name))), None
    for number in range(part.answers.room(field)):
        first = FormPlace(field.name, number, field.parts[0].name if field.parts else "")
        label = f"  {number + 1}" if number < part.answers.count(field) else "  +"
        yield _draw_answer(part, field, first, label), first


def _draw_answer(part: SheetPart, field: Field, first: FormPlace, label: Text) -> Content:
    """Return an answer as a row: its parts, its consequences, and its errors."""
    places = [(each.caption, msgspec.structs.replace(first, part=each.name)) for each in field.parts] or [("", first)]
    cells = [
        _draw_cell(part.answers.field(place).format_answer(part.answers.get(place)), title, place == part.at)
        for title, place in places
    ]
    whole = msgspec.structs.replace(first, part="")
    filled_cells = [cell for cell in cells if cell.plain]
    row = _prefix_label(part, label, filled_cells) + Content.assemble(*_note_beside(part, whole))
    wrong = [_findings_at(part, place) for place in dict.fromkeys((whole, *(place for _, place in places)))]
    return _add_rows_below(row, [content for some in wrong for content in some])


def _draw_cell(text: Text, title: Text, is_here: bool) -> Content:
    """Return an answer; if there is none yet, the title of the question while the cursor is on it."""
    first, *others = drawing.narrow_glyphs(text).splitlines() or [""]
    # Translators: The first of several lines, and how many there are.
    all_lines = phrases("{line} … {n} line", "{line} … {n} lines", n=len(others) + 1, line=first)
    answer = str(all_lines) if others else first
    if is_here:
        return Content.styled(f" {answer or title or '…'} ", drawing.ACCENT)
    return Content.styled(f" {answer} ", "$text-strong") if answer else Content("")


def _prefix_label(part: SheetPart, label: Text, cells: Iterable[Content]) -> Content:
    return Content.assemble((f"{label!s:<{part.label_width}}", drawing.DIM)) + Content("").join(cells)


def _note_beside(part: SheetPart, place: FormPlace) -> Iterator[tuple[str, str]]:
    if note := part.filled.beside.get(place):
        yield f"  {drawing.narrow_glyphs(str(note))}", "$text-accent"


def _findings_at(part: SheetPart, place: FormPlace) -> list[Content]:
    """Return the errors and warnings at a place."""
    # In a text of several lines, and in a file, each finding names its line.
    lines = [each for each in part.findings if place.entry is None and not place.part and _is_line(part, each.place)]
    mine = [
        each for each in part.findings if each.place == place or (each in lines and each.place.field == place.field)
    ]
    return [_draw_finding(part, finding) for finding in mine]


def _is_line(part: SheetPart, place: FormPlace) -> bool:
    """Return True for a line in the text or file that answers a field."""
    return any(field.name == place.field and not (field.many or field.parts) for field in part.answers.fields)


def _draw_finding(part: SheetPart, finding: Finding) -> Content:
    mark, style = ("! ", "$text-warning") if finding.warning else ("✗ ", "bold $text-error")
    return Content.styled(f"{'':<{part.label_width}} {mark}{drawing.narrow_glyphs(str(finding.text))}", style)


def _add_rows_below(row: Content, below: Iterable[Content]) -> Content:
    return Content("\n").join([row, *below])


def _end_rows(part: SheetPart) -> Iterator[tuple[Content, FormPlace | None]]:
    """Yield the result of the form, and the last step."""
    for table in part.filled.computed if part.at == WHOLE else ():
        titles = [str(column.title) for column in table.columns]
        yield Content.assemble((str(table.title), drawing.BOLD)), None
        yield Content("\n").join(_draw_columns([titles, *table.rows])), None
    if part.filled.summary:
        yield Content(drawing.narrow_glyphs(str(part.filled.summary))), None
    if part.filled.change:
        yield Content(str(part.filled.change)), None
    stray = [_draw_finding(part, finding) for finding in part.findings if finding.place == WHOLE]
    yield _add_rows_below(_prefix_label(part, "", [_draw_cell(f"▶ {part.done}", "", part.at == WHOLE)]), stray), WHOLE


def _draw_columns(rows: list[Iterable[Text]]) -> Iterator[Content]:
    cells = [[drawing.narrow_glyphs(text) for text in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    for number, row in enumerate(cells):
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        yield Content.styled(f"  {line.rstrip()}", drawing.DIM if number == 0 else "")


def question(cursor: FormCursor, what_to_type: str) -> Content:
    """Return the current question with its help; `what_to_type` describes the text that may be typed, if that
    is known.
    """
    if cursor.at == GAME:
        return _draw_question(_GAME, phrase("Which game is it?"))
    part = cursor.current_field
    if part is None:
        if cursor.wrong():
            return _draw_question(cursor.form.done, phrase("Not right yet: ↓ and Enter lead to where it is."))
        return _draw_question(cursor.form.done, phrase("Look it through; Enter keeps it."))
    field = cursor.whole_field
    titles = [str(field.caption)]
    if field.many:
        titles[0] += f" {(cursor.at.entry or 0) + 1}"
    if part is not field:
        first = cursor.answers.get(msgspec.structs.replace(cursor.at, part=field.parts[0].name))
        titles += (
            [drawing.narrow_glyphs(field.parts[0].format_answer(first))] if first and part is not field.parts[0] else []
        )
        titles.append(str(part.caption))
    about = str(part.explanation) or (what_to_type if what_to_type != titles[-1] else "") or str(field.explanation)
    return _draw_question(drawing.BULLET.join(titles), about)


def _draw_question(title: Text, about: Text) -> Content:
    return Content.assemble((str(title), drawing.BOLD), f"  {drawing.narrow_glyphs(about)}")


def form_invitation(
    cursor: FormCursor, game: Text, has_choices: bool, draw: str, *, width: int, takes_first: bool = False
) -> str:
    """Return the placeholder of an empty field of a `width`: the first that fits, else the shortest.

    `game` is the title of the current game, `draw` the key that draws by chance, and `takes_first` is True if Enter
    takes the first choice.
    """
    texts = tuple(map(str, _describe_ways(cursor, game, has_choices, draw, takes_first)))
    return next((text for text in texts if cell_len(text) <= width), texts[-1])


def _describe_ways(
    cursor: FormCursor, game: Text, has_choices: bool, draw: str, takes_first: bool
) -> tuple[Message, ...]:
    """Return the ways to answer, in full and in fewer words."""
    if cursor.at == GAME:
        return phrase("Enter keeps {game}, ↓ chooses another", game=game), phrase("Enter keeps it")
    field = cursor.current_field
    if field is None:
        does = phrase("Enter: {does}", does=drawing.within_sentence(cursor.form.done))
        return does, phrase("then Enter")
    if takes_first:
        return (
            phrase("Enter takes the marked row, ↑ ↓ choose another; or type it"),
            phrase("Enter takes the marked row"),
        )
    # Translators: The messages from here on are ways to answer, such as “type it or ↓ chooses, then Enter”.
    ways = phrase("type it")
    if has_choices:
        ways = any_of((ways, phrase("↓ chooses")))
    if field.is_drawn:
        program = phrase("{key} suggests it", key=draw) if field.names else phrase("{key} draws it", key=draw)
        ways = any_of((ways, program))
    # An answer that the rules ask for by now, such as a choice that no other one has made, cannot be left out.
    is_due = any(each.place == cursor.at and not each.warning for each in cursor.seen.filled.findings)
    if (field.required or is_due) and not cursor.begins_another:
        return phrase("{ways}, then Enter", ways=ways), phrase("then Enter")
    return phrase("{ways}; Enter alone goes on", ways=ways), phrase("Enter alone goes on")


# Translators: The effect of a key in a form: the program fills in the answer.
_SUGGEST: Final = phrase_in("verb", "Suggest")
_DRAW: Final = phrase_in("verb", "Draw")
# Translators: In place of the last step of a form, such as “Write the PDF”, where there is no room for it.
_FINISH: Final = phrase_in("key", "Finish")


def form_keys(cursor: FormCursor, name: Callable[[str], str], *, has_choices: bool, is_text: bool) -> Iterator[Key]:
    """Yield the keys with their current effects, the most important ones first; `name` returns the key of a binding."""
    end = cursor.at == WHOLE
    field = cursor.current_field
    draws_here = field is not None and field.is_drawn
    draw = (name("form.draw"), _SUGGEST if field and field.names else _DRAW, "screen.draw")
    following = (name("form.next"), phrase("Next"), "screen.step(1)")
    done = KeyEffect(cursor.form.done, _FINISH)
    if not is_text:
        yield ("Enter", done if end else phrase("Go on"), "screen.enter")
    if draws_here:
        yield draw
        if field and field.is_drawn and cursor.at.entry is not None:
            yield (name("form.draw_all"), phrase("Draw all"), "screen.draw_all")
    if has_choices:
        yield ("↑ ↓", phrase("Choose"), "")
    elif is_text:
        yield following
    yield (name("form.back"), phrase("Back"), "screen.leave")
    yield (name("form.help"), phrase("Help"), "screen.help")
    if not end:
        yield (name("form.done"), done, "screen.finish")
    yield (name("form.before"), phrase_in("question", "Before"), "screen.step(-1)")
    if not end and not is_text:
        yield following
    if cursor.at.entry is not None:
        yield (name("form.remove"), phrase("Remove"), "screen.remove")
    if cursor.draws and not draws_here:
        yield draw
