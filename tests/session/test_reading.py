"""What typed words mean at a table, without a screen."""

import contextlib
from typing import Any

import pytest

from companion.games import registry
from companion.games.decknforge.rules.actions import Reveal
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading import line_reading, options
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.cards import Card


def _table(*lines: str, seats: tuple[str, ...] = ("ana", "ben", "cy")) -> Session:
    begin = (*(f"seat {seat}" for seat in seats), "bosses ana:AS", "active ana", "begin seed 1")
    replay = Replay("\n".join(("table decknforge", *begin, *lines)))
    assert not [line.failure for line in replay if line.failure]
    return replay.session


def read(text: str, session: Session | None = None) -> tuple[Action, ...]:
    return line_reading.read_line(text, session or _table())


def test_all_cards_may_follow_the_line_that_enter_began() -> None:
    assert read("reveal ana 9c 7c 8d") == read("9c 7c 8d")
    assert read("Reveal ANA 9c 7c") == (Reveal("ana", Card("9C")), Reveal("ben", Card("7C")))


def test_one_card_behind_that_line_is_that_wizards_alone() -> None:
    assert read("reveal ana 9c") == (Reveal("ana", Card("9C")),)
    assert read("reveal cy 8d") == (Reveal("cy", Card("8D")),)


TACTICS = ("reveal ana 9H", "reveal ben 3C", "reveal cy 4D")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("brace 5h", "brace ana pay 5H"),
        ("brace cy 5h", "brace cy pay 5H"),
        ("sp 6c", "spike ana pay 6C"),
        ("s 6c", "spike ana pay 6C"),
        ("snipe cy qd", "snipe ana cy pay QD"),
        ("p", "pass ana"),
        ("n", "next"),
        ("note Ana laughs # at Ben", 'note "Ana laughs"'),
    ],
)
def test_a_line_may_leave_out_what_can_be_only_one_thing(text: str, line: str) -> None:
    session = _table(*TACTICS)
    assert [session.notation.format(action) for action in read(text, session)] == [line]


def test_where_only_one_other_sits_there_nobody_needs_to_say_who() -> None:
    session = _table(*TACTICS[:2], seats=("ana", "ben"))
    assert [session.notation.format(action) for action in read("snipe qd", session)] == ["snipe ana ben pay QD"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("snipe qd", "“snipe qd” could be `snipe ana ben pay QD` or `snipe ana cy pay QD`; say which."),
        ("conc", "“conc” could be `concede ana` or `concede ben` or `concede cy`; say which."),
        ("spike", "pay CARD…|N is missing. Usage: spike"),
        ("foil cy", "pay CARD…|N is missing. Usage: foil"),
        ("brace ks qs xx", "“xx” is one word too many: `brace ana pay KS QS` takes nothing of that kind."),
        ("ben ks", "“ben ks” could be `snipe ana ben pay KS` if it is typed in full; for Ben: It is Ana's turn"),
        ("xyz", "“xyz” is not an action here"),
    ],
)
def test_what_could_be_several_things_is_asked_and_what_could_be_none_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as wrong:
        read(text, _table(*TACTICS))
    assert str(wrong.value).startswith(sentence)


