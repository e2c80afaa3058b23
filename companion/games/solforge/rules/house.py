"""House rules: the switches of §4.2 and the health of R4.24, chosen at set-up and stored in the session."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from companion.tabletop.constructed.tracking import DuelRules

START_HEALTH: Final = 120
"""R4.1."""
DECK: Final = 30
"""R4.1: the number of cards in a deck."""
OVERDRAFT_DECK: Final = 60
"""A4.12: the number of cards in a deck from an overdraft."""


class House(DuelRules, frozen=True):
    """The rules in force. Every default is the default ruling."""

    poison_vs_armor: Annotated[
        Literal["reset-first", "reset-last"],
        Meta(description="Whether Armor resets before or after Poison deals damage (A4.1)."),
    ] = "reset-first"
    rank_up_draw: Annotated[
        Literal["after-shuffle", "before-shuffle"],
        Meta(description="Whether the new hand is drawn before or after the Rank Up's shuffle (A4.2)."),
    ] = "after-shuffle"
    bt_armor: Annotated[
        Literal["subtract", "ignore"], Meta(description="Whether Armor reduces Breakthrough damage (A4.3).")
    ] = "subtract"
    rank_gate: Annotated[
        Literal["off", "on"],
        Meta(description="Whether cards with a level above the rank stay in the discard pile (A4.5)."),
    ] = "off"
    tie: Annotated[
        Literal["draw", "sudden-death"],
        Meta(description="What happens if both players' health is equal at 0 or below (A4.7)."),
    ] = "draw"
    format: Annotated[
        Literal["constructed", "draft", "scramble", "overdraft"],
        Meta(description="The format of the decks; those of an overdraft have 60 cards (A4.12)."),
    ] = "constructed"
    start_health: Annotated[int, Meta(description="Health at the start; a higher value is Big Health (R4.24).")] = (
        START_HEALTH
    )

    @property
    def deck(self) -> int:
        """The number of cards in a deck, without those of Solbind."""
        return OVERDRAFT_DECK if self.format == "overdraft" else DECK
