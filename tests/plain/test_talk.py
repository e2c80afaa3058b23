"""A table in plain lines: what is said of it, and everything that can be typed for an answer."""

import contextlib
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.archive import Archive
from companion.games import registry
from companion.games.described import load
from companion.games.solforge.rules.actions import Banish, MoveCreature
from companion.plain import opening, talk
from companion.plain.talk import HELP, Talk
from companion.session.core import archive_journal
from companion.session.core.changes import describe, differences
from companion.session.core.log import Log
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading.table_questions import Question
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded
from companion.session.table.shared_session import SharedSession, SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.table.choices import Open
from companion.tabletop.table.table import TableView, draft
from tests.archive import crowns
from tests.games import miniature  # noqa: F401 – registers the duel
from tests.games.described import pages
from tests.games.described.shown import CROWN_PLAYED, PLACES_PLAYED, TRICKS_PLAYED
from tests.printing import evenings

SET_UP = ("seat ana", "seat ben", "begin seed 7")
FIRST_DRAW = ("draw ana 9S",)
SHOP = (
    *("seat ana", "inscribed ana 8S sharp", "inscribed ana 7S sharp", "purse ana 20", "begin seed 1"),
    "set table outcome loss",
    "fade ana 8S",
    "pick ana ana",
)


class Spoken:
    """A talk, and what was said in it since it was last asked."""

    def __init__(self, *lines: str, game: str = "duel") -> None:
        replay = Replay("\n".join((f"table {game}", *lines)))
        assert not [line.failure for line in replay if line.failure]
        self.client = TableClient(SharedSession(replay.session))
        self.output: list[str] = []
        self.talk = Talk(self.client, self.output.append)

    def __call__(self, *typed: str) -> list[str]:
        self.output.clear()
        for text in typed:
            self.talk.hear(text)
        return list(self.output)

    def life(self, seat: str) -> int:
        counters = self.client.view.counters_of(seat) or ()
        return next(c.number for c in counters if c.name == "life" and c.number is not None)


CHOICE = ("Ana strikes or heals.", "1. spend ana strike", "2. spend ana heal")
PUT_RIGHT = "{}. Put a figure right"
"""What stands last among what is possible."""


@pytest.mark.parametrize("typed", ["2", "heal", "HEAL", "spend ana heal", " 2 "])
def test_an_answer_is_its_number_its_words_or_the_whole_line(typed: str) -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    output = spoken(typed)
    assert "Ana heals with 9: Ana has 24 life." in output
    assert output[-3:] == ["Ben draws a card.", "1. draw ben", PUT_RIGHT.format(2)]
    assert spoken.life("ana") == 24


def test_each_change_is_a_sentence_and_then_the_table_asks_on() -> None:
    spoken = Spoken(*SET_UP)
    assert spoken("draw ana 9S") == [
        "By hand: Ana draws 9♠.",
        "Pile: Cards 9 to 8. Step Draw to Spend.",
        "Ana strikes or heals.",
        "1. spend ana strike",
        "2. spend ana heal",
        PUT_RIGHT.format(3),
    ]


def test_figures_can_be_left_out() -> None:
    spoken = Spoken(*SET_UP)
    assert len(spoken("brief")) == 1
    assert "Cards 9 to 8" not in " ".join(spoken("draw ana 9S"))
    spoken("full")
    assert "Ben: Life 20 to 11." in " ".join(spoken("strike"))


def test_what_nothing_tells_is_told_by_its_line() -> None:
    spoken = Spoken("seat ana", "deck-size ana 40", game="solforge")
    assert spoken("first ana")[0] == "Ana has the first turn."
    assert spoken("deck-size ana 30")[0] == "deck-size ana 30"


@pytest.mark.parametrize("typed", ["9", "17"])
def test_a_number_that_is_no_answer_is_said(typed: str) -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    assert spoken(typed) == [f"There is no answer {typed}; again reads the answers out once more."]
    assert spoken("again") == [*CHOICE, PUT_RIGHT.format(3)]


def test_what_is_refused_says_why_and_changes_nothing() -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    assert spoken("drow ana")[0].startswith("“drow” is not an action here; did you mean draw")
    assert spoken("draw ben") == ["Not now: Ana strikes or heals."]
    assert spoken.life("ben") == 20


