"""The actions of DecknForge's notation: set-up, the round in its order, and what follows the last fight."""

from typing import Annotated, ClassVar, Final, Literal

from companion.tabletop.action import Action, ActionWeight, ButtonText, NotationError, Questions
from companion.tabletop.notation.arguments import (
    CARD,
    COUNT,
    PAYMENT,
    REF,
    SEAT,
    SUIT,
    TEXT,
    VALUE,
    Bare,
    Count,
    KeywordArgument,
    Many,
    OneCard,
    OneRef,
    Ref,
    SeatName,
    Secret,
    Word,
    one_of,
    read_name,
)
from companion.tabletop.notation.cards import Card
from companion.tabletop.table.common_actions import COMMON, Begin, Coach, Concede, DrawAgreed, Seat
from templates.languages.messages import phrase


def _read_label(word: str) -> str:
    """Read a label's name; it must not be a word with another meaning in the line of `monster`."""
    name = read_name(word)
    if name in ("hp", "atk", "legend", "labels"):
        raise NotationError(
            phrase("“{name}” means something else in the line of a Monster and cannot be a label.", name=name)
        )
    return name


INSCRIPTION: Final = Word("INSCRIPTION", read_name)
LABEL: Final = Word("LABEL", _read_label)
"""Names of inscriptions and labels on cards. The table's book decides which exist, so any word can be read."""

InscriptionName = Annotated[str, INSCRIPTION]
LabelName = Annotated[str, LABEL]
Payment = Annotated[tuple[Card, ...] | int, KeywordArgument("pay"), PAYMENT]
OptionalCard = Annotated[Card | None, CARD]
FreeText = Annotated[str, TEXT]


# Set-up


class BandSeat(Seat, frozen=True, tag="seat"):
    """Seat a wizard, clockwise after the last one, with a stored deck or a loose band."""

    band: FreeText = ""
    flaws: FreeText = ""
    """Reasons why the stored band broke the rules at that time."""


class Join(BandSeat, frozen=True, tag="join"):
    """Seat a wizard who comes late, after the last one; they play from the next fight that begins."""


class Deal(Action, frozen=True, tag="deal"):
    """Set the number of cards in a late player's first hand: as for a Refill, or as many as all start with (R1.4)."""

    button_text: ClassVar[ButtonText] = phrase("Begin with these")

    seat: SeatName
    cards: Count


class InscribedCard(Action, frozen=True, tag="inscribed"):
    """Enter an inscription on a card of a loose band; `anyway` accepts one that could not be placed there now."""

    describes_deck: ClassVar[bool] = True
    button_text: ClassVar[ButtonText] = phrase("Enter it")
    questions: ClassVar[Questions] = {"inscription": phrase("Which inscription?")}

    seat: SeatName
    card: OneCard
    inscription: InscriptionName
    anyway: bool = False


class MonsterCard(Action, frozen=True, tag="monster"):
    """Enter a Monster of a loose band, as written on its card (R1.6, R1.7)."""

    describes_deck: ClassVar[bool] = True
    button_text: ClassVar[ButtonText] = phrase("Enter it")

    seat: SeatName
    card: OneCard
    name: Annotated[FreeText, Bare()] = ""
    hp: Count = 18
    atk: Count = 3
    legend: bool = False
    labels: Annotated[tuple[str, ...], Many(LABEL, least=0)] = ()


class Dungeons(Action, frozen=True, tag="dungeons"):
    """Set the number of dungeons that this band has completed (R1.70)."""

    describes_deck: ClassVar[bool] = True
    seat: SeatName
    count: Count


class Purse(Action, frozen=True, tag="purse"):
    """Set the Coppers that a wizard brings; `kept` stores the change at the seal even for a loose band."""

    seat: SeatName
    coppers: Count
    kept: bool = False


class Mythics(Action, frozen=True, tag="mythics"):
    """Set the Mythics that a wizard earned earlier and has not placed yet (§1.12)."""

    seat: SeatName
    count: Count


class History(Action, frozen=True, tag="history"):
    """List inscriptions that the band had earlier, from which an heirloom can be chosen (A1.43)."""

    describes_deck: ClassVar[bool] = True
    seat: SeatName
    inscriptions: Annotated[tuple[str, ...], Many(INSCRIPTION)]


