"""Printed matter of a game, of decks and of a session, each as one job: labels, record sheets, table aids."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.archive import ArchiveError, deck_id, deck_records
from companion.archive.exchange import passport
from companion.games import registry
from companion.printing import wording
from companion.printing.label_codes import DeckLabels, number_loose
from companion.printing.label_languages import OF_PROGRAM, LabelLanguages, find_languages
from companion.printing.wording import draw_labels, load_wording
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.paper import (
    DatedMark,
    LabelText,
    Printable,
    PrintedMatter,
    RecordSheet,
    SheetTable,
    TableAid,
)
from companion.tabletop.records import Mark, Record, effective
from labels.designs import BoxLabel, CountLabel
from labels.drawing.languages import ENGLISH
from labels.drawing.null_ink import NullInk
from labels.errors import LabelError
from labels.output.page import Document, PageTable, TableColumn, without_unprintable
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from templates.languages.alphabets import alphabetical_key
from templates.languages.dates import numeric_date
from templates.languages.messages import (
    Finished,
    Language,
    Message,
    Text,
    all_of,
    current_language,
    declared,
    joined,
    partition_subject,
    phrase,
    render_value,
)

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow, SessionRow
    from companion.tabletop.game import Game


SAMPLE_CODE = (deck_id.show("0" * 13), deck_id.payload("0" * 13))
"""A sample id in print and as a code, for a label of a deck that does not exist yet."""


class DueLabels(NamedTuple):
    """The labels due on one deck after an evening: for its cards, and for its box if its figure changed."""

    row: DeckRow
    cards: tuple[Label, ...]
    box: tuple[Label, ...]

    @property
    def labels(self) -> tuple[Label, ...]:
        """All labels of the deck."""
        return (*self.cards, *self.box)


def paper_of(record: Record) -> tuple[Game, PrintedMatter]:
    """Return the game of a deck and its printed matter. Raises LabelError if there is none."""
    game = registry.game(record.game, record.page)
    if game.paper is None:
        titles = all_of(other.title for other in registry.games_with_decks() if other.paper)
        raise LabelError(
            phrase(
                "{deck} is a deck of {game}; labels for cards are known for {games} only.",
                deck=record.name,
                game=record.game,
                games=titles,
            )
        )
    return game, game.paper


def card_labels(record: Record, codes: DeckLabels | None = None) -> tuple[Label, ...]:
    """Return all labels that a deck's cards bear today, with or without their `codes`.

    Raises LabelError for a deck of a game that prints none.
    """
    game, paper = paper_of(record)
    return _draw(paper.current_labels(record, load_wording(game)), codes, record.name)


def new_card_labels(record: Record, marks: Sequence[Mark], codes: DeckLabels | None = None) -> tuple[Label, ...]:
    """Return the labels that came with a deck's present list, from all its marks, or none if it has had only one list.

    Raises LabelError as `card_labels` does.
    """
    game, paper = paper_of(record)
    if game.decks.keeping is None or not game.decks.keeping.lists(marks):
        return ()
    return _draw(paper.new_labels(marks, load_wording(game)), codes, record.name)


def due_labels(
    archive: Archive,
    marks: Mapping[str, tuple[Mark, ...]],
    language: Language | None = None,
    *,
    with_codes: bool = False,
) -> tuple[DueLabels, ...]:
    """Return the labels that the marks of a sealed game call for, by deck, in the languages of their owners.

    `language` replaces these if it is given.
    """
    rows = {deck: archive.find_deck(deck) for deck in marks}
    languages = find_languages(archive, [*rows.values()], language)
    due = []
    for deck, row in rows.items():
        with languages.speak(row.deck):
            due.append(_due_on_deck(row, marks[deck], deck_labels(archive, deck) if with_codes else None))
    return tuple(due)


def _due_on_deck(row: DeckRow, marks: tuple[Mark, ...], codes: DeckLabels | None) -> DueLabels:
    game = registry.game(row.game, row.page)
    paper = game.paper or PrintedMatter()
    cards = _draw(paper.new_labels(marks, load_wording(game)), codes, row.name)
    if paper.names_box(marks):
        return DueLabels(row, cards, (box_label(row),))
    return DueLabels(row, cards, (count_label(row),) if paper.outdates_box(marks) else ())


def deck_labels(archive: Archive, deck: str) -> DeckLabels:
    """Return the numbered labels of a deck. Raises Unknown."""
    record = archive.record(deck)
    return DeckLabels(deck, registry.game(record.game, record.page), record, archive.marks(deck))


def _draw(texts: Iterable[LabelText], codes: DeckLabels | None, deck: str) -> tuple[Label, ...]:
    """Return the labels of the deck of this name."""
    return draw_labels(_name_deck(text if codes is None else codes.with_code(text), deck) for text in texts)


def _name_deck(text: LabelText, deck: str) -> LabelText:
    """Return the text with its deck's name as the note, for designs that drop a note that does not fit."""
    has_foot = text.design in ("effect", "headed") and not text.note
    return msgspec.structs.replace(text, note=deck) if has_foot else text


