"""Lines as people type them: what is read, what is said of a line that cannot be read, and what completion offers."""

from contextlib import suppress
from typing import Annotated

import pytest
from hypothesis import given

from companion.session.core.log import notation_of
from companion.tabletop.action import Action, NotationError
from companion.tabletop.notation.arguments import (
    CARD,
    PAYMENT,
    SEAT,
    SUIT,
    TEXT,
    KeywordArgument,
    Many,
    Ref,
    SeatName,
    one_of,
)
from companion.tabletop.notation.cards import Card
from companion.tabletop.notation.notation import Notation
from companion.tabletop.table import common_actions
from companion.tabletop.table.common_actions import Add, Amend, Expect, Note, Refuse, Set
from companion.tabletop.table.table import draft
from tests.games.miniature import Draw, Miniature, Seat, Spend
from tests.games.strategies import texts


class _Pay(Action, frozen=True, tag="pay"):
    """Pay for something."""

    seat: SeatName
    cost: Annotated[tuple[Card, ...] | int, KeywordArgument("pay"), PAYMENT]
    as_: Annotated[str | None, SUIT] = None
    loudly: bool = False


class _Fade(Action, frozen=True, tag="fade"):
    """Take some cards out, under a mood."""

    cards: Annotated[tuple[Card, ...], Many(CARD, most=2)]
    mood: Annotated[str, one_of("mood", ["glad", "dour", "grim", "wry", "keen", "calm", "bold"])] = "glad"


class Order(Action, frozen=True, tag="order"):
    """Who comes after whom, under a mood."""

    seats: Annotated[tuple[str, ...], Many(SEAT)]
    mood: Annotated[str, TEXT] = ""


