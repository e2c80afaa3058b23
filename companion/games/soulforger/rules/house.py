"""The house rules of Soul-Forger: the options in its rulings, chosen at set-up and kept in the session."""

from typing import Annotated, Literal

from msgspec import Meta

from companion.tabletop.constructed.tracking import DuelRules


class House(DuelRules, frozen=True):
    """The house rules in force. Each default is the default ruling; `rule KEY VALUE` changes one, with `-` for `_`."""

    ready_up: Annotated[
        Literal["start"],
        Meta(description="When your Off-guard cards turn On-guard: at the start of your Ready Phase (A2.1)."),
    ] = "start"
    xp_only_side_quest: Annotated[
        bool, Meta(description="Whether a Side Quest without a card may level up by XP alone (A2.2).")
    ] = False
    end_level_ups: Annotated[
        Literal["repeat", "once"], Meta(description="How often you can buy a level with XP in one End Phase (A2.3).")
    ] = "repeat"
    xp_on_block: Annotated[
        bool, Meta(description="Whether a weapon also earns XP for creatures that it destroys while defending (A2.4).")
    ] = False
    deck_out: Annotated[
        Literal["empty-only", "any-missed-draw"],
        Meta(description="What costs 5 damage: a turn that starts with an empty deck, or any missed draw (A2.6)."),
    ] = "empty-only"
    action_zones: Annotated[
        int | None, Meta(description="Maximum number of Actions that a player can have in zones (A2.9).")
    ] = None
