"""Who may see the pages for phones: the PIN, the key of the cookies, the phones that were let in, and wrong tries.

All of it is in the archive, so that programs that serve the same archive let in the same phones, count the same tries,
and know at once who was sent away. No export or copy elsewhere needs it: it is made anew.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import chain, count
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast, get_args

import msgspec

from companion.archive.errors import ArchiveError, Unknown
from companion.tabletop.text import quoted

# What a command is told is read by what stands here, before any database is loaded: hence the imports inside functions.
if TYPE_CHECKING:
    import sqlalchemy as sa

    from companion.archive.archive import Archive

Permissions = Literal["look", "own", "all"]
"""What a phone may do: look only, answer for its own seat, or everything."""
PERMISSIONS: Final[tuple[Permissions, ...]] = get_args(Permissions)

_OF_TONIGHT: Final = ("phones", "phone_seats", "pin_knowers", "hands", "knocks")
"""The tables that another PIN empties; names stay given, as tables go on in which they stand."""
TRIES: Final = 5
"""Wrong PINs of one address within a minute, after which it has to wait."""
MINUTE: Final = timedelta(minutes=1)
MAX_WAIT: Final = timedelta(hours=1)
ALL_TRIES: Final = 40
"""Wrong PINs of all addresses together within a minute, after which everybody waits who would type one."""
_EVERYBODY: Final = "*"
_VARIATIONS: Final = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Selectors of another form of the letter before, which many fonts draw alike."""
_NOBODY: Final = ""
"""The phone of a seat that was handed over, and that nobody has taken yet."""
_ASKS: Final = "asks "
"""Stands before an address under which its requests to come in are counted, as its wrong PINs are."""
_COMPARED: Final = "with a PIN from "
MAX_WAITING: Final = 20
"""Phones without the right PIN that wait for the host to let them in, the newest; of the others, any number may."""
MAX_WAITED: Final = timedelta(minutes=10)
"""Time after which a phone without the right PIN waits no more."""
ASKS: Final = 30
"""Requests to come in at a locked door from one address within a minute, after which it has to wait."""
MAX_PHONES: Final = 1000
"""Phones that may be here at a time; of more, those that only looked on and have gone are let out."""
PRESENCE: Final = timedelta(minutes=2)
"""Time for which a phone counts as present after it looked at a page."""
PHONE_LIFETIME: Final = timedelta(hours=16)
"""How long a phone is let in: an evening."""
_DOUBLED: Final = 6
"""Times after which a wait is no longer doubled; it is as long as it gets by then."""
_FORGOTTEN: Final = timedelta(days=1)
_PIN_DIGITS: Final = 6
_CODE_SYMBOLS: Final = 8
_SHORT_ID: Final = 4
_ID_BYTES: Final = 16
_MAX_TRIES_FOR_ID: Final = 100
_KEY_BYTES: Final = 32


class WebAccess(NamedTuple):
    """What lets phones in: six digits to type, the key that signs their cookies, and what they may do by default."""

    pin: str
    key: str
    permissions: Permissions


