"""Detection of a table's encoding: UTF-8, UTF-16, or a legacy one of a region.

The first two are recognizable. A legacy encoding is guessed if its words allow no other, and the user is prompted
otherwise.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import islice
from typing import BinaryIO, Final, NamedTuple

from labels.errors import LabelError
from templates.languages.messages import Message, Text, any_of, listed, name, phrase

UTF_8: Final = "utf-8-sig"
"""UTF-8 with or without the byte order mark that Windows writes."""
WESTERN: Final = "windows-1252"

_BLOCK: Final = 2**16
_MAX_WORDS: Final = 1_000
_OLDER: Final = (WESTERN, "windows-1250", "windows-1251", "mac-roman")
"""The encodings saved by spreadsheets of Western and Central Europe, for Cyrillic scripts and on older Macs."""
_MARKS: Final = {codecs.BOM_UTF8: UTF_8, codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_WORD: Final = re.compile(rb"[^\x00-/:-@\[-`{-~]*[\x80-\xff][^\x00-/:-@\[-`{-~]*")
"""A word with a non-ASCII letter."""
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f]|\x1a(?!\Z)")
"""Control characters that no text contains. 1A ended a text under DOS."""
_LETTERS: Final = "A-Za-zÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØŒÙÚÛÜŸßàáâãäåæçèéêëìíîïñòóôõöøœùúûüÿ"
_SURE: Final = re.compile(
    rf"[€‚„…‘’“”–—•«»°§·®©™£½¼¾\u00a0×´ºª¡¿]*[{_LETTERS}]*(?:[’'·-][{_LETTERS}]+)*[€‚„…‘’“”–—•«»°§·®©™£½¼¾²³\u00a0×´ºª]*"
)
"""A word of a Western language: punctuation stands around it, not inside it."""
_ODD_CAPITAL: Final = re.compile(r"[a-zà-ÿ][À-ÖØ-ÞŒŸ]|\w[À-ÖØ-ÞŒŸ](?=[a-zà-ÿ])")
"""A capital inside a word."""
_STRANGE: Final = re.compile("[^ -~]")

Choose = Callable[[Mapping[str, str]], str]
"""A callback that asks the user for the encoding, given the first non-ASCII word decoded in each."""


class EncodingUnclear(LabelError):
    """A text that is not in the given encoding, or one that is ambiguous without one.

    In the second case `readings` are those of a `EncodingGuess`.
    """

    readings: Mapping[str, str] = {}


class EncodingGuess(NamedTuple):
    """An encoding.

    If the text does not show it, `remark` reports that, and `readings` has the first non-ASCII word by encoding.
    """

    encoding: str
    remark: Text = ""
    readings: Mapping[str, str] = {}


def check_encoding(encoding: str) -> str:
    """Return Python's name of an encoding. Raises LabelError."""
    try:
        info = codecs.lookup(encoding.strip())
        is_text = "x".encode(info.name).decode(info.name) == "x"
    except (LookupError, ValueError, TypeError, AttributeError):
        is_text = False
    if not is_text:
        raise LabelError(
            phrase(
                "“{encoding}” is no encoding; write utf-8, utf-16, or an older one such as {older}.",
                encoding=encoding,
                older=listed(_OLDER),
            )
        )
    return UTF_8 if info.name == "utf-8" else info.name


def guess_encoding(file: BinaryIO, title: Text, choose: Choose | None = None) -> EncodingGuess:
    """Guess the encoding of a file. `title` is the file's name in messages.

    If it is unclear, `choose` is called. Raises LabelError if the file is no text, or EncodingUnclear if there is no
    `choose`.
    """
    file.seek(0)
    head = file.read(_BLOCK)
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return EncodingGuess(encoding)
    if unmarked := _unmarked_utf_16(head):
        return EncodingGuess(unmarked)
    if _is_utf_8(file):
        return EncodingGuess(UTF_8)
    if _CONTROLS.search(head):
        raise LabelError(
            phrase("{file} is not text; save it as a table, with the ending .csv, .xlsx or .ods.", file=title)
        )
    words = list(islice(_strange_words(file), _MAX_WORDS))
    readings = dict(_readings(words[0]))
    if WESTERN in readings and all(map(_is_western, words)):
        remark = phrase(
            "{file} is not in UTF-8 and was read as Windows-1252: {examples}. Where that is wrong, say what it is: "
            "--encoding NAME.",
            file=title,
            examples=listed(f"“{word.decode(WESTERN)}”" for word in dict.fromkeys(words[:3])),
        )
        return EncodingGuess(WESTERN, remark, readings)
    if choose is not None and readings:
        return EncodingGuess(check_encoding(choose(readings)), readings=readings)
    unclear = EncodingUnclear(_unclear_sentence(title, readings))
    unclear.readings = readings
    raise unclear


def _unclear_sentence(title: Text, readings: Mapping[str, str]) -> Message:
    if not readings:
        return phrase("{file} is not in UTF-8; save it as that, or say what it is.", file=title)
    return phrase(
        "{file} is not in UTF-8; save it as that, or say what it is: {ways}.",
        file=title,
        ways=reduce(_either, (name(f"--encoding {encoding} (“{word}”)") for encoding, word in readings.items())),
    )


def _either(first: Message, second: Message) -> Message:
    return any_of((first, second))


def decode_all(file: BinaryIO, encoding: str, title: Text) -> Iterator[str]:
    """Decode a file piece by piece. Raises EncodingUnclear if it is not in that encoding."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while block := file.read(_BLOCK):
            yield decoder.decode(block)
        yield decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise EncodingUnclear(
            phrase("{file} is not text in {encoding}; say by --encoding what it is.", file=title, encoding=encoding)
        ) from error


def _unmarked_utf_16(head: bytes) -> str:
    """Return the UTF-16 variant of a text without a byte order mark, by its many zeros, or "" for any other text."""
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
    """Yield a word decoded in each legacy encoding, without duplicates."""
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
    """Return True if a word is certainly in Windows-1252."""
    try:
        text = word.decode(WESTERN)
    except UnicodeDecodeError:
        return False
    letters = [char for char in text if char.isalpha()]
    strange = len(_STRANGE.findall("".join(letters)))
    few = strange <= max(1, len(letters) / 2)
    return few and _SURE.fullmatch(text) is not None and not _ODD_CAPITAL.search(text)
