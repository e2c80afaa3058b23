"""What rehearsals count against other ways to reckon it: by hand, and by the people of the soak at the table itself."""

from collections.abc import Mapping
from random import Random
from statistics import fmean, variance

import pytest

from companion.games.decknforge.book.state import DungeonTable, Foe, Upcard
from companion.games.decknforge.game import GAME, DecknForge
from companion.games.decknforge.rehearsal.decisive import coppers_by_inscription, decisive_inscriptions
from companion.games.decknforge.rehearsal.dungeon import begin_dungeon
from companion.games.decknforge.rehearsal.figures import DungeonTally
from companion.games.decknforge.rehearsal.temperaments import DungeonView, RandomWizard, Tactic
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.round_steps import ROUND_STEPS
from companion.rehearsal.design import OneSetting
from companion.rehearsal.run import play_batch
from companion.session.core.evenings import played_actions
from companion.session.core.session import Session
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.notation.cards import Card
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from tests.games.decknforge.homebrews import INSCRIPTION_TWINS, LABEL_TWINS, MOONLIT, brewed, twins, with_twins
from tests.games.decknforge.player import Player as AtTheTable
from tests.games.decknforge.rehearsed import a_campaign
from tests.games.decknforge.sessions import session_after

# kills that were decided, by hand


def kill_of(*lines: str, game: DecknForge = GAME) -> tuple[DungeonTable, str, list[PlayedAction]]:
    """The table before the damage that kills a Boss, its Killer, and the uses of Wizard's Will, after such lines."""
    session = session_of(game, "seat ana", "seat ben", *lines, "next", "damage")
    played = played_actions(session.log.position.head)
    kill = next(deed for deed in played if len(deed.after.killed_bosses) > len(deed.before.killed_bosses))
    return kill.before, kill.after.killer, [deed for deed in played if isinstance(deed.action, do.Will)]


def session_of(game: DecknForge, *lines: str) -> Session:
    """A session of a game after these lines; with twins they say twins."""
    session = Session.new(game)
    for line in lines:
        session.enter(line if game is GAME else with_twins(line))
    return session


def fought(hp: int, *reveals: str) -> tuple[str, ...]:
    """The lines of a fight against a Boss with so many HP left."""
    return ("begin seed 1", f"set boss hp {hp}", *reveals)


DECISIONS = [
    # 9 + 1 and 9 against 19 HP: without Sharp the Boss lives.
    (("inscribed ana 9S sharp", *fought(19, "reveal ana 9S", "reveal ben 9H")), ["sharp"]),
    # 9 + 1 against 10: Ben's ten of Spades would take it.
    (("inscribed ana 9H sharp", *fought(5, "reveal ana 9H", "reveal ben 9S")), ["sharp"]),
    # The Boss dies of any one card, and Ana's is the highest without Sharp.
    (("inscribed ana KS sharp", *fought(5, "reveal ana KS", "reveal ben 2H")), []),
    # The King comes by Doublestrike; without it Ben's Jack takes the Boss.
    (
        (
            "inscribed ana 2S doublestrike",
            *fought(11, "reveal ana 2S", "reveal ben JH", "reveal ana KS"),
        ),
        ["doublestrike"],
    ),
    # A Decree in Ana's hand makes 10 + 1 of her ten.
    (
        ("inscribed ana KH royal-decree", *fought(5, "hold ana KH", "reveal ana 10H", "reveal ben 10S")),
        ["royal-decree"],
    ),
    # A Banner makes it 12 against Ben's Jack.
    (("inscribed ana JH banner", *fought(5, "reveal ana JH", "reveal ben JS")), ["banner"]),
    # Wizard's Will gave Ben's King to Ana.
    (
        (
            "inscribed ana 3S wizards-will",
            *fought(5, "reveal ana 2H", "reveal ben KS", "will ana ana ben"),
        ),
        ["wizards-will"],
    ),
]


@pytest.mark.parametrize(("lines", "decisive"), DECISIONS)
def test_an_inscription_decides_a_kill_that_would_not_be_without_it(
    lines: tuple[str, ...], decisive: list[str]
) -> None:
    kill, killer, wills = kill_of(*lines)
    assert [*decisive_inscriptions(kill, killer, wills)] == decisive


@pytest.mark.parametrize(("lines", "decisive"), DECISIONS)
def test_an_inscription_of_a_homebrew_decides_as_its_printed_twin(lines: tuple[str, ...], decisive: list[str]) -> None:
    kill, killer, wills = kill_of(*lines, game=brewed(twins()))
    assert [*decisive_inscriptions(kill, killer, wills)] == [f"twin-{name}" for name in decisive]


@pytest.mark.parametrize("game", [GAME, brewed(twins())], ids=["printed", "homebrew"])
def test_coppers_are_those_that_an_inscription_brought(game: DecknForge) -> None:
    session = session_of(
        game,
        *("seat ana", "seat ben", "inscribed ana KS blood-money", "inscribed ben 2H mercenary-pact"),
        *("inscribed ben 3D glint", "inscribed ana 5D echo"),
        *fought(16, "reveal ana 5D", "reveal ben 2H", "next", "convert ana", "next"),
    )
    while session.state.step != "reveal":
        session.enter("next")
    for line in ("set boss hp 5", "reveal ana KS", "reveal ben 3D", "next", "damage"):
        session.enter(line)
    brought = coppers_by_inscription(session.state, session.state.bands)
    twin = "" if game is GAME else "twin-"
    assert brought == {f"{twin}blood-money": 3, f"{twin}mercenary-pact": 2, "glint": 1, f"{twin}echo": 5}