def test_comments_and_blanks_do_nothing() -> None:
    assert Spoken(*SET_UP)("", "   ", "# a remark") == []


def test_what_lasts_is_asked_about_before_it_is_done() -> None:
    spoken = Spoken(*SET_UP, "draw ana 9S", "spend ana strike")
    (question,) = spoken("amend 6 spend ana heal")
    assert question.startswith("What would follow: Amended: spend ana strike to spend ana heal.")
    assert question.endswith("Type yes to do it, no to let it be.")
    assert spoken("no")[0] == "Nothing was done."
    assert spoken("amend 6 spend ana heal") == [question], "it is asked about again"
    assert spoken("draw ben 8S")[0] == "By hand: Ben draws 8♠.", "any other line lets it be"
    spoken("undo", "amend 6 spend ana heal", "yes")
    assert (spoken.life("ana"), spoken.life("ben")) == (24, 20)


def end_of(place: Path, *typed: str) -> str:
    """The last sentence of a talk at a kept table, up to the command that goes on."""
    output: list[str] = []
    with Archive.open(str(place)) as archive:
        session = archive_journal.start(archive, "duel")
        for line in SET_UP:
            session.enter(line)
        Talk(TableClient(SharedSession(session)), output.append).run(iter(typed))
    return output[-1].partition(" Go on with")[0]


def test_who_leaves_is_told_what_is_kept_and_what_was_refused(tmp_path: Path) -> None:
    place = tmp_path / "archive.sqlite"
    assert end_of(place, "draw ana 9S") == "Everything is kept."
    assert end_of(place, "quit") == "Everything is kept."
    nothing = "Nothing was kept now, as every line was refused; what was there before is."
    assert end_of(place, "spend ana heal", "nonsense") == nothing
    assert end_of(place, "nonsense", "draw ana 9S") == "What was done is kept; 1 line was refused."


def test_undo_and_redo_say_what_they_did() -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    assert spoken("undo")[0] == "Taken back: draw ana 9S. With the cards, undo: Ana draws 9♠."
    assert spoken("redo")[0] == "Done again: draw ana 9S."


def test_parts_of_a_line_are_asked_one_after_the_other() -> None:
    spoken = Spoken("seat ana", "seat ben", "begin seed 1", game="solforge")
    assert spoken("list")[0].startswith("1. forge ana N THING ATK/HEALTH")
    assert spoken("1")[:3] == [
        "forge ana: lane (N)?",
        "1. Forge in lane 1: empty; opposite: nobody",
        "2. Forge in lane 2: empty; opposite: nobody",
    ]
    assert spoken("3") == ["forge ana 3: its name (THING)?", "Type a name for the creature."]
    spoken("back")
    assert spoken("forge")[0] == "forge ana: lane (N)?", "of two ways that begin alike it is the first"
    spoken("3")
    assert spoken("look ana")[0].startswith("Ana (active): Health 120 of 120"), "one can look in between"
    assert spoken("bear")[0] == "forge ana 3 bear: figures (ATK/HEALTH)?"
    assert spoken("strong") == ["“strong” is not two numbers; write ATK/HEALTH, as 3/2."]
    assert spoken("4/4")[0].startswith("By hand: Ana Forges Bear 4/4 in lane 3")


def test_what_people_choose_first_is_asked_first() -> None:
    spoken = Spoken(*SHOP, game="decknforge")
    answer = next(answer for answer in spoken.talk.question.answers if "buy inscriptions" in talk.answer_text(answer))
    assert spoken(answer.key)[0].startswith("buy ana: inscription (")
    assert spoken("sharp")[0].startswith("buy ana: card (")
    assert "Ana" in spoken("9s")[0]


def test_a_question_is_left_by_another_line_or_by_going_back() -> None:
    spoken = Spoken("seat ana", "seat ben", "begin seed 1", game="solforge")
    assert spoken("2")[-1] == "Type its name."
    assert spoken("back")[0].startswith("Ana: Forge, cast, or level a card")
    spoken("2")
    assert spoken("forge ana 3 bear 4/4")[0].startswith("By hand: Ana Forges Bear")


def test_where_a_number_is_an_answer_itself_it_means_itself() -> None:
    spoken = Spoken(
        "seat ana", "seat ben", "begin seed 1", "forge ana 1 wolf 1/1 has mobility=2 aggressive", game="solforge"
    )
    question = talk.field_question(spoken.client, draft(MoveCreature, handle="wolf"))
    assert [talk.row(answer)[:17] for answer in question.answers] == ["2. Move to lane 2", "3. Move to lane 3"]
    assert talk.chosen_answer(question, "1") is None


