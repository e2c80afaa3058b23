"""`companion doctor`: checks everything that the companion uses on this machine, and says what to do about problems."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final

import click
import msgspec

from companion.cli.common import REFUSED, archive_option, json_option, print_json, sanitize, with_hint
from companion.cli.screen import check_network
from companion.forms.health import run_checks, summarize_checks
from companion.tui.terminal.terminal import read_terminal
from companion.tui.terminal_checks import SYMBOLS, check_terminal
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.forms.health import AreaChecks, HealthCheck, Status


_WORDS: Final[dict[Status, Text]] = {"good": phrase("good"), "optional": phrase("optional"), "todo": phrase("TO DO")}


_LEAST_WIDTH: Final = 8
"""The least columns of the states."""


@click.command("doctor")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> int:
    """Check the terminal, fonts, printers, camera, network and archive of this computer.

    Each line is marked good, optional (needed only for the named feature) or to do, with instructions. Nothing is
    changed. Exits with status 1 if something is to do. F2 in the settings (F12 at home) shows the same list.

    \b
    Example: companion doctor
    """
    own: dict[str, AreaChecks] = {"Terminal": partial(check_terminal, read_terminal(SYMBOLS)), "Phones": check_network}
    checks = run_checks(archive, own)
    if as_json:
        print_json([_plain_check(check) for check in checks])
    else:
        for line in (*_check_lines(checks), summarize_checks(checks)):
            # The output must not fail in a terminal without these symbols, as that is one of the findings.
            click.echo(str(line).encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))
    return REFUSED if any(check.status == "todo" for check in checks) else 0


def _plain_check(check: HealthCheck) -> dict[str, object]:
    """Return a check for programs."""
    fields = msgspec.structs.asdict(check)
    del fields["page_text"]
    return {**fields, "text": str(check.text)}


def _check_lines(checks: Sequence[HealthCheck]) -> Iterator[str]:
    """Yield the checks below the names of their areas, one per line; on a terminal lines are wrapped between words."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    longest = max(_LEAST_WIDTH, *(len(str(word)) for word in _WORDS.values()))
    for area, in_area in groupby(checks, key=lambda check: str(check.area_title)):
        yield area
        for check in in_area:
            hint = with_hint(str(check.text), check.look)
            text = sanitize(f"  {_WORDS[check.status]!s:<{longest}}  {check.title}: {hint}")
            yield click.wrap_text(text, width, subsequent_indent=" " * (longest + 4)) if width else text
