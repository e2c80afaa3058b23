"""Access to the pages for phones: the PIN, the key of the cookies, the admitted phones, and wrong attempts.

All of it is in the archive, so that programs that serve the same archive admit the same phones, count the same
attempts, and know at once which phones were sent away. No export or copy contains it: it is recreated.
"""

from __future__ import annotations

import hmac
import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import chain, count
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast, get_args

import msgspec
import sqlalchemy as sa

from companion.archive.errors import ArchiveError, Unknown
from companion.archive.storage import schema
from companion.archive.storage.schema import doors, hands, knocks, phone_names, phone_seats, phones, pin_knowers
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

# Commands import this module to parse options, before any database is loaded: hence the imports inside functions.
if TYPE_CHECKING:
    from companion.archive.archive import Archive

Permissions = Literal["look", "own", "all"]
"""The permissions of a phone: look only, answer for its own seat, or everything."""
PERMISSIONS: Final[tuple[Permissions, ...]] = get_args(Permissions)
DEFAULT_PERMISSIONS: Final[Permissions] = "own"
"""The permissions of phones until the host chooses others."""

_OF_TONIGHT: Final = ("phones", "phone_seats", "pin_knowers", "hands", "knocks")
"""The tables that a new PIN empties; names stay taken, because the logs of tables contain them."""
TRIES: Final = 5
"""Wrong PINs of one address within a minute, after which it has to wait."""
MINUTE: Final = timedelta(minutes=1)
MAX_WAIT: Final = timedelta(hours=1)
ALL_TRIES: Final = 40
"""Wrong PINs of all addresses together within a minute, after which everyone waits to type one."""
_EVERYBODY: Final = "*"
_VARIATIONS: Final = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Variation selectors of the letter before, whose forms many fonts draw alike."""
_NOBODY: Final = ""
"""The phone of a seat that was handed over and has not been taken yet."""
_ASKS: Final = "asks "
"""The prefix of an address under which its requests for admission are counted, like its wrong PINs."""
_COMPARED: Final = "with a PIN from "
MAX_WAITING: Final = 20
"""Maximum phones without the right PIN that wait for admission, the newest ones; phones with it are not limited."""
MAX_WAITED: Final = timedelta(minutes=10)
"""Time after which a phone without the right PIN no longer waits."""
ASKS: Final = 30
"""Requests for admission at a locked door from one address within a minute, after which it has to wait."""
MAX_PHONES: Final = 1000
"""Maximum phones at a time; beyond it, phones without a seat that have gone are removed."""
PRESENCE: Final = timedelta(minutes=2)
"""Time for which a phone counts as present after it looked at a page."""
PHONE_LIFETIME: Final = timedelta(hours=16)
"""The time for which a phone is admitted: an evening."""
_DOUBLED: Final = 6
"""The number of waits after which they are not doubled any more; the longest is reached by then."""
_FORGOTTEN: Final = timedelta(days=1)
_PIN_DIGITS: Final = 6
_CODE_SYMBOLS: Final = 8
_SHORT_ID: Final = 4
_LABEL_DIGITS: Final = 6
_ID_BYTES: Final = 16
_MAX_TRIES_FOR_ID: Final = 100
_KEY_BYTES: Final = 32


class WebAccess(NamedTuple):
    """The credentials for phones: six digits to type, the key that signs their cookies, and the default permissions."""

    pin: str
    key: str
    permissions: Permissions
    face_down: bool = True
    """True if answers to secret questions are chosen face down on phones."""


class Phone(msgspec.Struct, frozen=True):
    """A phone that was admitted.

    `name` is what its owner typed. `seats` are its seats by session, one at each table; `seat`, at the table of
    `session`, is the one taken last, "" for none. `permissions` is "" if the host has set none for this phone; `away`
    phones see nothing: the host has sent them away, or has yet to admit them (`waiting`). `seen` is when it last looked
    at a page, to the minute.
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
        """Three digits by which its owner and the host identify it while it waits: `4 7 1`."""
        return " ".join(f"{int(self.phone[:_CODE_SYMBOLS], 16) % 1000:03}")

    @property
    def label(self) -> str:
        """The name by which the host knows it; while it waits, with the digits that it displays."""
        name = self.name or self.phone[:_LABEL_DIGITS]
        return f"{name} · {self.code}" if self.waiting else name

    @property
    def log_name(self) -> str:
        """The author's name of its lines in the log."""
        return self.name or f"phone {self.phone[:_SHORT_ID]}"


