"""`companion session card`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.commands.session._shared import find_session
from companion.cli.common import (
    PIPE,
    Misused,
    archive_option,
    check_file,
    force_option,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_or_write,
    tell_written,
)
from companion.printing import evening_page
from companion.session.reports import evening_cards
from companion.tabletop.evening import FORMATS
from companion.tabletop.evening_text import as_markdown
from templates.languages.messages import phrase


@click.command("card")
@click.argument("session", required=False)
@output_option("File to write, as .png, .pdf or .md; - for standard output.")
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Format; default: by the ending of the file, or md.")
@archive_option
@force_option
@json_option
def command(
    session: str | None, out: Path | None, kind: str | None, archive: str | None, force: bool, as_json: bool
) -> None:
    """Write the evening on one page, to keep or to send: as a picture, a PDF or Markdown.

    The card shows who played, how each fight or turn went, the best hit, the narrowest escape, the turning point, and
    what changed hands. Without SESSION, the session changed last is used; without -o, the card is printed as text.

    \b
    Example: companion session card K3QX -o friday.png
    """
    kind = kind or _kind_of(out)
    if out not in (None, PIPE) and not as_json:
        check_file(out, force=force)
    with open_archive(archive) as opened:
        row = find_session(opened, session)
        evening, page = evening_cards.present_stored(opened, row)
    if as_json:
        print_json({"session": row.session, "game": row.game, "evening": evening, "card": page})
        return
    if kind == "md":
        print_or_write(as_markdown(page), out, phrase("the evening as text."), force=force)
        return

    content = evening_page.write_card(page, kind)
    with fresh_file(out or PIPE, force=force) as draft:
        draft.write_bytes(content)
    what = phrase("the evening as a picture.") if kind == "png" else phrase("the evening as a PDF.")
    tell_written(out or PIPE, what)


def _kind_of(out: Path | None) -> str:
    """Return the format of a file by its suffix. Raises Misused if a card cannot have it."""
    if out is None or out == PIPE:
        return "md"
    kind = out.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise Misused(phrase("A card is a .png, a .pdf or a .md; “{out}” ends in none of these.", out=out.name))
    return kind
