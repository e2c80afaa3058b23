"""Unnamed cards that a sum needs are asked about once, at every screen; and can be left open."""

from companion.plain.talk import Talk
from companion.session.core.replay import Replay
from companion.session.reading.table_questions import due_prompts
from companion.session.table.confirmations import ActionDone
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.web import answering
from companion.web.answering import Asking
from tests.session.test_going_on import at_table

TWO = ("seat ana", "seat ben", "bosses ana:AS", "active ana", "begin seed 1")
CONVERTED = (*TWO, "reveal ana 5S", "reveal ben 9H", "foil ana ben pay 2", "next", "convert ana")
QUESTION = "Ana: 2 unnamed cards are committed; how many of them are Spades?"


def questions(client: TableClient) -> list[str]:
    return [str(prompt.text) for prompt in due_prompts(client.view)]


def test_a_shield_asks_how_many_unnamed_cards_are_spades() -> None:
    client = at_table("decknforge", *CONVERTED)
    assert questions(client)[0] == QUESTION
    rows = [(row.line, row.detail) for row in client.options("").answers]
    assert rows == [("spades ana 0", "shield 1"), ("spades ana 1", "shield 2"), ("spades ana 2", "shield 3")]
    assert isinstance(client.enter("1"), ActionDone)
    assert QUESTION not in questions(client)
    assert client.log[-1].text == "spades ana 1"
    reply = client.enter("damage")
    assert isinstance(reply, ActionDone)
    assert "Ana's shield is 2 (5♠: 2 Spades)." in reply.sentence


def test_what_nobody_says_is_said_to_be_unknown() -> None:
    client = at_table("decknforge", *CONVERTED[:-1])
    (converting,) = (prompt for prompt in client.view.prompts if "5♠" in prompt.text)
    assert converting.answer.note == "Converts: shield 1 or more, no damage"
    client.enter("convert ana")
    reply = client.enter("damage")
    assert isinstance(reply, ActionDone)
    unknown = "5♠: 1 Spade; nobody has said how many of the 2 unnamed cards are Spades"
    assert f"Ana's shield is 1 ({unknown})." in reply.sentence


def test_going_on_stops_before_the_question() -> None:
    client = at_table("decknforge", *CONVERTED[:-1])
    client.enter("convert ana", goes_on=True)
    assert client.log[-1].text == "convert ana"
    assert str(client.go_on().sentence).startswith("Ana's shield is 1 (5♠: 1 Spade; nobody has said how many of"), (
        "left out at will"
    )


def test_without_unnamed_cards_nothing_is_asked() -> None:
    named = (*CONVERTED[:-3], "foil ana ben pay 2D 3D", "next", "convert ana")
    assert questions(at_table("decknforge", *named)) == [
        "Resolve the damage; wizards who declared nothing attack the Boss"
    ]


def test_the_question_is_asked_in_plain_lines_and_on_a_phone() -> None:
    client = at_table("decknforge", *CONVERTED)
    heard: list[str] = []
    talk = Talk(client, heard.append)
    assert talk.question.text.startswith("Ana: 2 unnamed cards are committed")
    talk.hear("1")
    assert client.log[-1].text == "spades ana 1"
    asking = Asking.now(at_table("decknforge", *CONVERTED).session)
    (prompt,) = (prompt for prompt in asking.prompts if prompt.text == QUESTION)
    form = answering.opening(asking, prompt, at_once=False)
    assert form is not None
    reached = answering.follow_steps(asking, form.buttons[0].key)
    assert reached.form is not None
    assert [button.name for button in reached.form.buttons] == ["0", "1", "2"]


def test_a_held_card_may_be_among_what_was_paid() -> None:
    held = ("inscribed ana KH royal-decree", "bosses ana:AS", "active ana", "begin seed 1", "hold ana KH")
    client = at_table("decknforge", *TWO[:2], *held, "reveal ana 5S", "reveal ben 9H", "spike ana pay 1")
    assert questions(client)[0] == "Ana: is K♥ still in hand, or among the unnamed cards?"
    assert [answer.line for answer in due_prompts(client.view)[0].answers] == ["hold ana KH", "among ana KH"]
    client.enter("hold ana KH")
    assert not any("K♥" in text for text in questions(client))


def test_an_unnamed_dodge_asks_for_cards_that_act() -> None:
    sturdy = ("inscribed ana 4H sturdy", "bosses ana:AS", "active ana", "begin seed 1")
    lines = (*TWO[:2], *sturdy, "reveal ana 5S", "reveal ben 9H", "next", "damage", "dodge ana 1")
    client = at_table("decknforge", *lines)
    assert questions(client)[0] == "Ana: dodged with 1 unnamed card; was 4♥ among them?"
    client.enter("next")
    reply = client.enter("refill")
    assert isinstance(reply, ActionDone)
    assert "Nobody said whether Ana dodged with 4♥: nothing is counted." in reply.sentence
    assert "among" not in " ".join(questions(client))


def test_lines_about_unnamed_cards_are_read_back() -> None:
    replay = Replay("\n".join(("table decknforge", *CONVERTED, "spades ana 2", "undo")))
    assert not [line.failure for line in replay if line.failure]
    notation = TableClient(SharedSession(replay.session)).notation
    for line in ("spades ana 2", "among ana 7S 4H", "among ana none"):
        assert notation.format(notation.parse(line)) == line
