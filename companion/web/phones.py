"""The admitted phones, their seats, and their permissions at a table."""

from __future__ import annotations

import hmac
import threading
import time
from base64 import b32encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from companion.archive import Archive, ArchiveError, secret_choices, web_access
from companion.archive.storage.rows import StoredChoice
from companion.archive.web_access import Hand, Permissions, Phone, WebAccess
from companion.session.core.moments import Line, Moment
from companion.session.core.session import SecretChoice, Session
from companion.tabletop.action import Action
from companion.tabletop.table.common_actions import DECKS, LOG, Add, Begin, Next, Note, Rule, Seat, Set
from companion.tabletop.table.table import Prompt, TableView
from companion.web.brake import Brake, WebEntry

NO_HAND: Final = Hand()
_PAGE_LETTERS: Final = 12
_NO_ANSWERS: Final[tuple[type[Action], ...]] = (*LOG, *DECKS, Add, Set, Note, Rule, Seat, Begin, Next)
"""Actions that phones cannot answer again.

A counter is changed once more instead, and the host amends steps and set-ups.
"""


_HOST_SIGN: Final = "@"
"""Marks hosts in the log, `login@machine`; no phone's name contains it."""
_SYSTEM_LOGINS: Final = frozenset({"root", "somebody"})
"""Logins that name nobody at the table."""


def host_name(writer: str) -> str:
    """Return the name of a host from an author's name in the log; "" for phones and for system accounts."""
    login, sign, _ = writer.partition(_HOST_SIGN)
    return login if sign and login not in _SYSTEM_LOGINS else ""


class Audience(NamedTuple):
    """The audience of a rendered table: its seat, permissions, name in the log, and private hand.

    `by` is "" for those who only look. `held_seats` are the seats of the table that phones hold, which no one else can
    take.
    """

    seat: str
    permissions: Permissions
    by: str = ""
    hand: Hand = NO_HAND
    held_seats: frozenset[str] = frozenset()
    choice: SecretChoice | None = None
    """The choice made face down on this phone, also an outdated one."""
    is_secret: bool = False
    """True if answers to secret questions are chosen face down here."""
    is_host: bool = False
    """True for a browser of the host, which takes no seat."""

    @classmethod
    def of(
        cls,
        phone: Phone,
        session: str,
        permissions: Permissions,
        hand: Hand = NO_HAND,
        held_seats: Iterable[str] = (),
        choice: SecretChoice | None = None,
        is_secret: bool = False,
    ) -> Audience:
        """Return the audience of one phone at a table. Those that only look are equal."""
        seat, held_seats = phone.seats.get(session, ""), frozenset(held_seats)
        if permissions == "look":
            return cls(seat, permissions, held_seats=held_seats)
        if not seat:
            return cls(seat, permissions, phone.log_name, NO_HAND, held_seats)
        return cls(seat, permissions, phone.log_name, hand, held_seats, choice, is_secret)

    def chooses_face_down(self, prompt: Prompt) -> bool:
        """Return True if they choose an answer to a question face down."""
        return self.is_secret and prompt.is_secret and prompt.seat == self.seat

    @property
    def key(self) -> str:
        """A key for the audience's page, which is reloaded when the key changes.

        It does not depend on the seat's spelling.
        """
        return sha256(f"{self.permissions}:{self.seat}".encode(errors="replace")).hexdigest()[:_PAGE_LETTERS]

    def answers(self, prompt: Prompt) -> bool:
        """Return True if they may answer a question.

        Questions to everyone are for the host and for full permissions.
        """
        return self.permissions == "all" or (self.permissions == "own" and bool(self.seat) and prompt.seat == self.seat)

    def goes_on(self) -> bool:
        """Return True if they may take the next step for everyone."""
        return self.permissions == "all"

    def changes(self, target: str, view: TableView) -> bool:
        """Return True if they may change counters of a target: of their own seat, and of things there.

        With full permissions it is any target.
        """
        if self.permissions == "all":
            return target in view.targets()
        own = next((seat for seat in view.seats if seat.seat == self.seat), None) if self.seat else None
        if self.permissions != "own" or own is None:
            return False
        return target == own.seat or any(thing.target == target for zone in own.zones for thing in zone.things)

    def notes(self) -> bool:
        """Return True if they may write notes to the log, as anyone who may act can."""
        return self.permissions == "all" or (self.permissions == "own" and bool(self.seat))

    def holds_cards(self) -> bool:
        """Return True if they may keep a private hand, as anyone who may act for a seat can."""
        return self.permissions != "look" and bool(self.seat)

    def takes_back(self, session: Session) -> tuple[Moment, ...]:
        """Return the moments that they may undo: the last ones, if they made them, else ()."""
        moments = session.undoable()
        if not moments or self.permissions == "look" or session.sealing().writes:
            return ()
        return moments if self._wrote(line for line in session.log.lines if line.group == moments[0].group) else ()

    def does_again(self, session: Session) -> tuple[Moment, ...]:
        """Return the moments that they may redo: those that they made and undid last, else ()."""
        moments = session.redoable()
        if not moments or self.permissions == "look" or session.sealing().writes:
            return ()
        *_, last = session.log.lines
        lines = (line for line in session.log.lines if line.group == moments[0].group)
        return moments if self._wrote((last, *lines)) else ()

    def current_answers(self, session: Session) -> Iterator[Moment]:
        """Yield their answers that count now, newest first."""
        if self.permissions == "look" or session.sealing().writes:
            return
        for moment in reversed(session.moments()):
            if not isinstance(moment.action, _NO_ANSWERS) and self._wrote((session.log.lines[moment.number - 1],)):
                yield moment

    def inserts_before(self, session: Session) -> Iterator[Moment]:
        """Yield the moments before which they may insert an action, newest first: all of them with full permissions."""
        if self.permissions == "all" and not session.sealing().writes:
            yield from (moment for moment in reversed(session.moments()) if moment.before is not None)

    def _wrote(self, lines: Iterator[Line] | tuple[Line, ...]) -> bool:
        return self.permissions == "all" or all(line.by == self.by for line in lines)


