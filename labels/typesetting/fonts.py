"""The standard type family, FiraGO, and other typefaces, embedded. Missing characters are found before drawing.

reportlab silently drops glyphs that a font lacks, so every text is checked first. Characters missing from the family
are looked up in the system's fonts. Emoji are not, as they have no outlines.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, reduce
from importlib import import_module
from io import BytesIO
from itertools import groupby
from operator import add
from struct import Struct
from typing import Any, TypeVar, get_args

import msgspec

from labels.errors import LabelError
from labels.typesetting import emphasis, font_files, line_breaks, shaping, typefaces
from labels.typesetting.pips import PIPS
from labels.typesetting.typefaces import Weight as Weight
from templates.languages import messages
from templates.languages.messages import Language, Message, Text, all_of, listed, phrase, render_value

# Characters without width: soft hyphens, zero-width spaces, byte order marks, emoji selectors.
_ZERO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u034f\u180e\u200b\u2060\ufe0e\ufe0f\ufeff"))
_SUBSTITUTES = _ZERO_WIDTH | str.maketrans({"⭐": "★", "'": "’"})
_BREAKABLE_SUBSTITUTES = {
    code: char for code, char in _SUBSTITUTES.items() if code not in map(ord, line_breaks.CONTROLS)
}
# Fonts need not list characters that only control whether letters join.
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))
_BREAKS = re.compile("\r\n|[\n\v\f\r\x85\u2028\u2029]")
_MIN_KERNING = 0.015
# Each letter is drawn as its own glyph, so only kerning is needed.
_KERNING_ONLY = dict.fromkeys(("calt", "ccmp", "clig", "liga", "locl"), False)
_DEFAULT_ASCENT = 0.82
_DEFAULT_DESCENT = 0.22
_FLAT = (0.0, 0.0)
_NOTDEF = 0
# The head of an outline: its number of contours and its bounding box, of which the lowest and highest count.
_BOX = Struct(">4xh2xh")
# All spaces but the no-break space, and but the separators that only Python treats as spaces.
_SPACES = re.compile(r"[^\S\u00a0\x1c-\x1f]+")
# Names in the standards of characters without a Unicode name, by number.
_CONTROLS = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
# Some fonts have a shape for control characters.
_CONTROL_CATEGORIES = frozenset({"Cf", "Cc"})
# Italics have the same characters as these, and are loaded only when text is set in them.
_UPRIGHT: Sequence[Weight] = ("regular", "bold")
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f]")
_RIGHT_TO_LEFT = re.compile(f"[{shaping.RIGHT_TO_LEFT}]")
# A mark that takes its direction from the character before it, and that `clean` always removes.
_FLAG = "\u034f"
_PRESENTATION_FORM = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]")
_UNKERNED = re.compile(f"[ \u00a0]|{_RIGHT_TO_LEFT.pattern}")
# Noto's own fonts for these scripts are of a kind that cannot be embedded.
_HELPFUL_FONTS = {
    "CJK": "WenQuanYi Zen Hei",
    "HIRAGANA": "VL Gothic",
    "KATAKANA": "VL Gothic",
    "HANGUL": "Nanum Gothic",
    "TIBETAN": "Noto Serif Tibetan",
}
_NOTO_SCRIPTS = {"ARMENIAN", "BENGALI", "CHEROKEE", "ETHIOPIC", "GUJARATI", "GURMUKHI", "KANNADA", "KHMER", "LAO"} | {
    "MALAYALAM",
    "MONGOLIAN",
    "MYANMAR",
    "ORIYA",
    "SINHALA",
    "SYRIAC",
    "TAMIL",
    "TELUGU",
    "THAANA",
}
_MAX_QUOTED = 100
"""Characters of a long text that a message quotes."""
_IN_QUOTES = re.compile("“([^”]*)”")
_EMOJI = re.compile("[\U0001f000-\U0001faff]")

_Value = TypeVar("_Value")


class GlyphError(LabelError):
    """A text with characters that cannot be printed."""


class Face:
    """A font in one weight: reportlab's font, and the width, depth and height of its characters in em."""

    def __init__(self, font: Any, number: int = 0) -> None:
        self.font = font
        self._number = number
        self._shape = font.face
        self._outlines = self._shape.get_table("glyf")

    def rename(self, name: str) -> None:
        """Give it the name of another weight in PDF files, which tell the fonts of a page apart by their names."""
        self._shape.name = name.encode()

    def __contains__(self, char: str) -> bool:
        # A font may map characters that it lacks to its first glyph, an empty box.
        return ord(char) in self._shape.charWidths and self._shape.charToGlyph[ord(char)] != _NOTDEF

    @cached_property
    def _shaper(self) -> shaping.Shaper:
        return shaping.Shaper(self.font, self._number)

    def shape(self, run: str) -> tuple[float, tuple[shaping.Glyph, ...]]:
        """Return the width of a run of its characters in em, and the glyphs that HarfBuzz makes of it."""
        return self._shaper.shape(run)

    def expect(self, characters: str) -> None:
        """Register the glyphs behind private-use characters, as shaping does, if another process did the shaping."""
        private = [
            char for char in characters if ord(char) not in self._shape.charToGlyph and "\ue000" <= char <= "\uf8ff"
        ]
        if private:
            self._shaper.expect(private)

    def advance(self, char: str) -> float:
        """Return the width of one of its characters in em."""
        return float(self._shape.charWidths[ord(char)]) / 1000

    def extent(self, char: str) -> tuple[float, float] | None:
        """Return how far one of its characters reaches below and above the baseline, which reportlab does not keep.

        Return None if it has no outline, such as a space, or if the font is damaged there.
        """
        glyph = self._shape.charToGlyph[ord(char)]
        places = self._shape.glyphPos[glyph : glyph + 2]
        if len(set(places)) < 2 or len(self._outlines) < places[0] + _BOX.size:
            return None
        low, high = _BOX.unpack_from(self._outlines, places[0])
        return -low / self._shape.unitsPerEm, high / self._shape.unitsPerEm


