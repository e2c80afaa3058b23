"""The example in the document is what is really said, and every command is in it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.archive import Archive
from companion.plain import opening
from companion.plain.talk import HELP, Talk
from companion.session.live import LiveSessions
from companion.session.sitting import Sitting

DOCUMENT = Path(__file__).parents[2] / "docs" / "plain-lines.md"


def example() -> list[str]:
    """The rows of the one block in the document."""
    (block,) = re.findall(r"```\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    return str(block).splitlines()


def talked(archive: Archive, lines: Sequence[str]) -> list[str]:
    """What is said and typed in a whole talk, in order."""
    rows: list[str] = []

    def typed() -> Iterator[str]:
        for line in lines:
            rows.append(f"> {line}")
            yield line

    typing = typed()
    table = opening.opened(archive, typing, rows.append)
    assert table is not None
    Talk(Sitting(LiveSessions(archive).open(table.session)), rows.append).run(typing)
    return [row.replace(table.session, "7K3M9QPX") for row in rows]


def test_the_example_is_what_is_said(archive: Archive) -> None:
    rows = example()
    assert talked(archive, [row[2:] for row in rows if row.startswith("> ")]) == rows


def test_every_command_of_the_help_is_in_the_document() -> None:
    table = [row for row in DOCUMENT.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    described = {word for row in table for word in re.findall(r"`(\w+)", row)}
    told = {word for sentence in HELP[1:] for word in re.findall(r"(?:^|\. |; )([a-z]+)[^:.;]*:", sentence)}
    assert {"look", "amend", "full", "quit"} <= told <= described
