"""An archive on a server that stalls: a phone is told in time, and what needs no archive is there at once."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from companion.archive import Archive
from tests.archive import postgres
from tests.web.serving import Answer, Host, serving

pytestmark = pytest.mark.posix

ANSWER_SECONDS = 12.0
"""Seconds in which somebody must have an answer: ten, and what a busy machine adds."""
AWAY = "does not answer; try again once it is back"


@pytest.fixture
def far_host(wire: postgres.Wire) -> Iterator[Host]:
    """Who serves an archive behind that wire."""
    with Archive.open(wire.url, by="tests") as archive, serving(archive, permissions="own") as host:
        yield host
        wire.come_back()


def test_phones_are_told_in_time_where_the_server_stalls(far_host: Host, wire: postgres.Wire) -> None:
    session = far_host.fight()
    ana = far_host.phone("Ana")
    ana.sit(session, "ana")
    page = ana.get(f"/t/{session}")
    answers: dict[str, tuple[Answer, float]] = {}

    def ask(name: str, what: Callable[[], Answer]) -> None:
        began = time.monotonic()
        answer = what()
        answers[name] = answer, time.monotonic() - began

    fields = {"at": "5", "text": "who is there?"}
    questions: dict[str, Callable[[], Answer]] = {
        "tables": lambda: ana.get("/"),
        "decks": lambda: ana.get("/decks"),
        "note": lambda: ana.post(f"/t/{session}/note", page.token, **fields),
        "another": lambda: ana.post(f"/t/{session}/note", page.token, **fields),
        "stranger": lambda: far_host.stranger().post("/pin", page.token, pin="271828"),
    }
    wire.stall()
    asking = [threading.Thread(target=ask, args=question) for question in questions.items()]
    for thread in asking:
        thread.start()
    time.sleep(1)
    ask("table", lambda: ana.get(f"/t/{session}"))
    for thread in asking:
        thread.join()
    wire.come_back()
    assert {name for name, (_, took) in answers.items() if took > ANSWER_SECONDS} == set()
    assert answers["table"][0].status == 200
    assert answers["table"][1] < 3
    for name in ("tables", "decks"):
        assert answers[name][0].status == 503
        assert AWAY in answers[name][0].text
    for name in ("note", "another"):
        assert answers[name][0].status == 409
        assert AWAY in answers[name][0].text or "Another line is being kept" in answers[name][0].text
    assert ana.post(f"/t/{session}/note", page.token, **fields).status == 303