class Phone(msgspec.Struct, frozen=True):
    """A phone that was let in.

    `name` is what its owner typed. `seats` are theirs by session, a seat at each table; `seat`, at the table of
    `session`, is the one they took last, "" for none. `permissions` is "" where the host has said nothing of this one;
    `away` is one that sees nothing: the host has sent it away, or has yet to let it in (`waiting`). `seen` is when it
    last looked at a page, to the minute.
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
    seats: Mapping[str, str] = MappingProxyType({})

    @property
    def code(self) -> str:
        """Three digits by which its owner and the host know it while it waits: `4 7 1`."""
        return " ".join(f"{int(self.phone[:_CODE_SYMBOLS], 16) % 1000:03}")

    @property
    def log_name(self) -> str:
        """The name by which the log has what is done on it."""
        return self.name or f"phone {self.phone[:_SHORT_ID]}"


class Hand(NamedTuple):
    """The cards that somebody has said to be in the hand of a seat, when the log of the table had `length` lines."""

    cards: tuple[str, ...] = ()
    length: int = 0


class SeatTaken(ArchiveError):
    """Another phone holds the seat. `holder` is that phone."""

    def __init__(self, holder: Phone) -> None:
        super().__init__(
            f"The phone of {holder.log_name} has this seat. It gives it back by “This is not my seat”; or the host "
            "sends that phone away."
        )
        self.holder = holder


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
            for table in _OF_TONIGHT:
                connection.execute(sa.delete(schema.metadata.tables[table]))
        _write_web_access(connection, access)
    return access


def renew_pin(archive: Archive) -> WebAccess:
    """Replace the PIN by another one. Phones that were let in stay in, and so do those that wait with the right PIN;
    all others that wait, and all wrong tries, are forgotten. Raises ArchiveError.
    """
    import secrets

    import sqlalchemy as sa

    from companion.archive.schema import knocks, phones, pin_knowers

    with archive.store.writing() as transaction:
        connection = transaction.connection
        before = _read_web_access(connection)
        if before is None:
            raise Unknown("Nobody has served this archive yet, so it has no PIN.", "phones")
        pins = (f"{secrets.randbelow(10**_PIN_DIGITS):0{_PIN_DIGITS}}" for _ in count())
        access = before._replace(pin=next(pin for pin in pins if pin != before.pin))
        knowers = sa.select(pin_knowers.c.phone)
        connection.execute(sa.delete(phones).where(phones.c.waiting, phones.c.phone.not_in(knowers)))
        connection.execute(sa.delete(knocks))
        _write_web_access(connection, access)
    return access


def read_access(
    archive: Archive,
) -> tuple[WebAccess | None, tuple[Phone, ...], dict[tuple[str, str], Hand]]:
    """The doors (None where nobody has served yet), tonight's phones, the first one first, and the hands at their
    tables by session and seat.
    """
    import sqlalchemy as sa

    from companion.archive.schema import hands

    with archive.store.reading() as transaction:
        tonights = _read_phones(transaction.connection, archive.now())
        sessions = sorted({session for phone in tonights for session in phone.seats})
        held = transaction.connection.execute(sa.select(hands).where(hands.c.session.in_(sessions)))
        by_seat = {(session, seat): Hand(cards, length) for session, seat, cards, length in held}
        return _read_web_access(transaction.connection), tonights, by_seat


def _read_phones(connection: sa.Connection, now: datetime) -> tuple[Phone, ...]:
    """Tonight's phones, the first one first."""
    import sqlalchemy as sa

    from companion.archive.schema import phone_seats, phones

    tonight = phones.c.since > now - PHONE_LIFETIME
    rows = connection.execute(sa.select(phones).where(tonight).order_by(phones.c.since, phones.c.phone)).all()
    seats: dict[str, dict[str, str]] = {}
    for session, seat, phone in connection.execute(sa.select(phone_seats)):
        seats.setdefault(phone, {})[session] = seat
    return tuple(msgspec.structs.replace(Phone(*row), seats=seats.get(row.phone, {})) for row in rows)


def is_asked_on_phone(archive: Archive, session: str, seat: str) -> bool:
    """Return True while a seat's page is open on a phone that may answer for it. Raises ArchiveError."""
    import sqlalchemy as sa

    from companion.archive.schema import phone_seats, phones

    with archive.store.reading() as transaction:
        connection = transaction.connection
        at_seat = (phone_seats.c.session == session, phone_seats.c.seat == seat)
        seen = sa.select(phones).join(phone_seats, phone_seats.c.phone == phones.c.phone).where(*at_seat)
        here = [Phone(*row) for row in connection.execute(seen.where(phones.c.seen > archive.now() - PRESENCE))]
        doors = _read_web_access(connection) if here else None
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


def admit_phone(archive: Archive, name: str = "", *, waiting: bool = False, is_unique: bool = False) -> Phone:
    """A phone that is let in from now on, or, `waiting`, once the host says so; with an id that nobody can guess.

    As a phone may take back what the log has by its name, one with a name that `is_unique` gets a number where the
    name is in use, or was given to any other phone this evening, though that waits no more, or is that of who serves.
    """
    with archive.store.writing() as transaction:
        return _admit(transaction.connection, archive, name, waiting=waiting, is_unique=is_unique)