def credit(rows: Iterable[DeckRow], languages: LabelLanguages = OF_PROGRAM) -> str:
    """Return the credits for the content on the labels of decks."""
    credits_due = ((registry.game(row.game, row.page).credit, languages.of_deck(row.deck)) for row in rows)
    return " ".join(dict.fromkeys(render_value(text, language) for text, language in credits_due))


def box_labels(
    rows: Iterable[DeckRow], address: str = "", languages: LabelLanguages = OF_PROGRAM
) -> tuple[BoxLabel, ...]:
    """Return a box label for each deck, in order: QR code, name, progress, id.

    The code holds the bare id, or the user's `address` followed by the id.
    """
    return tuple(box_label(row, address, languages) for row in rows)


def box_label(row: DeckRow, address: str = "", languages: LabelLanguages = OF_PROGRAM) -> BoxLabel:
    """Return a deck's box label."""
    with languages.speak(row.deck):
        note = str(_paper_of_game(row).box_note(row.figures, row.retired))
    return BoxLabel(row.name, deck_id.show(row.deck), deck_id.payload(row.deck, address), (note,) if note else ())


def _paper_of_game(row: DeckRow) -> PrintedMatter:
    """Return the printed matter of a deck's game, or the default if the game can no longer be loaded."""
    try:
        return registry.game(row.game, row.page).paper or PrintedMatter()
    except NotationError:
        return PrintedMatter()


def count_label(row: DeckRow, address: str = "", languages: LabelLanguages = OF_PROGRAM) -> CountLabel | BoxLabel:
    """Return the label that updates a deck's box: a large figure, or a whole label if one figure is not enough.

    Raises LabelError for a deck without figures.
    """
    if not row.figures:
        raise LabelError(
            phrase(
                "{deck} is a deck of {game}, which counts nothing that a box could show.", deck=row.name, game=row.game
            )
        )
    figure = _paper_of_game(row).box_figure(row.figures)
    if figure is None:
        return box_label(row, address, languages)
    code = deck_id.payload(row.deck, address)
    with languages.speak(row.deck):
        caption = str(figure.caption)
    return CountLabel(row.name, caption, figure.value, deck_id.show(row.deck), code)


def record_document(
    deck: str, record: Record, marks: Sequence[Mark], dates: Mapping[int, datetime], passport: str = ""
) -> Document:
    """Return the record sheet of a deck, from its record, its marks, and the marks' dates by number.

    Its code is the deck's `passport`, or without one just its id. Raises LabelError for a deck of a game that prints
    none.
    """
    game, _ = paper_of(record)
    record_sheet = record_contents(record, marks, dates)
    return Document(
        title=record.name,
        subtitle=str(record_sheet.subtitle),
        parts=tuple(map(_to_page_table, record_sheet.tables)),
        facts=tuple((str(name), value) for name, value in record_sheet.facts),
        code=(passport or deck_id.payload(deck), deck_id.show(deck)),
        credit=str(game.credit),
    )


def record_contents(record: Record, marks: Sequence[Mark], dates: Mapping[int, datetime]) -> RecordSheet:
    """Return the contents of a record sheet, independent of paper. Raises LabelError as `record_document` does."""
    game, paper = paper_of(record)
    story = game.decks.story(tuple(marks))
    dated = [DatedMark(mark, str(numeric_date(dates[number])), story[number - 1]) for number, mark in effective(marks)]
    return paper.sheet(record, dated, load_wording(game))


def _to_page_table(table: SheetTable) -> PageTable:
    columns = tuple(TableColumn(str(column.title), column.share, column.bold) for column in table.columns)
    return PageTable(str(table.title), columns, tuple(tuple(map(str, row)) for row in table.rows), table.blanks)


