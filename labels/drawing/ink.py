"""Drawing on a page: text, shapes, codes and pictures as PDF operators, with their structure for screen readers."""

import math
from codecs import BOM_UTF16_BE
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import msgspec

from labels.drawing import languages
from labels.drawing.picture import Picture, load_pixels
from labels.drawing.symbols import Bars, Symbol
from labels.geometry import Box
from labels.typesetting import emphasis, fonts
from labels.typesetting.pips import PIPS
from labels.typesetting.text import TextSetting

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing
    from reportlab.pdfgen.canvas import Canvas


class Element(msgspec.Struct):
    """A structure element of a page.

    `tag` is its PDF structure type. `spoken` is its text for screen readers, "" if its letters are enough. `scope` is
    what a table heading applies to, "Row" or "Column". `kids` holds, in reading order, the numbers of marks on the page
    and other elements.
    """

    tag: str
    spoken: str = ""
    scope: str = ""
    kids: list["int | Element"] = []


# The code of a space in every subset, and the number of words of a document that are cached.
_SPACE_CODE = "20"
_MAX_WORDS = 2048


def encode_text(
    face: fonts.Face, text: str, weight: fonts.Weight, document: Any, words_by_weight: "WordCache"
) -> Sequence[tuple[str, str]]:
    """Encode a checked text in one face as the document's subsets do.

    Return for each subset its name and its part of the text: the codes of its letters with the kerning between them.
    Words in characters that the first subset has are looked up in `words_by_weight`. Anything new is left to reportlab,
    which adds it to the subsets.
    """
    if face is not fonts.face(weight):
        return list(_encode_by_reportlab(face, text, (), document))
    try:
        if weight not in words_by_weight:
            words_by_weight[weight] = _WordEncoder(document, weight)
        words = words_by_weight[weight]
        return ((words.subset, _SPACE_CODE.join([words[word] for word in text.split(" ")])),)
    except (KeyError, ValueError):
        return list(_encode_by_reportlab(face, text, list(_moves(text, weight)), document))


class _WordEncoder(dict[str, str]):
    """A cache of words encoded by the first subset of a document.

    Raises KeyError or ValueError for a word with other characters.
    """

    def __init__(self, document: Any, weight: fonts.Weight) -> None:
        super().__init__()
        font = fonts.face(weight).font
        self._weight: fonts.Weight = weight
        self._codes = font.state[document].assignments
        self.subset: str = font.getSubsetInternalName(0, document)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MAX_WORDS:
            self.clear()
        codes = bytes(map(self._codes.__getitem__, map(ord, word)))
        encoded = self[word] = _encode_moves(codes, fonts.moves(word, self._weight))
        return encoded


WordCache = dict[fonts.Weight, _WordEncoder]
"""Encoded words of a document, by weight."""

_documents: WeakKeyDictionary[Any, WordCache] = WeakKeyDictionary()


def document_fonts(document: Any) -> WordCache:
    """Return the word cache of a document, which fills while the document is written."""
    return _documents.setdefault(document, {})


def _encode_moves(codes: bytes, moves: Sequence[tuple[int, str]]) -> str:
    """Return codes in hexadecimal digits with the kerning between them. Each move has the number of codes before it."""
    encoded, at = "", 0
    for count, move in moves:
        encoded += codes[at:count].hex() + move
        at = count
    return encoded + codes[at:].hex()


def _encode_by_reportlab(
    face: fonts.Face, text: str, moves: Sequence[tuple[int, str]], document: Any
) -> Iterator[tuple[str, str]]:
    """Encode by reportlab, in as many subsets as needed."""
    start = 0
    for number, codes in face.font.splitString(text, document):
        end = start + len(codes)
        inside = [(count - start, move) for count, move in moves if start < count <= end]
        yield face.font.getSubsetInternalName(number, document), _encode_moves(codes, inside)
        start = end


def _moves(text: str, weight: fonts.Weight) -> Iterator[tuple[int, str]]:
    """Yield the kerning of a line: the number of characters before each move, and its PDF code."""
    before = 0
    for word in text.split(" "):
        for count, move in fonts.moves(word, weight):
            yield before + count, move
        before += len(word) + 1


