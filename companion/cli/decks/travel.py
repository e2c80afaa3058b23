"""`companion deck export`, `import`, `adopt`, `check`, `passport`: decks that move between homes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from companion.archive import deck_id, deck_records
from companion.archive.storage import files
from companion.cli.common import (
    MISUSED,
    REFUSED,
    Misused,
    archive_option,
    confirm_doubts,
    find_deck,
    force_option,
    format_local_time,
    fresh_file,
    json_option,
    open_archive,
    output_option,
    pages_at_hand,
    print_json,
    print_or_write,
    print_warnings,
    read_text,
    reading_bar,
    sanitize,
    tell_written,
    yes_option,
)
from companion.cli.printing import options
from companion.games import registry
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks import decklist
from companion.tabletop.decks.form import Finding
from labels import handwritten

_MAX_FINDINGS: Final = 50
"""The number of findings on a deck list that are printed."""


@click.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK…")
@output_option("File to write; - for standard output.", required=True)
@archive_option
@force_option
def export(decks: Sequence[str], out: Path, archive: str | None, force: bool) -> None:
    """Write the whole stories of decks to one file, to take to another home.

    \b
    Example: companion deck export "Grave Choir" -o grave-choir.decks
    """
    from companion.archive.exchange import deck_export

    with open_archive(archive) as opened, fresh_file(out, force=force) as draft:
        rows = {row.deck: row for row in (find_deck(opened, text) for text in decks)}
        deck_export.export_decks(opened, tuple(rows), draft)
    tell_written(out, ", ".join(row.name for row in rows.values()))


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be taken in.")
@click.option(
    "--keep",
    type=click.Choice(["mine", "theirs"]),
    help="Of stories that diverged: which holds. The other is told too, and corrected.",
)
@click.option("--reverse", is_flag=True, help="Take in also what undoes, by a later decision, what was decided here.")
@yes_option
@archive_option
@json_option
def import_(file: Path, dry_run: bool, keep: Any, reverse: bool, yes: bool, archive: str | None, as_json: bool) -> int:
    """Take in the decks of a FILE that another home exported.

    New and newer stories are taken in, nothing that is here is overwritten. Where a story only went on elsewhere, or
    says what no rule makes, you are told and asked; --yes answers for you. Where a story went on differently here and
    there, both are shown from there on, and nothing is taken in until you say which holds. Where both homes have said
    so, what was decided later holds: what that would change here is shown, and waits for --reverse. Ends with 1 while
    something waits. companion archive undo-import takes an import back until somebody goes on with it.

    \b
    Examples: companion deck import grave-choir.decks
              companion deck import grave-choir.decks --keep theirs
    """
    from companion.archive.exchange import deck_export, deck_import
    from companion.archive.exchange.import_doubts import find_doubts

    with reading_bar("decks") as watch:
        stories = deck_export.read_stories(file, watch)
    with open_archive(archive, create=not dry_run, scratch=dry_run) as opened:
        confirm_doubts(find_doubts(opened, file), yes=yes or dry_run or keep is not None)
        with reading_bar("decks") as watch:
            results = (
                deck_import.preview_import(opened, stories)
                if dry_run
                else deck_import.import_decks(opened, stories, keep, reverse=reverse, file=file.name)
            )
    if as_json:
        print_json([msgspec.to_builtins(result._asdict()) for result in results])
    else:
        for result in results:
            _print_result(result)
    waiting = (deck_import.ImportVerdict.DIVERGED, deck_import.ImportVerdict.REVERSED)
    return REFUSED if any(a.verdict in waiting and not a.taken for a in results) else 0


def _print_result(result: Any) -> None:
    suffix = ", taken in" if result.taken else ""
    click.echo(sanitize(f"{result.name} ({deck_id.show(result.deck)}): {result.verdict}{suffix}"))
    if result.verdict != "diverged":
        _print_changes(result)
    elif not result.taken:
        _print_story(f"Here, from mark {result.fork} on:", result.mine)
        _print_story(f"In the file, from mark {result.fork} on:", result.theirs)
        click.echo(
            "  Import again with --keep mine or --keep theirs: that one holds, and the other is told as corrected."
        )


def _print_changes(result: Any) -> None:
    """Print the changes that a story makes to the marks here, or would make."""
    counts, does = ("counts", "does") if result.taken else ("would count", "would")
    if result.mine:
        _print_story(f"What {does} not count here any more:", result.mine)
    if result.theirs:
        _print_story(f"What {counts} here again:", result.theirs)
    if result.verdict == "reversed" and not result.taken:
        click.echo(
            "  Here and in the other home it was decided differently which story holds, and there it was later. "
            "Nothing was taken in; import again with --reverse to let that hold."
        )


def _print_story(heading: str, story: Sequence[Any]) -> None:
    click.echo(f"  {heading}")
    for line in story:
        click.echo(sanitize(f"    {line.number}  {format_local_time(line.at)}  {line.by}  {line.text}"))


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--example", is_flag=True, help="Print an example of such a file, to be filled in.")
@click.option(
    "--photo",
    "photos",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="PICTURE",
    help="Print such a file with what the labels in a photograph say, to be completed; may be given several times.",
)
@click.option("--game", metavar="GAME", help="Of which game such a file is printed; else of the first that has one.")
@output_option("File for what is printed; else, or as -, it is printed.")
@click.option("--by", default="", help="Who read the paper.")
@archive_option
@force_option
@json_option
def adopt(
    file: Path | None,
    example: bool,
    photos: Sequence[Path],
    game: str | None,
    out: Path | None,
    by: str,
    archive: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Take in a deck that lived on paper, from a FILE that says what its record sheet says.

    \b
    Examples: companion deck adopt --example -o lantern-debt.toml
              companion deck adopt --photo spread.jpg -o lantern-debt.toml
              companion deck adopt lantern-debt.toml --by Ben
    """
    if example or photos:
        _print_file_to_complete(photos, game, out, force=force)
        return
    if out is not None:
        raise Misused("What is to be filled in is written into a file; give --example or --photo beside -o.")
    if file is None:
        raise Misused("Name the file to adopt from; companion deck adopt --example prints one to fill in.")
    data = _read_toml(file)
    with open_archive(archive, create=True) as opened:
        deck, record, warnings = deck_records.adopt_deck(opened, data, by)
    unlabelled = options.box_label_warnings(record.name)
    warnings = (*warnings, *unlabelled)
    if as_json:
        print_json({"deck": deck, "warnings": warnings, **msgspec.to_builtins(record)})
        return
    click.echo(sanitize(f"{record.name} is adopted: {deck_id.show(deck)}"))
    print_warnings(warnings)
    options.print_box_hint(deck, unlabelled)