class Bosses(Action, frozen=True, tag="bosses"):
    """Set the first Bosses in this order, or the one flipped now; with `drawn`, the program draws it (R1.11)."""

    button_text: ClassVar[ButtonText] = phrase("That is the one")
    questions: ClassVar[Questions] = {"monsters": phrase("Which Monster is it?")}

    monsters: Annotated[tuple[Ref, ...], Many(REF, least=0), Bare()] = ()
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class Active(Action, frozen=True, tag="active"):
    """Set the first active wizard (R1.10)."""

    seat: SeatName


class BeginDungeon(Begin, frozen=True, tag="begin"):
    """End the set-up; six Bosses and the lots for full ties in the draft are drawn at random."""

    bosses: Annotated[tuple[Ref, ...], Many(REF)] = ()
    lots: Annotated[tuple[str, ...], Many(SEAT)] = ()
    edition: Count = 2
    """Edition of the rules. Lines written before this field existed are of the second edition."""


# The round


class AddLabel(Action, frozen=True, tag="label"):
    """Add a label to the Boss's card, for Coppers and a draw or a heal (R1.71–R1.75)."""

    questions: ClassVar[Questions] = {"label": phrase("Which label?"), "reward": phrase("Draw or heal?")}

    seat: SeatName
    label: LabelName
    reward: Literal["draw", "heal"]


class Decline(Action, frozen=True, tag="decline"):
    """Add no label (R1.71)."""

    weight: ClassVar[ActionWeight] = "plain"

    seat: SeatName


class Reveal(Action, frozen=True, tag="reveal"):
    """Reveal the card that a wizard plotted (R1.21)."""

    questions: ClassVar[Questions] = {"card": phrase("Which card do you reveal?")}

    seat: SeatName
    card: OneCard


class Patron(Action, frozen=True, tag="patron"):
    """Make the Patron's choice: heal another wizard, or steal Coppers (R1.I24)."""

    questions: ClassVar[Questions] = {"choice": phrase("Heal or steal?"), "other": phrase("Whom?")}

    seat: SeatName
    choice: Literal["heal", "steal"]
    other: SeatName


class Will(Action, frozen=True, tag="will"):
    """Use Wizard's Will: swap the revealed cards of two wizards (R1.I14)."""

    questions: ClassVar[Questions] = {
        "one": phrase("Whose card?"),
        "other": phrase("Whose card for it?"),
        "card": phrase("Which card?"),
    }

    seat: SeatName
    one: SeatName
    other: SeatName
    card: Annotated[tuple[Card, ...], Many(CARD, most=2)] = ()


class Spike(Action, frozen=True, tag="spike"):
    """Pay 1 card: your revealed card counts 3 more (R1.23)."""

    questions: ClassVar[Questions] = {"card": phrase("Which of your revealed cards?")}

    seat: SeatName
    pay: Payment
    card: OptionalCard = None


class Foil(Action, frozen=True, tag="foil"):
    """Pay 2 cards: another wizard's revealed card counts 3 less, but at least 1 (R1.23)."""

    questions: ClassVar[Questions] = {"other": phrase("Whose card?"), "card": phrase("Which of the revealed cards?")}

    seat: SeatName
    other: SeatName
    pay: Payment
    card: OptionalCard = None


class Snipe(Action, frozen=True, tag="snipe"):
    """Pay 1 Hero: swap your revealed card with another wizard's (R1.23)."""

    questions: ClassVar[Questions] = {
        "other": phrase("Whose card do you take?"),
        "card": phrase("Which of the revealed cards?"),
        "own": phrase("Which of your revealed cards?"),
    }

    seat: SeatName
    other: SeatName
    pay: Payment
    card: OptionalCard = None
    own: OptionalCard = None


class Brace(Action, frozen=True, tag="brace"):
    """Pay 1 card: take no damage from the Boss this round (R1.23)."""

    seat: SeatName
    pay: Payment


class Pass(Action, frozen=True, tag="pass"):
    """Use no Tactic (R1.22)."""

    weight: ClassVar[ActionWeight] = "plain"

    seat: SeatName


class Convert(Action, frozen=True, tag="convert"):
    """Use a revealed Item for its suit instead of attacking (R1.34–R1.39)."""

    questions: ClassVar[Questions] = {"card": phrase("Which of your revealed cards?"), "as_": phrase("As which suit?")}

    seat: SeatName
    card: OptionalCard = None
    as_: Annotated[str | None, SUIT] = None


