"""The one type family, FiraGO, embedded; what it cannot show is known before anything is drawn.

reportlab drops a glyph that a font lacks without a word, so every text is checked first. Characters that the family
lacks are looked for in the system's fonts; emoji never, as no outlines of them exist.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from io import BytesIO
from itertools import groupby
from operator import add
from struct import Struct
from typing import Any, TypeVar

import msgspec

from labels import font_files
from labels.errors import LabelError
from labels.font_files import Weight as Weight
from labels.pips import PIPS

# What has no width and so nothing to print: soft hyphens, zero-width spaces, byte order marks, selectors of emoji.
_ZERO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u034f\u180e\u200b\u2060\ufe0e\ufe0f\ufeff"))
_SUBSTITUTES = _ZERO_WIDTH | str.maketrans({"⭐": "★", "'": "’"})
# These say whether Arabic letters join, and nothing once that is done.
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))
_BREAKS = re.compile("\r\n|[\n\v\f\r\x85\u2028\u2029]")
_MIN_KERNING = 0.015
# Each letter is drawn as its own glyph, so nothing but the distances between them is asked for.
_KERNING_ONLY = dict.fromkeys(("calt", "ccmp", "clig", "liga", "locl"), False)
_DEFAULT_ASCENT = 0.82
_DEFAULT_DESCENT = 0.22
_FLAT = (0.0, 0.0)
_NOTDEF = 0
# What an outline begins with: how many lines it has, and the box around it, of which the lowest and highest count.
_BOX = Struct(">4xh2xh")
# All but the space that holds two words together, and symbols that are no space to anybody but Python.
_SPACES = re.compile(r"[^\S\u00a0\x1c-\x1f]+")
# What standards call symbols that have no name in Unicode, by their number.
_CONTROLS = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
# Marks that stand for themselves must be placed by their neighbours' shapes, which takes more than widths; and there
# are fonts that have a shape for control symbols.
_MARKS = frozenset({"Mn", "Mc", "Me", "Cf", "Cc"})
# Italics have the same characters as these, and are read only for who sets something in them.
_UPRIGHT: Sequence[Weight] = ("regular", "bold")
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# A mark that takes its direction from the character before it; `check` lets none through.
_FLAG = "\u0300"
_PRESENTATION_FORM = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]")
_UNKERNED = re.compile(f"[ \u00a0]|{_RIGHT_TO_LEFT.pattern}")
_MAX_QUOTED = 100
"""Symbols of a long text that a sentence quotes."""
_IN_QUOTES = re.compile("“([^”]*)”")
_EMOJI = re.compile("[\U0001f000-\U0001faff]")

_Value = TypeVar("_Value")


class GlyphError(LabelError):
    """A text with characters that cannot be printed."""


class Face:
    """A font in one weight: reportlab's, and how wide, low and high each of its characters is, in em."""

    def __init__(self, font: Any) -> None:
        self.font = font
        self._shape = font.face
        self._outlines = self._shape.get_table("glyf")

    def __contains__(self, char: str) -> bool:
        # A font may list characters with its shape for those that it lacks, an empty box: the first.
        return ord(char) in self._shape.charWidths and self._shape.charToGlyph[ord(char)] != _NOTDEF

    def advance(self, char: str) -> float:
        """How wide one of its characters is."""
        return float(self._shape.charWidths[ord(char)]) / 1000

    def extent(self, char: str) -> tuple[float, float] | None:
        """How far below and above the baseline one of its characters reaches, which reportlab does not keep.

        None where it has no outline, as a space, or the font is broken there.
        """
        glyph = self._shape.charToGlyph[ord(char)]
        places = self._shape.glyphPos[glyph : glyph + 2]
        if len(set(places)) < 2 or len(self._outlines) < places[0] + _BOX.size:
            return None
        low, high = _BOX.unpack_from(self._outlines, places[0])
        return -low / self._shape.unitsPerEm, high / self._shape.unitsPerEm


