"""What lies face down is told to its owner alone, on every screen and in every line of the log, up to the seal."""

from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.plain.talk import Talk, describe_table
from companion.session.core import archive_journal
from companion.session.core.log import Log
from companion.session.core.moments import Line
from companion.session.core.replay import Replay, as_json
from companion.session.core.session import Session
from companion.session.reports import report
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Rejected
from companion.session.table.shared_session import News, SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.table.choices import Open
from tests.games.constructed.test_table import seated

NAME = "Undertow"
ARMED = ("seat ana name Ana", "seat ben name Ben", "gear ana sword weapon power 3/1", "gear ben axe weapon power 2/1")
MAIN = (*ARMED, "begin seed 1", "keep ana", "keep ben", "next", "next")


class SharedDuel:
    """A table with the host's screen, and a phone each for Ana and Ben."""

    def __init__(self) -> None:
        session = Session(Log.open("table soulforger"))
        for line in MAIN:
            session.enter(line)
        self.live = SharedSession(session)
        self.host = TableClient(self.live)
        self.ana, self.ben = (self.host.another(seat.capitalize(), seat) for seat in ("ana", "ben"))


@pytest.fixture
def duel() -> SharedDuel:
    duel = SharedDuel()
    assert isinstance(duel.ana.enter(f'set-action ana "{NAME}"'), ActionDone)
    assert duel.host.follow()
    assert duel.ben.follow()
    return duel


def screen(client: TableClient) -> Iterator[str]:
    """All that a screen could tell."""
    view = client.view
    yield report.draw(view)
    yield from map(str, describe_table(view))
    yield from view.targets()
    for prompt in view.prompts:
        for answer in prompt.answers:
            yield f"{answer.line} {answer.note}"
    for moment in client.log:
        yield f"{moment.text} {moment.entered}"
        yield from (str(tell.text) for tell in client.describe_moment(moment))
    for text in ("", "a", "action ana ", "action ana set ", "destroy ", "amend 11 ", "amend ", "und"):
        yield from (f"{each.word} {each.title} {each.detail}" for each in client.complete(text))
        yield from (f"{each.name} {each.title} {each.detail}" for each in client.options(text).answers)
    for prompt in view.prompts:
        for answer in prompt.answers:
            choices = client.choices(answer, "name") if "name" in answer.action.__struct_fields__ else ()
            yield from map(str, choices.fitting if isinstance(choices, Open) else choices)
    yield str(client.would_undo())
    yield str(client.would_redo())
    yield str(client.since(1))
    yield str(as_json(client.session))
    yield client.session.export()


def test_what_lies_face_down_is_told_to_its_owner_alone(duel: SharedDuel) -> None:
    assert any(NAME in text for text in screen(duel.ana))
    assert not [text for text in (*screen(duel.host), *screen(duel.ben)) if NAME.lower() in text.lower()]
    (lying,) = duel.host.view.seats[0].zones[-1].things
    assert (str(lying.title), tuple(map(str, lying.flags)), tuple(map(str, lying.notes))) == (
        "Action 1",
        ("face down",),
        ("since turn 1",),
    )
    (own,) = duel.ana.view.seats[0].zones[-1].things
    assert own.title == NAME
    logs = [[tell.text for tell in each.describe_moment(each.log[-1])] for each in (duel.ana, duel.ben)]
    assert logs == [["Ana sets “Undertow” face down."], ["Ana sets an Action face down."]]


def test_nobody_hears_it_when_it_is_entered_taken_back_or_amended(duel: SharedDuel) -> None:
    news: list[News] = []
    duel.host.watch(news.append)
    assert str(duel.ana.undo().sentence) == "Taken back: set-action ana."
    assert str(duel.ana.redo().sentence) == "Done again: set-action ana.", "its owner, too, may be overheard"
    again = 'amend 11 set-action ana "Backdraft"'
    question = duel.ana.enter(again)
    assert isinstance(question, ConfirmationNeeded)
    assert isinstance(duel.ana.confirm(), ActionDone)
    assert "Undertow is gone. Backdraft comes." in question.sentence, "the one who asks is told"
    assert any("Backdraft" in text for text in screen(duel.ana))
    assert isinstance(duel.ana.undo(), ActionDone)
    assert isinstance(duel.ana.redo(), ActionDone)
    heard = (*(each.sentence for each in news), *screen(duel.host))
    assert len(news) == 5
    assert not [text for text in heard if NAME in text or "Backdraft" in text]


def test_what_is_typed_at_the_host_all_the_same_is_not_offered_again() -> None:
    host = SharedDuel().host
    refused = host.enter(f'set-action ben "{NAME}"')
    assert isinstance(refused, Rejected)
    assert NAME not in refused.sentence
    reply = host.enter(f'set-action ana "{NAME}"')
    assert isinstance(reply, ActionDone)
    assert (str(reply.sentence), reply.recall) == ("Ana sets an Action face down.", "set-action ana")
    assert not [text for text in screen(host) if NAME in text]
    assert str(host.explain(f"set-action ana {NAME}")).startswith("Enter: set-action ana  ·  "), "nor before Enter"
    host.enter("set ana hand 0")
    no_card = host.enter('set-action ana "Riptide"')
    assert isinstance(no_card, Rejected)
    assert "Riptide" not in no_card.sentence