class Hand(NamedTuple):
    """The cards entered as the hand of a seat, when the log of the table had `length` lines."""

    cards: tuple[str, ...] = ()
    length: int = 0


class SeatTaken(ArchiveError):
    """Another phone holds the seat. `holder` is that phone."""

    def __init__(self, holder: Phone) -> None:
        super().__init__(
            phrase(
                "The phone of {holder} has this seat. It gives the seat back with “This is not my "
                "seat”, or the host sends that phone away.",
                holder=holder.log_name,
            )
        )
        self.holder = holder


class PinAttempt(NamedTuple):
    """The result of an attempt: `right`, or the seconds for which this address has to wait now."""

    right: bool
    wait: int = 0


def is_pin(text: str) -> bool:
    """Return True if a text is six digits."""
    return len(text) == _PIN_DIGITS and text.isascii() and text.isdigit()


def _make_pin() -> str:
    return f"{secrets.randbelow(10**_PIN_DIGITS):0{_PIN_DIGITS}}"


def open_access(archive: Archive, pin: str = "", permissions: Permissions | None = None) -> WebAccess:
    """Return the access settings of an archive, created if there are none; arguments set them for all that serve it.

    A new PIN admits no one from before: all earlier cookies become invalid, and attempts are forgotten. As a PIN is
    always set, the first time phones may answer for their own seats. An archive that has lost entries is not written
    to before the host decides what becomes of it; its settings last until then.
    """
    if archive.store.loss_reason:
        key = secrets.token_hex(_KEY_BYTES)
        return read_access(archive)[0] or WebAccess(pin or _make_pin(), key, permissions or DEFAULT_PERMISSIONS)
    with archive.store.writing() as transaction:
        connection = transaction.connection
        before = _read_web_access(connection)
        new_pin = pin or (before.pin if before else _make_pin())
        key = before.key if before and before.pin == new_pin else secrets.token_hex(_KEY_BYTES)
        choices = {"face_down": before.face_down} if before else {}
        access = WebAccess(
            new_pin, key, permissions or (before.permissions if before else DEFAULT_PERMISSIONS), **choices
        )
        if access == before:
            return access
        if before is None or before.key != key:
            for table in _OF_TONIGHT:
                connection.execute(sa.delete(schema.metadata.tables[table]))
        _write_web_access(connection, access)
    return access


def choose_face_down(archive: Archive, *, is_on: bool) -> WebAccess:
    """Set whether answers to secret questions are chosen face down on phones. Raises ArchiveError."""
    access = open_access(archive)
    if access.face_down != is_on:
        access = access._replace(face_down=is_on)
        with archive.store.writing() as transaction:
            _write_web_access(transaction.connection, access)
    return access


def renew_pin(archive: Archive) -> WebAccess:
    """Replace the PIN by another one. Raises ArchiveError.

    Admitted phones stay, and so do those that wait with the right PIN; all other waiting phones, and all wrong
    attempts, are forgotten.
    """
    with archive.store.writing() as transaction:
        connection = transaction.connection
        before = _read_web_access(connection)
        if before is None:
            raise Unknown(phrase("Nobody has served this archive yet, so it has no PIN."), "phones")
        pins = (_make_pin() for _ in count())
        access = before._replace(pin=next(pin for pin in pins if pin != before.pin))
        knowers = sa.select(pin_knowers.c.phone)
        connection.execute(sa.delete(phones).where(phones.c.waiting, phones.c.phone.not_in(knowers)))
        connection.execute(sa.delete(knocks))
        _write_web_access(connection, access)
    return access


def read_access(
    archive: Archive,
) -> tuple[WebAccess | None, tuple[Phone, ...], dict[tuple[str, str], Hand]]:
    """Return the access settings, tonight's phones in order of admission, and the hands at their tables.

    The settings are None if the archive was never served; the hands are by session and seat.
    """
    with archive.store.reading() as transaction:
        tonights = _read_phones(transaction.connection, archive.now())
        sessions = sorted({session for phone in tonights for session in phone.seats})
        held = transaction.connection.execute(sa.select(hands).where(hands.c.session.in_(sessions)))
        by_seat = {(session, seat): Hand(cards, length) for session, seat, cards, length in held}
        return _read_web_access(transaction.connection), tonights, by_seat


def _read_phones(connection: sa.Connection, now: datetime) -> tuple[Phone, ...]:
    """Return tonight's phones in order of admission."""
    tonight = phones.c.since > now - PHONE_LIFETIME
    rows = connection.execute(sa.select(phones).where(tonight).order_by(phones.c.since, phones.c.phone)).all()
    seats: dict[str, dict[str, str]] = {}
    for session, seat, phone in connection.execute(sa.select(phone_seats)):
        seats.setdefault(phone, {})[session] = seat
    return tuple(msgspec.structs.replace(Phone(*row), seats=seats.get(row.phone, {})) for row in rows)


