"""`companion chronicle`: a campaign as a booklet to print."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive import deck_id
from companion.cli.common import (
    Misused,
    archive_option,
    check_file,
    find_deck,
    force_option,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    print_json,
    tell_written,
)
from companion.cli.printing.options import ink_option
from companion.forms.plain_paper import ink_name
from companion.games import registry
from companion.printing.chronicle_pages import draw_chronicle
from companion.session.reports.chronicles import tell_chronicle
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import phrase, phrases

if TYPE_CHECKING:
    from companion.archive import Archive, DeckRow
    from companion.session.reports.chronicles import ChronicleEvening
    from labels.geometry import InkName


_PAPERS = ("a5", "half-letter")


@click.command("chronicle")
@click.argument("decks", nargs=-1, metavar="[DECK]...")
@output_option("PDF to write; - for standard output.")
@click.option(
    "--game", metavar="GAME", help="Include all decks of this game; default without DECK: the decks of all games."
)
@click.option("--title", default="", metavar="TEXT", help="Title on the cover.")
@click.option("--paper", type=click.Choice(_PAPERS), default="a5", show_default=True, help="Size of the pages.")
@click.option("--booklet", is_flag=True, help="Print two pages on each side of A4 or Letter, to be folded and stapled.")
@click.option("--url", default="", metavar="ADDRESS", help="Address to put in front of the id in each code.")
@ink_option
@archive_option
@force_option
@json_option
def command(
    decks: tuple[str, ...],
    out: Path | None,
    game: str | None,
    title: str,
    paper: str,
    booklet: bool,
    url: str,
    ink: InkName | None,
    archive: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Write the chronicle of some or all decks: a booklet with their evenings, portraits, family and charts.

    Each deck has a page with its marked cards and the code of its box, and each evening has a page with its evening
    card. People appear under their public names (companion people alias). Print a --booklet on both sides, flipped on
    the short edge.

    \b
    Examples: companion chronicle -o campaign.pdf
              companion chronicle "Grave Choir" --booklet -o choir.pdf
    """
    if out is None and not as_json:
        raise Misused(phrase("A chronicle is a PDF; name its file with -o FILE."))
    if decks and game:
        raise Misused(phrase("Name decks or a game, not both."))
    if out is not None and not as_json:
        check_file(out, force=force)
    address = deck_id.check_address(url) if url else ""
    with open_archive(archive) as opened:
        chronicle = tell_chronicle(opened, _find_decks(opened, decks, game), title, address, _show_progress)
    if as_json:
        print_json(chronicle)
        return

    assert out is not None
    content = draw_chronicle(chronicle, paper, imposed=booklet, ink=ink_name(ink) or "colour")
    with fresh_file(out, force=force) as draft:
        draft.write_bytes(content)
    tell_written(out, phrases("the chronicle, {n} evening.", "the chronicle, {n} evenings.", n=len(chronicle.evenings)))


def _find_decks(archive: Archive, decks: Sequence[str], game: str | None) -> list[DeckRow]:
    """Return the named decks, or all of a game, or all; each once."""
    if decks:
        return list({row.deck: row for row in (find_deck(archive, deck) for deck in decks)}.values())
    name = registry.game(game).name if game else ""
    rows = (row for row in archive.decks() if not name or row.game == name)
    return sorted(rows, key=lambda row: alphabetical_key(row.name))


def _show_progress(evenings: Sequence[ChronicleEvening]) -> Iterator[ChronicleEvening]:
    with click.progressbar(
        evenings, label=str(phrase("Reading")), file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        yield from bar
