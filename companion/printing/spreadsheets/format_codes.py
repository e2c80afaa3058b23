"""Number format codes of spreadsheets, such as `#,##0.00;[Red]-0`, parsed into sections and tokens.

The syntax is that of ECMA-376 part 1, 18.8.30 and 18.8.31. `number_formats` applies the result.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

SYSTEM_FORMATS: Final[Mapping[str, str]] = {"F800": "yyyy-mm-dd", "F400": "h:mm:ss"}
"""The long date and the time format of the displaying system, by the number in place of a locale."""

_TOKEN: Final = re.compile(
    r"""
      "(?P<quote>[^"]*)"? | \\(?P<escape>.) | (?P<space>_.) | (?P<fill>\*.)
    | \[\$(?P<currency>[^\]-]*)[^\]]*\]?
    | \[(?P<comparison>[<>=]+)(?P<limit>[^\]]*)\]
    | (?P<date>y+ | m+ | d+ | h+ | \[(?:h+|m+)\] | (?:s+|\[s+\])(?:\.0+)? | AM/PM | A/P)
    | (?P<bracket>\[[^\]]*\]?)
    | (?P<general>General)
    | (?P<fraction>[0#?]+[ ]?/[ ]?(?:[0#?]+|[1-9][0-9]*))
    | (?P<exponent>E[+-])
    | (?P<digit>[0#?]) | (?P<point>\.) | (?P<comma>,) | (?P<percent>%) | (?P<text>@) | (?P<semicolon>;)
    | (?P<unknown>[BEGN]) | (?P<literal>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_LITERALS: Final = ("quote", "escape", "currency", "literal")
_IGNORED: Final = ("fill", "bracket", "limit")
_LOCALE: Final = re.compile(r"\[\$[^\]]*?-(?!x-)([\w-]+)[^\]]*\]")
_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "<>": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
_MAX_SECTIONS: Final = 4


class FormatError(ValueError):
    """A format that cannot be parsed, or that displays no text for a number."""


class FormatToken(NamedTuple):
    """A part of a section. Its kind is a group of `_TOKEN`, or for digits `integer`, `decimal` or `power`."""

    kind: str
    text: str


class FormatCondition(NamedTuple):
    """The comparison of a section with a number, such as `[<1000]`."""

    comparison: str
    limit: float

    def accepts(self, number: float) -> bool:
        return _COMPARISONS[self.comparison](number, self.limit)

    @property
    def is_negative_only(self) -> bool:
        return self == ("<", 0) or (self.limit < 0 and self.comparison in ("<", "<=", "="))


class FormatSection(NamedTuple):
    """One of the parts of a format that semicolons separate.

    Attributes:
        tokens: The tokens without conditions, colours and the commas among digits.
        condition: None for a section that accepts every number.
        scale: The power of ten by which percent signs and trailing commas multiply.
        has_groups: True if thousands are separated.
    """

    tokens: Sequence[FormatToken]
    condition: FormatCondition | None = None
    scale: int = 0
    has_groups: bool = False

    def texts(self, kind: str) -> list[str]:
        """Return the texts of the tokens of a kind."""
        return [token.text for token in self.tokens if token.kind == kind]

    def render(self, pieces: Mapping[str, Sequence[str]]) -> str:
        """Replace the tokens of each kind by its pieces, in order; other tokens stay as they are."""
        iterators = {kind: iter(texts) for kind, texts in pieces.items()}
        return "".join(next(iterators[kind]) if kind in iterators else text for kind, text in self.tokens)


class FormatCode(NamedTuple):
    """A number format.

    Attributes:
        numbers: The sections for numbers.
        text: The section for texts, if the format has one.
        locale: The number or tag of the format's locale; "" for none.
    """

    numbers: Sequence[FormatSection]
    text: FormatSection | None
    locale: str

    def section(self, number: float) -> FormatSection:
        """Return the first section that accepts a number. Raises FormatError if none does."""
        for section in self.numbers:
            if section.condition is None or section.condition.accepts(number):
                return section
        raise FormatError(number)


@lru_cache(maxsize=1_000)
def parse_format(code: str) -> FormatCode:
    """Parse a format in Excel's English notation. Raises FormatError if it is invalid."""
    match = _LOCALE.search(code)
    tag = match[1] if match else ""
    sections = [_parse_section(matches) for matches in _split_sections(SYSTEM_FORMATS.get(tag.upper(), code))]
    if len(sections) > _MAX_SECTIONS or (len(sections) == 1 and not sections[0].tokens):
        raise FormatError(code)
    text = sections[-1] if len(sections) == _MAX_SECTIONS or sections[-1].texts("text") else None
    # A format for texts only, such as `@`, applies to numbers as well.
    numbers = sections if text is None else sections[:-1] or sections
    return FormatCode(_add_conditions(numbers), text, tag)


def _split_sections(code: str) -> Iterator[list[re.Match[str]]]:
    section: list[re.Match[str]] = []
    for match in _TOKEN.finditer(code):
        if match.lastgroup == "unknown":
            raise FormatError(code)
        if match.lastgroup == "semicolon":
            yield section
            section = []
        else:
            section.append(match)
    yield section


def _add_conditions(sections: Sequence[FormatSection]) -> list[FormatSection]:
    """Add the conditions that hold if none are written: positive; negative; anything else."""
    first, second = sections[0].condition, sections[1].condition if len(sections) > 1 else None
    if len(sections) > 1:
        # The second of two sections takes all numbers that the first leaves.
        is_negative = len(sections) > 2 or first is None
        second = second or (FormatCondition("<", 0) if is_negative else None)
        first = first or FormatCondition(">=" if len(sections) == 2 else ">", 0)
    conditions = (first, second, None)
    return [section._replace(condition=condition) for section, condition in zip(sections, conditions, strict=False)]


def _parse_section(matches: Sequence[re.Match[str]]) -> FormatSection:
    condition = next((_parse_condition(match) for match in matches if match["comparison"]), None)
    tokens = [_read_token(match) for match in matches if match.lastgroup not in _IGNORED]
    kinds = [token.kind for token in tokens]
    if "date" in kinds:
        return FormatSection(list(_mark_minutes(tokens)), condition)
    if "digit" not in kinds and "fraction" not in kinds:
        return FormatSection(tokens, condition)
    if not _has_readable_digits(kinds):
        raise FormatError("".join(token.text for token in tokens))
    digits = "".join(text for kind, text in tokens if kind in ("digit", "comma", "point"))
    integer, _, decimals = digits.partition(".")
    thousands = sum(len(part) - len(part.rstrip(",")) for part in (integer, decimals))
    scale = 2 * kinds.count("percent") - 3 * thousands
    return FormatSection(list(_name_digits(tokens)), condition, scale, "," in integer.strip(","))


def _has_readable_digits(kinds: Sequence[str]) -> bool:
    """Return False for decimals of a fraction, two exponents, or an exponent without digits on either side."""
    if "fraction" in kinds:
        return kinds.count("fraction") == 1 and "point" not in kinds and "exponent" not in kinds
    if "exponent" in kinds:
        place = kinds.index("exponent")
        return kinds.count("exponent") == 1 and "digit" in kinds[:place] and "digit" in kinds[place:]
    return True


def _parse_condition(match: re.Match[str]) -> FormatCondition:
    try:
        condition = FormatCondition(match["comparison"], float(match["limit"]))
    except ValueError as error:
        raise FormatError(match[0]) from error
    if condition.comparison not in _COMPARISONS:
        raise FormatError(match[0])
    return condition


def _read_token(match: re.Match[str]) -> FormatToken:
    kind = match.lastgroup or ""
    if kind == "space":
        return FormatToken("literal", " ")
    return FormatToken("literal", match[kind]) if kind in _LITERALS else FormatToken(kind, match[0])


def _mark_minutes(tokens: Sequence[FormatToken]) -> Iterator[FormatToken]:
    """Replace m by n in minutes, to distinguish them from months: an m behind hours or before seconds."""
    fields = [token.text.lower() for token in tokens if token.kind == "date"]
    neighbours = zip(["", *fields], fields, [*fields[1:], ""], strict=False)
    for token in tokens:
        if token.kind != "date":
            yield token
            continue
        before, field, after = next(neighbours)
        is_minute = before.startswith(("h", "[h")) or after.startswith(("s", "[s"))
        yield FormatToken("date", field.replace("m", "n") if is_minute and field in ("m", "mm") else field)


def _name_digits(tokens: Sequence[FormatToken]) -> Iterator[FormatToken]:
    """Name digits by their place: before the point, behind it, or in the exponent. Drop the commas."""
    part = "integer"
    has_integer = False
    for kind, text in tokens:
        if kind == "digit":
            has_integer = True
            yield FormatToken(part, text)
        elif kind == "point" and part == "integer":
            if not has_integer:
                # Digits before the point are displayed even without a placeholder.
                yield FormatToken("integer", "#")
            part = "decimal"
            yield FormatToken(kind, text)
        elif kind == "exponent":
            part = "power"
            yield FormatToken(kind, text)
        elif kind != "comma":
            yield FormatToken("literal" if kind == "point" else kind, text)
