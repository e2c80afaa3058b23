"""`companion settings`: the defaults of this machine, for screens and commands alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import click

from companion.archive import stationery
from companion.cli.common import Misused, Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.forms import settings
from companion.printing.run import find_stock
from labels.drawing.black import parse_ink
from labels.errors import LabelError
from labels.geometry import paper_of_region, parse_paper
from templates.languages.messages import phrase

_NONE = "none"


_TITLES = {
    "theme": phrase("Theme"),
    "printer": phrase("Printer"),
    "stock": phrase("Labels"),
    "paper": phrase("Paper"),
    "ink": phrase("Ink"),
    "codes": phrase("Codes"),
    "warnings": phrase("Warnings"),
    "cards": phrase("Real cards"),
    "clock": phrase("Countdown"),
    "draws": phrase("Who draws"),
    "language": phrase("Language"),
}


_USUAL = {
    "theme": "usual",
    "printer": _NONE,
    "stock": "18294",
    "ink": "by labels",
    "codes": "off",
    "warnings": "on",
    "cards": "first",
    "clock": "off",
    "draws": "table",
    "language": "system",
}


def _find_usual(key: str) -> str:
    """Return the value that a setting has until it is chosen."""
    return paper_of_region().title if key == "paper" else _USUAL[key]


_OF_PROGRAM: Final = {
    "theme": phrase("usual"),
    "printer": phrase("none"),
    "ink": phrase("by labels"),
    "language": phrase("system"),
}
"""The text printed for a setting that is not chosen, if it has no word of its own."""


@click.command("settings")
@click.option("--stock", metavar="NAME", help="Default label stock, by name or alias; none for 18294.")
@click.option(
    "--paper", metavar="SIZE", help="Default paper: letter, a4, legal, a5, a6, card or a size such as 148x210mm."
)
@click.option("--ink", metavar="INK", help="Default ink: black or colour; none to follow the labels.")
@click.option("--codes", type=click.Choice([settings.ON, settings.OFF]), help="Whether card labels have codes.")
@click.option(
    "--printer", metavar="NAME", help="Printer whose calibration screens start with; none for no calibration."
)
@archive_option
@json_option
def command(
    stock: str | None,
    paper: str | None,
    ink: str | None,
    codes: str | None,
    printer: str | None,
    archive: str | None,
    as_json: bool,
) -> None:
    """Show or change the settings of this computer; F12 at home does the same.

    Labels, paper, ink and codes are the defaults of all commands.

    \b
    Example: companion settings --stock L7160 --paper a4
    """
    options: tuple[tuple[str, str | None, Callable[[str], str]], ...] = (
        ("stock", stock, lambda name: find_stock(name).name),
        ("paper", paper, lambda text: parse_paper(text).title),
        ("ink", ink, lambda text: parse_ink(text) or ""),
        ("codes", codes, lambda choice: "" if choice == settings.OFF else choice),
        ("printer", printer, lambda name: _printer_name(name, archive)),
    )
    try:
        choices = {
            key: "" if text.strip().lower() == _NONE else parse(text)
            for key, text, parse in options
            if text is not None
        }
    except LabelError as error:
        raise Misused(str(error)) from error
    try:
        now = settings.change(**choices) if choices else settings.read_settings()
    except settings.NotKept as error:
        raise Refused(phrase("That is not kept: {error}.", error=error)) from error
    if as_json:
        print_json({key: value or _find_usual(key) for key, value in now._asdict().items()})
        return
    for key, title in _TITLES.items():
        value = getattr(now, key) or _OF_PROGRAM.get(key) or _find_usual(key)
        click.echo(sanitize(phrase("{setting}: {value}", setting=title, value=value)))


def _printer_name(name: str, url: str | None) -> str:
    with open_archive(url) as archive:
        return stationery.find_printer(archive, name).name
