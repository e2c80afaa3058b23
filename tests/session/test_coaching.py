"""What would help now: only who asks is answered, only that it was asked is kept, and after two seconds it ends."""

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.session.table.coaching import Coaching
from companion.session.table.confirmations import ActionDone, Rejected
from companion.session.table.shared_session import News, SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.rehearsal import Advice
from companion.tabletop.table.common_actions import Coach

BEGUN = ("seat ana name Ana", "seat ben name Ben", "bosses ana:AS", "active ana", "begin seed 1")
UNDER_ATTACK = (*BEGUN, "reveal ana KS", "reveal ben 10H", "next", "damage")
"""The Boss, of ATK 3, strikes at both."""


class SharedDungeon:
    """A table with the host's screen, and a phone each for Ana and Ben."""

    def __init__(self, *lines: str, game: str = "decknforge") -> None:
        session = Session(Log.open(f"table {game}"))
        for line in lines:
            session.enter(line)
        self.live = SharedSession(session)
        self.host = TableClient(self.live)
        self.ana, self.ben = (self.host.another(seat.capitalize(), seat) for seat in ("ana", "ben"))

    def lines(self) -> tuple[str, ...]:
        """The log since the first fight."""
        return tuple(line.text for line in self.live.session.log.lines)


def answer_of(client: TableClient, text: str, tables: int = 3) -> str:
    """What the coach says to a question after so many imagined tables."""
    reply = client.enter(text)
    assert isinstance(reply, ActionDone), reply
    assert reply.coaching is not None
    ticks = iter(range(1000))
    return str(reply.coaching.answer(tables, lambda: next(ticks)))


def test_the_answer_is_a_line_with_its_odds_and_why() -> None:
    text = answer_of(SharedDungeon(*BEGUN).ana, "coach ana KS QD JC 10H 9S 9C 8D 7D 5H 4C 3S 2S")
    line = re.match(r"What would help Ana: `(reveal ana \w+)`\.", text)
    assert line, text
    assert line[1].split()[-1] in ["KS", "QD", "JC", "10H", "9S", "9C", "8D", "7D", "5H", "4C", "3S", "2S"]
    assert re.search(r"In \d+ % of \d imagined tables the Boss dies within three rounds, in \d+ % by Ana's card", text)
    assert "the next, `reveal ana" in text or "The next, `reveal ana" in text
    assert "imagined." not in text


@pytest.mark.parametrize("kept", [True, False])
def test_the_log_keeps_that_it_was_asked_and_no_card(kept: bool, archive: Archive) -> None:
    dungeon = SharedDungeon(*BEGUN)
    if kept:
        session = archive_journal.start(archive, "decknforge")
        for line in BEGUN:
            session.enter(line)
        dungeon.live = SharedSession(session)
        dungeon.ana = TableClient(dungeon.live, "Ana", "ana")
    before = dungeon.live.session.state
    answer_of(dungeon.ana, "coach ana KS 7H")
    reply = dungeon.ana.enter(f"amend {dungeon.live.length} coach ana QS 7H")
    assert not isinstance(reply, Rejected)
    dungeon.ana.confirm()
    assert next(line for line in dungeon.lines() if "coach" in line) == "coach ana"
    assert not [line for line in dungeon.lines() if "7H" in line]
    assert dungeon.live.session.state == before
    if kept:
        assert not [line.line for line in archive.lines(dungeon.live.session.id) if "7H" in line.line]


def test_others_hear_that_it_was_asked_and_nothing_else() -> None:
    dungeon = SharedDungeon(*BEGUN)
    heard: list[News] = []
    dungeon.ben.watch(heard.append)
    reply = dungeon.ana.enter("coach ana KS 7H")
    assert isinstance(reply, ActionDone)
    assert reply.recall == "coach ana"
    assert [str(news.sentence) for news in heard] == ["Ana asks the coach what would help."]
    assert dungeon.ben.follow()
    assert dungeon.ben.log[-1].entered == dungeon.ben.log[-1].text == "coach ana"


def test_what_was_said_before_holds_until_it_is_played() -> None:
    dungeon = SharedDungeon(*BEGUN)
    answer_of(dungeon.ana, "coach ana 2S 3S")
    assert "9 cards of the hand are imagined" in answer_of(dungeon.ana, "coach ana 4S")
    assert "9 cards of the hand are imagined" in answer_of(dungeon.ana, "coach ana")
    dungeon.host.follow()
    for line in UNDER_ATTACK[len(BEGUN) :]:
        dungeon.host.enter(line.replace("KS", "2S"))
    assert dungeon.ana.follow()
    text = answer_of(dungeon.ana, "coach ana 3S")
    assert "9 cards of the hand are imagined." in text, "3S and 4S are still there; 2S was revealed"
    anew = "KH QH JH 10H 9H 8H 7H 6H 5H 4H 3H"
    assert "imagined" not in answer_of(dungeon.ana, f"coach ana {anew}").replace("imagined table", "")
    assert "3S" not in str(dungeon.ben.enter("coach ana")), "what Ana said on her phone is not known to Ben's"