BLACK = "#000000"
WHITE = "#FFFFFF"
GREY = "#8A8F98"
_GREYS = {BLACK: "0", WHITE: "1"}
"""Colours with a shorter notation as greys."""

# The control arm of a cubic curve that approximates a quarter circle, as a share of its radius.
_ARM = 0.5523


class Ink:
    """Drawing on a canvas. Lengths are in points from the page's bottom left; a colour is `#RRGGBB`."""

    one_bit = False
    """True if it prints only black on paper."""
    dot = 0.0
    """Size of the printer's dot in points if codes must consist of whole dots, else 0."""

    def __init__(self, canvas: "Canvas") -> None:
        self._canvas = canvas
        self._document = canvas._doc
        self._words = document_fonts(self._document)
        self.elements: list[int | Element] = []
        """The structure of the page, in reading order."""
        self._inside: list[Element] = []
        self._marked: Element | None = None
        self._is_kept = False
        self._table: tuple[Hashable, Element | None] = None, None
        self._marks = 0
        self._texts: list[str] = []
        self._descriptions: list[str] = []
        self._plain = True
        self._repeated: dict[Hashable, tuple[str, list[str], list[str], bool]] = {}

    def fill(self, box: Box, colour: str, radius: float = 0.0) -> None:
        """Fill a box with rounded corners."""
        # Boxes of one size share their operators, which are made once and compress well.
        shape = _box_path(box.width, box.height, radius)
        self._canvas.addLiteral(f"{_fill_operator(colour)} q 1 0 0 1 {box.x:.4f} {box.y:.4f} cm {shape} f Q")

    def outline(self, paths: Iterable[str], colour: str, width: float) -> None:
        """Draw the outlines of paths made by `path` or `line`, `width` points thick."""
        self._canvas.addLiteral(f"{_stroke_operator(colour)} {width:g} w {' '.join(paths)} S")

    def text(self, x: float, baseline: float, text: str, weight: fonts.Weight, size: float, colour: str) -> None:
        """Draw a checked text on one line that begins at `x`."""
        self._canvas.addLiteral(f"{_fill_operator(colour)} {self._line(x, baseline, text, weight, size)}")

    def lines(self, x: float, top: float, setting: TextSetting, colour: str = BLACK, centred: float = 0.0) -> None:
        """Draw a set text whose ink begins below `top`.

        It is centred in `centred` points from `x` on, else flush left at `x`. Right-to-left text is flush right in the
        room that it was set for.
        """
        operators, weight, size = [_fill_operator(colour)], setting.weight, setting.size
        baseline, leading = top - setting.ascent, setting.leading
        is_indented = not centred and setting.right_to_left
        for line in setting.lines:
            left = 0.0
            if centred:
                left = (centred - fonts.measure(line, weight, size)) / 2
            elif is_indented:
                left = setting.indent(line)
            operators.append(self._line(x + left, baseline, line, weight, size))
            baseline -= leading
        self._canvas.addLiteral(" ".join(operators))

    def _line(self, x: float, baseline: float, text: str, weight: fonts.Weight, size: float) -> str:
        """Return the operators of a text on one line."""
        self._texts.append(text)
        if text.isascii() and (words := self._words.get(weight)) is not None:
            # As below, in one step: most lines are words that the first subset can encode.
            with suppress(KeyError, ValueError):
                codes = _SPACE_CODE.join([words[word] for word in text.split(" ")])
                return f"BT 1 0 0 1 {x:.3f} {baseline:.3f} Tm {words.subset} {size:g} Tf [<{codes}{_SPACE_CODE}>] TJ ET"
        pieces = fonts.pieces(text, weight)
        if emphasis.has_marks(text):
            text = self._texts[-1] = emphasis.remove_marks(text)
        if not text.isascii():
            self._plain &= "".join(piece.text for piece in pieces if piece.face) == fonts.undo_shaping(text)
        operators = []
        for piece in pieces:
            # The space keeps a screen reader from joining it to the next line.
            after = " " if piece is pieces[-1] else ""
            if piece.face is None:
                operators.append(_pips(x, baseline, piece.text, size))
            elif piece.glyphs:
                operators.append(self._glyphs(x, baseline, piece, size))
            else:
                text_to_encode = piece.text + after if after and after in piece.face else piece.text
                chunks = encode_text(piece.face, text_to_encode, piece.weight or weight, self._document, self._words)
                written = " ".join([f"{name} {size:g} Tf [<{codes}>] TJ" for name, codes in chunks])
                # The operators that reportlab documents for embedded subsets; its own text objects take three times as
                # long.
                operators.append(f"BT 1 0 0 1 {x:.3f} {baseline:.3f} Tm {written} ET")
            if not after:
                x += size * fonts.measure_piece(piece, weight)
        written = " ".join(operators)
        if not text.isascii() and any(piece.glyphs for piece in pieces):
            self._plain = False
            written = f"{_span(text)} {written} EMC"
        language = "" if text.isascii() else languages.language_of(text)
        return f"/Span<</Lang({language})>>BDC {written} EMC" if language else written

    def _glyphs(self, x: float, baseline: float, piece: fonts.TextPiece, size: float) -> str:
        """Return the operators of a shaped part of a line."""
        assert piece.face is not None
        font, operators = piece.face.font, ["BT"]
        for glyph in piece.glyphs:
            ((number, codes),) = font.splitString(glyph.char, self._document)
            name = font.getSubsetInternalName(number, self._document)
            at, height = x + size * glyph.x, baseline + size * glyph.y
            operators.append(f"{name} {size:g} Tf 1 0 0 1 {at:.3f} {height:.3f} Tm <{codes.hex()}> Tj")
        return " ".join([*operators, "ET"])

    @contextmanager
    def span(self, text: str) -> Iterator[None]:
        """Mark everything drawn in the block as this cleaned text for copying, searching and screen readers."""
        before, self._texts = self._texts, []
        self._canvas.addLiteral(_span(text))
        yield
        self._canvas.addLiteral("EMC")
        self._texts = [*before, text]
        self._plain = False

    @contextmanager
    def row(self, table: Hashable) -> Iterator[None]:
        """Mark the cells drawn in the block as a row of a table.

        It continues the previous table if that has the same name.
        """
        siblings = self._siblings
        name, element = self._table
        if name != table or not siblings or siblings[-1] is not element:
            element = self._add(Element("Table"))
            self._table = table, element
        self._inside.append(element)
        self._inside.append(self._add(Element("TR")))
        yield
        del self._inside[-2:]

    def cell(self, scope: str = "", *, is_empty: bool = False) -> AbstractContextManager[None]:
        """Mark everything drawn in the block as a cell of a row.

        With a `scope` it is the heading of a "Row" or "Column".
        """
        if is_empty:
            self._add(Element("TD"))
            return nullcontext()
        return self.element("TH" if scope else "TD", scope=scope)

    @contextmanager
    def element(self, tag: str = "P", spoken: str = "", scope: str = "") -> Iterator[None]:
        """Mark everything drawn in the block as the next structure element of the page.

        `tag` is its structure type. A screen reader reads the texts as they were passed to `text`, or `spoken` if
        given. `scope` is what a TH applies to.
        """
        self._begin()
        element = self._add(Element(tag, scope=scope))
        self._inside.append(element)
        around, self._marked = self._marked, element
        self._begin_mark(element)
        yield
        self._canvas.addLiteral("EMC")
        self._marked = around
        self._inside.pop()
        if len(element.kids) > 1:
            # The words come first, whatever was drawn first, and then the content of a code beside them.
            element.kids.sort(key=lambda kid: isinstance(kid, Element))
        element.spoken = spoken or self.spoken

    @contextmanager
    def figure(self, description: str) -> Iterator[None]:
        """Mark a code or picture drawn in the block with its `description`.

        It is inside the surrounding element if there is one.
        """
        self._descriptions.append(description)
        if self._is_kept:
            # A repeated drawing is read as a whole.
            self._plain = False
            yield
            return
        around = self._marked
        if around is not None:
            self._canvas.addLiteral("EMC")
        with self._mark(self._add(Element("Figure", description))):
            yield
        if around is not None:
            self._begin_mark(around)

    def _add(self, element: Element) -> Element:
        self._siblings.append(element)
        return element

    @property
    def _siblings(self) -> list[int | Element]:
        """The elements before the next one, in the surrounding element or on the page."""
        return self._inside[-1].kids if self._inside else self.elements

    @contextmanager
    def _mark(self, element: Element) -> Iterator[None]:
        """Mark everything drawn in the block as part of an element."""
        around, self._marked = self._marked, element
        self._begin_mark(element)
        yield
        self._canvas.addLiteral("EMC")
        self._marked = around

    def _begin_mark(self, element: Element) -> None:
        self._canvas.addLiteral(f"/{element.tag}<</MCID {self._marks}>>BDC")
        element.kids.append(self._marks)
        self._marks += 1

    @property
    def spoken(self) -> str:
        """The spoken text of the current element or the last stored form, or "" if its letters are enough."""
        return "" if self._plain else " ".join([*map(fonts.undo_shaping, self._texts), *self._descriptions])

    def _begin(self) -> None:
        self._texts.clear()
        self._descriptions.clear()
        self._plain = True

    @contextmanager
    def artifact(self) -> Iterator[None]:
        """Hide everything drawn in the block from screen readers: outlines, page numbers."""
        self._canvas.addLiteral("/Artifact BMC")
        yield
        self._canvas.addLiteral("EMC")

    @contextmanager
    def store_form(self, name: str, width: float, height: float) -> Iterator[Box]:
        """Store everything drawn into the yielded box in the file under `name`, without drawing it on the page."""
        self._begin()
        self._canvas.beginForm(name, 0, 0, width, height)
        with self._keeping():
            yield Box(0, 0, width, height)
        self._canvas.endForm()

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """Draw for use in several places, so that no part gets a structure element of its own."""
        before, self._is_kept = self._is_kept, True
        yield
        self._is_kept = before

    @contextmanager
    def move(self, x: float, y: float) -> Iterator[None]:
        """Move everything drawn in the block to the right by `x` and up by `y` points."""
        self._canvas.addLiteral(f"q 1 0 0 1 {x:.4f} {y:.4f} cm")
        yield
        self._canvas.addLiteral("Q")

    @contextmanager
    def clip(self, outline: str) -> Iterator[None]:
        """Clip everything drawn in the block to a path made by `path`."""
        self._canvas.addLiteral(f"q {outline} W n")
        yield
        self._canvas.addLiteral("Q")

    @contextmanager
    def turn(self, x: float, y: float) -> Iterator[None]:
        """Draw everything in the block turned clockwise by 90° and moved to this point."""
        self._canvas.addLiteral(f"q 0 -1 1 0 {x:.4f} {y:.4f} cm")
        yield
        self._canvas.addLiteral("Q")

    @contextmanager
    def rotate(self, degrees: float, x: float, y: float) -> Iterator[None]:
        """Draw everything in the block turned clockwise by any angle around the origin, and moved to this point."""
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self._canvas.addLiteral(f"q {cos:.6f} {-sin:.6f} {sin:.6f} {cos:.6f} {x:.4f} {y:.4f} cm")
        yield
        self._canvas.addLiteral("Q")

    @contextmanager
    def enlarge(self, box: Box, scale: float, margin: float = 0.0) -> Iterator[Box]:
        """Draw everything in the block `scale` times as large.

        The yielded box fills `box` once enlarged, but for the margin.
        """
        if scale == 1:
            yield box.inset(margin)
            return
        self._canvas.addLiteral(f"q {scale:.6f} 0 0 {scale:.6f} {box.x:.4f} {box.y:.4f} cm")
        yield Box(0, 0, box.width / scale, box.height / scale).inset(margin)
        self._canvas.addLiteral("Q")

    def draw_repeated(self, box: Box, draw: Callable[["Ink", Box], None], *key: Hashable) -> None:
        """Draw something into a box that looks the same wherever the box lies.

        It is drawn once a page, and then moved. Equal `key`s mean equal drawings, in boxes of the same size.
        """
        sized_key = (*key, box.width, box.height)
        if sized_key not in self._repeated:
            before, code = (self._texts, self._descriptions, self._plain), self._canvas._code
            start, self._texts, self._descriptions, self._plain = len(code), [], [], True
            with self._keeping():
                draw(self, Box(0, 0, box.width, box.height))
            self._repeated[sized_key] = " ".join(code[start:]), self._texts, self._descriptions, self._plain
            del code[start:]
            self._texts, self._descriptions, self._plain = before
        operators, texts, descriptions, plain = self._repeated[sized_key]
        self._texts += texts
        self._descriptions += descriptions
        self._plain &= plain
        self._canvas.addLiteral(f"q 1 0 0 1 {box.x:.4f} {box.y:.4f} cm {operators} Q")

    def draw_form(self, box: Box, name: str) -> None:
        """Draw the form stored under `name`, with its bottom left corner at the box's."""
        self._canvas.addLiteral(f"q 1 0 0 1 {box.x:.4f} {box.y:.4f} cm")
        self._canvas.doForm(name)
        self._canvas.addLiteral("Q")

    def fit_module(self, module: float) -> float:
        """Return the largest module of a code up to this size that the printer can draw evenly."""
        return module

    def fit_square(self, square: Box, modules: int) -> Box:  # noqa: ARG002
        """Return the largest square of `modules` modules inside this one that the printer can draw evenly."""
        return square

    def symbol(self, square: Box, symbol: Symbol) -> None:
        """Draw a square symbol whose quiet zone fills the box, or nearly fills it if modules are whole dots."""
        square = self.fit_square(square, symbol.outer)
        module = square.width / symbol.outer
        quiet = symbol.quiet_zone * module
        with self.figure(f"{symbol.title}: {symbol.text}"):
            self._canvas.addLiteral(
                f"q 0 g {module:.5f} 0 0 {module:.5f} {square.x + quiet:.4f} {square.y + quiet:.4f} cm "
                f"{symbol.path} f Q"
            )

    def bars(self, box: Box, bars: Bars, descent: float = 0.0) -> None:
        """Draw the bars of a linear symbol to fill the box, and its guards down to `descent` points below it."""
        module = box.width / bars.width
        guards = f" {module:.5f} 0 0 {descent:.4f} {box.x:.4f} {box.y - descent:.4f} cm {bars.guards} f"
        with self.figure(f"{bars.title}: {bars.text}"):
            self._canvas.addLiteral(
                f"q 0 g q {module:.5f} 0 0 {box.height:.4f} {box.x:.4f} {box.y:.4f} cm {bars.path} f Q"
                f"{guards if bars.guards and descent else ''} Q"
            )

    def draw_graphics(self, x: float, y: float, drawing: "Drawing") -> None:
        """Draw a drawing of reportlab.graphics with its bottom left at this point.

        Its texts must be checked and in faces of `fonts`. They are drawn like all other text.
        """
        _graphics_renderer()(self).draw(drawing, self._canvas, x, y)

    def picture(self, box: Box, picture: Picture, description: str) -> None:
        """Draw a picture that fills the box. The file stores it once for each size in pixels.

        `description` is its text for screen readers.
        """
        wide, high = picture.pixels(box.width, box.height, one_bit=self.one_bit)
        name = f"P{picture.digest}-{wide}x{high}"
        if not self._document.hasForm(name):
            self._keep(name, picture, wide, high)
        with self.figure(description):
            self._canvas.addLiteral(f"q {box.width:.4f} 0 0 {box.height:.4f} {box.x:.4f} {box.y:.4f} cm")
            self._canvas.doForm(name)
            self._canvas.addLiteral("Q")

    def _keep(self, name: str, picture: Picture, wide: int, high: int) -> None:
        from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName, PDFStream

        pixels = load_pixels(picture, wide, high, one_bit=self.one_bit)
        head = {
            "Type": PDFName("XObject"),
            "Subtype": PDFName("Image"),
            "Width": pixels.width,
            "Height": pixels.height,
            "BitsPerComponent": pixels.bits,
            "ColorSpace": PDFName("DeviceGray" if pixels.grey else "DeviceRGB"),
            "Filter": PDFName(pixels.filter),
        }
        # Only the dictionary distinguishes a picture from a form, which reportlab looks up by name.
        self._document.addForm(name, PDFStream(PDFDictionary(head), pixels.packed))


