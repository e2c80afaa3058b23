"""`companion labels printers` and `calibrate`: how each printer misses the paper, and finding it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.common import Misused, archive_option, harmless, json_option, print_json, print_table
from companion.cli.printing.run import misused

if TYPE_CHECKING:
    from companion.archive import Archive
    from labels.calibration import Calibration


def millimetres(text: str | float) -> float:
    """A length as people type it: `20.5`, `20,5` or `20.5 mm`. Raises BadParameter."""
    from labels import calibration

    try:
        return calibration.millimetres(str(text))
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
    from companion.archive import Archive, stationery

    with Archive.open(archive) as opened:
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
@click.option("--forget", is_flag=True, help="Forget this printer.")
@archive_option
def calibrate(
    name: str,
    dx: float | None,
    dy: float | None,
    sx: float | None,
    sy: float | None,
    forget: bool,
    archive: str | None,
) -> None:
    """Teach the companion how a printer misses the paper.

    Without figures it asks for four distances, measured on a test page printed without --printer, and computes the
    rest. What --printer NAME prints is then moved and scaled by it.

    \b
    Example: companion labels test-page -o test.pdf --open
             companion labels calibrate office
             companion labels calibrate office --dx 0.5 --dy -1.2
    """
    from companion.archive import Archive, stationery

    if not name.strip():
        raise Misused("A printer needs a name to be found by.")
    with Archive.open(archive) as opened:
        if forget:
            stationery.forget_printer(opened, name)
            click.echo(f"“{harmless(name)}” is forgotten.")
            return
        given = {key: value for key, value in (("dx", dx), ("dy", dy), ("sx", sx), ("sy", sy)) if value is not None}
        found = _changed(opened, name, given) if given else _measured()
        stationery.calibrate(opened, name, found.dx, found.dy, found.sx, found.sy)
    click.echo(
        f"{harmless(name)}: {found.dx:+g} mm right, {found.dy:+g} mm down, scale {found.sx:g} across and {found.sy:g} "
        "down. Check it with companion labels test-page --printer."
    )


def _changed(archive: Archive, name: str, given: dict[str, float]) -> Calibration:
    """What is known of a printer, with some figures changed."""
    import msgspec

    from companion.archive import Unknown
    from companion.press.run import calibrated
    from labels.calibration import IDENTITY, checked

    with misused():
        try:
            known = calibrated(archive, name)
        except Unknown:
            known = IDENTITY
        return checked(msgspec.structs.replace(known, **given))


def _measured() -> Calibration:
    """Asks for the four distances. Raises Misused where they cannot be right."""
    from labels import calibration

    click.echo("On a test page printed at 100 % and without --printer, measure with a ruler, in millimetres:")
    distances = [
        float(click.prompt(f"  {question}", default=nominal, value_proc=millimetres))
        for question, nominal in calibration.DISTANCES
    ]
    with misused():
        return calibration.measured(*distances)