def ask_to_come_in(archive: Archive, address: str, pin: str, name: str) -> Phone | None:
    """A phone that waits at a locked door until the host lets it in; None if too many have asked from its address.

    Requests are counted by address as wrong PINs are, so that nobody finds out the PIN by who may wait. Those who know
    the PIN wait as long as they like; of the others, the newest MAX_WAITING do, and none longer than MAX_WAITED. Raises
    ArchiveError.
    """
    import sqlalchemy as sa

    from companion.archive.schema import phones, pin_knowers

    now = archive.now()
    with archive.store.writing() as transaction:
        connection = transaction.connection
        if not _count_request(connection, f"{_ASKS}{address}", now, ASKS):
            return None
        # Compared as often as it could be typed, else who stays on the list of those who wait would tell it.
        doors = _read_web_access(connection)
        is_compared = _count_request(connection, f"{_ASKS}{_COMPARED}{address}", now, TRIES)
        knows_pin = doors is not None and is_compared and _is_pin_of(doors, pin)
        phone = _admit(connection, archive, name, waiting=True, is_unique=True)
        if knows_pin:
            connection.execute(sa.insert(pin_knowers).values(phone=phone.phone))
        is_stranger = sa.and_(phones.c.waiting, phones.c.phone.not_in(sa.select(pin_knowers.c.phone)))
        newest = sa.select(phones.c.phone).where(is_stranger).order_by(phones.c.since.desc())
        kept = connection.scalars(newest.limit(MAX_WAITING)).all()
        past = sa.or_(phones.c.phone.not_in(kept), phones.c.since < now - MAX_WAITED)
        connection.execute(sa.delete(phones).where(is_stranger, past))
        return phone


def _count_request(connection: sa.Connection, key: str, now: datetime, most: int) -> bool:
    """Count a request under a key and return True, or return False while there were too many: each wait is twice as
    long as the one before.
    """
    import sqlalchemy as sa

    from companion.archive.schema import knocks

    attempts = _read_attempts(connection, key)
    if attempts and now < attempts.until <= now + MAX_WAIT:
        return False
    connection.execute(sa.delete(knocks).where(knocks.c.address == key))
    connection.execute(sa.insert(knocks).values(address=key, **_next_attempts(attempts, now, most)._asdict()))
    return True


def _is_pin_of(doors: WebAccess, pin: str) -> bool:
    return hmac.compare_digest(doors.pin.encode(), pin.encode(errors="replace"))


def _admit(
    connection: sa.Connection,
    archive: Archive,
    name: str,
    *,
    waiting: bool,
    is_unique: bool,
) -> Phone:
    import secrets

    import sqlalchemy as sa

    from companion.archive.schema import phone_names, phones

    now = archive.now()
    tonights = _read_phones(connection, now)
    if len(tonights) >= MAX_PHONES:
        # Somebody who only looked on, and has gone, makes room: they type the PIN again.
        gone = [phone for phone in tonights if not (phone.seats or phone.waiting) and now - phone.seen > PRESENCE]
        if not gone:
            raise ArchiveError(
                f"{MAX_PHONES} phones are here, and that is all; `companion serve --pin` with another PIN shows "
                "everybody out."
            )
        oldest = min(gone, key=lambda phone: phone.seen)
        connection.execute(sa.delete(phones).where(phones.c.phone == oldest.phone))
    if name and is_unique:
        connection.execute(sa.delete(phone_names).where(phone_names.c.since <= now - PHONE_LIFETIME))
        given = connection.scalars(sa.select(phone_names.c.name))
        name = _unique_name(name, (archive.by, *given, *(phone.log_name for phone in tonights)))
        connection.execute(sa.insert(phone_names).values(name=name, since=now))
    codes = {phone.code for phone in tonights if phone.waiting}
    log_names = {phone.log_name for phone in tonights}
    # Nobody who waits has the same digits as another, and nobody without a name what stands for one in the log, as long
    # as there are any left.
    for _ in range(_MAX_TRIES_FOR_ID):
        phone = Phone(secrets.token_hex(_ID_BYTES), name, "", "", "", waiting, now, now, waiting)
        if not (waiting and phone.code in codes) and (name or phone.log_name not in log_names):
            break
    values = msgspec.structs.asdict(phone)
    del values["seats"]
    connection.execute(sa.insert(phones).values(values))
    return phone


def _unique_name(name: str, used_names: Iterable[str]) -> str:
    used = set(map(_lookalike_key, used_names))
    candidates = chain((name,), (f"{name} {number}" for number in count(2)))
    return next(each for each in candidates if _lookalike_key(each) not in used)


_LOOKALIKES: Final = str.maketrans("авеёкмнорстухіїјѕһԁԛԝӏαβεζηικμνορτυχ01", "abeëkmhopctyxiïjshdqwlabezhikmnoptyxol")
"""Cyrillic and Greek letters and digits that look like a Latin letter, small or capital (after Unicode's UTS #39)."""