class TextPiece(msgspec.Struct, frozen=True):
    """Neighbouring characters drawn the same way. `face` is None for pips. A shaped piece has glyphs and a width.

    An emphasized piece has a weight of its own.
    """

    face: Face | None
    text: str
    glyphs: tuple[shaping.Glyph, ...] = ()
    width: float = 0.0
    weight: Weight | None = None


@cache
def face(weight: Weight) -> Face:
    """Return the face of this weight, registered with reportlab on first use."""
    font_files.preload()
    import_module("reportlab.pdfbase.ttfonts")
    registered = _register_font(_font_name(weight), BytesIO(font_files.family_font(weight)))
    if name := typefaces.font_name(weight):
        registered.rename(name)
    return registered


def _font_name(weight: Weight) -> str:
    return f"FiraGO-{weight.replace(' ', '-')}"


@cache
def _load_system_face(source: font_files.FontSource) -> Face | None:
    """Return a font of the system, or None if it is broken."""
    from reportlab.pdfbase.ttfonts import TTFError

    try:
        return _register_font(f"{source.file.stem}-{source.number}", str(source.file), source.number)
    except (TTFError, OSError, ValueError, LookupError):
        return None


def _register_font(name: str, file: BytesIO | str, number: int = 0) -> Face:
    from reportlab.pdfbase import pdfmetrics, ttfonts

    font = ttfonts.TTFont(name, file, asciiReadable=False, subfontIndex=number)
    pdfmetrics.registerFont(font)
    _registered[name] = registered = Face(font, number)
    return registered


_registered = dict[str, Face]()


def names() -> tuple[str, ...]:
    """Return the names of the upright faces, registered with reportlab."""
    return tuple(face(weight).font.fontName for weight in _UPRIGHT)


def face_named(name: str) -> Face | None:
    """Return the face that reportlab has under this name: the family's, or one of the system's that was used before."""
    for weight in get_args(Weight):
        if name == _font_name(weight):
            return face(weight)
    return _registered.get(name)