@cache
def _graphics_renderer() -> Callable[[Ink], Any]:
    """Return reportlab's PDF renderer of drawings with our own text. It is loaded on first use."""
    from reportlab.graphics.renderPDF import _PDFRenderer

    class Renderer(_PDFRenderer):  # type: ignore[misc]
        def __init__(self, ink: Ink) -> None:
            super().__init__()
            self._ink = ink

        def applyStateChanges(self, delta: dict[str, Any], newState: dict[str, Any]) -> None:  # noqa: N802, N803
            # Its default type would be embedded in the file without being used.
            other = {key: value for key, value in delta.items() if key not in ("fontName", "fontSize")}
            super().applyStateChanges(other, newState)

        def drawString(self, string: Any) -> None:  # noqa: N802
            weight: fonts.Weight = "bold" if string.fontName == fonts.face("bold").font.fontName else "regular"
            colour = "#" + string.fillColor.hexval()[2:]
            self._ink.text(string.x, string.y, string.text, weight, string.fontSize, colour)

    return Renderer


def _span(text: str) -> str:
    """Return the operator that begins content with this text for copying and searching.

    Glyphs alone may not convey it.
    """
    written = BOM_UTF16_BE + f"{fonts.undo_shaping(text)} ".encode("utf-16-be")
    return f"/Span<</ActualText<{written.hex()}>>>BDC"


