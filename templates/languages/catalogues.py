"""Catalogues: the translations of messages, read from the compiled ones of this package or from a translator's file.

A catalogue from outside is a stranger's file. Its templates are filled in with facts of the table, so on reading a
template is refused if it has a field that the English template lacks, a format or an attribute; sizes are limited.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from templates.languages.messages import ENGLISH, Language, fields_of
from templates.languages.pseudo import PSEUDO

_FOLDER: Final = Path(__file__).parent
_LARGEST_FILE: Final = 8_000_000
"""The most bytes of a catalogue; the largest of ours has 2 million."""
_MOST_ENTRIES: Final = 20_000
_GROWTH: Final = 4
_ROOM: Final = 200
"""A translation has at most `_GROWTH` times the symbols of its English text, and this many more."""
_RTL: Final = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})
_CODE: Final = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,2}([.@].*)?")
_SPECIAL: Final = frozenset("\n\u00a0\u200c\u200d\u200e\u200f\u202f")
"""What translations may hold beside visible signs: line breaks, joiners, marks of direction, no-break spaces."""
_MAGIC: Final = 0x950412DE
"""The number with which compiled catalogues begin."""
_FIELD: Final = re.compile(r"^([\w-]+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
"""A field of a catalogue's header, and its value."""
_PLURAL: Final = re.compile(r"plural=([^;]*)")
_CONTEXT_END: Final = "\x04"
"""The sign between a context and its template in compiled catalogues, by the format of GNU gettext."""


class LanguageError(ValueError):
    """A language that is not here, or a catalogue that cannot be used. Its message is a sentence."""


class Entry(NamedTuple):
    """One entry of a catalogue: English texts and their translation, in as many forms as the language has."""

    context: str
    singular: str
    plural: str = ""
    texts: tuple[str, ...] = ()
    is_fuzzy: bool = False
    line: int = 0

    @property
    def is_translated(self) -> bool:
        """Return True if the translation is complete and checked by its translator."""
        return bool(self.texts) and all(self.texts) and not self.is_fuzzy


class PoFile(NamedTuple):
    """A catalogue as translators edit it: the fields of its header, and its entries."""

    header: Mapping[str, str]
    entries: tuple[Entry, ...]


# Reading what translators edit

_LINE: Final = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[(\d)\])?)?\s*"((?:[^"\\]|\\.)*)"\s*')
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


def read_po(text: str) -> PoFile:
    """Return a catalogue from the text of a `.po` file. Raises LanguageError if it cannot be read."""
    blocks = [block for block in _split_blocks(text) if block]
    if len(blocks) > _MOST_ENTRIES:
        raise LanguageError(f"The catalogue has over {_MOST_ENTRIES:,} entries, more than the program has texts.")
    entries = [_read_block(block) for block in blocks]
    header = next((each.texts[0] for each in entries if not each.singular and each.texts), "")
    return PoFile(dict(_FIELD.findall(header)), tuple(each for each in entries if each.singular))


