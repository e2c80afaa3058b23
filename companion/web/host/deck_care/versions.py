"""The versions of a deck's list side by side, and the later editions of its game's page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import pairwise
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.archive import Archive, ArchiveError, DeckRow, StoryLine, deck_id, deck_records
from companion.archive.exchange import pages as game_pages
from companion.archive.storage.rows import PageRow
from companion.games import registry
from companion.tabletop.decks.decklist import change_text, part_sizes
from companion.tabletop.decks.keeping import ListVersion
from companion.tabletop.decks.portrait import Chart, DeckVerdict, Listing
from companion.tabletop.text import signed_figure
from companion.web.host.decks import DECKS_PATH
from companion.web.host.frame import Host, HostPages
from companion.web.pages import redirect
from templates.languages.messages import Text, phrase

VERSIONS_PATH: Final = "/host/versions"
EDITION_PATH: Final = "/host/edition"
_VERSION: Final = re.compile(r"[0-9]{1,6}")


class ShownVersion(NamedTuple):
    """A version of a deck's list: its number, when and by whom it was made, its size, and what it changed."""

    version: int
    line: StoryLine | None
    sizes: Text
    change: Text


class ShownCard(NamedTuple):
    """A card of a list; `change` is the difference in copies to the other version, "" if there is none."""

    copies: str
    name: Text
    about: tuple[Text, ...]
    change: str


class ShownListing(NamedTuple):
    """Cards under a title."""

    title: Text
    cards: tuple[ShownCard, ...]


class VersionSide(NamedTuple):
    """One of two versions that are compared: what the rules say of it, its curves, and its cards."""

    version: ShownVersion
    verdicts: tuple[DeckVerdict, ...]
    charts: tuple[Chart, ...]
    listings: tuple[ShownListing, ...]


class LaterEdition(NamedTuple):
    """A later edition of a deck's page, and its changes, a sentence each."""

    page: PageRow
    changes: tuple[Text, ...]


class VersionRoutes:
    """The pages of a deck's versions and of its edition."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [
            Route(VERSIONS_PATH, pages.require_host(self.versions)),
            Route(EDITION_PATH, pages.require_host(self.editions)),
            Route(EDITION_PATH, pages.require_host(self.take_edition), methods=["POST"]),
        ]

    async def versions(self, request: Request, host: Host) -> Response:
        """Show all versions of a deck's list, and two of them side by side."""
        return await run_in_threadpool(self._show_versions, request.query_params, host)

    def _show_versions(self, query: Mapping[str, str], host: Host) -> Response:
        archive = self._pages.archive
        row = find_deck_row(archive, query.get("deck", ""))
        lists = deck_records.deck_lists(archive, row.deck)
        if not lists:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        versions = tuple(list_versions(archive, row, lists))
        numbers = [version.version for version in versions]
        older, newer = sorted(_choose_version(query.get(side, ""), numbers) for side in ("older", "newer"))
        if older == newer and len(numbers) > 1:
            older, newer = numbers[-2:]
        pair = [lists[numbers.index(number)] for number in (older, newer)]
        sides = [
            compare_version(row, versions[numbers.index(version.version)], version, other)
            for version, other in zip(pair, reversed(pair), strict=True)
        ]
        return self._pages.render_host(
            "host/versions.html",
            host,
            here=DECKS_PATH,
            row=row,
            versions=versions,
            sides=sides if older != newer else sides[:1],
            change=change_text(pair[0].cards, pair[1].cards),
        )

    async def editions(self, request: Request, host: Host) -> Response:
        """Show what later editions of a deck's page change for it."""
        return await run_in_threadpool(self._show_editions, request.query_params.get("deck", ""), host)

    def _show_editions(self, deck: str, host: Host, wrong: Text = "", status: HTTPStatus = HTTPStatus.OK) -> Response:
        row = find_deck_row(self._pages.archive, deck)
        if not row.page:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return self._pages.render_host(
            "host/edition.html",
            host,
            here=DECKS_PATH,
            status=status,
            row=row,
            edition=registry.game(row.game, row.page).edition,
            later=tuple(list_later(self._pages.archive, row)),
            wrong=wrong,
        )

    async def take_edition(self, request: Request, host: Host) -> Response:
        """Have a deck follow a later edition from now on."""
        fields = await self._pages.read_host_form(request, host)
        return await run_in_threadpool(self._take_edition, fields.get("deck", ""), fields.get("page", ""), host)

    def _take_edition(self, deck: str, page: str, host: Host) -> Response:
        archive = self._pages.archive
        row = find_deck_row(archive, deck)
        try:
            game_pages.take_edition(archive, row, page)
            row = archive.find_deck(row.deck)
        except ArchiveError as error:
            return self._show_editions(deck, host, error.message, HTTPStatus.CONFLICT)
        edition = registry.game(row.game, row.page).edition
        self._pages.door.leave_message(host.id, phrase("It uses edition {number} from now on.", number=str(edition)))
        return redirect(f"/d/{row.deck}")


def find_deck_row(archive: Archive, deck: str) -> DeckRow:
    """Return the deck with an id. Raises HTTPException."""
    try:
        row = archive.find_deck(deck)
    except (ArchiveError, deck_id.DeckIdError):
        raise HTTPException(HTTPStatus.NOT_FOUND) from None
    if row.deck != deck:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return row


def _choose_version(text: str, numbers: Sequence[int]) -> int:
    """Return the requested version, by default the last one."""
    number = int(text) if _VERSION.fullmatch(text) else 0
    return number if number in numbers else numbers[-1]


def list_versions(archive: Archive, row: DeckRow, lists: Sequence[ListVersion]) -> Iterator[ShownVersion]:
    """Yield the versions of a deck's list, oldest first, with what each changed."""
    story = {line.number: line for line in archive.story(row.deck)}
    changes = {after.version: change_text(before.cards, after.cards) for before, after in pairwise(lists)}
    for one in lists:
        yield ShownVersion(one.version, story.get(one.mark), part_sizes(one.cards), changes.get(one.version, ""))


def compare_version(row: DeckRow, heading: ShownVersion, version: ListVersion, other: ListVersion) -> VersionSide:
    """Return a version with its differences to another one marked."""
    parts = registry.game(row.game, row.page).decks.list_portrait(version.cards, other.cards).parts
    return VersionSide(
        heading,
        tuple(part for part in parts if isinstance(part, DeckVerdict)),
        tuple(part for part in parts if isinstance(part, Chart)),
        tuple(_show_listing(part) for part in parts if isinstance(part, Listing)),
    )


def _show_listing(listing: Listing) -> ShownListing:
    cards = (
        ShownCard(_show_figure(line.count), line.name, line.about, signed_figure(line.change) if line.change else "")
        for line in listing.lines
    )
    return ShownListing(listing.title, tuple(cards))


def _show_figure(count: int) -> str:
    return str(count) if count else ""


def list_later(archive: Archive, row: DeckRow) -> Iterator[LaterEdition]:
    """Yield the later editions of a deck's page, the earliest first, each with its changes."""
    for page in game_pages.later_editions(archive, row):
        yield LaterEdition(page, game_pages.edition_changes(archive, row, page))
