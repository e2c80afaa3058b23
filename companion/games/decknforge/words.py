"""What can be looked up of DecknForge: its inscriptions, its labels, and the words that its rules are written in.

Separate from the effects, which know what they do, and not in which list they stand.
"""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.names import title
from companion.games.decknforge.standard import STANDARD
from companion.games.terms import Term

_CALLED: Final = {
    "Boss": ("A Monster that everybody fights at once; six of them are a dungeon.", "R1.11"),
    "Minion": ("A Monster from the pool that has joined the fight.", "R1.30"),
    "Monster": ("An Ace or a Joker of a band, with HP, ATK and up to five labels.", "R1.2"),
    "Hero": ("A Jack, Queen or King. It always attacks, pays for a Snipe, and may bear a Mythic.", "R1.2"),
    "Item": ("A card from 2 to 10. It attacks or Converts.", "R1.34"),
    "Blessed": ("A card of a band that bears an inscription.", "R1.81"),
    "Legend": ("A Monster with a ★. Who kills it earns a Mythic.", "R1.55"),
    "Mythic": ("An inscription that is earned and not bought; it goes on a Hero, or on an Ascended Item.", "R1.9"),
    "Copper": ("A wizard's money: it stays with the person.", "R1.80"),
    "Glory": ("What a band has won; a wizard's own counts for who is active and who picks first.", "R1.86"),
    "Active": ("The wizard who decides first, through a whole fight.", "R1.16"),
    "Committed": ("A card that is out until the dungeon ends.", "R1.15"),
    "Face value": ("What a card is worth now: printed, and what raises or lowers it.", "R1.40"),
    "ATK": ("How hard a Monster hits.", "R1.41"),
    "Shield": ("Taken off every damage that its wizard would suffer.", "R1.44"),
    "Overkill": ("Damage beyond a Boss's last HP; up to 5 of it pay the Killer.", "R1.51"),
    "Killer": ("Whose attacking card was worth most when a Boss fell.", "R1.50"),
    "Killing Blow": ("The card that killed a Boss, with its face value.", "R1.50"),
    "Tactic": ("Spike, Foil, Snipe or Brace; one a wizard and round.", "R1.22"),
    "Spike": ("Pay 1 card: your revealed card is worth 3 more.", "R1.23"),
    "Foil": ("Pay 2 cards: another's revealed card is worth 3 less, but not below 1.", "R1.23"),
    "Snipe": ("Pay 1 Hero: your revealed card and another's change places.", "R1.23"),
    "Brace": ("Pay 1 card: the Boss does not hurt you this round.", "R1.23"),
    "Convert": ("An Item does something else than attack: ♠ shield, ♥ heal, ♣ draw, ♦ Coppers.", "R1.34"),
    "Dodge": ("Commit cards that are together worth more than the attack, and it misses.", "R1.43"),
    "Pressure": ("A Boss that was not hurt in a round hurts everybody.", "R1.27"),
    "Escalation": ("At each Refill a Minion comes; when none is left, the Boss grows stronger.", "R1.30"),
    "Refill": ("Everybody draws 2, up to 12 in hand.", "R1.29"),
    "Rally": ("A Killer's bonus: everybody heals 5.", "R1.54"),
    "Surge": ("A Killer's bonus: draw 3.", "R1.54"),
    "Momentum": ("A Killer's bonus: the next Boss has 10 HP less.", "R1.54"),
    "Fading": ("After the game each band loses what one Blessed card bears.", "R1.81"),
    "Drifting": ("After the game the decks change hands, by what people won.", "R1.82"),
    "Turning": ("After the game inscriptions are bought for the band that one holds now.", "R1.83"),
    "Heirloom": ("An inscription of a retired band that its wizard keeps for the next one.", "R1.81"),
    "Label risk": ("Who added a label is hurt for 1 if the Boss outlives the round.", "R1.74"),
}

TERMS: Final = (
    *(Term(name, text, "word", rule) for name, (text, rule) in _CALLED.items()),
    *(
        Term(title(name), f"{effect.effect}.", f"{effect.tier.capitalize()} inscription", f"R1.I{effect.number:02}")
        for name, effect in STANDARD.inscriptions.items()
    ),
    *(
        Term(title(name), f"{label.effect}.", f"{STANDARD.label_tiers[label.tier]} label", f"R1.L{label.number:02}")
        for name, label in STANDARD.labels.items()
    ),
)
