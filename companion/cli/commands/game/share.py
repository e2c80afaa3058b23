"""`companion game share`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive.exchange import page_codes
from companion.cli.common import (
    PIPE,
    Misused,
    Refused,
    archive_option,
    force_option,
    fresh_file,
    output_option,
    pages_at_hand,
    sanitize,
    tell_written,
)
from companion.cli.printing.options import PaperType
from companion.forms.plain_paper import ink_name, plain_paper
from companion.games import registry
from companion.games.described import load
from companion.printing import page_sheet
from companion.web import address
from templates.languages.messages import phrase, phrases

if TYPE_CHECKING:
    from companion.tabletop.game import Game
    from labels.geometry import Paper

_BLACK_ON_WHITE = "\x1b[30;107m{}\x1b[0m"
_SHEET = ".pdf"


@click.command("share")
@click.argument("game", metavar="GAME")
@output_option("File to write: the page as .toml, or its QR codes as .pdf; default: NAME.toml.", "--output")
@click.option("--codes", is_flag=True, help="Show the page as QR codes here, one after another.")
@click.option("--paper", type=PaperType(), metavar="PAPER", help="Paper for a .pdf: letter, a4, a5, or a size.")
@archive_option
@force_option
def command(game: str, output: Path | None, codes: bool, paper: Paper | None, archive: str | None, force: bool) -> None:
    """Share the page of a GAME: as a file, as QR codes on a sheet, or as QR codes on the screen.

    Who has the file adds the game by companion game add. A page has one to six QR codes as a rule, which companion scan
    and the phone pages read in any order, from one picture or from several.

    \b
    Examples: companion game share crown
              companion game share crown --output crown.pdf
              companion game share crown --codes
    """
    if codes and output is not None:
        raise Misused(phrase("Give --codes or --output, not both."))
    if output is not None and output != PIPE and output.suffix.lower() not in (".toml", _SHEET):
        raise Misused(phrase("A page is shared as FILE.toml or, as QR codes to print, as FILE.pdf."))
    with pages_at_hand(archive):
        rules = registry.game(game)
        text = _text_of(rules)
    if codes:
        _show_codes(rules, text)
        return
    path = output or Path(f"{rules.name}.toml")
    if path.suffix.lower() == _SHEET:
        sheet = page_sheet.draw_codes(text, plain_paper(paper).size, ink_name(None) or "colour")
        with fresh_file(path, force=force) as draft:
            draft.write_bytes(sheet.content)
        codes_text = phrases("{n} QR code", "{n} QR codes", n=sheet.codes)
        tell_written(path, phrase("{game} as {codes}; companion scan reads them.", game=rules.title, codes=codes_text))
        return
    with fresh_file(path, force=force) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
    tell_written(path, phrase("the page of {game}; companion game add takes it in.", game=rules.title))


def _text_of(rules: Game) -> str:
    """Return the text of a game's page. Raises Refused for a game that is a program."""
    text = load.text_of(rules.page)
    if text is None:
        raise Refused(phrase("{rules} is a program and no page; every companion has it.", rules=rules.title))
    return text


def _show_codes(rules: Game, text: str) -> None:
    """Print the codes one below another; on a terminal, Enter leads from each to the next."""
    codes = page_codes.write_codes(text)
    waits = sys.stdin.isatty() and sys.stdout.isatty()
    for number, code in enumerate(codes, 1):
        for row in address.render_qr(code):
            click.echo(_BLACK_ON_WHITE.format(row) if waits else row)
        place = phrase("{number} of {count}", number=str(number), count=str(len(codes)))
        click.echo(sanitize(f"{rules.title} · {place}"))
        if waits and number < len(codes):
            click.prompt(
                str(phrase("Enter shows the next code")), default="", show_default=False, prompt_suffix=" ", err=True
            )
