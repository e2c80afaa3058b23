"""What stands in the documents for people who play: prose, and blocks that a test can run.

The first word behind ``` says what a block is:

    sh            commands, one after the other; also where indented lines begin with `companion` or `make`
    table         lines of a .table file
    bar GAME      what is typed into the command bar, at a new table of that game
    or            what could be typed there instead, each line by itself
    text NAME     a file that commands need; `toml NAME` too
    python FILE   code that stands in that file of ours

A `table` or `bar` block without a beginning of its own goes on with the one before it.
"""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.bundled import ignore_installed_games

ignore_installed_games()

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
FOR_BUILDERS: Final = frozenset({"architecture.md", "lasting.md", "glossary.md", "releasing.md", "platforms.md"})
"""Documents about the house itself; the others are for people who play."""

_BLOCK: Final = re.compile(r"^```([^\n]*)\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.DOTALL | re.MULTILINE)


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
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def documents() -> list[Path]:
    """Those for people who play."""
    return [path for path in all_documents() if path.name not in FOR_BUILDERS]


def blocks(document: Path) -> Iterator[Block]:
    """The blocks of a document, in order."""
    for head, text, indented in _BLOCK.findall(document.read_text(encoding="utf-8")):
        kind, _, name = head.partition(" ")
        if indented:
            kind, text = "sh" if indented.split()[0] in ("companion", "make") else "", textwrap.dedent(indented)
        yield Block(kind, name.strip(), text)


def prose(document: Path) -> str:
    """A document without its blocks."""
    return _BLOCK.sub("", document.read_text(encoding="utf-8"))


def commands(block: Block) -> list[str]:
    """The commands of a block; one that ends with a backslash goes on in the next line."""
    return [line for line in block.text.replace("\\\n", " ").splitlines() if line.partition("#")[0].strip()]


def tables(document: Path) -> list[Block]:
    """The tables of a document as lines of a .table file, each put together of its blocks."""
    whole: list[Block] = []
    for block in blocks(document):
        if block.kind == "table" and block.text.startswith("table "):
            whole.append(block)
        elif block.kind == "table":
            whole[-1] = whole[-1]._replace(text=whole[-1].text + block.text)
    return whole
