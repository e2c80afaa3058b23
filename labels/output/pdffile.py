"""A PDF file that is written page by page, so that finished pages leave memory, with tags for screen readers.

reportlab draws pages and writes their objects, but keeps all of them until the end and does not support tags. This
module uses its private parts, so it is pinned to a minor version. Tags and the table of objects are packed as PDF 1.5
and later allow; unpacked they would take a third of the file.
"""

import re
import zlib
from codecs import BOM_UTF16_BE
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from io import BytesIO
from struct import Struct
from typing import BinaryIO

import msgspec
from reportlab import rl_config
from reportlab.pdfbase import pdfdoc, pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from labels.drawing.black import INKS
from labels.drawing.ink import Element, Ink
from labels.drawing.languages import ENGLISH
from labels.geometry import MM, Box, InkName
from labels.paper.calibration import IDENTITY, Calibration
from labels.typesetting import fonts

VERSION = (1, 7)

Page = Callable[[Ink], None]
"""A function that draws one page."""

_XREF_ENTRY = Struct(">BIH")
_IN_STREAM, _AT_OFFSET = 2, 1
_MAX_PICTURES = 200
"""The most pictures in a file's state for processes that draw pages. Older ones are looked up here."""
_COMPRESSION_LEVEL = 5
"""Of nine: one more takes twice the time to save a tenth of a page's size."""
_CREATOR = "Table companion"
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""
"""The file's metadata (ISO 16684), which declares conformance to PDF/UA (ISO 14289-1, 5)."""
_ILLEGAL = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")
_MAX_MAPPED = 100
"""Characters in one block of a map, as PostScript allows."""
_PREFERENCES = {"PrintScaling": "None", "Duplex": "Simplex", "DisplayDocTitle": "true"}


class RenderedPage(msgspec.Struct, frozen=True):
    """A drawn page: its compressed operators, its elements in reading order, and the names of the forms it uses."""

    operators: bytes
    elements: tuple[int | Element, ...]
    forms: tuple[str, ...] = ()


class FileState(msgspec.Struct, frozen=True):
    """The state of a file after the pages so far: fonts with their characters in order of first use, and pictures."""

    fonts: tuple[tuple[str, str], ...] = ()
    pictures: tuple[str, ...] = ()


def new_canvas(size: tuple[float, float], language: str = ENGLISH) -> Canvas:
    """Return a canvas for pages of `size`, width and height in points, in a language given as a BCP 47 tag: `en`."""
    # ASCII encoding of binary streams costs a quarter of the file and most of the time to write it.
    rl_config.useA85 = 0
    first, *_ = fonts.names()
    return Canvas(
        BytesIO(),
        pagesize=size,
        invariant=1,
        pageCompression=1,
        initialFontName=first,
        pdfVersion=VERSION,
        lang=language,
    )


def render_page(
    canvas: Canvas, draw: Page, size: tuple[float, float], calibration: Calibration, ink_name: InkName
) -> RenderedPage:
    """Draw a page onto a canvas, and begin the canvas's next page."""
    ink = INKS[ink_name](canvas)
    if calibration != IDENTITY:
        drop = size[1] * (1 - calibration.sy) - calibration.dy * MM
        canvas.transform(calibration.sx, 0, 0, calibration.sy, calibration.dx * MM, drop)
    draw(ink)
    canvas.showPage()
    page = canvas._doc.Pages.pages[-1]
    operators = zlib.compress(page.stream.encode("latin-1"), _COMPRESSION_LEVEL)
    return RenderedPage(operators, tuple(ink.elements), tuple(page.XObjects.dict) if page.XObjects else ())


def font_characters(canvas: Canvas) -> tuple[tuple[str, str], ...]:
    """Return the fonts of a canvas, and the characters of each in order of first use."""
    document = canvas._doc
    assignments = ((name, pdfmetrics.getFont(name).state[document].assignments) for name in document.fontMapping)
    return tuple((name, "".join(map(chr, characters))) for name, characters in assignments)


