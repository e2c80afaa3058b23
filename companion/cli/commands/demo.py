"""`companion demo`: the main workflow without a screen, from new decks to a scanned box and its history.

The decks and the evening are data among a game's examples: `decks.toml`, with the deck lists that it names, and
`evening.table`. Steps that a game does not need are skipped.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.archive import Archive, deck_id, deck_records
from companion.cli.common import Misused, Refused, any_archive_option, force_option, sanitize
from companion.cli.printing.options import translate_label_errors
from companion.games import registry
from companion.printing import wording
from companion.printing.jobs import box_labels, card_labels, due_labels
from companion.printing.run import find_stock, impose
from companion.printing.wording import starter_labels
from companion.scan import read
from companion.session.core import archive_journal, replay
from companion.session.core.changes import outcome_title
from companion.session.core.replay import Replay
from companion.tabletop.notation.notation import Notation
from companion.tabletop.table.common_actions import Seat
from labels.output import proof
from labels.output.pdf import Setup
from templates.languages.messages import Text, listed, phrase, phrases

if TYPE_CHECKING:
    from companion.archive import DeckRow
    from companion.session.core.session import Session
    from companion.tabletop.game import Game
    from companion.tabletop.table.table import SeatView, TableView, Value
    from labels.paper.sheet import Label


_STOCK = "18294"


_SCAN_DPI = 300


_PRINTED = ("starter.pdf", "decks.pdf", "tonight.pdf", "boxes.pdf", "boxes.png")


_EVENING = "evening.table"


@click.command("demo")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Directory in which to keep the PDFs and the picture."
)
@click.option("--game", metavar="GAME", help="Game to show; default: the first that has an example.")
@any_archive_option
@force_option
def command(out: Path | None, game: str | None, force: bool) -> None:
    """Demonstrate the whole program on a temporary archive; yours is not touched.

    Builds decks, plays a recorded evening, prints the starter sheet, the labels of decks built from lists, tonight's
    labels and the box labels, scans the boxes, and shows the history of the first deck.

    \b
    Example: companion demo --out demo
    """
    chosen = _choose_game(game)
    with _open_directory(out, force=force) as directory, tempfile.TemporaryDirectory() as scratch:
        with Archive.open(str(Path(scratch) / "demo.db")) as passing:
            _found_decks(passing, chosen)
            session = _play_evening(passing, chosen)
            _print_starter(chosen, directory)
            _print_decks(passing, chosen, directory)
            _print_tonight(passing, session, directory)
            if passing.decks():
                picture = _print_boxes(passing, directory)
                row = _scan_picture(passing, picture)
                _print_heading(phrase("The history of {name}, newest first.", name=row.name))
                for chapter in passing.chapters(row.deck)[::-1]:
                    click.echo(f"  {sanitize(str(chapter.title))}")
                    for text in (*chapter.facts, *(line.text for line in (*chapter.own_lines, *chapter.chores))):
                        click.echo(f"    {sanitize(str(text))}")
        if out is not None:
            _print_heading(phrase("The sheets are in {folder}.", folder=str(out)))


def _choose_game(name: str | None) -> Game:
    with translate_label_errors():
        entry = wording.choose_game(
            name, lambda game: bool(wording.read_example(game, _EVENING)), wording.MISSING_EVENING
        )
    return registry.game(entry.name)


@contextmanager
def _open_directory(out: Path | None, *, force: bool) -> Iterator[Path]:
    """Yield the directory to print into: the named one, made if it is missing, or a temporary one."""
    if out is None:
        with tempfile.TemporaryDirectory() as passing:
            yield Path(passing)
        return
    if out.exists() and not out.is_dir():
        raise Misused(phrase("“{out}” is a file; --out names a directory.", out=out))
    existing = [str(out / name) for name in _PRINTED if (out / name).exists()]
    if existing and not force:
        raise Refused(
            phrase(
                "“{existing}” exists; give --force to overwrite it, or name another directory.", existing=existing[0]
            )
        )
    out.mkdir(parents=True, exist_ok=True)
    yield out


def _print_heading(text: Text) -> None:
    click.echo(f"\n{text}")


def _found_decks(archive: Archive, game: Game) -> None:
    """Found the decks of the example, as their game's form would."""
    example = wording.read_example(game, "decks.toml")
    if example is None or game.decks.founding is None:
        return
    _print_heading(phrase("Decks are built."))
    lists = [field.name for field in game.decks.founding.fields if field.kind == "list"]
    answers = [
        {**answer, **{name: wording.read_example(game, answer[name]) or "" for name in lists}}
        for answer in tomllib.loads(example)["deck"]
    ]
    for deck in replay.found_decks(archive, game, answers):
        row = archive.find_deck(deck)
        built = phrase("{deck}, by {holder}", deck=row.name, holder=row.holder)
        click.echo(f"  {deck_id.show(deck)}  {built}")


