"""`companion demo`: the whole main job without a screen, from three founded bands to a scanned box and its history."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import Misused, Refused, force_option, harmless

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.session.session import Session
    from labels.label import Label

_STOCK = "18294"
_SCAN_DPI = 300
_PRINTED = ("starter.pdf", "tonight.pdf", "boxes.pdf", "boxes.png")


@click.command("demo")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Keep the PDFs and the picture there.")
@force_option
def command(out: Path | None, force: bool) -> None:
    """Show the whole main job on a throw-away archive.

    Founds three bands, plays a recorded dungeon, seals it, prints the starter sheet, tonight's labels and the box
    labels, scans the boxes, and tells the history that the first one leads to.

    \b
    Example: companion demo --out demo
    """
    from companion.archive import Archive

    with _directory(out, force=force) as directory, tempfile.TemporaryDirectory() as scratch:
        with Archive.open(str(Path(scratch) / "demo.db")) as archive:
            _found_bands(archive)
            session = _play(archive)
            _print_starter(directory)
            _print_tonight(archive, session, directory)
            picture = _print_boxes(archive, directory)
            _tell_history(archive, _scan(archive, picture))
        if out is not None:
            click.echo(f"\nThe sheets are in {out}.")


@contextmanager
def _directory(out: Path | None, *, force: bool) -> Iterator[Path]:
    """The directory to print into: the one asked for, made where there is none, or one that goes away."""
    if out is None:
        with tempfile.TemporaryDirectory() as passing:
            yield Path(passing)
        return
    if out.exists() and not out.is_dir():
        raise Misused(f"“{out}” is a file; --out names a directory.")
    taken = [str(out / name) for name in _PRINTED if (out / name).exists()]
    if taken and not force:
        raise Refused(f"“{taken[0]}” exists; give --force to overwrite it, or name another directory.")
    out.mkdir(parents=True, exist_ok=True)
    yield out


def _template(name: str) -> str:
    return (resources.files("templates") / "demo" / name).read_text(encoding="utf-8")


def _heading(text: str) -> None:
    click.echo(f"\n{text}")


def _found_bands(archive: Archive) -> None:
    from companion.archive import deck_id, shelf
    from companion.games.decknforge.founding import MonsterDraft
    from companion.games.decknforge.record import founded

    _heading("Three bands are founded.")
    for band in tomllib.loads(_template("bands.toml"))["band"]:
        drafts = {
            card: MonsterDraft(monster["name"], tuple(monster["items"])) for card, monster in band["monsters"].items()
        }
        inscribed = [tuple(each.split()) for each in band["inscribed"]]
        marks, _ = founded(band["name"], band["builder"], drafts, inscribed)
        deck = archive.found("decknforge", marks)
        shelf.tick(archive, deck, ("all",))  # as if its first labels were stuck before the evening
        click.echo(f"  {deck_id.show(deck)}  {band['name']}, by {band['builder']}")


def _play(archive: Archive) -> Session:
    """Plays the recorded evening line by line into the archive, to the seal."""
    from companion.session import store
    from companion.session.replay import Replay

    _heading("A dungeon is played, as recorded in a .table file.")
    replay = Replay(_template("dungeon.table"), shelf=store.ArchiveShelf(archive))
    told = [tell for line in replay for tell in line.tells]
    kept = store.resume(archive, store.keep(archive, replay.session, "Demo"))
    for tell in told:
        if tell.text.startswith(("Boss ", "The sixth")) or "takes the Killing Blow" in tell.text:
            click.echo(f"  {tell.text}")
    view = kept.view()
    for seat in view.seats:
        figures = {counter.name: counter.text for counter in seat.counters}
        click.echo(f"  {seat.name}: {figures['coppers']} Coppers, {figures['glory']} Glory for {seat.title}")
    return kept


def _print(run: tuple[Label, ...], title: str, path: Path) -> bytes:
    from companion.press.run import find_stock, impose

    document = impose(run, title, find_stock(_STOCK)).document()
    path.write_bytes(document)
    click.echo(f"  {path.name}: {len(run)} labels")
    return document


def _print_starter(directory: Path) -> None:
    from companion.press.wording import starter

    _heading(f"Sheets for {_STOCK} are printed.")
    _print(starter(), "DecknForge starter sheet", directory / "starter.pdf")


def _print_tonight(archive: Archive, session: Session, directory: Path) -> None:
    """Prints what the evening calls for, and says what is to be done with it by hand."""
    from companion.archive import shelf
    from companion.press.tonight import evening

    due = evening(archive, session.game.marks(session.state))
    _print(tuple(label for _, labels in due for label in labels), "Tonight's labels", directory / "tonight.pdf")
    for row, _ in due:
        for chore in shelf.chores(archive, row.deck, session.id):
            click.echo(f"    {row.name}: {chore.text}")


def _print_boxes(archive: Archive, directory: Path) -> Path:
    """Prints the box labels and gives the picture of their sheet, as a camera would take it."""
    from companion.press.boxes import boxes
    from labels import proof

    document = _print(boxes(archive.decks()), "Box labels", directory / "boxes.pdf")
    picture = directory / "boxes.png"
    next(proof.pages(document, _SCAN_DPI)).save(picture, format="PNG")
    return picture


def _scan(archive: Archive, picture: Path) -> DeckRow:
    """Reads every code of the picture back; gives the deck of the first. Raises Refused where one is missing."""
    from companion.archive import deck_id
    from companion.scan import read

    _heading(f"The sheet is scanned at {_SCAN_DPI} dpi.")
    found = [archive.find_deck(code.deck) for code in read(picture) if code.deck is not None]
    for row in found:
        click.echo(f"  {deck_id.show(row.deck)} opens {row.name}: Glory {row.glory}, held by {row.holder}")
    missing = {row.name for row in archive.decks()} - {row.name for row in found}
    if missing:
        raise Refused(f"The codes of {', '.join(sorted(missing))} could not be read from {picture.name}.")
    return found[0]


def _tell_history(archive: Archive, row: DeckRow) -> None:
    _heading(f"The history of {row.name}, newest first.")
    for told in reversed(archive.story(row.deck)):
        click.echo(f"  {harmless(told.text)}")