@pytest.mark.parametrize("text", ["ana 3d", "am 3d", "xyz", "reveal ana 3x", "s 6c", "cy 3d"])
def test_a_mistyped_line_asks_the_rules_seldom(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session, calls = _table(*TACTICS), 0
    apply = type(session.game).apply

    def counted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return apply(*arguments)

    monkeypatch.setattr(type(session.game), "apply", counted)
    with contextlib.suppress(NotationError):
        read(text, session)
    assert calls < 50


def test_a_verb_alone_is_whose_turn_it_can_only_be() -> None:
    session = _table("reveal ana 9H", "reveal ben KS", "reveal cy QC", "next")
    assert [session.notation.format(action) for action in read("convert", session)] == ["convert ana"]


def of(game: str, *lines: str) -> Session:
    """A table of another game, with decks whose lists are known."""
    session = Session.new(registry.game(game))
    for line in lines:
        session.enter(line)
    return session


ARMED = (
    *("seat ana", "seat ben", "gear ana ana-sword weapon power 3/1", "gear ben ben-axe weapon power 2/1"),
    'lists ana "4 Cinder Sprite | creature | ronum 1 | power 2/1 | endurance 1"',
    'lists ana "4 Fire Drake | creature | ronum 4 | power 6/3 | endurance 5"',
    *("begin seed 1", "next", "next", "next"),
)
IN_COMBAT = (*ARMED, "summon ana cinder-sprite", "token ben cow power 1/1 endurance 1", "next")
LANES = (
    *("seat ana", "seat ben", 'lists ana "2 Steelforged | creature | alloyin | 4/5"'),
    *('lists ana "2 Iron Rain | spell"', "begin seed 1"),
)
ENGINES = ("seat ana", "seat ben", 'lists ana "2 Fox | creature | Beast | 4/3"', "begin seed 1", "next", "next")
LEVELLED = (*LANES[:2], 'lists ana "2 Steelforged | creature | 4/5 | level 2 8/10"', LANES[-1], "set ana level2 1")
CALL = (
    *("seat ana", "seat ben", 'lists ana "2 Wolf Call | artifact | cost 0"', "begin seed 1", "next", "next"),
    "engine ana",
)
SPELL = (
    *("seat ana", "seat ben", "gear ana ana-sword weapon power 3/1", "gear ben ben-axe weapon power 2/1"),
    *('lists ana "2 Second Wind | action | ronum 1 | speed instinct"', "begin seed 1", "next", "next"),
)
FLOOD = (*ENGINES[:2], 'lists ana "2 Flood | magic | cost 0"', *ENGINES[3:])
BLOCKED = (
    *("seat ana", "seat ben", "begin seed 1", *["next"] * 6, "summon ben cat 2/3", "summon ben owl 3/4", *["next"] * 4),
    *("summon ana fox 6/5", "next", "attack fox on ben", "block cat on fox", "block owl on fox"),
)


@pytest.mark.parametrize(
    ("game", "lines", "text", "line"),
    [
        ("soulforger", ARMED, "summon cin", "summon ana cinder-sprite ronum 1 power 2/1 endurance 1"),
        ("soulforger", ARMED, "cin", "summon ana cinder-sprite ronum 1 power 2/1 endurance 1"),
        ("soulforger", IN_COMBAT, "attack cin ben", "attack cinder-sprite on ben"),
        ("soulforger", IN_COMBAT, "sword cow", "attack ana-sword on cow"),
        ("soulforger", IN_COMBAT, "ana-sword on cow", "attack ana-sword on cow"),
        ("soulforger", (*IN_COMBAT, "attack cinder-sprite on ben"), "block axe", "block ben-axe"),
        ("solforge", LANES, "fo 3 ste", "forge ana 3 steelforged 4/5"),
        ("solforge", LANES, "3 ste", "forge ana 3 steelforged 4/5"),
        ("solforge", LEVELLED, "forge 3 ste level 2", "forge ana 3 steelforged 8/10 level 2"),
        ("solforge", LEVELLED, "3 ste level 2", "forge ana 3 steelforged 8/10 level 2"),
        ("solforge", LANES, "bat", "battle"),
        ("soulforger", SPELL, "action second", 'action ana "Second Wind" ronum 1 speed instinct'),
        ("oddfrontier", ENGINES, "t", "together"),
        ("oddfrontier", (*ENGINES, "permanent ana thing-0", "crank thing-0"), "t", "together"),
        ("oddfrontier", CALL, "ana cr", "crank ana"),
        ("oddfrontier", CALL, "ana crank", "crank ana"),
        ("oddfrontier", CALL, "an call", "permanent ana wolf-call cost 0"),
        ("solforge", LANES, "cast iron", 'cast ana "Iron Rain"'),
        ("solforge", LANES, 'cast "iron"', 'cast ana "iron"'),
        ("solforge", LANES, 'cast ana "iron"', 'cast ana "iron"'),
        ("solforge", LANES, "bank st", 'bank ana "Steelforged"'),
        ("oddfrontier", FLOOD, "queue flo", 'queue ana "Flood" magic cost 0'),
        ("oddfrontier", BLOCKED, "cat 2 owl 4", "split fox among cat 2 owl 4"),
        ("oddfrontier", ENGINES, "eng", "engine ana"),
        ("oddfrontier", ENGINES, "fox", "summon ana fox 4/3"),
    ],
)
def test_the_beginning_of_a_card_is_enough_where_only_one_can_be_meant(
    game: str, lines: tuple[str, ...], text: str, line: str
) -> None:
    session = of(game, *lines)
    (action,) = line_reading.read_line(text, session)
    assert session.notation.format(action) == line


@pytest.mark.parametrize(
    ("game", "lines", "text"),
    [("soulforger", ARMED, "nxet"), ("solforge", LANES, "battel"), ("oddfrontier", ENGINES, "crnk")],
)
def test_a_slip_names_no_card(game: str, lines: tuple[str, ...], text: str) -> None:
    """Among several answers to a question none is meant that any word at all could follow."""
    session = of(game, *lines)
    with pytest.raises(NotationError, match="is not an action here"):
        line_reading.read_line(text, session)


def test_a_card_that_only_begins_and_is_refused_is_refused_by_its_rule() -> None:
    session = of("soulforger", *ARMED, "summon ana cinder-sprite")
    (action,) = line_reading.read_line("summon cin", session)
    assert session.notation.format(action).startswith("summon ana cinder-sprite-2 ")
    with pytest.raises(RuleError, match=r"R2\.12"):
        session.preview(action)


WOLVES = (
    "token ana wolf power 2/1 endurance 1",
    "token ana wolf-2 power 2/1 endurance 1",
    "next",
    "set wolf guard off",
)
MASTERS = (
    *("seat ana", "seat ben", 'lists ana "2 Engine Master | creature | Beast | 4/3"'),
    *('lists ana "2 10th Legion | creature | Soldier | 2/2"', "begin seed 1", "next", "next", "engine ana"),
)


@pytest.mark.parametrize(
    ("game", "lines", "text", "sentence"),
    [
        ("soulforger", (*ARMED, *WOLVES), "attack wolf on ben", r"R2\.21"),
        ("soulforger", (*ARMED, *WOLVES), "wolf ben", r"R2\.21"),
        ("soulforger", IN_COMBAT, "attack ben", "could be `attack ana-sword on ben` or `attack cinder-sprite on ben`"),
        ("soulforger", IN_COMBAT, "attack on cow", "could be `attack ana-sword on cow` or `attack cinder-sprite on"),
        ("soulforger", ARMED, "set ana 5", "VALUE is missing"),
        ("oddfrontier", MASTERS, "engine", r"R3\.5"),
        ("oddfrontier", MASTERS, "summon 1", "cannot be a name"),
        ("oddfrontier", (*MASTERS, "set ana engines 4"), "3", "is not an action here"),
        ("solforge", LANES, "ste", 'or `forge ana 5 steelforged 4/5` or `bank ana "Steelforged"`; say which'),
        ("solforge", LANES, "iron", 'could be `cast ana "Iron Rain"` or `bank ana "Iron Rain"`; say which'),
    ],
)
def test_what_is_refused_never_does_another_thing(game: str, lines: tuple[str, ...], text: str, sentence: str) -> None:
    """Nothing for the wolf's cousin, a verb, a figure, the first of several, or a card that two answers could name."""
    session = of(game, *lines)
    with pytest.raises((NotationError, RuleError), match=sentence):
        session.preview(*line_reading.read_line(text, session))


def test_who_has_answered_never_answers_for_somebody_whose_name_goes_on() -> None:
    session = of("decknforge", "seat jo", "seat joan", "bosses jo:AS", "active jo", "begin seed 1", "reveal jo 9H")
    with pytest.raises(RuleError, match=r"R1\.20"):
        session.preview(*line_reading.read_line("reveal jo 9c", session))
    session.enter("reveal joan 8C")
    session.enter("pass jo")
    with pytest.raises(RuleError, match=r"R1\.22"):
        session.preview(*line_reading.read_line("pass jo", session))


def test_a_figure_alone_pays_for_nothing_that_nobody_named() -> None:
    session = _table(*TACTICS)
    for figure in ("1", "2"):
        with pytest.raises(NotationError, match="is not an action here"):
            read(figure, session)


IRONS = (*LANES[:-1], 'lists ana "1 Iron Grip | spell"', LANES[-1])
POOR = (
    *("seat ana", "seat ben", 'lists ana "2 Wolf | creature | Wolf | 2/3 | cost 2"'),
    *('lists ana "2 Flood | magic | cost 0"', "begin seed 1", "next", "next"),
)
QUEUED = (*POOR, 'queue ana "Spark"')
ARTIFACTS = (
    *("seat ana", "seat ben", 'lists ana "2 Wolf | creature | Wolf | 2/3"', 'lists ana "2 Kindle | magic | cost 0"'),
    *('lists ana "2 Second Wind | magic | cost 0"', "begin seed 1", "next", "next"),
)
RIVAL_CRANKS = (*POOR, "set ben engines 2")
FIGHT = ("seat ana", "seat ben", "seat cy", "bosses ana:AS", "active ana", "begin seed 1")
TACTICS_OF_THREE = (*FIGHT, *TACTICS)


def reply(session: Session, text: str) -> str:
    """The lines that a text does, or why it does nothing."""
    try:
        actions = line_reading.read_line(text, session)
        session.preview(*actions)
    except (NotationError, RuleError) as error:
        return str(error)
    return ", ".join(map(session.notation.format, actions))


@pytest.mark.parametrize(
    ("game", "lines", "text"),
    [
        *[
            ("solforge", IRONS, text)
            for text in ("battel", "oops", "xyz", "bank oops", "cast oops", "cast ana", "ba oops")
        ],
        *[
            ("oddfrontier", QUEUED, text)
            for text in ("flare", "kindle", "negate flare", "queue ana", "queue oops", "n")
        ],
        *[("soulforger", ARMED, text) for text in ("oops", "set-action oops", "flow ana", "flow oops", "action oops")],
        *[("decknforge", TACTICS_OF_THREE, text) for text in ("ana", "cy", "xyz", "no xyz", "not that")],
        *[("solforge", IRONS, text) for text in ("bank ana ben", "cast ana ben")],
    ],
)
def test_a_word_that_names_nothing_does_nothing(game: str, lines: tuple[str, ...], text: str) -> None:
    session = of(game, *lines)
    with pytest.raises((NotationError, RuleError)):
        session.preview(*line_reading.read_line(text, session))


@pytest.mark.parametrize(
    ("game", "lines", "text", "sentence"),
    [
        ("oddfrontier", POOR, "wolf", "This costs 2 energy and Ana's pool holds 0 (R3.5)"),
        ("oddfrontier", POOR, "wol", "This costs 2 energy and Ana's pool holds 0 (R3.5)"),
        ("oddfrontier", POOR, "cr", "Ana has 0 of 0 Engines uncranked"),
        ("oddfrontier", QUEUED, "wolf", "The queue is not empty"),
        ("oddfrontier", (*POOR, "next"), "wolf", "Permanents are played before or after combat (R3.3)"),
        ("oddfrontier", RIVAL_CRANKS, "cr", "Ana has 0 of 0 Engines uncranked"),
        ("oddfrontier", QUEUED, "n", "The queue is not empty"),
        ("decknforge", FIGHT, "brace", "`brace` belongs to the step tactics; the step now is reveal"),
        ("decknforge", FIGHT, "brace 5h", "`brace` belongs to the step tactics; the step now is reveal"),
        (
            "oddfrontier",
            ARTIFACTS,
            "permanent wlof",
            "“wlof” could be wolf, which does not fit here; to use so similar a new name, put it in quotes: `permanent",
        ),
        ("decknforge", TACTICS_OF_THREE, "help", "“help” is not an action here; ? and Enter explain"),
        ("solforge", LANES, "ben", "“ben” is Ben; begin with what is done."),
    ],
)
def test_what_is_refused_is_refused_by_its_own_reason(
    game: str, lines: tuple[str, ...], text: str, sentence: str
) -> None:
    assert reply(of(game, *lines), text).startswith(sentence)


def test_what_cannot_be_taken_back_is_never_suggested() -> None:
    for text in ("help", "seel", "sea", "reseal"):
        assert "seal" not in reply(of("decknforge", *FIGHT), text).partition("did you mean")[2]


@pytest.mark.parametrize(
    ("game", "lines", "text", "ways"),
    [
        ("solforge", IRONS, "cast ana iron", ('cast ana "Iron Rain"', 'cast ana "Iron Grip"', 'cast ana "iron"')),
        ("solforge", IRONS, "cast ana irongrip", ('cast ana "Iron Grip"', 'cast ana "irongrip"')),
        ("solforge", (*IRONS, "place ana 2 iron 2/2"), "ba i", ('bank ana "Iron Rain"', "banish iron")),
        (
            "oddfrontier",
            (*ARTIFACTS, "permanent ana kindle"),
            "ki",
            ('queue ana "Kindle" magic cost 0', "destroy kindle"),
        ),
        ("oddfrontier", ARTIFACTS, "s", ('queue ana "Second Wind" magic cost 0', "summon ana wolf 2/3")),
        ("solforge", LANES, "b", ("battle", "bank ana")),
        ("solforge", LANES, "spawn steelforged-", ("spawn ana steelforged 4/5", 'spawn ana "steelforged-" 4/5')),
        ("solforge", LANES, "ba", ("battle", "bank ana")),
        ("oddfrontier", CALL, "ana c", ("permanent ana wolf-call cost 0", "crank ana")),
        ("oddfrontier", CALL, "a c", ("permanent ana wolf-call cost 0", "crank ana")),
        (
            "soulforger",
            (*SPELL, "token ana ana-action-1 power 2/1 endurance 1"),
            "se action",
            ("send ana-action-1", 'action ana "Second Wind" ronum 1 speed instinct'),
        ),
        ("solforge", IRONS, "cast ir", ('cast ana "Iron Rain"', 'cast ana "Iron Grip"')),
        ("solforge", IRONS, "ir", ('cast ana "Iron Rain"', 'bank ana "Iron Grip"')),
        ("decknforge", TACTICS_OF_THREE, "ks", ("spike ana pay KS", "snipe ana ben pay KS", "brace ana pay KS")),
        ("decknforge", TACTICS_OF_THREE, "co", ("coin", "concede ana", "concede ben", "concede cy")),
        ("decknforge", TACTICS_OF_THREE, "2h", ("spike ana pay 2H", "brace ana pay 2H")),
    ],
)
def test_of_several_ways_all_are_named(game: str, lines: tuple[str, ...], text: str, ways: tuple[str, ...]) -> None:
    sentence = reply(of(game, *lines), text)
    assert sentence.endswith("; say which.")
    assert all(f"`{way}`" in sentence for way in ways)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('permanent "wlof"', "permanent ana wlof"),
        ("permanent wolf-2", "permanent ana wolf-2"),
        ("permanent ana totem", "permanent ana totem"),
        ("queue ana wo cost 1", 'queue ana "wo" cost 1'),
        ("token ana wol 1/1", "token ana wol 1/1"),
        ("queue ana second-wind", 'queue ana "Second Wind" magic cost 0'),
        ("queue ana wolf", 'queue ana "Wolf"'),
    ],
)
def test_a_new_name_is_itself_in_quotes_and_with_figures_of_its_own(text: str, line: str) -> None:
    assert reply(of("oddfrontier", *ARTIFACTS, "set ana energy 3"), text) == line


