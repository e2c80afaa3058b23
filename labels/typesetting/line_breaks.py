"""Line breaks by UAX #14, the Unicode Line Breaking Algorithm, as far as labels need it.

Classes and rules are those of Unicode 16. `_RULES` keeps their notation: × forbids a break, ÷ allows one, and the first
rule that matches decides. Emoji and the syllables of Brahmic scripts are left out. Hangul counts as ideographs, since
its syllables come composed. Thai, Lao, Khmer and Burmese have no spaces and break between syllables, as far as spelling
shows them.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

SOFT_HYPHEN: Final = "\u00ad"
"""Allows a break, and is drawn if a line breaks there."""
ZERO_WIDTH_SPACE: Final = "\u200b"
WORD_JOINER: Final = "\u2060"
CONTROLS: Final = (SOFT_HYPHEN, ZERO_WIDTH_SPACE, WORD_JOINER)
"""Characters that only allow or forbid breaks, and have no glyph of their own."""

_RANGES: Final[Mapping[str, str]] = {
    "SP": " ",
    "ZW": ZERO_WIDTH_SPACE,
    "WJ": f"{WORD_JOINER}\ufeff",
    "GL": "\u00a0\u034f\u035c-\u0362\u2007\u2011\u202f",
    "HY": r"\-",
    "HH": "\u2010",
    "BA": r"\t\|\u00ad\u2027\u2056\u2058-\u205b\u205d\u205e\u2e0e-\u2e15\u2e30\u2e31\u2e33\u2e34",
    "BB": "\u00b4\u02c8\u02cc\u02df\u1ffd",
    "B2": "\u2014\u2e3a\u2e3b",
    "SY": "/",
    "IS": ",.:;\u037e\u0589\u060c\u060d\u2044",
    "EX": "!?\u05c6\u061b\u061d-\u061f\u06d4\u2762\u2763\u2e2e\ufe56\ufe57\uff01\uff1f",
    "IN": "\u2024-\u2026\u22ef",
    "CP": r")\]",
    "OP": "\u00a1\u00bf\u2e18\u201a\u201e",
    "CE": "\u3001\u3002\ufe50\ufe52\uff0c\uff0e\uff61\uff64",
    "QU": "\"'\u275b-\u2760",
    "PR": "+\\\\\u00b1\u2116\u2212\u2213",
    "PO": "%\u00a2\u00b0\u0609-\u060b\u066a\u2030-\u2037\u20a7\u20b6\u20bb\u20be\u20c0\u2103\u2109\ufe6a\uff05\uffe0",
    "NU": "\u066b\u066c",
    "HL": "\u05d0-\u05ea\u05ef-\u05f2\ufb1d\ufb1f-\ufb28\ufb2a-\ufb4f",
    # Includes the characters that begin no line in strict style: small kana, marks of sound and repetition.
    "NS": (
        "\u203c\u203d\u2047-\u2049\u3005\u301c\u303b\u303c\u309b-\u309e\u30a0\u30fb-\u30fe\ufe54\ufe55\uff1a\uff1b"
        "\uff65\uff9e\uff9f\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u3095\u3096\u30a1\u30a3\u30a5"
        "\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u30f5\u30f6\u31f0-\u31ff\uff67-\uff70"
    ),
    "ID": "\uff66\uff71-\uff9d\uffa0-\uffdc",
    "AL": "\u0600-\u0605\u06dd\u2061-\u2064\u25fd\u25fe\u2648-\u2653\u2693\u26a1\u26aa\u26ab\u2705\u2728\u274c\u2b50",
}
"""Characters by class, unless their category and width decide it.

