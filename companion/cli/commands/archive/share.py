"""`companion archive share`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.archive import maintenance
from companion.archive.sharing import description, questions, sharing
from companion.archive.sharing.story_import import Decisions
from companion.archive.storage.location import locate
from companion.cli.common import (
    REFUSED,
    Misused,
    Refused,
    archive_option,
    find_deck,
    json_option,
    open_archive,
    print_json,
    reading_bar,
    sanitize,
)
from companion.cli.confirmation import confirm
from companion.cli.story_lines import print_story
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, listed, phrase, phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.archive import Archive
    from companion.archive.exchange.deck_import import Side
    from companion.archive.sharing.questions import DeckQuestion
    from companion.archive.sharing.sharing import SharingState


@click.command("share")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--off", is_flag=True, help="Stop sharing on this device; what is in the folder stays there.")
@click.option(
    "--keep",
    type=click.Choice(["mine", "theirs"]),
    help="Decide which history of a deck counts if it was played on here and on another device.",
)
@click.option("--reverse", is_flag=True, help="Agree that a later decision of another device replaces yours.")
@click.option("--deck", "decks", metavar="DECK", multiple=True, help="Decide about this deck only.")
@click.option("--yes", is_flag=True, help="Join a folder that others share without asking.")
@archive_option
@json_option
def command(
    folder: Path | None,
    off: bool,
    keep: Side | None,
    reverse: bool,
    decks: tuple[str, ...],
    yes: bool,
    archive: str | None,
    as_json: bool,
) -> int:
    """Share the archive with your other devices through FOLDER, which a program such as Syncthing or Dropbox copies.

    Run it once on each device with its own copy of the folder. From then on, the companion writes what is new into the
    folder, and reads what the other devices wrote, when it starts, while it runs, and when it ends. Without FOLDER, it
    does so now, and shows the state. Exits with status 1 if the folder cannot be used.

    \b
    Examples: companion archive share ~/Dropbox/cards
              companion archive share --keep mine --deck Choir
    """
    url = locate(archive, dangling=True)
    file = Path(url.database or "") if url.drivername == "sqlite" else None
    if off and (folder is not None or keep or reverse):
        raise Misused(phrase("Name a FOLDER, or say --off."))
    people_alike: list[Message] = []
    open_questions: tuple[DeckQuestion, ...] = ()
    if off and file is not None:
        sharing.stop_sharing(file)
    elif folder is not None or sharing.is_shared(file):
        with open_archive(archive, create=folder is not None) as opened:
            if folder is not None:
                _begin(opened, folder, yes=yes)
            about = [find_deck(opened, deck).deck for deck in decks] or None
            with reading_bar(phrase("Archive")) as watch:
                count = sharing.Synchronizer(opened).run(Decisions(keep, reverse, about), watch)
            people_alike = [*description.describe_people_alike(opened)]
            open_questions = questions.read_questions(opened)
        if count and not as_json:
            click.echo(phrases("{n} entry came in.", "{n} entries came in.", n=count))
    elif keep or reverse:
        raise Refused(phrase("This archive is not shared; companion archive share FOLDER begins that."))
    state = sharing.read_state(file)
    if as_json:
        print_json(_as_data(state) if state else None)
    else:
        _print_state(state, people_alike)
        for question in open_questions:
            _print_question(question)
    return REFUSED if state is not None and state.problem else 0


def _print_state(state: SharingState | None, people_alike: Sequence[Message]) -> None:
    if state is None:
        click.echo(phrase("The archive is not shared; companion archive share FOLDER begins that."))
        return
    described = description.SharingDescription.of_state(state)
    for sentence in (described.folder, *described.waiting, *described.files, *people_alike):
        click.echo(sanitize(sentence))


def _print_question(question: DeckQuestion) -> None:
    """Print what each side of a deck's history has that the other lacks, or what a reversal would change."""
    device = question.device
    click.echo(sanitize(phrase("{name}, here and at {device}:", name=in_quotes(question.name), device=device)))
    if not question.is_reversal:
        print_story(phrase("Here, from entry {fork} on:", fork=question.fork), question.mine)
        print_story(phrase("At {device}, from entry {fork} on:", device=device, fork=question.fork), question.theirs)
        return
    if question.mine:
        print_story(phrase("What would not count here any more:"), question.mine)
    if question.theirs:
        print_story(phrase("What would count here again:"), question.theirs)


def _as_data(state: SharingState) -> dict[str, object]:
    return {
        "folder": str(state.folder),
        "state": str(description.SharingDescription.of_state(state).folder),
        "problem": state.problem,
        "devices": [device.name for device in state.devices],
        "waiting": [story._asdict() for story in state.waiting],
        "broken": list(state.broken),
        "newer": list(state.newer),
    }


def _begin(archive: Archive, folder: Path, *, yes: bool) -> None:
    """Share through a folder from now on, after a backup, and after a question if others share there already."""
    state = sharing.read_state(archive.store.file)
    if state is not None and state.folder == folder.resolve():
        return
    totals = maintenance.info(archive)
    others = sharing.find_devices(folder.resolve())
    if others and totals.entries and not yes:
        question = phrase(
            "{devices} already share an archive there. It and yours become one, on all these devices. Go on?",
            devices=listed(others),
        )
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise Refused(phrase("{devices} already share an archive there; --yes joins it.", devices=listed(others)))
        if not confirm(question, err=True):
            raise Refused(phrase("Nothing is shared."))
    maintenance.end_evening(archive)
    sharing.start_sharing(archive, folder)
