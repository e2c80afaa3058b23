"""An archive on a server that stalls: a phone is told in time, and what needs no archive is there at once."""

import threading
import time
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from tests.archive import postgres
from tests.web.serving import Answer, Host, serving

pytestmark = pytest.mark.posix

TOLD = 12.0
"""Seconds in which somebody must have an answer: ten, and what a busy machine adds."""
AWAY = "does not answer; repeat once it is there again"


@pytest.fixture
def wire(server: postgres.Server, database: str) -> Iterator[postgres.Wire]:
    """What lies between the pages and their server, and can stall."""
    with postgres.wire(server, database) as between:
        yield between
        between.come_back()


@pytest.fixture
def far_host(wire: postgres.Wire) -> Iterator[Host]:
    """Who serves an archive behind that wire."""
    with Archive.open(wire.url, by="tests") as archive, serving(archive) as host:
        yield host
        wire.come_back()


def test_phones_are_told_in_time_where_the_server_stalls(far_host: Host, wire: postgres.Wire) -> None:
    XX
