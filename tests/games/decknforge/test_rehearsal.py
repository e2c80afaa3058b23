"""Rehearsed dungeons: by the rules, the same by their seed, and counted as the evening's own review counts them."""

from collections.abc import Sequence

import msgspec
import pytest

from companion.games.decknforge.book.state import MONSTER_CARDS, PRINTED, DungeonTable, is_hero
from companion.games.decknforge.game import GAME
from companion.games.decknforge.rehearsal.bands import CARDS
from companion.games.decknforge.rehearsal.campaign import Campaign
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon, begin_dungeon
from companion.games.decknforge.rehearsal.figures import FIGURES, TABLES, DungeonTally
from companion.games.decknforge.rehearsal.temperaments import RandomWizard
from companion.games.decknforge.table import watchlist
from companion.rehearsal.play import rehearse_one
from companion.session.core.evenings import played_actions
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from tests.games.decknforge import holds
from tests.games.decknforge.rehearsed import TEMPERAMENTS, a_setting


def begin(
    setting: RehearsalSetting,
    chance: Chance,
    players: Sequence[RandomWizard] = (),
    tally: DungeonTally | None = None,
    keep_lines: bool = False,
) -> SimulatedDungeon:
    """The first dungeon of a setting, just begun."""
    campaign = Campaign(GAME, setting, chance)
    return begin_dungeon(GAME, tuple(campaign.set_up()), players or campaign.players, chance, tally, keep_lines)


def play(setting: RehearsalSetting, number: int = 0) -> SimulatedDungeon:
    """One dungeon to the seal, with its lines."""
    chance = Chance(1, number)
    dungeon = begin(setting, chance, tally=DungeonTally(), keep_lines=True)
    dungeon.play()
    return dungeon


def resumed(lines: list[str]) -> Session:
    session = Session.new(GAME)
    for line in lines[1:]:
        session.enter(line)
    return session


@pytest.mark.parametrize("seed", range(8))
def test_lines_of_a_rehearsed_dungeon_lead_to_the_same_table(seed: int) -> None:
    dungeon = play(a_setting(seed, seed % 5 + 1), seed)
    assert dungeon.lines is not None
    session = resumed(dungeon.lines)
    assert session.state == dungeon.table
    assert session.state.step == "sealed"


@pytest.mark.parametrize("seed", range(4))
def test_the_log_counts_what_the_tally_counts(seed: int) -> None:
    dungeon = play(a_setting(seed, seed % 3 + 2, share=0), seed)
    assert dungeon.lines is not None
    assert dungeon.tally is not None
    session = resumed(dungeon.lines)
    played = played_actions(session.log.position.head)
    outcome = dungeon.tally.outcome(dungeon.table)
    figures = {key: numerator for key, (numerator, _) in outcome.figures.items()}
    assert figures["sniped"] == len(list(watchlist.stolen_kills(played)))
    assert figures["bosses"] == sum(watchlist.kills_boss(deed) for deed in played)
    assert figures["coppers"] == sum(wizard.earned for wizard in session.state.wizards)
    rounds = {(deed.after.number, deed.after.round) for deed in played if deed.after.boss}
    assert figures["rounds"] == len(rounds)
    reveals = [line for line in dungeon.lines if line.startswith("reveal ")]
    assert outcome.figures["converts"][1] == len(reveals)
    dodges = [line for line in dungeon.lines if line.startswith("dodge ")]
    assert figures["dodges"] == len(dodges)


def test_the_same_seed_gives_the_same_figures() -> None:
    setting = a_setting(3, 3)
    assert rehearse_one(setting, 5, 9) == rehearse_one(setting, 5, 9)
    again = msgspec.json.decode(msgspec.json.encode(setting), type=RehearsalSetting)
    assert rehearse_one(again, 5, 9) == rehearse_one(setting, 5, 9)
    assert rehearse_one(setting, 5, 10) != rehearse_one(setting, 5, 9)


@pytest.mark.parametrize("rule", [("easy-reward", "2"), ("towers-memory", "off"), ("session-copper-cap", "999")])
@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_a_rule_that_takes_no_effect_changes_nothing(rule: tuple[str, str], temperament: str) -> None:
    plain = RehearsalSetting("decknforge", 3, (), (temperament,))
    changed = msgspec.structs.replace(plain, rules=(rule,))
    assert [rehearse_one(changed, 2, number) for number in range(3)] == [
        rehearse_one(plain, 2, number) for number in range(3)
    ]


def test_a_rule_that_takes_effect_deals_the_same_cards() -> None:
    plain = RehearsalSetting("decknforge", 3)
    chances = [play(msgspec.structs.replace(plain, rules=rules), 4) for rules in ((), (("pressure", "9"),))]
    orders = [dungeon.decks.orders for dungeon in chances]
    assert orders[0] == orders[1]
    assert chances[0].table.lots == chances[1].table.lots
    assert chances[0].table.order == chances[1].table.order


class Witness(RandomWizard):
    """Has somebody decide twice: as it is, and with everything dealt anew that nobody sees."""

    def __init__(self, player: RandomWizard) -> None:
        self.player = player
        self.dungeon: SimulatedDungeon | None = None
        self.questions = 0

    def __getattribute__(self, name: str):  # type: ignore[no-untyped-def]
        own = object.__getattribute__(self, "__dict__")
        if name in ("player", "dungeon", "questions", "__dict__") or "player" not in own:
            return object.__getattribute__(self, name)
        answer = getattr(own["player"], name)
        if name in ("talks", "looks_ahead", "name"):
            return answer

        def twice(view, *others):  # type: ignore[no-untyped-def]
            self.questions += 1
            given = answer(view, *others)
            other = type(view)(hidden_anew(view.table), view.seat, view.hand, view.chance, view.open_hands, view.game)
            assert answer(other, *others) == given, f"{name} depends on what nobody sees"
            return given

        return twice