def _print_file_to_complete(photos: Sequence[Path], game: str | None, out: Path | None, *, force: bool) -> None:
    """Print an example of a deck on paper, or one filled in from the labels in photographs."""
    from companion.cli.decks.photographs import read_photographs
    from companion.cli.printing.run import translate_label_errors
    from companion.printing import wording

    if not photos:
        print_or_write(wording.paper_deck_example(game), out, "an example to fill in.", force=force)
        return
    numbers = [spread.numbers for spread in read_photographs(photos)]
    with translate_label_errors():
        text = wording.paper_deck_from_labels(game, numbers)
    print_or_write(text, out, "what the labels say; fill in the rest.", force=force)


@click.command()
@click.argument("file", metavar="DECKLIST", type=click.Path(path_type=Path))
@archive_option
@json_option
def check(file: Path, archive: str | None, as_json: bool) -> int:
    """Check a deck list by the rules of its game; nothing is taken in.

    A deck list is a FILE as `adopt` reads it, or plain text whose first line names the game and the part of the deck,
    with a line for each card below: 4 Ash Wolf. Everything that is wrong is told at once, by line, with its rule. Ends
    with 2 where something cannot be read, else with 1 where a rule is broken.

    \b
    Example: companion deck check lantern-debt.toml
    """
    name, findings = _find_findings(file, archive)
    if as_json:
        print_json(_verdict_fields(name, findings))
    else:
        _print_findings(name, findings)
    if any(finding.unreadable for finding in findings):
        return MISUSED
    return 0 if all(finding.warning for finding in findings) else REFUSED


