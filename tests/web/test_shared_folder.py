"""A phone at one device, and a screen at another that shares its archive through a folder."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.archive.sharing.schedule import SharingSchedule
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from tests.archive.sharing.homes import SharedHome
from tests.web.serving import PATIENCE, serving
from tests.web.test_permissions import lines, seated, step


def _wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_what_a_phone_answers_is_on_the_screen_of_another_device(tmp_path: Path) -> None:
    """Two devices see one folder; each program looks into it while it runs."""
    host_home, ana = SharedHome(tmp_path, "host"), SharedHome(tmp_path, "ana")
    ana.folder.rmdir()
    ana.folder.symlink_to(host_home.folder)
    for home in (host_home, ana):
        home.share()
    with (
        serving(host_home.archive, permissions="own") as host,
        SharingSchedule(host_home.archive, every=0.1),
        SharingSchedule(ana.archive, every=0.1),
    ):
        session = host.fight()
        count = len(lines(host, session))
        _wait_until(lambda: [row.lines for row in ana.archive.sessions()] == [count])
        tables = SharedSessions(ana.archive)
        screen = TableClient(tables.open(session))
        ben = seated(host, session, "ben")
        page = ben.get(f"/t/{session}")
        (at,) = set(re.findall(r'data-length="(\d+)"', page.text))
        assert ben.post(f"/t/{session}/answer", page.token, at=at, step=step("ben", "QH")).status == 303

        def reads(line: str) -> bool:
            tables.catch_up()
            return screen.session.lines()[-1] == line

        _wait_until(lambda: reads("reveal ben QH"))
        assert lines(host, session)[-1] == ("reveal ben QH", "Ben")
        screen.enter("reveal cy 3D")
        _wait_until(lambda: lines(host, session)[-1][0] == "reveal cy 3D")
        host.sessions.catch_up()
        assert "3♦" in ben.get(f"/t/{session}").text
    for home in (host_home, ana):
        home.close()
