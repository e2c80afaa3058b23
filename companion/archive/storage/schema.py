"""The archive's tables, for SQLite and PostgreSQL alike. Their history is in `migrations`."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    true,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from companion.archive.storage.rows import SessionStanding, decoder
from companion.tabletop.records import DeckFigure, Due
from companion.tabletop.table.match_result import MatchResult

metadata = MetaData()


class Instant(TypeDecorator[datetime]):
    """A time in UTC. SQLite has no time zones: none is stored, and UTC is added when it is read."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


class PositionsText(TypeDecorator[tuple[int, ...]]):
    """Positions on a sheet, as readable text: `3,7,20`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[int, ...] | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else ",".join(map(str, value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[int, ...] | None:  # noqa: ARG002
        return None if value is None else tuple(int(part) for part in value.split(",") if part)


class Facts(TypeDecorator[Any]):
    """Facts of a row as JSON, never NULL; decoded as `kind`."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:  # noqa: ARG002
        return msgspec.json.encode(value).decode()

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:  # noqa: ARG002
        # The decoder itself, not a method around it: lists have tens of thousands of rows.
        decode: Callable[[Any], Any] = decoder(self.kind).decode
        return decode


# Prefixes are searched as ranges, which needs an order by code point in every engine.
_KEY = Text().with_variant(Text(collation="C"), "postgresql")


def _checksum() -> Column[int]:
    return Column("checksum", BigInteger, nullable=False, server_default="0")


class by_code_point(FunctionElement[str]):  # noqa: N801 - reads as the function that it is in SQL
    """A text that every engine sorts and lower-cases in the same way: by code points, without a locale."""

    type = Text()
    inherit_cache = True