class Target(Action, frozen=True, tag="target"):
    """Aim a revealed card at a Minion instead of the Boss (R1.60)."""

    questions: ClassVar[Questions] = {
        "minion": phrase("Which Minion?"),
        "card": phrase("Which of your revealed cards?"),
    }

    seat: SeatName
    minion: Annotated[Ref, REF]
    card: OptionalCard = None


class Damage(Action, frozen=True, tag="damage"):
    """Resolve step 4: wizards who declared nothing attack the Boss (R1.24).

    If only the fight is tracked, this enters the party's total damage to the Boss, and whose card killed it.
    """

    button_text: ClassVar[ButtonText] = phrase("Enter the damage")
    questions: ClassVar[Questions] = {"amount": phrase("How much damage?"), "by": phrase("Whose card was highest?")}

    amount: Annotated[int | None, COUNT, Bare()] = None
    by: Annotated[str | None, SEAT] = None


class Curse(Action, frozen=True, tag="curse"):
    """Choose the Killer's card that loses an inscription to Cursed and, of two, the inscription (R1.L13)."""

    questions: ClassVar[Questions] = {
        "card": phrase("Which card loses an inscription?"),
        "inscription": phrase("Which of its inscriptions?"),
    }

    seat: SeatName
    card: OneCard
    inscription: Annotated[str | None, INSCRIPTION, Bare()] = None


class Bonus(Action, frozen=True, tag="bonus"):
    """Choose the Killer's bonus (R1.54)."""

    questions: ClassVar[Questions] = {"choice": phrase("Which bonus?")}

    choice: Literal["rally", "surge", "momentum"]


class Take(Action, frozen=True, tag="take"):
    """Take the first attack that is still unanswered (R1.26, R1.28)."""

    seat: SeatName


class Dodge(Action, frozen=True, tag="dodge"):
    """Dodge the first attack that is still unanswered, with cards from the hand (R1.43)."""

    questions: ClassVar[Questions] = {"cards": phrase("With which cards do you dodge?")}

    seat: SeatName
    cards: Annotated[tuple[Card, ...] | int, PAYMENT]


class Spades(Action, frozen=True, tag="spades"):
    """Set how many of a wizard's unnamed committed cards are Spades, for the shield of a Convert (R1.35)."""

    button_text: ClassVar[ButtonText] = phrase("That many")
    questions: ClassVar[Questions] = {"count": phrase("How many Spades?")}

    seat: SeatName
    count: Count


class Among(Action, frozen=True, tag="among"):
    """Name some of a wizard's unnamed cards; `none` means that none of them has an effect when it dodges (R1.I02)."""

    button_text: ClassVar[ButtonText] = phrase("It was among them")

    seat: SeatName
    cards: Annotated[tuple[Card, ...], Many(CARD, least=0)]


class Refill(Action, frozen=True, tag="refill"):
    """Draw for step 9, then Escalation (R1.29, R1.30); name the Minion that came, or let the program draw it."""

    button_text: ClassVar[ButtonText] = phrase("That is the one")
    questions: ClassVar[Questions] = {"minion": phrase("Which Minion came?")}

    minion: OneRef | None = None
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class Escalate(Action, frozen=True, tag="escalate"):
    """Enter the Minion that comes now, if Minions come before they attack (`minion-enters before-step8`, A1.68)."""

    button_text: ClassVar[ButtonText] = phrase("That is the one")
    questions: ClassVar[Questions] = {"minion": phrase("Which Minion came?")}

    minion: OneRef | None = None
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class CoachWithHand(Coach, frozen=True, tag="coach"):
    """Ask the coach for advice for a wizard, with some or all cards of their hand.

    Only the player who asks sees the answer. The log records the question, without the cards.
    """

    hand: Annotated[tuple[Card, ...], Many(CARD, least=0), Bare(), Secret()] = ()


class Hold(Action, frozen=True, tag="hold"):
    """Tell the program that a card is in a hand, so that Thorns, Phoenix and Royal Decree take effect by themselves."""

    seat: SeatName
    card: OneCard


class Unhold(Action, frozen=True, tag="unhold"):
    """Tell the program that a card is not in a hand."""

    seat: SeatName
    card: OneCard