@pytest.mark.parametrize(
    "line", ["look", "look ana", "look Ana", "look pile", "log", "log 2", "help", "help draw", "clock"]
)
def test_what_can_be_asked_for_is_said_and_changes_nothing(line: str) -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    before = spoken.client.log
    assert spoken(line)
    assert spoken.client.log == before


def test_what_a_line_can_mostly_do_without_is_asked_where_it_is_needed() -> None:
    spoken = Spoken("seat ana", "seat ben", "begin seed 1", "set ana hand 0", game="solforge")
    question = talk.doubt_question(spoken.client, draft(Banish, target="ana", cards=1, level=1))
    assert question is not None
    assert question.text.startswith("banish ana 1: from (")
    assert [talk.answer_words(answer)[0] for answer in question.answers] == ["deck"]
    spoken.talk.question = question
    spoken("1")
    assert spoken.client.log[-1].text == "banish ana 1 from deck"
    assert talk.doubt_question(spoken.client, draft(MoveCreature, handle="nobody", lane=1)) is None


def test_where_nothing_fits_that_is_said() -> None:
    spoken = Spoken("seat ana", "seat ben", "begin seed 1", game="solforge")
    question = talk.field_question(spoken.client, draft(MoveCreature, handle="nobody"))
    assert list(talk.rows(question)) == ["move nobody: lane (N)? Nothing fits there now."]


def test_what_another_window_did_first_is_said_and_nothing_else_done(archive: Archive, place: str) -> None:
    session = archive_journal.start(archive, "duel")
    for line in SET_UP:
        session.enter(line)
    output: list[str] = []
    talk = Talk(TableClient(SharedSessions(archive).open(session.id)), output.append)
    with Archive.open(place, by="elsewhere") as other:
        archive_journal.resume(other, session.id).enter("draw ana 9S")
    talk.hear("draw ana 8S")
    assert output[0] == "In another window: Ana draws 9♠."
    assert output[1].startswith("Another window has played on at this table")
    assert output[-4:] == [*CHOICE, PUT_RIGHT.format(3)]
    talk.hear("heal")
    assert archive_journal.resume(archive, session.id).moments()[-1].text == "spend ana heal"


def test_what_others_do_is_said_at_once_and_the_question_that_is_left_asked_again() -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    output, guest = spoken.output, spoken.client.another(by="Ben")

    def typed() -> Iterator[str]:
        output.clear()
        assert isinstance(guest.enter("note wait"), ActionDone)
        yield "brief"

    assert not spoken.talk.run(typed())
    assert output[0] == "Note: wait"
    assert output[1] == CHOICE[0]


def test_what_was_asked_about_is_let_be_where_somebody_else_was_first() -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    output, guest = spoken.output, spoken.client.another(by="Ben")

    def typed() -> Iterator[str]:
        yield "amend 5 draw ana 8S"
        assert output[-1].endswith("Type yes to do it, no to let it be.")
        assert isinstance(guest.enter("undo"), ActionDone | ConfirmationNeeded)
        guest.confirm()
        assert "Your action was not done: somebody else was first." in output
        yield "yes"

    spoken.talk.run(typed())
    assert "draw ana 8S" not in spoken.client.session.export()


def test_a_look_says_the_whole_table_or_one_of_it() -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    assert spoken("look") == [
        "Duel. Step: Spend. Turn 1.",
        "Middle: Pile: Cards 8.",
        "Ana: Life 20 of 20.",
        "Ben: Life 20 of 20.",
    ]
    assert spoken("look ben") == ["Ben: Life 20 of 20."]
    assert spoken("look cy") == ["There is no cy on the table; there are table, ana, ben, pile."]


def test_a_look_says_house_rules_and_how_it_ended() -> None:
    spoken = Spoken("seat ana", "seat ben", "rule tie sudden-death", "begin seed 1", "concede ana", game="solforge")
    output = spoken("look")
    assert "House rules: tie sudden-death." in output
    assert "Ben has won." in output
    assert spoken("again") == ["Nothing is asked now. Type a line, or help."]


