"""Edits of a design's text: each returns the whole text, in which it has changed what it must and nothing else."""

from collections.abc import Sequence

from labels.editing.scanner import BYTE_ORDER_MARK, DesignText, Span, Statement
from labels.editing.values import Value, write_value


def set_value(design: DesignText, part: int | None, key: str, value: Value) -> str:
    """Write the value of a key of a part, or of the design if there is no part."""
    return set_token(design, part, key, write_value(value, read_token(design, part, key), design.newline))


def read_token(design: DesignText, part: int | None, key: str) -> str | None:
    """Return the value of a key as it is written, or None if the key is not there."""
    statement = _find(design, part, key)
    return statement.value.read(design.text) if statement else None


def set_token(design: DesignText, part: int | None, key: str, token: str) -> str:
    """Write the value of a key as TOML. A new key stands below the others."""
    statement = _find(design, part, key)
    if statement is not None:
        return statement.value.replace(design.text, token)
    line = f"{key} = {token}"
    statements = design.statements if part is None else design.parts[part].statements
    if statements:
        return _insert_below(design, statements[-1], line)
    start = design.parts[0].span.start
    return Span(start, start).replace(design.text, f"{line}{design.newline * 2}")


def remove_key(design: DesignText, part: int | None, key: str) -> str:
    """Remove a key with its line, if it is there."""
    statement = _find(design, part, key)
    if statement is None:
        return design.text
    start, end = statement.lines
    if not design.text[:end].endswith(("\r", "\n")):
        # The last line of the file: the break before it goes, as there is none behind it.
        start = len(_without_break(design.text[:start]))
    return Span(start, end).replace(design.text, "")


def add_part(design: DesignText, position: int, body: str) -> str:
    """Insert the text of a part, without a line break at its end, at a position from 0."""
    bodies, gaps = _split_parts(design)
    bodies.insert(position, body)
    gaps.insert(min(position, len(gaps) - 1), design.newline * 2)
    return _join_parts(design, bodies, gaps)


def write_part(values: Sequence[tuple[str, Value]], newline: str) -> str:
    """Return the text of a part with these keys, without a line break at its end."""
    lines = (f"{key} = {write_value(value, None, newline)}" for key, value in values)
    return newline.join(("[[part]]", *lines))


def read_part(design: DesignText, part: int) -> str:
    """Return the text of a part, without the comments above it and without a line break at its end."""
    return design.text[design.parts[part].header : design.parts[part].span.end]


def remove_part(design: DesignText, part: int) -> str:
    """Remove a part with the comments above it."""
    bodies, gaps = _split_parts(design)
    del bodies[part]
    del gaps[max(0, part - 1) if part == len(bodies) else part]
    return _join_parts(design, bodies, gaps)


def reorder_part(design: DesignText, part: int, position: int) -> str:
    """Move a part to another position among the parts, from 0. The space between the parts stays as it is."""
    bodies, gaps = _split_parts(design)
    bodies.insert(position, bodies.pop(part))
    return _join_parts(design, bodies, gaps)


def _find(design: DesignText, part: int | None, key: str) -> Statement | None:
    return design.find(key) if part is None else design.parts[part].find(key)


def _insert_below(design: DesignText, statement: Statement, line: str) -> str:
    indent = design.text[statement.lines.start : statement.value.start]
    indent = indent[: len(indent) - len(indent.lstrip(f" \t{BYTE_ORDER_MARK}"))].lstrip(BYTE_ORDER_MARK)
    end = statement.lines.end
    if design.text[:end].endswith(("\r", "\n")):
        return Span(end, end).replace(design.text, f"{indent}{line}{design.newline}")
    return f"{design.text}{design.newline}{indent}{line}"


def _without_break(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r")


def _split_parts(design: DesignText) -> tuple[list[str], list[str]]:
    """Return the texts of the parts, and the space behind each."""
    spans = [part.span for part in design.parts]
    ends = [*(span.start for span in spans[1:]), len(design.text)]
    return [span.read(design.text) for span in spans], [
        design.text[span.end : end] for span, end in zip(spans, ends, strict=True)
    ]


def _join_parts(design: DesignText, bodies: Sequence[str], gaps: Sequence[str]) -> str:
    start = design.parts[0].span.start
    return design.text[:start] + "".join(body + gap for body, gap in zip(bodies, gaps, strict=True))