def _lookalike_key(name: str) -> str:
    """Return a key that is the same for names that nobody could tell apart in a log."""
    letters = unicodedata.normalize("NFKC", name)
    unseen = {letter for letter in letters if unicodedata.category(letter) == "Cf" or letter in _VARIATIONS}
    return "".join(letter for letter in letters if letter not in unseen).casefold().translate(_LOOKALIKES)


def seat_phone(
    archive: Archive, phone: str, session: str, seat: str, *, hands_over: bool = False, if_free: bool = False
) -> None:
    """From now on a phone shows this seat's side of a table; "" for none. Its seats at other tables stay as they are.

    The hand of a seat is deleted with who leaves it, unless they hand over (`hands_over`) what they hold to who takes
    the seat next. Raises Unknown; SeatTaken, `if_free`, where another phone holds it this evening.
    """
    import sqlalchemy as sa

    from companion.archive.schema import phone_seats

    now = archive.now()
    with archive.store.writing() as transaction:
        connection = transaction.connection
        phones = {each.phone: each for each in _read_phones(connection, now)}
        if phone in phones and seat:
            holder = next((each for each in phones.values() if each.seats.get(session) == seat), None)
            is_held = holder is not None and not holder.away and now - holder.seen < PHONE_LIFETIME
            if if_free and is_held and holder is not None and holder.phone != phone:
                raise SeatTaken(holder)
        _update(connection, phone, session=session, seat=seat)
        before = phones[phone].seats.get(session, "") if phone in phones else ""
        if before == seat:
            return
        if before:
            _leave_seat(connection, session, before)
            if hands_over:
                # Nobody's seat whose hand is for who takes it next.
                connection.execute(sa.insert(phone_seats).values(session=session, seat=before, phone=_NOBODY))
            else:
                _delete_hand(connection, session, before)
        if seat:
            row = (phone_seats.c.session == session, phone_seats.c.seat == seat)
            if connection.scalar(sa.select(phone_seats.c.phone).where(*row)) != _NOBODY:
                _delete_hand(connection, session, seat)
            _leave_seat(connection, session, seat)
            connection.execute(sa.insert(phone_seats).values(session=session, seat=seat, phone=phone))


def _leave_seat(connection: sa.Connection, session: str, seat: str) -> None:
    import sqlalchemy as sa

    from companion.archive.schema import phone_seats

    row = (phone_seats.c.session == session, phone_seats.c.seat == seat)
    connection.execute(sa.delete(phone_seats).where(*row))


def _delete_hand(connection: sa.Connection, session: str, seat: str) -> None:
    import sqlalchemy as sa

    from companion.archive.schema import hands

    connection.execute(sa.delete(hands).where(hands.c.session == session, hands.c.seat == seat))


def save_hand(archive: Archive, session: str, seat: str, hand: Hand, phone: str = "") -> bool:
    """Save what a seat holds in its hand from now on; return False, with nothing saved, where a `phone` is named that
    does not hold the seat, or was sent away.
    """
    import sqlalchemy as sa

    from companion.archive.schema import hands

    with archive.store.writing() as transaction:
        if phone and not any(
            each.phone == phone and each.seats.get(session) == seat and not each.away
            for each in _read_phones(transaction.connection, archive.now())
        ):
            return False
        of_seat = sa.and_(hands.c.session == session, hands.c.seat == seat)
        transaction.connection.execute(sa.delete(hands).where(of_seat))
        if hand.cards:
            row = {"session": session, "seat": seat, **hand._asdict()}
            transaction.connection.execute(sa.insert(hands).values(row))
    return True


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
    with archive.store.writing() as transaction:
        _update(transaction.connection, phone, **values)


def _update(connection: sa.Connection, phone: str, **values: object) -> None:
    """Raises Unknown where no phone has this id."""
    import sqlalchemy as sa

    from companion.archive.schema import phones

    changed = connection.execute(sa.update(phones).where(phones.c.phone == phone).values(values))
    if not changed.rowcount:
        raise Unknown(f"No phone {quoted(phone)} was let in.", "phones")


def _write_web_access(connection: sa.Connection, access: WebAccess) -> None:
    import sqlalchemy as sa

    from companion.archive.schema import doors

    connection.execute(sa.delete(doors))
    connection.execute(sa.insert(doors).values(id=1, **access._asdict()))


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
    if doors and _is_pin_of(doors, pin):
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
