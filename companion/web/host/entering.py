"""The link by which the host's browser comes in, a fresh one for another start of the program, and the way out."""

from __future__ import annotations

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from companion.web.host.door import HOST_PATH
from companion.web.host.frame import Host, HostPages, entry_page, find_host_session
from companion.web.host.one_instance import STARTER_PATH, is_signed, sign
from companion.web.pages import redirect


class EnteringRoutes:
    """The pages that begin and end a session of the host."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [
            Route(f"{HOST_PATH}/enter/{{secret}}", self.enter),
            Route(STARTER_PATH, self.start, methods=["POST"]),
            Route(f"{HOST_PATH}/leave", pages.require_host(self.leave), methods=["POST"]),
        ]

    async def enter(self, request: Request) -> Response:
        """Begin a session, if the link is good, and go on to its page, which is mostly the home page."""
        current = find_host_session(request)
        page = self._pages.door.find_page(request.path_params["secret"])
        # Browsers may ask for an address before anybody opens it.
        session = self._pages.door.enter(request.path_params["secret"]) if request.method == "GET" else ""
        if not session:
            return redirect(HOST_PATH) if current else entry_page()
        self._pages.pages.phones.admit_host(session)
        response = redirect(page)
        self._pages.set_cookie(response, session)
        return response

    async def start(self, request: Request) -> Response:
        """Give a link to another start of the program by the same user, who knows the key of this one.

        Raises HTTPException, as for an unknown page, for everybody else.
        """
        find_host_session(request)
        nonce, _, proof = (await request.body()).decode(errors="replace").partition("\n")
        key = self._pages.door.starter_key
        if not nonce or not is_signed(proof, key, "start", nonce):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        path = self._pages.door.make_link()
        return PlainTextResponse(f"{path}\n{sign(key, 'link', nonce, path)}")

    async def leave(self, request: Request, host: Host) -> Response:
        """End this session."""
        await self._pages.read_host_form(request, host)
        self._pages.door.leave(host.id)
        self._pages.pages.phones.forget_host(host.id)
        self._pages.pages.notify()
        response = redirect(HOST_PATH)
        response.delete_cookie(self._pages.cookie, httponly=True, samesite="strict")
        return response
