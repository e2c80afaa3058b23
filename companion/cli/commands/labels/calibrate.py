"""`companion labels calibrate`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
import msgspec

from companion.archive import Unknown, stationery
from companion.cli.common import Misused, Refused, archive_option, open_archive, sanitize
from companion.cli.confirmation import confirm
from companion.cli.printing import options
from companion.cli.printing.options import translate_label_errors
from companion.printing.run import find_stock, load_calibration
from labels.output import testpage
from labels.paper import calibration
from labels.paper.calibration import IDENTITY, combine, validate
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive import Archive
    from labels.paper.calibration import Calibration


def millimetres(text: str | float) -> float:
    """Parse a typed length: `20.5`, `20,5` or `20.5 mm`. Raises BadParameter."""
    try:
        return calibration.parse_millimetres(str(text))
    except calibration.CalibrationError as error:
        raise click.BadParameter(str(error)) from None


@click.command("calibrate")
@click.argument("name")
@click.option("--dx", type=millimetres, help="Millimetres to shift everything right (negative: left).")
@click.option("--dy", type=millimetres, help="Millimetres to shift everything down (negative: up).")
@click.option("--sx", type=float, help="Horizontal scale, from the left edge: 1.005 makes everything 0.5 % wider.")
@click.option("--sy", type=float, help="Vertical scale, from the top edge.")
@click.option("--again", is_flag=True, help="Measured on a page printed with --printer NAME: add the remaining error.")
@click.option("--stock", metavar="NAME", help="Stock of the measured test page, if it is not the default one.")
@click.option("--forget", is_flag=True, help="Delete this printer's calibration.")
@archive_option
def command(
    name: str,
    dx: float | None,
    dy: float | None,
    sx: float | None,
    sy: float | None,
    again: bool,
    stock: str | None,
    forget: bool,
    archive: str | None,
) -> None:
    """Calibrate a printer, so that labels land where they should.

    Without figures, this asks for four distances, measured on a test page printed without --printer, and computes the
    calibration. Everything printed with --printer NAME is then moved and scaled by it. With --again, measure a page
    printed with --printer NAME: the remaining error is added. Rolls need no calibration.

    \b
    Example: companion labels test-page -o test.pdf --open
             companion labels calibrate office
             companion labels calibrate office --dx 0.5 --dy -1.2
             companion labels test-page -o again.pdf --printer office
             companion labels calibrate office --again
    """
    if not name.strip():
        raise Misused(phrase("A printer needs a name to be found by."))
    with open_archive(archive, create=not forget) as opened:
        if forget:
            stationery.forget_printer(opened, name)
            click.echo(phrase("“{name}” is forgotten.", name=sanitize(name)))
            return
        figures = {key: value for key, value in (("dx", dx), ("dy", dy), ("sx", sx), ("sy", sy)) if value is not None}
        current = _find_calibration(opened, name)
        if again and current is None:
            stationery.find_printer(opened, name)
        with translate_label_errors(), _require_answers(name):
            calibration = _new_calibration(name, figures, current, stock, again=again)
        stationery.calibrate(opened, name, calibration.dx, calibration.dy, calibration.sx, calibration.sy)
    check = f"companion labels test-page --printer {shlex.quote(sanitize(name))} -o test.pdf"
    click.echo(
        phrase(
            "{name}: {dx} mm right, {dy} mm down, scale {sx} across and {sy} down. Check it with {check}.",
            name=sanitize(name),
            dx=f"{calibration.dx:+g}",
            dy=f"{calibration.dy:+g}",
            sx=f"{calibration.sx:g}",
            sy=f"{calibration.sy:g}",
            check=check,
        )
    )


@contextmanager
def _require_answers(name: str) -> Iterator[None]:
    """Suggest giving the figures as options if there is no terminal to answer prompts. Raises Refused."""
    try:
        yield
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo()
        raise Refused(
            phrase(
                "Nobody answers here; measure and type at a terminal, or give the figures themselves, as in "
                "companion labels calibrate {name} --dx 0.5 --dy -1.2.",
                name=shlex.quote(sanitize(name)),
            )
        ) from None


def _find_calibration(archive: Archive, name: str) -> Calibration | None:
    """Return the stored calibration of a printer, if any."""
    with translate_label_errors():
        try:
            return load_calibration(archive, name)
        except Unknown:
            return None


def _new_calibration(
    name: str, figures: dict[str, float], current: Calibration | None, stock: str | None, *, again: bool
) -> Calibration:
    """Return the new calibration: the stored one with some figures replaced, or the measured one.

    Raises LabelError for an impossible calibration.
    """
    if figures and not again:
        return validate(msgspec.structs.replace(current or IDENTITY, **figures))
    if not figures and current is not None and not again:
        again = _was_calibrated(name)
    rest = validate(msgspec.structs.replace(IDENTITY, **figures)) if figures else _ask_distances(stock, again=again)
    return combine(current, rest) if again and current is not None else rest


def _was_calibrated(name: str) -> bool:
    """Return True if the measured page was printed with the stored calibration; prompts on a terminal."""
    return sys.stdin.isatty() and confirm(
        phrase("Does the head of the test page say “Printed with the calibration of {name}”?", name=sanitize(name))
    )


def _ask_distances(stock: str | None, *, again: bool) -> Calibration:
    """Prompt for the four distances. Raises LabelError if they are impossible."""
    b = _find_span(stock)
    click.echo(
        phrase("On a test page printed at 100 % and with --printer, measure with a ruler, in millimetres:")
        if again
        else phrase("On a test page printed at 100 % and without --printer, measure with a ruler, in millimetres:")
    )
    left, top, right, down = (
        float(click.prompt(f"  {question}", default=nominal, value_proc=millimetres))
        for question, nominal in calibration.distances(b)
    )
    return calibration.from_measurements(left, top, right, down, b)


def _find_span(stock_name: str | None) -> tuple[float, float]:
    """Return the position of B on the measured test page, by default that of `labels test-page`."""
    stock = find_stock(options.stock_name(stock_name))
    if stock.roll and stock_name is None:
        return calibration.B
    testpage.check_stock(stock)
    return testpage.stock_cross_distance(stock)