class Piece(msgspec.Struct, frozen=True):
    """Neighbouring characters drawn the same way; `face` is None for pips."""

    face: Face | None
    text: str


@cache
def face(weight: Weight) -> Face:
    """The family's face of this weight, made known to reportlab on first use."""
    font_files.preload()
    import_module("reportlab.pdfbase.ttfonts")
    return _register_font(_name(weight), BytesIO(font_files.family_font(weight)))


def _name(weight: Weight) -> str:
    return f"FiraGO-{weight.replace(' ', '-')}"


@cache
def _load_system_face(source: font_files.Source) -> Face | None:
    """A font of the system; None if it turns out to be broken."""
    from reportlab.pdfbase.ttfonts import TTFError

    try:
        return _register_font(f"{source.file.stem}-{source.number}", str(source.file), source.number)
    except (TTFError, OSError, ValueError, LookupError):
        return None


def _register_font(name: str, file: BytesIO | str, number: int = 0) -> Face:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    font = TTFont(name, file, asciiReadable=False, subfontIndex=number)
    pdfmetrics.registerFont(font)
    return Face(font)


def names() -> tuple[str, ...]:
    """The names of the upright faces, made known to reportlab."""
    return tuple(face(weight).font.fontName for weight in _UPRIGHT)


@lru_cache(maxsize=1024)
def clean(text: str) -> str:
    """The text as it will be printed on one line, in the order in which it is read.

    Composed, spaces single, ’ for ', ★ for ⭐, without what has no width, and Arabic letters in the forms that join.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.replace("'", "’").split())
    normalized = _SPACES.sub(" ", unicodedata.normalize("NFC", text.translate(_SUBSTITUTES))).strip(" ")
    return (_shape_arabic(normalized) if _ARABIC.search(normalized) else normalized).translate(_JOINERS)


def lines(text: str) -> list[str]:
    """The lines that somebody wrote, each cleaned; empty ones only between others."""
    if text.isprintable():
        return [clean(text)]
    return "\n".join(map(clean, _BREAKS.split(text))).strip("\n").split("\n")


def on_one_line(text: str) -> str:
    """A text as a sentence can quote it: where what stands in quotes is long, or a text without any, its beginning."""
    line = " ".join(text.split())
    return _IN_QUOTES.sub(lambda match: f"“{_truncate(match[1])}”", line) if "“" in line else _truncate(line)


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"


def _shape_arabic(text: str) -> str:
    from arabic_reshaper import ArabicReshaper

    joined: str = ArabicReshaper({"delete_harakat": False, "use_unshaped_instead_of_isolated": True}).reshape(text)
    return joined


def check(text: str, what: str) -> None:
    """Raises GlyphError, calling the text `what`, if a character of a cleaned line cannot be printed."""
    if _PRINTABLE.issuperset(text) or _PRINTABLE.has(text):
        return
    missing = [char for char in text if not _is_printable(char)]
    what, emoji = on_one_line(what), [char for char in missing if _EMOJI.match(char)]
    if emoji:
        raise GlyphError(
            f"{what} has {_list_characters(emoji)}: an emoji is a picture in colour, which no font can print on a "
            "label; use words, or ♠ ♥ ♦ ♣ ★."
        )
    raise GlyphError(
        f"{what} has {_list_characters(missing)}, which no font here can print; write it with other characters."
    )


class _CharacterClass(set[str]):
    """Characters of which something holds, as far as texts have had them: all are made of the same few."""

    def __init__(self, holds: Callable[[str], bool]) -> None:
        super().__init__()
        self._holds = holds
        self._others = set[str]()

    def has(self, text: str) -> bool:
        """Whether it holds of all characters of a text; asking `issuperset` before saves most of the time."""
        for char in set(text) - self - self._others:
            (self if self._holds(char) else self._others).add(char)
        return self._others.isdisjoint(text)


def _is_printable(char: str) -> bool:
    if unicodedata.category(char) in _MARKS:
        return False
    return char in PIPS or all(_face_for(weight, char) is not None for weight in _UPRIGHT)


_PRINTABLE = _CharacterClass(_is_printable)


def _face_for(weight: Weight, char: str) -> Face | None:
    """The face that has a character: the family's, else one of the system's; None if there is none."""
    letters = face(weight)
    if char in letters:
        return letters
    return None if _EMOJI.match(char) else _system_face(weight, char)


def _system_face(weight: Weight, char: str) -> Face | None:
    for source in font_files.fonts_with(char, bold="bold" in weight):
        candidate = _load_system_face(source)
        # Fonts of pictures list characters for which they have no outline.
        if candidate is not None and char in candidate and candidate.extent(char) is not None:
            return candidate
    return None


class _Lookup(dict[str, _Value]):
    """What a weight knows of characters; each is looked up once."""

    def __init__(self, initial: Mapping[str, _Value], compute: Callable[[str], _Value]) -> None:
        super().__init__(initial)
        self._compute = compute

    def __missing__(self, char: str) -> _Value:
        value = self[char] = self._compute(char)
        return value


@cache
def _advances(weight: Weight) -> _Lookup[float]:
    pips = {char: pip.advance for char, pip in PIPS.items()}
    return _Lookup(pips, lambda char: _require_face(weight, char).advance(char))


@cache
def _faces(weight: Weight) -> _Lookup[Face | None]:
    return _Lookup(dict.fromkeys(PIPS), lambda char: _require_face(weight, char))


@cache
def _extents(weight: Weight) -> _Lookup[tuple[float, float]]:
    """How far below and above the baseline characters reach."""
    return _Lookup(dict.fromkeys(PIPS, _FLAT), lambda char: _require_face(weight, char).extent(char) or _FLAT)


def _require_face(weight: Weight, char: str) -> Face:
    owner = _face_for(weight, char)
    if owner is None:
        raise GlyphError(f"No font here can print {_list_characters([char])}.")
    return owner


def _list_characters(characters: list[str]) -> str:
    return ", ".join(f"{_name_character(char)} (U+{ord(char):04X})" for char in dict.fromkeys(characters))


def _name_character(char: str) -> str:
    """A character itself, or where it would be nothing to see or steer a terminal, its name."""
    if unicodedata.category(char)[0] not in "CZ":
        return f"“{char}”"
    return _CONTROLS.split()[ord(char)] if char < " " else unicodedata.name(char, "a control symbol")


def pieces(text: str, weight: Weight) -> tuple[Piece, ...]:
    """A checked line in the order in which it is drawn, from the left, cut where fonts and pips meet."""
    own = _simple_characters(weight)
    if own.issuperset(text) or own.has(text):
        return (Piece(face(weight), text),) if text else ()
    visual = _to_visual_order(text) if _RIGHT_TO_LEFT.search(text) else text
    return tuple(Piece(home, "".join(chars)) for home, chars in groupby(visual, _faces(weight).__getitem__))


@cache
def _simple_characters(weight: Weight) -> _CharacterClass:
    """What the family's face draws by itself, from the left."""
    home = face(weight)
    return _CharacterClass(lambda char: char in home and char not in PIPS and not _RIGHT_TO_LEFT.match(char))