def test_the_log_is_said_with_the_numbers_that_amend_takes() -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    assert spoken("log 2") == ["Line 4, begin seed 7.", "Line 5, draw ana 9S: Ana draws 9♠."]


def test_where_several_people_enter_lines_the_log_says_who() -> None:
    spoken = Spoken(*SET_UP, *FIRST_DRAW)
    lines = spoken.client.session.log.lines
    lines[:] = [replace(line, by="Ana's phone" if line.number == 5 else "table") for line in lines]
    assert spoken("log 2") == [
        "Line 4, by table, begin seed 7.",
        "Line 5, by Ana's phone, draw ana 9S: Ana draws 9♠.",
    ]


def test_help_tells_every_command_and_every_verb() -> None:
    spoken = Spoken(*SET_UP)
    assert spoken("help") == [talk.spoken(sentence) for sentence in HELP]
    assert spoken("?") == spoken("help")
    assert spoken("help draw") == [
        "Draw a card from the pile, or name the one that was drawn. Written: draw SEAT [CARD]"
    ]
    for command in (
        "look",
        "again",
        "list",
        "back",
        "undo",
        "amend",
        "log",
        "help",
        "clock",
        "evening",
        "brief",
        "full",
        "quit",
    ):
        assert re.search(rf"\b{command}\b", " ".join(map(str, HELP)))
        assert command in ("undo", "amend", "clock") or command not in spoken.client.notation.verbs


def test_help_tells_what_a_word_and_a_rule_say() -> None:
    spoken = Spoken("seat ana", game="oddfrontier")
    line, word = spoken("help crank")
    assert line.endswith("Written: crank THING or SEAT [N]")
    assert word == "Crank: To tilt a card: an Engine for energy, a creature to attack."
    assert spoken("help A3.4") == ["A3.4: A player may keep at most 7 cards at the end of a turn."]
    assert spoken("help sdfkj")[0].startswith("“sdfkj” is not an action here")


@pytest.mark.parametrize("word", ["quit", "exit", "home"])
def test_a_talk_ends_with_what_is_typed(word: str) -> None:
    spoken = Spoken(*SET_UP)
    spoken.talk.run(iter(["draw ana 9S\n", f"{word}\n", "spend ana heal\n"]))
    assert spoken.output[0] == "Duel. Step: Draw. Turn 1."
    assert spoken.output[-1] == "The end."
    assert spoken.client.log[-1].text == "draw ana 9S"


def test_many_answers_are_read_out_only_when_asked_for() -> None:
    spoken = Spoken("seat ana", "seat ben", "seat cy", "begin seed 1", game="decknforge")
    output = spoken("1")
    assert output[0] == "reveal ana: card (CARD)?"
    assert output[1].startswith("There are ")
    assert len(spoken("list")) > 40
    assert spoken("9s")[0] == "Ana reveals 9♠: 9."


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("HP 12 → 15 · ATK 3", "HP 12 to 15, ATK 3"),
        ("pay CARD…|N", "pay CARDs or N"),
        ("8 − 3 = 5\n now", "8 minus 3 = 5 now"),
        ("weapon|armor; `amend 8 …` replaces it", "weapon or armor; amend 8 and so on replaces it"),
    ],
)
def test_signs_become_words(text: str, output: str) -> None:
    assert talk.spoken(text) == output


def test_a_table_that_asks_nothing_says_so() -> None:
    over = Spoken(*SET_UP, "set ben life 0")
    assert not over.client.view.prompts
    assert over("again") == ["Nothing is asked now. Type a line, or help."]


GAMES = {
    "duel": ("seat ana", "seat ben"),
    "decknforge": ("seat ana", "seat ben", "seat cy"),
    "soulforger": ("seat ana", "seat ben"),
    "oddfrontier": ("seat ana", "seat ben"),
    "solforge": ("seat ana", "seat ben"),
    "commander": ("seat ana", "seat ben", "seat cy"),
    "villain": ("seat ana", "seat ben"),
    "tricks": ("seat ana", "seat ben", "seat cy"),
}
DRAWN_SIGNS = re.compile(r"[\x00-\x1f\x7f-\x9f─-▟→…]")


