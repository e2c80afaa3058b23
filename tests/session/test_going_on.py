"""Going on: what is suggested, up to the next decision; and what goes without saying before a line."""

import pytest

from companion.games import registry
from companion.session.core.replay import IllegalLine, Replay
from companion.session.core.session import Session
from companion.session.reading import line_reading
from companion.session.table import going_on
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Rejected, describe_harm
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from tests.slips import random_tables

DUNGEON = ("seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1")
REVEALED = (*DUNGEON, "reveal ana 9S", "reveal ben QH", "reveal cy 6C")
FRONTIER = ("seat ana", "seat ben", "begin seed 1", "next", "next")
FORGERS = (
    *("seat ana", "seat ben", "gear ana blade weapon power 2/1 hands 1", "gear ben club weapon power 2/1 hands 1"),
    *("begin seed 1", "next", "next"),
)


def at_table(game: str, *lines: str) -> TableClient:
    """Somebody at a table of a game."""
    session = Session.new(registry.game(game))
    for line in lines:
        session.enter(line)
    return TableClient(SharedSession(session))


def went_on(client: TableClient) -> list[str]:
    """The lines that going on writes."""
    before = len(client.session.lines())
    reply = client.go_on()
    assert isinstance(reply, ActionDone), reply
    return list(client.session.lines()[before:])


def test_what_will_be_done_is_said_before() -> None:
    client = at_table("decknforge", *REVEALED)
    sentence = "no Tactics, no Converts, damage, all take, refill → Ana: reveal a card (round 2)"
    assert str(client.course.sentence) == sentence
    assert went_on(client) == ["next", "damage", "next", "refill minion cy:RJ"]
    assert str(client.course.sentence) == ""


def test_one_undo_takes_all_of_it_back() -> None:
    client = at_table("decknforge", *REVEALED)
    before = client.session.state
    went_on(client)
    assert isinstance(client.undo(), ActionDone)
    assert client.session.state == before


def test_cards_and_the_bonus_of_a_kill_are_for_people_to_say() -> None:
    reply = at_table("decknforge", *DUNGEON).go_on()
    assert isinstance(reply, Rejected)
    assert str(reply.sentence) == "Nothing goes on by itself here: Ana: reveal a card."
    client = at_table("decknforge", *REVEALED[:-3], "set boss hp 5", *REVEALED[-3:])
    assert "→ Ben: choose a bonus: momentum, surge, rally" in client.course.sentence
    assert went_on(client) == ["next", "damage"]
    assert isinstance(client.go_on(), Rejected)


def test_it_stops_before_somebody_would_be_out_and_asks_then() -> None:
    client = at_table("decknforge", *REVEALED, "set ben hp 2")
    assert str(client.course.sentence).endswith("damage → Ben would be out (HP 2 now).")
    assert went_on(client) == ["next", "damage"]
    reply = client.go_on()
    assert isinstance(reply, ConfirmationNeeded)
    assert reply.question.kind == "harm"
    assert isinstance(client.go_on(), ActionDone)
    assert client.view.seats[1].is_out


def test_who_wants_no_questions_is_not_asked() -> None:
    client = at_table("decknforge", *REVEALED, "set ben hp 2")
    client.warns = False
    went_on(client)
    assert isinstance(client.go_on(), ActionDone)


def test_who_could_attack_is_named_and_left_out_only_by_a_second_word() -> None:
    few = ("set ana hand 3", "set ben hand 3")
    client = at_table("oddfrontier", *FRONTIER, *few, "token ana fox 3/2")
    for _ in range(2):
        went_on(client)  # the fox waits in the turn in which it came
    assert str(client.course.sentence) == "on → Fox could attack"
    went_on(client)
    assert str(client.course.sentence).startswith(
        "nobody attacks, end of turn, uncrank, draw → Ben: play a card, or go on"
    )


def test_whoever_could_block_is_waited_for() -> None:
    client = at_table("soulforger", *FORGERS, "next", "next", "attack blade on ben")
    assert str(client.course.sentence).startswith("nobody blocks, fight")
    client = at_table("soulforger", *FORGERS, "next", "token ana imp power 1/1 endurance 1", "next")
    client.enter("attack imp on ben")
    assert went_on(client)[0] == "fight"


def test_a_turn_in_which_somebody_quests_goes_on_phase_by_phase() -> None:
    client = at_table("soulforger", *FORGERS)
    assert str(client.course.sentence).startswith("no Side Quest, end of turn → Ben: Side Quest") is False
    assert "nobody attacks, end of turn → Ben: Side Quest, or go on (turn 2)" in client.course.sentence
    client.enter("quest ana 1")
    assert str(client.course.sentence) == "on to Main 1 → Ana: summon, play or forge, or go on"
    went_on(client)
    assert str(client.course.sentence) == "on → Blade could attack"


