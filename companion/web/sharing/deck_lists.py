"""The pages on which a deck is built from a list that was pasted or sent, and those that give a list to other programs.

Phones that may do everything build decks for anybody, and those that play a seat build them for the people there. What
was read is shown, with questions about what is unclear, before anything is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, deck_records
from companion.archive.storage import lists
from companion.games import registry
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed.founding import ConstructedForm, read_wishes, write_wishes
from companion.tabletop.constructed.lists import ReadDeck
from companion.tabletop.deck_lists.decoding import decode_list
from companion.tabletop.deck_lists.writing import LIST_FORMATS, MEDIA_TYPES, SUFFIXES, write_list
from companion.tabletop.decks.form import Filled, FormContext, Values
from companion.tabletop.decks.list_wishes import ListWishes
from companion.tabletop.game import Game
from companion.tabletop.text import sanitize
from companion.web import templates
from companion.web.guard import BodyLimit
from companion.web.pages import DECK_PATH, WebPages, message_page, redirect
from companion.web.sharing.forms import read_file_form
from companion.web.visitor import Visitor
from templates.languages.messages import Text, declared, phrase

NEW_DECK_PATH: Final = "/decks/new"
LIST_PATH: Final = "/decks/list"
_MAX_LIST: Final = 64 * 1024
LIST_LIMIT: Final = BodyLimit(2 * _MAX_LIST + 8192, 30.0)
"""The limit of the form with a list: a file, and once more as text."""
_MAX_SECTIONS: Final = 6
"""The most sections that are asked about on a page."""
_NOT_ALLOWED: Final = phrase("The host does not allow your phone to do this; ask at the table.")


class ListAnswers(NamedTuple):
    """What a phone has sent: the word of the game, the name and the holder of the deck, its list, and the wishes."""

    game: str = ""
    name: str = ""
    holder: str = ""
    text: str = ""
    wishes: ListWishes = ListWishes()

    @property
    def values(self) -> Values:
        """The answers to the form that founds the deck."""
        return {"name": self.name, "holder": self.holder, "list": self.text, **write_wishes(self.wishes)}

    @property
    def markup(self) -> Markup:
        """The list for a field of several lines, which keeps its line breaks and tabs."""
        lines = ("\t".join(map(sanitize, line.split("\t"))) for line in self.text.split("\n"))
        return Markup(escape("\n".join(lines)))


class SectionChoice(NamedTuple):
    """A section that was asked about: the name of its field, its title, the size, and the part that was chosen."""

    field: str
    title: str
    name: Text
    cards: int
    part: str


class LookPage(NamedTuple):
    """What a list would be as a deck; `parts` are the words and titles of its parts."""

    answers: ListAnswers
    filled: Filled
    deck: ReadDeck
    parts: tuple[tuple[str, Text], ...]
    sections: tuple[SectionChoice, ...]

    @property
    def can_build(self) -> bool:
        """Return True if nothing is wrong or unclear."""
        return bool(self.filled.marks)


class DeckListRoutes:
    """The pages of deck lists."""

    def __init__(self, pages: WebPages) -> None:
        self._pages = pages
        self.routes = [
            Route(NEW_DECK_PATH, pages.require_login(self.new)),
            Route(LIST_PATH, pages.require_login(self.look), methods=["POST"]),
            Route("/d/{deck}/list/{form}", pages.require_login(self.file)),
        ]

    async def new(self, request: Request, who: Visitor) -> Response:
        """Render the form for a list."""
        return await self._form_page(who, ListAnswers(game=request.query_params.get("game", "")))

    async def look(self, request: Request, who: Visitor) -> Response:
        """Show what was read from a list; if that was seen and nothing is unclear, build the deck."""
        parts = await read_file_form(request, who)
        holders = await self._holders(who)
        if holders is not None and not holders:
            return message_page(phrase("Not from this phone"), _NOT_ALLOWED, HTTPStatus.FORBIDDEN)
        try:
            answers = _read_answers(parts, holders)
            page = await run_in_threadpool(_look_at, self._pages.archive, answers, parts)
        except (NotationError, RuleError, ArchiveError) as error:
            answers = ListAnswers(_word(parts, "game"), _word(parts, "name"), _word(parts, "holder"))
            return await self._form_page(who, answers, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
        if "build" in parts and page.can_build:
            return await self._build(who, page)
        return self._look_page(who, page)

    async def _build(self, who: Visitor, page: LookPage) -> Response:
        try:
            with self._pages.phones.writing(who.id, len(page.answers.text)) as entry:
                deck = await run_in_threadpool(_build_deck, self._pages.archive, page)
                entry.is_made = True
        except (NotationError, RuleError, ArchiveError) as error:
            return await self._form_page(who, page.answers, error.message, HTTPStatus.CONFLICT)
        return redirect(f"/d/{deck}")

    async def file(self, request: Request, _: Visitor) -> Response:
        """Send the present list of a deck in a format of other programs. Raises HTTPException."""
        deck, wish = request.path_params["deck"], request.path_params["form"]
        form = next((each for each in LIST_FORMATS if each == wish), None)
        if form is None or not DECK_PATH.fullmatch(f"/d/{deck}"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        row = await run_in_threadpool(self._pages.archive.find_deck, deck)
        versions = await run_in_threadpool(deck_records.deck_lists, self._pages.archive, row.deck)
        if not versions:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        text = write_list(form, row.game, row.name, versions[-1].cards)
        headers = {"content-disposition": f'attachment; filename="{row.deck}{SUFFIXES[form]}"'}
        return Response(text.encode(), media_type=f"{MEDIA_TYPES[form]}; charset=utf-8", headers=headers)

    async def _holders(self, who: Visitor) -> tuple[str, ...] | None:
        """Return the people for whom a phone may build decks; None for anybody."""
        phone = who.phone
        permissions = self._pages.phones.permissions_of(phone) if phone else "look"
        if permissions == "all":
            return None
        if permissions != "own" or phone is None:
            return ()
        names: dict[str, None] = {}
        for session, seat in phone.seats.items():
            table = await self._pages.tables.open(session)
            names |= dict.fromkeys(each.name for each in table.live.session.view().seats if each.seat == seat)
        return tuple(names)

    async def _form_page(
        self, who: Visitor, answers: ListAnswers, wrong: Text = "", status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        holders = await self._holders(who)
        if holders is not None and not holders:
            return message_page(phrase("Not from this phone"), _NOT_ALLOWED, HTTPStatus.FORBIDDEN)
        games = await run_in_threadpool(list_games)
        html = templates.render(
            "deck_new.html",
            games=games,
            game=next((game for game in games if game.word == answers.game), None),
            answers=answers,
            holders=holders,
            token=who.token,
            wrong=wrong,
            kib=_MAX_LIST // 1024,
        )
        return HTMLResponse(html, status)

    def _look_page(self, who: Visitor, page: LookPage) -> Response:
        title = registry.title(page.answers.game)
        return HTMLResponse(templates.render("deck_look.html", page=page, game=title, token=who.token))


def list_games() -> tuple[Game, ...]:
    """Return the games whose decks are built from lists."""
    return tuple(game for game in registry.games_with_decks() if isinstance(game.decks.founding, ConstructedForm))


def _form_of(word: str) -> tuple[Game, ConstructedForm]:
    game = registry.game(word)
    if not isinstance(game.decks.founding, ConstructedForm):
        raise RuleError(phrase("{game} has no deck lists.", game=game.title))
    return game, game.decks.founding


def _word(parts: Mapping[str, bytes], name: str) -> str:
    return parts.get(name, b"").decode("utf-8", "replace").strip()[:200]


def _read_answers(parts: Mapping[str, bytes], holders: Sequence[str] | None) -> ListAnswers:
    """Return what a phone has sent. Raises NotationError if it is no list, RuleError for a person of another seat."""
    content = parts.get("file", b"") or parts.get("text", b"")
    if not content.strip():
        raise NotationError(phrase("No list was sent: choose its file, or paste its text."))
    if len(content) > _MAX_LIST:
        raise NotationError(phrase("That has more than {size} KiB; no deck list is that long.", size=_MAX_LIST // 1024))
    holder = _word(parts, "holder")
    if holders is not None and lists.fold(holder) not in map(lists.fold, holders):
        raise RuleError(_NOT_ALLOWED)
    skips = _word(parts, "skip") == "yes"
    return ListAnswers(_word(parts, "game"), _word(parts, "name"), holder, decode_list(content), ListWishes({}, skips))


def _look_at(archive: Archive, answers: ListAnswers, parts: Mapping[str, bytes]) -> LookPage:
    """Return what a list would be as a deck. Raises NotationError, RuleError."""
    game, form = _form_of(answers.game)
    # The sections are the same in each request, as they follow from the list.
    unclear = form.lists.read(answers.text).open_sections[:_MAX_SECTIONS]
    sections = tuple(
        SectionChoice(field, each.title, each.name, each.cards, _word(parts, field))
        for field, each in zip(("parta", "partb", "partc", "partd", "parte", "partf"), unclear, strict=False)
    )
    wishes = ListWishes({each.title: each.part for each in sections if each.part}, answers.wishes.skips_unread)
    answers = answers._replace(wishes=wishes)
    taken = deck_records.names_taken(archive, game.name, answers.name)
    filled = form.validate_answers(answers.values, FormContext(by=answers.holder, taken=taken))
    deck = form.lists.read(answers.text, read_wishes(answers.values))
    parts_here = tuple((part, declared(part)) for part in form.lists.parts)
    return LookPage(answers, filled, deck, parts_here, sections)


def _build_deck(archive: Archive, page: LookPage) -> str:
    game, _ = _form_of(page.answers.game)
    deck, _ = deck_records.new_deck(archive, game, page.filled)
    return deck