@pytest.mark.sample(6)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_whoever_answers_with_numbers_alone_is_never_refused(game: str, seed: int) -> None:
    if game in pages.NAMES:
        pages.ready(game)
    spoken = Spoken(*GAMES[game], game=game)
    chance = random.Random(seed)
    for _ in range(200):
        question = spoken.talk.question
        if not question.answers and not question.input_hint:
            break
        keys = [answer.key for answer in question.answers if "concede" not in talk.answer_text(answer)]
        typed = chance.choice(keys) if keys else _example(question)
        before = len(spoken.client.session.log.lines)
        output = spoken(typed)
        assert spoken.talk.question is not question or "Type yes" in output[-1], (typed, question, output)
        assert not DRAWN_SIGNS.search("".join(output)), output
        if "Type yes" in output[-1]:
            spoken("yes")
        assert len(spoken.client.session.log.lines) >= before
    assert spoken.client.view.outcome or len(spoken.client.log) > len(GAMES[game]) + 2, "it got somewhere"


def _example(question: Question) -> str:
    """What fits where nothing can be listed."""
    assert question.gap is not None
    assert isinstance(question.gap.candidates, Open)
    return str(question.gap.argument.kind.write(question.gap.candidates.example))


def test_a_word_that_begins_no_line_is_told_in_one_short_sentence() -> None:
    spoken = Spoken(*SET_UP)
    (output,) = spoken("zzz")
    assert "“zzz” is not an action here" in output
    assert len(output) < 100


def test_a_damaged_archive_is_told_with_the_command_that_looks_at_it(archive: Archive, place: str) -> None:
    session = archive_journal.start(archive, "duel")
    output: list[str] = []
    talk = Talk(TableClient(SharedSessions(archive).open(session.id)), output.append)
    with contextlib.closing(sqlite3.connect(place)) as opened, opened:
        opened.execute("UPDATE sessions SET changed = 'long ago'")
    talk.hear("seat ana")
    assert output[0].startswith("The archive is damaged (")
    assert "; companion archive check says what is lost" in output[0]


def test_a_game_without_steps_and_figures_is_its_title() -> None:
    assert [str(text) for text in talk.describe_table(TableView("race", "Race"))] == ["Race."]


def test_an_attack_is_told_once_and_as_it_is() -> None:
    session = Session(Log.open("table soulforger"))
    begun = (
        "seat ana name Ana",
        "seat ben name Ben",
        "gear ana sword weapon power 3/1",
        "gear ben axe weapon power 2/1",
    )
    for line in (*begun, "begin seed 1", "next", "next", "next", "skip-combat", *["next"] * 4):
        session.enter(line)
    spoken: list[str] = []
    heard = Talk(TableClient(SharedSession(session)), spoken.append)
    before = session.view()
    for line in ("attack axe on ana", "fight"):
        heard.hear(line)
    assert [text for text in spoken if "attacks Ana" in text] == ["Axe attacks Ana."]
    assert not [text for text in spoken if "comes." in text or "is gone." in text]
    attack = session.view_of(session.moments()[-2].state)
    assert "New: Axe attacks Ana." in describe(differences(before, attack))
    assert "Gone: Axe attacks Ana." in describe(differences(attack, before))


FIGHT = (*("seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1"),)
TACTICS = (*FIGHT, "reveal ana 9H", "reveal ben 3C", "reveal cy 4D")


def test_of_several_lines_one_is_chosen_by_its_number() -> None:
    spoken = Spoken(*TACTICS, game="decknforge")
    assert spoken("ks") == [
        "“ks” could be 4 things; say which:",
        "1. spike ana pay KS",
        "2. snipe ana ben pay KS",
        "3. snipe ana cy pay KS",
        "4. brace ana pay KS",
    ]
    assert spoken("4")[0] == "Ana Braces: no Boss damage this round."
    assert spoken.client.session.log.lines[-1].text == "brace ana pay KS"


def test_a_verb_alone_does_what_can_only_be_meant() -> None:
    spoken = Spoken("seat ana", "seat ben", "begin seed 1", "next", "next", 'queue ana "Spark"', game="oddfrontier")
    spoken("negate")
    assert spoken.client.session.log.lines[-1].text == 'negate "Spark"'