def test_a_creature_that_could_still_move_is_waited_for() -> None:
    lanes = ("seat ana", "seat ben", "begin seed 1", "place ana 2 scout 1/1 awake has mobility=1", "forge ana 5 ox 4/4")
    client = at_table("solforge", *lanes)
    assert str(going_on.course(client.session).summary) == "the Battle, end of turn"
    client = at_table("solforge", *lanes[:-1])
    course = client.course_behind("forge ana 5 ox 4/4")
    assert (course.sentence, course.decision) == ("", "Scout could move or Activate")
    assert isinstance(client.enter("forge ana 5 ox 4/4", goes_on=True), ActionDone)
    assert client.session.lines()[-1] == "forge ana 5 ox 4/4"


def test_cards_that_must_be_discarded_are_asked_for() -> None:
    client = at_table("oddfrontier", *FRONTIER, "set ana hand 9")
    assert str(client.course.sentence) == "on → Ana must discard 2"
    went_on(client)
    assert went_on(client)[0] == "discard ana 2"


@pytest.mark.parametrize("game", ["soulforger", "oddfrontier", "solforge"])
def test_where_only_figures_are_tracked_one_word_is_a_whole_turn(game: str) -> None:
    client = at_table(game, "seat ana", "seat ben", "rule track figures", "begin seed 1")
    assert str(client.course.sentence) == "end of turn → Ben's turn: say what changes, or end it (turn 2)"
    assert went_on(client) == ["next"]


def test_where_only_figures_are_tracked_creatures_fight_before_the_turn_ends() -> None:
    lanes = ("seat ana", "seat ben", "rule track figures", "begin seed 1", "place ana 2 scout 1/1 awake")
    assert went_on(at_table("solforge", *lanes)) == ["battle", "next"]


def test_where_only_the_fight_is_tracked_the_damage_is_said() -> None:
    client = at_table("decknforge", *DUNGEON[:-1], "rule track fight", "begin seed 1")
    assert isinstance(client.go_on(), Rejected)
    assert str(client.course_behind("damage 20").summary) == "all take, refill"
    assert isinstance(client.enter("damage 20", goes_on=True), ActionDone)
    assert client.view.count is not None
    assert (client.view.step, client.view.count.number) == ("reveal", 2)


@pytest.mark.parametrize("text", ["go", "GO", " go on "])
def test_it_can_be_typed(text: str) -> None:
    client = at_table("decknforge", *REVEALED)
    assert str(client.explain(text)).startswith("Enter: no Tactics")
    assert isinstance(client.enter(text), ActionDone)
    assert client.view.step == "reveal"


@pytest.mark.parametrize("card", ["Goblin", "Go Between", "Gong"])
def test_a_card_that_begins_with_the_word_is_not_meant(card: str) -> None:
    listed = f'lists ana "4 {card} | creature | Beast | 3/2"'
    client, other = (at_table("oddfrontier", *FRONTIER[:2], listed, *FRONTIER[2:]) for _ in range(2))
    assert isinstance(client.enter("go"), ActionDone)
    went_on(other)
    assert client.session.lines() == other.session.lines()


def test_a_card_that_is_called_as_the_word_is_asked_about() -> None:
    client = at_table("oddfrontier", *FRONTIER[:2], 'lists ana "4 Go | creature | Beast | 3/2"', *FRONTIER[2:])
    reply = client.enter("go")
    assert isinstance(reply, Rejected)
    assert str(reply.sentence) == "“go” could be `summon ana go 3/2` as well; type more of it, or `go on` to go on."
    assert isinstance(client.enter("go on"), ActionDone)


def test_another_window_that_was_first_is_looked_at_before() -> None:
    live = SharedSession(at_table("decknforge", *REVEALED).session)
    one, other = TableClient(live), TableClient(live)
    assert isinstance(one.go_on(), ActionDone)
    assert not isinstance(other.go_on(), ActionDone)


@pytest.mark.parametrize("game", ["decknforge", "soulforger", "oddfrontier", "solforge"])
def test_it_comes_to_an_end_whatever_is_left_out(game: str) -> None:
    """A hundred times nobody says anything: cards are revealed where the game waits for nothing else."""
    lines = {"decknforge": REVEALED, "soulforger": FORGERS, "oddfrontier": FRONTIER, "solforge": FRONTIER[:3]}
    client = at_table(game, *lines[game])
    client.warns = False
    for _ in range(100):
        before = len(client.session.lines())
        if not isinstance(client.go_on(), ActionDone):
            break
        assert len(client.session.lines()) - before <= 12