def _to_visual_order(text: str) -> str:
    """A line with what is written from right to left turned round, and its brackets with it.

    The library orders characters and leaves their shapes alone. A flag behind each bracket tells which were turned:
    there it comes out in front.
    """
    from bidi import get_display
    from bidi.mirror import MIRRORED

    bracket = f"[{re.escape(''.join(MIRRORED))}]"
    ordered: str = get_display(re.sub(bracket, rf"\g<0>{_FLAG}", text))
    return re.sub(
        f"{_FLAG}({bracket})|({bracket}){_FLAG}",
        lambda pair: MIRRORED[pair[1]] if pair[1] else pair[2],
        ordered,
    )


def undo_shaping(text: str) -> str:
    """A cleaned text in the letters in which people write it: Arabic ones without the forms that join."""
    return _PRESENTATION_FORM.sub(lambda form: unicodedata.normalize("NFKC", form[0]), text)


def measure(text: str, weight: Weight, size: float) -> float:
    """The width of a checked text in points."""
    return size * _width(text, weight)


# A design asks for the same more than once: whether there is room, how much is left, where the line begins.
@lru_cache(maxsize=2048)
def _width(text: str, weight: Weight) -> float:
    """The same in em."""
    words = widths(text, weight)
    return sum(words) + (len(words) - 1) * space(weight)


