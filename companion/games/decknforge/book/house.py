"""House rules: the levers of §8 (R1.85) and the switches of §1.11, chosen at set-up and stored in the session."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from companion.tabletop.table.house_rules import drawing
from companion.tabletop.tracking import TrackingRules, tracking

FULL_HP: Final = 20
"""R1.4."""


def _describe(text: str, *examples: int) -> Meta:
    return Meta(description=text, examples=[*examples] or None)


class House(TrackingRules, frozen=True):
    """The rules in force. Every default is the default ruling; `rule KEY VALUE` changes one, with `-` for `_`."""

    track: Annotated[
        Literal["all", "fight"],
        tracking(
            "What is tracked: everything, or only the fight. Can be changed during a game (R1.85).",
            "each card that is revealed or paid, hands and decks too",
            "fight",
            "the fight: HP, rounds, Minions, Coppers; cards are left to the table",
            "the fight, no hands, no cards",
        ),
    ] = "all"
    draws: Annotated[Literal["program", "table"], drawing("Bosses, Minions and lots", "R1.11, R1.30")] = "program"

    # The levers of §8

    foil_cost: Annotated[int, _describe("The number of cards that a Foil costs (R1.23).", 1)] = 2
    kill_credit: Annotated[
        Literal["highest", "solo-lethal"],
        _describe("Who kills a Boss: the highest card, or a wizard who alone did enough damage (R1.85)."),
    ] = "highest"
    easy_reward: Annotated[int, _describe("The number of cards you may draw for adding an Easy label (R1.73).", 2)] = 1
    session_copper_cap: Annotated[
        int | None, _describe("The maximum of Coppers you can earn in a game; any more become Glory (A1.45).", 25)
    ] = None
    pressure: Annotated[int, _describe("Damage to everybody in a round in which the Boss lost no HP (R1.27).", 3)] = 2
    comeback: Annotated[
        bool, _describe("The wizard with the least personal Glory draws 1 more card after round 4 (A1.46).")
    ] = False

    # Before the dungeon, and labels

    start_hp: Annotated[
        int, _describe("HP of a wizard at the start of each fight, and the most that healing reaches (R1.4).", 30)
    ] = FULL_HP
    min_inscribed: Annotated[
        Literal["warn", "strict3"],
        _describe("A new band with only 1 or 2 inscribed cards gets a warning, or is refused (A1.2)."),
    ] = "warn"
    ascension_slot: Annotated[
        Literal["extra", "none"], _describe("Whether a card with Ascension has room for a Mythic as well (A1.3).")
    ] = "extra"
    label_gate: Annotated[
        Literal["both", "labeller-only"],
        _describe("Who must have finished a dungeon before a label: you and the Monster's band, or only you (A1.23)."),
    ] = "both"
    minion_labels: Annotated[
        Literal["stat", "none"], _describe("Whether the labels on a Monster work when it comes as a Minion (A1.35).")
    ] = "stat"
    rampage_start: Annotated[
        Literal["1", "0"], _describe("What Rampage adds to ATK in its first round; it adds 1 more each round (A1.34).")
    ] = "1"
    vampiric_per_wizard: Annotated[
        bool, _describe("The label Vampiric heals once for each wizard who was hurt, not just once (A1.31).")
    ] = False
    cursed_choice: Annotated[
        Literal["killer", "random"],
        _describe("Who chooses the inscription that Cursed removes: the Killer, or chance (A1.32)."),
    ] = "killer"

    # Cards in hand

    hand_cap: Annotated[
        Literal["refill-only", "always"],
        _describe("Whether a full hand stops only the Refill, or every draw (A1.9)."),
    ] = "refill-only"
    big_hand_cap: Annotated[
        Literal["12", "starting-hand"],
        _describe(
            "When a hand is full: at 12 cards, or at as many as you started with, 14 with 1 or 5 wizards (A1.9)."
        ),
    ] = "12"
    empty_deck: Annotated[
        Literal["literal", "play-from-hand"],
        _describe("With an empty deck, you play no card in the next round, or still play from your hand (A1.8)."),
    ] = "literal"
    phoenix_return: Annotated[
        Literal["next-dungeon", "next-refill"],
        _describe("When a Phoenix that saved you comes back: in the next dungeon, or at the next Refill (A1.38)."),
    ] = "next-dungeon"

    # Tactics and Convert

    foil_floor: Annotated[
        Literal["total", "sequential"],
        _describe("A Foil leaves at least 1: checked once for the total, or after each Foil (A1.47)."),
    ] = "total"
    convert_timing: Annotated[
        Literal["after-tactics", "at-reveal"],
        _describe("When you declare that a card Converts: after the Tactics, or as soon as it is revealed (A1.6)."),
    ] = "after-tactics"
    convert_value: Annotated[
        Literal["current", "printed"],
        _describe("The value of a Convert: the card's current value, or the number printed on it (A1.6)."),
    ] = "current"
    spike_boosts_convert: Annotated[bool, _describe("Whether a Spike also increases a Convert (A1.60).")] = True
    overheal: Annotated[bool, _describe("Whether healing may lift you above 20 HP (A1.11).")] = False
    shield_duration: Annotated[
        Literal["fight", "round", "dungeon"],
        _describe("How long a shield lasts: this fight, this round, or the whole dungeon (A1.10)."),
    ] = "fight"
    shield_count: Annotated[
        Literal["committed", "converted"],
        _describe("Which of your Spades make a shield: all committed ones, or only Converted ones (A1.10)."),
    ] = "committed"
    shield_mode: Annotated[
        Literal["flat", "pool"],
        _describe("A shield reduces every hit by the same amount, or is used up by the damage it prevents (A1.10)."),
    ] = "flat"

    # Boss and Minions

    kill_value: Annotated[
        Literal["modified", "printed"],
        _describe("Which card value decides who kills the Boss: the modified or the printed one (A1.12)."),
    ] = "modified"
    converted_can_kill: Annotated[
        bool, _describe("Whether a Converted card can count as the highest one and kill the Boss (A1.13).")
    ] = False
    kill_tie: Annotated[
        Literal["seat", "fewest-coppers"],
        _describe(
            "If two cards tie, the earlier wizard in turn order gets the kill, or the one with fewer Coppers (A1.14)."
        ),
    ] = "seat"
    dead_assist: Annotated[
        bool, _describe("Whether wizards at 0 HP get their Copper and their band's Glory when a Boss dies (A1.15).")
    ] = True
    simultaneous: Annotated[
        Literal["loss", "win"],
        _describe(
            "If Thorns kill the Boss while its attack fells you all: the dungeon is lost, or the Boss is killed "
            "(A1.37)."
        ),
    ] = "loss"
    kill_bonus_timing: Annotated[
        Literal["immediate", "after-reset"],
        _describe("Whether Rally and Surge work before or after everybody is healed and refilled (A1.16)."),
    ] = "immediate"
    minion_combat: Annotated[
        Literal["target-in-step4", "untouchable", "overkill-spills"],
        _describe("How Minions are hit: by aiming a card, not at all, or by excess damage when the Boss dies (A1.20)."),
    ] = "target-in-step4"
    minion_coppers: Annotated[
        Literal["atk", "ace1"], _describe("What killing a Minion pays: its written ATK, or always 1 Copper (A1.21).")
    ] = "atk"
    minion_personal_glory: Annotated[
        bool, _describe("Whether killing a Minion gives you personal Glory too (A1.22).")
    ] = False
    minion_enters: Annotated[
        Literal["after-refill", "before-step8"],
        _describe("When a new Minion comes: at the end of the round, or early enough to attack in it (A1.68)."),
    ] = "after-refill"
    rotation_coppers: Annotated[
        Literal["purse", "session"],
        _describe(
            "Which Coppers decide the next active wizard (the fewest): in the purse, or earned in this game (A1.4)."
        ),
    ] = "purse"

    # After the game

    legend_fading: Annotated[
        Literal["killer", "all-wizards"],
        _describe("After a ⭐ Boss, who draws two cards for Fading and chooses: its Killer, or everybody (A1.18)."),
    ] = "killer"
    mythic_source: Annotated[
        Literal["legend-kill+reaper", "reaper-only"],
        _describe("What earns a Mythic: each ⭐ Boss you kill and Reaper's Mark, or only Reaper's Mark (A1.19)."),
    ] = "legend-kill+reaper"
    reaper_any_card: Annotated[
        bool, _describe("Whether the Mythic of a Reaper's Mark may go on any card, not only on Heroes (A1.19).")
    ] = False
    etched: Annotated[
        Literal["blank", "excluded"],
        _describe("Whether Legend Etched is a blank in the draw for Fading, or is left out of it (A1.41)."),
    ] = "blank"
    towers_memory: Annotated[
        Literal["exchange", "off"],
        _describe("Whether Tower's Memory may take its card along to your next band (A1.42)."),
    ] = "exchange"
    retire_draft: Annotated[
        Literal["sit-out", "new-band-joins"],
        _describe("After a band retires, whether its wizard keeps their next band, or it joins the draft (A1.43)."),
    ] = "sit-out"
