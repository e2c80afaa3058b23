"""House rules: the levers of §8 (R1.85) and the switches of §1.11, chosen at set-up and kept in the session."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.house import HouseRules


class House(HouseRules, frozen=True):
    """The rules in force. Every default is the default ruling; `rule KEY VALUE` changes one, with `-` for `_`."""

    foil_cost: Annotated[int, Meta(description="Cards a Foil costs (R1.23).")] = 2
    kill_credit: Annotated[
        Literal["highest", "solo-lethal"],
        Meta(description="`solo-lethal`: who alone would have killed takes the kill (R1.85)."),
    ] = "highest"
    easy_reward: Annotated[int, Meta(description="Cards drawn for an Easy label (R1.73).")] = 1
    session_copper_cap: Annotated[
        int | None, Meta(description="Coppers of one dungeon above this become Glory (A1.45).")
    ] = None
    pressure: Annotated[int, Meta(description="Damage of Pressure (R1.27).")] = 2
    comeback: Annotated[bool, Meta(description="Lowest personal Glory draws 1 more after fight round 4 (A1.46).")] = (
        False
    )
    kill_bonus_timing: Annotated[
        Literal["immediate", "after-reset"], Meta(description="When Rally and Surge take effect (A1.16).")
    ] = "immediate"
    empty_deck: Annotated[
        Literal["literal", "play-from-hand"],
        Meta(description="Whether an empty deck alone skips the Plot, or only with an empty hand (A1.8)."),
    ] = "literal"
    hand_cap: Annotated[
        Literal["refill-only", "always"], Meta(description="Whether 12 limits refills only, or every draw (A1.9).")
    ] = "refill-only"
    kill_value: Annotated[
        Literal["modified", "printed"], Meta(description="Which face value decides the Killer (A1.12).")
    ] = "modified"
    shield_duration: Annotated[
        Literal["fight", "round", "dungeon"], Meta(description="How long a shield lasts (A1.10).")
    ] = "fight"
    shield_count: Annotated[
        Literal["committed", "converted"], Meta(description="Which Spades a shield counts (A1.10).")
    ] = "committed"
    rotation_coppers: Annotated[
        Literal["purse", "session"], Meta(description="Which Coppers pass on the active role (A1.4).")
    ] = "purse"
    legend_fading: Annotated[
        Literal["killer", "all-wizards"], Meta(description="Whose Fading draws two after a Legend's death (A1.18).")
    ] = "killer"
    mythic_source: Annotated[
        Literal["legend-kill+reaper", "reaper-only"], Meta(description="What earns a Mythic (A1.19).")
    ] = "legend-kill+reaper"
    label_gate: Annotated[
        Literal["both", "labeller-only"],
        Meta(description="Whose band must have completed a dungeon before a label (A1.23)."),
    ] = "both"
    min_inscribed: Annotated[
        Literal["warn", "strict3"], Meta(description="What 1 or 2 inscribed cards of a new band are (A1.2).")
    ] = "warn"
    minion_labels: Annotated[Literal["stat", "none"], Meta(description="Whether labels work on Minions (A1.35).")] = (
        "stat"
    )
