"""`companion deck audit`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from companion.archive import DeckRow, deck_id, deck_records
from companion.archive.storage import files
from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    force_option,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_or_write,
    read_text,
    sanitize,
)
from companion.cli.decks import print_due
from companion.cli.photographs import audit_photographs
from companion.tabletop.records import Reason
from templates.languages.messages import phrase


@click.command("audit")
@click.argument("deck")
@click.argument("more_photos", nargs=-1, type=click.Path(path_type=Path), metavar="")
@click.option(
    "--questions", is_flag=True, help="Print what the box should contain, to edit and pass back as --answers."
)
@click.option(
    "--answers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Edited file with the actual contents of the box.",
)
@click.option(
    "--photo",
    "photos",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="PICTURE…",
    help="Photographs of the deck, whose labels must have codes.",
)
@click.option(
    "--take",
    "takes",
    metavar="N|all",
    multiple=True,
    help="Record a finding from the photographs, by its number, or all of them.",
)
@output_option("File to write: the questions or, with --photo, a .png picture with each label framed and named.")
@click.option("--reason", help="Reason for the deck's history; default: the box was checked.")
@click.option("--by", default="", help="Who checked the box.")
@archive_option
@force_option
@json_option
def command(
    deck: str,
    more_photos: Sequence[Path],
    questions: bool,
    answers: Path | None,
    photos: Sequence[Path],
    takes: Sequence[str],
    out: Path | None,
    reason: str | None,
    by: str,
    archive: str | None,
    force: bool,
    as_json: bool,
) -> int:
    """Go through the box card by card, and correct the record where it differs.

    On a terminal, this asks about each card: press Enter or y if the record is right and n if nothing is there, or type
    what is there instead. Then it asks for anything else. Without a terminal, print --questions, edit what differs, and
    pass the file as --answers.

    With --photo, the codes on the labels are read: spread the cards so that each left edge is visible, and take one or
    more pictures. Nothing is recorded without confirmation. Exits with status 1 if deck and record differ.

    \b
    Examples: companion deck audit "Grave Choir"
              companion deck audit "Grave Choir" --questions -o box.txt
              companion deck audit "Grave Choir" --answers box.txt
              companion deck audit "Grave Choir" --photo spread.jpg -o framed.png
    """
    if photos:
        if questions or answers or reason:
            raise Misused(phrase("A photograph needs no questions: give --photo alone."))
        return _audit_photos(deck, (*photos, *more_photos), takes, out, by, archive, force=force, as_json=as_json)
    if more_photos or takes:
        raise Misused(phrase("Pictures of a deck are named behind --photo, and --take is for what follows from them."))
    if out is not None and not questions:
        raise Misused(phrase("Questions alone are written into a file; give --questions beside -o."))
    return _audit_box(deck, questions, answers, out, reason, by, archive, force=force, as_json=as_json)


def _audit_photos(
    deck: str,
    photos: Sequence[Path],
    takes: Sequence[str],
    out: Path | None,
    by: str,
    archive: str | None,
    *,
    force: bool,
    as_json: bool,
) -> int:
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        return audit_photographs(opened, row, photos, takes, out, by, force=force, as_json=as_json)


def _audit_box(
    deck: str,
    questions: bool,
    answers: Path | None,
    out: Path | None,
    reason: str | None,
    by: str,
    archive: str | None,
    *,
    force: bool,
    as_json: bool,
) -> int:
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        shelved = deck_records.read_marks(opened, row.deck)
        paper = shelved.keeping.paper(shelved.marks)
        if questions:
            print_or_write(
                _write_questions(row, paper, shelved.keeping.example), out, phrase("questions to answer."), force=force
            )
            return 0
        if answers is not None:
            answers_given = dict(_read_answers(answers, shelved))
        elif sys.stdin.isatty():
            answers_given = dict(_ask_spots(shelved, paper))
        else:
            raise Misused(
                phrase("This is not a terminal to ask on: print --questions, and give them back as --answers.")
            )
        mended = deck_records.mend(opened, row.deck, answers_given, reason or Reason("box-looked-through"), by)
        if as_json:
            print_json({"deck": row.deck, "asked": len(answers_given), "mended": mended})
            return 0
        for text in mended:
            click.echo(sanitize(text))
        if not mended:
            click.echo(phrase("The box and the record agree."))
        print_due(opened, row)
    return 0


_COMMENT_WIDTH: Final = 98
"""The columns of the comments in a file of questions."""


def _write_questions(row: DeckRow, paper: Mapping[str, str], example: str) -> str:
    head = phrase(
        "{deck} ({id}), as its box should look. Change what is otherwise, write no where something is not there, and "
        "add a line where something is there besides: {example}",
        deck=row.name,
        id=deck_id.show(row.deck),
        example=example,
    )
    lines = (
        *(f"# {line}" for line in textwrap.wrap(str(head), _COMMENT_WIDTH)),
        *(f"{spot}: {text}" for spot, text in paper.items()),
    )
    return "".join(f"{sanitize(line)}\n" for line in lines)


def _read_answers(file: Path, shelved: deck_records.MarkedDeck) -> Iterator[tuple[str, str]]:
    """Yield the answer for each spot of a file. Raises Misused with the number of the line."""
    with files.open_input(file) as opened:
        rows = read_text(opened).splitlines()
    for number, row in enumerate(rows, 1):
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        spot, text = _split_spot(row, shelved.keeping.paper(shelved.marks))
        if not spot:
            raise Misused(
                sanitize(
                    phrase(
                        "{file}:{number}: write what stands where, as in `{example}`, not “{strip}”.",
                        file=file,
                        number=str(number),
                        example=shelved.keeping.example,
                        strip=row.strip(),
                    )
                )
            )
        try:
            yield shelved.keeping.read_spot(spot), text
        except ValueError as error:
            raise Misused(sanitize(f"{file}:{number}: {error}")) from None


def _split_spot(row: str, paper: Mapping[str, str]) -> tuple[str, str]:
    """Split a row into a spot and its text; the name of a spot may contain a colon.

    Both are "" if there is no colon.
    """
    parts = row.split(":")
    splits = [(":".join(parts[:at]).strip(), ":".join(parts[at:]).strip()) for at in range(1, len(parts))]
    return next((split for split in splits if split[0] in paper), splits[0] if splits else ("", ""))


def _ask_spots(shelved: deck_records.MarkedDeck, paper: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Prompt for the text of each spot, and for further spots."""
    for spot, text in paper.items():
        answer = click.prompt(
            sanitize(str(shelved.keeping.question(spot, text))), default="y", show_default=False
        ).strip()
        yield spot, text if answer.lower() in ("y", "yes") else "" if answer.lower() in ("n", "no") else answer
    question = phrase("Anything else, as {example}?", example=shelved.keeping.example)
    while more := click.prompt(str(question), default="", show_default=False).strip():
        spot, text = _split_spot(more, paper)
        try:
            yield shelved.keeping.read_spot(spot or more), text or "yes"
        except ValueError as error:
            click.echo(sanitize(str(error)), err=True)
