"""Compares photographs of a deck with its record: the labels in them, and the changes that may follow."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive import Archive, DeckRow, deck_id
from companion.cli.common import REFUSED, Misused, fresh_file, print_json, sanitize
from companion.cli.confirmation import confirm
from companion.printing import label_audit
from companion.scan import PictureError
from companion.scan.spread import draw_labels, read_labels
from companion.tabletop.action import RuleError
from templates.languages.messages import Message, Text, joined, phrase

if TYPE_CHECKING:
    from companion.printing.label_audit import LabelAudit, LabelCorrection, SeenLabel
    from companion.scan.spread import Spread

_NAMED = 60
"""The number of labels of a kind that are listed one by one."""


def audit_photographs(
    archive: Archive,
    row: DeckRow,
    photographs: Sequence[Path],
    takes: Sequence[str],
    out: Path | None,
    by: str,
    *,
    force: bool,
    as_json: bool,
) -> int:
    """Print what photographs show of a deck, and store the proposals that are taken; prompt for them on a terminal.

    Return the command's status. Raises Misused for a file that is no picture, Refused.
    """
    spreads = [*read_photographs(photographs)]
    numbers = [spread.numbers for spread in spreads]
    doubts = (spread.describe_doubt(path.name) for spread, path in zip(spreads, photographs, strict=False))
    doubt = joined(" ", filter(None, doubts))
    audit = label_audit.audit_deck(archive, row, numbers, doubt)
    is_asked = not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    if not as_json:
        click.echo("\n".join(map(sanitize, _describe_audit(audit))))
    if is_asked and audit.questions:
        answers = [*_ask_cards(archive, audit)]
        if answers:
            label_audit.take_proposals(archive, row, answers, by)
            audit = label_audit.audit_deck(archive, row, numbers, doubt)
            click.echo("\n".join(map(sanitize, _describe_audit(audit))))
    chosen = _choose_proposals(audit, takes)
    if is_asked and not takes:
        chosen = [each for each in audit.proposals if confirm(each.text)]
    elif audit.proposals and not takes and not as_json:
        click.echo(phrase("Write one of these down with --take N, or --take all."))
    sentences = label_audit.take_proposals(archive, row, chosen, by) if chosen else ()
    if out is not None:
        _draw_photographs(photographs, spreads, audit, out, force=force)
    if as_json:
        print_json(_audit_fields(audit, len(spreads), [*map(str, sentences)]))
        return 0 if _is_complete(audit, chosen) else REFUSED
    for sentence in sentences:
        click.echo(sanitize(sentence))
    if out is not None:
        click.echo(sanitize(phrase("{out} shows each label framed and named.", out=out)))
    return 0 if _is_complete(audit, chosen) else REFUSED


def read_photographs(photographs: Sequence[Path]) -> Iterator[Spread]:
    """Yield the labels of each photograph, with a progress bar on a terminal if there are several.

    Raises Misused for a file that is no picture.
    """
    hidden = len(photographs) < 2 or not sys.stderr.isatty()
    with click.progressbar(photographs, label=str(phrase("Photographs")), file=sys.stderr, hidden=hidden) as bar:
        for photograph in bar:
            try:
                yield read_labels(photograph)
            except PictureError as error:
                raise Misused(sanitize(str(error))) from error


def _describe_audit(audit: LabelAudit) -> Iterator[Text]:
    """Yield everything that was seen, and the proposals, one per line; if the labels are of another deck, only that."""
    yield str(audit.summary)
    if audit.refusal:
        return
    due = [text for text in audit.missing if text.spot in audit.due]
    gone = [text for text in audit.missing if text.spot not in audit.due]
    yield from _list_labels(phrase("Still to be stuck:"), [str(text.full_title) for text in due])
    yield from _list_labels(
        phrase("Not seen; photograph these closer, with the next cards moved aside:"),
        [str(text.full_title) for text in gone],
    )
    if spots := [text.spot for text in audit.missing if text.spot]:
        only = " ".join(f"--only {shlex.quote(spot)}" for spot in spots[:_NAMED])
        command = f"companion labels deck {deck_id.show(audit.row.deck)} --codes {only} -o lost.pdf"
        yield phrase("Print what is gone: {command}", command=command)
    yield from _list_labels(phrase("More than the record has:"), [str(label.text) for label in audit.of("copy")])
    yield from _list_labels(phrase("Should not be there:"), map(_describe_label, audit.of("extra")))
    yield from _list_labels(phrase("Of another deck:"), map(_describe_label, audit.of("foreign")))
    yield from _list_labels(phrase("Not known:"), map(_describe_label, audit.of("unsure")))
    if audit.proposals:
        yield phrase("What may follow from it:")
        yield from (f"  {number}  {each.text}" for number, each in enumerate(audit.proposals, 1))


def _list_labels(title: Message, texts: Iterable[str]) -> Iterator[Text]:
    lines = [*texts]
    if lines:
        yield title
        yield from (f"  {line}" for line in lines[:_NAMED])
        if len(lines) > _NAMED:
            more = phrase("and {n} more", n=len(lines) - _NAMED)
            yield f"  {more}"


def _describe_label(label: SeenLabel) -> str:
    return f"{label.text}, {label.note}" if label.note else str(label.text)


def _ask_cards(archive: Archive, audit: LabelAudit) -> Iterator[LabelCorrection]:
    """Prompt for the cards of labels that know none; labels that the user skips yield nothing."""
    for question in audit.questions:
        usual = question.spot.partition(" ")[0]
        while answer := click.prompt(sanitize(str(question.text)), default=usual, show_default=bool(usual)).strip():
            try:
                yield label_audit.answer_question(archive, audit.row, question, answer)
                break
            except RuleError as error:
                click.echo(sanitize(str(error)), err=True)


def _choose_proposals(audit: LabelAudit, takes: Sequence[str]) -> list[LabelCorrection]:
    """Return the proposals of these numbers, or `all`. Raises Misused for an unknown number."""
    if "all" in takes:
        return [*audit.proposals]
    numbers = range(1, len(audit.proposals) + 1)
    for take in takes:
        if not (take.isascii() and take.isdecimal() and int(take) in numbers):
            wrong = sanitize(take)
            raise Misused(
                phrase("“{take}” is nothing to take here; there is 1 to {last}, or all.", take=wrong, last=len(numbers))
                if numbers
                else phrase("“{take}” is nothing to take here; there is nothing.", take=wrong)
            )
    return [audit.proposals[int(take) - 1] for take in takes]


def _is_complete(audit: LabelAudit, chosen: Sequence[LabelCorrection]) -> bool:
    """Return True if nothing is left open; labels that are known to be still missing do not count."""
    lost = [text for text in audit.missing if text.spot not in audit.due]
    open_proposals = [each for each in audit.proposals if each not in chosen and each.spots]
    return not (audit.refusal or audit.doubt or lost or open_proposals or audit.of("copy", "foreign", "unsure"))


def _audit_fields(audit: LabelAudit, pictures: int, sentences: Sequence[str]) -> dict[str, object]:
    """Return an audit for JSON."""
    return {
        "deck": audit.row.deck,
        "name": audit.row.name,
        "photos": pictures,
        "seen": [_plain_label(each) for each in audit.of("here")],
        "missing": [{"card": text.card, "label": text.title, "due": text.spot in audit.due} for text in audit.missing],
        "foreign": [_plain_label(each) for each in audit.of("copy", "extra", "foreign")],
        "unsure": [_plain_label(each) for each in audit.of("unsure")],
        "proposals": [str(each.text) for each in audit.proposals],
        "written": [*sentences],
        "shows": audit.shows.deck if audit.shows is not None else None if audit.refusal else audit.row.deck,
        "refusal": str(audit.refusal),
        "doubt": str(audit.doubt),
    }


def _plain_label(label: SeenLabel) -> dict[str, object]:
    """Return a label for JSON; `number` is the content of its code."""
    plain: dict[str, object] = {"card": label.card, "label": str(label.title), "number": label.number}
    note = str(label.note) or ("not in the record" if label.standing == "extra" else "")
    return {**plain, "note": note} if note else plain


def _draw_photographs(
    photographs: Sequence[Path], spreads: Sequence[Spread], audit: LabelAudit, out: Path, *, force: bool
) -> None:
    """Draw each photograph with its labels framed and named, each one in a file of its own."""
    for number, (photograph, spread) in enumerate(zip(photographs, spreads, strict=True), 1):
        file = out if number == 1 else out.with_stem(f"{out.stem}-{number}")
        if file.suffix.lower() != ".png":
            raise Misused(phrase("“{out}” is to be a picture: give -o FILE.png.", out=sanitize(str(out))))
        with fresh_file(file, force=force) as draft:
            draft.write_bytes(draw_labels(photograph, spread, audit.names).content)