@lru_cache(maxsize=1024)
def clean(text: str, *, breakable: bool = False) -> str:
    """Return the text as it is printed on one line, in reading order.

    It is composed, with single spaces, ’ for ' and ★ for ⭐, without zero-width characters, and with Arabic letters in
    their joined forms. With `breakable` it keeps the characters that control line breaks, but not in texts with Arabic
    letters, which they would separate.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.replace("'", "’").split())
    if breakable:
        breakable = not _ARABIC.search(text)
        text = line_breaks.remove_before_marks(text)
    printed = text.translate(_BREAKABLE_SUBSTITUTES if breakable else _SUBSTITUTES)
    normalized = _SPACES.sub(" ", unicodedata.normalize("NFC", printed)).strip(" ")
    composed = "".join(map(_decompose, normalized))
    return shaping.remove_joiners(_shape_arabic(composed) if _ARABIC.search(composed) else composed)


@lru_cache(maxsize=1024)
def _decompose(char: str) -> str:
    """Return a letter decomposed into base and marks if the family has it only so."""
    parts = unicodedata.normalize("NFD", char)
    home = face("regular")
    return parts if parts != char and char not in home and all(part in home for part in parts) else char


def lines(text: str, *, breakable: bool = False) -> list[str]:
    """Split a text at its line breaks and clean each line. Empty lines are kept only between others."""
    if text.isprintable():
        return [clean(text)]
    cleaned = (clean(line, breakable=breakable) for line in _BREAKS.split(text))
    return "\n".join(cleaned).strip("\n").split("\n")


def emphasized_lines(text: str) -> list[str]:
    """Split an emphasized text at its line breaks and clean each line as `lines` does, with its marks of emphasis."""
    cleaned = (_clean_emphasized(line) for line in emphasis.read_marks(emphasis.remove_flags(text)).lines())
    return "\n".join(cleaned).strip("\n").split("\n")


def _clean_emphasized(line: emphasis.EmphasizedText) -> str:
    """Return a cleaned line with its marks of emphasis. Spaces at the edges of runs are kept, once each."""
    written, pending = "", ""
    for run, emphasized in line.runs():
        cleaned = clean(run, breakable=True)
        if _SPACES.match(run):
            pending = " "
        if cleaned:
            marked = emphasis.write_marks(emphasis.EmphasizedText(cleaned, [emphasized] * len(cleaned)))
            written = f"{written}{pending}{marked}" if written else marked
            pending = " " if _SPACES.match(run[-1:]) else ""
    return written


def on_one_line(text: str) -> str:
    """Return a text on one line for quotation in a message.

    Long quoted parts are truncated, or a long text without quotes.
    """
    line = " ".join(text.split())
    return _IN_QUOTES.sub(lambda match: f"“{_truncate(match[1])}”", line) if "“" in line else _truncate(line)


class OnOneLine(Message):
    """A text on one line for quotation in a message, as `on_one_line` returns it."""

    __slots__ = ("text",)

    def __init__(self, text: Text) -> None:
        self.text = text

    def render(self, language: Language) -> str:
        return on_one_line(render_value(self.text, language))

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.text,)


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"


def _shape_arabic(text: str) -> str:
    from arabic_reshaper import ArabicReshaper

    joined: str = ArabicReshaper({"delete_harakat": False, "use_unshaped_instead_of_isolated": True}).reshape(text)
    return joined


def check(text: str, what: Text) -> None:
    """Raise GlyphError, naming the text `what`, if a character of a cleaned line cannot be printed."""
    if _PRINTABLE.issuperset(text) or _PRINTABLE.has(text):
        return
    missing = list(_missing(text))
    if not missing:
        return
    what, emoji = OnOneLine(what), [char for char in missing if _EMOJI.match(char)]
    if emoji:
        raise GlyphError(
            # Translators: {text} is the name of a text, such as “The name of “Ember””.
            phrase(
                "{text} has {emoji}: an emoji is a picture in colour, which no font can print on a label; use words, "
                "or ♠ ♥ ♦ ♣ ★.",
                text=what,
                emoji=_list_emoji(emoji),
            )
        )
    helpful = dict.fromkeys(filter(None, map(helpful_font, missing)))
    if helpful:
        raise GlyphError(
            phrase(
                "{text} has {characters}, which no font here can print; install {fonts}, or write it with other "
                "characters.",
                text=what,
                characters=_list_characters(missing),
                fonts=reduce(_both, map(messages.name, helpful)),
            )
        )
    raise GlyphError(
        phrase(
            "{text} has {characters}, which no font here can print; write it with other characters.",
            text=what,
            characters=_list_characters(missing),
        )
    )


def _both(first: Message, second: Message) -> Message:
    return all_of((first, second))


def helpful_font(char: str) -> str:
    """Return a free font with embeddable outlines for the character's script, or "" if none is known."""
    script, *_ = unicodedata.name(char, "?").split("-")[0].split(" ")
    return _HELPFUL_FONTS.get(script) or (f"Noto Sans {script.title()}" if script in _NOTO_SCRIPTS else "")


