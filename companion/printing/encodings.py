"""In which encoding a table's text was saved: UTF-8, UTF-16, or an older one of one part of the world.

The first two show themselves. An older one is guessed where its words can only be meant so, and asked for elsewhere.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import BinaryIO, Final, NamedTuple

from labels.errors import LabelError

UTF_8: Final = "utf-8-sig"
"""With the mark at the beginning that Windows writes, or without."""
WESTERN: Final = "windows-1252"

_BLOCK: Final = 2**16
_MAX_WORDS: Final = 1_000
_OLDER: Final = (WESTERN, "windows-1250", "windows-1251", "mac-roman")
"""What spreadsheets of Western and Central Europe, of Cyrillic scripts and of older Macs save."""
_MARKS: Final = {codecs.BOM_UTF8: UTF_8, codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_WORD: Final = re.compile(rb"[^\x00-/:-@\[-`{-~]*[\x80-\xff][^\x00-/:-@\[-`{-~]*")
"""Letters, one of which is not ASCII."""
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f]|\x1a(?!\Z)")
"""What no text has; 1A ended one under DOS."""
_LETTERS: Final = "A-Za-zÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØŒÙÚÛÜŸßàáâãäåæçèéêëìíîïñòóôõöøœùúûüÿ"
_SURE: Final = re.compile(
    rf"[€‚„…‘’“”–—•«»°§·®©™£½¼¾\u00a0×´ºª¡¿]*[{_LETTERS}]*(?:[’'·-][{_LETTERS}]+)*[€‚„…‘’“”–—•«»°§·®©™£½¼¾²³\u00a0×´ºª]*"
)
"""A word as Western languages have it: signs stand around it, not in its midst."""
_ODD_CAPITAL: Final = re.compile(r"[a-zà-ÿ][À-ÖØ-ÞŒŸ]|\w[À-ÖØ-ÞŒŸ](?=[a-zà-ÿ])")
"""One in the midst of a word."""
_STRANGE: Final = re.compile("[^ -~]")

Choose = Callable[[Mapping[str, str]], str]
"""Asks people which encoding is meant, by what the first strange word is in each."""


class EncodingUnclear(LabelError):
    """A text that is not in the encoding that was said, or that can be read in several, and none was said: then
    `readings` are as those of a `Guess`.
    """

    readings: Mapping[str, str] = {}


class Guess(NamedTuple):
    """An encoding; where a text does not show it, a `remark` on that, and what its first strange word is in each
    encoding that it may be in.
    """

    encoding: str
    remark: str = ""
    readings: Mapping[str, str] = {}


def check_encoding(name: str) -> str:
    """The encoding that a name means, in the spelling of Python. Raises LabelError."""
    try:
        info = codecs.lookup(name.strip())
        is_text = "x".encode(info.name).decode(info.name) == "x"
    except (LookupError, ValueError, TypeError, AttributeError):
        is_text = False
    if not is_text:
        raise LabelError(f"“{name}” is no encoding; write utf-8, utf-16, or an older one such as {', '.join(_OLDER)}.")
    return UTF_8 if info.name == "utf-8" else info.name


def guess_encoding(file: BinaryIO, title: str, choose: Choose | None = None) -> Guess:
    """The encoding of a file. `title` is how sentences call the file.

    Where it is unclear, `choose` is asked. Raises LabelError for what is no text, or EncodingUnclear where nobody can
    be asked.
    """
    file.seek(0)
    head = file.read(_BLOCK)
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return Guess(encoding)
    if unmarked := _unmarked_utf_16(head):
        return Guess(unmarked)
    if _is_utf_8(file):
        return Guess(UTF_8)
    if _CONTROLS.search(head):
        raise LabelError(f"{title} is not text; save it as a table, with the ending .csv, .xlsx or .ods.")
    words = list(islice(_strange_words(file), _MAX_WORDS))
    readings = dict(_readings(words[0]))
    if WESTERN in readings and all(map(_is_western, words)):
        examples = ", ".join(f"“{word.decode(WESTERN)}”" for word in dict.fromkeys(words[:3]))
        remark = (
            f"{title} is not in UTF-8 and was read as Windows-1252: {examples}. Where that is wrong, say what it is: "
            "--encoding NAME."
        )
        return Guess(WESTERN, remark, readings)
    if choose is not None and readings:
        return Guess(check_encoding(choose(readings)), readings=readings)
    ways = " or ".join(f"--encoding {encoding} (“{word}”)" for encoding, word in readings.items())
    unclear = EncodingUnclear(
        f"{title} is not in UTF-8; save it as that, or say what it is{f': {ways}' if ways else ''}."
    )
    unclear.readings = readings
    raise unclear


def decode_all(file: BinaryIO, encoding: str, title: str) -> Iterator[str]:
    """The text of a file, piece by piece. Raises EncodingUnclear where it is not in that encoding."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while block := file.read(_BLOCK):
            yield decoder.decode(block)
        yield decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise EncodingUnclear(f"{title} is not text in {encoding}; say by --encoding what it is.") from error


def _unmarked_utf_16(head: bytes) -> str:
    """UTF-16 whose beginning does not say so, by its many zeros; "" for anything else."""
    shares = [half.count(0) / max(1, len(half)) for half in (head[::2], head[1::2])]
    if min(shares) > 0.05 or max(shares) < 0.5:
        return ""
    return "utf-16-be" if shares[0] > shares[1] else "utf-16-le"


def _is_utf_8(file: BinaryIO) -> bool:
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := file.read(_BLOCK):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _strange_words(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while block := file.read(_BLOCK) + file.readline(_BLOCK):
        yield from _WORD.findall(block)


def _readings(word: bytes) -> Iterator[tuple[str, str]]:
    """What a word is in each of the older encodings, but for those in which it is the same as in one before."""
    seen = set[str]()
    for encoding in _OLDER:
        try:
            text = word.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text not in seen and text.isprintable():
            seen.add(text)
            yield encoding, text


def _is_western(word: bytes) -> bool:
    """Whether a word is one in Windows-1252 without any doubt."""
    try:
        text = word.decode(WESTERN)
    except UnicodeDecodeError:
        return False
    letters = [char for char in text if char.isalpha()]
    strange = len(_STRANGE.findall("".join(letters)))
    few = strange <= max(1, len(letters) / 2)
    return few and _SURE.fullmatch(text) is not None and not _ODD_CAPITAL.search(text)
