"""The actions of DecknForge's notation: set-up, the round in its order, and what follows the last fight."""

from typing import Annotated, ClassVar, Final, Literal

from companion.tabletop.action import Action, NotationError
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
    """Seat a wizard, clockwise from the last one, with a stored deck or a loose band."""

    band: FreeText = ""
    flaws: FreeText = ""
    """Reasons why the stored band broke the rules at that time."""


class Join(BandSeat, frozen=True, tag="join"):
    """Seat a wizard who comes late, behind the last one: in the fight that is about to begin, else from the next on."""


class Deal(Action, frozen=True, tag="deal"):
    """Say with how many cards somebody late begins: as at a Refill, or as many as all would start with (R1.4)."""

    seat: SeatName
    cards: Count


class InscribedCard(Action, frozen=True, tag="inscribed"):
    """A card of a loose band that bears an inscription; `anyway`: it does, though nobody could place it there now."""

    describes_deck: ClassVar[bool] = True
    seat: SeatName
    card: OneCard
    inscription: InscriptionName
    anyway: bool = False


class MonsterCard(Action, frozen=True, tag="monster"):
    """A Monster of a loose band as it stands on its card (R1.6, R1.7)."""

    describes_deck: ClassVar[bool] = True
    seat: SeatName
    card: OneCard
    name: Annotated[FreeText, Bare()] = ""
    hp: Count = 18
    atk: Count = 3
    legend: bool = False
    labels: Annotated[tuple[str, ...], Many(LABEL, least=0)] = ()


class Dungeons(Action, frozen=True, tag="dungeons"):
    """How many dungeons this band has completed (R1.70)."""

    describes_deck: ClassVar[bool] = True
    seat: SeatName
    count: Count


class Purse(Action, frozen=True, tag="purse"):
    """The Coppers that the wizard brings; `kept`: the seal writes what this game changes of them, though the band is
    loose.
    """

    seat: SeatName
    coppers: Count
    kept: bool = False


class Mythics(Action, frozen=True, tag="mythics"):
    """The Mythics that the wizard earned earlier and has not placed yet (§1.12)."""

    seat: SeatName
    count: Count


class History(Action, frozen=True, tag="history"):
    """Inscriptions that the band once bore, from which an heirloom may be chosen (A1.43)."""

    describes_deck: ClassVar[bool] = True
    seat: SeatName
    inscriptions: Annotated[tuple[str, ...], Many(INSCRIPTION)]


class Bosses(Action, frozen=True, tag="bosses"):
    """The first Bosses in this order, or the one that was flipped now; `drawn`: the program draws it (R1.11)."""

    monsters: Annotated[tuple[Ref, ...], Many(REF, least=0), Bare()] = ()
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class Active(Action, frozen=True, tag="active"):
    """The first active wizard (R1.10)."""

    seat: SeatName


class BeginDungeon(Begin, frozen=True, tag="begin"):
    """End the set-up: six Bosses, and the lots that settle a full tie in the draft, are drawn by chance."""

    bosses: Annotated[tuple[Ref, ...], Many(REF)] = ()
    lots: Annotated[tuple[str, ...], Many(SEAT)] = ()
    edition: Count = 2
    """Edition of the rules. Lines written before this field existed are of the second edition."""


# The round


class AddLabel(Action, frozen=True, tag="label"):
    """Write a label on the Boss's card, for Coppers and a draw or a heal (R1.71–R1.75)."""

    seat: SeatName
    label: LabelName
    reward: Literal["draw", "heal"]


class Decline(Action, frozen=True, tag="decline"):
    """Add no label (R1.71)."""

    seat: SeatName


class Reveal(Action, frozen=True, tag="reveal"):
    """Turn over the card that a wizard plotted (R1.21)."""

    seat: SeatName
    card: OneCard


class Patron(Action, frozen=True, tag="patron"):
    """The Patron's choice: heal another wizard, or steal Coppers (R1.I24)."""

    seat: SeatName
    choice: Literal["heal", "steal"]
    other: SeatName


class Will(Action, frozen=True, tag="will"):
    """Wizard's Will: swap the revealed cards of two wizards (R1.I14)."""

    seat: SeatName
    one: SeatName
    other: SeatName
    card: Annotated[tuple[Card, ...], Many(CARD, most=2)] = ()


class Spike(Action, frozen=True, tag="spike"):
    """Pay 1 card: own revealed card +3 (R1.23)."""

    seat: SeatName
    pay: Payment
    card: OptionalCard = None


class Foil(Action, frozen=True, tag="foil"):
    """Pay 2 cards: another wizard's revealed card −3, not below 1 (R1.23)."""

    seat: SeatName
    other: SeatName
    pay: Payment
    card: OptionalCard = None


class Snipe(Action, frozen=True, tag="snipe"):
    """Pay 1 Hero: swap own revealed card with another wizard's (R1.23)."""

    seat: SeatName
    other: SeatName
    pay: Payment
    card: OptionalCard = None
    own: OptionalCard = None


class Brace(Action, frozen=True, tag="brace"):
    """Pay 1 card: no Boss damage this round (R1.23)."""

    seat: SeatName
    pay: Payment


class Pass(Action, frozen=True, tag="pass"):
    """Use no Tactic (R1.22)."""

    seat: SeatName


class Convert(Action, frozen=True, tag="convert"):
    """Use a revealed Item for its suit instead of attacking (R1.34–R1.39)."""

    seat: SeatName
    card: OptionalCard = None
    as_: Annotated[str | None, SUIT] = None


