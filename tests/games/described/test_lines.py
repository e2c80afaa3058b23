"""Lines of a page's own and figures, as people type them and as the log tells them."""

from __future__ import annotations

import pytest

from companion.games.described import load
from companion.games.described.check import play_random
from companion.games.described.game import DescribedGame
from companion.games.described.page.reading import PageError
from companion.plain import talk
from companion.session.core.changes import describe, differences
from companion.session.core.session import Session
from companion.session.reading.line_reading import read_line
from companion.tabletop.action import AmbiguousLine, NotationError, RuleError
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.common_actions import Set
from companion.tabletop.table.field_questions import ask_field
from companion.tabletop.table.table import draft
from templates.languages.catalogues import load_language
from templates.languages.messages import speaking

DUEL = """
name = "moths-and-men"
title = "Moths and men"

[play]
players = "2-3"

[counters.crystals]
each = 1
most = 10

[counters.mana]
reset = "turn"
reset-to = "crystals"

[counters.life]
start = 20

[counters.doom]
of = "table"
title = "The doom"

[things.moth]
list = [{ name = "Ash Moth", figures = { dust = 3 } }]

[counters.wings]
of = "moth"
start = 1

[counters.dust]
of = "moth"
start = 1

[flags.tired]
of = "moth"

[pools.mates]
drawn = "cards"
cards = [{ name = "Bo", puts = "moth" }]

[actions.face]
title = "A moth flies at somebody"
takes = "THING SEAT"
when = ["me has THING", "THING has not tired", "THING wings >= 1"]
does = ["add SEAT life -THING.wings", "set THING tired yes"]

[actions.scout]
takes = "THING"
tell = "me sends THING ahead"

[actions.rouse]
takes = "TEXT N"
does = ["put TEXT moth of me"]

[actions.duel]
takes = "THING THING2"
when = ["THING wings > THING2.wings"]
does = ["remove THING2"]

[actions.sing]
whose = "any"
when = ["me mana >= 1"]
"""


@pytest.fixture
def session() -> Session:
    table = Session.new(load.game_from_text(DUEL))
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "first ana", "begin seed 1"):
        table.enter(line)
    return table


def typed(session: Session, text: str) -> list[str]:
    """The lines that a text stands for, which are entered."""
    lines = [session.notation.format(action) for action in read_line(text, session)]
    for line in lines:
        session.enter(line)
    return lines


def tells(session: Session, line: str) -> list[str]:
    """What the log says of a line."""
    return [str(tell.text) for tell in session.game.apply(session.state, session.notation.parse(line)).tells]


@pytest.mark.parametrize(
    ("text", "line"),
    [("doom 8", "set table doom 8"), ("doom +2", "add table doom +2"), ("The doom 3", "set table doom 3")],
)
def test_a_figure_of_the_table_is_meant_by_its_name(session: Session, text: str, line: str) -> None:
    assert typed(session, text) == [line]


def test_the_beginning_of_a_listed_name_makes_nothing_new_unasked(session: Session) -> None:
    with pytest.raises(AmbiguousLine, match="`put ash-moth moth`"):
        read_line("put ash moth", session)
    assert typed(session, "put ash-moth moth") == ["put ash-moth moth"]
    assert typed(session, "put fox moth") == ["put fox moth"]


def test_a_turn_is_told_before_what_it_brings(session: Session) -> None:
    assert tells(session, "next") == ["Ben's turn.", "Ben: Crystals 0 → 1.", "Ben: Mana 0 → 1."]
    session.enter("next")
    assert tells(session, "next")[:2] == ["Round 2.", "Ana's turn."]


def test_a_line_is_told_as_its_page_says(session: Session) -> None:
    session.enter("put ash-moth moth")
    assert tells(session, "face ana ash-moth ben")[0] == "Ana: A moth flies at somebody (Ash Moth, Ben)."
    assert tells(session, "scout ana ash-moth") == ["Ana sends Ash Moth ahead."]


