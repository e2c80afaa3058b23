"""`companion deck adopt`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from companion.archive import deck_id, deck_records
from companion.cli.common import (
    Misused,
    archive_option,
    force_option,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_or_write,
    print_warnings,
    sanitize,
)
from companion.cli.decks import read_toml
from companion.cli.photographs import read_photographs
from companion.cli.printing import options
from companion.cli.printing.options import translate_label_errors
from companion.printing import wording
from templates.languages.messages import phrase


@click.command("adopt")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--example", is_flag=True, help="Print an example file to fill in.")
@click.option(
    "--photo",
    "photos",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="PICTURE",
    help="Print a file to complete, with the labels that were read from a photograph; can be repeated.",
)
@click.option("--game", metavar="GAME", help="Game of the printed file; default: the first game that has one.")
@output_option("File to write; by default, or with -, standard output.")
@click.option("--by", default="", help="Who read the record sheet.")
@archive_option
@force_option
@json_option
def command(
    file: Path | None,
    example: bool,
    photos: Sequence[Path],
    game: str | None,
    out: Path | None,
    by: str,
    archive: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Import a deck that so far was kept on paper, from a FILE with the contents of its record sheet.

    \b
    Examples: companion deck adopt --example -o lantern-debt.toml
              companion deck adopt --photo spread.jpg -o lantern-debt.toml
              companion deck adopt lantern-debt.toml --by Ben
    """
    if example or photos:
        _print_file_to_complete(photos, game, out, force=force)
        return
    if out is not None:
        raise Misused(phrase("What is to be filled in is written into a file; give --example or --photo beside -o."))
    if file is None:
        raise Misused(phrase("Name the file to adopt from; companion deck adopt --example prints one to fill in."))
    data = read_toml(file)
    with open_archive(archive, create=True) as opened:
        deck, record, warnings = deck_records.adopt_deck(opened, data, by)
    unlabelled = options.box_label_warnings(record.name)
    warnings = (*warnings, *unlabelled)
    if as_json:
        print_json({"deck": deck, "warnings": warnings, **msgspec.to_builtins(record)})
        return
    click.echo(sanitize(phrase("{name} is adopted: {deck}", name=record.name, deck=deck_id.show(deck))))
    print_warnings(warnings)
    options.print_box_hint(deck, unlabelled)


def _print_file_to_complete(photos: Sequence[Path], game: str | None, out: Path | None, *, force: bool) -> None:
    """Print an example of a deck on paper, or one filled in from the labels in photographs."""
    if not photos:
        print_or_write(wording.paper_deck_example(game), out, phrase("an example to fill in."), force=force)
        return
    numbers = [spread.numbers for spread in read_photographs(photos)]
    with translate_label_errors():
        text = wording.paper_deck_from_labels(game, numbers)
    print_or_write(text, out, phrase("what the labels say; fill in the rest."), force=force)