# What goes without saying before a line


POOR = (*FRONTIER, "set ana engines 2")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("summon ana wolf 3/2 cost 2", "crank ana 2, summon ana wolf 3/2 cost 2"),
        ("permanent ana lamp cost 1", "crank ana, permanent ana lamp cost 1"),
        ('queue ana "Flood" magic cost 2', 'crank ana 2, queue ana "Flood" magic cost 2'),
        ("spend ana 2", "crank ana 2, spend ana 2"),
    ],
)
def test_a_cost_cranks_as_many_engines_as_it_needs(text: str, lines: str) -> None:
    client = at_table("oddfrontier", *POOR)
    assert line_reading.expand(text, client.session) == lines.replace("crank ana,", "crank ana 1,")
    assert isinstance(client.enter(text), ActionDone)
    assert (client.session.state.players[0].energy, client.session.lines()[-1]) == (0, text)
    assert isinstance(client.undo(), ActionDone)
    assert client.session.state.players[0].cranked == 0


def test_energy_that_is_there_is_spent_first() -> None:
    client = at_table("oddfrontier", *POOR, "set ana energy 1")
    assert isinstance(client.enter("summon ana wolf 3/2 cost 2"), ActionDone)
    assert client.session.state.players[0].cranked == 1


def test_a_cost_beyond_all_engines_is_refused_and_cranks_none() -> None:
    client = at_table("oddfrontier", *POOR)
    reply = client.enter("summon ana wolf 3/2 cost 3")
    assert isinstance(reply, Rejected)
    assert "This costs 3 energy and Ana's pool holds 0 (R3.5)" in reply.sentence
    assert client.session.state.players[0].cranked == 0


def test_a_file_says_itself_what_is_cranked() -> None:
    text = "\n".join(("table oddfrontier", *POOR, "refuse summon ana wolf 3/2 cost 2", "summon ana wolf 3/2 cost 2"))
    with pytest.raises(IllegalLine, match=r"line 9: This costs 2 energy"):
        list(Replay(text))
    with pytest.raises(RuleError, match="costs 2"):
        at_table("oddfrontier", *POOR).session.enter("summon ana wolf 3/2 cost 2")


# Cards without anything between them


@pytest.mark.parametrize(
    ("lines", "text", "meant"),
    [
        (DUNGEON, "9sqh6c", "reveal ana 9S, reveal ben QH, reveal cy 6C"),
        (DUNGEON, "10STDks", "reveal ana 10S, reveal ben 10D, reveal cy KS"),
        (DUNGEON, "9sqh", "reveal ana 9S, reveal ben QH"),
        (REVEALED, "foil cy 2d3d", "foil ana cy pay 2D 3D"),
        ((*REVEALED, "next", "damage"), "7s4d", "dodge ana 7S 4D"),
    ],
)
def test_cards_can_be_typed_together(lines: tuple[str, ...], text: str, meant: str) -> None:
    client = at_table("decknforge", *lines)
    assert ", ".join(map(client.notation.format, line_reading.read_line(text, client.session))) == meant


@pytest.mark.parametrize("text", ["9sqh6", "9sqh6c2d", "x9sqh", "9s-qh"])
def test_what_is_not_only_cards_or_too_many_means_nothing(text: str) -> None:
    with pytest.raises(NotationError):
        line_reading.read_line(text, at_table("decknforge", *DUNGEON).session)


# At any table

ROUTINE = {"next", "damage", "refill", "escalate", "fight", "battle", "resolve", "discard"}
"""Lines that play no card and choose nothing; what is discarded is due."""

ALWAYS_ASKED = {"commander", "treasure"}
"""Games with possible lines in each step, before which going on stops."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("game", random_tables.GAMES)
def test_it_plays_no_card_and_puts_nobody_out_unasked(game: str) -> None:
    went_far = 0
    for session in (session for seed in range(3) for session in random_tables.tables(game, seed)):
        course = going_on.course(session)
        went_far += len(course.actions) > 1
        assert {action.verb() for action in course.actions} <= ROUTINE, course
        if not course.actions:
            continue
        assert course.decision, course
        before = session.view()
        proposals = session.preview(*course.actions)
        after = session.view_of(proposals[-1].position.head.state)
        harm = describe_harm(before, after)
        assert not harm or len(course.actions) == 1, (course, harm)
    assert bool(went_far) is (game not in ALWAYS_ASKED)
