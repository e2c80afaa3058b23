"""Lines that end a game or put somebody out: done by their whole word, else asked."""

import pytest

from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Rejected
from companion.session.table.table_client import TableClient
from tests.session.test_going_on import at_table

ALONE = ("seat ana", "active ana", "begin seed 1")
TWO = ("seat ana", "seat ben", "bosses ana:AS", "active ana", "begin seed 1")
LANES = ("seat ana", "seat ben", "begin seed 5", "place ana 1 wolf 9/4 awake", "set ben health 3")
FORGERS = (
    *("seat ana", "seat ben", "gear ana blade weapon power 2/1 hands 1", "gear ben club weapon power 2/1 hands 1"),
    *("begin seed 1", "next", "next", "next"),
)


@pytest.mark.parametrize(
    ("game", "lines", "text", "sentence"),
    [
        ("decknforge", ALONE, "con", "Ana would be out (HP 20 now). The game would be lost."),
        ("decknforge", TWO, "ana con", "Ana would be out (HP 20 now). Ana leaves for good."),
        ("decknforge", TWO, "ben 0", "Ben would be out (HP 20 now)."),
        ("decknforge", TWO, "ben -30", "Ben would be out (HP 20 now)."),
        ("solforge", LANES, "bat", "Ana would win."),
        ("solforge", LANES, "ben 0", "Ana would win."),
    ],
)
def test_an_end_is_asked_about_unless_its_word_is_whole(
    game: str, lines: tuple[str, ...], text: str, sentence: str
) -> None:
    client = at_table(game, *lines)
    before = client.session.state
    reply = client.enter(text)
    assert isinstance(reply, ConfirmationNeeded)
    assert str(reply.sentence).startswith(sentence)
    assert client.session.state == before
    assert isinstance(client.enter(text), ActionDone), "the same once more does it"


@pytest.mark.parametrize(
    ("game", "lines", "text"),
    [
        ("decknforge", ALONE, "concede"),
        ("decknforge", TWO, "ana concede"),
        ("decknforge", TWO, "set ben hp 0"),
        ("solforge", LANES, "battle"),
        ("solforge", LANES, "ben damage 3"),
    ],
)
def test_a_whole_word_ends_it_at_once(game: str, lines: tuple[str, ...], text: str) -> None:
    assert isinstance(at_table(game, *lines).enter(text), ActionDone)


def test_a_win_is_asked_about_as_well() -> None:
    last_boss = ("set boss number 6", "set boss hp 5", "reveal ana KS", "reveal ben 9H", "next")
    client = at_table("decknforge", *TWO, *last_boss)
    reply = client.enter("da")
    assert isinstance(reply, ConfirmationNeeded)
    assert str(reply.sentence).startswith("The game would be won.")
    assert isinstance(client.enter("damage"), ActionDone)


def test_whoever_wants_no_questions_is_asked_before_giving_up_alone() -> None:
    client = at_table("decknforge", *TWO)
    client.warns = False
    assert isinstance(client.enter("ana con"), ConfirmationNeeded)
    assert isinstance(client.enter("ben 0"), ActionDone)


def test_a_begun_verb_of_another_step_is_not_dropped() -> None:
    reply = at_table("decknforge", *TWO).enter("re minion ben:AS")
    assert isinstance(reply, Rejected)
    assert str(reply.sentence).startswith("`refill` belongs to the step")


@pytest.mark.parametrize(
    ("game", "lines", "text", "sentence"),
    [
        ("soulforger", FORGERS, "add ben damage -3", "Damage would stay 0"),
        ("soulforger", FORGERS, "add ben damage -3 a salve", "Damage would stay 0"),
        ("decknforge", TWO, "ana coppers -1", "Coppers would stay 0"),
    ],
)
def test_a_figure_that_stays_what_it_is_is_refused(game: str, lines: tuple[str, ...], text: str, sentence: str) -> None:
    client = at_table(game, *lines)
    reply = client.enter(text)
    assert isinstance(reply, Rejected)
    assert sentence in reply.sentence


@pytest.mark.parametrize("word", ["exit", "quit", "home", "Home "])
def test_three_words_lead_out(word: str) -> None:
    client = at_table("solforge", *LANES)
    assert client.leads_out(word)
    assert str(client.explain(word)) == "Enter: leave the table; it stays as it is."


def test_a_card_that_is_called_so_is_no_way_out() -> None:
    client: TableClient = at_table(
        "solforge", "seat ana", "seat ben", 'lists ana "2 Home | spell"', "first ana", "begin seed 5"
    )
    assert not client.leads_out("home")
    assert client.leads_out("quit")
