"""The scan screen: the codes in a picture, or a typed id, and the decks that they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive, deck_id
from companion.archive.chapters import last_evening
from companion.archive.exchange import page_codes, page_offers, pages
from companion.archive.storage import files
from companion.games import registry
from companion.scan import Code, CodeKind, PictureError, parse_typed, read, stop
from companion.scan.codes import CodeMatch, adopt, page_parts, parse_printed
from companion.scan.codes import look_up as meet
from companion.tabletop.text import in_quotes
from companion.tui import drawing, frame
from companion.tui.screens.base import PICTURES, StatusScreen, key_name
from companion.tui.screens.decks.deck import DeckScreen, look_up
from companion.tui.screens.listing import REFUSALS, ListScreen
from companion.tui.spreads import is_without_codes, name_deck
from companion.tui.widgets.bars import Key
from templates.languages.dates import numeric_date
from templates.languages.messages import Text, joined, phrase, phrase_in, phrases

if TYPE_CHECKING:
    from companion.scan.reader import ScannedPage

_WHAT = {
    "deck": phrase("a deck's code"),
    "passport": phrase("a passport: a deck as it was when its record sheet was printed"),
    "page": phrase("a code of a game's page"),
    "damaged": phrase("a damaged code"),
    "foreign": phrase("another program's code"),
    "unreadable": phrase("a damaged code, or a blurred one"),
    "nothing": phrase("no code that can be read"),
    "unseen": phrase("a file of many pages"),
    "unread": phrase("pages that could not be read"),
}


_NO_CODES = (CodeKind.UNSEEN, CodeKind.UNREAD)
_LAST = 5
# Translators: In place of the path of a picture: where a code comes from.
_TYPED = phrase_in("code", "typed")
"""Lines of a story without evenings."""


class ScanScreen(ListScreen):
    """The codes scanned in this visit, newest first; a single deck is opened at once."""

    heading = phrase("Scan")
    placeholder = phrase("scan a box, type its id, or the path of a picture")
    verb = phrase("Scan, open")
    nothing = phrase(
        "You can use a scanner that types, or the keyboard, at once.\n"
        "A photograph of one box or of several, or a PDF: type its path, or drop the file onto the terminal.\n"
        "With a camera, in a shell: companion scan --camera."
    )
    refusals = (*REFUSALS, PictureError)
    filters = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f3",
            "adopt",
            "Take it in",
            id="scan.adopt",
            tooltip="Import the deck of a passport that is not in the archive, or add the game of a scanned page",
        ),
    ]

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._met: list[CodeMatch] = []
        self._parts = page_codes.PageCollector()
        self._page = ""
        """The text of the page whose last missing code was scanned, until it is taken in."""
        self._offer: page_offers.PageOffer | None = None
        """What that page is and keeps."""
        self._scanning = self._stopped = False

    def list_rows(self, text: str) -> Sequence[Option]:  # noqa: ARG002 – what is typed is scanned, and searches nothing
        """Return everything that was scanned."""
        return [Option(_draw_row(met), str(number)) for number, met in reversed(list(enumerate(self._met)))]

    def describe_row(self, row: str) -> Content:
        """Describe the code and its deck."""
        met = self._met[int(row)]
        code = met.code
        source = str(_TYPED) if code.source == "typed" else code.source
        rows = [
            Content.assemble((source, drawing.BOLD), f": {_describe_code(met)}"),
            Content(drawing.narrow_glyphs(code.text)),
        ]
        if met.row is not None:
            figures = (f"{figure.caption} {figure.value}" for figure in met.row.figures)
            rows += [Content.assemble((met.row.name, "bold $text-accent"), f"  {deck_id.show(met.row.deck)}")]
            about = joined(drawing.BULLET, (registry.title(met.row.game, met.row.page), met.row.holder, *figures))
            rows += [Content.styled(str(about), drawing.DIM)]
            rows += [Content(""), *self._story(met.row.deck)]
        if code.kind is CodeKind.PAGE:
            return Content("\n").join([*rows, *self._describe_page(code)])
        return Content("\n").join([*rows, Content.styled(str(_describe_problem(met)), "$text-error")])

    def _describe_page(self, code: Code) -> Iterator[Content]:
        """Yield the place of a code among those of its page, and what the page is if it is whole."""
        yield Content(str(code.problem))
        if self._offer is not None and self._offer.page == page_codes.read_code(code.text).page:
            yield from (Content(drawing.narrow_glyphs(str(sentence))) for sentence in self._offer.sentences)

    def _story(self, deck: str) -> Iterator[Content]:
        """Yield the last evening, or the end of the story if there was none."""
        evening = last_evening(self.archive.chapters(deck))
        if evening is None:
            yield from (Content(drawing.narrow_glyphs(str(line.text))) for line in self.archive.story(deck)[-_LAST:])
            return
        title = drawing.narrow_glyphs(str(joined(" · ", filter(None, (evening.title, evening.venue)))))
        yield Content.styled(f"{numeric_date(evening.at)}  {title}", drawing.BOLD)
        for text in (*evening.facts, *(line.text for line in evening.own_lines)):
            yield Content(f"• {drawing.narrow_glyphs(str(text))}")

    async def take(self, row: str, text: str) -> None:
        """Scan the typed text; if there is none, open the deck of the row."""
        if not text:
            await self._open(self._met[int(row)] if row else None)
        elif not _is_picture(text):
            await self._take_in(await self.run_query(lambda: self._find_codes(text)))
        elif self._scanning:
            busy = phrase("One picture is still being read; {key} stops that.", key=key_name(self, "list.back"))
            self.say(busy, wrong=True)
        else:
            self._scanning, self._stopped = True, False
            self._scan(text)

    @work(group="scan")
    async def _scan(self, text: str) -> None:
        """Read a picture while keys go on working: a file of many pages takes its time."""
        try:
            met = await self.run_query(lambda: self._find_codes(text))
        finally:
            self._scanning = False
        await self._take_in(met)

    async def _take_in(self, met: Sequence[CodeMatch] | None) -> None:
        """Show the scanned codes, or select the text to be typed again."""
        if met is None:
            self.box.select_all()
            return
        self.box.value = ""
        self._met += met
        await self.refill(str(len(self._met) - 1))
        decks = {each.row.deck for each in met if each.row is not None}
        if parts := page_parts(each.code for each in met):
            await self._collect_page(parts)
        elif len(decks) == 1 and len(met) == 1:
            await self._open(met[0])
        else:
            self._say(met)

    async def _collect_page(self, parts: Sequence[page_codes.PageCode]) -> None:
        """Add codes of a game's page, and say what is missing, or what the page is once it is whole."""
        scans = await self.run_query(lambda: self._parts.add_all(parts))
        if scans is None:
            return
        self._page = next((scan.text for scan in scans if scan.text), "")
        offer = (
            await self.run_query(lambda: page_offers.prepare_offer(self.archive, self._page)) if self._page else None
        )
        if self._page and offer is None:
            self._page = ""
            return
        self._offer = offer or self._offer
        await self.refill(str(len(self._met) - 1))
        sentences: list[Text] = [scan.describe() for scan in scans]
        if offer is not None and offer.is_new:
            sentences.append(phrase("{key} takes it in.", key=key_name(self, "scan.adopt")))
        self.say(joined(" ", sentences))

    async def _add_page(self) -> None:
        """Add the game whose page was scanned."""
        added = await self.run_query(lambda: pages.add_page(self.archive, self._page))
        if added is not None:
            self._page = ""
            name = in_quotes(added.row.name)
            self.say(phrase("{game} is added; its tables are called {name}.", game=added.row.title, name=name))

    def _find_codes(self, text: str) -> list[CodeMatch]:
        """Return the codes in the picture at this path, or of the typed text itself."""
        if _is_picture(text):
            codes = read(files.read_path(text), self._report_progress)
            if is_without_codes(codes) and not self._stopped:
                return [*name_deck(self.archive, files.read_path(text), codes[0])]
        else:
            codes = (parse_printed(text, "typed") if _is_on_the_web(text) else parse_typed(text),)
        return [meet(self.archive, code) for code in codes]

    def _report_progress(self, pages: Iterator[ScannedPage]) -> Iterator[ScannedPage]:
        """Yield the pages of a picture until the user goes back; report the progress if there are many."""
        for number, page in enumerate(pages, 1):
            yield page
            if self._stopped:
                return
            if number < page.of:
                message = phrase(
                    "Page {page} of {pages}. {key} stops; what is read stays.",
                    page=str(number + 1),
                    pages=str(page.of),
                    key=key_name(self, "list.back"),
                )
                self.app.call_from_thread(self.say, message)

    async def action_back(self) -> None:
        """Stop a scan; else clear the field, or go back."""
        if self._scanning:
            self._stop()
        else:
            await super().action_back()

    def on_unmount(self) -> None:
        """Stop a scan that is still running."""
        if self._scanning:
            self._stop()

    def _stop(self) -> None:
        self._stopped = True
        stop()

    def _say(self, met: Sequence[CodeMatch]) -> None:
        """Report the codes that were found, and the pages that were not read."""
        unseen = [str(each.problem) for each in met if each.code.kind in _NO_CODES]
        codes = [each for each in met if each.code.kind not in _NO_CODES]
        if len(codes) > 1 or codes[0].row is not None:
            self.say(joined(" ", (_summarize_codes(codes), *unseen)))
            return
        problem = _describe_problem(codes[0])
        if codes[0].can_adopt:
            problem = phrase("{problem}; {key} takes it in", problem=problem, key=key_name(self, "scan.adopt"))
        self.say(joined(" ", (problem, *unseen)), wrong=True)

    async def action_adopt(self) -> None:
        """Adopt the deck of a passport, or add the game whose page was scanned."""
        if self._page:
            await self._add_page()
            return
        row = self.rows.chosen
        if not row or not self._met[int(row)].can_adopt:
            self.say(phrase("This is not the passport of a deck that could be imported."), wrong=True)
            return
        met = await self.run_query(lambda: adopt(self.archive, self._met[int(row)].code))
        if met is not None:
            self._met[int(row)] = met
            await self.refill(row)
            await self._open(met)

    async def _open(self, met: CodeMatch | None) -> None:
        if met is None or met.row is None:
            self.say(_describe_problem(met) if met else phrase("Nothing is scanned yet."), wrong=met is not None)
            return
        deck = met.row.deck
        opened_deck = await self.run_query(lambda: look_up(self.archive, deck))
        if opened_deck is not None:
            self.say("")
            await self.app.push_screen(DeckScreen(self.archive, opened_deck))

    def keys(self) -> Sequence[Key]:
        """Return the key that adopts the deck of a passport, or adds the game of a page."""
        row = self.rows.chosen
        can = bool(self._page) or (bool(row) and self._met[int(row)].can_adopt)
        return ((key_name(self, "scan.adopt"), phrase("Take it in"), "screen.adopt"),) if can else ()


