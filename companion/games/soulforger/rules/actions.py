"""The actions of Soul-Forger's notation: set-up, the turn in its order, combat, the Flow, and effects."""

from typing import Annotated, ClassVar, Final, Literal

from companion.games.soulforger.rules.keywords import FACTIONS_OF_A_CARD, KEYWORD, SEVERAL_KEYWORDS
from companion.games.soulforger.rules.state import EquipmentType, Speed
from companion.tabletop.action import Action as Line
from companion.tabletop.action import ActionWeight, ButtonText, Questions
from companion.tabletop.constructed import table
from companion.tabletop.constructed.batch import MoreTargets
from companion.tabletop.constructed.table import LINES
from companion.tabletop.notation import arguments
from companion.tabletop.notation.arguments import (
    CHANGE,
    COUNT,
    HANDLE,
    Bare,
    Count,
    HandleName,
    HandleOrSeat,
    KeywordArgument,
    Many,
    Pair,
    PrintedArgument,
    SeatName,
    Secret,
    Target,
)
from templates.languages.messages import phrase

ON_OFF: Final = Pair("ON/OFF")
Ronum = Annotated[int, KeywordArgument("ronum"), COUNT]
CardRonum = Annotated[Ronum, PrintedArgument()]
Power = Annotated[tuple[int, int], KeywordArgument("power"), ON_OFF, PrintedArgument()]
OptionalPower = Annotated[tuple[int, int] | None, ON_OFF, PrintedArgument()]
Endurance = Annotated[int, KeywordArgument("endurance"), COUNT, PrintedArgument()]
Hands = Annotated[int | None, COUNT, PrintedArgument()]
Type = Annotated[EquipmentType, PrintedArgument()]
Keywords = Annotated[tuple[str, ...], SEVERAL_KEYWORDS, PrintedArgument()]
Factions = Annotated[tuple[str, ...], FACTIONS_OF_A_CARD, PrintedArgument()]
Payment = Annotated[tuple[str, ...], Many(HANDLE)]
OptionalHandle = Annotated[str | None, HANDLE]
Named = Annotated[str, KEYWORD]


# Set-up


class DeckSize(Line, frozen=True, tag="deck-size"):
    """Set the number of cards in a player's Main Deck (R2.2)."""

    describes_deck: ClassVar[bool] = True
    button_text: ClassVar[ButtonText] = phrase("Set it")

    seat: SeatName
    cards: Count


class Gear(Line, frozen=True, tag="gear"):
    """Enter a piece of Starting Gear (R2.2): one weapon, one armor, one accessory."""

    describes_deck: ClassVar[bool] = True
    button_text: ClassVar[ButtonText] = phrase("Enter it")
    questions: ClassVar[Questions] = {
        "handle": phrase("Which equipment?"),
        "type": phrase("What is it?"),
        "power": phrase("With which Power?"),
        "hands": phrase("For how many hands?"),
    }

    seat: SeatName
    handle: HandleName
    type: Type
    power: OptionalPower = None
    hands: Hands = None
    keywords: Keywords = ()
    faction: Factions = ()


class First(table.First, frozen=True, tag="first"):
    """Set who has the first turn (R2.4); `first lot` draws lots."""


class Mulligan(Line, frozen=True, tag="mulligan"):
    """Put N cards of the opening hand on the bottom of the deck, draw as many, and shuffle (R2.4)."""

    seat: SeatName
    cards: Count


class Keep(Line, frozen=True, tag="keep"):
    """Keep the opening hand (R2.4)."""

    seat: SeatName


# The turn


class SkipCombat(Line, frozen=True, tag="skip-combat"):
    """Go directly from Main 1 to the End Phase (R2.5)."""

    weight: ClassVar[ActionWeight] = "plain"


class Quest(Line, frozen=True, tag="quest"):
    """Do the Side Quest with the Ronum of each hand card sent away; XP fills the gap, or is kept (R2.7)."""

    button_text: ClassVar[ButtonText] = phrase("Begin the Quest")

    seat: SeatName
    cards: Annotated[tuple[int, ...], Many(COUNT, least=0)]
    keep_xp: bool = False


