"""The example in the document is what is really said, and every command is in it."""

import re

from companion.archive import Archive
from companion.plain.talk import HELP
from tests.plain.example import DOCUMENT, example, talked


def test_the_example_is_what_is_said(archive: Archive) -> None:
    assert talked(archive, example()) == example(), "python -m tests.plain.example writes it anew"


def test_every_command_of_the_help_is_in_the_document() -> None:
    table = [row for row in DOCUMENT.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    described = {word for row in table for word in re.findall(r"`(\w+)", row)}
    commands = {word for sentence in HELP[1:] for word in re.findall(r"(?:^|\. |; )([a-z]+)[^:.;]*:", str(sentence))}
    assert {"look", "amend", "full", "quit"} <= commands <= described
