"""Who may see the pages for phones: the PIN, the key of the cookies, the phones that were let in, and wrong tries.

All of it is in the archive, so that programs that serve the same archive let in the same phones, count the same tries,
and know at once who was sent away. No export or copy elsewhere needs it: it is made anew.
"""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast, get_args

import msgspec

from companion.archive.errors import Unknown
from companion.tabletop.text import quoted

# What a command is told is read by what stands here, before any database is loaded: hence the imports inside functions.
if TYPE_CHECKING:
    import sqlalchemy as sa

    from companion.archive.archive import Archive

Permissions = Literal["look", "own", "all"]
"""What a phone may do: look only, answer for its own seat, or everything."""
PERMISSIONS: Final[tuple[Permissions, ...]] = get_args(Permissions)

TRIES: Final = 5
"""Wrong PINs of one address within a minute, after which it has to wait."""
MINUTE: Final = timedelta(minutes=1)
MAX_WAIT: Final = timedelta(hours=1)
ALL_TRIES: Final = 40
"""Wrong PINs of all addresses together within a minute, after which everybody waits who would type one."""
_EVERYBODY: Final = "*"
MAX_WAITING: Final = 20
"""Phones that wait for the host to let them in."""
MAX_WAITED: Final = timedelta(minutes=10)
PRESENCE: Final = timedelta(minutes=2)
"""Time for which a phone counts as present after it looked at a page."""
PHONE_LIFETIME: Final = timedelta(hours=16)
"""How long a phone is let in: an evening."""
_DOUBLED: Final = 6
"""Times after which a wait is no longer doubled; it is as long as it gets by then."""
_FORGOTTEN: Final = timedelta(days=1)
_PIN_DIGITS: Final = 6
_ID_BYTES: Final = 16
_KEY_BYTES: Final = 32


class WebAccess(NamedTuple):
    """What lets phones in: six digits to type, the key that signs their cookies, and what they may do by default."""

    pin: str
    key: str
    permissions: Permissions


class Phone(msgspec.Struct, frozen=True):
    """A phone that was let in. `name` is what its owner typed; `seat` is theirs at the table of `session`, "" for none.

    `permissions` is "" where the host has said nothing of this one; `away` is one that sees nothing: the host has sent
    it away, or has yet to let it in (`waiting`). `seen` is when it last looked at a page, to the minute.
    """

    phone: str
    name: str
    session: str
    seat: str
    permissions: Permissions | Literal[""]
    away: bool
    since: datetime
    seen: datetime
    waiting: bool = False


class Hand(NamedTuple):
    """The cards that somebody has said to be in the hand of a seat, when the log of the table had `length` lines."""

    cards: tuple[str, ...] = ()
    length: int = 0


class PinAttempt(NamedTuple):
    """What became of a try: whether the PIN was right, or for how many seconds this address has to wait now."""

    right: bool
    wait: int = 0


def is_pin(text: str) -> bool:
    """Whether a text is six digits."""
    return len(text) == _PIN_DIGITS and text.isascii() and text.isdigit()


def open_access(archive: Archive, pin: str = "", permissions: Permissions | None = None) -> WebAccess:
    """The doors of an archive, made where there are none; what is said holds for all who serve it.

    Another PIN than before shows everybody out: all cookies of before are worth nothing, and tries are forgotten.
    """
    import secrets

    import sqlalchemy as sa

    from companion.archive import schema

    with archive.store.writing() as transaction:
        connection = transaction.connection
        before = _read_web_access(connection)
        new_pin = pin or (before.pin if before else f"{secrets.randbelow(10**_PIN_DIGITS):0{_PIN_DIGITS}}")
        key = before.key if before and before.pin == new_pin else secrets.token_hex(_KEY_BYTES)
        access = WebAccess(new_pin, key, permissions or (before.permissions if before else "look"))
        if access == before:
            return access
        if before is None or before.key != key:
            connection.execute(sa.delete(schema.phones))
            connection.execute(sa.delete(schema.knocks))
        connection.execute(sa.delete(schema.doors))
        connection.execute(sa.insert(schema.doors).values(id=1, **access._asdict()))
    return access


