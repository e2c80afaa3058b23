"""The positions of parts, keys and values in the text of a design.

The text must have passed the parser: the scanner finds its way in valid TOML only.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Final, NamedTuple

# As in labels.handwritten, no alternative can fail once it has begun, so there is no backtracking.
_TOKENS: Final = re.compile(
    r'"""(?:[^"\\]+|\\.?|"(?!""))*"{0,5}'
    r"|'''(?:[^']+|'(?!''))*'{0,5}"
    r'|"(?:[^"\\\r\n]+|\\.?)*"?'
    r"|'[^'\r\n]*'?"
    r"|\#[^\r\n]*"
    r"|\r\n|[\r\n]"
    r"|[\[\]{},=]"
    r"|[^\s\"'#\[\]{},=]+",
    re.DOTALL,
)
BYTE_ORDER_MARK: Final = "\ufeff"


class Span(NamedTuple):
    """The characters from `start` up to `end`."""

    start: int
    end: int

    def read(self, text: str) -> str:
        """Return the characters of a text."""
        return text[self.start : self.end]

    def replace(self, text: str, replacement: str) -> str:
        """Return a text with a replacement for the characters."""
        return f"{text[: self.start]}{replacement}{text[self.end :]}"


class Statement(NamedTuple):
    """A key and the spans of its value and of its lines, with indentation, comment and line break."""

    key: str
    value: Span
    lines: Span


class PartText(NamedTuple):
    """The text of a part: its span without the space behind it, its header, and its statements.

    Comments right above the header belong to the part.
    """

    span: Span
    header: int
    statements: tuple[Statement, ...]

    def find(self, key: str) -> Statement | None:
        """Return the statement of a key."""
        return next((each for each in self.statements if each.key == key), None)


class DesignText(NamedTuple):
    """The text of a design, the statements above its parts, and the parts."""

    text: str
    statements: tuple[Statement, ...]
    parts: tuple[PartText, ...]

    @property
    def newline(self) -> str:
        """The first line break of the text, which new lines use as well."""
        match = re.search(r"\r\n|[\r\n]", self.text)
        return match[0] if match else "\n"

    def find(self, key: str) -> Statement | None:
        """Return the statement of a key above the parts."""
        return next((each for each in self.statements if each.key == key), None)


class _Line(NamedTuple):
    """A line, or several that one value extends over.

    `end` lies before the line break. A line of a part's header has `is_header`, and one with only a comment has
    `is_comment`.
    """

    span: Span
    end: int
    statement: Statement | None = None
    is_header: bool = False
    is_comment: bool = False

    @property
    def is_blank(self) -> bool:
        return not (self.statement or self.is_header or self.is_comment)


def scan_design(text: str) -> DesignText:
    """Find the statements and the parts in the text of a design."""
    lines = list(_read_lines(text))
    headers = [number for number, line in enumerate(lines) if line.is_header]
    starts = [_first_line(lines, header) for header in headers]
    parts = []
    for start, header, after in zip(starts, headers, [*starts[1:], len(lines)][: len(starts)], strict=True):
        last = max(number for number in range(header, after) if not lines[number].is_blank)
        statements = tuple(line.statement for line in lines[header:after] if line.statement)
        parts.append(PartText(Span(lines[start].span.start, lines[last].end), lines[header].span.start, statements))
    above = lines[: starts[0]] if starts else lines
    return DesignText(text, tuple(line.statement for line in above if line.statement), tuple(parts))


def array_items(token: str) -> list[Span]:
    """Return the spans of the items of an array."""
    items, depth = [], 0
    start = end = None
    for match in _TOKENS.finditer(token):
        symbol = match[0]
        closes = symbol in ("]", "}")
        depth -= closes
        if depth == 0 or (depth == 1 and symbol == ","):
            if start is not None and end is not None:
                items.append(Span(start, end))
            start = end = None
        elif symbol[0] not in "#\r\n":
            start = match.start() if start is None else start
            end = match.end()
        depth += symbol in ("[", "{")
    return items


def _first_line(lines: list[_Line], header: int) -> int:
    """Return the number of the first line of the part with this header.

    A comment at the beginning of the file is about the file.
    """
    first = header
    while first and lines[first - 1].is_comment:
        first -= 1
    return header if first == 0 else first


def _read_lines(text: str) -> Iterator[_Line]:
    start = int(text.startswith(BYTE_ORDER_MARK))
    tokens: list[re.Match[str]] = []
    depth = 0
    for match in _TOKENS.finditer(text, start):
        symbol = match[0]
        if symbol[0] in "\r\n" and depth == 0:
            yield _read_line(text, Span(start, match.end()), match.start(), tokens)
            start, tokens = match.end(), []
            continue
        depth += (symbol in ("[", "{")) - (symbol in ("]", "}"))
        if symbol[0] not in "\r\n":
            tokens.append(match)
    if start < len(text):
        yield _read_line(text, Span(start, len(text)), len(text), tokens)


def _read_line(text: str, span: Span, end: int, tokens: list[re.Match[str]]) -> _Line:
    words = [token for token in tokens if token[0][0] != "#"]
    if not words:
        return _Line(span, end, is_comment=bool(tokens))
    if words[0][0] == "[":
        return _Line(span, end, is_header=True)
    equals = next(number for number, token in enumerate(words) if token[0] == "=")
    key = text[words[0].start() : words[equals].start()].strip()
    if not key.isidentifier():
        key = next(iter(tomllib.loads(f"{key} = 0")))
    return _Line(span, end, Statement(key, Span(words[equals + 1].start(), words[-1].end()), span))