def test_a_refusal_says_in_words_what_must_hold(session: Session) -> None:
    session.enter("put ash-moth moth of ben")
    session.enter("put fox moth with 0")
    with pytest.raises(RuleError, match=r"`face` is only possible if Ana owns Ash Moth\."):
        session.enter("face ana ash-moth ben")
    with pytest.raises(RuleError, match=r"`face` is only possible if Fox's Wings is at least 1\."):
        session.enter("face ana fox ben")
    with pytest.raises(RuleError, match=r"`duel` is only possible if Fox's Wings is more than Ash Moth's Wings\."):
        session.enter("duel ana fox ash-moth")
    session.enter("set fox wings 1")
    session.enter("face ana fox ben")
    with pytest.raises(RuleError, match=r"`face` is only possible if Fox is not tired\."):
        session.enter("face ana fox ben")


@pytest.mark.parametrize("typed_line", ["face fox ben", "fac fox ben"])
def test_who_acts_can_be_left_out_of_a_refused_line(session: Session, typed_line: str) -> None:
    session.enter("put fox moth with 0")
    (action,) = read_line(typed_line, session)
    with pytest.raises(RuleError, match=r"`face` is only possible if Fox's Wings is at least 1\."):
        session.enter(session.notation.format(action))
    session.enter("next")
    (action,) = read_line("face fox ana", session)
    with pytest.raises(RuleError, match=r"`face` is only possible if Ben owns Fox\."):
        session.enter(session.notation.format(action))


WORDS = """
name = "ferry"
title = "Ferry"
[play]
players = "2-3"
[counters.coins]
start = 9
[counters.price]
of = "ware"
start = 2
[flags.sealed]
of = "crate"
[things.ware]
of = "table"
[things.crate]
[pools.ship]
cards = [{ name = "Oil", copies = 4, puts = "ware" }]
[actions.buy]
takes = "THING"
costs = { coins = "price of THING" }
does = ["remove THING", "draw ship for me"]
[actions.open]
takes = "THING"
when = ["THING has sealed"]
does = ["set THING sealed no"]
[actions.rob]
takes = "SEAT N"
costs = { coins = "20 * N" }
when = ["SEAT != me"]
does = ["add SEAT coins -N"]
[actions.swap]
takes = "THING THING2"
when = ["THING != THING2"]
[actions.bid]
takes = "N"
when = ["N >= 4", "N != 6"]
[actions.range]
takes = "N N2 red|blue"
when = ["N2 > N", "CHOICE != red"]
"""


@pytest.fixture
def ferry() -> Session:
    table = Session.new(load.game_from_text(WORDS))
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "first ana", "begin seed 1"):
        table.enter(line)
    return table


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("rob ana ana 0", "`rob` is only possible if somebody other than Ana is chosen."),
        ("swap ana box box", "`swap` is only possible if something other than Box is chosen."),
        ("bid ana 3", "`bid` is only possible if the number is at least 4."),
        ("bid ana 6", "`bid` is only possible if the number is not 6."),
        ("range ana 5 3 blue", "`range` is only possible if the second number is more than 5."),
        ("range ana 1 3 red", "`range` is only possible if the word is not red."),
        ("open ana oil", "`open` is not possible here: Oil has no flag “sealed”."),
        ("buy ana box", "Box has no counter “price”."),
    ],
)
def test_a_refusal_names_what_must_be_chosen(ferry: Session, line: str, why: str) -> None:
    ferry.enter('put box crate name "Box"')
    ferry.enter('put oil ware name "Oil"')
    with pytest.raises(RuleError) as refused:
        ferry.enter(line)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("buy", "There is nothing yet that `buy` could be done with."),
        ("buy oil", "There is nothing yet that `buy` could be done with."),
        ("open ana", "There is nothing yet that `open` could be done with."),
        ("rob", "Ana has Coins 9, but this costs 20."),
    ],
)
def test_a_line_that_nothing_fits_says_why(ferry: Session, text: str, why: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_line(text, ferry)
    assert str(refused.value) == why


def test_the_drawn_card_is_no_object_of_its_line(ferry: Session) -> None:
    ferry.enter('put wine ware name "Wine"')
    assert tells(ferry, 'buy ana wine is "Oil"')[0] == "Ana: Buy (Wine)."


def test_the_last_round_leads_to_the_end_of_the_game() -> None:
    page = DUEL.replace('players = "2-3"', 'players = "2"\nrounds = "players"')
    table = Session.new(load.game_from_text(page.replace('"moths-and-men"', '"two-more-rounds"')))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "next"):
        table.enter(line)
    for stop in ("Round 2", "Ben", "the end of the game"):
        way_on = table.game.way_on(table.state)
        assert way_on is not None
        assert str(way_on.does) == stop
        table.enter("next")
    (question,) = (prompt for prompt in table.view().prompts if prompt.due)
    assert str(question.text) == "Everything has been played. Who has won?"


