"""The pages of people for the host: a list with a search, and each person's decks, games and purse."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, PersonExists, Unknown, deck_id
from companion.archive.people import forgetting, languages, people
from companion.archive.people.people import HeldDeck, PersonRecord, PurseLine
from companion.archive.storage.purses import Person
from companion.archive.storage.rows import PAGE, PersonRow
from companion.statistics.person_games import PersonGame, list_games
from companion.tabletop.action import NotationError
from companion.tabletop.table.match_result import Result
from companion.web.decks import PageRange
from companion.web.host.frame import Host, HostPages
from companion.web.pages import TABLE_PATH, redirect
from templates.languages.catalogues import find_language, list_codes
from templates.languages.messages import Message, Text, listed, phrase, phrase_in, signed

PEOPLE_PATH: Final = "/host/people"
_BY_NAME: Final = "-"
"""The last part of the path of people without an id; their name is in the query."""
_MAX_SEARCH: Final = 200
_MAX_EVENINGS: Final = 12
_MAX_LINES: Final = 30
"""The most changes of a purse on a page."""
_NUMBER: Final = re.compile(r"[0-9]{1,7}")
_RESULTS: Final[Mapping[Result, Text]] = {
    "won": phrase_in("player", "won"),
    "lost": phrase_in("player", "lost"),
    "draw": phrase_in("player", "drew"),
}


class ListedPerson(NamedTuple):
    """A person in the list."""

    path: str
    name: str
    person: str
    purse: int


class ListedDeck(NamedTuple):
    """A deck of a person."""

    deck: str
    name: str
    shown_id: str
    state: Text


class ListedEvening(NamedTuple):
    """An evening of a person: a finished game, or a session that changed their purse.

    `session` is "" for a game without a page; `result` and `deck` are "" if there is none.
    """

    session: str
    title: Text
    at: datetime
    result: Text = ""
    deck: str = ""


class ListedPayment(NamedTuple):
    """A change of a purse, and the title of its session, "" if it belongs to none."""

    line: PurseLine
    change: Text
    title: str


class Namesake(NamedTuple):
    """Somebody else with the same name, and what distinguishes them."""

    person: str
    name: str
    mark: Text


class PersonView(NamedTuple):
    """The content of a person's page. `public` is the name outside of the house, as a sentence."""

    record: PersonRecord
    path: str
    others: Text
    public: Text
    nickname: str
    is_hidden: bool
    decks: tuple[ListedDeck, ...]
    evenings: tuple[ListedEvening, ...]
    total_evenings: int
    ledger: tuple[ListedPayment, ...]
    namesakes: tuple[Namesake, ...]


