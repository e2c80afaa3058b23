"""`companion labels printers` and `calibrate`: how each printer misses the paper, and finding it out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    harmless,
    json_option,
    open_archive,
    print_json,
    print_table,
)
from companion.cli.printing import options
from companion.cli.printing.run import misused

if TYPE_CHECKING:
    from companion.archive import Archive
    from labels.calibration import Calibration


def millimetres(text: str | float) -> float:
    """A length as people type it: `20.5`, `20,5` or `20.5 mm`. Raises BadParameter."""
    from labels import calibration

    try:
        return calibration.parse_millimetres(str(text))
    except calibration.CalibrationError as error:
        raise click.BadParameter(str(error)) from None


@click.command("printers")
@archive_option
@json_option
def printers(archive: str | None, as_json: bool) -> None:
    """The printers that have a calibration.

    \b
    Example: companion labels printers
    """
    from companion.archive import stationery

    with open_archive(archive) as opened:
        rows = stationery.printers(opened)
    if as_json:
        print_json(rows)
    elif not rows:
        click.echo("No printer is calibrated yet. companion labels calibrate NAME asks for four distances.")
    else:
        cells = [(row.name, f"{row.dx:+g} mm", f"{row.dy:+g} mm", f"{row.sx:g}", f"{row.sy:g}") for row in rows]
        print_table(("PRINTER", "RIGHT", "DOWN", "SCALE ACROSS", "SCALE DOWN"), cells)


@click.command("calibrate")
@click.argument("name")
@click.option("--dx", type=millimetres, help="Shift everything right by so many mm (left: negative).")
@click.option("--dy", type=millimetres, help="Shift everything down by so many mm (up: negative).")
@click.option("--sx", type=float, help="Scale across, from the left edge: 1.005 makes all of it 0.5 % wider.")
@click.option("--sy", type=float, help="Scale down, from the top edge.")
@click.option("--again", is_flag=True, help="Measured on a page printed with --printer NAME: what is left is added.")
@click.option("--stock", metavar="NAME", help="Whose test page was measured, where it is not of the usual stock.")
@click.option("--forget", is_flag=True, help="Forget this printer.")
@archive_option
def calibrate(
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
    """Teach the companion how a printer misses the paper.

    Without figures it asks for four distances, measured on a test page printed without --printer, and computes the
    rest. What --printer NAME prints is then moved and scaled by it. With --again the page was printed with --printer
    NAME: what it still misses adds up with what is known. Rolls need no calibration.

    \b
    Example: companion labels test-page -o test.pdf --open
             companion labels calibrate office
             companion labels calibrate office --dx 0.5 --dy -1.2
             companion labels test-page -o again.pdf --printer office
             companion labels calibrate office --again
    """
    from companion.archive import stationery

    if not name.strip():
        raise Misused("A printer needs a name to be found by.")
    with open_archive(archive, create=not forget) as opened:
        if forget:
            stationery.forget_printer(opened, name)
            click.echo(f"“{harmless(name)}” is forgotten.")
            return
        given = {key: value for key, value in (("dx", dx), ("dy", dy), ("sx", sx), ("sy", sy)) if value is not None}
        known = _find_known(opened, name)
        if again and known is None:
            stationery.find_printer(opened, name)
        with misused(), _answered(name):
            found = _new_calibration(name, given, known, stock, again=again)
        stationery.calibrate(opened, name, found.dx, found.dy, found.sx, found.sy)
    click.echo(
        f"{harmless(name)}: {found.dx:+g} mm right, {found.dy:+g} mm down, scale {found.sx:g} across and {found.sy:g} "
        f"down. Check it with companion labels test-page --printer {shlex.quote(harmless(name))} -o test.pdf."
    )


@contextmanager
def _answered(name: str) -> Iterator[None]:
    """Where nobody is there to answer, figures can be given. Raises Refused."""
    try:
        yield
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo()
        raise Refused(
            "Nobody answers here; measure and type at a terminal, or give the figures themselves, as in "
            f"companion labels calibrate {shlex.quote(harmless(name))} --dx 0.5 --dy -1.2."
        ) from None


def _find_known(archive: Archive, name: str) -> Calibration | None:
    """What is known of a printer, if it is."""
    from companion.archive import Unknown
    from companion.printing.run import load_calibration

    with misused():
        try:
            return load_calibration(archive, name)
        except Unknown:
            return None


def _new_calibration(
    name: str, given: dict[str, float], known: Calibration | None, stock: str | None, *, again: bool
) -> Calibration:
    """What a printer needs from now on: some figures in place of those known, or what was measured.

    Raises LabelError where no printer can need that.
    """
    import msgspec

    from labels.calibration import IDENTITY, combine, validate

    if given and not again:
        return validate(msgspec.structs.replace(known or IDENTITY, **given))
    if not given and known is not None and not again:
        again = _printed_with(name)
    rest = validate(msgspec.structs.replace(IDENTITY, **given)) if given else _measured(stock, again=again)
    return combine(known, rest) if again and known is not None else rest


def _printed_with(name: str) -> bool:
    """Whether the page that was measured was printed with what is known already; asked where somebody can answer."""
    return sys.stdin.isatty() and click.confirm(
        f"Does the head of the test page say “Printed with the calibration of {harmless(name)}”?"
    )


def _measured(stock: str | None, *, again: bool) -> Calibration:
    """Asks for the four distances. Raises LabelError where they cannot be right."""
    from labels import calibration

    with_what = "with" if again else "without"
    b = _span(stock)
    click.echo(f"On a test page printed at 100 % and {with_what} --printer, measure with a ruler, in millimetres:")
    left, top, right, down = (
        float(click.prompt(f"  {question}", default=nominal, value_proc=millimetres))
        for question, nominal in calibration.distances(b)
    )
    return calibration.from_measurements(left, top, right, down, b)


def _span(given: str | None) -> tuple[float, float]:
    """Where the test page that was measured has its B, as `labels test-page` prints it where nothing else is said."""
    from companion.printing.run import find_stock
    from labels import calibration, testpage

    stock = find_stock(options.stock_name(given))
    if stock.roll and given is None:
        return calibration.B
    testpage.check_stock(stock)
    return testpage.stock_cross_distance(stock)
