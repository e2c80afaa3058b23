"""The people screen: each purse with its changes, and the decks that a person holds or held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from companion.archive import Archive, deck_id
from companion.archive.people import forgetting, languages, people
from companion.archive.people.people import HeldDeck, PersonRecord
from companion.archive.storage.purses import Person
from companion.archive.storage.rows import PAGE
from companion.tui import drawing
from companion.tui.screens.base import StatusScreen, key_name
from companion.tui.screens.decks.deck import DeckScreen, look_up
from companion.tui.screens.listing import ListScreen
from companion.tui.widgets.bars import Key, KeyEffect
from templates.languages.catalogues import find_language, list_codes
from templates.languages.dates import numeric_date
from templates.languages.messages import Message, joined, listed, phrase, phrase_in, signed


class PeopleScreen(ListScreen):
    """All people with a purse or a deck; Enter opens the typed deck, or the only one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f4", "alias", "Nickname", id="people.alias", tooltip="Set the public name of a person"),
        Binding(
            "f6",
            "language",
            "Language",
            id="people.language",
            tooltip="Set the language in which labels of a person's decks are printed",
        ),
        Binding(
            "f8",
            "forget",
            "Forget",
            id="people.forget",
            tooltip="Delete a name, but keep its purse and results; press it twice",
        ),
    ]
    heading = phrase("People")
    placeholder = phrase("type a name, or the name of a deck")
    verb = KeyEffect(phrase("Open the deck"), phrase_in("verb", "Open"))
    nothing = phrase("There is nobody with this name. People are added when they get a purse or a deck.")

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self._people_by_row: dict[str, Person] = {}
        self._answering: Person | None = None
        """The person whose nickname or language is being typed."""
        self._question = ""
        self._sure = ""

    def page(self, text: str, number: int) -> tuple[Sequence[Option], int, int]:
        """Return the people whose current or former names contain the text; there may be tens of thousands."""
        looked_for = self._answering.name if self._answering else text
        page = people.page_of_people(self.archive, looked_for, number - number % PAGE)
        self._people_by_row = {one.person or one.name: one for one in page.rows}
        return [_row(row, one) for row, one in self._people_by_row.items()], page.at, page.total

    def describe_row(self, row: str) -> Content:
        """Describe the decks, then every change of the purse, newest first."""
        record = self._find_record(row)
        sessions = {session.session: session.title for session in self.archive.sessions()}
        return Content("\n").join([*_draw_person(record), *_deck_rows(record.held), *_purse_rows(record, sessions)])

    async def take(self, row: str, text: str) -> None:
        """Open the typed deck, or the only one that the person holds."""
        if not row:
            await self._open(text)
            return
        record = await self.run_query(lambda: self._find_record(row))
        decks = [deck for deck in record.held if deck.now and not deck.retired] if record else []
        if len(decks) == 1:
            await self._open(decks[0].deck)
        elif record is not None:
            names = listed(deck.name for deck in decks)
            self.say(
                phrase("{person} holds {decks}: type which.", person=record.name, decks=names)
                if decks
                else phrase("{person} holds no deck now.", person=record.name)
            )

    async def action_alias(self) -> None:
        """Give the chosen person a public nickname: the first press chooses, the second takes the
        typed name.
        """
        text = self.box.value.strip()
        person = self._take_answer("alias")
        if person is None:
            if self._answering is not None:
                self.say(
                    phrase(
                        "What is the public name of {person}? Type it and press the key again: a nickname, - for none, "
                        "nothing for the real name.",
                        person=self._answering.name,
                    )
                )
            return
        hidden = text == "-"
        who = person.person or person.name
        row = await self.run_query(lambda: people.set_alias(self.archive, who, "" if hidden else text, hidden=hidden))
        self.box.value = ""
        await self.refill()
        if row is not None:
            public = row.nickname or row.name
            self.say(
                phrase("{person} is not named in public.", person=row.name)
                if row.hidden
                else phrase("{person} is called {nickname} in public.", person=row.name, nickname=public)
            )

    async def action_language(self) -> None:
        """Set the language of the chosen person's labels: the first press chooses, the second takes the typed
        language.
        """
        text = self.box.value.strip()
        person = self._take_answer("language")
        if person is None:
            if self._answering is not None:
                self.say(
                    phrase(
                        "In which language are labels of decks that {person} holds? Type it and press the key again: "
                        "{codes}; nothing for that of the program.",
                        person=self._answering.name,
                        codes=listed(list_codes()),
                    )
                )
            return
        who = person.person or person.name
        row = await self.run_query(lambda: languages.set_language(self.archive, who, text))
        self.box.value = ""
        await self.refill()
        if row is not None:
            language = find_language(row.language)
            self.say(
                phrase(
                    "Labels of decks that {person} holds are in {language}.", person=row.name, language=language.title
                )
                if language is not None
                else phrase("Labels of decks that {person} holds are in the language of the program.", person=row.name)
            )

    def _take_answer(self, question: str) -> Person | None:
        """Return the person whose answer to a question has been typed; None if it is only asked now."""
        person = self._answering if self._question == question else None
        if person is not None:
            self._answering, self._question = None, ""
            return person
        self._answering = self._answering or self._people_by_row.get(self.rows.chosen)
        self._question = question if self._answering is not None else ""
        if self._answering is not None:
            self.box.value = ""
        return None

    async def action_back(self) -> None:
        """Cancel a nickname or a language, and go back."""
        self._answering, self._question = None, ""
        await super().action_back()

    async def action_forget(self) -> None:
        """Drop the names of the chosen person, after a second press; report where they remain."""
        person = self._people_by_row.get(self.rows.chosen)
        if person is None:
            return
        who = person.person or person.name
        if self._sure != who:
            match = await self.run_query(lambda: forgetting.find_traces(self.archive, who))
            if match is not None:
                self._sure = who
                warning = phrase(
                    "Press it again to delete the name {person} for good; the sums of money stay.", person=person.name
                )
                self.say(joined(" ", (warning, joined(" ", match[1].sentences()))), wrong=True)
            return
        self._sure = ""
        gone = await self.run_query(lambda: forgetting.forget_person(self.archive, who))
        await self.refill()
        if gone is not None:
            now = phrase("{name} is what they are called now.", name=gone.person.name)
            self.say(joined(" ", (now, joined(" ", gone.traces.sentences()))))

    def keys(self) -> Sequence[Key]:
        """Return the keys that set a nickname or a language, or drop a name."""
        return (
            (key_name(self, "people.alias"), phrase("Nickname"), "screen.alias"),
            (key_name(self, "people.language"), phrase("Language"), "screen.language"),
            (key_name(self, "people.forget"), phrase("Forget"), "screen.forget"),
        )

    def _find_record(self, row: str) -> PersonRecord:
        person = self._people_by_row.get(row)
        return people.record_of_person(self.archive, person) if person else people.find_record(self.archive, row)

    async def _open(self, text: str) -> None:
        deck = await self.run_query(lambda: look_up(self.archive, text))
        if deck is not None:
            self.box.value = ""
            await self.app.push_screen(DeckScreen(self.archive, deck))


