"""The language of each request: what its reader has chosen on a page, else what their browser asks for.

A choice is kept in a cookie of its own, so that it holds before the PIN and on all pages of this address.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.tabletop.notation.line_texts import lines_in_words
from templates.languages import catalogues
from templates.languages.messages import Language, current_language, speaking

COOKIE: Final = "companion-language"
_FIELD: Final = "language"
_COOKIE_SECONDS: Final = 365 * 24 * 3600
_LONGEST_QUERY: Final = 2_000


class LanguageLink(NamedTuple):
    """A language that readers can choose on a page, by its own name."""

    code: str
    title: str
    is_current: bool


def list_links() -> tuple[LanguageLink, ...]:
    """Return the languages that pages can be read in; none if there is only one."""
    current = current_language()
    finished = catalogues.list_finished()
    others = () if current.code in (language.code for language in finished) else (current,)
    links = tuple(LanguageLink(each.code, each.title, each is current) for each in (*finished, *others))
    return links if len(links) > 1 else ()


class ReaderLanguage:
    """ASGI middleware that answers each request in its reader's language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. `?language=de` chooses a language, and stores the choice in a cookie."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        chosen = _read_choice(scope)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and chosen is not None:
                cookie = f"{COOKIE}={chosen.code}; Max-Age={_COOKIE_SECONDS}; Path=/; SameSite=Lax"
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        # People tap on pages; notation is for those who type at the host's screen.
        with speaking(chosen or _find_language(Headers(scope=scope))), lines_in_words():
            await self._app(scope, receive, send_with_cookie)


def _read_choice(scope: Scope) -> Language | None:
    """Return the language that a request chooses, or None."""
    query = scope.get("query_string", b"")
    if scope["method"] != "GET" or _FIELD.encode() not in query or len(query) > _LONGEST_QUERY:
        return None
    wishes = parse_qs(query.decode("latin-1")).get(_FIELD, [])
    return catalogues.find_language(wishes[0]) if wishes else None


def _find_language(headers: Headers) -> Language:
    """Return the language of the cookie, else the browser's, else that of this process."""
    # Other programs at this address may set cookies that Python's own parser refuses.
    kept = catalogues.find_language(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""))
    if kept is not None:
        return kept
    wishes = catalogues.read_accept_language(headers.get("accept-language", ""))
    return catalogues.choose_language(wishes, current_language())