def read_access(
    archive: Archive,
) -> tuple[WebAccess | None, tuple[Phone, ...], dict[tuple[str, str], Hand]]:
    """The doors (None where nobody has served yet), tonight's phones, the first one first, and the hands at their
    tables by session and seat.
    """
    import sqlalchemy as sa

    from companion.archive.schema import hands, phones

    with archive.store.reading() as transaction:
        tonight = phones.c.since > archive.now() - PHONE_LIFETIME
        rows = transaction.connection.execute(sa.select(phones).where(tonight).order_by(phones.c.since, phones.c.phone))
        tonights = tuple(Phone(*row) for row in rows)
        sessions = sorted({phone.session for phone in tonights if phone.seat})
        held = transaction.connection.execute(sa.select(hands).where(hands.c.session.in_(sessions)))
        by_seat = {(session, seat): Hand(cards, length) for session, seat, cards, length in held}
        return _read_web_access(transaction.connection), tonights, by_seat


def is_asked_on_phone(archive: Archive, session: str, seat: str) -> bool:
    """Return True while a seat's page is open on a phone that may answer for it. Raises ArchiveError."""
    import sqlalchemy as sa

    from companion.archive.schema import phones

    with archive.store.reading() as transaction:
        at_seat = (phones.c.session == session, phones.c.seat == seat, phones.c.seen > archive.now() - PRESENCE)
        here = [Phone(*row) for row in transaction.connection.execute(sa.select(phones).where(*at_seat))]
        doors = _read_web_access(transaction.connection) if here else None
    return doors is not None and any(
        not phone.away and (phone.permissions or doors.permissions) != "look" for phone in here
    )


def try_pin(archive: Archive, address: str, pin: str) -> PinAttempt:
    """A try at the PIN, counted before anybody knows how it ends; who has to wait is told how long, and not counted."""
    with archive.store.reading() as transaction:
        if wait := _read_wait(transaction.connection, address, archive.now()):
            return PinAttempt(False, wait)
    with archive.store.writing() as transaction:
        return _count_attempt(transaction.connection, address, pin, archive.now())


def read_lock(archive: Archive) -> int:
    """For how many seconds nobody can come in by the PIN, as too many wrong ones came from everywhere; 0 for none."""
    with archive.store.reading() as transaction:
        return _read_wait(transaction.connection, _EVERYBODY, archive.now())


def admit_phone(archive: Archive, name: str = "", *, waiting: bool = False) -> Phone:
    """A phone that is let in from now on, or, `waiting`, once the host says so; with an id that nobody can guess.

    At most MAX_WAITING wait, those who came last, and nobody for longer than MAX_WAITED.
    """
    import secrets

    import sqlalchemy as sa

    from companion.archive.schema import phones

    now = archive.now()
    phone = Phone(secrets.token_hex(_ID_BYTES), name, "", "", "", waiting, now, now, waiting)
    with archive.store.writing() as transaction:
        transaction.connection.execute(sa.insert(phones).values(msgspec.structs.asdict(phone)))
        if waiting:
            newest = sa.select(phones.c.phone).where(phones.c.waiting).order_by(phones.c.since.desc())
            kept = transaction.connection.scalars(newest.limit(MAX_WAITING)).all()
            past = sa.or_(phones.c.phone.not_in(kept), phones.c.since < now - MAX_WAITED)
            transaction.connection.execute(sa.delete(phones).where(phones.c.waiting, past))
    return phone


def seat_phone(archive: Archive, phone: str, session: str, seat: str) -> None:
    """From now on a phone shows this seat's side of a table; "" for none. Raises Unknown."""
    _change(archive, phone, session=session, seat=seat)


def save_hand(archive: Archive, session: str, seat: str, hand: Hand) -> None:
    """Save what a seat holds in its hand from now on."""
    import sqlalchemy as sa

    from companion.archive.schema import hands

    with archive.store.writing() as transaction:
        of_seat = sa.and_(hands.c.session == session, hands.c.seat == seat)
        transaction.connection.execute(sa.delete(hands).where(of_seat))
        if hand.cards:
            row = {"session": session, "seat": seat, **hand._asdict()}
            transaction.connection.execute(sa.insert(hands).values(row))


def set_permission(archive: Archive, phone: str, permissions: Permissions | Literal[""]) -> None:
    """What a phone may do from now on; "" for what all may. Raises Unknown."""
    _change(archive, phone, permissions=permissions)


def block_phone(archive: Archive, phone: str, *, away: bool = True) -> None:
    """No page for a phone from now on; or, not `away`, it may come back. Raises Unknown."""
    _change(archive, phone, away=away, waiting=False)


