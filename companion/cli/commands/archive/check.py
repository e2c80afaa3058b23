"""`companion archive check`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive import ArchiveError, Unreadable, maintenance, salvage
from companion.archive.maintenance import Fault
from companion.archive.recovery import backups
from companion.archive.storage import files
from companion.cli.commands.archive._shared import archive_file, streams_with_progress
from companion.cli.common import REFUSED, archive_option, json_option, open_archive, print_json, sanitize, with_hint
from templates.languages.messages import joined, phrase

if TYPE_CHECKING:
    from companion.archive.salvage import SalvageResult


@click.command("check")
@click.option("--repair", is_flag=True, help="Rebuild the lists; save the readable part of a damaged archive.")
@archive_option
@json_option
def command(repair: bool, archive: str | None, as_json: bool) -> int:
    """Check that the archive is undamaged and that its lists agree with its entries.

    With --repair, the lists are rebuilt. If entries are damaged or lost, everything readable is saved into a new file
    beside the archive, which stays as it is; missing entries are taken from the backups, and those that remain lost are
    named. Exits with status 1 if a problem remains.

    \b
    Example: companion archive check --repair
    """
    faults = _find_faults(archive)
    remaining = tuple(fault for fault in faults if not (repair and fault.mendable))
    if len(remaining) < len(faults):
        remaining += _mend_lists(archive)
    if as_json:
        print_json({"found": [fault.text for fault in faults], "left": [fault.text for fault in remaining]})
    else:
        _print_faults(faults, remaining)
    if repair and remaining:
        _save(archive, as_json=as_json)
    elif remaining and not as_json:
        _print_next_steps(archive, remaining)
    return REFUSED if remaining else 0


def _find_faults(archive: str | None) -> tuple[Fault, ...]:
    """Return the faults of a full check; for a file that is too damaged to open, those of its pages."""
    try:
        with open_archive(archive, tells=False) as opened:
            return maintenance.check_archive(opened, streams_with_progress, thorough=False)
    except Unreadable as error:
        faults = maintenance.check_unopened(error, archive_file(archive))
        if not faults:
            raise
        return faults


def _mend_lists(archive: str | None) -> tuple[Fault, ...]:
    try:
        with open_archive(archive) as opened:
            maintenance.repair(opened, streams_with_progress)
    except ArchiveError as error:
        return (
            Fault(
                joined(" ", (phrase("The lists cannot be made again where they are."), error.message)), mendable=False
            ),
        )
    return ()


def _save(archive: str | None, *, as_json: bool) -> None:
    file = archive_file(archive)
    target = files.unused_path(file.with_name(backups.dated_name(datetime.now(), f"{file.stem}-repaired")))
    with files.write_atomically(target) as draft:
        saved = salvage.salvage_archive(file, draft)
    if not as_json:
        _print_saved(target, saved)


def _print_saved(target: Path, saved: SalvageResult) -> None:
    for each in (*saved.mended, *saved.fetched, *saved.lost, *saved.unlisted, *saved.unsure, *saved.unreadable):
        click.echo(sanitize(each.text))
    count = sum(len(each.seqs) for each in saved.lost)
    click.echo(
        sanitize(
            phrase(
                "{file}: {entries} entries saved; lost: {lost}.", file=str(target), entries=saved.entries, lost=count
            )
            if count
            else phrase(
                "{file}: {entries} entries saved; as far as can be told, none is lost.",
                file=str(target),
                entries=saved.entries,
            )
        )
    )
    click.echo(sanitize(phrase("companion archive restore {file} puts it in the archive's place.", file=str(target))))


def _print_faults(faults: tuple[Fault, ...], remaining: tuple[Fault, ...]) -> None:
    for fault in faults:
        text = with_hint(fault.text, fault.look)
        click.echo(sanitize(text if fault in remaining else phrase("{text} Mended.", text=text)))
    if not faults:
        click.echo(phrase("The archive is whole, and its lists say what its entries add up to."))


def _print_next_steps(archive: str | None, remaining: tuple[Fault, ...]) -> None:
    if all(fault.mendable for fault in remaining):
        click.echo(phrase("companion archive check --repair makes the lists again."))
        return
    newest = backups.describe_newest(archive_file(archive))
    click.echo(
        phrase("companion archive check --repair saves all that can be read into a new file, and says what is lost.")
    )
    click.echo(
        sanitize(
            phrase("Backups, newest first: {newest}.", newest=newest)
            if newest
            else phrase("There is no backup beside it.")
        )
    )