def test_what_going_on_would_do_is_said_with_the_question_and_done_by_a_word() -> None:
    fight = ("seat ana", "seat ben", "bosses ana:AS", "active ana", "begin seed 1", "reveal ana 9S", "reveal ben QH")
    spoken_table = Spoken(*fight, game="decknforge")
    assert spoken_table("again")[-1] == (
        "go: no Tactics, no Converts, damage, all take, refill; then Ana: reveal a card (round 2)"
    )
    after = spoken_table("go")
    assert any("9 + 12 = 21 damage" in sentence for sentence in after)
    assert not any(sentence.startswith("go:") for sentence in after)
    assert spoken_table("go") == ["Nothing goes on by itself here: Ana: reveal a card."]
    assert spoken_table("brief", "undo", "again")[-1].startswith("go:") is False


def test_a_countdown_is_said_with_each_question_for_who_wants_one() -> None:
    spoken = Spoken(*SET_UP)
    assert not [text for text in spoken("again") if "left" in text]
    assert spoken("clock 90") == ["Each turn or round has 90 seconds now; clock off ends that."]
    assert spoken("again")[-1] == "90 seconds left."
    assert spoken("clock off") == ["No countdown."]
    assert not [text for text in spoken("again") if "left" in text]
    assert spoken("clock soon")[0].startswith("Nobody sits at “soon”")


def test_a_time_of_ones_own_that_ends_is_said_with_each_question() -> None:
    spoken = Spoken("seat ana", "seat ben", "first ana", "begin seed 1", game="life")
    spoken("clock each 25")
    assert not [text for text in spoken("again") if "left" in text]
    spoken("clock ana 1")
    assert re.fullmatch(r"Ana's turns: 0:\d\d, \d:\d\d left\.", spoken("again")[-1])
    assert not [text for text in spoken("brief", "again") if "left" in text]
    assert spoken("clock")[0].count(". ") == 0, "the times of the round and the evening are one sentence"


def test_a_score_sheet_is_said_round_by_round() -> None:
    sentences = Spoken(*TRICKS_PLAYED, game="bids")("look")
    assert "Score sheet, Hand 1, Bid/Tricks: Ana 1/1, 11 points; Ben 1/0, minus 5 points; " in "\n".join(sentences)
    assert "Score sheet, Hand 3, Bid/Tricks: Ana 2/–." in sentences
    assert "Score sheet, total: Ana 11, Ben minus 10, Cleo minus 10, Dora minus 10." in sentences


def test_a_look_at_a_seat_tells_the_sums_behind_its_points() -> None:
    spoken = Spoken(*TRICKS_PLAYED, game="bids")
    assert [sentence for sentence in spoken("look ben") if sentence.startswith("Score sheet")] == [
        "Score sheet, Hand 1, Bid/Tricks: Ben 1/0, minus 5 points: minus 5 × 1.",
        "Score sheet, Hand 2, Bid/Tricks: Ben 1/0, minus 5 points: minus 5 × 1.",
        "Score sheet, total: Ben minus 10.",
    ]
    assert "Score sheet, Hand 1, Bid/Tricks: Ana 1/1, 11 points: 10 + 1." in spoken("look ana")


def test_a_look_at_a_partner_or_a_team_tells_the_sums_of_the_team() -> None:
    seats = map("seat {}".format, ("ana", "ben", "cy", "dora"))
    bids = ("enter ana bid 3", "enter ben bid 4", "next")
    tricks = ("enter ana tricks 5", "enter ben tricks 8", "enter ana nil 0", "enter ben nil 0", "next")
    spoken = Spoken(*seats, "begin seed 1", *bids, *tricks, game="partners")
    (row,) = (sentence for sentence in spoken("look cy") if ", Hand 1" in sentence)
    assert row.endswith("Team 1 3/5/0, 32 points: 10 × 3 + 5 minus 3.")
    assert row in spoken("look team-1")


def test_the_tables_figures_and_those_of_opponents_are_said_once() -> None:
    sentences = Spoken(*CROWN_PLAYED, game="poisoned")("look")
    assert sum("Storm 2" in sentence for sentence in sentences) == 1
    assert [sentence for sentence in sentences if "Commander damage" in sentence] == [
        "Ben: Life 35, Poison 0 of 10, Commander damage: Ana 5."
    ]


def test_a_hidden_counter_is_said_as_soon_as_it_counts() -> None:
    spoken = Spoken("seat ana", "seat ben", "begin", game="life")
    assert "Ana (active): Life 20, Poison 0 of 10." in spoken("look")
    assert "Ana (active): Life 20, Poison 0 of 10, Energy 3." in spoken("ana energy 3", "look")


