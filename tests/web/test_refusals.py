"""Answers that the table refuses: each is asked again in its place, with the reason and all that was said."""

import html
import re
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from tests.web.serving import Answer, Host, Phone, serving

FOIL = "ana:foil ana ben pay CARD…|N"


@pytest.fixture
def host(archive: Archive) -> Iterator[Host]:
    """Who lets people answer for their own seats."""
    with serving(archive, permissions="own") as host:
        yield host


class Fight:
    """Ana's phone at a fight in which everybody has revealed a card."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.session = host.fight()
        for line in ("reveal ana 9S", "reveal ben QH", "reveal cy 6C"):
            host.sitting(self.session).enter(line)
        self.ana = host.phone("Ana")
        self.ana.sit(self.session, "ana")
        self.token = self.ana.get(f"/t/{self.session}").token

    @property
    def lines(self) -> list[str]:
        """The log."""
        return [line.line for line in self.host.archive.lines(self.session)]

    def say(self, at: int = 0, phone: Phone | None = None, **fields: str) -> Answer:
        """Send one step of an answer from a page that showed a log of `at` lines."""
        at = at or len(self.lines)
        return (phone or self.ana).post(f"/t/{self.session}/answer", self.token, at=str(at), **fields)


def question_text(answer: Answer) -> str:
    """What stands on a page in place of an answer, as text."""
    section = re.findall(r'id="answering"[^>]*>(.*?)</section>', answer.text, re.DOTALL)[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", section)).split())


def test_a_price_that_was_not_paid_is_asked_again(host: Host) -> None:
    fight = Fight(host)
    before = fight.lines
    refused = fight.say(said=FOIL, typed="KS")
    assert refused.status == 409
    assert question_text(refused).startswith("Foil Ben · What do you pay with? A Foil costs 2 cards; 1 was paid.")
    assert f'name="said" value="{FOIL}"' in refused.text
    assert 'name="typed" autocomplete="off" value="KS"' in refused.text
    assert fight.lines == before
    assert fight.say(said=FOIL, typed="KS 5S").status == 303
    assert fight.lines[-1] == "foil ana ben pay KS 5S"


def test_a_card_that_can_be_chosen_no_more_is_named(host: Host) -> None:
    refused = Fight(host).say(step=f"{FOIL}›+KS›+KS")
    assert refused.status == 409
    assert "Foil Ben · K♠ · What do you pay with? This choice is no longer available." in question_text(refused)
    assert "You entered: K♠." in question_text(refused)


def test_a_change_in_between_leaves_the_answer_begun(host: Host) -> None:
    fight = Fight(host)
    at = len(fight.lines)
    host.sitting(fight.session).enter("add ana hp -1")
    refused = fight.say(at, step=f"{FOIL}›+KS›+5S")
    assert refused.status == 409
    assert "came first: Ana: HP 20 → 19, by hand. Your answer was not carried out" in question_text(refused)
    assert "Foil Ben · K♠ · What do you pay with?" in question_text(refused)
    assert fight.say(step=f"{FOIL}›+KS›+5S").status == 303


def test_of_a_question_that_is_gone_the_answer_is_shown(host: Host) -> None:
    fight = Fight(host)
    at = len(fight.lines)
    host.sitting(fight.session).enter("next")
    refused = fight.say(at, said=FOIL, typed="KS 5S", asked="Foil Ben · What do you pay with?")
    assert refused.status == 409
    assert "came first: Ana, Ben and Cy pass." in question_text(refused)
    assert "You entered: Foil Ben · What do you pay with? K♠ 5♠" in question_text(refused)


def test_what_was_done_already_is_not_asked_again(host: Host) -> None:
    fight = Fight(host)
    at = len(fight.lines)
    assert fight.say(at, said=FOIL, typed="KS 5S").status == 303
    refused = fight.say(at, said=FOIL, typed="KS 5S")
    assert "You have already done this" in question_text(refused)
    assert 'name="said"' not in refused.text.partition('id="asked"')[0]
