"""Amounts of a page: what is read from them and how they are written, what they come to, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.described.load import game_from_text
from companion.games.described.page.amount_texts import describe_price
from companion.games.described.page.amounts import (
    MOST_TERMS,
    Amount,
    Extreme,
    Name,
    Negative,
    Number,
    Product,
    Standing,
    Sum,
    ValueTable,
    names_in,
    owners_in,
    parameters_of,
    parse_amount,
    split_amounts,
)
from companion.games.described.page.reading import PageError, read_description
from companion.games.described.rules.amounts import compile_amount, read_amount
from companion.games.described.rules.context import Context
from companion.games.described.rules.state import Resolution
from companion.session.core.session import Session
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.notation.arguments import MAX_VALUE
from templates.languages.catalogues import find_language
from templates.languages.messages import speaking
from tests.examples import examples


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("3", "3"),
        ("-N", "-N"),
        ("+THING.power", "THING.power"),
        ("−2×N", "-2 * N"),
        ("2 * N + me.level", "2 * N + me.level"),
        ("-(THING.power - SEAT.armour)", "-(THING.power - SEAT.armour)"),
        ("cost of THING", "THING.cost"),
        ("Me.Level + 1", "me.level + 1"),
        ("me.damage-SEAT", "me.damage-SEAT"),
        ("[3, 5, -8]", "[3, 5, -8] by round"),
        ("[3,5] by players + 1", "[3, 5] by players + 1"),
        ("[3,5] by (a + b)", "[3, 5] by (a + b)"),
        ("max(0, a - b)", "max(0, a - b)"),
        ("MIN(a, 3) * 2", "min(a, 3) * 2"),
        ("a - (b - c)", "a - (b - c)"),
        ("a - b * -c", "a - b * -c"),
        ("[3, 5] by N from 0", "[3, 5] by N from 0"),
        ("[3, 5] by (a + b) from -1", "[3, 5] by (a + b) from -1"),
        ("2 * [3, 5] by a + b", "2 * [3, 5] by a + b"),
        ("Rank of Coins", "rank of coins"),
        ("rank of me.coins", "rank of me.coins"),
        ("ties of SEAT.coins + 1", "ties of SEAT.coins + 1"),
        ("rank of -coins - 1", "rank of -coins - 1"),
        ("rank of (2 * coins + gems) * 3", "rank of (2 * coins + gems) * 3"),
        ("[6, 3] by rank of coins + 1", "[6, 3] by rank of coins + 1"),
        ("rank of THING", "THING.rank"),
        ("most of THING", "THING.most"),
        ("most of others.coins - fewest of each.coins", "most of others.coins - fewest of each.coins"),
        ("(a + b) * (c + 1)", "(a + b) * (c + 1)"),
    ],
)
def test_an_amount_is_read_and_written(text: str, written: str) -> None:
    assert str(parse_amount(text)) == written
    assert parse_amount(written) == parse_amount(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "“” is not a whole amount"),
        ("N +", "“N +” is not a whole amount"),
        ("2 N", "is not an amount, because of “N”"),
        ("a / b", "because of “/”"),
        ("1,000", "because of “,”"),
        ("(a + 1", "is not a whole amount"),
        ("a + 1)", "because of “)”"),
        ("[3, N]", "because of “N”"),
        ("a..b", "because of “.”"),
        ("12345678", "because of “12345678”"),
        ("+".join("a" * 13), "has 13 terms; an amount has at most 12"),
        ("(" * 40 + "a" + ")" * 40, "is not an amount"),
        ("-" * 60 + "a", "is not an amount"),
        ("[" + ", ".join("1" * 41) + "]", "at most 40"),
        ("a" * 201, "at most 200 symbols"),
        ("[3, 5] by a + b from 0", "because of “from”"),
        ("[3, 5] by a from b", "because of “b”"),
        ("rank of", "is not a whole amount"),
        ("rank of " * 20 + "a", "has 21 terms"),
        ("most of me.coins", "write “most of each.coins” or “most of others.coins”"),
        ("most of each.", "is not a whole amount"),
    ],
)
def test_what_is_no_amount_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_amount(text)
    assert sentence in str(error.value)


def test_the_words_of_an_amount_are_found() -> None:
    amount = parse_amount("2 * N + me.damage-SEAT2 - max(cost of THING, [1, 2] by wood)")
    assert [*map(str, names_in(amount))] == ["N", "me.damage-SEAT2", "THING.cost", "wood"]
    assert parameters_of(amount) == ("N", "SEAT2", "THING")
    assert parameters_of(parse_amount("rank of SEAT.wood + most of each.damage-SEAT2")) == ("SEAT", "SEAT2")
    assert [*owners_in("add old-mill water -2 * mill.water")] == ["add", "old-mill", "water", "mill"]


def test_amounts_in_a_row_are_told_apart_by_brackets() -> None:
    assert split_amounts(["(2", "*", "N)", "3", "max(1,", "N)", "4"]) == ["(2 * N)", "3", "max(1, N)", "4"]


# Amounts at random

NAMES = {"N": 3, "wood": -2, "me.level": 7, "THING.power": 0}
numbers = st.integers(-9, 9).map(Number)
names = st.sampled_from([parse_amount(name) for name in NAMES])


def _widen(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        several.map(Sum),
        several.map(Product),
        inner.map(Negative),
        st.builds(Extreme, st.booleans(), several),
        st.builds(
            ValueTable,
            st.lists(st.integers(-9, 9), min_size=1, max_size=4).map(tuple),
            inner,
            st.none() | st.integers(-2, 2),
        ),
        st.builds(
            Standing,
            st.sampled_from(["rank", "ties"]),
            st.just(""),
            inner.filter(lambda amount: not (isinstance(amount, Name) and amount.owner)),
        ),
    )


amounts = st.recursive(numbers | names, _widen, max_leaves=8)


RIVALS = (NAMES, {**NAMES, "wood": 5}, {**NAMES, "wood": -2, "N": 4})
"""The figures of three players; amounts are read for the first."""


def value_in(table: ValueTable, place: int) -> int:
    """Return the value of a list at a place."""
    at = place - (1 if table.first is None else table.first)
    if isinstance(table.by, Standing) and table.by.word == "rank" and table.first is None and at >= len(table.values):
        return 0
    return table.values[max(0, min(at, len(table.values) - 1))]


def python_of(amount: Amount, figures: Mapping[str, int] = NAMES) -> int:
    """Return the value of an amount, calculated by Python itself."""

    def value_of(part: Amount) -> int:
        return python_of(part, figures)

    match amount:
        case Number(value):
            return value
        case Name():
            return figures[str(amount)]
        case Negative(inner):
            return -value_of(inner)
        case Sum(terms):
            return sum(map(value_of, terms))
        case Product(factors):
            return prod(map(value_of, factors))
        case Extreme(is_largest, parts):
            return sorted(map(value_of, parts))[-1 if is_largest else 0]
        case Standing(word, _, inner):
            of_all = sorted((python_of(inner, each) for each in RIVALS), reverse=True)
            return of_all.index(value_of(inner)) + 1 if word == "rank" else of_all.count(value_of(inner))
        case ValueTable():
            return value_in(amount, value_of(amount.by))
    raise AssertionError(amount)


@settings(max_examples=examples(200))
@given(amounts)
def test_any_amount_is_read_back_as_it_is_written(amount: Amount) -> None:
    try:
        parsed = parse_amount(str(amount))
    except NotationError:
        return  # it is too long, or has too many terms
    assert parse_amount(str(parsed)) == parsed
    assert python_of(parsed) == python_of(amount)


@settings(max_examples=examples(200))
@given(amounts)
def test_any_amount_comes_to_what_python_says(amount: Amount) -> None:
    read = compile_amount(
        amount,
        lambda name: lambda _, target: RIVALS[int(target)][str(name)],
        rivals_in=lambda _: lambda *_: map(str, range(len(RIVALS))),
    )
    assert read(None, "0") == python_of(amount)


@settings(max_examples=examples(100))
@given(st.lists(st.sampled_from(["N", "wood", "-wood", "12 * N", "(wood + N)"]), min_size=1, max_size=4))
def test_no_amount_is_beyond_the_limit_of_figures(factors: list[str]) -> None:
    state = open_woods().state
    plan = open_woods().game.plan(state)  # type: ignore[attr-defined]
    context = Context(plan, Resolution(state), "ana", {"N": 900})
    numbers = {"N": 900, "wood": 500, "-wood": -500, "12 * N": 10_800, "(wood + N)": 1400}
    if abs(prod(numbers[factor] for factor in factors)) <= MAX_VALUE:
        assert read_amount(context, " * ".join(factors)) == prod(numbers[factor] for factor in factors)
        return
    with pytest.raises(RuleError, match="no figure goes beyond"):
        read_amount(context, " * ".join(factors))


@settings(max_examples=examples(300))
@given(st.text(alphabet="aN0 3+-*().,[]byofmaxrankstie", max_size=40))
def test_any_text_is_an_amount_or_refused_in_a_sentence(text: str) -> None:
    try:
        amount = parse_amount(text)
    except NotationError:
        return
    assert parse_amount(str(amount)) == amount
    assert sum(1 for _ in names_in(amount)) <= MOST_TERMS


# At a table

PAGE = """
name = "woods"
title = "Woods"
[play]
players = "2-3"
[counters.wood]
start = 500
[counters.level]
start = 2
[counters.axe]
most = 3
[counters.hurt]
of = "rival"
[counters.sun]
of = "table"
[counters.time]
of = "table"
words = ["day", "night"]
[counters.power]
of = "tree"
[flags.tired]
[things.tree]
list = [{ name = "Oak", figures = { power = 3 } }]
[pools.nuts]
drawn = "cards"
size = 7
[actions.fell]
takes = "THING N"
when = ["me.level + N > THING.power", "2 * N <= nuts.left + round"]
costs = { wood = "2 * N + THING.power" }
[actions.grow]
takes = "N"
does = ["add me wood N * N * 1000000"]
[actions.look]
when = ["others.level + table.sun >= 2 * (players + [1, 5] by round)"]
[actions.rest]
when = ["max(me.wood, me.axe) < min(3, me.level)"]
"""


def open_woods() -> Session:
    """A table of this page that has just begun."""
    session = Session.new(game_from_text(PAGE))
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "first ana", "begin seed 1"):
        session.enter(line)
    return session


def test_a_refusal_says_the_amounts_in_words() -> None:
    session = open_woods()
    session.enter("put oak tree")
    with pytest.raises(RuleError, match=r"only possible if Ana's Level \+ 1 is more than Oak's Power\."):
        session.enter("fell ana oak 1")
    with pytest.raises(RuleError, match=r"only possible if 2 × 5 is at most the cards left in Nuts \+ Round 1\."):
        session.enter("fell ana oak 5")
    with pytest.raises(RuleError, match=r"if the Level of everybody else together \+ Sun is at least 2 × \(2 players"):
        session.enter("look ana")
    with pytest.raises(RuleError, match=r"if the most of Ana's Wood and Ana's Axe is less than the least of 3 and Ana"):
        session.enter("rest ana")
    session.enter("fell ana oak 2")
    assert session.state.player("ana").figures["wood"] == 493


def test_what_cannot_be_paid_is_said_with_its_price() -> None:
    session = open_woods()
    session.enter("put oak tree")
    session.enter("set ana wood 6")
    with pytest.raises(RuleError, match=r"Ana has Wood 6, but this costs 7\."):
        session.enter("fell ana oak 2")


def test_an_amount_beyond_all_figures_is_refused() -> None:
    with pytest.raises(RuleError, match=r"“N \* N \* 1000000” comes to 1,600,000,000 here; no figure goes beyond"):
        open_woods().enter("grow ana 40")


def test_prices_are_shown_with_titles() -> None:
    session = open_woods()
    page: Any = session.game
    assert str(describe_price(page.readable_page, "2 * N + THING.power")) == "2 × the number + the thing's Power"
    notes = {answer.action.verb(): str(answer.note) for prompt in session.view().prompts for answer in prompt.answers}
    assert "fell" not in notes
    session.enter("put oak tree")
    session.enter("set oak power 2")
    notes = {answer.action.verb(): str(answer.note) for prompt in session.view().prompts for answer in prompt.answers}
    assert notes["fell"].endswith("costs Wood: 2 × the number + the thing's Power")


WRONG = [
    ('does = ["add me wood 2 * wod"]', "does.1", "There is no counter “wod”; did you mean wood?"),
    ('does = ["add me wood 2 * much"]', "does.1", "“much” is not a figure; write 3, or N"),
    ('does = ["add me wood N"]', "does.1", "speaks of N, which the line does not take"),
    ('takes = "SEAT"\ndoes = ["add me wood 2 * SEAT"]', "does.1", "“SEAT” is not a figure"),
    ('takes = "N"\ndoes = ["add me wood N-1"]', "does.1", "“n-1” is one word; to subtract, write spaces around the -."),
    ('does = ["add me wood level-1"]', "does.1", "“level-1” is one word"),
    ('does = ["add me wood table.level"]', "does.1", "“level” is a counter of a seat, not of the table"),
    ('does = ["add me wood sun"]', "does.1", "“sun” is a counter of the table, not of a seat"),
    ('does = ["add me wood table.time"]', "does.1", "“table.time” is not a figure"),
    ('does = ["add me wood me.tired"]', "does.1", "“me.tired” is not a figure"),
    ('does = ["add me wood you.level"]', "does.1", "“you” in “you.level” is nobody here"),
    ('does = ["add me wood any.level"]', "does.1", "“any” in “any.level” is nobody here"),
    ('does = ["add me wood 2 *"]', "does.1", "is not a whole amount"),
    ('does = ["add me wood 2 / 3"]', "does.1", "because of “/”"),
    (f'does = ["add me wood {"1 + " * 12}1"]', "does.1", "has 13 terms"),
    ('whose = "table"\ndoes = ["add each wood me.level"]', "does.1", "There is no acting player for “me” here"),
    ('does = ["put oak tree of me with (2 * wod)"]', "does.1", "did you mean wood?"),
    ('does = ["set me level 2 * wod"]', "does.1", "did you mean wood?"),
    (
        'takes = "THING"\nwhen = ["me.level + 1 > THING.powr"]',
        "when.1",
        "There is no counter “powr”; did you mean power?",
    ),
    ('when = ["me.levl + 1 > 3"]', "when.1", "There is no counter “levl” of a seat; did you mean level?"),
    ('when = ["me.level + N > 3"]', "when.1", "speaks of N, which the line does not take"),
    ('when = ["me.level > 2 * THING.power"]', "when.1", "speaks of THING, which the line does not take"),
    ('when = ["me.level > 2 * table.time"]', "when.1", "“table.time” is not a figure"),
    ('when = ["any.level > 2"]', "when.1", "write “any level”, with a space"),
    ('when = ["me.axe + 1 > 4"]', "when.1", "This never holds: the bounds of its counters forbid it."),
    ('when = ["2 * me.axe < 0 * players"]', "when.1", "This never holds"),
    ('when = ["me axe >= 2 * players"]', "when.1", "This never holds"),
    ('costs = { wood = "2 * N" }', "costs.wood", "speaks of N, which the line does not take"),
    ('costs = { wood = "table.time" }', "costs.wood", "“table.time” is not a figure"),
]


@pytest.mark.parametrize(("text", "key", "sentence"), WRONG)
def test_what_is_wrong_with_an_amount_is_told_by_line(text: str, key: str, sentence: str) -> None:
    with pytest.raises(PageError) as error:
        read_description(f"{PAGE}\n[actions.mine]\n{text}")
    (fault,) = error.value.faults
    assert fault.key == f"actions.mine.{key}"
    assert sentence in str(fault.text)
    assert fault.line > PAGE.count("\n")


HEAD = 'name = "wood"\ntitle = "Wood"\n'
ELSEWHERE = [
    ('[counters.a]\nstart = "2 * b"\n[counters.b]', "counters.a.start", "“b” is a counter of a seat, not of the table"),
    ('[counters.a]\nof = "table"\nstart = "2 * a"', "counters.a.start", "only round and players can"),
    ('[counters.a]\nstart = "me.a"', "counters.a.start", "There is no acting player for “me” here"),
    ('[counters.a]\neach = "2 * c"\n[counters.b]', "counters.a.each", "“c” is not a figure"),
    ('[counters.a]\nwords = ["x", "y"]\neach = "players"', "counters.a.each", "moves on by a whole number"),
    ('[counters.a]\nout = ">= c + 1"', "counters.a.out", "“c” is not a figure"),
    ('[counters.a]\nout = "b + 1 >= 3"', "counters.a.out", "is more than a comparison with this counter"),
    ('[counters.a]\nout = ">= b"\n[counters.b]\nof = "table"', "counters.a.out", "“b” is a counter of the table"),
    ('[play]\nrounds = "2 * a"\n[counters.a]', "play.rounds", "only round and players can"),
    ('[sheet]\ncolumns = ["a"]\n[[sheet.points]]\npoints = "2 * b"', "sheet.points.1.points", "no column “b”"),
    ('[sheet]\ncolumns = ["a"]\n[[sheet.points]]\npoints = "me.a"', "sheet.points.1.points", "Only columns can be"),
    ('[sheet]\ncolumns = ["a"]\n[[sheet.points]]\npoints = "a +"', "sheet.points.1.points", "not a whole amount"),
    ('[sheet]\ncolumns = ["a"]\n[[sheet.points]]\nwhen = "a + b > 1"\npoints = 1', "sheet.points.1.when", "“b”"),
    ('[end]\nwin = ["a >= 3", "b >= 3"]\n[counters.a]', "end.win.2", "There is no counter “b”"),
    ('[end]\nover = ["a + c >= 3"]\nmost = "a"\n[counters.a]', "end.over.1", "“c” is not a figure"),
    (
        '[end]\nall-win = ["a + 1 >= 3"]\n[counters.a]',
        "end.all-win.1",
        "a does not say whose; write “me.a” or “table.a”",
    ),
    # teams
    ('[counters.a]\nof = "team"', "counters.a.of", "This needs teams; write teams = 2 below [play]."),
    ('[flags.a]\nof = "team"', "flags.a.of", "This needs teams"),
    ('[sheet]\neach = "team"\ncolumns = ["a"]', "sheet.each", "This needs teams"),
    ('[play]\nteams = 2\nteam-titles = ["A"]', "play.team-titles", "There are 1 names for 2 teams."),
    ('[play]\nteams = 2\nteam-titles = ["A", "a"]', "play.team-titles.2", "is listed twice"),
    ('[play]\nteams = 2\nteam-titles = ["Me", "You"]', "play.team-titles.1", "means something else in lines"),
    ("[play]\nteams = 2\n[things.team]", "things.team", "means something else in lines"),
    (
        '[play]\nteams = 2\n[sheet]\neach = "team"\ncolumns = ["a"]\n[counters.points]',
        "sheet.counts",
        "“points” is a counter of a seat, not of a team",
    ),
    ('[play]\nteams = 2\n[counters.a]\nof = "team"\n[purse]\ncounter = "a"', "purse.counter", "is a counter of a team"),
]


@pytest.mark.parametrize(("text", "key", "sentence"), ELSEWHERE, ids=[key for _, key, _ in ELSEWHERE])
def test_what_is_wrong_elsewhere_is_told_by_key(text: str, key: str, sentence: str) -> None:
    with pytest.raises(PageError) as error:
        read_description(HEAD + text)
    by_key = {fault.key: str(fault.text) for fault in error.value.faults}
    assert sentence in by_key.get(key, f"{by_key}")


def test_a_refusal_is_in_the_words_of_its_reader() -> None:
    session = open_woods()
    session.enter("put oak tree")
    with pytest.raises(RuleError) as error:
        session.enter("fell ana oak 5")
    german = find_language("de")
    assert german is not None
    with speaking(german):
        sentence = str(error.value)
    assert sentence == "`fell` geht nur, wenn gilt: 2 × 5 ist höchstens Karten übrig in Nuts + Runde 1."


def test_figures_of_listed_things_follow_the_table() -> None:
    page = """
    name = "crypt"
    title = "Crypt"
    [counters.level]
    of = "table"
    start = 1
    [counters.health]
    of = "monster"
    most = 20
    [things.monster]
    of = "table"
    list = [
        { name = "Bandit", figures = { health = "[4, 6, 9] by table.level" }, start = true },
        { name = "Bandit chief", figures = { health = "players * 3 * table.level" } },
    ]
    [pools.tombs]
    cards = [{ name = "Ghoul", puts = "monster", figures = { health = "5 + table.level" } }]
    """
    session = Session.new(game_from_text(page))
    lines = ("set table level 2", "put bandit-2 monster", "put bandit-chief monster", "draw tombs", "set table level 9")
    for line in ("seat ana", "seat ben", "first ana", "begin seed 1", *lines, "put bandit-chief-2 monster"):
        session.enter(line)
    assert [(piece.handle, piece.figures["health"]) for piece in session.state.pieces] == [
        ("bandit", 4),
        ("bandit-2", 6),
        ("bandit-chief", 12),
        ("ghoul", 7),
        ("bandit-chief-2", 20),
    ]