def record_text(deck: str, record: Record, marks: Sequence[Mark], dates: Mapping[int, datetime]) -> str:
    """Return the record sheet as text, one fact a line. Raises LabelError for a deck of a game that has none."""
    game, _ = paper_of(record)
    record_sheet = record_contents(record, marks, dates)
    lines = [record.name, f"{game.title} · {deck_id.show(deck)}", str(record_sheet.subtitle)]
    lines += [f"{Finished(name, begins=True, ends=False)}: {value}" for name, value in record_sheet.facts]
    for table in record_sheet.tables:
        lines += _table_lines(table)
    return "\n".join(lines)


def _table_lines(table: SheetTable) -> Iterator[str]:
    """Yield a table as a list, or nothing if it has no rows."""
    if table.rows:
        yield ""
        yield str(table.title)
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        texts = (_cell_text(column.title, str(cell), named=column.bold) for column, cell in cells if cell)
        yield f"- {' · '.join(texts)}"


def _cell_text(title: Text, cell: str, *, named: bool) -> str:
    """Return a cell alone if it identifies the row, else with its column's title."""
    return cell if named else f"{partition_subject(title)[0]} {cell}"


class _Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    rows: tuple[tuple[str, str], ...]


class _Aid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    subtitle: str
    tables: tuple[_Panel, ...]


def game_with_aid(name: str | None) -> Printable:
    """Return the game of this name, or the first that has a table aid. Raises LabelError or NotationError."""
    return wording.choose_game(name, has_aid, wording.MISSING_AID)


def has_aid(game: Printable) -> bool:
    """Return True if a game has a table aid."""
    return _own_aid(game) is not None or _aid_file(game) is not None


def aid_document(game: Printable) -> Document:
    """Return a game's table aid: the answers to frequent questions during play."""
    if own := _own_aid(game):
        return _aid_page(own, game)
    return _aid_page(_to_aid(msgspec.convert(_aid_file(game), _Aid)), game)


def _to_aid(read: _Aid) -> TableAid:
    """Convert the content of a file."""
    tables = (
        (declared(panel.title), tuple((declared(what), declared(how)) for what, how in panel.rows))
        for panel in read.tables
    )
    return TableAid(declared(read.title), declared(read.subtitle), tuple(tables))


def _aid_page(aid: TableAid, game: Printable) -> Document:
    parts = tuple(_panel_table(title, rows) for title, rows in aid.tables)
    return Document(str(aid.title), str(aid.subtitle), parts, columns=2, credit=str(game.credit))


def _own_aid(game: Printable) -> TableAid | None:
    """Return the table aid that a game defines in code, or None."""
    aid = game.paper.aid() if game.paper else None
    return aid if aid and aid.tables else None


def _aid_file(game: Printable) -> dict[str, Any] | None:
    return wording.read_toml(game.data, "aids", f"{game.name}.toml")


def _panel_table(title: Text, rows: Iterable[tuple[Text, Text]]) -> PageTable:
    columns = (TableColumn("", 0, bold=True), TableColumn("", 1))
    return PageTable(str(title), columns, tuple((str(what), str(how)) for what, how in rows))


class Job(msgspec.Struct, frozen=True):
    """Labels in the order in which they fill sheets, or a document for plain paper.

    `credit` names the author of the words, and `language` is their BCP 47 tag. `spoken` are the languages of words that
    come from the program, each once; the first one is that of `language`. `notices` are sentences about where to stick
    what. `wanted` has the required positions of labels, 0 for none, if there are any. With `two_sided` some labels have
    a back. If the job `is_lenient`, unprintable labels are left out, with the reasons in `left_out`.
    """

    title: Text
    labels: Sequence[Label] = ()
    document: Document | None = None
    credit: str = ""
    language: str = ENGLISH
    spoken: tuple[Language, ...] = ()
    notices: tuple[Text, ...] = ()
    wanted: Sequence[int] = ()
    is_lenient: bool = False
    left_out: tuple[Text, ...] = ()
    two_sided: bool = False

    @property
    def heading(self) -> str:
        """The title in the language of the words."""
        return render_value(self.title, self.spoken[0]) if self.spoken else str(self.title)


def add_languages(job: Job, spoken: Sequence[Language] = ()) -> Job:
    """Return the job with the languages of its words; without any it is the current one."""
    spoken = tuple(spoken) or (current_language(),)
    return msgspec.structs.replace(job, spoken=spoken, language=spoken[0].code)


def starter_job(game: Printable, *, with_codes: bool = False) -> Job:
    """Return the labels that every player of a game needs once, in the order of its rulebook."""
    texts = wording.starter_texts(game)
    if with_codes:
        texts = number_loose(texts, secrets.randbelow)
    title = phrase("{game} starter sheet", game=game.title)
    return add_languages(Job(title, draw_labels(texts), credit=str(game.credit), is_lenient=True))