def hidden_anew(table: DungeonTable) -> DungeonTable:
    """The same table, with other Bosses to come and other lots."""
    later = table.order[table.number :]
    return msgspec.structs.replace(
        table, order=(*table.order[: table.number], *reversed(later)), lots=tuple(reversed(table.lots))
    )


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
def test_nobody_decides_by_what_lies_face_down(temperament: str) -> None:
    setting = RehearsalSetting("decknforge", 3, (), (temperament,))
    chance = Chance(3, 1)
    witnesses = [Witness(player) for player in Campaign(GAME, setting, chance).players]
    dungeon = begin(setting, chance, witnesses)
    dungeon.play()
    assert sum(witness.questions for witness in witnesses) > 50


def test_cards_are_in_one_place_all_through_a_dungeon() -> None:
    setting = a_setting(11, 4)
    chance = Chance(2, 2)
    dungeon = begin(setting, chance)
    done = dungeon.do

    def checked(action):  # type: ignore[no-untyped-def]
        done(action)
        if dungeon.table.step not in ("fading", "drifting", "turning", "sealed"):
            holds.each_card_is_in_one_place(dungeon.table)
            for wizard in dungeon.table.wizards:
                hand, order = dungeon.decks.hands[wizard.seat], dungeon.decks.orders[wizard.seat]
                assert len(hand) == wizard.hand == len(set(hand))
                assert set(hand) <= set(order[: len(CARDS) - wizard.deck])
                assert not set(hand) & {entry.card for entry in wizard.pile}

    dungeon.do = checked  # type: ignore[method-assign]
    dungeon.play()


def test_new_bands_are_founded_by_the_rules() -> None:
    for number in range(20):
        table = GAME.new()
        for line in Campaign(GAME, RehearsalSetting("decknforge", 5), Chance(4, number)).set_up():
            table = GAME.apply(table, line).state
        for seat, band in table.bands.items():
            monsters = [monster for ref, monster in table.monsters.items() if ref.startswith(f"{seat}:")]
            assert any(monster.legend for monster in monsters)
            assert all(monster.atk == max(1, -(-monster.hp // 6)) for monster in monsters)
            prices = [table.book.price(name) for names in band.inscribed.values() for name in names]
            assert sum(price or 99 for price in prices) <= 30
            assert 3 <= len(band.inscribed) <= 6


def test_bands_may_be_given_as_their_lines() -> None:
    text = "seat x band Wolves\ninscribed x 7S sharp\nmonster x AS hp 6 atk 1\ndungeons x 2"
    dungeon = play(RehearsalSetting("decknforge", 2, decks=(text.replace("Wolves", '"Wolves"'),)))
    assert {band.name for band in dungeon.table.bands.values()} == {"Wolves"}
    with pytest.raises(RuleError, match="Line 2 of a band, “reveal x 7S”"):
        GAME.rehearsal.check(RehearsalSetting("decknforge", 2, decks=("dungeons x 2\nreveal x 7S",)))


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        (RehearsalSetting("decknforge", 6), "1 to 5 people"),
        (RehearsalSetting("decknforge", 3, temperaments=("brave",)), "no temperament “brave”"),
        (RehearsalSetting("decknforge", 3, (("pace", "2"),)), "no house rule “pace”"),
        (RehearsalSetting("decknforge", 3, (("track", "fight"),)), "track all"),
    ],
)
def test_a_setting_that_cannot_be_rehearsed_is_refused(setting: RehearsalSetting, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        GAME.rehearsal.check(setting)


def test_the_catalogue_names_every_figure_once_and_all_are_counted() -> None:
    keys = [figure.key for figure in (*FIGURES, *TABLES)]
    assert len(set(keys)) == len(keys)
    outcome = rehearse_one(RehearsalSetting("decknforge", 2, temperaments=("careful",)), 1, 1)
    assert set(outcome.figures) == {figure.key for figure in FIGURES}
    assert set(outcome.tables) == {table.key for table in TABLES}


def test_a_first_round_kills_as_often_as_enumeration_says() -> None:
    """A random wizard alone against a Boss of 6 HP: every card, attacking or not, Spiked or not, weighed by hand."""
    monsters = "\n".join(f"monster x {card} hp 6 atk 1" for card in MONSTER_CARDS)
    setting = RehearsalSetting("decknforge", 1, decks=(monsters,))
    expected = 0.0
    for card in CARDS:
        attacks = 1 if is_hero(card) else 1 / 2
        with_spike = 1 / 5 * (PRINTED[card] + 3 >= 6) + 4 / 5 * (PRINTED[card] >= 6)
        expected += attacks * with_spike / len(CARDS)
    kills, count = 0, 600
    for number in range(count):
        chance = Chance(6, number)
        dungeon = begin(setting, chance)
        dungeon.play(until=lambda table: bool(table.killed_bosses) or table.round > 1)
        kills += bool(dungeon.table.killed_bosses)
    assert abs(kills / count - expected) < 4 * (expected * (1 - expected) / count) ** 0.5