def _find_findings(file: Path, archive: str | None) -> tuple[str, Sequence[Finding]]:
    """Return the name of a deck list, and everything that is wrong or doubtful about it, in the order of its lines."""
    try:
        return _check_rules(file, archive)
    except (NotationError, RuleError) as error:
        return file.stem, (Finding(str(error), unreadable=isinstance(error, NotationError)),)


def _check_rules(file: Path, archive: str | None) -> tuple[str, Sequence[Finding]]:
    """Check a deck list as `_find_findings`. Raises NotationError, RuleError if no game judges such a list."""
    text = _read_file(file)
    games: Sequence[str] = registry.GAMES
    if not decklist.is_list(text, games):
        with pages_at_hand(archive):
            games = registry.names()
    if not decklist.is_list(text, games):
        with open_archive(archive, scratch=not archive) as opened:
            filled = deck_records.fill_form(opened, _read_toml(file))
        return filled.name, filled.findings
    deck_list = decklist.read(text, games)
    with pages_at_hand(archive):
        game = registry.game(deck_list.game)
    if game.deck_list is None:
        raise RuleError(f"{game.title} has no deck lists.")
    findings = (*deck_list.findings, *game.deck_list.findings(deck_list))
    return file.stem, sorted(findings, key=lambda finding: _finding_line(finding) or 0)


def _finding_line(finding: Finding) -> int | None:
    """Return the line in a deck list; a form has fields instead."""
    return None if finding.place.field else finding.place.entry


def _finding_kind(finding: Finding) -> str:
    return "unreadable" if finding.unreadable else "warning" if finding.warning else "error"


def _verdict_fields(name: str, findings: Sequence[Finding]) -> dict[str, object]:
    """Return a verdict for JSON."""
    errors = [finding.text for finding in findings if _finding_kind(finding) != "warning"]
    rows = [
        {"line": _finding_line(finding), "kind": _finding_kind(finding), "text": finding.text} for finding in findings
    ]
    warnings = [finding.text for finding in findings if _finding_kind(finding) == "warning"]
    return {"valid": not errors, "name": name, "errors": " ".join(errors), "warnings": warnings, "findings": rows}


def _print_findings(name: str, findings: Sequence[Finding]) -> None:
    """Print a verdict; errors go to stderr, and the warnings with them."""
    is_deck = all(finding.warning for finding in findings)
    if is_deck:
        click.echo(sanitize(f"{name} is a deck by the rules."))
    for finding in findings[:_MAX_FINDINGS]:
        click.echo(sanitize(f"{'Mind: ' if finding.warning else ''}{finding.text}"), err=not is_deck)
    if len(findings) > _MAX_FINDINGS:
        click.echo(f"And {len(findings) - _MAX_FINDINGS:,} more; mend these first.", err=not is_deck)


def _read_file(file: Path) -> str:
    with files.open_input(file) as opened:
        return read_text(opened)


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return handwritten.load(_read_file(file), "hp = 13", 'name = "Ash Wolf"')
    except handwritten.BrokenLine as error:
        raise Misused(sanitize(f"“{file}” is not TOML: {error}")) from None


@click.command()
@click.argument("deck")
@archive_option
@json_option
def passport(deck: str, archive: str | None, as_json: bool) -> None:
    """Print the text of a deck's passport, as its record sheet holds it in a QR code.

    \b
    Example: companion deck passport "Grave Choir"
    """
    from companion.archive.exchange import passport as passports

    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        text = passports.write(opened, row.deck)
    if as_json:
        print_json({"deck": row.deck, "name": row.name, "passport": text})
        return
    click.echo(text)
