"""A scanner for TOML that finds the line of every key and all syntax errors.

`tomllib` reports neither the lines of values nor more than one error, and a pathological text takes it minutes. So the
text is scanned here first: keys get their lines, each unreadable statement is reported and left out, and statements
nested too deeply never reach the parser.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from companion.tabletop.text import in_quotes, quote_text
from templates.languages.messages import Message, Text, phrase

Path = tuple[str | int, ...]
"""The path to a value: the keys of tables, and indexes of lists from 0."""

MAX_SYMBOLS: Final = 256 * 1024
MAX_FAULTS: Final = 50
"""The number of errors after which scanning stops. Most later ones follow from one of the first."""
_MAX_DEPTH: Final = 8
_MAX_KEYS: Final = 8
_MAX_FIGURE: Final = 64
_MAX_TRIES: Final = 20
"""The number of times a text is parsed again without the statement that the parser refused."""

_BLANK: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_LINE_END: Final = re.compile(r"[ \t]*(?:#[^\n]*)?(?=\n|\Z)")
_KEY: Final = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'""")
# Python before 3.11.5 matches possessive quantifiers wrongly. These patterns take no longer, because their
# alternatives begin with different characters.
_LONG_STRING: Final = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"{3,5}' r"|'''[^']*(?:'(?!'')[^']*)*'{3,5}", re.DOTALL
)
_STRING: Final = re.compile(r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"' r"|'[^'\n]*'")
_PLAIN: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:[\d:.Z+-]+|[^\s,\[\]{}#=]+")
_FIGURE_OR_WORD: Final = re.compile(r"[+-]?(?:[0-9].*|inf|nan)|true|false")
_STATEMENT: Final = re.compile(
    r"[ \t]*(?:[A-Za-z_][\w.-]*[ \t]*=(?!=)"
    r"|\[{1,2}[ \t]*(?!(?:true|false|inf|nan)[ \t]*\])[A-Za-z_][\w. \t-]*\]{1,2}[ \t]*(?:#|$))"
)
_HEADER: Final = re.compile(r"[ \t]*\[{1,2}[ \t]*[A-Za-z_\"']")
_CURLED: Final = str.maketrans("“”„‟‘’‚", '""""\'\'\'')
_UNSHOWN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_AT_LINE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_YES: Final = {"yes": "true", "on": "true", "no": "false", "off": "false", "true": "true", "false": "false"}


class Mistake(NamedTuple):
    """A statement that is not TOML: its line and the problem."""

    line: int
    text: Text


class TomlReading(NamedTuple):
    """The readable content of a text, the line of every key, table and list item, and the errors."""

    content: Mapping[str, Any]
    lines: Mapping[Path, int]
    mistakes: tuple[Mistake, ...]


class _Broken(Exception):
    """The statement cannot be read from this position on."""

    def __init__(self, at: int, text: Message, *, within: str = "") -> None:
        super().__init__(text)
        self.at = at
        self.text = text
        self.within = within
        """The bracket or triple quotation marks open at the position: `[`, `{`, three quotation marks, or nothing."""


class _Statement(NamedTuple):
    begin: int
    end: int


def read_toml(text: str) -> TomlReading:
    """Parse a text. Errors are returned with the content; none is raised."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_SYMBOLS:
        size = MAX_SYMBOLS // 1024
        problem = phrase("This has more than {size} kB, which nobody writes by hand.", size=size)
        return TomlReading({}, {}, (Mistake(1, problem),))
    scanner = _Scanner(text)
    scanner.scan()
    content = scanner.parse()
    return TomlReading(content, scanner.lines, _in_order(scanner.mistakes)[:MAX_FAULTS])


class _Scanner:
    """A scanner that goes through a text statement by statement."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self.mistakes: list[Mistake] = []
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._refuse_unshown(text)
        self._text = _UNSHOWN.sub(" ", text)
        self._at = 0
        self._statements: list[_Statement] = []
        self._broken: list[_Statement] = []
        self._lists: dict[Path, int] = {}
        """The number of tables so far in each list made of `[[…]]`."""
        self._paths: set[Path] = set()

    def _refuse_unshown(self, text: str) -> None:
        seen: set[int] = set()
        for match in _UNSHOWN.finditer(text):
            line = self._line_number(match.start())
            if line not in seen:
                problem = phrase(
                    "There is a symbol here that cannot be shown ({code}); type the line again.",
                    code=f"U+{ord(match[0]):04X}",
                )
                self.mistakes.append(Mistake(line, problem))
                seen.add(line)
            if len(seen) >= MAX_FAULTS:
                return

    def _line_number(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1

    def scan(self) -> None:
        """Find all statements, their keys, and the unreadable ones."""
        table: Path = ()
        readable = True
        while len(self.mistakes) < MAX_FAULTS:
            self._skip_pattern(_BLANK)
            if self._at >= len(self._text):
                return
            begin = self._at
            try:
                if self._text[begin] == "[":
                    # Keys below an unreadable header must not end up in another table.
                    readable, table = False, ("", self._line_number(begin))
                    readable, table = True, self._header()
                else:
                    self._assignment(table)
                self._end_line()
                is_broken = not readable
            except _Broken as broken:
                self.mistakes.append(Mistake(self._line_number(min(broken.at, len(self._text))), broken.text))
                self._at = self._statement_end(broken)
                is_broken = True
            self._statements.append(_Statement(begin, self._at))
            if is_broken:
                self._broken.append(self._statements[-1])
        self._broken.append(_Statement(self._at, len(self._text)))

    def parse(self) -> dict[str, Any]:
        """Parse the readable statements. Those that the parser refuses are added to the mistakes."""
        text = _blank_statements(self._text, *self._broken)
        for _ in range(_MAX_TRIES):
            try:
                return tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                match = _AT_LINE.search(str(error))
                line = int(match[1]) if match and match[1] else len(self._ends) + 1
                refused = self._statement_at(line, text)
                if refused is None:
                    break
                first = self._line_number(refused.begin)
                self.mistakes.append(Mistake(first, _in_words(_AT_LINE.sub("", str(error)), text[refused.begin :])))
                text = _blank_statements(text, self._with_what_is_below(refused))
            except (ValueError, RecursionError):
                break
        if not self.mistakes:
            self.mistakes.append(
                Mistake(1, phrase('This cannot be read; write one thing per line, such as name = "crown".'))
            )
        return {}

    def _statement_at(self, line: int, text: str) -> _Statement | None:
        """Return the last statement that begins at or before a line and has not been left out yet."""
        before = (each for each in reversed(self._statements) if self._line_number(each.begin) <= line)
        return next((each for each in before if text[each.begin] != " "), None)

    def _with_what_is_below(self, refused: _Statement) -> _Statement:
        """Return the range of a refused statement. A refused table includes everything below it."""
        if self._text[refused.begin] != "[":
            return refused
        headers = (each.begin for each in self._statements if each.begin > refused.begin)
        end = next((begin for begin in headers if self._text[begin] == "["), len(self._text))
        return _Statement(refused.begin, end)

    def _skip_pattern(self, what: re.Pattern[str]) -> None:
        match = what.match(self._text, self._at)
        if match:
            self._at = match.end()

    def _next_symbol(self) -> str:
        return self._text[self._at : self._at + 1]

    def _end_line(self) -> None:
        end = _LINE_END.match(self._text, self._at)
        if end is None:
            text = phrase("{text} is too much here; write one thing per line.", text=self._quote_at())
            raise _Broken(self._at, text)
        self._at = end.end()

    def _quote_at(self, at: int | None = None) -> Message:
        """Return the text at a position, quoted and shortened for a message."""
        at = self._at if at is None else at
        end = self._text.find("\n", at)
        return in_quotes(self._text[at : end if end >= 0 else len(self._text)].strip()[:60])

    def _statement_end(self, broken: _Broken) -> int:
        """Return an estimate of the end of an unreadable statement."""
        depth = 0
        end = self._line_end(max(broken.at, self._at))
        if broken.within == "{":
            line = self._text[broken.at : end]
            depth = 1 + line.count("{") - line.count("}")
        while broken.within and end < len(self._text):
            following = self._line_end(end + 1)
            line = self._text[end + 1 : following]
            if _HEADER.match(line) if broken.within == "{" else _STATEMENT.match(line):
                break
            if broken.within == "{":
                if depth <= 0:
                    break
                depth += line.count("{") - line.count("}")
            end = following
        return end

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        return end if end >= 0 else len(self._text)

    def _header(self) -> Path:
        begin = self._at
        of_list = self._text.startswith("[[", begin)
        self._at += 2 if of_list else 1
        keys = self._keys()
        close = "]]" if of_list else "]"
        if not self._text.startswith(close, self._at):
            text = phrase("{table} is not closed; write {close} at its end.", table=self._quote_at(begin), close=close)
            raise _Broken(begin, text)
        self._at += len(close)
        line = self._line_number(begin)
        table: Path = ()
        for key in keys[:-1]:
            table = (*table, key)
            self.lines.setdefault(table, line)
            if table in self._lists:
                table = (*table, self._lists[table] - 1)
        table = (*table, keys[-1])
        if of_list:
            self.lines.setdefault(table, line)
            self._lists[table] = self._lists.get(table, 0) + 1
            table = (*table, self._lists[table] - 1)
        elif table in self._paths:
            raise _Broken(begin, _describe_second(self._quote_at(begin), self.lines[table]))
        self._paths.add(table)
        self.lines[table] = line
        return table

    def _assignment(self, table: Path) -> None:
        begin = self._at
        keys = self._keys()
        if self._next_symbol() != "=":
            raise _Broken(begin, self._no_assignment(begin))
        self._at += 1
        self._skip_pattern(_SPACE)
        path = (*table, *keys)
        if path in self._paths:
            raise _Broken(begin, _describe_second(in_quotes(".".join(keys)), self.lines[path]))
        line = self._line_number(begin)
        for length in range(len(table) + 1, len(path)):
            self.lines.setdefault(path[:length], line)
        self.lines[path] = line
        self._paths.add(path)
        self._value(path, 0)

    def _no_assignment(self, begin: int) -> Message:
        text = self._quote_at(begin)
        if self._next_symbol() == ":":
            return phrase("{text}: write = instead of the colon.", text=text)
        return phrase('{text} says nothing; write a key, = and its value, such as title = "Crown".', text=text)

    def _keys(self) -> tuple[str, ...]:
        keys: list[str] = []
        while True:
            self._skip_pattern(_SPACE)
            match = _KEY.match(self._text, self._at)
            if match is None:
                if self._next_symbol().strip():
                    raise _Broken(self._at, phrase("{text} is not a key here.", text=self._quote_at()))
                raise _Broken(self._at, phrase("A key is missing here."))
            keys.append(_plain_key(match[0]))
            if len(keys) > _MAX_KEYS:
                text = phrase("There are more than {most} keys here, with dots between them.", most=_MAX_KEYS)
                raise _Broken(self._at, text)
            self._at = match.end()
            self._skip_pattern(_SPACE)
            if self._next_symbol() != ".":
                return tuple(keys)
            self._at += 1

    def _value(self, path: Path, depth: int) -> None:
        if depth > _MAX_DEPTH:
            text = phrase("More than {most} brackets are nested here.", most=_MAX_DEPTH)
            raise _Broken(self._at, text, within="[")
        symbol = self._next_symbol()
        if symbol in ("[", "{"):
            (self._list if symbol == "[" else self._inline_table)(path, depth)
        elif symbol in ('"', "'"):
            self._string()
        else:
            self._plain()

    def _string(self) -> None:
        three = self._text[self._at : self._at + 3]
        long = three in ('"""', "'''")
        match = (_LONG_STRING if long else _STRING).match(self._text, self._at)
        if match is None:
            text = phrase("The quotation mark before {text} is never closed.", text=self._quote_at())
            raise _Broken(self._at, text, within=three if long else "")
        self._at = match.end()

    def _plain(self) -> None:
        match = _PLAIN.match(self._text, self._at)
        if match is None:
            raise _Broken(self._at, phrase("The value after = is missing; if there is none, leave out the line."))
        word = match[0]
        if not _FIGURE_OR_WORD.fullmatch(word):
            raise _Broken(self._at, self._explain_unquoted(word))
        if len(word) > _MAX_FIGURE:
            raise _Broken(self._at, phrase("This figure has more than {most} digits.", most=_MAX_FIGURE))
        self._at = match.end()

    def _explain_unquoted(self, word: str) -> Message:
        if word.lower() in _YES:
            return phrase("{word} is written {right}.", word=in_quotes(word), right=_YES[word.lower()])
        rest = self._text[self._at : self._line_end(self._at)].split("#")[0].strip().rstrip(",")
        if word[0] in "“”„‟‘’‚":
            straight = in_quotes(rest.translate(_CURLED))
            return phrase(
                "{text} has curly quotation marks; write straight ones: {straight}.",
                text=in_quotes(rest),
                straight=straight,
            )
        return phrase(
            '{text} stands without quotation marks; write "{right}".',
            text=in_quotes(rest),
            right=quote_text(rest)[1:-1],
        )

    def _list(self, path: Path, depth: int) -> None:
        begin = self._at
        self._at += 1
        count = 0
        while True:
            self._skip_in_list(begin)
            if self._next_symbol() == "]":
                self._at += 1
                return
            self.lines[*path, count] = self._line_number(self._at)
            self._value((*path, count), depth + 1)
            count += 1
            self._skip_in_list(begin)
            if self._next_symbol() == ",":
                self._at += 1
            elif self._next_symbol() != "]":
                text = phrase("A comma is missing before {text}.", text=self._quote_at())
                raise _Broken(self._at, text, within="[")

    def _skip_in_list(self, begin: int) -> None:
        """Skip blanks up to the next item of a list.

        Raises _Broken if a statement there shows that the list is unclosed.
        """
        before = self._at
        self._skip_pattern(_BLANK)
        if self._at >= len(self._text) or (
            "\n" in self._text[before : self._at] and _STATEMENT.match(self._text[self._at : self._line_end(self._at)])
        ):
            self._at = before
            line = self._line_number(begin)
            text = phrase("The list that begins in line {line} is never closed; write ] at its end.", line=str(line))
            raise _Broken(begin, text, within="[")

    def _inline_table(self, path: Path, depth: int) -> None:
        begin = self._at
        self._at += 1
        self._skip_pattern(_SPACE)
        if self._next_symbol() == "}":
            self._at += 1
            return
        while True:
            self._refuse_line_end(begin)
            at = self._at
            keys = self._keys()
            if self._next_symbol() != "=":
                raise _Broken(at, self._no_assignment(at), within="{")
            self._at += 1
            self._skip_pattern(_SPACE)
            inner = (*path, *keys)
            if inner in self._paths:
                raise _Broken(at, phrase("{key} appears twice here.", key=in_quotes(".".join(keys))))
            self._paths.add(inner)
            for length in range(len(path) + 1, len(inner) + 1):
                self.lines.setdefault(inner[:length], self._line_number(at))
            self._value(inner, depth + 1)
            self._skip_pattern(_SPACE)
            symbol = self._next_symbol()
            if symbol == "}":
                self._at += 1
                return
            self._refuse_line_end(begin)
            if symbol != ",":
                text = phrase("A comma or {close} is missing before {text}.", text=self._quote_at(), close="}")
                raise _Broken(self._at, text, within="{")
            self._at += 1
            self._skip_pattern(_SPACE)
            if self._next_symbol() == "}":
                raise _Broken(self._at, phrase("The comma before {close} must go.", close="}"))

    def _refuse_line_end(self, begin: int) -> None:
        if self._next_symbol() in ("\n", "", "#"):
            text = phrase(
                "Everything between {open} and {close} must be on one line; or make it a [table].",
                open="{",
                close="}",
            )
            raise _Broken(begin, text, within="{")


