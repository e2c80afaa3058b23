"""Photographs of cards whose labels have codes: a spread deck, which they identify, and the cards on a table."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from companion.archive import Archive, deck_id
from companion.printing import label_audit
from companion.scan import Code, CodeKind
from companion.scan.codes import CodeMatch, parse_printed
from companion.scan.spread import read_labels
from companion.session.core.session import Session
from companion.session.reading.seen_cards import answer_by_labels, brought_decks, describe_seen
from templates.languages.messages import joined, phrases


def name_deck(archive: Archive, picture: Path, code: Code) -> tuple[CodeMatch, ...]:
    """Return the decks that the labels in a picture without a box's `code` agree on, or the reason why there are none.

    Raises PictureError.
    """
    spread = read_labels(picture, name=code.source)
    doubt = spread.describe_doubt(picture.name)
    rows = label_audit.find_decks(archive, [spread.numbers]) if spread.labels else ()
    if rows:
        return tuple(CodeMatch(parse_printed(deck_id.payload(row.deck), code.source), row) for row in rows)
    if not spread.labels:
        return (CodeMatch(code, problem=code.problem or ""),)
    unknown = phrases(
        "One label with a code, and no deck here bears it; companion deck audit DECK --photo says what they are to a "
        "deck.",
        "{n} labels with codes, and no deck here bears them; companion deck audit DECK --photo says what they are to a "
        "deck.",
        n=len(spread.labels),
    )
    return (CodeMatch(code, problem=str(joined(" ", filter(None, (unknown, doubt))))),)


def is_without_codes(codes: tuple[Code, ...]) -> bool:
    """Return True if a picture has no code of a box at all, so that it may show a spread deck."""
    return all(code.kind is CodeKind.NOTHING for code in codes)


class SeenLine(NamedTuple):
    """The answer that a photograph of a table's cards gives: a line, "" for none, and a sentence about it."""

    line: str
    sentence: str


def read_table(archive: Archive, session: Session, picture: Path) -> SeenLine:
    """Return the answer that the labels in a photograph of a table's cards give. Raises PictureError, Unknown."""
    spread = read_labels(picture)
    labels = label_audit.find_cards(archive, brought_decks(session), spread.numbers)
    answer = answer_by_labels(session, labels)
    line = ", ".join(map(session.notation.format, answer.actions))
    return SeenLine(line, str(describe_seen(session, labels, answer, len(spread.labels))))