@compiles(by_code_point)
def _as_it_is(element: by_code_point, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(by_code_point, "postgresql")
def _compile_by_code_point(element: by_code_point, compiler: SQLCompiler, **options: Any) -> str:
    return f'({compiler.process(element.clauses, **options)}) COLLATE "C"'


entries = Table(
    "entries",
    metadata,
    Column("stream", _KEY, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("by", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("session", Text, nullable=False, server_default=""),
    _checksum(),
    sqlite_with_rowid=False,
)

lineage = Table(
    "lineage",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("before", Text, nullable=False),
    Column("now", Text, nullable=False),
    Column("growth", BigInteger, nullable=False, server_default="0"),
)
"""`growth` rises with every transaction of a file; see `companion.archive.recovery.backups.read_growth`."""

sessions = Table(
    "sessions",
    metadata,
    Column("session", _KEY, primary_key=True),
    Column("game", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("started", Instant, nullable=False),
    Column("changed", Instant, nullable=False, index=True),
    Column("length", Integer, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("standing", Facts(str | SessionStanding), nullable=False),
    Column("sealed", Boolean, nullable=False),
    Column("edition", Integer, nullable=False, server_default="1"),
    Column("folded", Text, nullable=False, server_default=""),
    _checksum(),
    Column("page", Text, nullable=False, server_default=""),
)

decks = Table(
    "decks",
    metadata,
    Column("deck", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("folded", _KEY, nullable=False),
    Column("figures", Facts(tuple[DeckFigure, ...]), nullable=False, server_default="[]"),
    Column("holder", Text, nullable=False),
    Column("person", Text, nullable=False, server_default=""),
    Column("retired", Boolean, nullable=False),
    Column("updated", Instant, nullable=False),
    Column("length", Integer, nullable=False),
    Column("holders", Facts(tuple[str, ...]), nullable=False, server_default="[]"),
    Column("held", Text, nullable=False, server_default=""),
    Column("tags", Facts(tuple[str, ...]), nullable=False, server_default="[]"),
    Column("tagged", Text, nullable=False, server_default=""),
    Column("due", Facts(tuple[Due, ...]), nullable=False, server_default="[]"),
    _checksum(),
    Column("held_by", _KEY, nullable=False, server_default="", index=True),
    Column("page", Text, nullable=False, server_default=""),
    UniqueConstraint("game", "folded", name="uq_decks_game_folded"),
    Index("ix_decks_folded", "folded"),
)
"""`held_by` is the folded name of the present holder, if only the name identifies that person."""

people = Table(
    "people",
    metadata,
    Column("person", _KEY, primary_key=True),
    Column("name", Text, nullable=False),
    Column("called", Facts(tuple[str, ...]), nullable=False),
    Column("purse", BigInteger, nullable=False),
    Column("kept_as", Text, nullable=False),
    Column("merged", Text, nullable=False, index=True),
    Column("since", Instant, nullable=False),
    Column("length", Integer, nullable=False),
    Column("kept", Facts(dict[str, dict[str, int]]), nullable=False, server_default="{}"),
    _checksum(),
    Column("folded", _KEY, nullable=False, server_default="", index=True),
    Column("nickname", Text, nullable=False, server_default=""),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("language", Text, nullable=False, server_default=""),
)

names = Table(
    "names",
    metadata,
    Column("folded", _KEY, primary_key=True),
    Column("person", _KEY, primary_key=True),
)
"""All past and present names of people, folded for the search."""

named_purses = Table(
    "named_purses",
    metadata,
    Column("kept_as", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("purse", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    _checksum(),
)

sheets = Table(
    "sheets",
    metadata,
    Column("sheet", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("stock", Text, nullable=False),
    Column("count", Integer, nullable=False),
    Column("free", PositionsText, nullable=False),
    Column("waiting", PositionsText, nullable=False),
    Column("away", Boolean, nullable=False),
    Column("length", Integer, nullable=False),
    _checksum(),
)

printers = Table(
    "printers",
    metadata,
    Column("printer", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("dx", Double, nullable=False),
    Column("dy", Double, nullable=False),
    Column("sx", Double, nullable=False),
    Column("sy", Double, nullable=False),
    Column("away", Boolean, nullable=False),
    Column("length", Integer, nullable=False),
    _checksum(),
)

leagues = Table(
    "leagues",
    metadata,
    Column("league", _KEY, primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("form", Text, nullable=False),
    Column("people", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("updated", Instant, nullable=False),
    Column("length", Integer, nullable=False),
    _checksum(),
)

rehearsals = Table(
    "rehearsals",
    metadata,
    Column("rehearsal", _KEY, primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("design", Facts(Any), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("edition", Integer, nullable=False),
    Column("program", Text, nullable=False),
    Column("units", BigInteger, nullable=False),
    Column("games", BigInteger, nullable=False),
    Column("begun", Instant, nullable=False),
    Column("updated", Instant, nullable=False),
    Column("length", Integer, nullable=False),
    _checksum(),
)

plays = Table(
    "plays",
    metadata,
    Column("play", _KEY, primary_key=True),
    Column("name", Text, nullable=False),
    Column("source", _KEY, nullable=False, index=True),
    Column("game", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("changed", Instant, nullable=False),
    Column("result", Facts(MatchResult), nullable=False),
    Column("length", Integer, nullable=False),
    _checksum(),
)
"""Finished games that other programs have recorded, by digests of all that is known of them."""

pages = Table(
    "pages",
    metadata,
    Column("page", _KEY, primary_key=True),
    Column("name", Text, nullable=False),
    Column("word", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("edition", Integer, nullable=False),
    Column("added", Instant, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("length", Integer, nullable=False),
    _checksum(),
)
"""Editions of described games, by the digests of their texts."""

doors = Table(
    "doors",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pin", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("hands", Text, key="permissions", nullable=False),
    Column("face_down", Boolean, nullable=False, server_default=true()),
)

phones = Table(
    "phones",
    metadata,
    Column("phone", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("hands", Text, key="permissions", nullable=False),
    Column("away", Boolean, nullable=False),
    Column("since", Instant, nullable=False),
    Column("seen", Instant, nullable=False),
    Column("waiting", Boolean, nullable=False, server_default=false()),
)

pin_knowers = Table("pin_knowers", metadata, Column("phone", Text, primary_key=True))
"""Waiting phones at a locked door on which the right PIN was typed."""

phone_names = Table(
    "phone_names",
    metadata,
    Column("name", Text, primary_key=True),
    Column("since", Instant, nullable=False),
)
"""All names that phones were given this evening."""

phone_seats = Table(
    "phone_seats",
    metadata,
    Column("session", Text, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("phone", Text, nullable=False),
)

knocks = Table(
    "knocks",
    metadata,
    Column("address", Text, primary_key=True),
    Column("wrong", Integer, nullable=False),
    Column("waits", Integer, nullable=False),
    Column("since", Instant, nullable=False),
    Column("until", Instant, nullable=False),
)
"""The tables of phones are of this evening: no file exports them, and what is lost is recreated."""

hands = Table(
    "hands",
    metadata,
    Column("session", Text, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("cards", Facts(tuple[str, ...]), nullable=False),
    Column("length", Integer, nullable=False),
)
"""The cards that players entered as their hands, for their own phones alone; no file exports them."""

secret_choices = Table(
    "secret_choices",
    metadata,
    Column("session", Text, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("line", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Column("phone", Text, nullable=False),
    Column("by", Text, nullable=False),
)
"""The choices that lie face down, until they are turned up; no file exports them."""

imports = Table(
    "imports",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("by", Text, nullable=False),
    Column("file", Text, nullable=False),
    Column("entries", Integer, nullable=False),
)

imported = Table(
    "imported",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("stream", _KEY, primary_key=True),
    Column("kept", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("checksum", BigInteger, nullable=False),
    Column("replaced", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The changes of streams by imports.

The columns are the number of earlier entries that stayed, the length afterwards, the checksum of the last entry, and as
JSON the earlier entries that were replaced ("" if none were).
"""

results = Table(
    "results",
    metadata,
    Column("session", _KEY, primary_key=True),
    Column("game", Text, nullable=False),
    Column("page", Text, nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Column("result", Facts(MatchResult), nullable=False),
    _checksum(),
)
"""The result of each game, by its session: from the sessions' last lines, from marks on their decks, and from plays."""

LISTS = (pages, sessions, decks, people, named_purses, sheets, printers, leagues, rehearsals, plays)
"""The tables that can be rebuilt from the entries."""
