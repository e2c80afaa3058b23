"""`companion deck import`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
import msgspec

from companion.archive import deck_id
from companion.archive.exchange import deck_export, deck_import
from companion.archive.exchange.import_doubts import find_doubts
from companion.cli.common import (
    REFUSED,
    archive_option,
    confirm_doubts,
    encode_message,
    json_option,
    open_archive,
    print_json,
    reading_bar,
    sanitize,
    yes_option,
)
from companion.cli.story_lines import print_story
from templates.languages.messages import Text, joined, phrase


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@click.option(
    "--keep",
    type=click.Choice(["mine", "theirs"]),
    help="Which branch of a diverged history holds. The other one is kept in the history as corrected.",
)
@click.option("--reverse", is_flag=True, help="Also import later choices that overturn a choice made here.")
@yes_option
@archive_option
@json_option
def command(file: Path, dry_run: bool, keep: Any, reverse: bool, yes: bool, archive: str | None, as_json: bool) -> int:
    """Import decks from a FILE that another home exported.

    New decks and newer histories are imported; nothing is overwritten. If a history only continued elsewhere, or
    contains something that the rules do not allow, you are asked to confirm; --yes confirms for you. If a history
    diverged, both branches are shown from that point on, and nothing is imported until you choose one with --keep. If
    both homes have chosen, the later choice holds: its changes to this archive are shown, and wait for --reverse. Exits
    with status 1 while anything waits. companion archive undo-import undoes an import until a deck is used.

    \b
    Examples: companion deck import grave-choir.decks
              companion deck import grave-choir.decks --keep theirs
    """
    with reading_bar(phrase("Decks")) as watch:
        stories = deck_export.read_stories(file, watch)
    with open_archive(archive, create=not dry_run, scratch=dry_run) as opened:
        confirm_doubts(find_doubts(opened, file), yes=yes or dry_run or keep is not None)
        with reading_bar(phrase("Decks")) as watch:
            results = (
                deck_import.preview_import(opened, stories)
                if dry_run
                else deck_import.import_decks(opened, stories, keep, reverse=reverse, file=file.name)
            )
    if as_json:
        print_json([msgspec.to_builtins(result._asdict(), enc_hook=encode_message) for result in results])
    else:
        for result in results:
            _print_result(result)
    waiting = (deck_import.ImportVerdict.DIVERGED, deck_import.ImportVerdict.REVERSED)
    return REFUSED if any(a.verdict in waiting and not a.taken for a in results) else 0


_VERDICTS: Final = {
    deck_import.ImportVerdict.NEW: phrase("new"),
    deck_import.ImportVerdict.UNCHANGED: phrase("unchanged"),
    deck_import.ImportVerdict.NEWER: phrase("newer"),
    deck_import.ImportVerdict.OLDER: phrase("older"),
    deck_import.ImportVerdict.DIVERGED: phrase("diverged"),
    deck_import.ImportVerdict.REVERSED: phrase("reversed"),
}


def _print_result(result: Any) -> None:
    verdict: Text = _VERDICTS[result.verdict]
    if result.taken:
        verdict = joined(", ", (verdict, phrase("taken in")))
    click.echo(sanitize(f"{result.name} ({deck_id.show(result.deck)}): {verdict}"))
    if result.verdict != "diverged":
        _print_changes(result)
    elif not result.taken:
        print_story(phrase("Here, from entry {fork} on:", fork=result.fork), result.mine)
        print_story(phrase("In the file, from entry {fork} on:", fork=result.fork), result.theirs)
        click.echo(
            phrase(
                "  Import again with --keep mine or --keep theirs: that one holds, and the other is told as corrected."
            )
        )


def _print_changes(result: Any) -> None:
    """Print the changes that a story makes to the marks here, or would make."""
    if result.mine:
        print_story(
            phrase("What does not count here any more:")
            if result.taken
            else phrase("What would not count here any more:"),
            result.mine,
        )
    if result.theirs:
        print_story(
            phrase("What counts here again:") if result.taken else phrase("What would count here again:"), result.theirs
        )
    if result.verdict == "reversed" and not result.taken:
        click.echo(
            phrase(
                "  Here and in the other home it was decided differently which story holds, and there it was later. "
                "Nothing was taken in; import again with --reverse to let that hold."
            )
        )
