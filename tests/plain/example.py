"""The example in docs/plain-lines.md: what is typed stands there, and what is said is made from it.

Run where a wording has changed: python -m tests.plain.example
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.archive import Archive
from companion.plain import opening
from companion.plain.talk import Talk
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient

DOCUMENT = Path(__file__).parents[2] / "docs" / "plain-lines.md"
_BLOCK = re.compile(r"```\n(.*?)```", re.DOTALL)
_TYPED = "> "


def example() -> list[str]:
    """The rows of the one block in the document."""
    (block,) = _BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))
    return str(block).splitlines()


def talked(archive: Archive, rows: Sequence[str]) -> list[str]:
    """What is said and typed in a whole talk, in order, where this is typed again."""
    lines = [row.removeprefix(_TYPED) for row in rows if row.startswith(_TYPED)]
    output: list[str] = []

    def typed() -> Iterator[str]:
        for line in lines:
            output.append(f"{_TYPED}{line}")
            yield line

    typing = typed()
    table = opening.open_table(archive, typing, output.append)
    assert table is not None
    Talk(TableClient(SharedSessions(archive).open(table.session)), output.append).run(typing)
    return [row.replace(table.session, "7K3M9QPX") for row in output]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place, Archive.open(f"{place}/archive.sqlite") as passing:
        block = "\n".join(("```", *talked(passing, example()), "```"))
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(_BLOCK.sub(lambda _: block, text), encoding="utf-8")