# After the last fight


class Fade(Action, frozen=True, tag="fade"):
    """Enter the Blessed card drawn for Fading, or two and the one that fades; `drawn`: the program draws (R1.81)."""

    button_text: ClassVar[ButtonText] = phrase("That was drawn")
    questions: ClassVar[Questions] = {"cards": phrase("Which card was drawn?"), "fades": phrase("Which one fades?")}

    seat: SeatName
    cards: Annotated[tuple[Card, ...], Many(CARD, least=0), Bare()] = ()
    fades: OptionalCard = None
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class Lots(Action, frozen=True, tag="lots"):
    """Enter the winners of a lot if a draft is tied in every figure; with `drawn`, the program draws it (A1.44)."""

    button_text: ClassVar[ButtonText] = phrase("That is the result")
    questions: ClassVar[Questions] = {"seats": phrase("Who wins the lot?")}

    seats: Annotated[tuple[str, ...], Many(SEAT, least=0), Bare()] = ()
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class TakePart(Action, frozen=True, tag="draft"):
    """Let a player who has left for good take part in the draft; otherwise they keep the band they brought (R1.82)."""

    seat: SeatName


class Pick(Action, frozen=True, tag="pick"):
    """Draft the deck that the player at the second seat brought (R1.82)."""

    seat: SeatName
    brought: SeatName


class Memory(Action, frozen=True, tag="memory"):
    """Use Tower's Memory: take a card along to the new band, for its card of the same rank and suit (R1.I23)."""

    seat: SeatName
    card: OneCard


class Buy(Action, frozen=True, tag="buy"):
    """Buy an inscription for a card of the current band (R1.83)."""

    questions: ClassVar[Questions] = {"inscription": phrase("Which inscription?"), "card": phrase("On which card?")}

    seat: SeatName
    card: OneCard
    inscription: InscriptionName


class Mythic(Action, frozen=True, tag="mythic"):
    """Place an earned Mythic on a card of the current band (R1.83)."""

    questions: ClassVar[Questions] = {"inscription": phrase("Which inscription?"), "card": phrase("On which card?")}

    seat: SeatName
    card: OneCard
    inscription: InscriptionName


class Heirloom(Action, frozen=True, tag="heirloom"):
    """Choose the one inscription that a retired band leaves to its wizard's next band (R1.81)."""

    questions: ClassVar[Questions] = {"inscription": phrase("Which inscription?")}

    seat: SeatName
    inscription: InscriptionName


class Watch(Action, frozen=True, tag="watch"):
    """Answer a question of the playtest watchlist (§8)."""

    question: Annotated[str, one_of("question", ("tension", "tactics", "reaction", "sniped", "regret", "loud"))]
    answer: Literal["yes", "no"]
    note: FreeText = ""


class KeepPurse(Action, frozen=True, tag="keep-purse"):
    """Store the earnings of a player with a loose band: the seal adds them to their purse (R1.80)."""

    seat: SeatName
    person: Annotated[str, VALUE] = ""


class Adopt(Action, frozen=True, tag="adopt"):
    """Store a loose band as the deck with this id and name, in the state in which it came to the table.

    Without a name, as in older logs, the deck is stored in its current state.
    """

    seat: SeatName
    deck: Annotated[str, Word("DECK", str)]
    band: FreeText = ""


class Seal(Action, frozen=True, tag="seal"):
    """End the game for good, and write it into the records of all its bands."""


SET_UP: Final = (InscribedCard, MonsterCard, Dungeons, Purse, Mythics, History, Bosses, Active)
ROUND: Final = (
    *(Join, Deal, AddLabel, Decline, Reveal, Patron, Will, Spike, Foil, Snipe, Brace, Pass, Convert, Target, Damage),
    *(Curse, Bonus, Take, Dodge, Spades, Among, Escalate, Refill, Hold, Unhold, Concede, DrawAgreed),
    CoachWithHand,
)
AFTER: Final = (Fade, Lots, TakePart, Pick, Memory, Buy, Mythic, Heirloom, KeepPurse, Adopt, Watch, Seal)

VOCABULARY: Final[tuple[type[Action], ...]] = (
    BandSeat,
    *(action for action in COMMON if action not in (Seat, Begin)),
    BeginDungeon,
    *SET_UP,
    *ROUND,
    *AFTER,
)
