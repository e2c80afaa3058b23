"""The order of asking: who is asked for a figure and when, whose turn follows, and what limits an answer."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.games.described import load
from companion.games.described.check import play_random
from companion.games.described.game import DescribedGame
from companion.games.described.page.actions import Enter
from companion.games.described.rules.state import DescribedTable
from companion.session.core.session import Session
from companion.session.reading import line_reading
from companion.session.table import going_on
from companion.session.table.confirmations import required_confirmation
from companion.tabletop.action import RuleError
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.table import Prompt, draft
from tests.examples import examples
from tests.games.described import pages, player

seeds = st.integers(0, 2**32 - 1)
PAGES = (
    *(f"games/{name}" for name in ("exact-bids", "partners-bid", "initiative", "bids-in-turn", "sealed-bids")),
    *(f"keys/{name}" for name in ("asked", "deal", "thing-turns", "order-bid")),
)
every_page = pytest.mark.parametrize("name", PAGES)
SECRET = ("games/initiative", "games/sealed-bids", "keys/asked")
"""The pages on which something is chosen in secret, so that several are asked at once."""


def page_of(name: str) -> DescribedGame:
    """The game of a page among the tables."""
    return pages.load(pages.TABLES / f"{name}.toml")


def table_with(name: str, *lines: str) -> Session:
    """A table of three after its set-up and some lines."""
    session = Session.new(page_of(name))
    for line in ("seat ana", "seat ben", "seat cy", "first ana", "begin seed 1", *lines):
        session.enter(line)
    return session


def waiting(session: Session) -> list[Prompt]:
    """What the table waits for."""
    return [prompt for prompt in session.view().prompts if prompt.due]


def refusal(session: Session, line: str) -> str:
    """Why a line is refused."""
    with pytest.raises(RuleError) as error:
        session.enter(line)
    return str(error.value)


@every_page
def test_random_games_find_nothing_wrong_with_a_page(name: str) -> None:
    assert play_random(page_of(name), 40) == ()


@every_page
def test_any_game_ends_and_asks_one_at_a_time(name: str) -> None:
    @settings(max_examples=examples(6), phases=[Phase.generate])
    @given(seeds)
    def play(seed: int) -> None:
        rules = page_of(name)
        for _, state in zip(range(80), player.tables(rules, seed), strict=False):
            questions = [p for p in rules.display.prompts(state) if p.due and p.answer.action is Enter]
            assert len({prompt.answer.given["column"] for prompt in questions}) <= 1
            assert len(questions) <= 1 or (name in SECRET and all(prompt.is_secret for prompt in questions))
        assert player.game(rules, seed).state.outcome

    play()


@every_page
def test_a_replayed_log_gives_the_same_tables(name: str) -> None:
    @settings(max_examples=examples(4), phases=[Phase.generate])
    @given(seeds)
    def play(seed: int) -> None:
        rules = page_of(name)
        played = player.game(rules, seed)
        again = Session.new(rules)
        for line in played.log.lines[1:]:
            again.enter(line.text)
            state: DescribedTable = again.state
            assert state.acting in ("", *(piece.handle for piece in state.pieces))
        assert again.state == played.state

    play()


def test_bids_begin_left_of_the_dealer_who_is_last() -> None:
    session = table_with("games/exact-bids")
    seats = []
    while waiting(session)[0].answer.action is Enter:
        (prompt,) = waiting(session)
        seats.append(prompt.seat)
        session.enter(f"enter {prompt.seat} bid {'1' if len(seats) != 2 else '0'}")
    assert seats == ["ben", "cy", "ana"]


def test_the_screen_says_how_many_cards_are_dealt() -> None:
    session = table_with("games/exact-bids")
    assert str(waiting(session)[0].text) == "Deal 1 card each. Turn one up for trumps. Ben: Bid?"
    assert [str(text) for text in session.view().card_work.steps] == ["Deal 1 card each. Turn one up for trumps."]
    for line in ("enter ben bid 0", "enter cy bid 0", "enter ana bid 0", "next"):
        session.enter(line)
    assert not session.view().card_work.steps
    for line in ("enter ben tricks 1", "enter cy tricks 0", "enter ana tricks 0", "next"):
        session.enter(line)
    assert str(waiting(session)[0].text).startswith("Deal 2 cards each.")


def test_the_last_bidder_sees_which_figures_are_open() -> None:
    session = table_with("games/exact-bids", "enter ben bid 1", "enter cy bid 0")
    assert str(waiting(session)[0].text) == "Ana: Bid? Open: 1."
    figures = choices(session.game, session.state, draft(Enter, seat="ana", column="bid"), "figure")
    assert isinstance(figures, Open)
    assert [choice.value for choice in figures.fitting] == [1]
    assert [choice.value for choice in figures.unfit] == [0]


def test_only_the_first_question_says_what_is_done_with_the_cards() -> None:
    session = table_with("games/sealed-bids")
    assert [str(prompt.text) for prompt in waiting(session)] == [
        "Turn up houses. Ana: Offer?",
        "Ben: Offer?",
        "Cy: Offer?",
    ]


def test_figures_without_a_near_end_are_not_listed() -> None:
    session = Session.new(pages.ready("standees"))
    for line in ("seat ana", "begin seed 1"):
        session.enter(line)
    figures = choices(session.game, session.state, draft(Enter, seat="ana", column="initiative"), "figure")
    assert isinstance(figures, Open)
    assert figures.fitting == ()  # 1 to 20 would read as if 20 were the last
    assert [choice.value for choice in figures.unfit] == [0]


def test_a_refused_bid_is_told_with_the_rule() -> None:
    session = table_with("games/exact-bids", "enter ben bid 1", "enter cy bid 0")
    assert refusal(session, "enter ana bid 0") == (
        "Ana: Bid cannot be 0, since the Bid of everybody together is not 1 by the rules. Open: 1. If the table "
        "allows it: `enter ana bid 0 anyway`."
    )
    assert refusal(session, "enter ana bid 4").startswith("Ana: Bid cannot be 4, since Bid is at most 1 by the rules.")


def test_a_bid_that_the_table_allows_stands() -> None:
    session = table_with("games/exact-bids", "enter ben bid 1", "enter cy bid 0", "enter ana bid 0 anyway")
    assert session.state.entered["ana"] == {"bid": 0}
    assert session.log.lines[-1].text == "enter ana bid 0 anyway"


def test_a_limit_without_a_known_end_tells_what_is_excluded() -> None:
    session = table_with("keys/deal", "next", "next", "enter ana bid 0", "enter ben bid 1")
    assert str(waiting(session)[0].text) == "Cy: Bid? Open: 0, 2."
    session = table_with("keys/asked", "enter ben bid 5", "enter cy bid 2")
    assert str(waiting(session)[0].text) == "Ana: Bid? Open: −1–4, 6–9."


def test_the_order_by_bid_asks_for_the_bids() -> None:
    session = table_with("keys/order-bid")
    assert str(waiting(session)[0].text) == "Ana: Bid?"
    session.enter("enter ana bid 2")
    session.enter("set ben bid 4")
    assert [prompt.seat for prompt in waiting(session) if prompt.answer.action is Enter] == ["cy"]
    session.enter("next")  # a page of this kind never insisted on bids
    assert session.state.active == "ben"


def test_secret_initiative_is_asked_of_all_at_once() -> None:
    session = table_with("games/initiative")
    assert [(prompt.seat, prompt.is_secret) for prompt in waiting(session)] == [
        ("ana", True),
        ("ben", True),
        ("cy", True),
    ]
    session.enter("face-down ana")
    session.enter("enter ben initiative 30")
    session.enter("face-down cy")
    assert [action.verb() for action in going_on.course(session).actions] == ["turn-up"]


def test_who_follows_is_shown_with_the_figures() -> None:
    lines = ("enter ana initiative 61", "enter ben initiative 30", "enter cy initiative 5")
    session = table_with("games/initiative", *lines, "put rat monster", "speed bone-guard 30", "speed rat 9")
    session.enter("next")
    session.enter("next")
    assert "Next: Ben 30, Bone Guard 30, Ana 61." in [str(hint) for hint in session.view().hints]
    assert [str(flag) for thing in session.view().things() if thing.target == "rat" for flag in thing.flags] == [
        "has the turn"
    ]
    assert str(waiting(session)[0].text) == "Rat: say what is done, or go on"


def test_a_turn_can_be_given_to_a_thing() -> None:
    lines = ("enter ana initiative 61", "enter ben initiative 30", "enter cy initiative 5", "next")
    session = table_with("games/initiative", *lines, "turn ana", "turn bone-guard")
    assert session.state.at_turn == "bone-guard"
    assert [c.value for c in session.view().counters if c.name == "active"] == ["bone-guard"]
    session.enter("turn ana")
    assert session.state.at_turn == "ana"


def test_an_auction_leaves_out_those_who_have_passed() -> None:
    session = table_with("games/bids-in-turn", "offer ben 1", "pass cy", "offer ana 2", "pass ben")
    assert session.state.active == "ana"
    offered = {answer.line for prompt in session.view().prompts for answer in prompt.answers}
    assert "win ana" in offered
    assert "pass ana" not in offered


def test_a_bid_is_corrected_by_amending_its_line() -> None:
    lines = ("enter ana initiative 61", "enter ben initiative 30", "enter cy initiative 5", "next")
    session = table_with("games/initiative", *lines)
    assert session.state.acting  # the monsters have no figure yet
    number = next(at for at, line in enumerate(session.log.lines, 1) if line.text == "enter ana initiative 61")
    session.enter(f"amend {number} enter ana initiative 3")
    assert [seat for seat in session.state.order if session.state.is_seat(seat)] == ["ana", "cy", "ben"]


def test_a_page_can_ask_for_a_figure_in_each_turn() -> None:
    page = 'name = "counted"\ntitle = "Counted"\n[[steps]]\nname = "main"\n[counters.cards]\nask-at = "main"\n'
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1"):
        session.enter(line)
    assert [prompt.seat for prompt in waiting(session)] == ["ana"]
    assert refusal(session, "next") == "Cards of Ana is missing: `enter ana cards N`."
    session.enter("enter ana cards 4")
    session.enter("next")
    assert [prompt.seat for prompt in waiting(session)] == ["ben"]


def test_everybody_has_passed_at_once_and_the_game_goes_on() -> None:
    session = table_with("games/bids-in-turn", "set ana passed yes", "set ben passed yes", "set cy passed yes", "next")
    assert session.state.round == 2
    assert session.state.active == "cy"


MONSTERS = """
name = "monsters"
title = "Monsters"

