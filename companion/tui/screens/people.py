"""People: what is in each purse and why, and which decks somebody holds or held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive, deck_id, people
from companion.archive.lists import PAGE
from companion.archive.people import HeldDeck, PersonRecord
from companion.archive.purses import Person
from companion.tui import drawing
from companion.tui.screens.deck import DeckScreen, look_up
from companion.tui.screens.listing import ListScreen


class PeopleScreen(ListScreen):
    """Everybody who has a purse or holds a deck; the deck that is typed, or is the only one, opens with Enter."""

    heading = "People"
    placeholder = "type a name, or the name of a deck"
    verb = "Open the deck"
    nothing = "Nobody is called so. People are known once they have a purse or a deck."

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._known: dict[str, Person] = {}

    def page(self, text: str, number: int) -> tuple[Sequence[Option], int, int]:
        """Those whose names, now or before, hold what is typed; they may be tens of thousands."""
        found = people.page_of_people(self.archive, text, number - number % PAGE)
        self._known = {one.person or one.name: one for one in found.rows}
        return [_row(row, one) for row, one in self._known.items()], found.at, found.total

    def describe_row(self, row: str) -> Content:
        """Their decks, then every change of their purse, newest first."""
        found = self._record(row)
        sessions = {session.session: session.title for session in self.archive.sessions()}
        return Content("\n").join([*_who(found), *_decks(found.held), *_purse(found, sessions)])

    async def take(self, row: str, text: str) -> None:
        """The deck that is typed, or the one that somebody holds."""
        if not row:
            await self._open(text)
            return
        found = await self.run_query(lambda: self._record(row))
        held = [deck for deck in found.held if deck.now and not deck.retired] if found else []
        if len(held) == 1:
            await self._open(held[0].deck)
        elif found is not None:
            names = ", ".join(deck.name for deck in held)
            self.say(f"{found.name} holds {names}: type which." if held else f"{found.name} holds no deck now.")

    def _record(self, row: str) -> PersonRecord:
        known = self._known.get(row)
        return people.record_of_person(self.archive, known) if known else people.find_record(self.archive, row)

    async def _open(self, text: str) -> None:
        found = await self.run_query(lambda: look_up(self.archive, text))
        if found is not None:
            self.box.value = ""
            await self.app.push_screen(DeckScreen(self.archive, found))


def _row(row: str, one: Person) -> Option:
    told = f"  purse {one.purse} · {one.person or 'no id yet'}"
    return Option(Content.assemble((one.name, "bold"), (told, drawing.DIM)), row)


def _who(found: PersonRecord) -> Iterator[Content]:
    yield Content.assemble(
        (found.name, "bold $text-accent"), f"  purse {found.purse}", (f"  {found.person}", drawing.DIM)
    )
    before = [name for name in found.called if name != found.name]
    if before:
        yield Content.styled(f"was called {', '.join(before)}", drawing.DIM)


def _decks(held: Sequence[HeldDeck]) -> Iterator[Content]:
    if held:
        yield from (Content(""), Content.styled("Decks", drawing.BOLD))
    for deck in held:
        how = "retired" if deck.retired else "holds it" if deck.now else "held it once"
        yield Content.assemble(f"{deck.name}  ", (f"{deck_id.show(deck.deck)} · {how}", drawing.DIM))


def _purse(found: PersonRecord, sessions: dict[str, str]) -> Iterator[Content]:
    yield from (Content(""), Content.styled("Purse, newest first", drawing.BOLD))
    if not found.ledger:
        yield Content.styled("Nothing has gone in or out yet.", drawing.DIM)
    for line in reversed(found.ledger):
        at = f"{line.at.astimezone():%Y-%m-%d}  "
        session = sessions.get(line.session, "") or line.session
        yield Content.assemble(
            (at, drawing.DIM),
            (f"{line.change:+4}", drawing.BOLD),
            f" → {line.purse:<4} {drawing.single(line.why)}",
            (f"  {session}" if session else "", drawing.DIM),
        )
