"""A log that today's rules refuse at a line, heard in plain lines: it is asked how to go on."""

from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.plain.talk import Talk
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from tests.session.test_stopped import PLAYED, Lenient, kept_lines


@pytest.fixture(autouse=True)
def stricter_rules_later() -> Iterator[None]:
    """The lenient edition is in force until a log was kept by it."""
    registry.register(Lenient())
    yield
    registry.register(Lenient())


def test_it_is_asked_how_to_go_on_and_a_new_line_is_typed(archive: Archive) -> None:
    output: list[str] = []
    client = TableClient(SharedSessions(archive).open(kept_lines(archive, *PLAYED)))
    talk = Talk(client, output.append)
    talk.hear("again")
    assert output[0].startswith("Line 8, spend ben heal, does not fit today's rules: Healing is out (edition 2).")
    assert output[1].startswith("1. amend 8 ACTION: ")
    assert output[2].startswith("2. resume-from ")
    output.clear()
    talk.hear("1")
    assert output == ["amend 8: action (ACTION)?", "Type a whole line."]
    talk.hear("spend ben strike")
    assert output[-1].startswith("What would follow: Amended: spend ben heal to spend ben strike.")
    talk.hear("yes")
    assert client.session.stopping_point is None
    assert len(client.log) == 9