def test_a_file_reads_a_name_as_it_stands() -> None:
    session = of("solforge", *IRONS, "cast ana iron")
    assert session.log.lines[-1].text == 'cast ana "iron"'


@pytest.mark.parametrize("text", ["9s, qh, 6c", "9s,qh,6c", "9s qh 6c", "reveal ana 9s, qh, 6c"])
def test_commas_between_cards_are_understood(text: str) -> None:
    session = of("decknforge", *FIGHT)
    assert reply(session, text) == "reveal ana 9S, reveal ben QH, reveal cy 6C"
    assert reply(session, "reveal ana 9S, reveal ben QH") == "reveal ana 9S, reveal ben QH"
    assert reply(session, "note Ana laughs, and Ben has 1,000") == 'note "Ana laughs, and Ben has 1,000"'


HUNT = (
    *("seat ana", "seat ram", "begin seed 1", *["next"] * 6, "summon ram wolf 2/2", "summon ram hawk 2/2"),
    *(*["next"] * 4, "summon ana ash-wolf 2/3", "summon ana ash-wolf-2 2/3", "summon ana hound 1/1", *["next"] * 8),
)
"""Ana's turn before combat: ash-wolf, ash-wolf-2 and hound against wolf and hawk."""
COMBAT = (*HUNT, "next")
CRANKED = (*HUNT, "crank ash-wolf", "next")
ATTACKED = (*HUNT, "crank wolf", "next", "attack ash-wolf on ram")
LANE = ("seat ana", "seat ben", "begin seed 1", "place ana 2 hawk 2/2 awake has mobility=2")


