"""A line of a deck list as people and programs write it: how many copies, which card, which printing.

A line that can be read in two ways is not guessed: `NotationError` says how to write either of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from companion.tabletop.action import NotationError
from companion.tabletop.decks.card_texts import LiteralText, clean_printing, split_remarks, write_literally
from companion.tabletop.decks.list_words import fold_heading, load_words
from templates.languages.messages import Message, phrase

MAX_COPIES: Final = 1000
_MAX_DIGITS: Final = 9

Place = Literal["front", "back", "none"]
"""The place of the number of copies in a line."""


class CardLine(NamedTuple):
    """What a line says of a card.

    `copies` is None if the line has no number. `section` is the section that the line itself names: `SB: 2 Ember`.
    `coded` are the name and the printing if the last two words of the name are a set and a number without brackets.
    """

    copies: int | None
    place: Place
    name: str
    remarks: tuple[str, ...] = ()
    printing: str = ""
    section: str = ""
    coded: tuple[str, str] | None = None


_NO_COUNT: Final = re.compile(r"(?:([-+−]\d[\d.,]*|\d+[.,]\d*|\d+[):])\s*[x×]?\s+|(\d+\s*[,;]))\S", re.IGNORECASE)
"""A number that is no number of copies: that of a row, or one with a sign."""
_FRONT: Final = (
    re.compile(r"(\d+)(?:\s*[x×]|X)?\s+(\S.*)"),
    re.compile(r"(\d+)[x×]([^\W\d].*)"),
    re.compile(r"[x×*](\d+)\s+(\S.*)", re.IGNORECASE),
    re.compile(r"\((\d+)\)\s*(\S.*)"),
    re.compile(r"\[(\d+)\]\s*(\S.*)"),
)
_LARGE_X: Final = re.compile(r"X\s+\S.*")
_DASH: Final = re.compile(r"[-–—]\s+(\S.*)")
_BACK: Final = (
    re.compile(r"(\S.*?)\s+([x×*]\s*(\d+))", re.IGNORECASE),
    re.compile(r"(\S.*?)\s*(\((\d+)\))"),
    re.compile(r"(\S.*?)\s*(\[(\d+)\])"),
    re.compile(r"(\S.*?)\s+((\d+)[x×])", re.IGNORECASE),
)
_BULLET: Final = re.compile(r"[-*•·–]\s+(\S.*)")
_SECTION: Final = re.compile(r"(sb|cmdr)\s*:\s*(\S.*)", re.IGNORECASE)
_FRONT_SET: Final = re.compile(r"\[([A-Z0-9]{2,6})(?::(\w{1,12}))?\]\s+(\S.*)")
_ONLY_NUMBER_SET: Final = re.compile(r"\[\d+\]\s+\S.*")
_CATEGORY: Final = re.compile(
    r"(\S.*?\))(?P<number>\s+\S+)?(?P<foil>\s+\*\w+\*)?(?:\s+\[(?P<word>[^\[\]]*)\])?(?P<tag>\s+\^[^^]*\^)?"
)
"""A card with the category and the tag that some sites write behind its printing."""
_SET: Final = re.compile(r"(?P<name>\S.*?)\s+\((?P<set>[A-Za-z0-9]{2,6})\)(?:\s+(?P<number>[\w★†☆*-]{1,12}))?")
_SET_BEFORE_END: Final = re.compile(r".*\s\([A-Z0-9]{2,6}\)\s.*")
_SQUARE: Final = re.compile(
    r"(?P<name>\S.*?)(?:\s+<(?P<number>[^<>]{1,20})>)?\s+\[(?P<set>[A-Z0-9]{2,6})\](?:\s+(?P<after>\d\w{0,6}))?"
)
_FOIL: Final = re.compile(r"(\S.*?)\s+(?:\*(?:f|e|foil|etched|f-etch)\*|\(F\)|\(foil\))", re.IGNORECASE)
_STARRED: Final = re.compile(r"(\S.*?)\s+\*([A-Za-z -]{1,20})\*")
_CODED: Final = re.compile(
    r"(\S.*?)\s+((?:[A-Z][A-Z0-9]{1,4}|[0-9][A-Z]{2})(?:-[A-Z0-9]{2,4})?|[A-Z]{2,5}Energy|(?<=Energy )Energy)"
    r"\s+([A-Z]{0,4}\d{1,4}[a-z]?)(?:\s+PH)?"
)
_BRACKETS: Final = re.compile(r"[()\[\]<>,;]")
_LITERALLY: Final = r"\\\g<0>"
_SEVERAL: Final = re.compile(r"[,;]\s*(?:\d+\s*[x×]?|[x×]\d+)\s+\S", re.IGNORECASE)
_IN_SQUARES: Final = re.compile(r"\S.*\s(?:\[[^\[\]]*\]|<[^<>]*>)")


def parse_card_line(line: str, *, has_forge_bars: bool = False) -> CardLine:
    """Read a line, of which blanks are single and comments are cut off.

    With `has_forge_bars`, a name is followed by its set and the number of its picture behind bars, as in files of
    Forge, and not by remarks. Raises NotationError.
    """
    literal = LiteralText(line)
    counted, *remarks = (part.strip() for part in literal.text.split("|"))
    reader = _LineReader(counted, line)
    read = reader.read()
    if not read.name or read.name.isdecimal():
        raise NotationError(phrase("a name is missing; write how many and which card, as in “4 Ash Wolf”"))
    if has_forge_bars:
        read = _with_bars_of_forge(read, remarks)
        remarks = []
    own, printing = split_remarks(map(literal.show, remarks))
    coded = None if read.coded is None else (literal.show(read.coded[0]), literal.show(read.coded[1]))
    return read._replace(
        name=literal.show(read.name),
        remarks=own,
        printing=clean_printing(literal.show(printing or read.printing)),
        coded=coded,
    )


class _LineReader:
    """A reader of the part of a line before its bars."""

    def __init__(self, text: str, line: str) -> None:
        self._text = text
        self._line = line
        """The whole line, for messages."""

    def read(self) -> CardLine:
        text, section = self._text, ""
        if match := _SECTION.fullmatch(text):
            section, text = match[1].lower(), match[2]
        if match := _BULLET.fullmatch(text):
            text = match[1]
        if match := _NO_COUNT.match(text):
            raise NotationError(
                phrase(
                    "“{word}” is not a number of copies; write 1 to {most}",
                    word=match[1] or match[2],
                    most=str(MAX_COPIES),
                )
            )
        count, place, name = self._split_count(text)
        name, printing, word = self._split_printing(name)
        coded = _CODED.fullmatch(name)
        return CardLine(
            count,
            place,
            " ".join(name.split()),
            printing=printing,
            section=section or word,
            coded=(coded[1], f"{coded[2]} {coded[3]}") if coded and not printing else None,
        )

    def _split_count(self, text: str) -> tuple[int | None, Place, str]:
        front = next((match for each in _FRONT if (match := each.fullmatch(text))), None)
        if front is None:
            back = _match_back(text)
            if back is not None:
                return self._number(back[3], back[1]), "back", back[1]
            return None, "none", text
        name = front[2]
        if match := _DASH.fullmatch(name):
            name = match[1]
        count = self._number(front[1], name)
        if _LARGE_X.fullmatch(name):
            raise NotationError(_two_counts(self._line, f"{count} \\{name}"))
        if load_words().counts_cards(fold_heading(name)) and "|" not in self._line:
            raise NotationError(_card_or_heading(self._line, f"{count} \\{name}"))
        if any(each.fullmatch(name) for each in _FRONT[1:]):
            raise NotationError(_two_counts(self._line, f"{count} \\{name}"))
        if back := _match_back(name):
            raise NotationError(_two_counts(self._line, f"{count} {back[1]} \\{back[2]}"))
        return count, "front", name

    def _number(self, digits: str, name: str) -> int:
        if len(digits) > _MAX_DIGITS or not 1 <= int(digits) <= MAX_COPIES:
            raise NotationError(
                phrase(
                    "“{copies}” copies of {card}; write 1 to {most}",
                    copies=digits[:_MAX_DIGITS],
                    card=name,
                    most=str(MAX_COPIES),
                )
            )
        return int(digits)

    def _split_printing(self, name: str) -> tuple[str, str, str]:
        """Return the name, the printing, and the section that the line names."""
        section = foil = ""
        if _SEVERAL.search(name):
            raise NotationError(several_cards(self._line))
        if (match := _CATEGORY.fullmatch(name)) and (match["word"] is not None or match["tag"]):
            section = (match["word"] or "").partition("{")[0].strip()
            name = f"{match[1]}{match['number'] or ''}{match['foil'] or ''}"
        if match := _FOIL.fullmatch(name):
            name, foil = match[1], "foil"
        elif match := _STARRED.fullmatch(name):
            name, section = match[1], match[2]
        if match := _FRONT_SET.fullmatch(name):
            if match[1].isdecimal():
                raise NotationError(_two_counts(self._line, f"1 \\{name}"))
            return match[3], _printing(match[1], match[2], foil), section
        if (match := _SQUARE.fullmatch(name)) and not match["set"].isdecimal():
            return match["name"], _printing(match["set"], match["number"] or match["after"], foil), section
        if (match := _SET.fullmatch(name)) and self._is_set(match):
            return match["name"], _printing(match["set"], match["number"], foil), section
        self._refuse_unclear(name)
        return name, foil, section

    def _refuse_unclear(self, name: str) -> None:
        """Raise NotationError for a name that holds more than a name."""
        if _SET_BEFORE_END.fullmatch(name) or _IN_SQUARES.fullmatch(name) or name[:1] in ("[", "("):
            raise NotationError(_unclear_end(self._line, _literal_brackets(self._line)))

    def _is_set(self, match: re.Match[str]) -> bool:
        """Return True if brackets hold the code of a set, and not a part of the name: `(RNA)`, not `(Used)`."""
        word, number = match["set"], match["number"]
        if word.isdecimal() or (number and not any(map(str.isdigit, number))):
            raise NotationError(_unclear_end(self._line, _literal_brackets(self._line)))
        if word.upper() == word:
            shouts = match["name"].upper() == match["name"] and sum(map(str.isalpha, match["name"])) > 1
            is_escaped = "\\" in self._line
            if shouts and not number and not is_escaped and not any(map(str.isdigit, word)):
                raise NotationError(_unclear_end(self._line, _literal_brackets(self._line)))
            return True
        if word.lower() == word and (number or any(map(str.isdigit, word))):
            return True
        if number:
            raise NotationError(_unclear_end(self._line, _literal_brackets(self._line)))
        return False


def _match_back(text: str) -> re.Match[str] | None:
    """Return the match of a number of copies behind a name, in which groups 1 to 3 are name, sign and digits."""
    return next((match for each in _BACK if (match := each.fullmatch(text))), None)


def _printing(code: str, number: str | None, foil: str) -> str:
    return " ".join(filter(None, (code.upper(), number, foil)))


def _with_bars_of_forge(read: CardLine, bars: list[str]) -> CardLine:
    """Return a card with the set behind its first bar; a plus at the end of its name means foil."""
    name, is_foil = read.name.removesuffix("+"), read.name.endswith("+")
    code = bars[0] if bars else ""
    return read._replace(name=name, printing=" ".join(filter(None, (code, "foil" if is_foil else ""))) or read.printing)


def _literal_brackets(line: str) -> str:
    return re.sub(r"(?<!\\)([(\[])", r"\\\1", line)


def several_cards(line: str) -> Message:
    """Return the problem of a line with more than one card."""
    return phrase("several cards stand in “{line}”; write each on a line of its own", line=line)


def _two_counts(line: str, literal: str) -> Message:
    return phrase(
        "“{line}” has two numbers of copies; leave one out, or write “{literal}” if it belongs to the name",
        line=line,
        literal=literal,
    )


def _card_or_heading(line: str, literal: str) -> Message:
    return phrase(
        "“{line}” looks like a heading; write “// {line}” for a heading, or “{literal}” for a card",
        line=line,
        literal=literal,
    )


def _unclear_end(line: str, literal: str) -> Message:
    return phrase(
        "what stands in brackets in “{line}” is unclear; leave it out, or write “{literal}” if it belongs to the name",
        line=line,
        literal=literal,
    )


def write_card_line(copies: int, name: str, remarks: Sequence[str] = ()) -> str:
    """Return the line of a card, which `parse_card_line` reads as the same: `4 Ash Wolf | creature`.

    Signs that would be read otherwise stand behind a backslash: `2 Ember \\(3)`.
    """
    return " | ".join((f"{copies} {_write_name(name)}", *map(write_literally, remarks)))


def _write_name(name: str) -> str:
    plain = write_literally(name)
    try:
        read = parse_card_line(f"2 {plain}")
    except NotationError:
        read = None
    if read is not None and (read.copies, read.name, read.printing, read.section, read.coded) == (
        2,
        name,
        "",
        "",
        None,
    ):
        return plain
    return escape_name(name)


def escape_name(name: str) -> str:
    """Return a name of which no sign means anything but itself: `\\Ember \\(3\\)`."""
    return " ".join(f"\\{word[0]}{_BRACKETS.sub(_LITERALLY, write_literally(word[1:]))}" for word in name.split())