[play]
order = "lowest"
by = "initiative"

[[steps]]
name = "choose"
of = "round"

[counters.initiative]
ask-at = "choose"
reset = "round"

[counters.speed]
of = "monster"
ask-at = "choose"
reset = "round"

[things.monster]
of = "table"
by = "speed"

[actions.reveal]
whose = "table"
takes = "THING N"
does = ["set THING speed N"]
"""


@pytest.fixture
def monsters() -> Session:
    session = Session.new(load.game_from_text(MONSTERS))
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1"):
        session.enter(line)
    for line in ("put bandit monster", "put bandit-2 monster name Bandit", "put rat monster"):
        session.enter(line)
    return session


def test_the_table_is_asked_for_the_figure_of_each_name(monsters: Session) -> None:
    for line in ("enter ana initiative 40", "enter ben initiative 20"):
        monsters.enter(line)
    assert str(waiting(monsters)[0].text) == "Bandit: Speed?"
    assert str(waiting(monsters)[0].answer.title) == "Enter Speed", (
        "a button names the figure and not one of the things"
    )
    assert "`set bandit speed N`" in refusal(monsters, "next")
    for action in line_reading.read_line("30", monsters):
        monsters.enter(monsters.notation.format(action))
    assert {str(piece.title): piece.figures["speed"] for piece in monsters.state.pieces} == {"Bandit": 30, "Rat": 0}
    assert str(waiting(monsters)[0].text) == "Rat: Speed?"
    for action in line_reading.read_line("rat 5", monsters):
        monsters.enter(monsters.notation.format(action))
    monsters.enter("next")
    assert monsters.state.order == ("rat", "ben", "bandit", "bandit-2", "ana")


def test_a_thing_is_asked_about_anew_each_round(monsters: Session) -> None:
    for line in ("enter ana initiative 40", "enter ben initiative 20", "reveal bandit 30", "set rat speed 50"):
        monsters.enter(line)
    assert str(waiting(monsters)[0].text) == "Bandit: Speed?", "one of two has its figure"
    for line in ("set bandit-2 speed 0",):
        monsters.enter(line)
    for _ in range(6):
        monsters.enter("next")
    assert monsters.state.round == 2
    for line in ("enter ana initiative 40", "enter ben initiative 20", "remove bandit-2", "reveal bandit 7"):
        monsters.enter(line)
    assert str(waiting(monsters)[0].text) == "Rat: Speed?"


def test_who_begins_is_asked_where_a_token_goes_by_it() -> None:
    page = """
    name = "hands"
    title = "Hands"
    [play]
    order = "together"
    by = "left of dealer"
    [counters.points]
    [tokens.dealer]
    start = "first"
    """
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "seat cy"):
        session.enter(line)
    assert "Who begins?" in [str(prompt.text) for prompt in session.view().prompts]


@pytest.mark.parametrize(
    ("more", "question"),
    [
        ("", ""),
        ('first = "lot"', "Who begins? Lots are drawn"),
        ('[sheet]\ncolumns = ["bid"]', ""),
        ('[sheet]\ncolumns = ["bid"]\nlimit = { bid = "each.bid != 5" }', "Who begins?"),
        ('by = "dealer"\n[tokens.dealer]', "Who begins?"),
        ('[tokens.dealer]\nstart = "lot"', ""),
        ('[tokens.dealer]\nstart = "first"', "Who begins?"),
    ],
)
def test_who_begins_is_asked_if_all_act_at_once(more: str, question: str) -> None:
    page = f'name = "hands"\ntitle = "Hands"\n[play]\norder = "together"\n{more}\n[counters.points]\n'
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "seat cy"):
        session.enter(line)
    questions = [str(prompt.text) for prompt in session.view().prompts]
    assert [text for text in questions if text.startswith("Who begins?")] == [question][: bool(question)]
    if question:
        session.enter("first ben")
    session.enter("begin seed 1")
    assert session.state.order[0] == ("ben" if question else "ana")


SUMS = """
name = "sums"
title = "Sums"