def test_a_table_is_opened_by_the_file_of_a_page(archive: Archive, tmp_path: Path) -> None:
    file = tmp_path / "Crown.toml"
    file.write_text(crowns.ONE, encoding="utf-8")
    typed = (f"table {tmp_path}/nothing.toml", f"table {file}", "Ana", "Ben", "done")
    output: list[str] = []
    table = opening.open_table(archive, iter(typed), output.append)
    assert table is not None
    assert any("describes no game: there is no such file" in sentence for sentence in output)
    file.unlink()
    crowns.forget()
    assert archive_journal.resume(archive, table.session).game.title == "Crown"
    assert [row.game for row in archive.sessions()] == ["crown"]


@pytest.mark.parametrize("typed", ["life", "Duel with life totals", "duel with", "LIFE", "table life"])
def test_a_game_is_chosen_by_its_name_or_title(archive: Archive, typed: str) -> None:
    table = opening.open_table(archive, iter((typed, "Ana", "Ben", "done")), str)
    assert table is not None
    assert archive_journal.resume(archive, table.session).game.name == "life"


def test_a_name_that_several_games_share_is_none_of_the_answers(archive: Archive) -> None:
    output: list[str] = []
    assert opening.open_table(archive, iter(("t", "quit")), output.append) is None
    assert "“t” is none of the answers." in output


@pytest.mark.parametrize("last", ["done", "begin seed 1"])
def test_the_table_draws_at_one_opened_by_answers(archive: Archive, last: str) -> None:
    table = opening.open_table(archive, iter(("table decknforge", "Ana", "Ben", last)), str)
    assert table is not None
    assert archive_journal.resume(archive, table.session).state.house.table_draws


def test_who_leaves_an_unsealed_game_hears_of_it(archive: Archive) -> None:
    session = evenings.begin_fight(archive)
    for seat in evenings.FIGHTING:
        session.enter(f"concede {seat}")
    output: list[str] = []
    Talk(TableClient(SharedSession(session)), output.append).run(["quit"])
    assert output[-2] == "This game is over and not sealed: no deck's record has it yet."


def test_where_a_score_is_asked_a_number_is_the_score() -> None:
    spoken = Spoken("seat ana", "seat ben", "seat cleo", "begin seed 1", game="tricks")
    question, *answers = spoken("again")
    assert question.endswith("Ben: Bid? Type the number, or a letter:")
    assert [answer.partition(".")[0] for answer in answers] == ["a", "b", "c", "d", "e"]
    assert spoken("1")[0] == "Ben: Bid 1."
    assert spoken("c")[0] == "Is the game over?"


def test_a_look_at_a_thing_tells_its_words_and_what_is_hidden() -> None:
    spoken = Spoken(*PLACES_PLAYED, game="places")
    assert spoken("look guard-6") == [
        "Guard 6: Power 3, Health 6, State ready, Stunned",
        "Shield 2.",
        "Stunned yes.",
    ]
    assert "Ana, Bench 2: Wolf, number 1: Power 2, Health 5, State ready." in spoken("look ana")


NARROW = """
name = "narrow"
title = "Narrow"
[play]
players = "2"
order = "together"
rounds = 2
hand = "2 - round"
[sheet]
columns = ["taken", "bonus"]
sum = { taken = 5 }
[actions.guild]
title = "The guild of workers gives a point for each brown card of both neighbours"
whose = "any"
does = ["add me points 1"]
[end]
most = "points"
"""


def open_narrow(tmp_path: Path) -> Spoken:
    """A talk at a table of two, of a page with a score sheet."""
    page = tmp_path / "narrow.toml"
    page.write_text(NARROW, encoding="utf-8")
    return Spoken("seat ana", "seat ben", "begin seed 1", game=str(page))


def test_points_are_said_in_the_right_number(tmp_path: Path) -> None:
    spoken = open_narrow(tmp_path)
    spoken("3 1", "1 1", "next")
    (row,) = (each for each in spoken("look") if each.startswith("Score sheet, Round 1"))
    assert row.endswith("Ana 3/1, 1 point; Ben 1/1, 1 point.")


def test_a_wrong_sum_is_said_once(tmp_path: Path) -> None:
    output = open_narrow(tmp_path)("3 1")
    assert sum("the sum is 4" in each for each in output) == 1