def test_a_name_with_spaces_becomes_a_thing_of_that_name(session: Session) -> None:
    session.enter('rouse ana "Big Grey Moth" 2')
    session.enter('rouse ana "Big Grey Moth" 2')
    assert [(piece.handle, piece.title) for piece in session.state.pieces] == [
        ("big-grey-moth", "Big Grey Moth"),
        ("big-grey-moth-2", "Big Grey Moth"),
    ]


def test_what_anybody_can_do_is_offered_to_each_who_can(session: Session) -> None:
    def singers() -> list[str]:
        prompts = session.view().prompts
        return [prompt.seat for prompt in prompts if "sing" in (answer.action.verb() for answer in prompt.answers)]

    assert singers() == ["ana"]  # Ben has no mana before his first turn
    session.enter("next")
    assert singers() == ["ana", "ben"]


def test_a_line_that_nothing_fits_is_not_offered(session: Session) -> None:
    def offered() -> set[str]:
        return {answer.action.verb() for prompt in session.view().prompts for answer in prompt.answers}

    for name in ("a", "b", "c", "d"):
        session.enter(f"put {name} moth of ben")
    assert not {"duel", "face"} & offered()
    session.enter("set d wings 2")
    assert "duel" in offered()
    session.enter("put e moth of ana")
    assert "face" in offered()


@pytest.mark.slow
def test_a_check_says_why_nothing_can_be_drawn() -> None:
    page = DUEL.replace('players = "2-3"', 'players = "2-3"\norder = "together"').replace(
        'title = "Moths and men"', 'title = "All"'
    )
    page += '\n[actions.hire]\nwhose = "table"\ndoes = ["draw mates"]\n'
    game = load.game_from_text(page)
    assert isinstance(game, DescribedGame)
    texts = {finding.place: str(finding.text) for finding in play_random(game, 20)}
    assert "Say who draws from Mates: `draw mates for SEAT`." in texts["actions.hire"]


def test_a_line_that_draws_can_leave_it_to_the_program() -> None:
    page = f'{DUEL}\n[actions.hire]\ndoes = ["draw mates for me"]\n'.replace('"moths-and-men"', '"hirers"')
    page = page.replace('drawn = "cards"\n', "").replace('name = "Bo"', 'copies = 3, name = "Bo"')
    session = Session.new(load.game_from_text(page))
    for line in ("rule draws table", "seat ana", "seat ben", "first ana", "begin seed 1"):
        session.enter(line)
    answers = {answer.line: answer.note for prompt in session.view().prompts for answer in prompt.answers}
    assert answers["hire ana drawn"] == "draw one for us"
    left = session.state.pools["mates"].left
    session.enter("hire ana drawn")
    assert len(session.state.pools["mates"].left) == len(left) - 1
    assert session.log.lines[-1].text.startswith("hire ana is ")
    assert session.log.lines[-1].text.endswith(" drawn")


def test_a_figure_of_the_table_that_changes_is_told_once(session: Session) -> None:
    before = session.view()
    session.enter("set table doom 4")
    assert describe(differences(before, session.view())) == "The doom 0 → 4."


def test_a_record_counts_rounds_and_no_turns() -> None:
    page = DUEL.replace('players = "2-3"', 'players = "2"\nrounds = 2')
    table = Session.new(load.game_from_text(page.replace('"moths-and-men"', '"two-rounds"')))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "next", "next"):
        table.enter(line)
    assert (table.state.rounds, table.state.turn) == (2, 3)
    table.enter("next")
    table.enter("next")
    assert table.state.rounds == 2  # all is played


def test_a_figure_of_a_team_that_changes_is_told_once() -> None:
    page = (
        'name = "pairs-of-two"\ntitle = "Pairs"\n[play]\nplayers = "4"\nteams = 2\nteam-titles = ["Sun", "Red Moon"]\n'
    )
    table = Session.new(load.game_from_text(f'{page}[counters.points]\nof = "team"\nbig = true\n'))
    for line in ('seat ana name "Ana"', "seat ben", "seat cy", "seat dee", "first ana", "begin seed 1"):
        table.enter(line)
    before = table.view()
    assert typed(table, "ana +3") == ["add ana points +3"]
    assert typed(table, "red moon points 2") == ["set red-moon points 2"]
    assert describe(differences(before, table.view())) == "Sun: Points 0 → 3. Red Moon: Points 0 → 2."
    assert tells(table, "add cy points +1") == ["Sun: Points 3 → 4."]
    assert [str(thing.notes[0]) for thing in table.view().zones[0].things] == ["Ana, Cy", "Ben, Dee"]