def is_asked_on_phone(archive: Archive, session: str, seat: str) -> bool:
    """Return True while a seat's page is open on a phone that may answer for it. Raises ArchiveError."""
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
    """Try a PIN, and count the attempt; an address that has to wait gets the seconds, and is not counted."""
    with archive.store.reading() as transaction:
        if wait := _read_wait(transaction.connection, address, archive.now()):
            return PinAttempt(False, wait)
    with archive.store.writing() as transaction:
        return _count_attempt(transaction.connection, address, pin, archive.now())


def read_lock(archive: Archive) -> int:
    """Return the seconds for which no PIN is accepted, after too many wrong ones from everywhere; 0 for none."""
    with archive.store.reading() as transaction:
        return _read_wait(transaction.connection, _EVERYBODY, archive.now())


def admit_phone(archive: Archive, name: str = "", *, waiting: bool = False, is_unique: bool = False) -> Phone:
    """Admit a phone, or, with `waiting`, add one that the host has yet to admit; its id cannot be guessed.

    A phone can undo what the log has under its name. So with `is_unique`, a number is added to a name that is in use,
    that was given to any other phone this evening, even if that no longer waits, or that is the host's own.
    """
    with archive.store.writing() as transaction:
        return _admit(transaction.connection, archive, name, waiting=waiting, is_unique=is_unique)