@pytest.mark.parametrize(
    ("lines", "text", "does"),
    [
        (COMBAT, "ash ram", "attack ash-wolf on ram"),
        (CRANKED, "ash ram", "attack ash-wolf-2 on ram"),
        (CRANKED, "attack ash", "attack ash-wolf-2 on ram"),
        (COMBAT, "3 r", "attack ash-wolf on ram"),
        (COMBAT, "attack 5 ra", "attack hound on ram"),
        (COMBAT, "5 r", "attack hound on ram"),
        (ATTACKED, "2 3", "block hawk on ash-wolf"),
        (ATTACKED, "2 ash-wolf", "block hawk on ash-wolf"),
        (ATTACKED, "block hawk", "block hawk on ash-wolf"),
        (COMBAT, 'destroy "Ash Wolf"', "destroy ash-wolf"),
        (COMBAT, "destroy ash wolf", "destroy ash-wolf"),
    ],
)
def test_a_creature_is_named_by_its_beginning_or_its_number(lines: tuple[str, ...], text: str, does: str) -> None:
    """Of equal copies the first that is ready is meant."""
    assert reply(of("oddfrontier", *lines), text) == does


def test_a_creature_moves_by_its_number() -> None:
    assert reply(of("solforge", *LANE), "1 3") == "move hawk 3"


