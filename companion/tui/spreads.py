"""A photograph of a spread deck without a box's code: its labels name the deck. For screens and commands alike."""

from __future__ import annotations

from pathlib import Path

from companion.archive import Archive, deck_id
from companion.printing import label_audit
from companion.scan import Code, CodeKind
from companion.scan.codes import CodeMatch, parse_printed
from companion.scan.spread import read_labels


def name_deck(archive: Archive, picture: Path, code: Code) -> tuple[CodeMatch, ...]:
    """What labels in a picture lead to in which there is no box's `code`: the decks that they agree to be, or why they
    lead to none. Raises PictureError.
    """
    spread = read_labels(picture, name=code.source)
    rows = label_audit.find_decks(archive, [spread.numbers]) if spread.labels else ()
    if rows:
        return tuple(CodeMatch(parse_printed(deck_id.payload(row.deck), code.source), row) for row in rows)
    if not spread.labels:
        return (CodeMatch(code, problem=code.problem or ""),)
    count = len(spread.labels)
    labels = "One label with a code" if count == 1 else f"{count} labels with codes"
    return (
        CodeMatch(
            code,
            problem=f"{labels}, and no deck here bears {'it' if count == 1 else 'them'}; companion deck audit DECK "
            "--photo says what they are to a deck.",
        ),
    )


def is_without_codes(codes: tuple[Code, ...]) -> bool:
    """Whether a picture has no code of a box at all, so that it may be one of a spread deck."""
    return all(code.kind is CodeKind.NOTHING for code in codes)
