"""Pages of games and homebrews, as the commands of both report them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import click

from companion.cli.common import Refused, print_json, sanitize
from companion.cli.confirmation import confirm
from companion.printing import jobs, run
from templates.languages.messages import Message, Text, joined, phrase

if TYPE_CHECKING:
    from companion.archive.exchange.page_offers import PageOffer
    from companion.archive.storage.rows import PageRow
    from companion.games.described.page.reading import LineFault
    from companion.tabletop.game import Game


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


def tell_added(row: PageRow, present: PageRow, *, is_new: bool) -> Message:
    """Return a sentence about the result of adding a page."""
    if is_new and row.author:
        done = phrase(
            "{game} by {author}, edition {edition}, is added: a table of it is {name}.",
            game=row.title,
            author=row.author,
            edition=str(row.edition),
            name=row.name,
        )
    elif is_new:
        done = phrase(
            "{game}, edition {edition}, is added: a table of it is {name}.",
            game=row.title,
            edition=str(row.edition),
            name=row.name,
        )
    elif row.author:
        done = phrase(
            "{game} by {author}, edition {edition}, is here already as {name}.",
            game=row.title,
            author=row.author,
            edition=str(row.edition),
            name=row.name,
        )
    else:
        done = phrase(
            "{game}, edition {edition}, is here already as {name}.",
            game=row.title,
            edition=str(row.edition),
            name=row.name,
        )
    if present == row:
        return done
    opened = phrase("New tables are opened by edition {edition}.", edition=str(present.edition))
    return joined(" ", (done, opened))


def too_long(game: Game, places: Mapping[str, str]) -> Iterator[tuple[str, Text]]:
    """Yield the texts of labels that do not fit the usual labels, by their keys.

    `places` are the keys of the labels' texts by title.
    """
    if not places:
        return

    refusals = jobs.starter_refusals(game, run.find_stock(None))
    for title, reason in refusals:
        if title in places:
            yield (
                places[title],
                phrase(
                    "The usual labels are too small for this, and it can be played all the same: {reason}",
                    reason=reason,
                ),
            )


def tell_faults(file: str, faults: Iterable[LineFault], *, as_json: bool) -> None:
    """Print all faults of a text, by line."""
    if as_json:
        print_json({"file": file, "faults": [{**fault._asdict(), "text": str(fault.text)} for fault in faults]})
        return
    for fault in faults:
        click.echo(sanitize(f"{file}:{fault.line}: {f'{fault.key}: ' if fault.key else ''}{fault.text}"), err=True)