def _missing(text: str) -> Iterator[str]:
    """Yield the characters of a text that no font can print, in their context."""
    for shaped, run in shaping.runs(text):
        if not shaped:
            yield from (char for char in run if not _is_printable(char))
        elif any(_face_for_run(weight, run) is None for weight in _UPRIGHT):
            lacking = [char for char in run if _face_for_run("regular", char) is None]
            yield from lacking or run


class _CharacterClass(set[str]):
    """A growing set of the characters that meet a condition: all texts consist of the same few characters."""

    def __init__(self, holds: Callable[[str], bool]) -> None:
        super().__init__()
        self._holds = holds
        self._others = set[str]()

    def has(self, text: str) -> bool:
        """Return True if all characters of a text meet the condition.

        Calling `issuperset` first saves most of the time.
        """
        for char in set(text) - self - self._others:
            (self if self._holds(char) else self._others).add(char)
        return self._others.isdisjoint(text)


def _is_printable(char: str) -> bool:
    if unicodedata.category(char) in _CONTROL_CATEGORIES or shaping.is_mark(char):
        return False
    return char in PIPS or all(_face_for(weight, char) is not None for weight in _UPRIGHT)


_PRINTABLE = _CharacterClass(_is_printable)


def _face_for(weight: Weight, char: str) -> Face | None:
    """Return the face that has a character, or None if there is none.

    It is that of the weight, or the standard one, or one of the system's.
    """
    for letters in _own_faces(weight):
        if char in letters:
            return letters
    return None if _EMOJI.match(char) else _system_face(weight, char)


@cache
def _own_faces(weight: Weight) -> tuple[Face, ...]:
    """Return the face of a weight, and behind it that of the standard typeface."""
    standard = typefaces.standard_weight(weight)
    return (face(weight),) if standard == weight else (face(weight), face(standard))


def _system_face(weight: Weight, char: str) -> Face | None:
    return next(_system_faces(weight, char), None)


def _system_faces(weight: Weight, char: str) -> Iterator[Face]:
    for source in font_files.fonts_with(char, bold="bold" in weight):
        candidate = _load_system_face(source)
        # Fonts of pictures list characters for which they have no outline.
        if candidate is not None and char in candidate and candidate.extent(char) is not None:
            yield candidate


@lru_cache(maxsize=1024)
def _face_for_run(weight: Weight, run: str) -> Face | None:
    """Return the face that has all characters of a run that is shaped, or None if there is none."""
    letters = run.translate(_JOINERS)
    if not letters or _EMOJI.match(letters):
        return None

    def has_all(candidate: Face) -> bool:
        return all(char in candidate for char in letters)

    own = next(filter(has_all, _own_faces(weight)), None)
    return own or next(filter(has_all, _system_faces(weight, letters[0])), None)


class _Lookup(dict[str, _Value]):
    """A cache of values by character, for one weight. Each value is computed once."""

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
    """Return how far characters reach below and above the baseline."""
    return _Lookup(dict.fromkeys(PIPS, _FLAT), lambda char: _require_face(weight, char).extent(char) or _FLAT)


def _require_face(weight: Weight, char: str) -> Face:
    owner = _face_for(weight, char)
    if owner is None:
        raise GlyphError(phrase("No font here can print {characters}.", characters=_list_characters([char])))
    return owner


def _list_characters(characters: list[str]) -> Message:
    return listed(f"{_name_character(char)} (U+{ord(char):04X})" for char in dict.fromkeys(characters))


def _list_emoji(characters: list[str]) -> Message:
    """List emoji with their names, since terminals and other fonts may show an empty box for them."""
    emoji = dict.fromkeys(characters)
    return listed(f"“{char}” (U+{ord(char):04X}) {unicodedata.name(char, '').lower()}".rstrip() for char in emoji)


def _name_character(char: str) -> str:
    """Return a character in quotes, or its name if it is invisible or a control character."""
    if unicodedata.category(char)[0] not in "CZ":
        return f"“{char}”"
    return _CONTROLS.split()[ord(char)] if char < " " else unicodedata.name(char, "a control symbol")


