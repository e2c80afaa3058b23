"""Where everything of a TOML text stands, held against what Python's parser reads; and what is said of broken ones."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.described.page.toml_lines import MAX_SYMBOLS, Path, read_toml

KEYS = st.sampled_from(["a", "b", "life", "first-player", "x_1", "2", "dotted.key", "ä b", 'quo"te', "a#b", "[c]", "="])
WORDS = st.sampled_from(
    ["", "plain", "with # sign", "[x]", "{ a = 1 }", 'say "x"', "a\\b", "x = 1", "two\nlines", "''"]
)
FIGURES = st.integers(-99, 99)
LEAVES = st.one_of(FIGURES, st.booleans(), WORDS)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
TABLES = st.dictionaries(KEYS, VALUES, max_size=4)


class Writer:
    """Writes a value as TOML in ways that chance chooses, and remembers in which line each of its parts begins."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.text = ""
        self.lines: dict[Path, int] = {}

    def note(self, path: Path) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)

    def space(self, *more: str) -> None:
        self.text += self.draw(st.sampled_from(["", " ", "\t", *more]))

    def end(self) -> None:
        self.text += self.draw(st.sampled_from(["\n", "  # a = 1\n", "\n\n", " \n# [x]\n"]))

    def key(self, key: str) -> str:
        bare = key.replace("-", "").replace("_", "").isalnum() and key.isascii()
        quoted = [json.dumps(key, ensure_ascii=False)] + ([f"'{key}'"] if "'" not in key else [])
        return self.draw(st.sampled_from([*quoted, *([key] * 3 if bare else [])]))

    def value(self, value: Any, path: Path) -> None:
        match value:
            case bool():
                self.text += str(value).lower()
            case int():
                self.text += str(value)
            case str():
                self.string(value)
            case list():
                self.several(value, path)
            case dict():
                self.inline(value, path)

    def string(self, value: str) -> None:
        ways = [json.dumps(value, ensure_ascii=False)]
        if "'" not in value:
            ways += [f"'''\n{value}'''", *([f"'{value}'"] if "\n" not in value else [])]
        ways += ['"""' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""']
        self.text += self.draw(st.sampled_from(ways))

    def several(self, value: list[Any], path: Path) -> None:
        self.text += "["
        for at, each in enumerate(value):
            self.space("\n", "\n  # [a]\n")
            self.note((*path, at))
            self.value(each, (*path, at))
            self.space("\n")
            self.text += "," if at < len(value) - 1 or self.draw(st.booleans()) else ""
        self.space("\n", " # ]\n")
        self.text += "]"

    def inline(self, value: dict[str, Any], path: Path) -> None:
        self.text += "{"
        for at, (key, each) in enumerate(value.items()):
            self.space()
            self.note((*path, key))
            self.text += self.key(key)
            self.space()
            self.text += "="
            self.space()
            self.value(each, (*path, key))
            self.space()
            self.text += "," if at < len(value) - 1 else ""
        self.text += "}"

    def table(self, content: dict[str, Any], path: Path, header: str) -> None:
        """First what stands in the table itself, then the tables below it."""
        below: list[tuple[str, Any]] = []
        for key, each in content.items():
            is_tables = isinstance(each, list) and bool(each) and all(isinstance(row, dict) for row in each)
            if (isinstance(each, dict) or is_tables) and self.draw(st.booleans()):
                below.append((key, each))
                continue
            self.note((*path, key))
            if isinstance(each, dict) and each and self.draw(st.booleans()):
                self.dotted(key, each, path)
            else:
                self.text += self.key(key)
                self.space()
                self.text += "="
                self.space()
                self.value(each, (*path, key))
                self.end()
        for key, each in below:
            inner = f"{header}.{self.key(key)}".removeprefix(".")
            rows: list[tuple[dict[str, Any], Path]] = [(each, (key,))]
            if isinstance(each, list):
                rows = [(row, (key, at)) for at, row in enumerate(each)]
            for row, where in rows:
                self.note((*path, key))
                self.note((*path, *where))
                self.text += f"[{inner}]" if isinstance(each, dict) else f"[[{inner}]]"
                self.end()
                self.table(row, (*path, *where), inner)

    def dotted(self, key: str, content: dict[str, Any], path: Path) -> None:
        first = self.key(key)
        for inner, each in content.items():
            self.note((*path, key, inner))
            self.text += f"{first}.{self.key(inner)} ="
            self.space()
            self.value(each, (*path, key, inner))
            self.end()


@st.composite
def documents(draw: st.DrawFn) -> Writer:
    writer = Writer(draw)
    writer.table(draw(TABLES), (), "")
    return writer


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The ways to everything that a parsed text holds."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from paths(each, (*path, key))


@given(documents())
def test_everything_has_its_line(written: Writer) -> None:
    content = tomllib.loads(written.text)
    reading = read_toml(written.text)
    assert reading.mistakes == ()
    assert reading.content == content
    assert dict(reading.lines) == written.lines
    assert set(reading.lines) == set(paths(content))


@given(documents(), st.data())
def test_a_mistake_is_told_where_the_parser_refuses_and_only_there(written: Writer, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(written.text)))
    until = data.draw(st.sampled_from([at, at, at + 1, at + 9]))
    typed = data.draw(
        st.sampled_from(["", "?", "a b = 1", "= 3", "[", "]", '"', "\nx = [", "[a\n", "b: 1", "\n", ",", "}", "'"])
    )
    text = written.text[:at] + typed + written.text[until:]
    reading = read_toml(text)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert reading.mistakes
    else:
        assert (reading.content, reading.mistakes) == (content, ())


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("name = crown", 1, '“crown” stands without quotation marks; write "crown".'),
        ("a = 1\nname = Crown of Ash # x", 2, 'write "Crown of Ash".'),
        ("big = True", 1, "“True” is written true."),
        ("big = yes", 1, "“yes” is written true."),
        ("name: crown", 1, "write = instead of the colon"),
        ("name crown", 1, "says nothing; write a key, ="),
        ("a =\nb = 1", 1, "The value after = is missing"),
        ('a = "x\nb = 1', 1, "is never closed"),
        ("a = “x”", 1, 'curly quotation marks; write straight ones: “"x"”'),
        ("a = 1\na = 2", 2, "“a” appears twice; the first one is in line 1."),
        ("[t]\na = 1\n\n[t]\nb = 1", 4, "appears twice; the first one is in line 1."),
        ("[t\na = 1\nb = 2", 1, "is not closed; write ] at its end"),
        ("steps = [1,\n 5\nb = 1\n", 1, "The list that begins in line 1 is never closed"),
        ("steps = [1 5]", 1, "A comma is missing before “5]”."),
        ("a = {\n b = 1,\n}\nc = 1", 1, "must be on one line"),
        ("a = { b = 1, }", 1, "The comma before } must go"),
        ("a = { b = 1, b = 2 }", 1, "“b” appears twice here"),
        ("a = 1 2", 1, "“2” is too much here"),
        ('a = """x\ny', 1, "is never closed"),
        ('a = "C:\\dir"', 1, "begins a special symbol"),
        ("a = 1\n[a]", 2, "“[a]” appears twice; the first one is in line 1."),
        ("a.b = 1\n[a.b.c]\nd = 1", 2, "was already given in another way"),
        ("a = 12:99", 1, "cannot be read"),
        ("a = 'x\x1b[2J'", 1, "that cannot be shown (U+001B)"),
        ("a" + ".b" * 9 + " = 1", 1, "more than 8 keys"),
        ("a = " + "[" * 20 + "]" * 20, 1, "More than 8 brackets"),
        ("a = " + "9" * 65, 1, "more than 64 digits"),
        ("a = 1\n" * 2 + "#" * MAX_SYMBOLS, 1, "more than 256 kB"),
    ],
)
def test_a_mistake_is_told_in_plain_words(text: str, line: int, sentence: str) -> None:
    (mistake, *_) = read_toml(text).mistakes
    assert mistake.line == line
    assert sentence in mistake.text


def test_all_mistakes_are_told_and_the_rest_is_read() -> None:
    text = (
        "name = Crown\n[counters.life]\nstart = 40\nstart = 30\n"
        '[tokens.crown\nat = "x"\n[flags.x]\ntitle = "y"\nbig = on\n'
    )
    reading = read_toml(text)
    assert [mistake.line for mistake in reading.mistakes] == [1, 4, 5, 9]
    assert reading.content == {"counters": {"life": {"start": 40}}, "flags": {"x": {"title": "y"}}}


def test_a_list_within_a_list_is_no_heading() -> None:
    assert read_toml("a = [\n[true]\n, [ false ],\n[inf]\n]\n").mistakes == ()


def test_a_text_of_windows_or_with_a_mark_before_it_is_the_same() -> None:
    assert read_toml("\ufeff[a]\r\nb = 1\r\n").lines == {("a",): 1, ("a", "b"): 2}
    (mistake,) = read_toml("\ufeff[a]\r\nb = x\r\n").mistakes
    assert (mistake.line, str(mistake.text)) == (
        2,
        '“x” stands without quotation marks; write "x".',
    )