class Target(Action, frozen=True, tag="target"):
    """Aim a revealed card at a Minion instead of the Boss (R1.60)."""

    seat: SeatName
    minion: Annotated[Ref, REF]
    card: OptionalCard = None


class Damage(Action, frozen=True, tag="damage"):
    """Resolve step 4: who declared nothing attacks the Boss (R1.24). Where only the fight is tracked, the table says
    what the party does to the Boss in all, and whose card took it.
    """

    amount: Annotated[int | None, COUNT, Bare()] = None
    by: Annotated[str | None, SEAT] = None


class Curse(Action, frozen=True, tag="curse"):
    """The Killer's card that loses an inscription to Cursed, and of two which (R1.L13)."""

    seat: SeatName
    card: OneCard
    inscription: Annotated[str | None, INSCRIPTION, Bare()] = None


class Bonus(Action, frozen=True, tag="bonus"):
    """The Killer's bonus (R1.54)."""

    choice: Literal["rally", "surge", "momentum"]


class Take(Action, frozen=True, tag="take"):
    """Take the first attack not yet answered (R1.26, R1.28)."""

    seat: SeatName


class Dodge(Action, frozen=True, tag="dodge"):
    """Dodge the first attack not yet answered, with cards from the hand (R1.43)."""

    seat: SeatName
    cards: Annotated[tuple[Card, ...] | int, PAYMENT]


class Spades(Action, frozen=True, tag="spades"):
    """Say how many Spades lie among a wizard's unnamed committed cards, for the shield of a Convert (R1.35)."""

    seat: SeatName
    count: Count


class Among(Action, frozen=True, tag="among"):
    """Name cards that lie among those that nobody named; `none`: none of them acts as it dodges (R1.I02)."""

    seat: SeatName
    cards: Annotated[tuple[Card, ...], Many(CARD, least=0)]


class Refill(Action, frozen=True, tag="refill"):
    """Draw for step 9, then Escalation (R1.29, R1.30); the Minion that came may be named, or the program draws it."""

    minion: OneRef | None = None
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class Escalate(Action, frozen=True, tag="escalate"):
    """Where Minions come before they attack (`minion-enters before-step8`): the one that comes now (A1.68)."""

    minion: OneRef | None = None
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class CoachWithHand(Coach, frozen=True, tag="coach"):
    """Ask what would help a wizard now, with the cards of their hand as far as they are said: only who asks reads the
    answer. The log keeps that it was asked, and no card.
    """

    hand: Annotated[tuple[Card, ...], Many(CARD, least=0), Bare(), Secret()] = ()


class Hold(Action, frozen=True, tag="hold"):
    """This card is in that hand: Thorns, Phoenix and Royal Decree then act by themselves."""

    seat: SeatName
    card: OneCard


class Unhold(Action, frozen=True, tag="unhold"):
    """This card is not in that hand."""

    seat: SeatName
    card: OneCard


# After the last fight


class Fade(Action, frozen=True, tag="fade"):
    """The Blessed card (or two) drawn for Fading; of two, the one that fades; `drawn`: the program draws (R1.81)."""

    seat: SeatName
    cards: Annotated[tuple[Card, ...], Many(CARD, least=0), Bare()] = ()
    fades: OptionalCard = None
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class Lots(Action, frozen=True, tag="lots"):
    """The winners of a lot where the draft is tied in every figure; `drawn`: the program draws it (A1.44)."""

    seats: Annotated[tuple[str, ...], Many(SEAT, least=0), Bare()] = ()
    is_drawn: Annotated[bool, KeywordArgument("drawn")] = False


class TakePart(Action, frozen=True, tag="draft"):
    """Have somebody take part in the draft who has left for good; else they keep the band that they brought (R1.82)."""

    seat: SeatName


class Pick(Action, frozen=True, tag="pick"):
    """Draft the deck that the second seat brought (R1.82)."""

    seat: SeatName
    brought: SeatName


class Memory(Action, frozen=True, tag="memory"):
    """Tower's Memory: take a card along to the new band, for its card of the same rank and suit (R1.I23)."""

    seat: SeatName
    card: OneCard


class Buy(Action, frozen=True, tag="buy"):
    """Buy an inscription for a card of the band now held (R1.83)."""

    seat: SeatName
    card: OneCard
    inscription: InscriptionName


class Mythic(Action, frozen=True, tag="mythic"):
    """Place an earned Mythic on a card of the band now held (R1.83)."""

    seat: SeatName
    card: OneCard
    inscription: InscriptionName


class Heirloom(Action, frozen=True, tag="heirloom"):
    """The one inscription that a retired band leaves to its wizard's next (R1.81)."""

    seat: SeatName
    inscription: InscriptionName


class Watch(Action, frozen=True, tag="watch"):
    """Answer a question of the playtest watchlist (§8)."""

    question: Annotated[str, one_of("question", ("tension", "tactics", "reaction", "sniped", "regret", "loud"))]
    answer: Literal["yes", "no"]
    note: FreeText = ""


class KeepPurse(Action, frozen=True, tag="keep-purse"):
    """Keep what this game brought somebody whose band is loose: it goes into their purse with the seal (R1.80)."""

    seat: SeatName
    person: Annotated[str, VALUE] = ""


class Adopt(Action, frozen=True, tag="adopt"):
    """A loose band is stored from now on, as the deck of this id and of this name, which was taken in as it came to the
    table.

    Without a name, as in lines of before, the deck was taken in as it lies on the table now.
    """

    seat: SeatName
    deck: Annotated[str, Word("DECK", str)]
    band: FreeText = ""


class Seal(Action, frozen=True, tag="seal"):
    """Commit the game to the records of all its bands."""


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