def pieces(text: str, weight: Weight) -> tuple[TextPiece, ...]:
    """Return a checked line in the order in which it is drawn, from the left, cut at each change of font."""
    own = _simple_characters(weight)
    if own.issuperset(text) or own.has(text):
        return (TextPiece(face(weight), text),) if text else ()
    if emphasis.has_marks(text):
        return tuple(_emphasized_pieces(text, weight))
    return tuple(_cut_runs(_to_visual_order(text) if _RIGHT_TO_LEFT.search(text) else text, weight))


def _emphasized_pieces(text: str, weight: Weight) -> Iterator[TextPiece]:
    emphasized = emphasis.read_marks(text)
    if _RIGHT_TO_LEFT.search(emphasized.text):
        emphasized = emphasis.read_flags(_to_visual_order(emphasis.write_flags(emphasized)))
    for run, each in emphasized.runs():
        heavier = emphasize_weight(weight, each)
        yield from (msgspec.structs.replace(piece, weight=heavier) for piece in _cut_runs(run, heavier))


def emphasize_weight(weight: Weight, emphasized: emphasis.Emphasis) -> Weight:
    """Return a weight with an emphasis in addition."""
    return typefaces.find_weight(
        typefaces.find_typeface(weight),
        bold=typefaces.is_bold(weight) or emphasized.bold,
        italic=typefaces.is_italic(weight) or emphasized.italic,
    )


def _cut_runs(visual: str, weight: Weight) -> Iterator[TextPiece]:
    for shaped, run in shaping.runs(visual):
        if shaped:
            home = _face_for_run(weight, run)
            if home is None:
                raise GlyphError(phrase("No font here can print “{text}”.", text=run))
            width, glyphs = home.shape(run)
            yield TextPiece(home, run, glyphs, width)
        else:
            yield from (TextPiece(home, "".join(chars)) for home, chars in groupby(run, _faces(weight).__getitem__))


@cache
def _simple_characters(weight: Weight) -> _CharacterClass:
    """Return the characters that the family's face draws without shaping, from left to right."""
    home = face(weight)
    return _CharacterClass(
        lambda char: char in home and char not in PIPS and not _RIGHT_TO_LEFT.match(char) and shaping.is_simple(char)
    )


def _to_visual_order(text: str) -> str:
    """Return a line with right-to-left runs reversed and their brackets mirrored.

    The library orders characters but does not change their shapes. A flag behind each bracket shows if it was reversed:
    then the flag comes out in front of it.
    """
    from bidi import get_display, mirror

    bracket = f"[{re.escape(''.join(mirror.MIRRORED))}]"
    ordered: str = get_display(re.sub(bracket, rf"\g<0>{_FLAG}", text))
    return re.sub(
        f"{_FLAG}({bracket})|({bracket}){_FLAG}",
        lambda pair: mirror.MIRRORED[pair[1]] if pair[1] else pair[2],
        ordered,
    )


def undo_shaping(text: str) -> str:
    """Return a cleaned text in the letters that people write: Arabic letters without their joined forms."""
    if text.isascii():
        return text
    return _PRESENTATION_FORM.sub(lambda form: unicodedata.normalize("NFKC", form[0]), text)


def measure(text: str, weight: Weight, size: float) -> float:
    """Return the width of a checked text in points."""
    return size * _width(text, weight)


# A design measures the same text more than once: for whether it fits, for the room left, for where a line begins.
@lru_cache(maxsize=2048)
def _width(text: str, weight: Weight) -> float:
    """Return the width in em."""
    words = widths(text, weight)
    return sum(words) + (len(words) - 1) * space(weight)


@lru_cache(maxsize=2048)
def widths(text: str, weight: Weight) -> Sequence[float]:
    """Return the widths in em of the words of a checked text, split at its spaces."""
    return [_shape(word, weight)[0] for word in text.split(" ")]


@cache
def space(weight: Weight) -> float:
    """Return the width of a space in em."""
    return _shape(" ", weight)[0]


def measure_piece(piece: TextPiece, weight: Weight) -> float:
    """Return the width of a part of a line in em."""
    return piece.width if piece.glyphs else _width(piece.text, piece.weight or weight)