class PeopleRoutes:
    """The pages of people."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        person = f"{PEOPLE_PATH}/{{person}}"
        self.routes = [
            Route(PEOPLE_PATH, pages.require_host(self.people)),
            Route(PEOPLE_PATH, pages.require_host(self.add), methods=["POST"]),
            Route(person, pages.require_host(self.person)),
            Route(person, pages.require_host(self.change), methods=["POST"]),
            Route(f"{person}/merge", pages.require_host(self.ask_to_merge)),
            Route(f"{person}/forget", pages.require_host(self.ask_to_forget)),
        ]

    # The list

    async def people(self, request: Request, host: Host) -> Response:
        """List the people by name, or those with a present or former name that matches a search."""
        text = request.query_params.get("q", "")[:_MAX_SEARCH].strip()
        at = request.query_params.get("at", "")
        return await self._list_page(host, text, int(at) if _NUMBER.fullmatch(at) else 0)

    async def _list_page(
        self, host: Host, text: str = "", at: int = 0, wrong: Text = "", status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        page = await run_in_threadpool(people.page_of_people, self._pages.archive, text, at)
        return self._pages.render_host(
            "host/people.html",
            host,
            here=PEOPLE_PATH,
            status=status,
            rows=[ListedPerson(path_of(one), one.name, one.person, one.purse) for one in page.rows],
            page_range=PageRange(page.at, PAGE, page.total),
            text=text,
            wrong=wrong,
        )

    async def add(self, request: Request, host: Host) -> Response:
        """Add a person, even if somebody has that name already."""
        fields = await self._pages.read_host_form(request, host)
        try:
            person = await run_in_threadpool(people.add_person, self._pages.archive, fields.get("name", ""))
        except (ArchiveError, NotationError) as error:
            return await self._list_page(host, wrong=error.message, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return redirect(f"{path_of(person)}?done=add")

    # A person

    async def person(self, request: Request, host: Host) -> Response:
        """Show a person's decks, games and purse, and what can be changed."""
        who = await self._find(request, request.query_params)
        if not isinstance(who, Person):
            return who
        view = await run_in_threadpool(read_person, self._pages.archive, who)
        return self._person_page(host, view, _describe_change(view, request.query_params.get("done", "")))

    async def _find(self, request: Request, fields: Mapping[str, str]) -> Person | Response:
        """Return the person of an address, or a redirection to the address of one. Raises HTTPException."""
        key = request.path_params["person"]
        text = fields.get("name", "") if key == _BY_NAME else key
        try:
            who = await run_in_threadpool(_find_person, self._pages.archive, text)
        except Unknown:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        except ArchiveError:
            # Several people have that name by now.
            return redirect(f"{PEOPLE_PATH}?{urlencode({'q': text})}")
        if who.person != key and (who.person or key != _BY_NAME):
            return redirect(path_of(who))
        return who

    def _person_page(
        self,
        host: Host,
        view: PersonView,
        done: Text = "",
        wrong: Text = "",
        status: HTTPStatus = HTTPStatus.OK,
        typed: str = "",
        merge: str = "",
    ) -> Response:
        """Render a person's page; `typed` is a refused name, and `merge` the path to a merge with its bearer."""
        languages_here = [(code, language.title) for code in list_codes() if (language := find_language(code))]
        return self._pages.render_host(
            "host/person.html",
            host,
            here=PEOPLE_PATH,
            status=status,
            view=view,
            label_language=find_language(view.record.language),
            languages=languages_here,
            done=done,
            wrong=wrong,
            typed=typed or view.record.name,
            merge=merge,
        )

    async def change(self, request: Request, host: Host) -> Response:
        """Change what a form says, and show the person again."""
        fields = await self._pages.read_host_form(request, host)
        who = await self._find(request, fields)
        if not isinstance(who, Person):
            return who
        do = fields.get("do", "")
        run = self._find_change(who.person or who.name, do, fields)
        if run is None:
            wrong: Text = phrase("This button is not known here. Load the page again; nothing was changed.")
            return await self._refuse(host, who, wrong, HTTPStatus.BAD_REQUEST)
        try:
            person = await run_in_threadpool(run)
        except (ArchiveError, NotationError) as error:
            other = error.other if isinstance(error, PersonExists) else ""
            status = HTTPStatus.CONFLICT if other else HTTPStatus.UNPROCESSABLE_ENTITY
            return await self._refuse(host, who, error.message, status, fields.get("text", ""), other)
        return redirect(f"{PEOPLE_PATH}/{person}?done={do}")

    async def _refuse(
        self, host: Host, who: Person, wrong: Text, status: HTTPStatus, typed: str = "", other: str = ""
    ) -> Response:
        """Show the person again with what is wrong; `other` is the person whose name was `typed`."""
        view = await run_in_threadpool(read_person, self._pages.archive, who)
        if not other:
            return self._person_page(host, view, wrong=wrong, status=status)
        merge = f"{merge_path(who)}{urlencode({'into': other})}"
        return self._person_page(host, view, wrong=wrong, status=status, typed=typed, merge=merge)

    def _find_change(self, who: str, do: str, fields: Mapping[str, str]) -> Callable[[], str] | None:
        """Return what a form asks for, or None if it is no form of these pages. It returns the id of the person."""
        archive, text = self._pages.archive, fields.get("text", "").strip()
        match do:
            case "rename":
                return lambda: people.rename_person(archive, who, text).person
            case "alias":
                is_hidden = fields.get("public") == "none"
                nickname = text if fields.get("public") == "nickname" else ""
                return lambda: people.set_alias(archive, who, nickname, hidden=is_hidden).person
            case "language":
                return lambda: languages.set_language(archive, who, text).person
            case "merge":
                return lambda: people.merge_people(archive, who, fields.get("into", "")).person
            case "forget":
                return lambda: forgetting.forget_person(archive, who).person.person
        return None

    # Questions before what cannot be undone

    async def ask_to_merge(self, request: Request, host: Host) -> Response:
        """Show what a merge does, and ask for it."""
        who = await self._find(request, request.query_params)
        if not isinstance(who, Person):
            return who
        archive, text = self._pages.archive, request.query_params.get("into", "").strip()
        try:
            into = await run_in_threadpool(people.find_record, archive, text)
            record = await run_in_threadpool(people.record_of_person, archive, who)
        except ArchiveError as error:
            return await self._refuse(host, who, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        if into.name == record.name and into.person == record.person:
            wrong = phrase("That is the same person. Type the name or the id of the other one.")
            return await self._refuse(host, who, wrong, HTTPStatus.UNPROCESSABLE_ENTITY)
        return self._pages.render_host(
            "host/person_merge.html",
            host,
            here=PEOPLE_PATH,
            path=path_of(who),
            record=record,
            into=into,
            decks=listed(deck.name for deck in record.held),
        )

    async def ask_to_forget(self, request: Request, host: Host) -> Response:
        """Show where a name would remain, and ask if it is to be deleted for good."""
        who = await self._find(request, request.query_params)
        if not isinstance(who, Person):
            return who
        try:
            match, traces = await run_in_threadpool(forgetting.find_traces, self._pages.archive, who.person or who.name)
        except ArchiveError as error:
            return await self._refuse(host, who, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        return self._pages.render_host(
            "host/person_forget.html",
            host,
            here=PEOPLE_PATH,
            path=path_of(who),
            person=match,
            sentences=traces.sentences(),
        )


def path_of(person: Person) -> str:
    """Return the path of a person's page."""
    if person.person:
        return f"{PEOPLE_PATH}/{person.person}"
    return f"{PEOPLE_PATH}/{_BY_NAME}?name={quote(person.name)}"


def merge_path(person: Person) -> str:
    """Return the path to a merge of a person; the other one follows in the query."""
    if person.person:
        return f"{PEOPLE_PATH}/{person.person}/merge?"
    return f"{PEOPLE_PATH}/{_BY_NAME}/merge?name={quote(person.name)}&"


def _find_person(archive: Archive, text: str) -> Person:
    """Return the person that an id or a name means. Raises Unknown, Ambiguous."""
    with archive.store.reading() as transaction:
        return people.find(transaction, text)


def read_person(archive: Archive, who: Person) -> PersonView:
    """Read the content of a person's page. Raises ArchiveError."""
    record = people.record_of_person(archive, who)
    row = people.find_row(archive, who.person)
    titles = archive.titles(line.session for line in record.ledger)
    evenings = _list_evenings(list_games(archive, who.person, who.name), record.ledger, titles)
    newest = record.ledger[::-1][:_MAX_LINES]
    others = [one for one in people.find_people(archive, who.name) if one.person != who.person]
    marks = dict(people.describe_namesakes(archive, others))
    return PersonView(
        record,
        path_of(who),
        listed(name for name in record.called if name != record.name),
        _describe_public_name(row),
        row.nickname if row else "",
        row.hidden if row else False,
        tuple(ListedDeck(held.deck, held.name, deck_id.show(held.deck), _describe_hold(held)) for held in record.held),
        evenings[:_MAX_EVENINGS],
        len(evenings),
        tuple(ListedPayment(line, signed(line.change), titles.get(line.session) or line.session) for line in newest),
        _list_namesakes(others, marks),
    )


def _list_evenings(
    games: Sequence[PersonGame], ledger: Sequence[PurseLine], titles: Mapping[str, str]
) -> tuple[ListedEvening, ...]:
    """Return all evenings, newest first: the games, and what else the purse knows of."""
    evenings = {
        line.session: ListedEvening(line.session, titles.get(line.session) or line.session, line.at)
        for line in ledger
        if TABLE_PATH.fullmatch(f"/t/{line.session}")
    }
    for game in games:
        session = game.session if TABLE_PATH.fullmatch(f"/t/{game.session}") else ""
        result = _RESULTS.get(game.result, "")
        evenings[game.session] = ListedEvening(session, game.game, game.at, result, game.deck)
    return tuple(sorted(evenings.values(), key=lambda each: each.at, reverse=True))


def _list_namesakes(others: Sequence[Person], marks: Mapping[str, Message]) -> tuple[Namesake, ...]:
    return tuple(Namesake(one.person, one.name, marks.get(one.person, "")) for one in others)


def _describe_hold(deck: HeldDeck) -> Text:
    if deck.retired:
        # Translators: A deck that is no longer played.
        return phrase_in("deck", "retired")
    # Translators: A person and a deck.
    return phrase("holds it") if deck.now else phrase("held it once")


def _describe_public_name(row: PersonRow | None) -> Text:
    if row is None or not (row.hidden or row.nickname):
        return phrase("The real name is on everything that leaves the house.")
    if row.hidden:
        return phrase("{person} is not named in public.", person=row.name)
    return phrase("{person} is called {nickname} in public.", person=row.name, nickname=row.nickname)


def _describe_change(view: PersonView, change: str) -> Text:
    """Return what was just changed, "" for nothing."""
    record = view.record
    language = find_language(record.language)
    match change:
        case "add":
            return phrase("{person} is known now.", person=record.name)
        case "rename":
            return phrase("{person} is the name from now on; the earlier names still find them.", person=record.name)
        case "alias":
            return view.public
        case "language" if language is not None:
            return phrase(
                "Labels of decks that {person} holds are in {language}.", person=record.name, language=language.title
            )
        case "language":
            return phrase("Labels of decks that {person} holds are in the language of the program.", person=record.name)
        case "merge":
            return phrase("{person} is both of them now.", person=record.name)
        case "forget":
            return phrase("{name} is what they are called now.", name=record.name)
    return ""