@pytest.mark.parametrize(
    ("lines", "question", "why"),
    [
        (BEGUN, "coach ana", "No card of Ana's hand is known; name the cards: `coach ana CARD…`."),
        (BEGUN, "coach ana AS", "is a Monster and never in the combat deck"),
        (BEGUN, "coach ana KS QS JS 10S 9S 8S 7S 6S 5S 4S 3S 2S 2H", "Ana has 12 card"),
        ((*BEGUN, "reveal ana KS"), "coach ana QS", "Ana has nothing to decide now"),
        ((*BEGUN, "reveal ana KS", "reveal ben KS"), "coach ben QS", "Ana decides first (R1.22)"),
        ((*BEGUN, "rule track fight"), "coach ana QS", "`rule track all`"),
        ((*BEGUN, "set ana hp 0"), "coach ana QS", "Ana has nothing to decide now"),
        ((*BEGUN, "set ana deck 30"), "coach ana QS 2H", "The cards of Ana do not add up to 48"),
        (BEGUN[:-1], "coach ana QS", "`coach` comes after `begin`"),
    ],
)
def test_what_cannot_be_advised_is_refused_and_not_kept(lines: tuple[str, ...], question: str, why: str) -> None:
    dungeon = SharedDungeon(*lines)
    before = dungeon.lines()
    reply = dungeon.host.enter(question)
    assert isinstance(reply, Rejected)
    assert why in reply.sentence
    assert dungeon.lines() == before


@pytest.mark.parametrize("game", ["solforge", "soulforger", "oddfrontier"])
def test_a_game_without_a_coach_says_so(game: str) -> None:
    reply = SharedDungeon("seat ana", "seat ben", game=game).host.enter("coach ana")
    assert isinstance(reply, Rejected)
    assert re.fullmatch(r"[^.]+ has no coach, as it has no simulated players\.", str(reply.sentence))


def weighed(count: int) -> Iterator[Advice]:
    for number in range(1, count + 1):
        yield Advice(f"Answer {number}.", "Why.")


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (3, "Answer 3. Why."),
        (9, "Answer 4. Why. Cut off after 2 s: with more time it might say otherwise."),
    ],
)
def test_an_answer_is_cut_off_when_its_time_is_over(count: int, text: str) -> None:
    seconds = iter(number * 0.7 for number in range(20))
    assert str(Coaching(Coach("ana"), weighed(count)).answer(2, lambda: next(seconds))) == text


def test_what_breaks_off_leaves_the_best_so_far() -> None:
    def breaking() -> Iterator[Advice]:
        yield from weighed(2)
        raise ZeroDivisionError("nobody there")

    text = Coaching(Coach("ana"), breaking()).answer()
    assert str(text) == "Answer 2. Why. The analysis stopped early (ZeroDivisionError: nobody there)."


def test_a_log_that_says_it_is_replayed_without_weighing() -> None:
    script = (
        "import sys\n"
        "from companion.session.core.session import Session\n"
        "from companion.session.core.log import Line, Log\n"
        f"lines = {['table decknforge', *BEGUN[:-1]]!r} + sys.argv[1:]\n"
        "session = Session.resume(Line(n, line, n) for n, line in enumerate(lines, 1))\n"
        "assert not session.stopping_point\n"
        "assert not [name for name in sys.modules if 'rehearsal' in name], sys.modules\n"
    )
    dungeon = SharedDungeon(*BEGUN)
    answer_of(dungeon.ana, "coach ana KS 7H")
    subprocess.run([sys.executable, "-c", script, *dungeon.lines()[len(BEGUN) :]], check=True)


def test_the_same_position_has_the_same_answer() -> None:
    dungeon = SharedDungeon(*BEGUN)
    first = answer_of(dungeon.ana, "coach ana KS QD 7H")
    for line in ("note a moment ago", "add ana hp -1", "undo"):
        dungeon.host.follow()
        dungeon.host.enter(line)
    dungeon.ana.follow()
    assert answer_of(dungeon.ana, "coach ana 7H KS QD") == first
    assert answer_of(SharedDungeon(*BEGUN).ana, "coach ana QD 7H KS") == first


def test_advice_offers_its_action_with_odds() -> None:
    reply = SharedDungeon(*BEGUN).ana.enter("coach ana KS QD")
    assert isinstance(reply, ActionDone)
    assert reply.coaching is not None
    advice = reply.coaching.advise(0.1)
    assert advice.action is not None
    (share,) = re.findall(r": (\d+) % ± \d+ % that the Boss dies within three rounds$", str(advice.offer))
    assert f"In {share} % of " in str(advice.reason), "the same number in both"


def test_players_read_of_themselves_and_no_odds_twice() -> None:
    reply = SharedDungeon(*BEGUN).ana.enter("coach ana KS QD")
    assert isinstance(reply, ActionDone)
    assert reply.coaching is not None
    advice = reply.coaching.advise(0.1).for_own_seat()
    assert str(advice.text).startswith("This would help you: `reveal ana ")
    assert re.match(
        r"In \d+ imagined fights?, your card kills it in \d+ %, and you fall in \d+ %\.", str(advice.reason)
    )
    assert "dies within" not in str(advice.reason)
    assert "Ana" not in f"{advice.text} {advice.reason}"
