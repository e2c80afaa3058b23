"""Text as a PDF writes it: the codes of a font's subsets, with the moves between letters, word by word.

Separate because a file says most words again and again, and remembers how; fonts know no file.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from labels import fonts

# The code of a space in every subset, and how many words of a document are kept.
_SPACE = "20"
_MANY_WORDS = 2048


def encode_text(
    home: fonts.Face, text: str, weight: fonts.Weight, document: Any, known: "Known"
) -> Sequence[tuple[str, str]]:
    """A checked text in one face as the document's subsets write it: the name of each, and what of the text stands in
    it, in the codes of its letters with their moves between them.

    Words in characters that the first subset has are only looked up in what is `known` of the document; what is new is
    left to reportlab, which takes it in.
    """
    if home is not fonts.face(weight):
        return list(_spread(home, text, (), document))
    try:
        if weight not in known:
            known[weight] = _Words(document, weight)
        words = known[weight]
        return ((words.subset, _SPACE.join([words[word] for word in text.split(" ")])),)
    except (KeyError, ValueError):
        return list(_spread(home, text, list(_moves(text, weight)), document))


class _Words(dict[str, str]):
    """How the first subset of a document writes words. Raises KeyError or ValueError for one with other characters."""

    def __init__(self, document: Any, weight: fonts.Weight) -> None:
        super().__init__()
        font = fonts.face(weight).font
        self._weight: fonts.Weight = weight
        self._codes = font.state[document].assignments
        self.subset: str = font.getSubsetInternalName(0, document)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MANY_WORDS:
            self.clear()
        codes = bytes(map(self._codes.__getitem__, map(ord, word)))
        told = self[word] = _moved(codes, fonts.moves(word, self._weight))
        return told


Known = dict[fonts.Weight, _Words]
"""What is known of a document, by weight."""

_documents: WeakKeyDictionary[Any, Known] = WeakKeyDictionary()


def document_fonts(document: Any) -> Known:
    """What is known of a document so far, to be filled while it is written."""
    return _documents.setdefault(document, {})


def _moved(codes: bytes, moves: Sequence[tuple[int, str]]) -> str:
    """Codes in hexadecimal digits, with the moves after so many of them."""
    told, at = "", 0
    for count, move in moves:
        told += codes[at:count].hex() + move
        at = count
    return told + codes[at:].hex()


def _spread(home: fonts.Face, text: str, moves: Sequence[tuple[int, str]], document: Any) -> Iterator[tuple[str, str]]:
    """The same by reportlab, over as many subsets as it takes."""
    start = 0
    for number, codes in home.font.splitString(text, document):
        end = start + len(codes)
        inside = [(count - start, move) for count, move in moves if start < count <= end]
        yield home.font.getSubsetInternalName(number, document), _moved(codes, inside)
        start = end


def _moves(text: str, weight: fonts.Weight) -> Iterator[tuple[int, str]]:
    """Where in a line letters move, by how many characters stand before, and what the file says for it."""
    before = 0
    for word in text.split(" "):
        for count, move in fonts.moves(word, weight):
            yield before + count, move
        before += len(word) + 1
