"""A deck's passport: its present state and the hash of its story, as the text of one QR code on its record sheet.

It is for a box that travels without a file. Another archive adopts the deck from it, and recognizes the file later.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.archive import deck_id
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError
from companion.archive.exchange import base45, export_format
from companion.archive.storage.lists import deck_stream, game_of, marks_of
from companion.games import registry
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.keeping import keeping
from companion.tabletop.records import Record
from companion.tabletop.text import as_name
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.tabletop.game import Game

PREFIX = "PASS:"
CAPACITY = 1451
"""Upper-case characters in version 25 of a QR code at level M; more make modules too small to print."""
MAX_UNPACKED_BYTES = 65_536
"""Maximum bytes of an unpacked passport; ours are a few hundred bytes."""
_VERSION = 1
# Base 45 may end with a space, which would be lost wherever text is trimmed.
_END = "//"


class PassportError(ArchiveError):
    """A code that claims to be a passport and is none; the message says why."""


class Passport(NamedTuple):
    """The content of a passport: the deck, the hash and length of its story, and its state as its game packed it.

    `page` is the digest of the page that describes the game; the text does not fit into a code.
    """

    deck: str
    game: str
    story: str
    length: int
    content: Any
    page: str = ""

    def record(self) -> Record:
        """Return the deck as it was when the passport was printed. Raises PassportError."""
        try:
            game = self.rules()
            return game.record(keeping(game).unpack_record(self.content, self.story, self.length))
        except (RuleError, NotationError) as error:
            raise PassportError(str(error)) from error

    def rules(self) -> Game:
        """Return the deck's game. Raises NotationError if it is not here."""
        if registry.is_path(self.game):
            raise NotationError(phrase("A passport that names a file as its game; it is not ours."))
        try:
            return registry.game(self.game, self.page)
        except NotationError as error:
            if not self.page:
                raise
            raise NotationError(
                phrase(
                    "This is a deck of the game “{game}”, which is described on a page that is not here: "
                    "add that page first, or import the deck from a file of companion deck export, which "
                    "includes the page.",
                    game=self.game,
                )
            ) from error


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    deck: str
    game: str
    story: bytes
    length: int
    content: Any
    page: str = ""


def write(archive: Archive, deck: str) -> str:
    """Return the text of a deck's passport: upper case, at most `CAPACITY` characters.

    If it is too long, parts are left out in the game's order of importance, and the passport says so. Raises Unknown,
    or ArchiveError if even the minimum is too long.
    """
    entries = archive.entries(deck_stream(deck))
    archive.record(deck)
    game = game_of(entries)
    story = bytes.fromhex(export_format.story_hash(deck, entries))
    for content in keeping(game).pack_record(marks_of(entries)):
        text = _encode(_Packed(deck, game.name, story, len(entries), content, game.page))
        if len(text) <= CAPACITY:
            return text
    raise ArchiveError(
        phrase(
            "Deck {deck} has more written on it than a passport can hold; use a file of companion deck export instead.",
            deck=deck_id.show(deck),
        )
    )


def _encode(packed: _Packed) -> str:
    fields = msgspec.structs.astuple(packed)
    # Without a page the code is the same as older companions write.
    body = zlib.compress(msgspec.msgpack.encode(fields if packed.page else fields[:-1]), level=9, wbits=-15)
    return PREFIX + base45.encode(bytes([_VERSION]) + zlib.crc32(body).to_bytes(4, "big") + body) + _END


def read(text: str) -> Passport:
    """Read a passport's text. Raises PassportError."""
    try:
        packed = base45.decode(text.strip().upper().removeprefix(PREFIX).removesuffix(_END))
        version, checksum, body = packed[0], packed[1:5], packed[5:]
    except (ValueError, LookupError):
        raise PassportError(phrase("A passport, but damaged or misread: scan it again.")) from None
    if version != _VERSION:
        raise PassportError(phrase("A passport that a newer companion wrote; update this one."))
    if zlib.crc32(body).to_bytes(4, "big") != checksum:
        raise PassportError(phrase("A passport, but damaged or misread: scan it again."))
    content = _unpack(body)
    try:
        fields = msgspec.msgpack.decode(content, type=_Packed)
        deck, story = deck_id.parse(fields.deck), fields.story.hex()
        passport = Passport(deck, fields.game, story, fields.length, fields.content, fields.page)
    except (msgspec.MsgspecError, deck_id.DeckIdError, RecursionError):
        raise PassportError(phrase("A passport that makes no sense; print it again from its archive.")) from None
    try:
        for name in _texts(fields.content):
            as_name(name, phrase("A passport"))
    except NotationError as error:
        raise PassportError(error.message) from None
    passport.record()
    return passport


def _texts(content: Any) -> Iterator[str]:
    """Yield every text in a passport's content."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        yield from _texts((*content.keys(), *content.values()))
    elif isinstance(content, list | tuple):
        for part in content:
            yield from _texts(part)


def _unpack(body: bytes) -> bytes:
    """Unpack the content, never to more than a passport may have, whatever a code claims."""
    unpack = zlib.decompressobj(wbits=-15)
    try:
        content = unpack.decompress(body, MAX_UNPACKED_BYTES)
    except zlib.error:
        raise PassportError(phrase("A passport, but damaged or misread: scan it again.")) from None
    if not unpack.eof:
        raise PassportError(phrase("A passport that holds more than any deck has; it is not ours."))
    return content


def adopt(archive: Archive, passport: Passport, by: str = "") -> Record:
    """Adopt the deck from its passport; it keeps its id. Raises ArchiveError if it is here already, NameTaken."""
    check_new(archive, passport)
    game = passport.rules()
    marks = keeping(game).unpack_record(passport.content, passport.story, passport.length, by)
    archive.found_deck(game.name, marks, deck=passport.deck, page=game.page)
    return game.record(marks)


def is_known(archive: Archive, passport: Passport) -> bool:
    """Return True if the deck is here, and its story as far as the passport has it."""
    here = archive.entries(deck_stream(passport.deck))
    if not here:
        return False
    first = marks_of(here[:2])[0]
    came_with = (getattr(first, "story", ""), getattr(first, "length", 0)) == (passport.story, passport.length)
    links = export_format.story_hashes(passport.deck, here)
    return came_with or links[passport.length - 1 : passport.length] == (passport.story,)


def check_new(archive: Archive, passport: Passport) -> None:
    """Raise ArchiveError if the deck is here; the way out depends on whether its story includes the passport's."""
    deck = deck_id.show(passport.deck)
    if is_known(archive, passport):
        raise ArchiveError(
            phrase("Deck {deck} is here already, and its history includes what its passport says.", deck=deck)
        )
    if archive.entries(deck_stream(passport.deck)):
        raise ArchiveError(
            phrase(
                "Deck {deck} is here, but its passport has entries that are missing here: ask for an "
                "export of the deck, and import that.",
                deck=deck,
            )
        )