def _pips(x: float, baseline: float, text: str, size: float) -> str:
    """Return the operators of pips on a line."""
    scale, operators = size / 1000, ""
    for char in text:
        pip = PIPS[char]
        operators += f"q {scale:g} 0 0 {scale:g} {x:.3f} {baseline:.3f} cm {pip.path} f Q "
        x += pip.advance * size
    return operators.rstrip()


def path(box: Box, radius: float = 0.0, radius_y: float | None = None) -> str:
    """Return the operators of a box's outline. Its corners are elliptic if `radius_y` differs from `radius`."""
    left, bottom, right, top = box.x, box.y, box.right, box.top
    if radius <= 0:
        return f"{left:.4f} {bottom:.4f} {box.width:.4f} {box.height:.4f} re"
    near, far = radius, radius * (1 - _ARM)
    near_y = radius if radius_y is None else radius_y
    far_y = near_y * (1 - _ARM)
    return (
        f"{left + near:.4f} {bottom:.4f} m {right - near:.4f} {bottom:.4f} l "
        f"{right - far:.4f} {bottom:.4f} {right:.4f} {bottom + far_y:.4f} {right:.4f} {bottom + near_y:.4f} c "
        f"{right:.4f} {top - near_y:.4f} l "
        f"{right:.4f} {top - far_y:.4f} {right - far:.4f} {top:.4f} {right - near:.4f} {top:.4f} c "
        f"{left + near:.4f} {top:.4f} l "
        f"{left + far:.4f} {top:.4f} {left:.4f} {top - far_y:.4f} {left:.4f} {top - near_y:.4f} c "
        f"{left:.4f} {bottom + near_y:.4f} l "
        f"{left:.4f} {bottom + far_y:.4f} {left + far:.4f} {bottom:.4f} {left + near:.4f} {bottom:.4f} c h"
    )


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return the operators of a straight line."""
    return f"{x:.4f} {y:.4f} m {to_x:.4f} {to_y:.4f} l"


@lru_cache(maxsize=256)
def _box_path(width: float, height: float, radius: float) -> str:
    return path(Box(0, 0, width, height), radius)


@lru_cache(maxsize=64)
def _fill_operator(colour: str) -> str:
    return _GREYS[colour] + " g" if colour in _GREYS else f"{_colour_components(colour)} rg"


@lru_cache(maxsize=64)
def _stroke_operator(colour: str) -> str:
    return _GREYS[colour] + " G" if colour in _GREYS else f"{_colour_components(colour)} RG"


def _colour_components(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))
