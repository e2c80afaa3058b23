"""`companion scan`: the codes in pictures, or ids that are typed or scanned, and the records that they open."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from rich.console import Console
from rich.live import Live
from rich_pixels import Pixels

from companion.archive import Archive, ArchiveError, DeckRow, deck_id
from companion.archive.chapters import last_evening
from companion.archive.errors import Clause
from companion.archive.exchange import page_codes, page_offers, pages
from companion.cli.common import (
    MISUSED,
    REFUSED,
    Misused,
    archive_option,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    sanitize,
    with_hint,
)
from companion.games import registry
from companion.scan import Code, CodeKind, PictureError, no_code, parse_typed, read, start
from companion.scan.camera import watch
from companion.scan.codes import CodeMatch, adopt, look_up, page_parts
from companion.tabletop.action import NotationError
from companion.tui.spreads import is_without_codes, name_deck
from templates.languages.messages import Text, joined, phrase

if TYPE_CHECKING:
    from PIL.Image import Image

    from companion.scan.reader import ScannedPage


_PREVIEW_WIDTH = 48


@contextmanager
def preview() -> Iterator[Callable[[Image | None], None]]:
    """Yield a function that shows a picture in place of the previous one; without a terminal it does nothing.

    None removes the picture, since lines printed below it would be removed with it.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:

        def show(picture: Image | None) -> None:
            if picture is None:
                live.update("", refresh=True)
                return
            small = picture.resize((_PREVIEW_WIDTH, max(2, _PREVIEW_WIDTH * picture.height // picture.width)))
            live.update(Pixels.from_image(small.convert("RGB")), refresh=True)

        yield show


_STORY_LINES = 5


# This many pages without a code take a second.
_MANY_PAGES = 4


# Codes beside a deck's that are reported without failing the scan.
_IGNORED_KINDS = (CodeKind.FOREIGN, CodeKind.UNSEEN)


class ScanResult(msgspec.Struct, frozen=True):
    """A code for `--json`; `is_known` is True if the archive has its deck, else `problem` is the reason."""

    source: str
    text: str | None = None
    deck: str | None = None
    is_known: bool = msgspec.field(default=False, name="found")
    problem: str | msgspec.UnsetType = msgspec.UNSET


@click.command("scan")
@click.argument("pictures", metavar="[PICTURE]…", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--adopt",
    is_flag=True,
    help="Import unknown decks from the passports on their record sheets, and add games from the codes of their pages.",
)
@click.option(
    "--camera",
    is_flag=False,
    flag_value="0",
    metavar="[NUMBER|CLIP]",
    help="Scan with a camera, by default the first one, or from a recorded CLIP; needs OpenCV.",
)
@archive_option
@json_option
def command(pictures: Sequence[Path], adopt: bool, camera: str | None, archive: str | None, as_json: bool) -> int:
    """Identify each QR code in the pictures, and show the record of its deck.

    Without pictures, ids are read from the keyboard or from a scanner that types, until the input ends. Exits with
    status 0 if every picture or id led to a deck, 1 if one did not, and 2 if a file is not a picture.

    The codes of a game's page (companion game share) are read in any order, from one picture or from several; when none
    is missing, the page is described, and --adopt adds its game.

    \b
    Examples: companion scan box.jpg
              companion scan --json *.jpg
              companion scan
              companion scan record-sheet.jpg --adopt
              companion scan --camera
    """
    if camera is not None and pictures:
        raise Misused(
            phrase("Scan pictures or through a camera, not both at once; after --camera comes its number or a clip.")
        )
    if pictures:
        start()  # its start takes as long as opening the archive
    with open_archive(archive, create=adopt, scratch=not archive) as opened:
        report = _ScanReport(opened, quiet=as_json, adopt=adopt)
        if camera is not None:
            report.camera(camera)
        for picture in pictures:
            report.picture(picture)
            if report.stopped:
                raise KeyboardInterrupt
        for line in () if pictures or camera is not None else _typed_lines():
            report.codes((parse_typed(line),))
        report.finish()
    if as_json:
        print_json(report.results)
    return report.status


class _ScanReport:
    """Reports codes one after another, and collects the results for `--json` and the exit status."""

    def __init__(self, archive: Archive, *, quiet: bool, adopt: bool) -> None:
        self.archive = archive
        self.quiet = quiet
        self.adopt = adopt
        self.results: list[ScanResult] = []
        self.status = 0
        self.stopped = False
        self._parts = page_codes.PageCollector()
        self._scans: dict[str, page_codes.PageScan] = {}
        """The pages whose codes were read, by their digests, as they are now."""

    def picture(self, path: Path) -> None:
        """Report all codes in the picture at `path`; only those found so far if Ctrl+C has `stopped` it."""
        try:
            codes = read(path, self._report_progress)
            if is_without_codes(codes):
                self.matches(name_deck(self.archive, path, codes[0]))
            else:
                self.codes(codes)
        except PictureError as error:
            if self.stopped:
                return
            self.results.append(ScanResult(str(path), problem=str(error)))
            click.echo(sanitize(str(error)), err=True)
            self.status = MISUSED

    def _report_progress(self, pages: Iterator[ScannedPage]) -> Iterator[ScannedPage]:
        """Yield the pages of a picture until Ctrl+C, with a progress bar on a terminal if there are many."""
        try:
            for first in pages:
                hidden = first.of < _MANY_PAGES or not sys.stderr.isatty()
                whole = chain((first,), pages)
                with click.progressbar(
                    whole, first.of, label=str(phrase("Pages")), file=sys.stderr, hidden=hidden
                ) as bar:
                    yield from bar
        except KeyboardInterrupt:
            self.stopped = True

    def camera(self, source: str) -> None:
        """Report each code as soon as enough frames show it, until the clip ends or Ctrl+C is pressed."""
        try:
            with preview() as show, suppress(KeyboardInterrupt):
                for frame in watch(source):
                    show(frame.picture)
                    if frame.fresh:
                        show(None)
                        self.codes(frame.fresh)
        except PictureError as error:
            raise Misused(str(error)) from error
        if not self.results:
            self.codes((no_code(source),))

    def codes(self, codes: Sequence[Code]) -> None:
        """Report the codes of one picture, or the one that was typed."""
        others = [code for code in codes if code.kind is not CodeKind.PAGE]
        if others or not codes:
            self.matches([self._find_match(code) for code in others])
        self._collect([code for code in codes if code.kind is CodeKind.PAGE])

    def _collect(self, codes: Sequence[Code]) -> None:
        """Collect parts of games' pages; report how much is read, and each page that is whole."""
        self.results += [ScanResult(code.source, code.text, is_known=True) for code in codes]
        for code, part in zip(codes, page_parts(codes), strict=True):
            if (before := self._scans.get(part.page)) is not None and before.text:
                continue
            try:
                self._scans[part.page] = self._parts.add(part)
            except page_codes.PageCodeError as error:
                self._scans.pop(part.page, None)
                self._refuse(code.source, error)
        for page in dict.fromkeys(part.page for part in page_parts(codes)):
            if (scan := self._scans.get(page)) is not None:
                if not self.quiet:
                    click.echo(sanitize(f"{codes[0].source}: {scan.describe()}"), err=True)
                if scan.text:
                    self._offer(codes[0].source, scan.text)

    def _offer(self, source: str, text: str) -> None:
        """Describe a whole page, and add its game if `--adopt` is given."""
        try:
            offer = page_offers.prepare_offer(self.archive, text)
            for sentence in () if self.quiet else offer.sentences:
                click.echo(sanitize(sentence))
            if self.adopt:
                added = pages.add_page(self.archive, text)
                if not self.quiet:
                    click.echo(sanitize(page_offers.describe_added(added)))
            elif offer.is_new and not self.quiet:
                click.echo(phrase("companion scan --adopt with the same pictures adds this game."))
        except (ArchiveError, NotationError) as error:
            self._refuse(source, error)

    def finish(self) -> None:
        """Set the exit status if codes of a page are missing at the end."""
        if any(not scan.text for scan in self._scans.values()):
            self.status = max(self.status, REFUSED)

    def _refuse(self, source: str, error: Exception) -> None:
        self.results.append(ScanResult(source, problem=str(error)))
        click.echo(sanitize(f"{source}: {error}"), err=True)
        self.status = max(self.status, REFUSED)

    def matches(self, matches: Sequence[CodeMatch]) -> None:
        """Report matches."""
        results = [self._print_match(match) for match in matches]
        # Another program's code beside a box is no failure; any other code that leads nowhere is.
        fine = any(one.is_known for one in results) and all(
            one.is_known or match.code.kind in _IGNORED_KINDS for one, match in zip(results, matches, strict=True)
        )
        self.status = max(self.status, 0 if fine else REFUSED)
        self.results += results

    def _print_match(self, met: CodeMatch) -> ScanResult:
        code = met.code
        where = "" if code.source == "typed" else f"{sanitize(code.source)}: "
        if met.row is None:
            problem = _describe_problem(met)
            click.echo(sanitize(f"{where}{problem}"), err=True)
            return ScanResult(code.source, code.text or None, code.deck, problem=str(problem))
        if not self.quiet:
            click.echo(f"{where}{self._describe_record(met.row)}")
        return ScanResult(code.source, code.text, code.deck, is_known=True)

    def _find_match(self, code: Code) -> CodeMatch:
        """Return the match of a code; adopt a deck that is not here if `--adopt` is given."""
        met = look_up(self.archive, code)
        if not (met.can_adopt and self.adopt):
            return met
        try:
            return adopt(self.archive, code)
        except ArchiveError as error:
            return CodeMatch(code, problem=str(error), look=error.look)

    def _describe_record(self, row: DeckRow) -> str:
        """Return the deck as it is today, and its last evening, or the end of its story if there was none."""
        deck, story = row.deck, self.archive.story(row.deck)
        facts = (
            f"{row.name} ({deck_id.show(deck)})",
            registry.title(row.game, row.page),
            *(joined(" ", (figure.caption, figure.value)) for figure in row.figures),
            *((phrase("held by {holder}", holder=row.holder),) if row.holder else ()),
            *((phrase("retired"),) if row.retired else ()),
        )
        lines = [str(joined(", ", facts))]
        evening = last_evening(self.archive.chapters(deck))
        if evening is not None:
            lines.append(
                f"  {format_local_time(evening.at)}  {' · '.join(filter(None, (str(evening.title), evening.venue)))}"
            )
            lines += [f"    {text}" for text in (*evening.facts, *(line.text for line in evening.own_lines))]
        else:
            lines += [f"  {format_local_time(line.at)}  {line.text}" for line in story[-_STORY_LINES:]]
        if len(story) > _STORY_LINES or evening is not None:
            whole = phrase("all of it:")
            lines.append(f"  {whole} companion deck history {deck_id.show(deck)}")
        return "\n".join(sanitize(line) for line in lines)


def _describe_problem(met: CodeMatch) -> Text:
    """Return the problem of a match, with the command that solves it."""
    if met.can_adopt:
        return phrase("{problem}, and companion scan --adopt takes it in.", problem=met.problem)
    if met.is_elsewhere:
        return phrase(
            "{problem}; companion deck import or companion scan --adopt does it.", problem=Clause(met.problem)
        )
    return with_hint(met.problem, met.look)


def _typed_lines() -> Iterator[str]:
    """Yield the typed lines until the input ends; on a terminal after a prompt."""
    asking, prompt = sys.stdin.isatty(), phrase("deck")
    if asking:
        click.echo(phrase("Scan or type a deck's id; Ctrl+D ends."), err=True)
    while True:
        if asking:
            click.echo(f"{prompt}> ", nl=False, err=True)
        # Bytes that are no text are reported like any other mistake, so they are replaced here and not refused.
        line = sys.stdin.buffer.readline().decode(errors="replace")
        if not line:
            break
        if line.strip():
            yield line
    if asking:
        click.echo(err=True)
