"""Compares a deck with its record by photographs: its labels, and the changes that may follow, one key each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets.option_list import Option

from companion.archive import Archive, DeckRow
from companion.archive.storage import files
from companion.printing import label_audit
from companion.printing.label_audit import CardQuestion, LabelAudit, LabelCorrection, SeenLabel
from companion.scan import PictureError
from companion.scan.spread import Spread, draw_labels, read_labels
from companion.tabletop.decks.paper import LabelText
from companion.tui import drawing, frame
from companion.tui.screens.base import key_name
from companion.tui.screens.listing import REFUSALS, ListScreen
from companion.tui.widgets.bars import Key, KeyBar
from companion.tui.widgets.page_picture import PagePicture, half_blocks
from templates.languages.messages import Text, joined, phrase

_Row = LabelCorrection | CardQuestion | LabelText | SeenLabel

_TITLES: Mapping[str, Text] = {
    "here": phrase("As the record has them"),
    "copy": phrase("More than the record has"),
    "extra": phrase("Should not be there"),
    "foreign": phrase("Of another deck"),
}


class _Photograph(NamedTuple):
    path: Path
    spread: Spread


class PhotographsScreen(ListScreen):
    """The rows: first the proposals from the photographs, then the labels that are missing, then those that
    were seen.
    """

    heading = phrase("The deck by photographs")
    placeholder = phrase("a photograph's path; the card of a starter label")
    verb = phrase("Take")
    nothing = phrase(
        "Spread the cards in rows so that each shows its left edge, and photograph them from above.\n"
        "Type the path of the picture, or drop the file onto the terminal; several pictures are put together.\n"
        "The labels need codes: F12 at home has them printed from now on, or F5 for once."
    )
    refusals = (*REFUSALS, PictureError)
    filters = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f3", "picture", "Picture", id="photographs.picture", tooltip="Show the picture with every label framed"
        ),
    ]

    def __init__(self, archive: Archive, row: DeckRow) -> None:
        super().__init__(archive)
        self._row = row
        self._photographs: list[_Photograph] = []
        self._audit: LabelAudit | None = None

    def list_rows(self, text: str) -> Sequence[Option]:  # noqa: ARG002 – what is typed is a picture or a card
        """Return the proposals and questions, then the labels that are missing and those that were seen."""
        if self._audit is None:
            return []
        return [Option(content, name) for name, content in self._rows(self._audit)]

    def _rows(self, audit: LabelAudit) -> Iterator[tuple[str, Content]]:
        for number, proposal in enumerate(audit.proposals):
            yield (
                f"proposal:{number}",
                Content.assemble(("→ ", "bold $text-accent"), drawing.narrow_glyphs(str(proposal.text))),
            )
        for number, question in enumerate(audit.questions):
            yield (
                f"question:{number}",
                Content.assemble(("? ", "bold $text-warning"), drawing.narrow_glyphs(str(question.text))),
            )
        for number, text in enumerate(audit.missing):
            title = text.full_title
            missing = phrase("{label} (still to be stuck)", label=title) if text.spot in audit.due else title
            yield (
                f"missing:{number}",
                Content.assemble(("✗ ", "bold $text-error"), drawing.narrow_glyphs(str(missing))),
            )
        for number, label in enumerate(audit.seen):
            sign = "✓ " if label.standing == "here" else "! "
            yield f"seen:{number}", Content.assemble((sign, drawing.DIM), drawing.narrow_glyphs(str(label.text)))

    def describe_row(self, row: str) -> Content:
        """Describe the meaning of a row, and the effect of Enter on it."""
        item = self._find_row(row)
        if self._audit is None or item is None:
            return Content(str(self.nothing))
        about = Content("\n").join(_describe(item))
        return Content("\n").join([Content.styled(str(self._audit.summary), drawing.BOLD), Content(""), about])

    def _find_row(self, row: str) -> _Row | None:
        kind, _, number = row.partition(":")
        if self._audit is None or not number:
            return None
        rows: dict[str, Sequence[_Row]] = {
            "proposal": self._audit.proposals,
            "question": self._audit.questions,
            "missing": self._audit.missing,
            "seen": self._audit.seen,
        }
        return rows[kind][int(number)] if int(number) < len(rows[kind]) else None

    async def take(self, row: str, text: str) -> None:
        """Read a typed picture; else store what the row proposes, or the card of its label."""
        match self._find_row(row):
            case CardQuestion() as question if "." not in text:
                card = text or question.spot.partition(" ")[0]
                if not card:
                    self.say(phrase("Type the card that this label is on."), wrong=True)
                    return
                answer = await self.run_query(
                    lambda: label_audit.answer_question(self.archive, self._row, question, card)
                )
                await self._write([answer] if answer is not None else [])
            case _ if text:
                await self._read(text)
            case LabelCorrection() as proposal:
                await self._write([proposal])
            case _:
                self.say(phrase("There is nothing to take here; type the path of a photograph."))

    async def _read(self, text: str) -> None:
        path = files.read_path(text)
        self.say(phrase("Reading {file} …", file=path.name))
        spread = await self.run_query(lambda: read_labels(path))
        if spread is None:
            self.box.select_all()
            return
        self.box.value = ""
        self._photographs.append(_Photograph(path, spread))
        audit = await self._compare()
        if audit is not None and audit.refusal:
            # Pictures of another deck must not be combined with those of this one.
            self._photographs.pop()
            self.say(str(audit.refusal), wrong=True)
        elif audit is not None:
            self.say(str(audit.summary))

    async def _compare(self) -> LabelAudit | None:
        """Compare all pictures with the record; keep the previous comparison if they show another deck."""
        pictures = [each.spread.numbers for each in self._photographs]
        doubts = [each.spread.describe_doubt(each.path.name) for each in self._photographs]
        doubt = joined(" ", filter(None, doubts))
        audit = await self.run_query(lambda: label_audit.audit_deck(self.archive, self._row, pictures, doubt))
        if audit is not None and not audit.refusal:
            self._audit = audit
            await self.refill()
        return audit

    async def _write(self, proposals: Sequence[LabelCorrection]) -> None:
        if not proposals:
            return
        sentences = await self.run_query(lambda: label_audit.take_proposals(self.archive, self._row, proposals))
        if sentences is not None:
            self.box.value = ""
            await self._compare()
            self.say(joined(" ", sentences))

    async def action_picture(self) -> None:
        """Show the last picture with every label framed."""
        if not self._photographs or self._audit is None:
            self.say(phrase("Type the path of a photograph first."))
            return
        await self.app.push_screen(FramedPhotograph(self._photographs[-1], self._audit.names))

    def keys(self) -> Sequence[Key]:
        """Return the key for the picture, once there is one."""
        picture = (key_name(self, "photographs.picture"), phrase("Picture"), "screen.picture")
        return [picture] if self._photographs else []


def _describe(item: _Row) -> Iterator[Content]:
    """Yield the meaning of a row, and the effect of Enter on it."""
    match item:
        case LabelCorrection():
            yield Content(drawing.narrow_glyphs(str(item.text)))
            yield Content.styled(str(phrase("Enter writes it down.")), "$text-accent")
        case CardQuestion():
            card = item.spot.partition(" ")[0]
            how = (
                phrase("Type the card and Enter. Enter alone takes {card}.", card=card)
                if item.spot
                else phrase("Type the card and Enter.")
            )
            yield Content(drawing.narrow_glyphs(str(item.text)))
            yield Content.styled(str(how), "$text-accent")
        case LabelText():
            not_found = phrase(
                "It was not found. Photograph it from closer, with the next card moved aside; if it is missing, print "
                "it:"
            )
            yield Content(str(not_found))
            yield Content.styled(f'companion labels deck … --codes --only "{item.spot}"', drawing.DIM)
        case SeenLabel():
            standing = joined(": ", (_TITLES.get(item.standing, phrase("Not known")), item.text))
            yield Content(drawing.narrow_glyphs(str(standing)))
            yield Content.styled(drawing.narrow_glyphs(str(item.note)), drawing.DIM)


class FramedPhotograph(Screen[None]):
    """A photograph with every label framed: green if it matches the record, red if not, violet for another deck."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back", id="photograph.back", tooltip="Go back to the findings"),
    ]

    picture = getters.query_one(PagePicture)

    def __init__(self, photograph: _Photograph, names: dict[str, tuple[str, str]]) -> None:
        super().__init__()
        self._photograph = photograph
        self._names = names

    def compose(self) -> ComposeResult:
        """Yield the picture, and the key that goes back."""
        picture = PagePicture()
        picture.styles.height = "1fr"
        yield picture
        yield KeyBar()

    async def on_mount(self) -> None:
        """Draw the picture in a thread; a separate process opens it."""
        self.query_one(KeyBar).show(((key_name(self, "photograph.back"), phrase("Back"), "app.pop_screen"),))
        size = self.app.size
        room = (size.width, 2 * max(2, size.height - 2))
        path, spread = self._photograph
        try:
            framed = await asyncio.to_thread(draw_labels, path, spread, self._names, room=room)
        except PictureError as error:
            self.notify(frame.describe_error(error), severity="error")
            return
        even = framed.height // 2 * 2
        self.picture.show(list(half_blocks(framed.content[: 3 * framed.width * even], framed.width)))
