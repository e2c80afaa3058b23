"""House rules: the switches of §3.2, chosen at set-up and kept in the session."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from companion.tabletop.constructed.tracking import DuelRules

STARTING_LIFE: Final = 137
"""R3.1."""


class House(DuelRules, frozen=True):
    """The rules in force. Every default is the default ruling; `rule KEY VALUE` changes one, with `-` for `_`."""

    second_player_draws_turn1: Annotated[
        bool, Meta(description="Whether players who do not begin draw in their own first turn (A3.1).")
    ] = True
    summoning_sickness: Annotated[
        bool, Meta(description="Whether a creature cannot attack in the turn in which it came into play (A3.1).")
    ] = False
    uncrank: Annotated[
        Literal["own", "all"],
        Meta(description="Whose permanents the Reset uncranks: the turn player's, or everybody's (A3.2)."),
    ] = "own"
    crank_before_reset: Annotated[
        bool, Meta(description="Whether permanents that the Reset will uncrank may be cranked just before it (A3.2).")
    ] = True
    max_hand: Annotated[
        int, Meta(description="Maximum number of cards in your hand at the end of your turn (A3.4).")
    ] = 7
    deck_out: Annotated[
        Literal["nothing", "lose"], Meta(description="What happens when a player draws from an empty archive (A3.6).")
    ] = "nothing"
    unlimited_engines: Annotated[
        bool, Meta(description="Whether an archive may hold any number of copies of an Engine (A3.8).")
    ] = False
    blockers: Annotated[
        Literal["any", "attacked"],
        Meta(description="Who may block: any opponent of the attacker, or only the attacked player (A3.15)."),
    ] = "any"
    start_life: Annotated[int, Meta(description="Life at the start (R3.1).")] = STARTING_LIFE