def test_a_hand_of_no_cards_is_not_said(tmp_path: Path) -> None:
    spoken = open_narrow(tmp_path)
    assert "Cards each 1" in spoken("look")[0]
    spoken("3 2", "1 1", "next")
    assert "Cards each" not in spoken("look")[0]


def test_a_long_title_is_cut_on_screens_and_said_whole(tmp_path: Path) -> None:
    spoken = open_narrow(tmp_path)
    offers = [each for each in spoken("3 2", "1 1", "list") if "guild" in each]
    assert offers
    assert all(each.endswith("a point for each brown card of both neighbours") for each in offers)
    drafts = [draft for prompt in spoken.client.view.prompts for draft in prompt.answers if "guild" in draft.line]
    assert {str(draft.note) for draft in drafts} == {"The guild of workers gives a point for each brown card of …"}


def test_a_seat_without_figures_is_its_name() -> None:
    seat = replace(Spoken(*SET_UP).client.view.seats[0], counters=(), flags=())
    view = replace(Spoken(*SET_UP).client.view, seats=(seat, replace(seat, name="Ben", flags=("active",))))
    sentences = list(map(str, talk.describe_table(view)))
    assert "Ana." in sentences
    assert "Ben (active)." in sentences


def test_a_full_table_asks_for_no_other_seat(archive: Archive) -> None:
    sentences: list[str] = []
    opening.open_table(archive, iter(("table solforge", "Ana", "Ben", "done")), sentences.append)
    assert sentences[-1] == "All seats are taken; type done."


CALLS = """
name = "calls"
title = "Calls"

[play]
players = "2"
order = "together"
first = "seat"

[[steps]]
name = "tricks"
do = "Play all cards."

[counters.points]

[sheet]
columns = ["won"]
sum = { won = 5 }

[actions.dare]
title = "Call the last trick"
whose = "any"
does = ["add each points 0", "add me points 0"]

[actions.fold]
title = "Give up"
whose = "any"
does = ["concede me"]

[end]
last-left = true
"""


def calls() -> Spoken:
    """A talk at a table at which a figure is asked, while lines are possible."""
    registry.register(load.game_from_text(CALLS))
    return Spoken("seat ana", "seat ben", "begin seed 1", game="calls")


def test_lines_keep_their_titles_while_a_figure_is_asked() -> None:
    spoken = calls()
    answers = spoken("again")
    assert answers[0] == "Play all cards. Ana: Won? Type the number, or a letter:"
    assert answers[2] == "b. Tricks. Say what is done."
    assert not [row for row in answers if "Does Ana do something?" in row]  # everybody can call by b already
    assert spoken("b")[1:] == ["1. dare SEAT: Call the last trick", "2. fold SEAT: Give up"]
    rows = {row.line: str(row.detail) for row in spoken.client.offers()}
    assert rows["dare"] == "Call the last trick"


def test_a_talk_says_nothing_twice() -> None:
    spoken = calls()
    sentences = spoken("dare ana")
    assert sentences[:3] == ["Ana: Call the last trick.", "Ana: Points stays at 0.", "Ben: Points stays at 0."]
    assert "Points" not in " ".join(sentences[3:])
    spoken("3", "1")
    assert [each for each in spoken("next") if "Points" in each] == ["Ana: Points 0 to 3.", "Ben: Points 0 to 1."]


def test_a_sum_that_stays_wrong_is_said_once() -> None:
    spoken = calls()
    sentences = [*spoken("3", "1"), *spoken("next")]
    assert len([each for each in sentences if "look again" in each]) == 1


def test_a_win_by_giving_up_is_said_once() -> None:
    spoken = calls()
    sentences = [*spoken("fold ben"), *spoken("yes")]
    assert sentences.count("Ana has won.") == 1


def test_a_figure_of_an_earlier_round_is_put_right_by_answers(tmp_path: Path) -> None:
    spoken = open_narrow(tmp_path)
    spoken("3 1", "2 1", "next", "5", "e")
    assert [row.partition(":")[0] for row in spoken("ana")] == ["set ana", "1. points", "2. taken", "3. bonus"]
    question, *rounds = spoken("taken")
    assert question == "enter ana taken: round (round N)?"
    assert [row.partition(".")[2] for row in rounds] == [" Round 2: Taken 5", " Round 1: Taken 3"]
    spoken("1")
    assert spoken("4")[0] == "Ana: Taken 4 in Round 1, corrected."
