"""House rules are those of the rules reference: every key that it names, in kebab-case, with each of its values."""

import re
from collections.abc import Iterator

import pytest

from companion.games import registry
from companion.session.core.session import Session
from companion.tabletop.action import RuleError
from companion.tabletop.table.choices import choices
from companion.tabletop.table.common_actions import Rule
from companion.tabletop.table.table import Draft

# As the reference writes them, the book's own value first; `n` is any number.
REFERENCE = {
    "decknforge": """
        draws: program | table
        track: all | fight
        foilCost: 2 | 1
        killCredit: highest | soloLethal
        easyReward: 1 | 2
        sessionCopperCap: none | 25
        pressure: 2 | 3
        comeback: false | true
        startHp: 20 | 30
        minInscribed: warn | strict3
        ascensionSlot: extra | none
        rotationCoppers: purse | session
        convertTiming: afterTactics | atReveal
        convertValue: current | printed
        emptyDeck: literal | playFromHand
        handCap: refillOnly | always
        bigHandCap: 12 | startingHand
        shieldDuration: fight | round | dungeon
        shieldCount: committed | converted
        shieldMode: flat | pool
        overheal: false | true
        killValue: modified | printed
        convertedCanKill: false | true
        killTie: seat | fewestCoppers
        deadAssist: true | false
        killBonusTiming: immediate | afterReset
        legendFading: killer | allWizards
        mythicSource: legendKill+reaper | reaperOnly
        reaperAnyCard: false | true
        minionCombat: targetInStep4 | untouchable | overkillSpills
        minionCoppers: atk | ace1
        minionPersonalGlory: false | true
        labelGate: both | labellerOnly
        vampiricPerWizard: false | true
        cursedChoice: killer | random
        rampageStart: 1 | 0
        minionLabels: stat | none
        simultaneous: loss | win
        phoenixReturn: nextDungeon | nextRefill
        etched: blank | excluded
        towersMemory: exchange | off
        retireDraft: sitOut | newBandJoins
        foilFloor: total | sequential
        spikeBoostsConvert: true | false
        minionEnters: afterRefill | beforeStep8
    """,
    "soulforger": """
        track: all | figures
        readyUp: start
        xpOnlySideQuest: false | true
        endLevelUps: repeat | once
        xpOnBlock: false | true
        deckOut: emptyOnly | anyMissedDraw
        actionZones: none | n
    """,
    "oddfrontier": """
        track: all | figures
        secondPlayerDrawsTurn1: true | false
        summoningSickness: false | true
        uncrank: own | all
        crankBeforeReset: true | false
        maxHand: 7 | n
        deckOut: nothing | lose
        unlimitedEngines: false | true
        blockers: any | attacked
        startLife: 137 | n
    """,
    "solforge": """
        track: all | figures
        poisonVsArmor: resetFirst | resetLast
        rankUpDraw: afterShuffle | beforeShuffle
        btArmor: subtract | ignore
        rankGate: off | on
        tie: draw | suddenDeath
        format: constructed | draft | scramble | overdraft
        startHealth: 120 | n
    """,
}


def _kebab(word: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", word).lower()


def _agreed() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for game, table in REFERENCE.items():
        for row in table.strip().splitlines():
            key, _, values = row.partition(": ")
            yield game, _kebab(key.strip()), tuple(_kebab(value) for value in values.split(" | "))


AGREED = tuple(_agreed())
WORDS = {"true": "yes", "false": "no", "n": "9"}
"""What a value is told as where that is not its own word."""


@pytest.mark.parametrize("game", REFERENCE)
def test_house_rules_are_exactly_those_of_the_reference(game: str) -> None:
    keys = {key for of, key, _ in AGREED if of == game}
    assert {rule.key for rule in registry.game(game).house.all()} == keys | {"draws"}, "REFERENCE lists them"


@pytest.mark.parametrize(
    ("game", "key", "values"), AGREED, ids=lambda argument: argument if isinstance(argument, str) else ""
)
def test_each_reference_value_is_taken_the_books_first(game: str, key: str, values: tuple[str, ...]) -> None:
    (rule,) = (rule for rule in registry.game(game).house.all() if rule.key == key)
    assert rule.book == WORDS.get(values[0], values[0])
    assert "n" in values or rule.others == tuple(WORDS.get(value, value) for value in values[1:])
    session = Session.new(registry.game(game))
    for value in values[1:] + values[:1]:
        session.enter(f"rule {key} {'9' if value == 'n' else value}")
        word = WORDS.get(value, value)
        assert dict(session.view().rules).get(key, rule.book) == word
    with pytest.raises(RuleError, match=f"The rule {key} "):
        session.enter(f"rule {key} whatever")


@pytest.mark.parametrize("game", REFERENCE)
def test_a_rule_without_a_choice_is_not_offered(game: str) -> None:
    session = Session.new(registry.game(game))
    offered = choices(session.game, session.state, Draft(Rule), "key")
    assert isinstance(offered, tuple)
    only = {key for of, key, values in AGREED if of == game and len(values) == 1}
    assert {choice.value for choice in offered} == {key for of, key, _ in AGREED if of == game} - only
    with pytest.raises(RuleError) as refused:
        session.enter("rule no-such-rule yes")
    assert all(key in str(refused.value) for key in only)