@pytest.mark.parametrize(
    ("lines", "text", "sentence"),
    [
        (CRANKED, "ash-wolf ram", "Ash Wolf is cranked"),
        (CRANKED, "attack ash-wolf", "Ash Wolf is cranked"),
        (CRANKED, "3 ram", "Ash Wolf is cranked"),
        (ATTACKED, "block wolf ash-wolf", "Wolf is cranked"),
        (ATTACKED, "block wolf ash", "Wolf is cranked"),
        (
            (*COMBAT, "damage ash-wolf-2 1"),
            "ash ram",
            "“ash ram” could be `attack ash-wolf on ram` (2/3) or `attack ash",
        ),
    ],
)
def test_a_creature_that_cannot_is_refused_by_its_rule(lines: tuple[str, ...], text: str, sentence: str) -> None:
    assert reply(of("oddfrontier", *lines), text).startswith(sentence)


def test_a_number_stays_as_long_as_its_creature_does() -> None:
    session = of("oddfrontier", *HUNT)
    numbers = {thing.target: thing.number for thing in session.view().things()}
    assert numbers == {"wolf": 1, "hawk": 2, "ash-wolf": 3, "ash-wolf-2": 4, "hound": 5}
    session.enter("destroy hawk")
    session.enter("summon ana cat 1/1")
    after = {thing.target: thing.number for thing in session.view().things()}
    assert after == {"wolf": 1, "ash-wolf": 3, "ash-wolf-2": 4, "hound": 5, "cat": 2}


