"""`companion archive`: the contents of the archive, its copies, and its integrity."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive import ArchiveError, Unreadable
from companion.cli.common import (
    REFUSED,
    Misused,
    Refused,
    archive_option,
    confirm_doubts,
    describe_error,
    force_option,
    format_local_time,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    print_json,
    print_list,
    reading_bar,
    sanitize,
    tell_written,
    with_hint,
    yes_option,
)
from companion.tabletop.text import quote_text

if TYPE_CHECKING:
    from companion.archive.maintenance import Fault
    from companion.archive.salvage import SalvageResult


@click.group("archive")
def command() -> None:
    """Look after the archive, where sessions and decks are kept.

    \b
    Example: companion archive info
    """


@command.command()
@archive_option
@json_option
def info(archive: str | None, as_json: bool) -> None:
    """Say where the archive is and how much it holds.

    \b
    Example: companion archive info
    """
    from companion.archive import maintenance
    from companion.archive.recovery import backups

    with open_archive(archive) as opened:
        totals = maintenance.info(opened)
    if as_json:
        print_json(totals)
        return
    size = "" if totals.bytes is None else f", {totals.bytes:,} bytes"
    click.echo(sanitize(f"{totals.archive} (schema {totals.schema}{size})"))
    click.echo(totals.contents)
    offsite = backups.offsite_state(opened.store.file) if opened.store.file else None
    if offsite:
        click.echo(sanitize(offsite.text))
    if opened.store.read_only_reason:
        click.echo(sanitize(describe_error(opened.store.refusal)))


@command.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@output_option("The same as FILE; - for standard output.")
@archive_option
@force_option
def backup(file: Path | None, out: Path | None, archive: str | None, force: bool) -> None:
    """Copy the archive to FILE and check the copy; a session may go on meanwhile.

    Without FILE the copy is named after this moment, in the directory you are in.

    \b
    Example: companion archive backup /media/stick/companion.sqlite
    """
    from companion.archive import maintenance
    from companion.archive.recovery import backups

    target = _output_file(file, out) or Path(backups.dated_name(datetime.now()))
    with open_archive(archive) as opened:
        if target.resolve() == Path(opened.name).resolve():
            raise Misused(f"“{target}” is the archive itself; name another file.")
        with fresh_file(target, force=force) as draft:
            maintenance.backup(opened, draft)
    tell_written(target, "a whole copy.")


@command.command()
@click.argument("url")
@archive_option
@json_option
def copy(url: str, archive: str | None, as_json: bool) -> None:
    """Copy the whole archive into another one at URL, which must be new: a file, or a server for many tables.

    \b
    Example: companion archive copy postgresql://club/companion
    """
    from companion.archive import maintenance

    with open_archive(archive) as opened, open_archive(url, create=True) as target:
        if target.name == opened.name:
            raise Misused(f"{opened.name} is the archive itself; name another.")
        count = maintenance.copy_archive(opened, target, _with_progress)
    if as_json:
        print_json({"archive": target.name, "entries": count})
    else:
        click.echo(sanitize(f"{target.name}: {count:,} entries copied."))


@command.command(name="backups")
@archive_option
@json_option
def list_backups(archive: str | None, as_json: bool) -> None:
    """List the backups of the archive, newest first: those made by themselves, and copies that lie beside it.

    One is made when an evening ends and after each hour of play. The newest 15 stay, and older ones thin out; those
    from before a newer companion changed the tables stay for ever. Newer is what the archive had grown to; dates are
    only shown. Each was read back. Works also where the archive cannot be opened.

    \b
    Example: companion archive backups
    """
    from companion.archive.recovery import backups

    print_list(
        backups.list_backups(_archive_file(archive)),
        ("Made", "Why", "Bytes", "File"),
        lambda row: (backups.local_time(row), backups.REASONS[row.why], f"{row.bytes:,}", str(row.path)),
        "No backup yet. One is made when an evening ends; companion archive backup makes one now.",
        as_json=as_json,
        plain=lambda row: row._asdict() | {"path": str(row.path)},
    )


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@archive_option
@json_option
def restore(file: Path, archive: str | None, as_json: bool) -> None:
    """Put the backup FILE in the archive's place; it is checked first, and the present one is kept beside it.

    Nothing is done while another window or program has the archive open. Works also where it cannot be opened.

    \b
    Example: companion archive restore archive.sqlite.backups/0000004711-2026-03-14-220000-evening.sqlite
    """
    from companion.archive.recovery.restore import restore as put_in_place

    target = _archive_file(archive)
    previous = put_in_place(file, target, datetime.now(UTC))
    if as_json:
        print_json({"archive": str(target), "file": str(file), "kept": None if previous is None else str(previous)})
        return
    click.echo(sanitize(f"{target} is now what {file} holds."))
    if previous is not None:
        click.echo(sanitize(f"What was there is kept as {previous}."))


@command.command()
@archive_option
@json_option
def accept(archive: str | None, as_json: bool) -> None:
    """Take the archive as it is, though this computer last saw more in it.

    An archive that holds less than this computer last saw in it, or is gone, is an old copy or a disk that is missing,
    so nothing is written to it. If you know why it is so, this makes the computer forget what it saw.

    \b
    Example: companion archive accept
    """
    from companion.archive.recovery import last_seen

    file = _archive_file(archive)
    before, now = last_seen.recall(file), last_seen.accept(file)
    if as_json:
        print_json({"archive": str(file), "before": before, "growth": now})
    elif now is None:
        click.echo(sanitize(f"{file} is forgotten; a new archive may begin there."))
    else:
        click.echo(sanitize(f"{file} is taken as it is."))


@command.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--off", is_flag=True, help="Copy nothing elsewhere any more; the copies stay.")
@archive_option
@json_option
def follow(folder: Path | None, off: bool, archive: str | None, as_json: bool) -> int:
    """Keep a copy elsewhere: after each backup, the newest one is also written into FOLDER, as on a stick.

    Where the stick is not there nothing happens, and what is missing follows when it is there again. Without FOLDER it
    says how the copy is, as home does. Ends with 1 if a copy could not be written.

    \b
    Example: companion archive follow /media/stick
    """
    from companion.archive import maintenance
    from companion.archive.recovery import backups

    file = _archive_file(archive)
    if folder is not None and off:
        raise Misused("Name a FOLDER, or say --off.")
    if folder is not None:
        if not file.is_file():
            raise Refused(f"There is no archive “{file}” yet; it begins with the first table or deck.")
        with open_archive(archive) as opened:
            backups.start_offsite(file, folder)
            maintenance.end_evening(opened)
    elif off:
        backups.stop_offsite(file)
    target, state = backups.read_offsite(file), backups.offsite_state(file)
    if as_json:
        print_json({"target": target, "state": state.text if state else None})
    elif target is None or state is None:
        click.echo("There is no copy elsewhere; companion archive follow FOLDER begins one.")
    else:
        click.echo(sanitize(state.text))
        click.echo(sanitize(f"It is kept in {target.folder}."))
    return REFUSED if folder is not None and target is not None and target.problem else 0


def _archive_file(archive: str | None) -> Path:
    """Return the archive's file, even if it is damaged or missing. Raises Refused for a server."""
    from companion.archive.storage.location import locate

    url = locate(archive, dangling=True)
    if url.drivername != "sqlite":
        raise Refused("This archive is on a server; the server's own tools, pg_dump and pg_restore, keep its backups.")
    return Path(url.database or "")


