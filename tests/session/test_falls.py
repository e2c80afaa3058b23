"""Who and what fell, in the last intention and in a whole game; the question before `next` costs somebody a fight."""

from msgspec.structs import replace

from companion.games import registry
from companion.session.core import changes
from companion.session.core.log import Log
from companion.session.core.session import Session
from companion.session.reports.big_moments import list_big_moments
from companion.session.table import confirmations
from companion.tabletop.action import Tell
from companion.tabletop.table.common_actions import Next
from tests.session.test_options import dungeon


def fight(*lines: str) -> Session:
    """Two wizards before a Boss with an ATK of 3, up to its attack."""
    session = Session(Log.open("table decknforge"))
    setting_out = (
        "seat ana",
        "seat ben",
        "monster ana AS wyrm hp 30 atk 4",
        "bosses ana:AS",
        "active ana",
        "begin seed 1",
    )
    for line in (*setting_out, *lines):
        session.enter(line)
    return session


def before_the_attack(*lines: str) -> Session:
    """The same with the Boss about to attack."""
    session = fight("reveal ana 9S", "reveal ben 8S", "next", "damage")
    for line in lines:
        session.enter(line)
    assert session.view().step == "attack"
    return session


def test_next_is_asked_about_where_somebody_would_be_out() -> None:
    session = before_the_attack("set ana hp 3")
    question = confirmations.required_confirmation(session, (Next(),))
    assert question is not None
    assert question.kind == "harm"
    assert str(question.text).startswith("Ana would be out (HP 3 now).")
    assert "Ben would" not in question.text


def test_next_is_not_asked_about_where_all_live_nor_where_people_do_not_want_that() -> None:
    assert confirmations.required_confirmation(before_the_attack(), (Next(),)) is None
    session = before_the_attack("set ana hp 3")
    assert confirmations.required_confirmation(session, (Next(),), warns=False) is None
    assert confirmations.required_confirmation(session, (session.notation.parse("take ana"),)) is None


def test_next_is_asked_about_where_the_game_would_be_lost() -> None:
    question = confirmations.required_confirmation(before_the_attack("set ana hp 3", "set ben hp 2"), (Next(),))
    assert question is not None
    assert "The game would be lost." in question.text


def test_a_boss_whose_number_is_put_right_has_not_fallen() -> None:
    session = fight("set boss number 2")
    before = session.view()
    boss = next(thing.title for zone in session.view().zones for thing in zone.things if thing.target == "boss")
    assert str(boss).startswith("Boss 2 of 6")
    session.enter("set boss number 6")
    assert changes.last_fallen(session.game, session.moments()) == ()
    assert str(changes.describe(changes.differences(before, session.view()))).endswith("Number 2 → 6.")
    assert not [each for each in list_big_moments(session.game, session.moments()) if "gone" in str(each)]
    session.enter("set boss hp 0")
    assert len(changes.last_fallen(session.game, session.moments())) == 1


def test_who_is_out_and_what_falls_is_told_of_the_last_intention_alone() -> None:
    session = before_the_attack("set ana hp 3")
    session.do(Next())
    assert tuple(map(str, changes.last_fallen(session.game, session.moments()))) == ("Ana is out",)
    session.enter("note x")
    assert changes.last_fallen(session.game, session.moments()) == ()


def test_a_game_that_is_over_is_told_by_who_felled_what() -> None:
    *_, last = dungeon()
    ending = changes.tell_ending(last.game, last.moments())
    assert str(ending.title) == "Won"
    assert len(ending.points) == 6
    assert all(point.fell and "takes the Killing Blow" in point.sentence for point in ending.points)
    assert [name for name, _ in ending.people] == ["Ana", "Ben", "Cy"]
    assert "Glory 7" in ending.people[0][1]


def test_the_title_says_who_won() -> None:
    view = fight().view()
    assert str(changes.outcome_title(replace(view, outcome="ana"))) == "Ana wins"
    assert str(changes.outcome_title(replace(view, outcome="loss"))) == "Lost"
    assert str(changes.outcome_title(replace(view, outcome="draw"))) == "A draw"