def cards_job(
    archive: Archive,
    rows: Sequence[DeckRow],
    language: Language | None = None,
    *,
    only_new: bool = False,
    with_codes: bool = False,
) -> Job:
    """Return all labels that decks bear today, or only those of their present list. A bad label affects no other.

    Each is in `language`, else in that of its deck's owner. Raises LabelError for a deck of a game that prints none.
    """
    labels: list[Label] = []
    languages = find_languages(archive, rows, language)
    for row in rows:
        record, codes = archive.record(row.deck), deck_labels(archive, row.deck) if with_codes else None
        with languages.speak(row.deck):
            if only_new:
                labels += new_card_labels(record, archive.marks(row.deck), codes)
            else:
                labels += card_labels(record, codes)
    job = Job(phrase("Labels of decks"), tuple(labels), credit=credit(rows, languages), is_lenient=True)
    return add_languages(job, languages.in_order(row.deck for row in rows))


def spots_job(
    archive: Archive,
    row: DeckRow,
    spots: Sequence[str],
    language: Language | None = None,
    *,
    with_codes: bool = False,
) -> Job:
    """Return labels of single cards, by their spots as people write them: `5C sharp`. `language` is as in `cards_job`.

    Raises NotationError for an invalid spot, LabelError if there is no label on a spot, or if a deck's labels have no
    spots.
    """
    labels = deck_labels(archive, row.deck)
    borne = {text.spot: text for text in labels.borne() if text.spot}
    if not borne:
        raise LabelError(
            phrase("The labels of {deck} are told apart by no cards; print them without --only.", deck=row.name)
        )
    wanted = [deck_records.read_marks(archive, row.deck).keeping.read_spot(spot) for spot in spots]
    if absent := [spot for spot, written in zip(spots, wanted, strict=True) if written not in borne]:
        raise LabelError(
            phrase(
                "{deck} has no label “{spot}”; companion deck picking tells what is on its cards.",
                deck=row.name,
                spot=absent[0],
            )
        )
    texts = [borne[spot] if with_codes else msgspec.structs.replace(borne[spot], code="") for spot in wanted]
    languages = find_languages(archive, [row], language)
    with languages.speak(row.deck):
        labels_drawn = draw_labels(_name_deck(text, row.name) for text in texts)
    job = Job(phrase("Labels of decks"), labels_drawn, credit=credit([row], languages))
    return add_languages(job, languages.in_order([row.deck]))


def boxes_job(rows: Sequence[DeckRow], address: str = "", languages: LabelLanguages = OF_PROGRAM) -> Job:
    """Return labels for boxes, with a QR code of the bare id, or of the user's address followed by the id."""
    return _boxes(rows, box_labels(rows, address, languages), languages)


def counts_job(rows: Sequence[DeckRow], address: str = "", languages: LabelLanguages = OF_PROGRAM) -> Job:
    """Return labels that update boxes. Raises LabelError for a deck without figures."""
    return _boxes(rows, tuple(count_label(row, address, languages) for row in rows), languages)


def _boxes(rows: Sequence[DeckRow], labels: Sequence[Label], languages: LabelLanguages) -> Job:
    return add_languages(Job(phrase("Box labels"), labels), languages.in_order(row.deck for row in rows))


def all_boxes_job(
    rows: Sequence[DeckRow], address: str = "", languages: LabelLanguages = OF_PROGRAM, *, count: bool = False
) -> Job:
    """Return labels for all these boxes by name, or labels that update them. A deck without one is left out."""
    labels, left_out = [], []
    for row in sorted(rows, key=lambda row: alphabetical_key(row.name)):
        try:
            labels.append(count_label(row, address, languages) if count else box_label(row, address, languages))
        except LabelError as error:
            left_out.append(error.message)
    return msgspec.structs.replace(_boxes(rows, tuple(labels), languages), is_lenient=True, left_out=tuple(left_out))


def drop_refused(job: Job, stock: Stock) -> Job:
    """Return a lenient job without the labels that cannot be printed on a stock, and with the reasons."""
    wrong = dict(_refusals(dict.fromkeys(job.labels), stock))
    labels = tuple(label for label in job.labels if label not in wrong)
    return msgspec.structs.replace(job, labels=labels, left_out=(*job.left_out, *wrong.values()))


def _refusals(labels: Iterable[Label], stock: Stock) -> Iterator[tuple[Label, Message]]:
    """Yield the labels that cannot be printed, each with the reason."""
    ink, die = NullInk(), stock.room(1)
    for label in labels:
        try:
            label.draw(ink, die)
        except LabelError as error:
            yield label, error.message


