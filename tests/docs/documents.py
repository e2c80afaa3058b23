"""What stands in the documents for people who play: prose, and blocks that a test can run.

A block's first word says what it is: `sh` commands, `table` lines of a .table file, `bar GAME` what is typed into the command
bar, `text NAME` and `toml NAME` files that commands need, `python` code that stands in the example game. A `table` or
`bar` block without a beginning of its own goes on with the one before it in the document.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
FOR_BUILDERS: Final = frozenset({"architecture.md", "lasting.md", "glossary.md"})
"""Documents about the house itself; the others are for people who play."""

_BLOCK: Final = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A block between ``` of a document: what it is, the name behind that, and its text."""

    kind: str
    name: str
    text: str

    @property
    def lines(self) -> list[str]:
        """Its lines that say something."""
        return [line for line in self.text.splitlines() if line.partition("#")[0].strip()]


def all_documents() -> list[Path]:
    """The README and everything in docs/."""
    return [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]


def documents() -> list[Path]:
    """Those for people who play."""
    return [path for path in all_documents() if path.name not in FOR_BUILDERS]


def blocks(document: Path) -> Iterator[Block]:
    """The blocks of a document, in order."""
    for head, text in _BLOCK.findall(document.read_text(encoding="utf-8")):
        kind, _, name = head.partition(" ")
        yield Block(kind, name.strip(), text)


def prose(document: Path) -> str:
    """A document without its blocks."""
    return _BLOCK.sub("", document.read_text(encoding="utf-8"))


def commands(block: Block) -> list[str]:
    """The commands of a block; one that ends with a backslash goes on in the next line."""
    return [line for line in block.text.replace("\\\n", " ").splitlines() if line.partition("#")[0].strip()]


def tables(document: Path, kind: str) -> list[Block]:
    """The blocks of a kind, each put together with those that go on with it; a name or `table` begins another."""
    found: list[Block] = []
    for block in blocks(document):
        if block.kind != kind:
            continue
        if block.name or block.text.startswith("table ") or not found:
            found.append(block)
        else:
            found[-1] = found[-1]._replace(text=found[-1].text + block.text)
    return found