def test_rows_that_mean_different_lines_look_different() -> None:
    rows = options.options("ir", of("solforge", *LANES)).answers
    names = [row.name for row in rows]
    assert 'cast ana "Iron Rain"' in names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("game", "lines", "text", "line"),
    [
        ("oddfrontier", COMBAT, "ash r", "Enter: attack ash-wolf on ram"),
        ("decknforge", FIGHT, "9s, qh", "Enter: reveal ana 9S, reveal ben QH"),
        ("decknforge", TACTICS_OF_THREE, "brace 2h", "Enter: brace ana pay 2H"),
    ],
)
def test_the_line_that_enter_does_is_told_before(game: str, lines: tuple[str, ...], text: str, line: str) -> None:
    assert options.explain(text, of(game, *lines)).startswith(line)


@pytest.mark.parametrize("text", ["pass ana", "xyz", "ks", "foil", "9h"])
def test_no_line_is_told_for_what_is_whole_or_does_nothing(text: str) -> None:
    assert "Enter:" not in options.explain(text, of("decknforge", *TACTICS_OF_THREE))


@pytest.mark.parametrize(("text", "count"), [("ks", 4), ("2h", 2), ("snipe qd", 2), ("xyz", 0)])
def test_of_several_ways_the_list_holds_each(text: str, count: int) -> None:
    session = of("decknforge", *TACTICS_OF_THREE)
    lines = [row.line for row in options.options(text, session).answers]
    assert len(lines) == count
    for line in lines:
        assert [session.notation.format(action) for action in read(line, session)] == [line]


def test_cards_are_read_suit_first_and_suits_by_name() -> None:
    assert read("c9 c7 d8") == read("9c 7c 8d")
    session = _table(*TACTICS, "next")
    assert [session.notation.format(action) for action in read("convert ana as heart", session)] == ["convert ana as H"]