_SEEN_EVERY: Final = timedelta(minutes=1)
COOKIE_LIFETIME: Final = web_access.PHONE_LIFETIME
"""Lifetime of a browser's cookie."""
INVITATION_LIFETIME: Final = timedelta(hours=8)
"""The least lifetime of a code on the host's screen; it is valid for at most twice as long."""
_INVITATION_BYTES: Final = 5


class Phones:
    """The phones of an archive. Methods that change them wait for the disk, and are called in a thread."""

    def __init__(self, archive: Archive, pin: str = "", permissions: Permissions | None = None) -> None:
        """Admit phones by this PIN and with these permissions, if given. Raises ArchiveError."""
        self._archive = archive
        self._lock = threading.Lock()
        self._refreshing = threading.Lock()
        self._refreshes_begun = self._refreshes_ended = 0
        self._failed: ArchiveError | None = None
        self._open_pages: Counter[str] = Counter()
        self.on_change: Callable[[], object] = lambda: None
        """Called when phones or their permissions have changed, in the thread that has noticed."""
        self.doors: WebAccess = web_access.open_access(archive, pin, permissions)
        self._here: tuple[dict[str, Phone], dict[tuple[str, str], Hand]] = ({}, {})
        self._choices: dict[tuple[str, str], StoredChoice] = {}
        self._brake = Brake()
        self._hosts: dict[str, Phone] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read phones and permissions again from the archive. Raises ArchiveError."""
        turn = self._refreshes_begun + 1
        # One after the other: an earlier result must not replace a later one.
        with self._refreshing:
            # Strangers can cause many calls. One thread reads for all that wait, if it began after they came.
            if self._refreshes_ended >= turn:
                if self._failed is not None:
                    raise ArchiveError(str(self._failed), self._failed.look)
                return
            self._refreshes_begun += 1
            self._failed = None
            try:
                doors, phones, hands = web_access.read_access(self._archive)
                choices = self._archive.secret_choices({session for phone in phones for session in phone.seats})
                before = self.doors, self.all(), self._here[1], self._choices
                # An archive that was restored from a backup may have none.
                if doors is None and not self._archive.store.loss_reason:
                    doors = web_access.open_access(self._archive, self.doors.pin, self.doors.permissions)
                self.doors = doors or self.doors
                # Both at once: no phone may see the hand of a seat that belonged to another player.
                self._here = ({phone.phone: phone for phone in phones}, hands)
                self._choices = choices
                for phone in phones:
                    if phone.away:
                        self._brake.forgive(phone.phone)  # it continues as another one, once the host readmits it
            except ArchiveError as error:
                self._failed = error
                raise
            finally:
                self._refreshes_ended = self._refreshes_begun
        if before != (self.doors, phones, hands, choices):
            self.on_change()

    def get(self, phone: str) -> Phone | None:
        """Return a phone that was admitted tonight, blocked or not, or None; also a browser of the host.

        It is as of the last reading of the archive.
        """
        if phone in self._hosts:
            return self._hosts[phone]
        entry = self._here[0].get(phone)
        return entry if entry and self._archive.now() - entry.since < COOKIE_LIFETIME else None

    def locked_seconds(self) -> int:
        """Return the seconds during which the PIN is locked. The code still admits phones."""
        return web_access.read_lock(self._archive)

    def admit_host(self, session: str) -> None:
        """Let a browser of the host use the pages for phones: it may do everything, has no seat, and is never listed.

        Its lines have the host's name in the log.
        """
        now = self._archive.now()
        self._hosts[session] = Phone(session, self._archive.by, "", "", "all", away=False, since=now, seen=now)

    def forget_host(self, session: str) -> None:
        """Forget a browser of the host."""
        self._hosts.pop(session, None)

    def is_host(self, phone: str) -> bool:
        """Return True for a browser of the host."""
        return phone in self._hosts

    def find(self, phone: str) -> Phone | None:
        """Return a phone as `get` does, after reading the archive if it is missing.

        Another program may have just admitted it.
        """
        if phone and phone not in self._here[0]:
            self.refresh()
        return self.get(phone)

    def all(self) -> tuple[Phone, ...]:
        """Return all phones, including blocked ones, in order of admission."""
        return tuple(self._here[0].values())

    def permissions_of(self, phone: Phone) -> Permissions:
        """Return the permissions of a phone: its own, or the default."""
        return phone.permissions or self.doors.permissions

    def knock(self, address: str, pin: str) -> web_access.PinAttempt:
        """Try a PIN. Wrong ones are counted by address. Raises ArchiveError."""
        return web_access.try_pin(self._archive, address, pin)

    @property
    def invitation(self) -> str:
        """The secret in the code on the host's screen, which replaces the PIN tonight: eight letters and digits.

        It changes with the PIN.
        """
        return self._invitations()[0]

    def is_invited(self, secret: str) -> bool:
        """Return True if a secret is that of tonight's code, in any case."""
        return any(
            hmac.compare_digest(secret.upper().encode(errors="replace"), each.encode()) for each in self._invitations()
        )

    def _invitations(self) -> tuple[str, str]:
        """Return the secret of the present period, and that of the one before."""
        key, pin = bytes.fromhex(self.doors.key), self.doors.pin
        time = int(self._archive.now().timestamp() / INVITATION_LIFETIME.total_seconds())
        now, before = (
            hmac.new(key, f"invitation:{pin}:{number}".encode(), sha256).digest() for number in (time, time - 1)
        )
        return b32encode(now[:_INVITATION_BYTES]).decode(), b32encode(before[:_INVITATION_BYTES]).decode()

    def writing(self, phone: str, size: int) -> AbstractContextManager[WebEntry]:
        """Count the bytes that a phone writes in the block; see `Brake.writing`. Raises Braked.

        The host may write without limits.
        """
        if self.is_host(phone):
            return nullcontext(WebEntry(0.0, size))
        return self._brake.writing(phone, size, time.monotonic())

    def held_seconds(self, phone: Phone) -> float:
        """Return the seconds during which a phone may write nothing, after writing too much.

        They are infinite until the host lets it continue, and 0 if it may write.
        """
        return self._brake.seconds_left(phone.phone, time.monotonic())

    def holder(self, session: str, seat: str) -> Phone | None:
        """Return the phone that holds a seat of a table this evening, or None."""
        now = self._archive.now()
        at_seat = (each for each in self.all() if each.seats.get(session) == seat and not each.away)
        return next((each for each in at_seat if now - each.seen < COOKIE_LIFETIME), None)

    def held_seats(self, session: str) -> frozenset[str]:
        """Return the seats of a table that phones hold this evening."""
        seats = {phone.seats[session] for phone in self.all() if session in phone.seats}
        return frozenset(seat for seat in seats if self.holder(session, seat) is not None)

    def let_in(self, name: str) -> Phone:
        """Admit a phone under a unique name.

        A phone may undo entries under its name, so no other phone of this evening has the same. A name in use gets a
        number.
        """
        phone = web_access.admit_phone(self._archive, name, is_unique=True)
        self.refresh()
        return phone

    def ask_to_come_in(self, address: str, pin: str, name: str) -> Phone | None:
        """Ask the host to admit a phone while the PIN is locked.

        Return None if too many have asked. Raises ArchiveError.
        """
        phone = web_access.ask_to_come_in(self._archive, address, pin, name)
        self.refresh()
        return phone

    def renew_pin(self) -> None:
        """Replace the PIN, and the code with it. Admitted phones stay admitted. Raises ArchiveError."""
        web_access.renew_pin(self._archive)
        self.refresh()

    def sit(self, phone: str, session: str, seat: str, *, hands_over: bool = False, if_free: bool = False) -> None:
        """Show a seat's side of a table on this phone from now on; see `web_access.seat_phone`.

        Raises Unknown or SeatTaken.
        """
        web_access.seat_phone(self._archive, phone, session, seat, hands_over=hands_over, if_free=if_free)
        self.refresh()

    def hand_of(self, phone: str, session: str) -> Hand:
        """Return the hand that was entered for the seat that a phone holds at a table."""
        phones, hands = self._here
        return hands.get((session, phones[phone].seats.get(session, "")), NO_HAND) if phone in phones else NO_HAND

    def save_hand(self, phone: str, session: str, seat: str, hand: Hand) -> bool:
        """Save a hand for a phone's seat. Return False if the phone no longer holds the seat. Raises ArchiveError.

        Only that phone shows the cards.
        """
        is_saved = web_access.save_hand(self._archive, session, seat, hand, phone)
        self.refresh()
        return is_saved

    def choice_of(self, phone: str, session: str) -> SecretChoice | None:
        """Return what was chosen face down on a phone for its seat at a table, also an outdated choice."""
        entry = self._here[0].get(phone)
        choice = self._choices.get((session, entry.seats.get(session, ""))) if entry else None
        return SecretChoice(choice.line, choice.length, choice.by) if choice and choice.phone == phone else None

    def save_choice(self, phone: str, session: str, seat: str, choice: SecretChoice) -> bool:
        """Save what was chosen face down on a phone; return False if it no longer holds the seat.

        Raises ArchiveError.
        """
        stored = StoredChoice(choice.line, choice.length, phone, choice.by)
        is_saved = secret_choices.save_choice(self._archive, session, seat, stored)
        self.refresh()
        return is_saved

    def choose_face_down(self, *, is_on: bool) -> None:
        """Set whether answers to secret questions are chosen face down on phones. Raises ArchiveError."""
        web_access.choose_face_down(self._archive, is_on=is_on)
        self.refresh()

    def allow(self, phone: str, permissions: Permissions) -> None:
        """Set the permissions of this phone. Raises Unknown."""
        web_access.set_permission(self._archive, phone, permissions)
        self.refresh()

    def allow_all(self, permissions: Permissions) -> None:
        """Set the default permissions of phones."""
        web_access.open_access(self._archive, self.doors.pin, permissions)
        self.refresh()

    def send_away(self, phone: str, *, away: bool = True) -> None:
        """Block this phone, or readmit it if not `away`. Raises Unknown."""
        web_access.block_phone(self._archive, phone, away=away)
        self.refresh()

    def open_page(self, phone: str) -> None:
        """Count a page of this phone as open; the host's browsers are not counted."""
        if self.is_host(phone):
            return
        with self._lock:
            self._open_pages[phone] += 1
        entry = self.get(phone)
        if entry and self._archive.now() - entry.seen > _SEEN_EVERY:
            web_access.note_seen(self._archive, frozenset({phone}))

    def close_page(self, phone: str) -> None:
        """Count a page of this phone as closed."""
        if self.is_host(phone):
            return
        with self._lock:
            self._open_pages -= Counter({phone: 1})

    def save_presence(self) -> None:
        """Save the phones with open pages here, for other programs that serve this archive. Raises ArchiveError."""
        with self._lock:
            open_phones = frozenset(self._open_pages)
        if open_phones:
            web_access.note_seen(self._archive, open_phones)

    def is_here(self, phone: Phone) -> bool:
        """Return True if a page is open on the phone, here or at another program that serves this archive."""
        return self._open_pages[phone.phone] > 0 or self._archive.now() - phone.seen < web_access.PRESENCE