def _play_evening(archive: Archive, game: Game) -> Session:
    """Play the recorded evening line by line into the archive, to its end."""
    _print_heading(phrase("An evening of {game} is played, as recorded in a .table file.", game=game.title))
    recorded = _with_decks(archive, game, wording.read_example(game, _EVENING) or "")
    replay = Replay(recorded, shelf=archive_journal.ArchiveShelf(archive))
    for sentence in _turning_points(replay):
        click.echo(f"  {sentence}")
    session = archive_journal.resume(archive, archive_journal.keep(archive, replay.session, "Demo"))
    view = session.view()
    outcome = outcome_title(view) if view.winners or view.outcome else phrase("open")
    result = phrase("Outcome: {outcome}.", outcome=outcome)
    click.echo(f"  {result}")
    for seat in view.seats:
        click.echo(f"  {_describe_standing(seat)}")
    return session


def _with_decks(archive: Archive, game: Game, evening: str) -> str:
    """Return the evening with decks added to the seats of their holders; lines that such a deck sets by itself are left
    out.
    """
    notation = Notation(game.actions)
    rows_by_holder = {row.holder: row for row in archive.decks()}
    own_lines: set[tuple[str, ...]] = set()
    played = []
    for line in evening.splitlines():
        action = notation.parse(line) if line.startswith("seat ") else None
        if isinstance(action, Seat) and not action.deck and (row := rows_by_holder.get(action.name)):
            line = notation.format(msgspec.structs.replace(action, deck=row.name))
            own = game.setup_lines(action.seat, archive.record(row.deck))
            own_lines |= {(each.verb(), action.seat) for each in own if not isinstance(each, Seat)}
        if tuple(line.split()[:2]) not in own_lines:
            played.append(line)
    return "\n".join(played)


def _turning_points(replay: Replay) -> Iterator[str]:
    """Yield the sentences for the whole table, and those for seats whose big figures have just changed."""
    before = _big_figures(replay.session.view())
    for line in replay:
        after = _big_figures(replay.session.view())
        yield from (
            str(tell.text) for tell in line.tells if after.get(tell.seat) != before.get(tell.seat) or not tell.seat
        )
        before = after


def _big_figures(view: TableView) -> dict[str, list[Value]]:
    """Return the big figures by seat."""
    return {seat.seat: [counter.value for counter in seat.counters if counter.big] for seat in view.seats}


def _describe_standing(seat: SeatView) -> str:
    """Return a seat's figures: `Ana (Grave Choir): HP 12, …`."""
    name = f"{seat.name} ({seat.title})" if seat.title else seat.name
    figures = (f"{counter.title or counter.name} {counter.figure}" for counter in seat.counters if counter.is_visible)
    return f"{name}: {', '.join(figures)}"


def _print(run: Sequence[Label], title: Text, path: Path) -> bytes:
    document = impose(run, find_stock(_STOCK), Setup(str(title))).document()
    path.write_bytes(document)
    count = phrases("{file}: {n} label", "{file}: {n} labels", n=len(run), file=path.name)
    click.echo(f"  {count}")
    return document


def _print_starter(game: Game, directory: Path) -> None:
    labels = starter_labels(game)
    if labels:
        _print_heading(phrase("Sheets for {stock} are printed.", stock=_STOCK))
        _print(labels, phrase("{game}: starter sheet", game=game.title), directory / "starter.pdf")


def _print_decks(archive: Archive, game: Game, directory: Path) -> None:
    """Print the labels of decks built from lists; other decks get theirs from evenings."""
    rows = archive.decks() if game.decks.deck_list is not None else ()
    labels = [label for row in rows for label in card_labels(archive.record(row.deck))]
    if labels:
        _print(labels, phrase("{game}: labels of decks", game=game.title), directory / "decks.pdf")


def _print_tonight(archive: Archive, session: Session, directory: Path) -> None:
    """Print the labels that the evening calls for, and the chores."""
    decks_due = due_labels(archive, deck_records.sealed_marks(archive, session.id))
    labels = [label for deck in decks_due for label in deck.labels]
    if labels:
        _print(labels, phrase("Tonight's labels"), directory / "tonight.pdf")
    for deck in decks_due:
        for chore in deck_records.chores(archive, deck.row.deck, session.id):
            click.echo(f"    {deck.row.name}: {chore.text}")


def _print_boxes(archive: Archive, directory: Path) -> Path:
    """Print the box labels, and return a picture of their sheet, as a camera would take it."""
    document = _print(box_labels(archive.decks()), phrase("Box labels"), directory / "boxes.pdf")
    picture = directory / "boxes.png"
    next(proof.page_pictures(document, _SCAN_DPI)).save(picture, format="PNG")
    return picture


def _scan_picture(archive: Archive, picture: Path) -> DeckRow:
    """Read every code of the picture, and return the deck of the first. Raises Refused if one is missing."""
    _print_heading(phrase("The sheet is scanned at {scan_dpi} dpi.", scan_dpi=_SCAN_DPI))
    rows = [archive.find_deck(code.deck) for code in read(picture) if code.deck is not None]
    for row in rows:
        sentence = phrase(
            "{id} opens {deck}, held by {holder}", id=deck_id.show(row.deck), deck=row.name, holder=row.holder
        )
        click.echo(f"  {sentence}")
    missing = {row.name for row in archive.decks()} - {row.name for row in rows}
    if missing:
        raise Refused(
            phrase(
                "The codes of {missing} could not be read from {picture}.",
                missing=listed(sorted(missing)),
                picture=picture.name,
            )
        )
    return rows[0]