DUEL = notation_of(Miniature())
WIDE = Notation((*common_actions.COMMON, *common_actions.CHECKS, _Pay, _Fade, Order))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("draw ana", Draw("ana")),
        ("draw ana 10S", Draw("ana", Card("10S"))),
        ("DRAW Ana t♠", Draw("ana", Card("10S"))),
        ("  draw\tana   10s  # the tenth", Draw("ana", Card("10S"))),
        ("spend ana STRIKE", Spend("ana", "strike")),
        ('seat ana name "Ana B"', Seat("ana", "Ana B")),
        ("seat ana NAME Ana", Seat("ana", "Ana")),
        ('note "# 1 \\"best\\" of 3"#comment', Note('# 1 "best" of 3')),
        ('note ""', Note("")),
        ("add ana life +3", Add("ana", "life", 3)),
        ("add ana life −4", Add("ana", "life", -4)),
        ("set minion ANA:as hp 3", Set("minion ana:AS", "hp", "3")),
        ("set ana committed 9S  qh", Set("ana", "committed", "9S qh")),
        ("expect pile gone", Expect("pile", "gone")),
        ("expect ana committed 9S qh", Expect("ana", "committed", ("9S", "qh"))),
        ("expect ana committed none", Expect("ana", "committed", ("none",))),
        ("amend 5 spend ana heal", Amend(5, Spend("ana", "heal"))),
        ("refuse draw ana", Refuse(Draw("ana"))),
    ],
)
def test_a_line_is_read(line: str, action: Action) -> None:
    assert DUEL.parse(line) == action


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("pay ana pay 2D KS", _Pay("ana", (Card("2D"), Card("KS")))),
        ("pay ana pay 2", _Pay("ana", 2)),
        ("pay ana loudly as ♥ pay 2d ", _Pay("ana", (Card("2D"),), "H", loudly=True)),
        ("fade 9S mood wry", _Fade((Card("9S"),), "wry")),
    ],
)
def test_keywords_stand_in_any_order_and_end_a_list(line: str, action: Action) -> None:
    assert WIDE.parse(line) == action


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("pay ana loudly as ♥ pay 2d", "pay ana pay 2D as H loudly"),
        ("fade 9s mood glad", "fade 9S"),
        ('seat ANA name Ana deck ""', 'seat ana name "Ana"'),
        ("set table label 'x'", "set table label 'x'"),
        ('order ana "Mood" mood mood', 'order ana "mood" mood "mood"'),
    ],
)
def test_a_line_is_written_without_its_defaults(line: str, written: str) -> None:
    assert WIDE.format(WIDE.parse(line)) == written


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "no action"),
        ("refuse " * 1400 + "next", "More than 3 lines are nested"),
        ("# only a comment", "no action"),
        ("drew ana", "“drew” is not an action here; did you mean draw"),
        ("xyzzy", "“xyzzy” is not an action here; ? and Enter"),
        ("draw", "SEAT is missing. Usage: draw SEAT [CARD]"),
        ("spend ana", "strike|heal is missing. Usage: spend SEAT strike|heal"),
        ("spend ana strik", "“strik” is not a choice; did you mean strike? Usage: spend"),
        ("draw ana 10S 9S", "“9S” is one word too many. Usage: draw SEAT [CARD]"),
        ("draw ana 11S", "“11S” is not a card"),
        ("draw 7", "“7” cannot be a name here"),
        ("draw boss", "“boss” means something else"),
        ('seat ana name "Ana', "double quote opens a text here but none closes it"),
        ("seat ana name", "TEXT is missing"),
        ("seat ana name A name B", "“name” appears twice"),
        (f"begin seed {'9' * 5000}", "is not a whole number"),
        (f"add ana life -{'9' * 5000}", "is not a number"),
        ("add ana life lots", "“lots” is not a number"),
        ("add ana life +-3", "“+-3” is not a number"),
        ("begin seed -1", "“-1” is not a whole number"),
        ("amend x undo", "“x” is not a whole number"),
        ("amend 3", "ACTION"),
        ("set minion as hp 3", "“as” names no Monster; write seat:card, as ana:AS"),
        ("amend 3 drew ana", "“drew” is not an action here; did you mean draw"),
        ("amend 3 draw", "SEAT is missing. Usage: draw SEAT [CARD]"),
    ],
)
def test_what_cannot_be_read_is_named_with_the_way_out(line: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        DUEL.parse(line)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("pay ana", "pay CARD…|N is missing"),
        ("pay ana pay", "CARD is missing"),
        ("pay ana pay 2D as X", "“X” is not a suit; the suits are S, H, C, D"),
        ("fade 2D 3D 4D", "“4D” is one word too many"),
        ("fade 2D mood bald", "“bald” is not a mood; did you mean bold or glad?"),
    ],
)
def test_the_usage_follows_every_wrong_argument(line: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        WIDE.parse(line)
    assert sentence in str(caught.value)
    assert f"Usage: {WIDE.usage(line.split()[0])}" in str(caught.value)


def test_usage_and_help_are_the_class_itself() -> None:
    assert WIDE.usage("pay") == "pay SEAT pay CARD…|N [as SUIT] [loudly]"
    assert str(WIDE.help("PAY")) == "Pay for something."
    assert str(DUEL.help("draw")) == "Draw a card from the pile, or name the one that was drawn."


def test_a_draft_says_what_is_still_to_be_typed() -> None:
    spend = draft(Spend, seat="ana")
    assert (spend.line, spend.wants) == ("spend ana", "strike|heal")
    assert (draft(Draw, seat="ana").line, draft(Draw, seat="ana").wants) == ("draw ana", "")
    assert draft(_Pay).wants == "SEAT pay CARD…|N"
    assert spend.having("how", "heal").build() == DUEL.parse("spend ana heal")


def test_what_stands_behind_a_gap_is_not_written_yet() -> None:
    assert draft(Spend, how="heal").line == "spend"
    assert draft(_Pay, seat="ana", loudly=True).line == "pay ana loudly"


@given(texts)
def test_any_text_at_all_is_read_or_refused_in_words(text: str) -> None:
    with suppress(NotationError):
        action = DUEL.parse(text)
        assert DUEL.parse(DUEL.format(action)) == action


def test_a_reference_is_kept_in_one_spelling() -> None:
    target = DUEL.parse("set minion Ana:t♣ hp 1")
    assert isinstance(target, Set)
    assert target.target == f"minion {Ref('ana:10C')}"
