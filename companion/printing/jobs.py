"""What there is to print of a game, of decks and of an evening: each as one job, table aids included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from companion.printing import decks, wording
from companion.tabletop.paper import Printable
from labels.alike import DryInk
from labels.designs import BoxLabel
from labels.errors import LabelError
from labels.page import Column, Document, PageTable
from labels.sheet import Label
from labels.stocks import Stock

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow, SessionRow


class _Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    share: Annotated[float, msgspec.Meta(gt=0)]
    """How wide the first column is, beside 4 for the second."""
    rows: tuple[tuple[str, str], ...]


class _Aid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    subtitle: str
    tables: tuple[_Panel, ...]


def with_aid(name: str | None) -> Printable:
    """The game of this name, or the first that has a table aid. Raises LabelError, NotationError."""
    return wording.chosen(name, has, "table aid")


def has(game: Printable) -> bool:
    """Whether a game has a table aid."""
    return _file(game) is not None


def aid_document(game: Printable) -> Document:
    """A game's table aid: what everybody asks while it is played."""
    read = msgspec.convert(_file(game), _Aid)
    return Document(read.title, read.subtitle, tuple(map(_table, read.tables)), columns=2, credit=game.credit)


def _file(game: Printable) -> dict[str, Any] | None:
    return wording.toml(game.data, "aids", f"{game.name}.toml")


def _table(panel: _Panel) -> PageTable:
    return PageTable(panel.title, (Column("", panel.share, bold=True), Column("", 4)), panel.rows)


class Job(msgspec.Struct, frozen=True):
    """Labels in the order in which they fill sheets, or a document for plain paper.

    `credit` is whose words are on it, `told` says what goes where, a sentence each; `wanted` are the positions of
    labels that must go to a certain one, 0 for the others, where any must. Where it `is_lenient`, each label stands for
    itself: what cannot be printed is left out, and `left_out` says why.
    """

    title: str
    labels: Sequence[Label] = ()
    document: Document | None = None
    credit: str = ""
    notices: tuple[str, ...] = ()
    wanted: Sequence[int] = ()
    is_lenient: bool = False
    left_out: tuple[str, ...] = ()


def starter(game: Printable) -> Job:
    """The labels that everybody who plays a game needs once, in the order of its rulebook."""
    return Job(f"{game.title} starter sheet", wording.starter(game), credit=game.credit)


def borne(archive: Archive, rows: Sequence[DeckRow], *, only_new: bool = False) -> Job:
    """All labels that decks bear today, or only those that came with their present list; one stops no other.

    Raises LabelError for a deck of a game that prints none.
    """
    decks_and_marks = [(archive.record(row.deck), archive.marks(row.deck)) for row in rows]
    labels_by_deck = (
        decks.newest(record, marks) if only_new else decks.borne(record) for record, marks in decks_and_marks
    )
    credit = decks.credit(row.game for row in rows)
    labels = tuple(label for labels in labels_by_deck for label in labels)
    return Job("Labels of decks", labels, credit=credit, is_lenient=True)


def boxes(rows: Sequence[DeckRow], address: str = "") -> Job:
    """Labels for boxes, with QR code: the bare id, or behind an address of one's own."""
    return Job("Box labels", decks.boxes(rows, address))


def counts(rows: Sequence[DeckRow], address: str = "") -> Job:
    """Labels that bring boxes up to date. Raises LabelError for a deck without figures."""
    return Job("Box labels", tuple(decks.count(row, address) for row in rows))


def every_box(rows: Sequence[DeckRow], address: str = "", *, count: bool = False) -> Job:
    """Labels for all these boxes, or those that bring them up to date; a deck that has none stops no other."""
    labels, left_out = [], []
    for row in rows:
        try:
            labels.append(decks.count(row, address) if count else decks.box(row, address))
        except LabelError as error:
            left_out.append(str(error))
    return Job("Box labels", tuple(labels), is_lenient=True, left_out=tuple(left_out))


def sifted(job: Job, stock: Stock) -> Job:
    """A lenient job without the labels that cannot be printed on a stock, and why not."""
    wrong = dict(_refused(dict.fromkeys(job.labels), stock))
    labels = tuple(label for label in job.labels if label not in wrong)
    return msgspec.structs.replace(job, labels=labels, left_out=(*job.left_out, *wrong.values()))


def _refused(labels: Iterable[Label], stock: Stock) -> Iterator[tuple[Label, str]]:
    """The labels that cannot be printed, each with the reason."""
    ink, die = DryInk(), stock.room(1)
    for label in labels:
        try:
            label.draw(ink, die)
        except LabelError as error:
            yield label, str(error)


def name_refused(name: str, stock: Stock) -> str:
    """Why a deck of this name would get no box label on a stock; "" where it would."""
    return next((reason for _, reason in _refused([BoxLabel(name, *decks.SAMPLE_CODE)], stock)), "")


def tonight(archive: Archive, session: str | None = None) -> Job:
    """What a sealed session wrote on cards and earned for boxes; where none is named, the session sealed last.

    Raises LabelError where it is not sealed, or called for no label; Unknown.
    """
    from companion.archive import shelf

    row = _sealed(archive, session)
    due = decks.evening(archive, shelf.sealed_marks(archive, row.session))
    labels = tuple(label for deck in due for label in deck.labels)
    if not labels:
        raise LabelError(f"Session {row.session} wrote and earned nothing that needs a label.")
    notices = tuple(sentence for deck in due for sentence in _due(deck))
    return Job(
        "Tonight's labels", labels, credit=decks.credit(deck.row.game for deck in due if deck.cards), notices=notices
    )


def _due(deck: decks.DueLabels) -> Iterator[str]:
    """What has to be stuck where."""
    for label in deck.cards:
        yield f"{deck.row.name}: {label.title} on {getattr(label, 'card', '')}"
    for label in deck.box:
        yield f"{deck.row.name}: {' · '.join(getattr(label, 'notes', ())) or label.title} on its box"


def _sealed(archive: Archive, session: str | None) -> SessionRow:
    if session is not None:
        row = archive.find_session(session)
        if not row.sealed:
            raise LabelError(f"Session {row.session} is not sealed yet; its labels are known when it is.")
        return row
    last = next((row for row in archive.sessions() if row.sealed), None)
    if last is None:
        raise LabelError("No session has been sealed yet; its labels are known when one is.")
    return last


def record_sheet(archive: Archive, row: DeckRow) -> Job:
    """A deck's record sheet, to lie in its box. Raises LabelError for a deck of a game that prints none."""
    record = archive.record(row.deck)
    decks.paper_of(record)
    dates = {entry.number: entry.at for entry in archive.story(row.deck)}
    document = decks.sheet(row.deck, record, archive.marks(row.deck), dates, _passport(archive, row.deck))
    return Job(document.title, document=document, credit=document.credit)


def _passport(archive: Archive, deck: str) -> str:
    """What another home can adopt the deck from; "" where it has none, or more is written on it than a code holds."""
    from companion.archive import ArchiveError, passport
    from companion.tabletop.action import RuleError

    try:
        return passport.write(archive, deck)
    except (ArchiveError, RuleError):
        return ""


def aid_job(game: Printable) -> Job:
    """A game's table aid: what everybody asks while it is played."""
    document = aid_document(game)
    return Job(document.title, document=document, credit=document.credit)