def prime_canvas(canvas: Canvas, state: FileState) -> None:
    """Reproduce a file's state on a fresh canvas, as far as its fonts are available in this process."""
    for name in state.pictures:
        canvas._doc.Reference(pdfdoc.PDFStream(), name)
    for name, characters in state.fonts:
        face = fonts.face_named(name)
        if face is None:
            break
        face.expect(characters)
        face.font.splitString(characters, canvas._doc)
        face.font.getSubsetInternalName(0, canvas._doc)


def render_batch(
    pages: list[Page], size: tuple[float, float], calibration: Calibration, state: FileState, ink_name: InkName
) -> list[RenderedPage | None]:
    """Draw pages with the state of a file that is written elsewhere; None for a page that needs more than that."""
    canvas = new_canvas(size)
    prime_canvas(canvas, state)
    characters, count = font_characters(canvas), len(canvas._doc.idToObject)
    rendered: list[RenderedPage | None] = []
    for number, page in enumerate(pages, 1):
        result = render_page(canvas, page, size, calibration, ink_name)
        state_unchanged = len(canvas._doc.idToObject) == count + number and font_characters(canvas) == characters
        rendered.append(result if state_unchanged else None)
    return rendered


def _attributes(element: Element) -> str:
    """Return an element's attributes: a figure's alternative text, other replacement text, and a heading's scope."""
    key = "Alt" if element.tag == "Figure" else "ActualText"
    scope = f"/A<</O/Table/Scope/{element.scope}>>" if element.scope else ""
    return scope + (f"/{key}{_text_string(element.spoken)}" if element.spoken else "")


def _text_string(text: str) -> str:
    return f"<{(BOM_UTF16_BE + _legal(text).encode('utf-16-be')).hex()}>"


def _legal(text: str) -> str:
    """Return the text with a dot for each character that XML or Unicode forbids; file names may contain them."""
    return _ILLEGAL.sub("·", text)


def _unicode_map(subset: Sequence[int]) -> str:
    """Return the map of a font subset's codes to characters, in the form of Adobe Technical Note 5411."""
    codes = [(code, chr(character).encode("utf-16-be").hex()) for code, character in enumerate(subset) if character]
    blocks = [codes[start : start + _MAX_MAPPED] for start in range(0, len(codes), _MAX_MAPPED)]
    mapped = "".join(
        f"{len(block)} beginbfchar\n" + "".join(f"<{code:02x}> <{text}>\n" for code, text in block) + "endbfchar\n"
        for block in blocks
    )
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<00> <ff>\nendcodespacerange\n{mapped}"
        "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    )