def _split_blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each entry with their numbers; a blank line, or the next `msgid` or comment, ends an entry."""
    block: list[tuple[int, str]] = []
    has_texts = False
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        stripped = line.strip()
        begins = stripped.startswith(("#", "msgctxt", "msgid "))
        if has_texts and (not stripped or begins):
            yield block
            block, has_texts = [], False
        if stripped and not stripped.startswith("#~"):
            block.append((number, stripped))
            has_texts |= stripped.startswith("msgstr")
    if any(not line.startswith("#") for _, line in block):
        yield block


def _read_block(block: list[tuple[int, str]]) -> Entry:
    """Return the entry of some lines. Raises LanguageError."""
    parts: dict[str, list[str]] = {}
    current = ""
    for number, line in block:
        if line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        current = match[1] or current if match else ""
        if match is None or not current:
            raise LanguageError(f"Line {number} of the catalogue cannot be read: {line[:80]}")
        parts.setdefault(current, []).append(_ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), match[3]))
    whole = {name: "".join(lines) for name, lines in parts.items()}
    is_fuzzy = any(line.startswith("#,") and "fuzzy" in line for _, line in block)
    texts = tuple(whole[name] for name in sorted(whole) if name.startswith("msgstr"))
    number = block[0][0]
    if "msgid" not in whole:
        raise LanguageError(f"The entry at line {number} of the catalogue has no msgid.")
    return Entry(whole.get("msgctxt", ""), whole["msgid"], whole.get("msgid_plural", ""), texts, is_fuzzy, number)


# Checks of a translation


def find_flaws(entry: Entry, forms: int) -> Iterator[str]:
    """Yield what makes a translation unusable, each as a sentence: fields, formats, sizes, control characters.

    Args:
        entry: A translated entry.
        forms: The number of plural forms of its language.
    """
    where = f"line {entry.line}, {entry.singular[:60]!r}"
    try:
        # Both English forms have the same fields, but for the number.
        wanted = fields_of(entry.singular) | ({"n"} if entry.plural else frozenset())
    except ValueError:
        return  # no text of the program is like this, so its translation is never used
    # A form for exactly one number may leave it out: “eine Karte”.
    needed = wanted - {"n"} if entry.plural else wanted
    most = _GROWTH * max(len(entry.singular), len(entry.plural)) + _ROOM
    if entry.plural and len(entry.texts) != forms:
        yield f"{where}: {len(entry.texts)} forms are given, and the language has {forms}."
    for text in entry.texts:
        try:
            fields = fields_of(text)
        except ValueError as error:
            yield f"{where}: {str(error)[:60]} is no field; a field is a name in braces, such as {{player}}."
            continue
        if extra := sorted(fields - wanted):
            yield f"{where}: the English text has no field {{{extra[0][:40]}}}."
        if missing := sorted(needed - fields):
            yield f"{where}: the field {{{missing[0]}}} is missing."
        if len(text) > most:
            yield f"{where}: the text is too long, {len(text):,} symbols; at most {most:,} fit."
        if any(
            not symbol.isprintable()
            and symbol not in ("\n", "\u200e", "\u200f", "\u200c", "\u200d", "\u00a0", "\u202f")
            for symbol in text
        ):
            yield f"{where}: the text has a control character."
        if text.count("\n") > entry.singular.count("\n") + 1:
            yield f"{where}: the text has more lines than the English one."


# Compiled catalogues


def compile_catalogue(catalogue: PoFile, source_hash: str = "") -> bytes:
    """Return a catalogue in the format of GNU gettext (`.mo`), with all translated entries.

    `source_hash` is that of the file from which it was made.
    """
    plural_forms = catalogue.header.get("Plural-Forms", "nplurals=2; plural=(n != 1);")
    kept = ("Language", "X-Language-Name", "X-Finished")
    header = "".join(f"{field}: {catalogue.header[field]}\n" for field in kept if field in catalogue.header)
    header += f"X-Source: {source_hash}\n"
    pairs = {"": f"{header}Content-Type: text/plain; charset=UTF-8\nPlural-Forms: {plural_forms}\n"}
    for entry in catalogue.entries:
        if entry.is_translated:
            key = f"{entry.context}{_CONTEXT_END}{entry.singular}" if entry.context else entry.singular
            pairs[f"{key}\0{entry.plural}" if entry.plural else key] = "\0".join(entry.texts)
    rows = sorted((key.encode(), text.encode()) for key, text in pairs.items())
    # The header, two tables of lengths and offsets, then the strings, each with a zero byte behind it.
    heads: tuple[list[bytes], list[bytes]] = ([], [])
    at = 28 + 16 * len(rows)
    strings = b""
    for column in range(2):
        for row in rows:
            heads[column].append(struct.pack("<2I", len(row[column]), at + len(strings)))
            strings += row[column] + b"\0"
    tables = b"".join(heads[0] + heads[1])
    start = struct.pack("<7I", _MAGIC, 0, len(rows), 28, 28 + 8 * len(rows), 0, at)
    return start + tables + strings


class CompiledCatalogue:
    """The translations of a compiled catalogue (`.mo`), whose English texts are sorted, as GNU gettext writes them.

    Each is looked up when it is first asked for: reading all of them, as the standard library does, takes 13 ms, and a
    screen shows one in a hundred. Raises ValueError for what is no catalogue.
    """

    def __init__(self, data: bytes) -> None:
        try:
            magic, _, self._size, self._english, self._translated = struct.unpack_from("<5I", data)
        except struct.error as error:
            raise ValueError("The file is no compiled catalogue.") from error
        if magic != _MAGIC:
            raise ValueError("The file is no compiled catalogue.")
        self._data = data
        self._forms: dict[str, tuple[str, ...]] = {}
        self.header = dict(_FIELD.findall("".join(self._find(""))))
        """The fields of its header."""
        forms = _PLURAL.search(self.header.get("Plural-Forms", ""))
        self._form_of = c2py(forms[1] if forms else "n != 1")

    def gettext(self, message: str, /) -> str:
        """Return the translation of a template, or the template."""
        return self._choose(message, message, 1)

    def pgettext(self, context: str, message: str, /) -> str:
        """Return the translation of a template that has another meaning elsewhere, or the template."""
        return self._choose(f"{context}{_CONTEXT_END}{message}", message, 1)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Return the translation of a template in its form for a number, or the English form."""
        return self._choose(f"{singular}\0{plural}", singular if n == 1 else plural, n)

    def _choose(self, key: str, english: str, n: int) -> str:
        forms = self._forms.get(key)
        if forms is None:
            forms = self._forms[key] = self._find(key)
        if len(forms) < 2:
            return forms[0] if forms else english
        form: int = self._form_of(n)
        return forms[form] if form < len(forms) else english

    def _find(self, key: str) -> tuple[str, ...]:
        """Return all forms of a translation; none if there is none."""
        sought = key.encode(errors="surrogatepass")
        low, high = 0, self._size
        while low < high:
            middle = (low + high) // 2
            if self._read(self._english, middle) < sought:
                low = middle + 1
            else:
                high = middle
        text = self._read(self._english, low) if low < self._size else b"\0"
        # In an entry with several forms, a zero byte and the plural follow.
        if text != sought and not text.startswith(sought + b"\0"):
            return ()
        return tuple(self._read(self._translated, low).decode().split("\0"))

    def _read(self, table: int, row: int) -> bytes:
        length, at = struct.unpack_from("<2I", self._data, table + 8 * row)
        return self._data[at : at + length]