def ask_to_come_in(archive: Archive, address: str, pin: str, name: str) -> Phone | None:
    """Add a phone that waits at a locked door for the host; return None after too many requests from its address.

    Requests are counted by address as wrong PINs are, so that the list of waiting phones does not reveal the PIN.
    Phones with the right PIN may wait without limit; of the others, the newest MAX_WAITING do, and none longer than
    MAX_WAITED. Raises ArchiveError.
    """
    now = archive.now()
    with archive.store.writing() as transaction:
        connection = transaction.connection
        if not _count_request(connection, f"{_ASKS}{address}", now, ASKS):
            return None
        # Compared no more often than it can be typed; otherwise the phones that stay on the waiting list would reveal
        # it.
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
    """Count a request under a key and return True, or return False after too many.

    Each wait is twice as long as the one before.
    """
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
    now = archive.now()
    tonights = _read_phones(connection, now)
    if len(tonights) >= MAX_PHONES:
        # A phone without a seat that has gone makes room: its owner types the PIN again.
        gone = [phone for phone in tonights if not (phone.seats or phone.waiting) and now - phone.seen > PRESENCE]
        if not gone:
            raise ArchiveError(
                phrase(
                    "{phones} phones are signed in already, which is the maximum; `companion serve "
                    "--pin` with another PIN signs all of them out.",
                    phones=str(MAX_PHONES),
                )
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
    # While there are any left, waiting phones get different digits, and phones without a name different names in the
    # log.
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
    """Return a key that is the same for names that look alike in a log."""
    letters = unicodedata.normalize("NFKC", name)
    unseen = {letter for letter in letters if unicodedata.category(letter) == "Cf" or letter in _VARIATIONS}
    return "".join(letter for letter in letters if letter not in unseen).casefold().translate(_LOOKALIKES)


def seat_phone(
    archive: Archive, phone: str, session: str, seat: str, *, hands_over: bool = False, if_free: bool = False
) -> None:
    """Give a phone a seat at a table; "" for none. Its seats at other tables stay as they are.

    The hand of a seat is deleted when its phone leaves it, unless `hands_over` keeps it for the next phone. Raises
    Unknown; with `if_free`, SeatTaken if another phone holds the seat this evening.
    """
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
                # A seat without a phone, whose hand is for the next one.
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
    row = (phone_seats.c.session == session, phone_seats.c.seat == seat)
    connection.execute(sa.delete(phone_seats).where(*row))


def _delete_hand(connection: sa.Connection, session: str, seat: str) -> None:
    connection.execute(sa.delete(hands).where(hands.c.session == session, hands.c.seat == seat))


def save_hand(archive: Archive, session: str, seat: str, hand: Hand, phone: str = "") -> bool:
    """Save the hand of a seat.

    Returns False, with nothing saved, if `phone` is given and does not hold the seat, or was sent away.
    """
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
    """Set the permissions of a phone; "" for the default. Raises Unknown."""
    _change(archive, phone, permissions=permissions)


def block_phone(archive: Archive, phone: str, *, away: bool = True) -> None:
    """Block all pages for a phone; or, with `away` False, admit it again. Raises Unknown."""
    _change(archive, phone, away=away, waiting=False)


def note_seen(archive: Archive, phones_here: frozenset[str]) -> None:
    """Record that these phones look at a page now."""
    with archive.store.writing() as transaction:
        here = phones.c.phone.in_(sorted(phones_here))
        transaction.connection.execute(sa.update(phones).where(here).values(seen=archive.now()))


def _change(archive: Archive, phone: str, **values: object) -> None:
    with archive.store.writing() as transaction:
        _update(transaction.connection, phone, **values)


def _update(connection: sa.Connection, phone: str, **values: object) -> None:
    """Update a phone. Raises Unknown if no phone has this id."""
    changed = connection.execute(sa.update(phones).where(phones.c.phone == phone).values(values))
    if not changed.rowcount:
        raise Unknown(phrase("No phone {phone} was let in.", phone=in_quotes(phone)), "phones")


def _write_web_access(connection: sa.Connection, access: WebAccess) -> None:
    connection.execute(sa.delete(doors))
    connection.execute(sa.insert(doors).values(id=1, **access._asdict()))


def _read_web_access(connection: sa.Connection) -> WebAccess | None:
    row = connection.execute(sa.select(doors.c.pin, doors.c.key, doors.c.permissions, doors.c.face_down)).first()
    return None if row is None else WebAccess(row[0], row[1], cast("Permissions", row[2]), row[3])


class _PinAttempts(NamedTuple):
    """The attempts of one address: wrong ones since the minute began, its number of waits, and the end of its wait."""

    wrong: int
    waits: int
    since: datetime
    until: datetime


def _read_attempts(connection: sa.Connection, address: str) -> _PinAttempts | None:
    columns = (knocks.c[name] for name in _PinAttempts._fields)
    row = connection.execute(sa.select(*columns).where(knocks.c.address == address)).first()
    return None if row is None else _PinAttempts(*row)


def _read_wait(connection: sa.Connection, address: str, now: datetime) -> int:
    """Return the seconds for which an address, or everyone, has to wait; 0 for none.

    Waits longer than any wait can be come from a wrong clock, and are ignored.
    """
    attempts = (_read_attempts(connection, each) for each in dict.fromkeys((address, _EVERYBODY)))
    waits = (each.until - now for each in attempts if each and now < each.until <= now + MAX_WAIT)
    return max((_seconds(wait) for wait in waits), default=0)


def _seconds(wait: timedelta) -> int:
    return max(1, -int(-wait.total_seconds() // 1))


def _count_attempt(connection: sa.Connection, address: str, pin: str, now: datetime) -> PinAttempt:
    # Others with this address may have tried between our check and this transaction, which excludes other writers.
    if wait := _read_wait(connection, address, now):
        return PinAttempt(False, wait)
    attempts, everybodys = _read_attempts(connection, address), _read_attempts(connection, _EVERYBODY)
    doors = _read_web_access(connection)
    stale = sa.or_(knocks.c.address == address, knocks.c.until < now - _FORGOTTEN)
    connection.execute(sa.delete(knocks).where(stale))
    if doors and _is_pin_of(doors, pin):
        return PinAttempt(True)
    counted = _next_attempts(attempts, now)
    # No one can lock out all newcomers for longer than a minute at a time.
    of_all = _next_attempts(everybodys, now, ALL_TRIES)._replace(waits=0)
    connection.execute(sa.delete(knocks).where(knocks.c.address == _EVERYBODY))
    for key, tries in ((address, counted), (_EVERYBODY, of_all)):
        connection.execute(sa.insert(knocks).values(address=key, **tries._asdict()))
    return PinAttempt(False, _read_wait(connection, address, now))


def _next_attempts(attempts: _PinAttempts | None, now: datetime, most: int = TRIES) -> _PinAttempts:
    """Count one more wrong attempt; each wait is twice as long as the one before."""
    if attempts is None or now - attempts.until > _FORGOTTEN or attempts.until - now > MAX_WAIT:
        attempts = _PinAttempts(0, 0, now, now)
    elif now - attempts.since >= MINUTE:
        attempts = attempts._replace(wrong=0, since=now)
    if attempts.wrong + 1 < most:
        return attempts._replace(wrong=attempts.wrong + 1)
    wait = min(MINUTE * 2 ** min(attempts.waits, _DOUBLED), MAX_WAIT)
    return _PinAttempts(0, attempts.waits + 1, now + wait, now + wait)