class PdfWriter:
    """A PDF file being written. It is unreadable until `close` ends it."""

    def __init__(
        self,
        out: BinaryIO,
        size: tuple[float, float],
        title: str,
        subject: str,
        language: str = ENGLISH,
        ink_name: InkName = "colour",
        *,
        two_sided: bool = False,
    ) -> None:
        self._out = out
        self._is_two_sided = two_sided
        self._title, self._subject, self._language = _legal(title), _legal(subject), language
        self._size = size
        self._offset = 0
        self._table = bytearray()
        self.canvas = new_canvas(size, language)
        self.ink = INKS[ink_name](self.canvas)
        self._ink_name: InkName = ink_name
        self._document = self.canvas._doc
        self._describe()
        self._tree, self._body = self._number(), self._number()
        self._parts: list[int] = []
        self._seen = 0
        self._waiting: list[str] = []
        self._forms = set[str]()
        self._pictures = dict[str, None]()
        self._write(b"%%PDF-%d.%d\n%%\x93\x8c\x8b\x9e\n" % VERSION)

    def _describe(self) -> None:
        canvas = self.canvas
        canvas.setTitle(self._title)
        canvas.setAuthor("")
        canvas.setSubject(self._subject)
        canvas.setCreator(_CREATOR)
        duplex = {"Duplex": "DuplexFlipLongEdge"} if self._is_two_sided else {}
        for name, value in (_PREFERENCES | duplex).items():
            canvas.setViewerPreference(name, value)

    def draw_page(self, draw: Page, calibration: Calibration = IDENTITY) -> None:
        """Draw the next page."""
        page = render_page(self.canvas, draw, self._size, calibration, self._ink_name)
        self._finish(page)
        self._pictures.update(dict.fromkeys(name for name in page.forms if name not in self._forms))

    @contextmanager
    def store_form(self, name: str, width: float, height: float) -> Iterator[tuple[Ink, Box]]:
        """Store everything drawn into the yielded box under a name, for use on pages."""
        with self.ink.store_form(name, width, height) as box:
            yield self.ink, box
        self._forms.add(self._document.getXObjectName(name))

    def state(self) -> FileState:
        """Return the state of the file after its pages so far, with only the latest pictures."""
        return FileState(font_characters(self.canvas), tuple(self._pictures)[-_MAX_PICTURES:])

    def add_page(self, page: RenderedPage) -> None:
        """Add a page that was drawn elsewhere with this file's state as the next page."""
        self.canvas.showPage()
        stamped = {name: pdfdoc.PDFObjectReference(name) for name in page.forms}
        self._document.Pages.pages[-1].XObjects = pdfdoc.PDFDictionary(stamped) if stamped else None
        self._finish(page)

    def _finish(self, rendered: RenderedPage) -> None:
        """Write the canvas's last page with its tags, and release it."""
        pages = self._document.Pages.pages
        page = pages[-1]
        page.Contents = pdfdoc.PDFStream(pdfdoc.PDFDictionary({"Filter": "/FlateDecode"}), rendered.operators)
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(pages) - 1, "/S"
        pages[-1] = reference = self._document.Reference(page)
        self._flush()
        self._tag(reference.format(self._document), rendered.elements)

    def _tag(self, page: bytes, elements: Sequence[int | Element]) -> None:
        """Write the structure of a page as a part of the document, and the owning element of each mark on the page."""
        part, owners = self._number(), self._number()
        self._parts.append(part)
        packed, owner_of = dict[int, str](), dict[int, int]()

        def write_kids(number: int, kids: Sequence[int | Element]) -> str:
            references = []
            for kid in kids:
                if isinstance(kid, int):
                    owner_of[kid] = number
                    references.append(str(kid))
                else:
                    references.append(f"{write_element(kid, number)} 0 R")
            return f"/K[{' '.join(references)}]"

        def write_element(element: Element, parent: int) -> int:
            number = self._number()
            kids = write_kids(number, element.kids)
            packed[number] = f"<</S/{element.tag}/P {parent} 0 R/Pg {page.decode()}{kids}{_attributes(element)}>>"
            return number

        packed[part] = f"<</S/Part/P {self._body} 0 R{write_kids(part, elements)}>>"
        packed[owners] = f"[{' '.join([f'{owner_of[mark]} 0 R' for mark in range(len(owner_of))])}]"
        self._pack(packed)

    def close(self) -> None:
        """Write everything that all pages share: fonts, the structure tree, the table of objects."""
        document, catalog = self._document, self._document.Catalog
        for font in document.delayedFonts:
            subsets = [
                (font.getSubsetInternalName(number, document), subset)
                for number, subset in enumerate(font.state[document].subsets)
            ]
            font.addObjects(document)
            self._set_unicodes(subsets)
        document.info.invariant = document.invariant
        document.info.digest(document.signature)
        catalog.Outlines = None
        catalog.MarkInfo = pdfdoc.PDFDictionary({"Marked": "true"})
        catalog.StructTreeRoot = f"{self._tree} 0 R"
        catalog.Metadata = f"{self._metadata()} 0 R"
        root, info = document.Reference(catalog), document.Reference(document.info)
        self._flush(everything=True)
        self._root()
        self._end(root.format(document), info.format(document), document.ID())

    def _set_unicodes(self, subsets: Sequence[tuple[str, Sequence[int]]]) -> None:
        """Write the characters of the codes of a font's subsets.

        reportlab maps unused codes to an invalid character, and characters above U+FFFF wrongly.
        """
        document = self._document
        for name, subset in subsets:
            font = document.idToObject["BasicFonts"].dict[name[1:]]
            document.idToObject[font.ToUnicode.name].content = _unicode_map(subset)

    def _metadata(self) -> int:
        """Write the metadata for programs that do not parse the file, and return the number of that object."""
        number = self._number()
        packet = _XMP.format(
            title=escape(self._title, quote=False),
            subject=escape(self._subject, quote=False),
            language=self._language,
            creator=_CREATOR,
        )
        data = packet.encode()
        self._set(number, _AT_OFFSET, self._offset, 0)
        self._write(f"{number} 0 obj\n<</Type/Metadata/Subtype/XML/Length {len(data)}>>\nstream\n".encode())
        self._write(data)
        self._write(b"\nendstream\nendobj\n")
        return number

    def _root(self) -> None:
        """Write the root of the structure tree: one document with a part for each page."""
        owners = " ".join(f"{number} {part + 1} 0 R" for number, part in enumerate(self._parts))
        parts = " ".join(f"{part} 0 R" for part in self._parts)
        count = len(self._parts)
        self._pack(
            {
                self._tree: f"<</Type/StructTreeRoot/K {self._body} 0 R/ParentTree<</Nums[{owners}]>>"
                f"/ParentTreeNextKey {count}>>",
                self._body: f"<</S/Document/P {self._tree} 0 R/Lang({self._language})/K[{parts}]>>",
            }
        )

    def _number(self) -> int:
        """Return the number of a new object."""
        self._document.objectcounter += 1
        return int(self._document.objectcounter)

    def _flush(self, *, everything: bool = False) -> None:
        """Write the new objects of reportlab that it will not use again. The others wait for the end."""
        document = self._document
        finished_types = (pdfdoc.PDFPage, pdfdoc.PDFStream, pdfdoc.PDFFormXObject)
        while self._waiting or self._seen < document.objectcounter:
            while self._seen < document.objectcounter:
                self._seen += 1
                name = document.numberToId.get(self._seen)
                if name is not None and isinstance(document.idToObject[name], finished_types):
                    self._object(name)
                elif name is not None:
                    self._waiting.append(name)
            if not everything:
                break
            for name in self._waiting:
                self._object(name)
            self._waiting = []

    def _object(self, name: str) -> None:
        document = self._document
        self._set(document.idToObjectNumberAndVersion[name][0], _AT_OFFSET, self._offset, 0)
        self._write(pdfdoc.PDFIndirectObject(name, document.idToObject[name]).format(document))
        document.idToObject[name] = None

    def _pack(self, objects: Mapping[int, str]) -> None:
        """Write our own objects in one stream."""
        number, heads, length = self._number(), [], 0
        for place, (each, content) in enumerate(objects.items()):
            heads.append(f"{each} {length}")
            length += len(content) + 1
            self._set(each, _IN_STREAM, number, place)
        head = " ".join(heads) + "\n"
        packed = f"/Type/ObjStm/N {len(objects)}/First {len(head)}"
        self._stream(number, packed, (head + "\n".join(objects.values())).encode("ascii"))

    def _stream(self, number: int, dictionary: str, data: bytes | bytearray) -> None:
        self._set(number, _AT_OFFSET, self._offset, 0)
        packed = zlib.compress(data)
        self._write(f"{number} 0 obj\n<<{dictionary}/Filter/FlateDecode/Length {len(packed)}>>\nstream\n".encode())
        self._write(packed)
        self._write(b"\nendstream\nendobj\n")

    def _set(self, number: int, kind: int, where: int, place: int) -> None:
        """Record the position of an object in the table: its byte offset, or its stream and index."""
        missing = _XREF_ENTRY.size * (number + 1) - len(self._table)
        self._table.extend(bytes(max(0, missing)))
        _XREF_ENTRY.pack_into(self._table, _XREF_ENTRY.size * number, kind, where, place)

    def _end(self, root: bytes, info: bytes, identity: bytes) -> None:
        start, number = self._offset, self._number()
        self._set(0, 0, 0, 0xFFFF)
        self._set(number, _AT_OFFSET, start, 0)
        dictionary = (
            f"/Type/XRef/W[1 4 2]/Size {number + 1}/Root {root.decode()}/Info {info.decode()}/ID{identity.decode()}"
        )
        self._stream(number, dictionary, self._table)
        self._write(f"startxref\n{start}\n%%EOF\n".encode())

    def _write(self, data: bytes) -> None:
        self._out.write(data)
        self._offset += len(data)