[play]
players = "2-4"
order = "together"

[sheet]
columns = ["wins"]
least = LEAST
limit = { wins = LIMIT }
"""


def table_of_two(page: str, *lines: str) -> Session:
    """A table of two at a page, after its set-up and some lines."""
    session = Session.new(load.game_from_text(page))
    for line in ("seat ana", "seat ben", "begin seed 1", *lines):
        session.enter(line)
    return session


@pytest.mark.parametrize("least", [0, -1, -21, -25, -199, -5000])
def test_open_figures_are_found_however_low_the_least_is(least: int) -> None:
    page = SUMS.replace("LEAST", str(least)).replace("LIMIT", '["wins >= 0", "each.wins <= 1"]')
    session = table_of_two(page, "enter ana wins 0")
    assert str(waiting(session)[0].text).startswith("Ben: Wins?")
    assert str(waiting(session)[0].text).endswith("Open: 0, 1.")
    assert "is_allowed" not in waiting(session)[0].answer.given  # the table has allowed nothing
    assert "Open: 0, 1." in refusal(session, "enter ben wins 2")


@pytest.mark.parametrize(("total", "expected"), [(20, "Open: 18."), (100, "Open: 98."), (4000, "")])
def test_open_figures_are_found_far_from_the_least(total: int, expected: str) -> None:
    page = SUMS.replace("LEAST", "0").replace("LIMIT", f'"each.wins = {total}"')
    session = table_of_two(page, "enter ana wins 2")
    assert str(waiting(session)[0].text) == f"Ben: Wins? {expected}".rstrip()
    assert "is_allowed" not in waiting(session)[0].answer.given
    assert "No figure" not in refusal(session, "enter ben wins 1")
    session.enter(f"enter ben wins {total - 2}")


@pytest.mark.parametrize(
    ("limit", "expected"),
    [("offer <= 3", ""), ("offer != 3", "Not 3."), ("offer >= 3", ""), ("offer = -7", "Open: −7.")],
)
def test_a_counter_without_a_least_figure_is_limited(limit: str, expected: str) -> None:
    page = SUMS[: SUMS.index("[sheet]")] + (
        f'[[steps]]\nname = "bid"\n[counters.offer]\nleast = "none"\nask-at = "bid"\nlimit = "{limit}"\n'
    )
    sentence = refusal(table_of_two(page), f"enter ana offer {4 if '<=' in limit else 3 if '!=' in limit else 2}")
    assert ("Open" in sentence, "Not" in sentence) == (expected.startswith("Open: "), expected.startswith("Not"))
    assert expected in sentence


def test_a_figure_that_nothing_leaves_open_is_confirmed() -> None:
    page = SUMS.replace("LEAST", "0").replace("LIMIT", '"wins < 0"').replace('"together"', '"together"\nhand = 1')
    session = table_of_two(page)
    assert waiting(session)[0].answer.given["is_allowed"]
    needed = required_confirmation(session, (Enter("ana", "wins", 0, is_allowed=True),))
    assert needed is not None
    assert str(needed.text).startswith("By the rules, this figure is not open. Does the table allow it?")
    assert not Enter("ana", "wins", 0).sure