@lru_cache(maxsize=2048)
def widths(text: str, weight: Weight) -> Sequence[float]:
    """How wide the words of a checked text are in em, between its spaces."""
    return [_shape(word, weight)[0] for word in text.split(" ")]


@cache
def space(weight: Weight) -> float:
    """How wide the space between two words is in em."""
    return _shape(" ", weight)[0]


def moves(word: str, weight: Weight) -> Sequence[tuple[int, str]]:
    """Where in a word letters move, by how many stand before, and what a PDF says for that between their codes."""
    return _shape(word, weight)[1]


# No letter moves nearer to a space, so that a word is the same everywhere; and what is measured is drawn at once.
@lru_cache(maxsize=2048)
def _shape(word: str, weight: Weight) -> tuple[float, Sequence[tuple[int, str]]]:
    """How wide a word is in em, and how its letters move."""
    width = sum(map(_advances(weight).__getitem__, word))
    wider = list(map(_pairs(weight).__getitem__, map(add, word, word[1:])))
    if not any(wider):
        return width, ()
    moved = [(count, f"> {-1000 * em:g} <") for count, em in enumerate(wider, 1) if em]
    return width + sum(wider), moved


@cache
def _pairs(weight: Weight) -> _Lookup[float]:
    """How much wider in em the first of two characters of the family is before the second; below 0 where nearer.

    None move in words from right to left, and none by less than anybody sees.
    """
    import uharfbuzz

    glyphs = face(weight).font.face.charToGlyph
    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob(font_files.family_font(weight))))

    def wider(pair: str) -> float:
        if _UNKERNED.search(pair) or any(ord(char) not in glyphs for char in pair):
            return 0.0
        buffer = uharfbuzz.Buffer()
        buffer.add_str(pair)
        buffer.guess_segment_properties()
        uharfbuzz.shape(font, buffer, _KERNING_ONLY)
        advance = font.get_glyph_h_advance(buffer.glyph_infos[0].codepoint)
        em = (buffer.glyph_positions[0].x_advance - advance) / float(font.face.upem)
        return em if abs(em) > _MIN_KERNING else 0.0

    return _Lookup({}, wider)


def reach(text: str, weight: Weight) -> tuple[float, float]:
    """How far above and below the baseline a checked text's ink reaches, in em; at least as far as plain letters."""
    plain = _low_characters(weight)
    if plain.issuperset(text) or plain.has(text):
        return _DEFAULT_ASCENT, _DEFAULT_DESCENT
    falls, rises = zip(*map(_extents(weight).__getitem__, text), strict=True)
    return max(_DEFAULT_ASCENT, *rises), max(_DEFAULT_DESCENT, *falls)


def extent(char: str, weight: Weight) -> tuple[float, float]:
    """How far below and above the baseline a checked character's own ink reaches, in em."""
    return _extents(weight)[char]


@cache
def _low_characters(weight: Weight) -> _CharacterClass:
    """Characters of the family that reach no further; most texts have no others."""
    home = face(weight)

    def is_plain(char: str) -> bool:
        if char not in home:
            return False
        low, high = home.extent(char) or _FLAT
        return low <= _DEFAULT_DESCENT and high <= _DEFAULT_ASCENT

    return _CharacterClass(is_plain)
