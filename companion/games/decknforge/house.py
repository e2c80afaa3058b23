"""House rules: the levers of §8 (R1.85) and the switches of §1.11, chosen at set-up and kept in the session."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args, get_type_hints

import msgspec

from companion.games.action import RuleError


class House(msgspec.Struct, frozen=True):
    """The rules in force. Every default is the default ruling; `rule KEY VALUE` changes one, with `-` for `_`."""

    foil_cost: int = 2
    """Cards a Foil costs (R1.23)."""
    kill_credit: Literal["highest", "solo-lethal"] = "highest"
    """`solo-lethal`: who alone would have killed takes the kill (R1.85)."""
    easy_reward: int = 1
    """Cards drawn for an Easy label (R1.73)."""
    session_copper_cap: int | None = None
    """Coppers of one dungeon above this become Glory (A1.45)."""
    pressure: int = 2
    """Damage of Pressure (R1.27)."""
    comeback: bool = False
    """Lowest personal Glory draws 1 more after fight round 4 (A1.46)."""
    kill_bonus_timing: Literal["immediate", "after-reset"] = "immediate"
    """When Rally and Surge take effect (A1.16)."""
    empty_deck: Literal["literal", "play-from-hand"] = "literal"
    """Whether an empty deck alone skips the Plot, or only with an empty hand (A1.8)."""
    hand_cap: Literal["refill-only", "always"] = "refill-only"
    """Whether 12 limits refills only, or every draw (A1.9)."""
    kill_value: Literal["modified", "printed"] = "modified"
    """Which face value decides the Killer (A1.12)."""
    shield_duration: Literal["fight", "round", "dungeon"] = "fight"
    """How long a shield lasts (A1.10)."""
    shield_count: Literal["committed", "converted"] = "committed"
    """Which Spades a shield counts (A1.10)."""
    rotation_coppers: Literal["purse", "session"] = "purse"
    """Which Coppers pass on the active role (A1.4)."""
    legend_fading: Literal["killer", "all-wizards"] = "killer"
    """Whose Fading draws two after a Legend's death (A1.18)."""
    mythic_source: Literal["legend-kill+reaper", "reaper-only"] = "legend-kill+reaper"
    """What earns a Mythic (A1.19)."""
    label_gate: Literal["both", "labeller-only"] = "both"
    """Whose band must have completed a dungeon before a label (A1.23)."""
    min_inscribed: Literal["warn", "strict3"] = "warn"
    """What 1 or 2 inscribed cards of a new band are (A1.2)."""
    minion_labels: Literal["stat", "none"] = "stat"
    """Whether labels work on Minions (A1.35)."""

    def changed(self) -> tuple[tuple[str, str], ...]:
        """The rules that differ from the book, as `rule` writes them."""
        pairs = ((field.name, getattr(self, field.name), field.default) for field in msgspec.structs.fields(self))
        return tuple((_key(name), _word(value)) for name, value, default in pairs if value != default)

    def agreed(self, key: str, word: str) -> House:
        """These rules with one changed. Raises RuleError naming the known keys or values."""
        name = next((name for name in _HINTS if _plain(name) == _plain(key)), None)
        if name is None:
            raise RuleError(f"There is no house rule “{key}”; known are: {', '.join(map(_key, _HINTS))}.")
        return msgspec.structs.replace(self, **{name: _read(_key(name), _HINTS[name], word)})


_HINTS: Final = get_type_hints(House)


def _plain(word: str) -> str:
    """`afterReset`, `after-reset` and `after_reset` are the same word."""
    return word.lower().replace("-", "").replace("_", "")


def _key(name: str) -> str:
    return name.replace("_", "-")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _read(key: str, hint: Any, word: str) -> Any:
    """The value that a word stands for, by the type of the rule."""
    if hint is bool:
        if word.lower() in ("yes", "true", "on"):
            return True
        if word.lower() in ("no", "false", "off"):
            return False
        raise RuleError(f"The rule {key} is yes or no; “{word}” is neither.")
    if choices := [choice for choice in get_args(hint) if isinstance(choice, str)]:
        for choice in choices:
            if _plain(choice) == _plain(word):
                return choice
        raise RuleError(f"The rule {key} takes {' or '.join(choices)}, not “{word}”.")
    if word.lower() == "none" and hint is not int:
        return None
    if word.isascii() and word.isdecimal():
        return int(word)
    raise RuleError(f"The rule {key} takes a whole number, not “{word}”.")