MARKS = """
name = "marks"
title = "Marks"
[play]
players = "2-3"
[counters.life]
start = 20
[counters.damage]
of = "rival"
reset = "turn"
"""


def test_a_reset_tells_only_what_it_changes() -> None:
    session = Session.new(load.game_from_text(MARKS))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "add ben damage-ana 3"):
        session.enter(line)
    assert [str(tell.text) for tell in session.enter("next")] == ["Ben's turn.", "Ben: Damage 3 → 0."]


FLEET = """
name = "fleet"
title = "Fleet"

[play]
order = "highest"
by = "speed"

[counters.authority]
start = 5
out = "<= 0"

[counters.speed]

[counters.experience]
title = "Experience points"
short = "XP"

[counters.body]
title = "Maximum health"
start = 11
hidden = true

[counters.piles]
of = "table"
title = "Empty piles"
short = "Piles"

[things.ship]
list = [{ name = "Star Cutter" }]

[counters.cost]
of = "ship"

[things.base]
list = [{ name = "Hub" }]

[counters.defense]
of = "base"
"""


@pytest.fixture
def fleet() -> Session:
    session = Session.new(load.game_from_text(FLEET))
    for line in ("seat ana", "seat ben", "seat cy", "first ana", "begin seed 1"):
        session.enter(line)
    return session


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ben xp 2", "set ben experience 2"),
        ("ben XP +1", "add ben experience +1"),
        ("ben experience points 2", "set ben experience 2"),
        ("piles 2", "set table piles 2"),
        ('put "Gem Scout" ship of ana with 1', 'put gem-scout ship of ana name "Gem Scout" with 1'),
        ('put "Gem Scout" ship', 'put gem-scout ship name "Gem Scout"'),
    ],
)
def test_what_a_screen_shows_can_be_typed(fleet: Session, text: str, line: str) -> None:
    assert typed(fleet, text) == [line]


def test_a_keyword_is_no_name_to_put_in_quotes(fleet: Session) -> None:
    with pytest.raises(NotationError) as error:
        typed(fleet, "put gem scout ship with 1")
    assert '"with"' not in str(error.value)


def test_the_order_of_a_round_leaves_out_who_is_out(fleet: Session) -> None:
    fleet.enter("add ben authority -5")
    texts = [str(tell.text) for line in ("next", "next") for tell in fleet.enter(line)]
    assert "The order of this round: Ana and Cy." in texts or "The order of this round: Ana, Cy." in texts


def test_a_hidden_figure_is_read_out_by_its_title(fleet: Session) -> None:
    text = " ".join(map(str, talk.describe_named(fleet.view(), "ana")))
    assert "Maximum health 11." in text
    assert "Body" not in text


SIEGE = """
name = "siege"
title = "Siege"

[counters.authority]
start = 50

[flags.shield]

[things.outpost]

[things.base]

[counters.defense]
of = "base"
start = 4

[actions.raze]
takes = "THING"
when = ["owner of THING != me", "owner of THING outpost = 0", "owner of THING has not shield"]
does = ["remove THING"]
"""


def test_a_line_can_ask_for_the_owner_of_a_thing() -> None:
    page = SIEGE.replace('"owner of THING != me", ', '"me has not THING", ')
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "put hub base of ben", "put hulk outpost of ben"):
        session.enter(line)

    def refusal() -> str:
        with pytest.raises(RuleError) as error:
            session.enter("raze ana hub")
        return str(error.value)

    def offers() -> bool:
        return any(answer.action.verb() == "raze" for answer in session.view().prompts[0].answers)

    assert refusal() == "`raze` is only possible if Ben has none of “Outpost”."
    assert not offers()
    session.enter("remove hulk")
    session.enter("set ben shield yes")
    assert "Ben" in refusal()
    assert not offers()
    session.enter("set ben shield no")
    assert offers()
    session.enter("raze ana hub")
    assert session.state.pieces == ()


