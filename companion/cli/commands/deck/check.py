"""`companion deck check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from companion.archive import deck_records
from companion.cli.commands.deck._shared import read_file, read_toml
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
from companion.games import registry
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks import decklist
from companion.tabletop.decks.form import Finding
from templates.languages.messages import phrase

_MAX_FINDINGS: Final = 50
"""The number of findings on a deck list that are printed."""


@click.command("check")
@click.argument("file", metavar="DECKLIST", type=click.Path(path_type=Path))
@archive_option
@json_option
def command(file: Path, archive: str | None, as_json: bool) -> int:
    """Check a deck list against the rules of its game, without importing it.

    A deck list is a FILE for `adopt`, or plain text whose first line names the game and the part of the deck, with one
    line for each card below, such as 4 Ash Wolf. All errors are reported at once, with line and rule. Exits with status
    2 if something cannot be read, and with 1 if a rule is broken.

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
    text = read_file(file)
    games: Sequence[str] = registry.GAMES
    if not decklist.is_list(text, games):
        with pages_at_hand(archive):
            games = registry.names()
    if not decklist.is_list(text, games):
        with open_archive(archive, scratch=not archive) as opened:
            filled = deck_records.fill_form(opened, read_toml(file))
        return filled.name, filled.findings
    deck_list = decklist.read(text, games)
    with pages_at_hand(archive):
        game = registry.game(deck_list.game)
    if game.decks.deck_list is None:
        raise RuleError(phrase("{game} has no deck lists.", game=game.title))
    findings = (*deck_list.findings, *game.decks.deck_list.findings(deck_list))
    return file.stem, sorted(findings, key=lambda finding: _finding_line(finding) or 0)


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