def test_a_card_laid_down_without_a_name_gets_it_when_it_is_turned_up() -> None:
    host = SharedDuel().host
    assert str(host.enter("set-action ana").sentence) == "Ana sets an Action face down."
    plays = next(prompt for prompt in host.view.prompts if prompt.seat == "ana")
    assert "action ana set" in [answer.line for answer in plays.answers]
    reply = host.enter('action ana set "Riptide" ronum 1')
    assert str(reply.sentence) == "Ana puts “Riptide” on the Flow, number 1."
    assert host.log[-1].text == 'action ana "Riptide" ronum 1 from set'
    assert host.view.seats[0].zones[-1].name != "actions"


def test_another_name_than_the_owner_gave_is_refused_without_telling_it(duel: SharedDuel) -> None:
    refused = duel.host.enter('action ana set "Undertoe" ronum 1')
    assert str(refused.sentence) == "Ana has not set “Undertoe”; what lies face down (1) was set under another name."
    assert str(duel.host.enter(f'action ana set "{NAME}" ronum 1').sentence).startswith("Ana puts “Undertow”")
    assert any(NAME in text for text in screen(duel.ben)), "it is turned up"


def test_others_destroy_it_by_its_place(duel: SharedDuel) -> None:
    assert (
        str(duel.host.enter("destroy ana-action-1").sentence) == "“Undertow” is destroyed and goes to Ana's graveyard."
    )


def test_its_owner_alone_is_asked_for_the_name(duel: SharedDuel) -> None:
    asking = [
        [answer for prompt in each.view.prompts for answer in prompt.answers if answer.asks == ("name",)]
        for each in (duel.ana, duel.ben, duel.host)
    ]
    assert [len(answers) for answers in asking] == [1, 0, 0]
    assert str(asking[0][0].note) == "an Action face down: note which one; only you see it"


def test_a_log_without_the_names_plays_to_the_same_table(duel: SharedDuel) -> None:
    ahead = [f'set-action ana "{name}"' for name in ("Riptide", "Snare")]
    for line in (*ahead, 'action ana set "Riptide" ronum 1', "resolve", "next", "next", "next"):
        assert isinstance(duel.host.enter(line), ActionDone)
    export = duel.host.session.export()
    assert '"Snare"' not in export
    replay = Replay(export)
    assert not [line.failure for line in replay if line.failure]
    assert report.draw(replay.session.view()) == report.draw(duel.host.view)


def test_a_line_that_the_rules_of_today_refuse_keeps_its_secret() -> None:
    session = Session.resume([Line(n, text, n) for n, text in enumerate(("table soulforger", *MAIN), 1)])
    number = len(session.log.lines) + 1
    session.log.recall(Line(number, f'set-action ben "{NAME}"', number))
    seen = TableClient(SharedSession(session))
    assert seen.session.stopping_point is not None
    assert not [text for text in screen(seen) if NAME in text]
    seen.session.log.recall(Line(number + 1, "undo", number + 1))
    assert session.log.lines[number - 1].text == f'set-action ben "{NAME}"', "what is kept is whole"


def test_after_the_seal_the_log_and_its_files_name_all(archive: Archive) -> None:
    session = seated(archive, "soulforger")
    lines = [line.text for line in session.log.lines[1:]]
    kept = archive_journal.start(archive, "soulforger")
    for line in (*lines, "next", "next", "next", f'set-action ana "{NAME}"', "concede ben"):
        kept.enter(line)
    row = archive.find_session(kept.id)
    public = [line.line for line in archive_journal.lines_for_everybody(archive, row)]
    assert "set-action ana" in public
    assert NAME not in str(public) + kept.seen_by("").export()
    assert NAME in kept.seen_by("ana").export()
    kept.enter("seal")
    row = archive.find_session(kept.id)
    assert NAME in str([line.line for line in archive_journal.lines_for_everybody(archive, row)])
    assert NAME in kept.seen_by("").export()


def test_plain_lines_say_no_secret(duel: SharedDuel) -> None:
    spoken: list[str] = []
    talk = Talk(duel.host, spoken.append)
    for line in ("look", "look ana", "log 20", "list", "undo", f'set-action ana "{NAME}"', "log", "help"):
        talk.hear(line)
    assert not [text for text in spoken if NAME.lower() in text.lower()]


def test_a_card_that_solforge_levels_face_down_is_its_players_alone() -> None:
    session = Session(Log.open("table solforge"))
    for line in ("seat ana name Ana", "seat ben name Ben", "begin seed 1", 'bank ana "Firestorm"'):
        session.enter(line)
    host = TableClient(SharedSession(session))
    assert not [text for text in screen(host) if "Firestorm" in text]
    assert any("levels Firestorm face down" in text for text in screen(host.another("Ana", "ana")))
    assert session.log.lines[-1].text == 'bank ana "Firestorm"'