def _plain_key(key: str) -> str:
    if key[0] == '"' and "\\" in key:
        try:
            return str(tomllib.loads(f"x = {key}")["x"])
        except ValueError:
            return key
    return key[1:-1] if key[0] in "\"'" else key


def _blank_statements(text: str, *statements: _Statement) -> str:
    """Return a text with statements, given in order, replaced by blanks, so that all lines keep their numbers."""
    parts: list[str] = []
    at = 0
    for begin, end in statements:
        parts += (text[at:begin], re.sub(r"[^\n]", " ", text[begin:end]))
        at = end
    return "".join((*parts, text[at:]))


def _in_order(mistakes: Iterable[Mistake]) -> tuple[Mistake, ...]:
    return tuple(sorted(mistakes, key=lambda mistake: (mistake.line, str(mistake.text))))


def _describe_second(key: Message, line: int) -> Message:
    return phrase("{key} appears twice; the first one is in line {line}.", key=key, line=str(line))


_TWICE: Final = ("overwrite", "declare", "mutate", "redefin", "twice")
"""Words of the parser for a key that was said before."""


def _in_words(message: str, rest: str) -> Message:
    """Return a message of the parser about a statement in plain words."""
    message, what = message.lower(), in_quotes(rest.partition("\n")[0].strip())
    if any(part in message for part in _TWICE):
        return phrase("{text} was already given in another way; leave out one of the two.", text=what)
    if "backslash" in message or "escape" in message:
        return phrase(
            "In {text}, \\ begins a special symbol; write \\\\ for a plain one, or ' instead of the quotation marks.",
            text=what,
        )
    if "invalid" in message:
        return phrase('{text} has a value that cannot be read; write figures as 20 and words as "…".', text=what)
    return phrase("{text} cannot be read.", text=what)