def test_what_decided_is_told_instead_of_all_that_happened() -> None:
    assert not Tell("Ana draws 2.").decides
    *_, last = dungeon()
    felling = next(moment for moment in last.moments() if any(tell.decides for tell in moment.tells))
    assert len(felling.tells) > 1


def test_who_fell_is_named_once() -> None:
    session = Session(Log.open("table oddfrontier"))
    for line in ("seat ana", "seat ben", "begin seed 1", "next", "set ana life 135", "wound ana 140"):
        session.enter(line)
    last = changes.tell_ending(session.game, session.moments()).points[-1]
    assert tuple(map(str, last.fell)) == ("Ana is out",)
    assert str(last.sentence).startswith("life 135 − 140 = −5. Ana has lost")


def test_the_end_tells_every_boss_whatever_was_set_by_hand() -> None:
    session = Session(Log.open("table decknforge"))
    for line in ("seat ana name Ana", "seat ben name Ben", "begin seed 1"):
        session.enter(line)
    for boss in range(6):
        ranks = ("K", "J") if boss < 4 else ("Q", "10")
        if boss == 3:
            session.enter("set boss hp 0")
            session.enter("set boss hp 7")
        session.enter(f"set boss hp {boss % 2}")
        session.enter("set ana hp 1")
        session.enter("set ben hp 2")
        for seat, rank in zip(("ana", "ben"), ranks, strict=True):
            session.enter(f"reveal {seat} {rank}{'SHCD'[boss % 4]}")
        for line in ("next", "damage", "bonus rally"):
            session.enter(line)
    ending = changes.tell_ending(session.game, session.moments())
    assert str(ending.title) == "Won"
    assert [str(point.fell[0]).split(" · ")[0] for point in ending.points] == [
        f"Boss {boss} of 6" for boss in range(1, 7)
    ]
    assert all(point.decided for point in ending.points), "what was set by hand turns no game"


def test_a_team_or_the_table_without_points_has_not_fallen() -> None:
    session = Session.new(registry.game("climbing-pairs"))
    for line in ("seat ana", "seat ben", "seat cy", "seat dora", "begin", "next"):
        session.enter(line)
    for entry in ("ana cards 0", "ana double 0", "ana calls 0", "ben cards 100", "ben double 0", "ben calls 10"):
        session.enter(f"enter {entry}")
    session.enter("next")
    ending = changes.tell_ending(session.game, session.moments())
    assert [point.fell for point in ending.points] == [()]
    assert [(name, str(figures)) for name, figures in ending.people] == [
        ("Team 1 (Ana and Cy)", "Points 0"),
        ("Team 2 (Ben and Dora)", "Points 1100"),
    ]


ROUND = (
    *("seat ana", "seat ben", "seat cleo", "begin seed 1", "enter ben bid 1", "enter cleo bid 1", "enter ana bid 0"),
    *("next", "enter ben tricks 1", "enter cleo tricks 0", "enter ana tricks 0", "next"),
)


def test_turning_points_tell_only_figures_as_corrected() -> None:
    session = Session.new(registry.game("tricks"))
    for line in (*ROUND, "enter cleo tricks 1 round 1", "enter ben tricks 0 round 1", "won cleo"):
        session.enter(line)
    point, _ = changes.tell_ending(session.game, session.moments()).points
    assert str(point.sentence).startswith("Ben: Points 0 → −2. Cleo: Points 0 → 11. Ana: Points 0 → 10.")


def test_a_correction_that_the_rules_do_not_reach_is_told_by_its_figures() -> None:
    session = Session.new(registry.game("life"))
    for line in ("seat ana", "seat ben", "begin seed 1", "next", "hit ana ben 5", "set ben life 17", "won ana"):
        session.enter(line)
    point, _ = changes.tell_ending(session.game, session.moments()).points
    assert str(point.sentence) == "Ben: Life 20 → 17."