def test_the_owner_of_a_thing_needs_the_thing() -> None:
    page = SIEGE.replace("THING != me", "THING has shield").replace('takes = "THING"', "").replace('"remove THING"', "")
    with pytest.raises(PageError) as error:
        load.game_from_text(page)
    assert "THING" in str(error.value)


def test_things_are_chosen_by_their_figures() -> None:
    session = Session.new(load.game_from_text(SIEGE.replace('"owner of THING != me", ', "")))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", "put hub base of ben with 6"):
        session.enter(line)
    action = next(each for each in session.game.actions if each.verb() == "raze")
    things = choices(session.game, session.state, draft(action, seat="ana"), "thing")
    assert not isinstance(things, Open)
    assert [(thing.value, str(thing.detail)) for thing in things] == [("hub", "Defense 6")]


FADING = """
name = "fading"
title = "Fading"
[play]
players = "2"
[counters.glow]
start = 1
each = -1
at = "round"
[counters.oil]
most = 3
[actions.pour]
does = ["add me oil 2"]
"""


def test_what_comes_by_itself_is_told_only_if_it_changes_something() -> None:
    session = Session.new(load.game_from_text(FADING))
    sentences = [str(tell.text) for line in ("seat ana", "seat ben", "begin") for tell in session.enter(line)]
    assert "Ana: Glow 1 → 0." in sentences
    later = [str(tell.text) for _ in range(4) for tell in session.enter("next")]
    assert not any("Glow" in text for text in later)
    poured = [str(tell.text) for _ in range(3) for tell in session.enter("pour ana")]
    assert poured[-1].endswith("Oil stays at 3."), "what a player does is answered"


def test_who_begins_keeps_a_token_of_the_first_round() -> None:
    page = """
name = "firsts"
title = "Firsts"
[play]
players = "2"
first = "ask"
[tokens.first]
start = "first"
reset = "round"
[counters.points]
"""
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "first ana", "begin"):
        session.enter(line)
    assert session.state.tokens["first"] == "ana"
    for _ in range(4):
        session.enter("next")
    assert session.state.round > 1
    assert not session.state.tokens.get("first")


NUMBERS = """
name = "numbers"
title = "Numbers"
[play]
players = "2"
[counters.trade]
[counters.combat]
[actions.earn]
takes = "N N2"
titles = { N = "Trade", N2 = "Combat" }
does = ["add me trade N", "add me combat N2"]
[actions.count]
takes = "N N2 N3 N4"
does = ["add me trade N4"]
[language.de]
"Trade" = "Handel"
"""


@pytest.mark.parametrize(
    ("verb", "names"),
    [
        ("earn", ["Trade?", "Combat?"]),
        ("count", ["How many?", "How many more?", "How many more?", "How many more?"]),
    ],
)
def test_each_number_of_a_line_is_asked_for_by_a_name(verb: str, names: list[str]) -> None:
    action = next(each for each in load.game_from_text(NUMBERS).actions if each.verb() == verb)
    arguments = grammar(action).arguments[1:]  # behind the seat
    assert [str(ask_field(action, argument, is_new=False)) for argument in arguments] == names


def test_the_names_of_parameters_are_translated_as_other_titles() -> None:
    with speaking(load_language("de")):
        earn = next(each for each in load.game_from_text(NUMBERS).actions if each.verb() == "earn")
        assert [str(title) for title in earn.field_titles.values()][:1] == ["Handel"]


def test_a_word_of_a_counter_may_be_none_and_is_set_back_by_hand() -> None:
    page = (
        'name = "suns"\ntitle = "Suns"\n[play]\nplayers = "2"\n[counters.sun]\nof = "table"\nwords = ["none", "red"]\n'
    )
    session = Session.new(load.game_from_text(page))
    sentences = [str(tell.text) for line in ("seat ana", "seat ben", "begin") for tell in session.enter(line)]
    assert not [text for text in sentences if "none" in text]
    before = session.view()
    session.enter("set table sun red")
    assert str(describe(differences(before, session.view()))) == "Sun none → red."
    offered = choices(session.game, session.state, draft(Set, target="table", counter="sun"), "value")
    assert not isinstance(offered, Open)
    assert "none" in [choice.value for choice in offered]
    session.enter("set table sun none")
    assert session.view() == before