def note_seen(archive: Archive, phones_here: frozenset[str]) -> None:
    """These phones look at a page now."""
    import sqlalchemy as sa

    from companion.archive.schema import phones

    with archive.store.writing() as transaction:
        here = phones.c.phone.in_(sorted(phones_here))
        transaction.connection.execute(sa.update(phones).where(here).values(seen=archive.now()))


def _change(archive: Archive, phone: str, **values: object) -> None:
    import sqlalchemy as sa

    from companion.archive.schema import phones

    with archive.store.writing() as transaction:
        changed = transaction.connection.execute(sa.update(phones).where(phones.c.phone == phone).values(values))
        if not changed.rowcount:
            raise Unknown(f"No phone {quoted(phone)} was let in.", "phones")


def _read_web_access(connection: sa.Connection) -> WebAccess | None:
    import sqlalchemy as sa

    from companion.archive.schema import doors

    row = connection.execute(sa.select(doors.c.pin, doors.c.key, doors.c.permissions)).first()
    return None if row is None else WebAccess(row[0], row[1], cast("Permissions", row[2]))


class _PinAttempts(NamedTuple):
    """Of one address: wrong tries since the minute began, how often it has had to wait, and until when it does."""

    wrong: int
    waits: int
    since: datetime
    until: datetime


def _read_attempts(connection: sa.Connection, address: str) -> _PinAttempts | None:
    import sqlalchemy as sa

    from companion.archive.schema import knocks

    columns = (knocks.c[name] for name in _PinAttempts._fields)
    row = connection.execute(sa.select(*columns).where(knocks.c.address == address)).first()
    return None if row is None else _PinAttempts(*row)


def _read_wait(connection: sa.Connection, address: str, now: datetime) -> int:
    """For how many seconds an address has to wait, or everybody; 0 for none. What a clock that was wrong has locked for
    longer than any lock lasts, is open.
    """
    attempts = (_read_attempts(connection, each) for each in dict.fromkeys((address, _EVERYBODY)))
    waits = (each.until - now for each in attempts if each and now < each.until <= now + MAX_WAIT)
    return max((_seconds(wait) for wait in waits), default=0)


def _seconds(wait: timedelta) -> int:
    return max(1, -int(-wait.total_seconds() // 1))


def _count_attempt(connection: sa.Connection, address: str, pin: str, now: datetime) -> PinAttempt:
    import sqlalchemy as sa

    from companion.archive.schema import knocks

    # Others of this address may have tried between our look and this moment, in which nobody else writes.
    if wait := _read_wait(connection, address, now):
        return PinAttempt(False, wait)
    attempts, everybodys = _read_attempts(connection, address), _read_attempts(connection, _EVERYBODY)
    doors = _read_web_access(connection)
    stale = sa.or_(knocks.c.address == address, knocks.c.until < now - _FORGOTTEN)
    connection.execute(sa.delete(knocks).where(stale))
    if doors and hmac.compare_digest(doors.pin.encode(), pin.encode()):
        return PinAttempt(True)
    counted = _next_attempts(attempts, now)
    # Nobody can lock out all newcomers for longer than a minute at a time.
    of_all = _next_attempts(everybodys, now, ALL_TRIES)._replace(waits=0)
    connection.execute(sa.delete(knocks).where(knocks.c.address == _EVERYBODY))
    for key, tries in ((address, counted), (_EVERYBODY, of_all)):
        connection.execute(sa.insert(knocks).values(address=key, **tries._asdict()))
    return PinAttempt(False, _read_wait(connection, address, now))


def _next_attempts(attempts: _PinAttempts | None, now: datetime, most: int = TRIES) -> _PinAttempts:
    """One more wrong try; each wait is twice as long as the one before."""
    if attempts is None or now - attempts.until > _FORGOTTEN or attempts.until - now > MAX_WAIT:
        attempts = _PinAttempts(0, 0, now, now)
    elif now - attempts.since >= MINUTE:
        attempts = attempts._replace(wrong=0, since=now)
    if attempts.wrong + 1 < most:
        return attempts._replace(wrong=attempts.wrong + 1)
    wait = min(MINUTE * 2 ** min(attempts.waits, _DOUBLED), MAX_WAIT)
    return _PinAttempts(0, attempts.waits + 1, now + wait, now + wait)
