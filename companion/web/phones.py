"""Who is there: the phones that were let in, their seats, and what each may do at a table."""

from __future__ import annotations

import hmac
import threading
import time
from base64 import b32encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from companion.archive import Archive, ArchiveError, web_access
from companion.archive.web_access import Hand, Permissions, Phone, WebAccess
from companion.session.log import Line, Moment
from companion.session.session import Session
from companion.tabletop.action import Action
from companion.tabletop.common_actions import DECKS, LOG, Add, Begin, Next, Note, Rule, Seat, Set
from companion.tabletop.table import Prompt, TableView
from companion.web.brake import Brake, WebEntry

NO_HAND: Final = Hand()
_PAGE_LETTERS: Final = 12
_NO_ANSWERS: Final[tuple[type[Action], ...]] = (*LOG, *DECKS, Add, Set, Note, Rule, Seat, Begin, Next)
"""What nobody answers anew: a figure is changed again instead, and a step or a set-up is for the host to amend."""


class Audience(NamedTuple):
    """For whom a table is rendered, and who acts: one seat's page, what those who look at it may do, by which name
    the log has what they do ("" for those who only look), and what they have said to be in their hand. `held_seats` are
    those of the table that phones hold, which nobody else can take.
    """

    seat: str
    permissions: Permissions
    by: str = ""
    hand: Hand = NO_HAND
    held_seats: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        phone: Phone,
        session: str,
        permissions: Permissions,
        hand: Hand = NO_HAND,
        held_seats: Iterable[str] = (),
    ) -> Audience:
        """The audience of one phone at a table; those that only look are all alike."""
        seat, held_seats = phone.seats.get(session, ""), frozenset(held_seats)
        if permissions == "look":
            return cls(seat, permissions, held_seats=held_seats)
        return cls(seat, permissions, phone.log_name, hand if seat else NO_HAND, held_seats)

    @property
    def key(self) -> str:
        """A key for their page, however their seat is spelled; a page with another key is reloaded."""
        return sha256(f"{self.permissions}:{self.seat}".encode(errors="replace")).hexdigest()[:_PAGE_LETTERS]

    def answers(self, prompt: Prompt) -> bool:
        """Whether a question is theirs to answer; what concerns everybody is the host's, and of those who may all."""
        return self.permissions == "all" or (self.permissions == "own" and bool(self.seat) and prompt.seat == self.seat)

    def goes_on(self) -> bool:
        """Whether they may go on for everybody."""
        return self.permissions == "all"

    def changes(self, target: str, view: TableView) -> bool:
        """Whether figures of a seat, a thing or the table are theirs to change: their seat's, and what lies there."""
        if self.permissions == "all":
            return target in view.targets()
        own = next((seat for seat in view.seats if seat.seat == self.seat), None) if self.seat else None
        if self.permissions != "own" or own is None:
            return False
        return target == own.seat or any(thing.target == target for zone in own.zones for thing in zone.things)

    def notes(self) -> bool:
        """Whether they may say something for the log: whoever may do anything here."""
        return self.permissions == "all" or (self.permissions == "own" and bool(self.seat))

    def holds_cards(self) -> bool:
        """Whether they may keep a hand of their own here: whoever has a seat and may act for it."""
        return self.permissions != "look" and bool(self.seat)

    def takes_back(self, session: Session) -> tuple[Moment, ...]:
        """What they may take back now: what was done last, if they did it; () where that is nothing."""
        moments = session.undoable()
        if not moments or self.permissions == "look" or session.sealing().writes:
            return ()
        return moments if self._wrote(line for line in session.log.lines if line.group == moments[0].group) else ()

    def does_again(self, session: Session) -> tuple[Moment, ...]:
        """What they may do again now: what they did and took back themselves, if nothing was done since; else ()."""
        moments = session.redoable()
        if not moments or self.permissions == "look" or session.sealing().writes:
            return ()
        *_, last = session.log.lines
        lines = (line for line in session.log.lines if line.group == moments[0].group)
        return moments if self._wrote((last, *lines)) else ()

    def answered(self, session: Session) -> Iterator[Moment]:
        """Their answers that count now, the newest first."""
        if self.permissions == "look" or session.sealing().writes:
            return
        for moment in reversed(session.moments()):
            if not isinstance(moment.action, _NO_ANSWERS) and self._wrote((session.log.lines[moment.number - 1],)):
                yield moment

    def inserts_before(self, session: Session) -> Iterator[Moment]:
        """The moments before which they may put what was forgotten, the newest first: any, of who may do all."""
        if self.permissions == "all" and not session.sealing().writes:
            yield from (moment for moment in reversed(session.moments()) if moment.before is not None)

    def _wrote(self, lines: Iterator[Line] | tuple[Line, ...]) -> bool:
        return self.permissions == "all" or all(line.by == self.by for line in lines)