@command.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@output_option("The same as FILE; - for standard output.")
@archive_option
@force_option
def export(file: Path | None, out: Path | None, archive: str | None, force: bool) -> None:
    """Write everything that the archive holds to FILE, for another home or a newer program.

    \b
    Example: companion archive export everything.gz
    """
    from companion.archive.exchange import archive_export

    target = _output_file(file, out)
    if target is None:
        raise Misused("Name the FILE to write, or - for standard output.")
    with open_archive(archive) as opened, fresh_file(target, force=force) as draft:
        count = archive_export.export_archive(opened, draft, _with_progress)
    tell_written(target, f"{count:,} entries.")


def _output_file(file: Path | None, out: Path | None) -> Path | None:
    """Return the file to write, which `-o` may name as in all commands. Raises Misused if it is named twice."""
    if file is not None and out is not None:
        raise Misused("Name the file once: as FILE, or by -o.")
    return file or out


@command.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@yes_option
@archive_option
@json_option
def import_(file: Path, yes: bool, archive: str | None, as_json: bool) -> None:
    """Take in everything that FILE holds, at once or not at all; what is here already is left as it is.

    Where something went on differently here and there nothing is taken in; companion deck import joins
    stories of decks. Where a story only went on elsewhere, or says what no rule makes, you are told and asked; --yes
    answers for you. companion archive undo-import takes it back.

    \b
    Example: companion archive import everything.gz
    """
    from companion.archive.exchange import archive_export
    from companion.archive.exchange.import_doubts import find_doubts

    # Only a file that may be imported begins an archive.
    archive_export.check_header(file)
    with open_archive(archive, create=True) as opened:
        confirm_doubts(find_doubts(opened, file), yes=yes)
        with reading_bar("archive") as watch:
            new, longer, unchanged, entries = archive_export.import_archive(opened, file, watch)
    if as_json:
        print_json({"new": new, "longer": longer, "known": unchanged, "entries": entries})
        return
    click.echo(f"{entries:,} entries taken in: {new} stories new, {longer} went on, {unchanged} known.")