HH is a hyphen that does not join the figure after it. CE and OE are brackets and stops of East Asian width.
"""
_BY_CATEGORY: Final[Mapping[str, str]] = {
    **dict.fromkeys(("Mn", "Mc", "Me", "Cc", "Cf"), "CM"),
    "Nd": "NU",
    "Ps": "OP",
    "Pe": "CL",
    "Pi": "QI",
    "Pf": "QF",
    "Sc": "PR",
    "Zs": "BA",
    "Pd": "BA",
}
_EAST_ASIAN: Final[Mapping[str, str]] = {"OP": "OE", "CL": "CE"}
"""QI and QF are opening and closing quotation marks."""

_RULES: Final = """
LB7    × (SP|ZW)
LB8    ZW SP* ÷
LB11   × WJ
LB11   WJ ×
LB12   GL ×
LB12a  [^SP BA HY HH] × GL
LB13   × (CL|CE|CP|EX|SY)
LB14   (OP|OE) SP* ×
LB15a  (?<![^OP OE QU QI QF GL SP ZW]) QI SP* ×
LB15b  × QF (?![^SP GL WJ CL CE QU QI QF CP EX IS SY ZW])
LB15c  SP ÷ IS NU
LB15d  × IS
LB16   (CL|CE|CP) SP* × NS
LB17   B2 SP* × B2
LB18   SP ÷
LB19a  (ID|CE|NS) ÷ QI (ID|OE|NS)
LB19a  (?<=[ID CE NS]) QF ÷ (ID|OE)
LB19   × (QU|QI|QF)
LB19   (QU|QI|QF) ×
LB20a  (?<![^SP ZW GL]) (HY|HH) × AL
LB21   × (BA|HY|HH|NS)
LB21   BB ×
LB21a  HL (HY|HH|BA) × [^HL]
LB21b  SY × HL
LB22   × IN
LB23   (AL|HL) × NU
LB23   NU × (AL|HL)
LB23a  PR × ID
LB23a  ID × PO
LB24   (PR|PO) × (AL|HL)
LB24   (AL|HL) × (PR|PO)
LB25   NU (SY|IS)* (CL|CE|CP)? × (PO|PR)
LB25   (PO|PR) × (OP|OE)? IS? NU
LB25   (HY|IS) × NU
LB25   NU (SY|IS)* × NU
LB28   (AL|HL) × (AL|HL)
LB29   IS × (AL|HL)
LB30   (AL|HL|NU) × OP
LB30   CP × (AL|HL|NU)
"""
_CLASS_NAME: Final = re.compile("[A-Z][A-Z2]")

_LETTERS: Final = "0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u0481"
# A line without a match breaks at each of its spaces and nowhere else, so the rules can be skipped: opening marks stand
# before words, closing ones behind them.
_SPECIAL: Final = re.compile(
    rf"[^ {_LETTERS}.,:;’!?”)(“+]| [.,:;’!?”)]|[!?”)](?=[^ .,:;!?”)])|(?<=[^ ])[(“+]|[(“+](?![{_LETTERS}])"
)

_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_THAI_LETTER, _THAI_VOWEL = "[ก-ฮກ-ຮ]", "[ะาำๅະາຳ]"
_THAI_SIGN: Final = "[\u0e31\u0e34-\u0e3a\u0e47-\u0e4b\u0e4d\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd]"
# Two consonants that may begin a syllable together.
_THAI_PAIR: Final = "[กขคตทปผพสศກຂຄຕປຜພ][รลวຣລວ]"
# A Thai or Lao consonant without a vowel of its own ends the syllable before. Khmer and Burmese letters stay with their
# marks.
_SYLLABLE: Final = re.compile(
    f"[เ-ไເ-ໄ]?(?:{_THAI_PAIR}(?={_THAI_SIGN}|{_THAI_VOWEL})|{_THAI_LETTER}){_THAI_SIGN}*\u0e4c?{_THAI_VOWEL}*"
    f"(?:(?!{_THAI_PAIR}(?:{_THAI_VOWEL}|{_THAI_SIGN})){_THAI_LETTER}(?!{_THAI_VOWEL}|{_THAI_SIGN})\u0e4c?)*"
    "|[\u1780-\u17b3](?:\u17d2[\u1780-\u17b3]|[\u17b4-\u17d1\u17d3\u17dd])*"
    "|[\u1000-\u102a](?:\u1039[\u1000-\u102a]|[\u102b-\u103e]|[\u1000-\u102a]\u1037?\u103a)*"
)


def is_plain(line: str) -> bool:
    """Return True for a line that breaks at each of its spaces and nowhere else, as most do."""
    return _SPECIAL.search(line) is None


def is_spaced(char: str) -> bool:
    """Return True for a character of a script that has spaces between its words, where breaks inside them are rare."""
    return unicodedata.east_asian_width(char) not in "WFH" and not _UNSPACED.match(char)


def remove_controls(text: str) -> str:
    """Return the text as it is drawn on one line, without the characters that only control line breaks."""
    for control in CONTROLS:
        text = text.replace(control, "")
    return text


def remove_before_marks(text: str) -> str:
    """Return the text without the control characters that would separate a letter from its mark."""
    if not any(control in text for control in CONTROLS):
        return text
    kept = ""
    for char in reversed(text):
        if char not in CONTROLS or not unicodedata.category(kept[-1:] or " ").startswith("M"):
            kept += char
    return kept[::-1]


@lru_cache(maxsize=2048)
def find_breaks(line: str) -> Sequence[int]:
    """Return the places where the line may break, as the number of characters before them.

    Spaces at a break count as before it. The ends of the line are not included. A break at a soft hyphen is behind it.
    """
    classes, starts = _classify(line)
    allowed = dict[int, bool]()
    for pattern, is_allowed in _patterns():
        for match in pattern.finditer(classes):
            allowed.setdefault(match.end(), is_allowed)
    breaks = {starts[at] for at in range(1, len(starts)) if allowed.get(at, True)}
    if _UNSPACED.search(line):
        breaks |= {match.start() for match in _SYLLABLE.finditer(line) if _UNSPACED.match(line, match.start() - 1)}
    # At the beginning of a line, a mark with only a space before it would be drawn on nothing.
    return sorted(at for at in breaks if at and not unicodedata.category(line[at]).startswith("M"))


def split_line(line: str) -> list[str]:
    """Split a line into the pieces that stay together, each with the spaces behind it."""
    return [line[start:end] for start, end in pairwise([0, *find_breaks(line), len(line)])]


def _classify(line: str) -> tuple[str, list[int]]:
    """Return the classes of a line's characters, one letter each, and the positions of these characters.

    A mark belongs to the character before it, and counts as a letter if there is none (LB9, LB10).
    """
    classes, starts = "", list[int]()
    for at, char in enumerate(line):
        letter = _class_letter(char)
        if letter == _letter("CM"):
            if classes and classes[-1] not in (_letter("SP"), _letter("ZW")):
                continue
            letter = _letter("AL")
        classes += letter
        starts.append(at)
    return classes, starts


@lru_cache(maxsize=1024)
def _class_letter(char: str) -> str:
    """Return the letter of a character's class."""
    named = next((name for name, ranges in _RANGES.items() if re.match(f"[{ranges}]", char)), None)
    if named is not None:
        return _letter(named)
    is_wide = unicodedata.east_asian_width(char) in "WF"
    by_category = _BY_CATEGORY.get(unicodedata.category(char), "ID" if is_wide else "AL")
    return _letter(_EAST_ASIAN.get(by_category, by_category) if is_wide else by_category)


@cache
def _letter(name: str) -> str:
    """Return a letter for a class, so that patterns can match classes."""
    return chr(ord("À") + sorted({*_RANGES, *_BY_CATEGORY.values(), *_EAST_ASIAN.values()}).index(name))


@cache
def _patterns() -> Sequence[tuple[re.Pattern[str], bool]]:
    """Return the rules in order: a pattern that ends at the place it decides, and True if a break is allowed there."""
    rules = []
    for rule in _RULES.strip().splitlines():
        before, sign, behind = re.split("([×÷])", rule.split(maxsplit=1)[1])
        source = f"{before}(?={behind})" if behind.strip() else before
        if not before.strip():
            # The match then ends behind a character, and the next one may begin there.
            source = f"(?<=.)(?={behind})"
        rules.append((re.compile(_CLASS_NAME.sub(lambda name: _letter(name[0]), source).replace(" ", "")), sign == "÷"))
    return rules