def _row(row: str, one: Person) -> Option:
    about = joined(" · ", (_describe_purse(one.purse), one.person or phrase("no id yet")))
    return Option(Content.assemble((one.name, drawing.BOLD), (f"  {about}", drawing.DIM)), row)


def _describe_purse(amount: int) -> Message:
    return phrase("purse {amount}", amount=str(amount))


def _draw_person(record: PersonRecord) -> Iterator[Content]:
    yield Content.assemble(
        (record.name, "bold $text-accent"),
        f"  {_describe_purse(record.purse)}",
        (f"  {record.person}", drawing.DIM),
    )
    before = [name for name in record.called if name != record.name]
    if before:
        yield Content.styled(str(phrase("was called {names}", names=listed(before))), drawing.DIM)
    if language := find_language(record.language):
        yield Content.styled(str(phrase("Language of the labels: {language}", language=language.title)), drawing.DIM)


def _deck_rows(decks: Sequence[HeldDeck]) -> Iterator[Content]:
    if decks:
        yield from (Content(""), Content.styled(str(phrase("Decks")), drawing.BOLD))
    for deck in decks:
        if deck.retired:
            # Translators: A deck that is no longer played.
            how = phrase_in("deck", "retired")
        else:
            # Translators: A person and a deck.
            how = phrase("holds it") if deck.now else phrase("held it once")
        yield Content.assemble(f"{deck.name}  ", (f"{deck_id.show(deck.deck)} · {how}", drawing.DIM))


def _purse_rows(record: PersonRecord, sessions: dict[str, str]) -> Iterator[Content]:
    yield from (Content(""), Content.styled(str(phrase("Purse, newest first")), drawing.BOLD))
    if not record.ledger:
        yield Content.styled(str(phrase("Nothing has gone in or out yet.")), drawing.DIM)
    for line in reversed(record.ledger):
        at = f"{numeric_date(line.at)}  "
        session = sessions.get(line.session, "") or line.session
        yield Content.assemble(
            (at, drawing.DIM),
            (f"{signed(line.change)!s:>4}", drawing.BOLD),
            f" → {line.purse:<4} {drawing.narrow_glyphs(str(line.why))}",
            (f"  {session}" if session else "", drawing.DIM),
        )


async def open_people(screen: StatusScreen, archive: Archive) -> None:
    """Open the list of people."""
    await screen.app.push_screen(PeopleScreen(archive))