def starter_refusals(game: Printable, stock: Stock) -> tuple[tuple[str, Text], ...]:
    """Return the titles of a starter sheet's labels that cannot be printed on a stock, each with the reason."""
    labels = dict.fromkeys(wording.starter_labels(game))
    return tuple((label.title, reason) for label, reason in _refusals(labels, stock))


def name_refusal(name: str, stock: Stock) -> Text:
    """Return the reason that a deck of this name gets no box label on a stock, or "" if it gets one."""
    return _refusal(BoxLabel(name, *SAMPLE_CODE), stock)


def note_refusal(name: str, note: str, stock: Stock) -> Text:
    """Return the reason that a box label has this note only in short on a stock, or "" if it has all of it."""
    return _refusal(BoxLabel(name, *SAMPLE_CODE, (note,), shortens=False), stock)


def _refusal(label: Label, stock: Stock) -> Text:
    return next((reason for _, reason in _refusals([label], stock)), "")


def session_job(
    archive: Archive, session: str | None = None, language: Language | None = None, *, with_codes: bool = False
) -> Job:
    """Return the labels due after a sealed session, or after the session sealed last if none is named.

    `language` is as in `cards_job`. Raises LabelError if it is not sealed, or called for no label, and Unknown.
    """
    row = _find_sealed(archive, session)
    due = due_labels(archive, deck_records.sealed_marks(archive, row.session), language, with_codes=with_codes)
    labels = tuple(label for deck in due for label in deck.labels)
    if not labels:
        raise LabelError(
            phrase("Session {session} wrote and earned nothing that needs a label.", session=str(row.session))
        )
    notices = tuple(sentence for deck in due for sentence in _due_sentences(deck))
    with_labels = [deck.row for deck in due if deck.labels]
    languages = find_languages(archive, with_labels, language)
    credits_due = credit((deck.row for deck in due if deck.cards), languages)
    job = Job(phrase("Tonight's labels"), labels, credit=credits_due, notices=notices)
    return add_languages(job, languages.in_order(row.deck for row in with_labels))


def _due_sentences(deck: DueLabels) -> Iterator[Message]:
    """Yield sentences that say which label to stick where."""
    for label in deck.cards:
        yield phrase(
            "{deck}: {label} on {card}", deck=deck.row.name, label=label.title, card=getattr(label, "card", "")
        )
    for label in deck.box:
        notes = joined(" · ", getattr(label, "notes", ())) or _title_of_count(label)
        yield phrase("{deck}: {label} on its box", deck=deck.row.name, label=notes)


def _title_of_count(label: Label) -> Text:
    """Return what a label shows that updates a box."""
    return joined(" ", (label.word, label.figure)) if isinstance(label, CountLabel) else label.title


def _find_sealed(archive: Archive, session: str | None) -> SessionRow:
    if session is not None:
        row = archive.find_session(session)
        if not row.is_closed:
            raise LabelError(
                phrase(
                    "Session {session} is not sealed yet; its labels are known when it is.", session=str(row.session)
                )
            )
        return row
    last = next((row for row in archive.sessions() if row.sealed), None)
    if last is None:
        raise LabelError(phrase("No session has been sealed yet; its labels are known when one is."))
    return last


def record_job(archive: Archive, row: DeckRow, language: Language | None = None) -> Job:
    """Return a deck's record sheet, to lie in its box, without unprintable characters.

    `language` is as in `cards_job`. Raises LabelError for a deck of a game that prints none.
    """
    record = archive.record(row.deck)
    paper_of(record)
    dates = {entry.number: entry.at for entry in archive.story(row.deck)}
    languages = find_languages(archive, [row], language)
    with languages.speak(row.deck):
        document = record_document(row.deck, record, archive.marks(row.deck), dates, _passport_text(archive, row.deck))
    document, wrong = without_unprintable(document)
    job = Job(document.title, document=document, credit=document.credit, left_out=wrong)
    return add_languages(job, languages.in_order([row.deck]))


def _passport_text(archive: Archive, deck: str) -> str:
    """Return the passport by which another archive can adopt the deck, or "" if there is none or it exceeds a code."""
    try:
        return passport.write(archive, deck)
    except (ArchiveError, RuleError):
        return ""


def aid_job(game: Printable) -> Job:
    """Return a game's table aid: the answers to frequent questions during play."""
    document = aid_document(game)
    return add_languages(Job(document.title, document=document, credit=document.credit))
