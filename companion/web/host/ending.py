"""The end of the program from the host's pages, for hosts who have no terminal to press Ctrl+C in."""

from __future__ import annotations

from typing import Final

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.web.host.door import HOST_PATH
from companion.web.host.frame import Host, HostPages
from templates.languages.messages import all_of, phrase

END_PATH: Final = f"{HOST_PATH}/end"


class EndingRoutes:
    """The pages that ask whether the program should end, and end it."""

    def __init__(self, pages: HostPages) -> None:
        self._pages = pages
        self.routes = [
            Route(END_PATH, pages.require_host(self.ask)),
            Route(END_PATH, pages.require_host(self.end), methods=["POST"]),
        ]

    async def ask(self, _: Request, host: Host) -> Response:
        """Say who would lose their pages, and ask."""
        phones = self._pages.pages.phones
        await run_in_threadpool(phones.refresh)
        here = [phone.label for phone in phones.all() if phones.is_here(phone) and not phone.away]
        losses = (
            phrase("These phones lose their pages until the companion is started again: {names}.", names=all_of(here))
            if here
            else ""
        )
        return self._pages.render_host("host/ending.html", host, losses=losses)

    async def end(self, request: Request, host: Host) -> Response:
        """Say goodbye, and end the program once that is sent."""
        await self._pages.read_host_form(request, host)
        response = self._pages.render_host("host/ending.html", host, is_over=True)
        response.background = BackgroundTask(self._pages.end_program)
        return response