class Summon(Line, frozen=True, tag="summon"):
    """Call Summon a creature from the hand, or Manifest Summon it by an effect (R2.8, R2.12)."""

    questions: ClassVar[Questions] = {
        "ronum": phrase("With which Ronum?"),
        "power": phrase("With which Power?"),
        "endurance": phrase("With how much Endurance?"),
    }

    seat: SeatName
    handle: HandleName
    ronum: CardRonum
    power: Power
    endurance: Endurance
    xp: Annotated[Count, PrintedArgument()] = 0
    faction: Factions = ()
    keywords: Keywords = ()
    pay: Payment = ()
    manifest: bool = False


class Token(Line, frozen=True, tag="token"):
    """Put a token on the field by an effect; it vanishes when it leaves (R2.14)."""

    button_text: ClassVar[ButtonText] = phrase("Put it on the field")
    questions: ClassVar[Questions] = {
        "power": phrase("With which Power?"),
        "endurance": phrase("With how much Endurance?"),
    }

    seat: SeatName
    handle: HandleName
    power: Power
    endurance: Endurance
    ronum: Count = 0
    keywords: Keywords = ()


class ForgeEquipment(Line, frozen=True, tag="forge"):
    """Play equipment from the Forge Deck (R2.15)."""

    questions: ClassVar[Questions] = {
        "handle": phrase("Which equipment?"),
        "type": phrase("What is it?"),
        "ronum": phrase("With which Ronum?"),
        "power": phrase("With which Power?"),
        "hands": phrase("For how many hands?"),
        "replaces": phrase("Which equipment does it replace?"),
    }

    seat: SeatName
    handle: HandleName
    type: Type
    ronum: CardRonum
    power: OptionalPower = None
    hands: Hands = None
    slot: Literal["primary", "secondary"] | None = None
    replaces: OptionalHandle = None
    keywords: Keywords = ()
    faction: Factions = ()
    pay: Payment = ()


class Swap(Line, frozen=True, tag="swap"):
    """Swap the Primary and the Secondary weapon, once per turn (R2.8)."""

    seat: SeatName


class Pay(Line, frozen=True, tag="pay"):
    """Pay a Ronum cost with cards from the Material Zone, all of which are needed (R2.17)."""

    questions: ClassVar[Questions] = {"ronum": phrase("How much Ronum does it cost?")}

    seat: SeatName
    ronum: Ronum
    cards: Annotated[tuple[int, ...], KeywordArgument("with"), Many(COUNT)]


class Level(Line, frozen=True, tag="level"):
    """Buy one level in the End Phase, for as much XP as the current level (R2.9)."""

    seat: SeatName


class Discard(Line, frozen=True, tag="discard"):
    """Discard N cards from the hand to the graveyard (R2.9, or by an effect)."""

    seat: SeatName
    cards: Count


class Draw(Line, frozen=True, tag="draw"):
    """Draw N cards by an effect."""

    seat: SeatName
    cards: Count


# Combat


class Attack(Line, frozen=True, tag="attack"):
    """Declare an attack by an On-guard creature or weapon on an opponent or an opponent's creature (R2.21)."""

    questions: ClassVar[Questions] = {"target": phrase("Whom or what does it attack?")}

    attacker: HandleName
    target: Annotated[HandleOrSeat, KeywordArgument("on")]


class Block(Line, frozen=True, tag="block"):
    """Block as the attacked player, with an On-guard creature or the Primary weapon (R2.22)."""

    blocker: HandleName


class NoBlock(Line, frozen=True, tag="no-block"):
    """Decline to block as the attacked player."""

    weight: ClassVar[ActionWeight] = "plain"


class Fight(Line, frozen=True, tag="fight"):
    """Deal the damage of the declared attack (R2.23)."""


class Retarget(Line, frozen=True, tag="retarget"):
    """Choose a new target for the attack after a creature has left or entered (R2.21)."""

    questions: ClassVar[Questions] = {"target": phrase("Whom or what does it attack?")}

    target: HandleOrSeat


