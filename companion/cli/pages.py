"""Pages of games and homebrews, as the commands of both report them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from companion.cli.common import Refused, print_json, sanitize
from companion.cli.confirmation import confirm
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.archive.exchange.page_offers import PageOffer
    from companion.archive.storage.rows import PageRow
    from companion.games.described.page.reading import LineFault


def plain_page(row: PageRow) -> dict[str, object]:
    """Return a page for JSON."""
    return {"game": row.name, "title": row.title, "by": row.author, "edition": row.edition, "page": row.page}


def origin(row: PageRow) -> Text:
    """Return the reason why a page is in the archive."""
    if row.withdrawn:
        return phrase("withdrawn")
    return phrase("added") if row.listed else phrase("came with what was played")


def confirm_offer(offer: PageOffer, *, yes: bool, quiet: bool = False) -> None:
    """Print what a page is and keeps, unless `quiet`, and return if adding it is confirmed by `--yes` or on a terminal.

    Without a terminal it counts as confirmed, as does a page that is here already. Raises Refused.
    """
    for sentence in () if quiet else offer.sentences:
        click.echo(sanitize(sentence), err=True)
    if yes or not offer.is_new or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    if not confirm(phrase("Take it in?"), err=True):
        raise Refused(phrase("Nothing is taken in."))


def tell_faults(file: str, faults: Iterable[LineFault], *, as_json: bool) -> None:
    """Print all faults of a text, by line."""
    if as_json:
        print_json({"file": file, "faults": [{**fault._asdict(), "text": str(fault.text)} for fault in faults]})
        return
    for fault in faults:
        click.echo(sanitize(f"{file}:{fault.line}: {f'{fault.key}: ' if fault.key else ''}{fault.text}"), err=True)