def test_coppers_of_a_homebrew_are_counted_by_its_name() -> None:
    session = Session.new(brewed(MOONLIT))
    for line in ("seat ana", "seat ben", "inscribed ana 9S moon-blade", *fought(40, "reveal ana 9S", "reveal ben 2H")):
        session.enter(line)
    assert coppers_by_inscription(session.state, session.state.bands) == {"moon-blade": 1}


def test_a_homebrew_has_its_rows_in_every_table_of_inscriptions() -> None:
    setting = RehearsalSetting("decknforge", 3, temperaments=("greedy",), homebrew=twins())
    progress = play_batch(OneSetting(setting), 1, 0, 30)
    twin_names = {f"twin-{name}" for name in INSCRIPTION_TWINS}
    for table in ("kill-inscription", "inscription", "inscription-coppers"):
        names = {key.partition(":")[2] for key in progress if key.partition(":")[0] == table}
        # In 30 dungeons nobody may afford what is dear.
        assert len(twin_names & names) > len(twin_names) / 2, table
    # Every dungeon counts for a share of kills, not only those in which it took one.
    assert progress["kill-inscription:twin-sharp"].totals[1] == progress["kill-inscription:sharp"].totals[1]
    for table in ("inscription", "inscription-coppers"):
        counted = (progress.get(f"{table}:{name}") for name in twin_names)
        assert sum(sums.totals[0] for sums in counted if sums) > 0, table
    assert all(progress[f"label-added:twin-{name}"].totals[1] == 30 for name in LABEL_TWINS)


# people who only reveal a card by lot, rehearsed and at the table


class OnlyReveals(RandomWizard):
    """Reveals a card by lot; uses no Tactic, Converts nothing, dodges nothing, adds no label."""

    def label(self, view: DungeonView) -> do.AddLabel | None:  # noqa: ARG002 – never
        """None."""
        return None

    def tactic(self, view: DungeonView) -> Tactic | None:  # noqa: ARG002 – never
        """None."""
        return None

    def declare(self, view: DungeonView, upcard: Upcard, minions: tuple[Foe, ...]) -> do.Convert | do.Target | None:  # noqa: ARG002
        """None."""
        return None

    def dodge(self, view: DungeonView, foe: Foe) -> tuple[Card, ...]:  # noqa: ARG002 – never
        """Nothing."""
        return ()

    def bonus(self, view: DungeonView) -> do.Bonus:  # noqa: ARG002 – always
        """Surge."""
        return do.Bonus("surge")


def at_the_table(seed: int, wizards: int) -> Session:
    """The same people as the soak's, line by line."""
    chance = Random(seed)
    session = session_after(*(f"seat {seat}" for seat in ("ana", "ben", "cy")[:wizards]), f"begin seed {seed}")
    player = AtTheTable(chance, session, exact=True, hurry=0)
    while session.state.step in ROUND_STEPS:
        state: DungeonTable = session.state
        if state.step == "kill":
            session.enter("bonus surge")
        elif state.step == "reveal" and (wizard := _who_reveals(state)):
            session.enter(f"reveal {wizard} {chance.choice(player.hand(wizard))}")
        else:
            session.enter("next")
    return session


def _who_reveals(state: DungeonTable) -> str:
    revealed = {upcard.owner for upcard in state.revealed}
    able = (one for one in state.fighting() if one.hand and not one.skips_plot)
    return next((one.seat for one in able if one.seat not in revealed), "")


def counted(table: DungeonTable) -> Mapping[str, float]:
    """What both have of a dungeon."""
    return {
        "bosses": len(table.killed_bosses),
        "rounds": table.earlier_rounds + table.round,
        "coppers": sum(wizard.earned for wizard in table.wizards),
        "gap": max(wizard.personal for wizard in table.wizards) - min(wizard.personal for wizard in table.wizards),
    }


@pytest.mark.slow
def test_people_who_only_reveal_fare_as_those_of_the_soak() -> None:
    setting, count = RehearsalSetting("decknforge", 2, decks=("seat x",)), 250
    rehearsed, played = [], []
    for number in range(count):
        ours = a_campaign(setting, number)
        dungeon = begin_dungeon(
            GAME, tuple(ours.set_up()), (OnlyReveals(), OnlyReveals()), Chance(1, number), DungeonTally()
        )
        dungeon.play(until=lambda table: table.step not in ROUND_STEPS)
        rehearsed.append(counted(dungeon.table))
        played.append(counted(at_the_table(number, 2).state))
    for figure in rehearsed[0]:
        ours_of, theirs = ([one[figure] for one in several] for several in (rehearsed, played))
        sigma = ((variance(ours_of) + variance(theirs)) / count) ** 0.5
        assert abs(fmean(ours_of) - fmean(theirs)) < 4 * sigma, (figure, fmean(ours_of), fmean(theirs))
        assert sigma > 0