def is_right_to_left(text: str) -> bool:
    """Return True if a text is read from right to left, which its first letter decides."""
    if text.isascii() or not _RIGHT_TO_LEFT.search(text):
        return False
    return next((kind != "L" for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL")), False)


_SIMPLE = _CharacterClass(lambda char: shaping.is_simple(char) and char not in emphasis.MARKS)


def _is_simple(text: str) -> bool:
    """Return True if all of a text is drawn letter by letter."""
    return text.isascii() or _SIMPLE.issuperset(text) or _SIMPLE.has(text)


def moves(word: str, weight: Weight) -> Sequence[tuple[int, str]]:
    """Return the kerning of a word: the number of letters before each move, and its PDF code between theirs."""
    return _shape(word, weight)[1]


# Letters are not kerned with spaces, so that a word is the same everywhere. What is measured is drawn soon after.
@lru_cache(maxsize=2048)
def _shape(word: str, weight: Weight) -> tuple[float, Sequence[tuple[int, str]]]:
    """Return the width of a word in em, and its kerning."""
    if not _is_simple(word):
        return sum(measure_piece(piece, weight) for piece in pieces(word, weight)), ()
    width = sum(map(_advances(weight).__getitem__, word))
    wider = list(map(_pairs(weight).__getitem__, map(add, word, word[1:])))
    if not any(wider):
        return width, ()
    moved = [(count, f"> {-1000 * em:g} <") for count, em in enumerate(wider, 1) if em]
    return width + sum(wider), moved


@cache
def _pairs(weight: Weight) -> _Lookup[float]:
    """Return the kerning in em between two characters of the family; negative values bring them nearer.

    Right-to-left text is not kerned, and invisibly small moves are ignored.
    """
    harfbuzz = shaping.load_harfbuzz()
    glyphs = face(weight).font.face.charToGlyph
    font = harfbuzz.Font(harfbuzz.Face(harfbuzz.Blob(font_files.family_font(weight))))

    def wider(pair: str) -> float:
        if _UNKERNED.search(pair) or any(ord(char) not in glyphs for char in pair):
            return 0.0
        buffer = harfbuzz.Buffer()
        buffer.add_str(pair)
        buffer.guess_segment_properties()
        harfbuzz.shape(font, buffer, _KERNING_ONLY)
        advance = font.get_glyph_h_advance(buffer.glyph_infos[0].codepoint)
        em = (buffer.glyph_positions[0].x_advance - advance) / float(font.face.upem)
        return em if abs(em) > _MIN_KERNING else 0.0

    return _Lookup({}, wider)


def reach(text: str, weight: Weight) -> tuple[float, float]:
    """Return how far a checked text's ink reaches above and below the baseline, in em; at least as plain letters."""
    plain = _low_characters(weight)
    if plain.issuperset(text) or plain.has(text):
        return _DEFAULT_ASCENT, _DEFAULT_DESCENT
    if _is_simple(text):
        extents = _extents(weight)
        falls, rises = zip(*[extents[char] for char in set(text) - plain], strict=True)
    else:
        falls, rises = zip(*(list(_reaches(text, weight)) or [_FLAT]), strict=True)
    return max(_DEFAULT_ASCENT, *rises), max(_DEFAULT_DESCENT, *falls)


def _reaches(text: str, weight: Weight) -> Iterator[tuple[float, float]]:
    """Yield how far each character or glyph reaches below and above the baseline."""
    for piece in pieces(text, weight):
        if piece.face is None or not piece.glyphs:
            yield from map(_extents(piece.weight or weight).__getitem__, piece.text)
        else:
            for glyph in piece.glyphs:
                low, high = piece.face.extent(glyph.char) or _FLAT
                yield low - glyph.y, high + glyph.y


def extent(char: str, weight: Weight) -> tuple[float, float]:
    """Return how far the ink of a checked character reaches below and above the baseline, in em."""
    return _extents(weight)[char]


@cache
def _low_characters(weight: Weight) -> _CharacterClass:
    """Return the characters of the family within the default ascent and descent; most texts have no others."""
    home = face(weight)

    def is_plain(char: str) -> bool:
        if char not in home or not shaping.is_simple(char):
            return False
        low, high = home.extent(char) or _FLAT
        return low <= _DEFAULT_DESCENT and high <= _DEFAULT_ASCENT

    return _CharacterClass(is_plain)
