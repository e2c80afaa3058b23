"""What is entered after its step has passed: the line that enters it in time is told with the refusal."""

import pytest

from companion.session.core.replay import Replay
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Rejected
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient

ROUND_TWO = (
    *("table decknforge", "seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1"),
    *("reveal ana 9H", "reveal ben 3C", "reveal cy 4D", "next", "damage", "next", "refill minion cy:RJ"),
)


def table(*lines: str) -> TableClient:
    replay = Replay("\n".join((*ROUND_TWO, *lines)))
    assert not [line.failure for line in replay if line.failure]
    return TableClient(SharedSession(replay.session))


def refusal(client: TableClient, text: str) -> str:
    reply = client.enter(text)
    assert isinstance(reply, Rejected)
    return str(reply.sentence)


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        ("spike ana pay KS", "Line 11 was `next`; `insert 11 spike ana pay KS` puts it before that."),
        ("dodge ana 5H", "Line 13 was `next`; `insert 13 dodge ana 5H` puts it before that."),
    ],
)
def test_what_comes_too_late_is_told_where_it_belongs(text: str, way_out: str) -> None:
    client = table()
    sentence = refusal(client, text)
    assert "now is reveal" in sentence
    assert sentence.endswith(way_out)
    assert isinstance(client.enter(way_out.split("`")[3]), ConfirmationNeeded)
    assert isinstance(client.confirm(), ActionDone)


@pytest.mark.parametrize("text", ["refill minion cy:AS", "minion cy:AS"])
def test_another_minion_is_a_correction_until_a_card_is_revealed(text: str) -> None:
    client = table()
    assert isinstance(client.enter(text), ActionDone)
    assert [minion.ref for minion in client.session.state.minions][-1] == "cy:AS"


def test_a_minion_that_cannot_have_come_is_refused_by_the_rule() -> None:
    sentence = refusal(table(), "minion ana:AS")
    assert "`amend 14 refill minion ana:AS` is refused: ana:AS is not in the Minion Pool (R1.30)" in sentence


@pytest.mark.parametrize("text", ["curse ana 9H", "buy ana 9S sharp", "damage"])
def test_of_what_is_yet_to_come_or_was_said_no_earlier_line_is_told(text: str) -> None:
    assert "Line " not in refusal(table(), text)