def _is_on_the_web(text: str) -> bool:
    """Return True for a web address, which is what other programs' codes hold; a scanner that types reveals no more."""
    return "://" in text


def _is_picture(text: str) -> bool:
    """Return True if the text means a picture: it is no code, but an existing file, or looks like one."""
    if _is_on_the_web(text) or parse_typed(text).kind is not CodeKind.DAMAGED:
        return False
    try:
        path = files.read_path(text)
        return path.is_file() or len(path.parts) > 1 or path.suffix.lower() in (*PICTURES, ".pdf")
    except (OSError, ValueError):
        return False


def _describe_problem(met: CodeMatch) -> Text:
    """Return the problem of a code, with the key to press if there is one."""
    return frame.add_hint(str(met.problem), met.look)


def _summarize_codes(codes: Sequence[CodeMatch]) -> Text:
    here = sum(each.row is not None for each in codes)
    if len(codes) == 1:
        return phrase("1 code: choose its deck, Enter opens it.")
    count = str(len(codes))
    if not here:
        return phrase(
            "{codes} codes, none of which belongs to a deck here: the list says what each one is.", codes=count
        )
    # Translators: {codes} is a number of 2 or more.
    return phrases(
        "{codes} codes; {n} of them leads to a deck: choose one, Enter opens it.",
        "{codes} codes; {n} of them lead to a deck: choose one, Enter opens it.",
        n=here,
        codes=count,
    )


def _draw_row(met: CodeMatch) -> Content:
    if met.row is not None:
        return Content.assemble("✓ ", (met.row.name, drawing.BOLD), (f"  {deck_id.show(met.row.deck)}", drawing.DIM))
    return Content.assemble("✗ ", str(_describe_code(met)), (f"  {met.code.text[:24]}", drawing.DIM))


def _describe_code(met: CodeMatch) -> Text:
    """Return a phrase for a code; that of a deck may be unknown here."""
    strange = met.row is None and met.code.kind is CodeKind.DECK
    return phrase("a deck's code, but no such deck here") if strange else _WHAT[met.code.kind.value]


async def open_scan(screen: StatusScreen, archive: Archive) -> None:
    """Open the screen that reads codes."""
    await screen.app.push_screen(ScanScreen(archive))