def count_forms(plural_forms: str) -> int:
    """Return the number of plural forms of a header's `Plural-Forms`. Raises LanguageError."""
    match = re.match(r"\s*nplurals\s*=\s*([1-6])\s*;", plural_forms)
    if match is None:
        raise LanguageError("The catalogue's header has no usable Plural-Forms; Poedit writes them for its language.")
    return int(match[1])


def read_catalogue(text: str) -> Language:
    """Return the language of the text of a `.po` file. Raises LanguageError for a file that cannot be used whole."""
    catalogue = read_po(text)
    code = catalogue.header.get("Language", "")
    if not _CODE.fullmatch(code):
        raise LanguageError("The catalogue's header names no Language, such as de or pt_BR.")
    forms = count_forms(catalogue.header.get("Plural-Forms", ""))
    translated = [entry for entry in catalogue.entries if entry.is_translated]
    flaws = [flaw for entry in translated for flaw in find_flaws(entry, forms)]
    if flaws:
        more = f" {len(flaws) - 1} more entries are wrong." if len(flaws) > 1 else ""
        raise LanguageError(f"The catalogue cannot be used: {flaws[0]}{more}")
    try:
        language = _language(compile_catalogue(catalogue))
    except (ValueError, OSError) as error:
        raise LanguageError(f"The catalogue's header has Plural-Forms that cannot be read: {error}") from error
    assert language is not None
    return language


def compile_file(source: Path) -> Path:
    """Compile a `.po` file into the `.mo` file beside it, and return that."""
    data = source.read_bytes()
    target = source.with_suffix(".mo")
    draft = target.with_suffix(f".{os.getpid()}")
    try:
        draft.write_bytes(compile_catalogue(read_po(data.decode()), _hash(data)))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target


def load_files(source: Path | None, compiled: Path | None) -> Language:
    """Return the language of a `.po` file and of the `.mo` file made from it, either of which may be missing.

    A package has compiled catalogues alone. In a checkout they may be older than their sources, which count then, and
    are compiled anew: reading a source takes longer than all else that a start does.
    """
    data = source.read_bytes() if source is not None else b""
    if compiled is not None:
        language = _language(compiled.read_bytes(), _hash(data) if source is not None else "")
        if language is not None:
            return language
    language = read_catalogue(data.decode())
    if source is not None:
        # Where nothing can be written, the source is read each time.
        with suppress(OSError):
            compile_file(source)
    return language


def _hash(data: bytes) -> str:
    return f"{len(data):x}-{crc32(data):08x}"


