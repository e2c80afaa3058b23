"""The thinker: by the rules, from what its seat can know, the same anywhere, and better at its aim than the others."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from companion.games.decknforge.book.state import PRINTED, DungeonTable
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rehearsal.advice import DungeonAdviser
from companion.games.decknforge.rehearsal.bands import CARDS
from companion.games.decknforge.rehearsal.campaign import Campaign
from companion.games.decknforge.rehearsal.continuations import Continuations, imagine_table
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon, begin_dungeon
from companion.games.decknforge.rehearsal.temperaments import DungeonView, GreedyWizard
from companion.games.decknforge.rehearsal.thinker import Thinker, labels_to_add
from companion.games.decknforge.rules import actions as do
from companion.rehearsal.play import rehearse_one
from companion.tabletop.action import RuleError
from companion.tabletop.notation.notation import Notation
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from tests.games.decknforge import holds
from tests.games.decknforge.rehearsed import a_setting
from tests.games.decknforge.test_rehearsal import play, resumed

EFFORT = 4
"""Continuations a choice: few, so that a dungeon takes a fraction of a second."""


def with_thinker(setting: RehearsalSetting) -> RehearsalSetting:
    """The same table with a thinker at the first seat."""
    others = tuple(setting.temperament(place) for place in range(1, setting.players))
    return msgspec.structs.replace(setting, temperaments=("thinker", *others), effort=EFFORT)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_what_a_thinker_does_is_by_the_rules(seed: int) -> None:
    dungeon = play(with_thinker(a_setting(seed, seed % 5 + 1)), seed)
    assert dungeon.lines is not None
    assert resumed(dungeon.lines).state == dungeon.table


@pytest.mark.slow
def test_a_thinker_decides_alike_for_a_seed_and_its_effort_counts() -> None:
    setting = with_thinker(RehearsalSetting("decknforge", 2, (), ("careful",)))
    assert rehearse_one(setting, 5, 1) == rehearse_one(setting, 5, 1)
    other = msgspec.structs.replace(setting, effort=2 * EFFORT)
    assert rehearse_one(other, 5, 1) != rehearse_one(setting, 5, 1)


class Witnessed(Thinker):
    """A thinker whose every choice is made twice: as it is, and with all dealt anew that its seat cannot see."""

    def __init__(self) -> None:
        super().__init__(EFFORT)
        self.choices = 0

    def _weigh_answers(self, view: DungeonView, question: tuple[str, ...], answers: Sequence[Any]) -> Any:
        chosen = super()._weigh_answers(view, question, answers)
        other = DungeonView(dealt_anew(view.table), view.seat, view.hand, view.chance, {}, view.game)
        assert super()._weigh_answers(other, question, answers) == chosen
        assert not view.open_hands
        self.choices += len(answers) > 1
        return chosen


def dealt_anew(table: DungeonTable) -> DungeonTable:
    """The same table, with other Bosses and Minions to come and other lots."""
    unseen = [*table.order[table.number :], *table.pool][::-1]
    left = len(table.order) - table.number
    order = (*table.order[: table.number], *unseen[:left])
    return msgspec.structs.replace(table, order=order, pool=tuple(unseen[left:]), lots=tuple(reversed(table.lots)))


@pytest.mark.slow
def test_a_thinker_decides_by_what_its_seat_sees() -> None:
    chance = Chance(3, 1)
    witness = Witnessed()
    others = (GreedyWizard(), GreedyWizard())
    dungeon = begin_dungeon(
        GAME, tuple(Campaign(GAME, RehearsalSetting("decknforge", 3), chance).set_up()), (witness, *others), chance
    )
    dungeon.play(until=lambda table: table.number > 3 or table.step == "sealed")
    assert witness.choices > 20


def moments(number: int) -> Iterator[SimulatedDungeon]:
    """A dungeon at each of its steps in the round."""
    chance = Chance(8, number)
    setting = a_setting(number, 3)
    campaign = Campaign(GAME, setting, chance)
    dungeon = begin_dungeon(GAME, tuple(campaign.set_up()), campaign.players, chance)
    while dungeon.table.step not in ("fading", "sealed"):
        yield dungeon
        step, at = dungeon.table.step, dungeon.table.round
        dungeon.play(until=lambda now, step=step, at=at: (now.step, now.round) != (step, at))  # type: ignore[misc]


@pytest.mark.parametrize("number", range(4))
def test_what_is_imagined_agrees_with_all_that_is_known(number: int) -> None:
    for dungeon in moments(number):
        table, seat = dungeon.table, "ben"
        hand = dungeon.decks.hands[seat]
        draws = Chance(1, number).stream("imagined", table.round)
        imagined, decks, arrivals = imagine_table(table, seat, hand, draws)
        holds.each_card_is_in_one_place(imagined)
        assert imagined.order[: table.number] == table.order[: table.number]
        assert sorted(arrivals) == sorted(imagined.pool)
        assert {*imagined.order, *imagined.pool} == {*table.order, *table.pool}
        assert sorted(decks.hands[seat]) == sorted(hand)
        for wizard in table.wizards:
            order = decks.orders[wizard.seat]
            assert sorted(order) == sorted(CARDS)
            assert (
                {*wizard.known_hand}
                <= {*decks.hands[wizard.seat]}
                == {*order[: decks.taken[wizard.seat]]}
                - {
                    *(entry.card for entry in wizard.pile),
                    *(upcard.card for upcard in table.revealed if upcard.owner == wizard.seat),
                }
            )
            assert len(decks.hands[wizard.seat]) == wizard.hand
        same = msgspec.structs.replace(
            imagined, order=table.order, pool=table.pool, lots=table.lots, wizards=table.wizards
        )
        assert same == table


def test_cards_that_nobody_named_are_somewhere_in_what_is_imagined() -> None:
    dungeon = next(moments(1))
    wizard = dungeon.table.wizards[0]
    paid = msgspec.structs.replace(wizard, hand=wizard.hand - 2, unnamed_cards=2)
    table = msgspec.structs.replace(dungeon.table, wizards=(paid, *dungeon.table.wizards[1:]))
    imagined, decks, _ = imagine_table(table, "ben", dungeon.decks.hands["ben"], Chance(1, 1).stream("imagined"))
    assert len(imagined.wizards[0].pile) == 2
    assert not imagined.wizards[0].unnamed_cards
    assert len(decks.hands[wizard.seat]) == wizard.hand - 2
    wrong = msgspec.structs.replace(table, wizards=(wizard, paid, *table.wizards[2:]))
    wrong = msgspec.structs.replace(wrong, wizards=(msgspec.structs.replace(wizard, hand=40), *table.wizards[1:]))
    with pytest.raises(RuleError, match="do not add up to 48"):
        imagine_table(wrong, "ben", dungeon.decks.hands["ben"], Chance(1, 1).stream("imagined"))


def test_answers_are_tried_in_the_same_imagined_tables() -> None:
    for dungeon in moments(2):
        if dungeon.table.step == "reveal":
            break
    view = dungeon.view(dungeon.table.active)
    card = view.hand[0]
    twice = Continuations(view, ("reveal",), (card, card))
    for at in (0, 0, 0, 1, 1, 1):
        twice.play(at)
    assert twice.tries[0] == twice.tries[1]
    assert len(set(twice.tries[0])) > 1


def test_a_label_is_tried_at_once_where_others_have_refused() -> None:
    """Seats that had the option before and refused it are not asked again: they could take the label (R1.71, R1.75)."""
    dungeon = next(dungeon for dungeon in moments(2) if dungeon.table.step == "reveal")
    first, second, third = (wizard.seat for wizard in dungeon.table.fighting())
    table = msgspec.structs.replace(
        dungeon.table,
        step="labels",
        round=1,
        revealed=(),
        bands={seat: msgspec.structs.replace(band, dungeons=1) for seat, band in dungeon.table.bands.items()},
        label_offers=(first, second, third),
    )
    view = DungeonView(table, second, dungeon.decks.hands[second], Chance(4, 4), {}, GAME)
    labels = labels_to_add(view)[1:]
    tried = Continuations(view, ("label",), labels)
    for at in range(len(labels)):
        for _ in range(8):
            tried.play(at)
    assert [len(tries) for tries in tried.tries] == [8] * len(labels) != []


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", range(3))
def test_whatever_is_advised_is_by_the_rules(number: int) -> None:
    adviser, notation, count = DungeonAdviser(GAME), Notation(GAME.actions), 0
    for dungeon in moments(number):
        for seat in dungeon.decks.hands:
            question = do.CoachWithHand(seat, tuple(dungeon.decks.hands[seat]))
            try:
                advice = next(adviser.advise(dungeon.table, question, Chance(2, number)))
            except RuleError:
                continue
            count += 1
            for line in re.findall("`(.*?)`", f"{advice.text}{advice.reason}"):
                GAME.apply(dungeon.table, notation.parse(line))
    assert count > 20


def test_a_thinker_takes_a_kill_that_is_sure() -> None:
    """The Boss dies, by Ben's card; nobody acts behind Ana, and with a Spike it dies by hers."""
    lines = [
        *("table decknforge", "seat ana", "seat ben", "bosses ana:AS", "active ben", "begin", "set boss hp 11"),
        *("reveal ana 6S", "reveal ben 7H", "pass ben"),
    ]
    hand = sorted(CARDS, key=lambda card: PRINTED[card])[:11]
    view = DungeonView(resumed(lines).state, "ana", hand, Chance(1, 1), {}, GAME)
    assert isinstance(Thinker().tactic(view), do.Spike)


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("others", [("greedy", "careful"), ("careful", "careful")])
def test_a_thinker_earns_more_than_greedy_at_its_seat(others: tuple[str, str]) -> None:
    """With the same decks, hands, Bosses and Minions; about 40 Coppers more beside a greedy one, 20 dungeons each."""
    earned = []
    for who in ("thinker", "greedy"):
        setting = RehearsalSetting("decknforge", 3, (), (who, *others), effort=12)
        outcomes = [rehearse_one(setting, 4, number) for number in range(20)]
        earned.append([outcome.tables["seat-coppers"]["ana"][0] for outcome in outcomes])
    assert sum(earned[0]) > 1.2 * sum(earned[1])
