"""The phones screen: the pages' address as a QR code, the phones that were admitted, and the permissions of each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from math import inf
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.types import CSSPathType
from textual.widgets import Static
from textual.widgets.option_list import Option

from companion.archive import Archive
from companion.archive.web_access import PERMISSIONS, Permissions, Phone
from companion.tui import drawing
from companion.tui.archives import Guests, PageServer, PhonePages
from companion.tui.screens.base import STYLES, key_name
from companion.tui.screens.listing import ListScreen, fits
from companion.tui.terminal.input_queue import InputQueueApp
from companion.tui.widgets.bars import Key
from templates.languages.dates import clock_time
from templates.languages.messages import Text, all_of, joined, phrase, phrase_in, phrases

_ALL = "all"
"""The id of the row for all phones; the others have the ids of their phones."""
_LOOK_EVERY = 1.0
_ALL_MAY: dict[Permissions, Text] = {
    "look": phrase("All phones may look only; Enter lets them answer for their own seat."),
    "own": phrase("All phones may answer for their own seat."),
    "all": phrase("All phones may do everything."),
}
_MAY: dict[Permissions, Text] = {
    # Translators: It stands beside the name of a phone.
    "look": phrase("may look only"),
    # Translators: It stands beside the name of a phone.
    "own": phrase("may answer for their own seat"),
    # Translators: It stands beside the name of a phone.
    "all": phrase("may do everything"),
}


class PhonesScreen(ListScreen):
    """The connected phones; Enter changes the permissions of one, or of all.

    The pages stay open when this screen is left.
    """

    CSS_PATH: ClassVar[CSSPathType | None] = [STYLES / "listing.tcss", STYLES / "phones.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f8", "away", "Send away", id="phones.away", tooltip="Remove a phone; press it again to let it back in"
        ),
        Binding(
            "f7", "new_pin", "New PIN", id="phones.pin", tooltip="New PIN and code; phones that are logged in stay so"
        ),
        Binding(
            "f6",
            "face_down",
            "Face down",
            id="phones.face_down",
            tooltip="Choose whether phones lay cards face down until all have chosen, or show them at once",
        ),
        Binding("f9", "close_pages", "Close the pages", id="phones.close", tooltip="Close the pages for all phones"),
    ]
    heading = phrase("Phones")
    placeholder = phrase("type a name")
    verb = phrase_in("verb", "Change")
    nothing = phrase("There is no phone with this name.")

    def __init__(self, archive: Archive, serving: PageServer, served: PhonePages) -> None:
        super().__init__(archive)
        self._serving = serving
        self._served = served
        self._there: tuple[object, ...] = ()
        self._locked = 0

    def on_mount(self) -> None:
        """Show the address as text, too, and watch for phones that come later."""
        super().on_mount()
        self._show_title()
        if notices := tuple(filter(None, (self._served.others, self._served.warning))):
            self.say(joined(" ", notices), wrong=bool(self._served.warning))
        elif self._guests.doors.permissions == "look":
            self.say(phrase("Phones may look only; Enter on “All phones” lets people play on them."))
        self.set_interval(_LOOK_EVERY, self._look)

    def _show_title(self) -> None:
        title = phrase(
            "Phones scan the code, or open {address} with PIN {pin}",
            address=self._served.url,
            pin=str(self._served.pin),
        )
        self.query_one("#title", Static).update(Content(str(title)))

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        """Refresh the list if a phone has come or gone."""
        before = self._there
        now = await self.run_query(self._read_presence)
        if now is not None and now != before:
            await self.refill()
            if self._locked:
                self.say(
                    phrase(
                        "Many wrong PINs were typed: for {seconds} s nobody can log in by PIN. {key} makes another PIN "
                        "and logs nobody out; the code still works.",
                        seconds=str(self._locked),
                        key=key_name(self, "phones.pin"),
                    ),
                    wrong=True,
                )
            elif waiting := [phone.label for phone in self._guests.all() if phone.waiting]:
                self.say(_describe_waiting(waiting))
            elif held := [phone.label for phone in self._guests.all() if self._guests.held_seconds(phone)]:
                text = phrase("Too many entries at once: {phones} must wait.", phones=all_of(held[:3]))
                self.say(text, wrong=True)

    def _read_presence(self) -> tuple[object, ...]:
        self._guests.refresh()
        self._locked = self._guests.locked_seconds()
        self._there = (
            self._guests.doors,
            self._locked,
            *(
                (phone, self._guests.is_here(phone), self._guests.held_seconds(phone) > 0)
                for phone in self._guests.all()
            ),
        )
        return self._there

    @property
    def _guests(self) -> Guests:
        return self._served.guests

    def list_rows(self, text: str) -> Sequence[Option]:
        """Return the row for all phones, then the phones whose name matches the text."""
        self._read_presence()
        rows = [_row(phone, self._guests) for phone in self._guests.all() if fits(text, phone.label, phone.seat)]
        return rows if text else [_of_all(self._guests), *rows]

    def describe_row(self, row: str) -> Content:
        """Describe the QR code and address, and the chosen phone."""
        phone = self._find_phone(row)
        about = [] if phone is None else [Content(""), *_describe_phone(phone)]
        picture = [Content.styled(line, "#000000 on #ffffff") for line in self._served.picture]
        pin = phrase("PIN {pin}", pin=str(self._served.pin))
        return Content("\n").join([*picture, Content(f"{self._served.url}  {pin}"), *about])

    async def take(self, row: str, text: str) -> None:  # noqa: ARG002 – what is typed only chooses a row
        """Switch to the next permissions: look only, own seat, everything."""
        if not row:
            return
        phone = self._find_phone(row)
        if phone is not None and phone.waiting:
            await self.action_away()
            return
        before = self._guests.doors.permissions if phone is None else self._guests.permissions_of(phone)
        permissions = PERMISSIONS[(PERMISSIONS.index(before) + 1) % len(PERMISSIONS)]
        if phone is None:
            await self.run_query(lambda: self._guests.allow_all(permissions))
        else:
            await self.run_query(lambda: self._guests.allow(phone.phone, permissions))
        self.say(_ALL_MAY[permissions] if phone is None else _describe_permissions(phone.label, permissions))
        await self.refill()

    async def action_away(self) -> None:
        """Send the chosen phone away, or let it in or back."""
        phone = self._find_phone(self.rows.chosen)
        if phone is None:
            self.say(phrase("Choose the phone to send away with ↑ and ↓."))
            return
        away = not phone.away
        await self.run_query(lambda: self._guests.send_away(phone.phone, away=away))
        if away:
            self.say(phrase("{phone} is sent away.", phone=phone.label))
        elif phone.waiting:
            self.say(phrase("{phone} is let in.", phone=phone.label))
        else:
            self.say(phrase("{phone} may come back.", phone=phone.label))
        await self.refill()

    async def action_new_pin(self) -> None:
        """Replace the PIN and the code; phones that are in stay in."""
        await self.run_query(self._guests.renew_pin)
        self._show_title()
        await self.refill()
        self.say(
            phrase(
                "The PIN is {pin} now. Phones that are logged in stay so, and so do those that wait with the right "
                "one.",
                pin=str(self._served.pin),
            )
        )

    async def action_face_down(self) -> None:
        """Switch between choosing face down on phones, and showing each answer at once."""
        is_on = not self._guests.doors.face_down
        await self.run_query(lambda: self._guests.choose_face_down(is_on=is_on))
        self.say(
            phrase("Phones choose face down: all cards turn over together.")
            if is_on
            else phrase("Phones show a choice at once: the real cards lie face down.")
        )

    async def action_close_pages(self) -> None:
        """Close the pages, so that no phone sees anything from now on."""
        await asyncio.to_thread(self._serving.close)
        self.dismiss()
        if isinstance(self.app, InputQueueApp):
            self.app.call_later(self.app.add_note, str(phrase("The pages are closed.")))

    def keys(self) -> Sequence[Key]:
        """Return the keys for a phone, and for all of them."""
        return (
            (key_name(self, "phones.away"), phrase("Send away"), "screen.away"),
            *([(key_name(self, "phones.pin"), phrase("New PIN"), "screen.new_pin")] if self._is_besieged else []),
            (key_name(self, "phones.close"), phrase("Close"), "screen.close_pages"),
        )

    @property
    def _is_besieged(self) -> bool:
        """True if many wrong PINs seem to have come in: typing is locked now, or a phone waits for admission."""
        return self._locked > 0 or any(phone.waiting for phone in self._guests.all())

    def _find_phone(self, row: str) -> Phone | None:
        return next((phone for phone in self._guests.all() if phone.phone == row), None)


def _describe_waiting(phones: Sequence[str]) -> Text:
    """Return the message about phones that wait for admission."""
    if len(phones) == 1:
        return phrase(
            "{phone} would like to come in: ask who has these digits, then Enter on the name lets them.",
            phone=phones[0],
        )
    return phrases(
        "{n} phone would like to come in: ask who has these digits, then Enter on the name lets them.",
        "{n} phones would like to come in: ask who has these digits, then Enter on the name lets them.",
        n=len(phones),
    )


def _describe_permissions(phone: str, permissions: Permissions) -> Text:
    """Return the message about what a phone may do now."""
    match permissions:
        case "look":
            return phrase("{phone} may look only; Enter lets it answer for its own seat.", phone=phone)
        case "own":
            return phrase("{phone} may answer for their own seat.", phone=phone)
        case "all":
            return phrase("{phone} may do everything.", phone=phone)


def _of_all(guests: Guests) -> Option:
    about = f"  {_MAY[guests.doors.permissions]}"
    return Option(Content.assemble((str(phrase("All phones")), drawing.BOLD), (about, drawing.DIM)), _ALL)


def _row(phone: Phone, guests: Guests) -> Option:
    if phone.waiting:
        states: list[Text] = [phrase("asks to come in")]
    elif phone.away:
        states = [phrase("sent away")]
    else:
        states = [_MAY[guests.permissions_of(phone)], *_hold(guests.held_seconds(phone))]
    here = "● " if guests.is_here(phone) and not phone.away else "○ "
    about = joined(" · ", (*([phone.seat] if phone.seat else []), *states))
    return Option(Content.assemble(here, (phone.label, drawing.BOLD), (f"  {about}", drawing.DIM)), phone.phone)


def _hold(seconds: float) -> Iterator[Text]:
    """Yield the words about a phone that has written too much."""
    if seconds == inf:
        yield phrase("has sent too many entries tonight")
    elif seconds:
        yield phrase("sends too many entries, waits {seconds} s", seconds=f"{seconds:.0f}")


def _describe_phone(phone: Phone) -> Sequence[Content]:
    since, seen = clock_time(phone.since), clock_time(phone.seen)
    about = (
        phrase("Seat {seat}; came in at {since}, seen at {seen}", seat=phone.seat, since=since, seen=seen)
        if phone.seat
        else phrase("No seat yet; came in at {since}, seen at {seen}", since=since, seen=seen)
    )
    return Content.styled(phone.label, drawing.BOLD), Content(str(about))