@command.command()
@click.option("--dry-run", is_flag=True, help="Only say which import is the last.")
@archive_option
@json_option
def undo_import(dry_run: bool, archive: str | None, as_json: bool) -> None:
    """Take back what the last import of an archive or of decks brought: everything is as it was before.

    That is possible until something is played on it, noted or printed; said again, it takes back the import before
    that. The last ten are remembered.

    \b
    Example: companion archive undo-import
    """
    from companion.archive.exchange import import_log

    with open_archive(archive) as opened:
        record = import_log.last_import(opened) if dry_run else import_log.undo_import(opened)
    if record is None:
        raise Refused("There is no import here that could be taken back.")
    if as_json:
        print_json(record._asdict() | {"at": record.at.isoformat(), "undone": not dry_run})
        return
    verb = "The last import" if dry_run else "Taken back"
    count = f"{record.entries:,} entries of {record.streams:,} {'story' if record.streams == 1 else 'stories'}"
    click.echo(
        sanitize(f"{verb}: {quote_text(record.file)}, imported {format_local_time(record.at)} by {record.by}; {count}.")
    )


@command.command()
@click.option("--repair", is_flag=True, help="Make the lists again; save what can be read of a damaged archive.")
@archive_option
@json_option
def check(repair: bool, archive: str | None, as_json: bool) -> int:
    """Check that the archive is as it was written and that its lists say what its entries add up to.

    With --repair lists are made again. Where entries are damaged or lost, all that can be read is saved into a new file
    beside the archive, which stays as it is; what is missing is taken from the backups, and what stays lost is named.
    Ends with 1 if something is wrong and stays wrong.

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


def _find_faults(archive: str | None) -> tuple["Fault", ...]:
    """Return the faults of a full check; for a file that is too damaged to open, those of its pages."""
    from companion.archive import maintenance as checking

    try:
        with open_archive(archive, tells=False) as opened:
            return checking.check_archive(opened, _with_progress, thorough=False)
    except Unreadable as error:
        faults = checking.check_unopened(error, _archive_file(archive))
        if not faults:
            raise
        return faults


def _mend_lists(archive: str | None) -> tuple["Fault", ...]:
    from companion.archive import maintenance
    from companion.archive.maintenance import Fault

    try:
        with open_archive(archive) as opened:
            maintenance.repair(opened, _with_progress)
    except ArchiveError as error:
        return (Fault(f"The lists cannot be made again where they are. {error}", mendable=False),)
    return ()


def _save(archive: str | None, *, as_json: bool) -> None:
    from companion.archive import salvage
    from companion.archive.recovery import backups
    from companion.archive.storage import files

    file = _archive_file(archive)
    target = files.unused_path(file.with_name(backups.dated_name(datetime.now(), f"{file.stem}-repaired")))
    with files.write_atomically(target) as draft:
        saved = salvage.salvage_archive(file, draft)
    if not as_json:
        _print_saved(target, saved)


def _print_saved(target: Path, saved: "SalvageResult") -> None:
    for each in (*saved.mended, *saved.fetched, *saved.lost, *saved.unlisted, *saved.unsure, *saved.unreadable):
        click.echo(sanitize(each.text))
    count = sum(len(each.seqs) for each in saved.lost)
    lost = f"lost: {count:,}" if count else "as far as can be told, none is lost"
    click.echo(sanitize(f"{target}: {saved.entries:,} entries saved; {lost}."))
    click.echo(sanitize(f"companion archive restore {target} puts it in the archive's place."))


def _with_progress(kind: str, streams: Sequence[str]) -> Iterator[str]:
    """Yield the streams with a progress bar of the sessions, decks or people on a terminal."""
    from companion.archive.storage.lists import plural_of

    with click.progressbar(streams, label=plural_of(kind), file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield from bar


def _print_faults(faults: tuple["Fault", ...], remaining: tuple["Fault", ...]) -> None:
    for fault in faults:
        text = with_hint(fault.text, fault.look)
        click.echo(sanitize(text if fault in remaining else f"{text} Mended."))
    if not faults:
        click.echo("The archive is whole, and its lists say what its entries add up to.")


def _print_next_steps(archive: str | None, remaining: tuple["Fault", ...]) -> None:
    from companion.archive.recovery import backups

    if all(fault.mendable for fault in remaining):
        click.echo("companion archive check --repair makes the lists again.")
        return
    newest = backups.describe_newest(_archive_file(archive))
    click.echo("companion archive check --repair saves all that can be read into a new file, and says what is lost.")
    click.echo(sanitize(f"Backups, newest first: {newest}." if newest else "There is no backup beside it."))
