"""`companion deck check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from companion.archive import deck_records
from companion.archive.storage import files
from companion.cli.common import (
    MISUSED,
    REFUSED,
    archive_option,
    json_option,
    open_archive,
    pages_at_hand,
    print_json,
    sanitize,
)
from companion.cli.deck_lists import game_of_list, parse_wishes, read_list_text, section_options
from companion.cli.decks import is_toml, read_toml
from companion.games import registry
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.deck_lists.reading import is_deck_list, read_deck_list
from companion.tabletop.decks.form import Finding
from companion.tabletop.decks.list_wishes import ListWishes
from templates.languages.messages import joined, phrase

_MAX_FINDINGS: Final = 50
"""The number of findings on a deck list that are printed."""


@click.command("check")
@click.argument("file", metavar="DECKLIST", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="Game of the deck; by default, the one that the list names.")
@section_options
@archive_option
@json_option
def command(
    file: Path, game: str | None, sections: Sequence[str], skip: bool, archive: str | None, as_json: bool
) -> int:
    """Check a deck list against the rules of its game, without importing it.

    A deck list is a FILE for `adopt`, or a list in any usual format with one card per line, such as 4 Ash Wolf. Its
    first line may name the game and the part of the deck; otherwise, name the game with --game. All errors are
    reported at once, with line and rule. Exits with status 2 if something cannot be read, and with 1 if a rule is
    broken.

    \b
    Examples: companion deck check lantern-debt.toml
              companion deck check burn.cod --game our-duel
    """
    wishes = parse_wishes(sections, skips=skip)
    name, findings = _find_findings(file, game, wishes, archive)
    if as_json:
        print_json(_verdict_fields(name, findings))
    else:
        _print_findings(name, findings)
    if any(finding.unreadable for finding in findings):
        return MISUSED
    return 0 if all(finding.warning for finding in findings) else REFUSED


def _find_findings(
    file: Path, game: str | None, wishes: ListWishes, archive: str | None
) -> tuple[str, Sequence[Finding]]:
    """Return the name of a deck list, and everything that is wrong or doubtful about it, in the order of its lines."""
    try:
        return _check_rules(file, game, wishes, archive)
    except (NotationError, RuleError) as error:
        return file.stem, (Finding(str(error), unreadable=isinstance(error, NotationError)),)


def _check_rules(
    file: Path, game: str | None, wishes: ListWishes, archive: str | None
) -> tuple[str, Sequence[Finding]]:
    """Check a deck list as `_find_findings`. Raises NotationError, RuleError if no game judges such a list."""
    with files.open_input(file) as opened_file:
        text = read_list_text(opened_file)
    with pages_at_hand(archive):
        is_list = game is not None or is_deck_list(text, registry.names()) or _is_other_list(file, text)
        rules = game_of_list(text, game) if is_list else None
    if not is_list:
        with open_archive(archive, scratch=not archive) as opened:
            filled = deck_records.fill_form(opened, read_toml(file))
        return filled.name, filled.findings
    if rules is None:
        read = read_deck_list(text, ())
        sentence = phrase("Name the game of this list with --game.")
        raise NotationError(joined(" ", (read.summary, sentence)))
    assert rules.decks.deck_list is not None
    deck_list = read_deck_list(text, (rules.name,), rules.decks.list_parts, wishes).deck_list
    findings = (*deck_list.findings, *rules.decks.deck_list.findings(deck_list))
    return file.stem, sorted(findings, key=lambda finding: _finding_line(finding) or 0)


def _is_other_list(file: Path, text: str) -> bool:
    """Return True if a text may be the list of another program, which names no game, rather than a broken form."""
    return file.suffix.lower() != ".toml" and not is_toml(text)


def _finding_line(finding: Finding) -> int | None:
    """Return the line in a deck list; a form has fields instead."""
    return None if finding.place.field else finding.place.entry


def _finding_kind(finding: Finding) -> str:
    return "unreadable" if finding.unreadable else "warning" if finding.warning else "error"


def _verdict_fields(name: str, findings: Sequence[Finding]) -> dict[str, object]:
    """Return a verdict for JSON."""
    errors = [str(finding.text) for finding in findings if _finding_kind(finding) != "warning"]
    rows = [
        {"line": _finding_line(finding), "kind": _finding_kind(finding), "text": str(finding.text)}
        for finding in findings
    ]
    warnings = [str(finding.text) for finding in findings if _finding_kind(finding) == "warning"]
    return {"valid": not errors, "name": name, "errors": " ".join(errors), "warnings": warnings, "findings": rows}


def _print_findings(name: str, findings: Sequence[Finding]) -> None:
    """Print a verdict; errors go to stderr, and the warnings with them."""
    is_deck = all(finding.warning for finding in findings)
    if is_deck:
        click.echo(sanitize(phrase("{name} is a deck by the rules.", name=name)))
    for finding in findings[:_MAX_FINDINGS]:
        click.echo(
            sanitize(phrase("Mind: {sentence}", sentence=finding.text) if finding.warning else finding.text),
            err=not is_deck,
        )
    if len(findings) > _MAX_FINDINGS:
        click.echo(
            phrase("And {findings} more; mend these first.", findings=len(findings) - _MAX_FINDINGS), err=not is_deck
        )
