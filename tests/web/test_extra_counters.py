"""Phones add counters to a table, and change them like those of its game."""

import re
from collections.abc import Iterator
from urllib.parse import quote_plus, unquote_plus

import pytest

from companion.archive import Archive
from tests.web.serving import Host, Phone, serving
from tests.web.test_permissions import _send, lines, seated


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    with serving(archive, permissions="own") as host:
        yield host


def offers(phone: Phone, session: str) -> list[str]:
    """The beginnings of answers by which a phone can add a counter."""
    page = phone.get(f"/t/{session}").text
    return [unquote_plus(each) for each in re.findall(r'answer\?said=([^"]+)" data-here>Count something else', page)]


def test_a_phone_counts_something_for_its_seat(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    (beginning,) = offers(ben, session)
    question = ben.get(f"/t/{session}/answer?said={quote_plus(beginning)}").text
    assert "What do you count?" in question
    named = _send(ben, session, "answer", said=beginning, typed="Spell counters")
    assert named.status == 303, "it asks on: from which number"
    number_form = ben.get(named.leads_to).text
    assert "From which number on?" in number_form
    assert 'name="typed" autocomplete="off" value="0"' in number_form, "nobody has to type where counting begins"
    assert _send(ben, session, "answer", said=f"{beginning}›=Spell counters", typed="2").leads_to == f"/t/{session}"
    assert lines(host, session)[-1] == ("track spell-counters ben start 2", "Ben")
    page = ben.get(f"/t/{session}").text
    assert "Spell counters" in page
    assert _send(ben, session, "change", target="ben", counter="spell-counters", amount="1", sign="+").status == 303
    assert lines(host, session)[-1] == ("add ben spell-counters +1", "Ben")


def test_only_the_own_seat_is_counted_for(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    (beginning,) = offers(ben, session)
    before = lines(host, session)
    step = beginning.replace("ben", "ana") + "›=runes›=1"
    assert _send(ben, session, "answer", step=step).status == 403
    assert lines(host, session) == before


def test_with_all_permissions_the_table_counts_too(host: Host) -> None:
    session = host.fight()
    ana = seated(host, session, "ana", "all")
    beginning = next(each for each in offers(ana, session) if each.startswith(":track") and "boss" not in each)
    assert _send(ana, session, "answer", said=f"{beginning}›=omens", typed="4").leads_to == f"/t/{session}"
    assert lines(host, session)[-1][0] == "track omens start 4"
    assert _send(ana, session, "change", target="table", counter="omens", amount="2", sign="-").status == 303
    assert lines(host, session)[-1][0] == "add table omens -2"


def test_a_table_that_is_over_counts_nothing_more(host: Host) -> None:
    session = host.fight()
    ben = seated(host, session, "ben")
    host.sitting(session).enter("set table outcome loss")
    assert offers(ben, session) == []