class CallOff(Line, frozen=True, tag="call-off"):
    """Call off the attack after a creature has left or entered; the attacker turns Off-guard (R2.21)."""


# The Flow and its Actions


class Flow(Line, frozen=True, tag="flow"):
    """Put an effect on the Flow (R2.20)."""

    button_text: ClassVar[ButtonText] = phrase("Play it")
    questions: ClassVar[Questions] = {"name": phrase("Which card?")}

    seat: SeatName
    name: arguments.Text


class Negate(Line, frozen=True, tag="negate"):
    """Negate the topmost effect with this name; it stays on the Flow and is skipped (R2.20)."""

    questions: ClassVar[Questions] = {"name": phrase("Which card?")}

    name: arguments.Text


class Resolve(Line, frozen=True, tag="resolve"):
    """Resolve the top of the Flow after all players have passed (R2.20)."""


class SetAction(Line, frozen=True, tag="set-action"):
    """Set an Action face down (R2.18), optionally with a name that only its player sees."""

    button_text: ClassVar[ButtonText] = phrase("Set it face down")

    seat: SeatName
    name: Annotated[arguments.Text, Bare(), Secret()] = ""


class PlayAction(Line, frozen=True, tag="action"):
    """Play an Action from the hand or a set Action; it goes on the Flow (R2.18, R2.19)."""

    button_text: ClassVar[ButtonText] = phrase("Play it")
    questions: ClassVar[Questions] = {
        "name": phrase("Which card?"),
        "ronum": phrase("With which Ronum?"),
        "from_": phrase("From the hand, or set?"),
    }

    seat: SeatName
    name: arguments.Text
    ronum: CardRonum
    from_: Literal["hand", "set"] = "hand"
    speed: Annotated[Speed, PrintedArgument()] = "normal"
    faction: Factions = ()
    lingering: Annotated[bool, PrintedArgument()] = False
    pay: Payment = ()


# Effects


class Damage(Line, frozen=True, tag="damage"):
    """Deal damage outside combat to one or several players and creatures (R2.1, R2.13)."""

    target: Target
    amount: Count
    more: MoreTargets = ()


class Heal(Line, frozen=True, tag="heal"):
    """Heal damage of a player or a creature."""

    target: Target
    amount: Count


class Destroy(Line, frozen=True, tag="destroy"):
    """Destroy a creature, a piece of equipment, or an Action in its zone."""

    handle: HandleName


class Send(Line, frozen=True, tag="send"):
    """Send a card from the field to the graveyard without destroying it (R2.12, R2.26)."""

    handle: HandleName


class Skill(Line, frozen=True, tag="skill"):
    """Turn a card with Skill from On-guard to Off-guard to use its effect (R2.27)."""

    handle: HandleName


class Buff(Line, frozen=True, tag="buff"):
    """Change a card's On-guard and Off-guard Power, and a creature's Endurance (R2.13)."""

    handle: HandleName
    change: Annotated[tuple[int, int], CHANGE]


class Give(Line, frozen=True, tag="give"):
    """Give a card on the field a keyword."""

    handle: HandleName
    keyword: Named


class TakeAway(Line, frozen=True, tag="take-away"):
    """Take a keyword away from a card on the field."""

    handle: HandleName
    keyword: Named


SET_UP: Final = (DeckSize, Gear, First, Mulligan, Keep)
TURN: Final = (SkipCombat, Quest, Summon, Token, ForgeEquipment, Swap, Pay, Level, Discard, Draw)
COMBAT: Final = (Attack, Block, NoBlock, Fight, Retarget, CallOff)
FLOW: Final = (Flow, Negate, Resolve, SetAction, PlayAction)
EFFECTS: Final = (Damage, Heal, Destroy, Send, Skill, Buff, Give, TakeAway)

VOCABULARY: Final[tuple[type[Line], ...]] = (*LINES, *SET_UP, *TURN, *COMBAT, *FLOW, *EFFECTS)