_SEEN_EVERY: Final = timedelta(minutes=1)
COOKIE_LIFETIME: Final = web_access.PHONE_LIFETIME
"""How long a browser keeps its cookie."""
INVITATION_LIFETIME: Final = timedelta(hours=8)
"""How long a code on the host's screen can be scanned at least; it is good for at most twice as long."""
_INVITATION_BYTES: Final = 5


class Phones:
    """The phones of an archive. What changes them waits for the disk, and is called in a thread."""

    def __init__(self, archive: Archive, pin: str = "", permissions: Permissions | None = None) -> None:
        """Let phones in by this PIN and with these permissions, where they are named. Raises ArchiveError."""
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
        self._brake = Brake()
        self.refresh()

    def refresh(self) -> None:
        """Read phones and permissions anew from the archive. Raises ArchiveError."""
        turn = self._refreshes_begun + 1
        # One after the other: what was read earlier must not take the place of what was read since.
        with self._refreshing:
            # Of many who wait, as strangers can make many, one reads for all, if it began after they came.
            if self._refreshes_ended >= turn:
                if self._failed is not None:
                    raise ArchiveError(str(self._failed), self._failed.look)
                return
            self._refreshes_begun += 1
            self._failed = None
            try:
                doors, phones, hands = web_access.read_access(self._archive)
                before = self.doors, self.all(), self._here[1]
                # An archive that was put back to a backup may have none.
                self.doors = doors or web_access.open_access(self._archive, self.doors.pin, self.doors.permissions)
                # Together: no phone may see the hand of a seat that was somebody else's.
                self._here = ({phone.phone: phone for phone in phones}, hands)
                for phone in phones:
                    if phone.away:
                        self._brake.forgive(phone.phone)  # it goes on as another one, once the host lets it back
            except ArchiveError as error:
                self._failed = error
                raise
            finally:
                self._refreshes_ended = self._refreshes_begun
        if before != (self.doors, phones, hands):
            self.on_change()

    def get(self, phone: str) -> Phone | None:
        """A phone that was let in tonight, sent away or not; None for others. As the archive was last read."""
        entry = self._here[0].get(phone)
        return entry if entry and self._archive.now() - entry.since < COOKIE_LIFETIME else None

    def locked_seconds(self) -> int:
        """For how many seconds nobody can come in by the PIN; the code lets people in all the same."""
        return web_access.read_lock(self._archive)

    def find(self, phone: str) -> Phone | None:
        """The same, read from the archive where it is not here: another program may have let it in just now."""
        if phone and phone not in self._here[0]:
            self.refresh()
        return self.get(phone)

    def all(self) -> tuple[Phone, ...]:
        """All of them, those that were sent away, too; the first one first."""
        return tuple(self._here[0].values())

    def permissions_of(self, phone: Phone) -> Permissions:
        """What a phone may do: what was said of it, or of all."""
        return phone.permissions or self.doors.permissions

    def knock(self, address: str, pin: str) -> web_access.PinAttempt:
        """Try a PIN; wrong ones are counted by address. Raises ArchiveError."""
        return web_access.try_pin(self._archive, address, pin)

    @property
    def invitation(self) -> str:
        """The secret in the code on the host's screen, which stands for the PIN tonight: eight letters and digits. With
        another PIN, it is another one.
        """
        return self._invitations()[0]

    def is_invited(self, secret: str) -> bool:
        """Whether somebody has scanned a code of tonight, in any letters."""
        return any(
            hmac.compare_digest(secret.upper().encode(errors="replace"), each.encode()) for each in self._invitations()
        )

    def _invitations(self) -> tuple[str, str]:
        """The secret of this time, and the one before."""
        key, pin = bytes.fromhex(self.doors.key), self.doors.pin
        time = int(self._archive.now().timestamp() / INVITATION_LIFETIME.total_seconds())
        now, before = (
            hmac.new(key, f"invitation:{pin}:{number}".encode(), sha256).digest() for number in (time, time - 1)
        )
        return b32encode(now[:_INVITATION_BYTES]).decode(), b32encode(before[:_INVITATION_BYTES]).decode()

    def writing(self, phone: str, size: int) -> AbstractContextManager[WebEntry]:
        """Count what a phone writes in the block, in bytes; see `Brake.writing`. Raises Braked."""
        return self._brake.writing(phone, size, time.monotonic())

    def held_seconds(self, phone: Phone) -> float:
        """For how many seconds a phone may write nothing, as it has written too much; infinite until the host lets it,
        0 where it may.
        """
        return self._brake.seconds_left(phone.phone, time.monotonic())

    def holder(self, session: str, seat: str) -> Phone | None:
        """The phone that holds a seat of a table this evening; None where nobody does."""
        now = self._archive.now()
        at_seat = (each for each in self.all() if each.seats.get(session) == seat and not each.away)
        return next((each for each in at_seat if now - each.seen < COOKIE_LIFETIME), None)

    def held_seats(self, session: str) -> frozenset[str]:
        """The seats of a table that phones hold this evening."""
        seats = {phone.seats[session] for phone in self.all() if session in phone.seats}
        return frozenset(seat for seat in seats if self.holder(session, seat) is not None)

    def let_in(self, name: str) -> Phone:
        """Let in a phone. As it may take back what the log has by its name, no other of this evening has the same: a
        name in use gets a number.
        """
        phone = web_access.admit_phone(self._archive, name, is_unique=True)
        self.refresh()
        return phone

    def ask_to_come_in(self, address: str, pin: str, name: str) -> Phone | None:
        """Have the host decide about a phone at a locked door; None where too many have asked. Raises ArchiveError."""
        phone = web_access.ask_to_come_in(self._archive, address, pin, name)
        self.refresh()
        return phone

    def renew_pin(self) -> None:
        """Replace the PIN, and the code with it; who is in stays in. Raises ArchiveError."""
        web_access.renew_pin(self._archive)
        self.refresh()

    def sit(self, phone: str, session: str, seat: str, *, hands_over: bool = False, if_free: bool = False) -> None:
        """Show a seat's side of a table on this phone from now on; see `web_access.seat_phone`.

        Raises Unknown, SeatTaken.
        """
        web_access.seat_phone(self._archive, phone, session, seat, hands_over=hands_over, if_free=if_free)
        self.refresh()

    def hand_of(self, phone: str, session: str) -> Hand:
        """The hand that was said for the seat that a phone holds at a table."""
        phones, hands = self._here
        return hands.get((session, phones[phone].seats.get(session, "")), NO_HAND) if phone in phones else NO_HAND

    def save_hand(self, phone: str, session: str, seat: str, hand: Hand) -> bool:
        """Show these cards to a phone from now on, and to nobody else; False where it does not hold the seat any more.

        Raises ArchiveError.
        """
        is_saved = web_access.save_hand(self._archive, session, seat, hand, phone)
        self.refresh()
        return is_saved

    def allow(self, phone: str, permissions: Permissions) -> None:
        """What this phone may do from now on. Raises Unknown."""
        web_access.set_permission(self._archive, phone, permissions)
        self.refresh()

    def allow_all(self, permissions: Permissions) -> None:
        """What phones may do from now on of which nothing else was said."""
        web_access.open_access(self._archive, self.doors.pin, permissions)
        self.refresh()

    def send_away(self, phone: str, *, away: bool = True) -> None:
        """Show nothing to this phone any more; or, not `away`, let it come back. Raises Unknown."""
        web_access.block_phone(self._archive, phone, away=away)
        self.refresh()

    def open_page(self, phone: str) -> None:
        """Count a page of this phone as open."""
        with self._lock:
            self._open_pages[phone] += 1
        entry = self.get(phone)
        if entry and self._archive.now() - entry.seen > _SEEN_EVERY:
            web_access.note_seen(self._archive, frozenset({phone}))

    def close_page(self, phone: str) -> None:
        """Count a page of this phone as closed."""
        with self._lock:
            self._open_pages -= Counter({phone: 1})

    def save_presence(self) -> None:
        """Save which phones have pages open here, for other programs that serve this archive. Raises ArchiveError."""
        with self._lock:
            open_phones = frozenset(self._open_pages)
        if open_phones:
            web_access.note_seen(self._archive, open_phones)

    def is_here(self, phone: Phone) -> bool:
        """Whether a page is open on it, here or at another program that serves this archive."""
        return self._open_pages[phone.phone] > 0 or self._archive.now() - phone.seen < web_access.PRESENCE