def _language(compiled: bytes, source_hash: str = "") -> Language | None:
    """Return the language of a compiled catalogue; None if it was made from another source than that of a hash."""
    catalogue = CompiledCatalogue(compiled)
    header = catalogue.header
    if source_hash and header.get("X-Source") != source_hash:
        return None
    code = _normalize(header.get("Language", ""))
    return Language(
        code,
        header.get("X-Language-Name", code),
        catalogue,
        is_rtl=code.split("-")[0] in _RTL,
        is_finished=header.get("X-Finished") == "yes",
    )


# The languages that are here


class _Files(NamedTuple):
    """The files of a language: a package has no source, a checkout perhaps no compiled catalogue."""

    source: Path | None
    compiled: Path | None


@cache
def _bundled() -> dict[str, _Files]:
    """Return the files of the languages of this package by their codes."""
    # Not by `importlib.resources`, which takes as long to load as a catalogue.
    files = {file.name: file for file in _FOLDER.iterdir()}
    codes = sorted({name[:-3] for name in files if name.endswith((".po", ".mo"))})
    return {_normalize(code): _Files(files.get(f"{code}.po"), files.get(f"{code}.mo")) for code in codes}


def _normalize(code: str) -> str:
    """Return a language code as the web writes it: `pt_BR.UTF-8` is `pt-BR`."""
    language, *others = re.split(r"[-_]", code.partition(".")[0].partition("@")[0])
    return "-".join((language.lower(), *(part.upper() if len(part) == 2 else part for part in others)))


_loaded: dict[str, Language] = {ENGLISH.code: ENGLISH, PSEUDO.code: PSEUDO}


def list_codes() -> tuple[str, ...]:
    """Return the codes of the languages that the program has, English first."""
    return (ENGLISH.code, *_bundled())


def find_language(wish: str) -> Language | None:
    """Return the language for a code such as `de`, `de-AT` or `de_DE.UTF-8`; None if the program does not have it."""
    if not _CODE.fullmatch(wish):
        return None
    code = _normalize(wish)
    while code:
        if code not in _loaded and code in (bundled := _bundled()):
            _loaded[code] = load_files(*bundled[code])
        if code in _loaded:
            return _loaded[code]
        code = code.rpartition("-")[0]
    return None


def load_language(wish: str) -> Language:
    """Return the language of a code, or of a translator's file `….po`. Raises LanguageError."""
    if not wish.lower().endswith(".po"):
        language = find_language(wish)
        if language is None:
            codes = ", ".join(list_codes())
            raise LanguageError(f"There is no language “{wish[:40]}”; choose {codes}, or a translator's file FILE.po.")
        return language
    try:
        with Path(wish).open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise LanguageError(f"The catalogue {wish[:200]} cannot be read: {why}.") from error
    if len(data) > _LARGEST_FILE:
        raise LanguageError(f"The catalogue {wish[:200]} has over {_LARGEST_FILE:,} bytes.")
    try:
        return read_catalogue(data.decode())
    except UnicodeDecodeError as error:
        raise LanguageError(f"The catalogue {wish[:200]} is not in UTF-8; save it so in Poedit.") from error


@contextmanager
def offer_language(language: Language) -> Iterator[None]:
    """Offer a language, such as that of a translator's file, like those of this package within the block."""
    before = _loaded.get(language.code)
    _loaded[language.code] = language
    try:
        yield
    finally:
        if before is None:
            del _loaded[language.code]
        else:
            _loaded[language.code] = before


def list_finished() -> tuple[Language, ...]:
    """Return the languages that are offered to everybody: English, and those whose catalogues are finished."""
    codes = dict.fromkeys((ENGLISH.code, *_bundled(), *tuple(_loaded)))
    languages = map(find_language, codes)
    return tuple(language for language in languages if language is not None and language.is_finished)


def choose_language(wishes: Iterable[str], default: Language = ENGLISH) -> Language:
    """Return the first of the wished languages that the program has finished, else `default`.

    A language that is not finished must be asked for by name, as `--language` does.
    """
    languages = (language for language in map(find_language, wishes) if language is not None and language.is_finished)
    return next(languages, default)


def read_accept_language(header: str) -> tuple[str, ...]:
    """Return the codes of an `Accept-Language` header (RFC 9110, 12.5.4), the most wished first."""
    wishes: list[tuple[float, str]] = []
    for part in header[:1000].split(","):
        code, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if _CODE.fullmatch(code.strip()) and weight > 0:
            wishes.append((weight, code.strip()))
    return tuple(code for _, code in sorted(wishes, key=lambda wish: -wish[0]))
