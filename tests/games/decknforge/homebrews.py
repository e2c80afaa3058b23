"""Homebrews for tests: twins of what is printed, a small one, and how to write one."""

from __future__ import annotations

import re
from typing import Final

from companion.games import registry
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
from companion.games.decknforge.book.labels import LABELS
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.game import DecknForge
from companion.games.described import load

HEAD: Final = 'homebrew = "decknforge"\nname = "moonlit"\ntitle = "Moonlit"\nby = "Ana"\n'

MOONLIT: Final = f"""{HEAD}
[[inscriptions]]
number = 1
name = "Moon Blade"
tier = "uncommon"
price = 12
face = 1
does = [{{ when = "revealed", coppers = 1 }}]

[[inscriptions]]
number = 2
name = "Silver Bell"
text = "In step 3 everybody hums."
remind = [{{ at = "tactics", text = "Everybody hums." }}]

[[labels]]
number = 1
name = "Foggy"
tier = "medium"
bar = 1
"""

INSCRIPTION_TWINS: Final = {
    "sharp": "face = 1",
    "sturdy": 'does = [{ when = "dodges", draw = 1 }]',
    "quick": 'does = [{ when = "hits", draw = 1 }]',
    "bright": 'does = [{ when = "revealed", whom = "left", draw = 1 }]',
    "echo": "convert-factor = 2",
    "banner": 'does = [{ when = "revealed", face = 1 }]',
    "blood-money": "kill-coppers = 3",
    "vampiric": 'does = [{ when = "hits", heal = 2 }]',
    "thorns": "thorns = 1",
    "ascension": "hero = true",
    "doublestrike": 'does = [{ when = "revealed", reveals = 1 }]',
    "phoenix": "rescues = true",
    "wizards-will": "swaps = true",
    "reapers-mark": "legend-mythics = 1",
    "slippery": "surcharge = 1",
    "hunters-edge": "damage = [{ more = 1, per-lost = 10 }]",
    "pierce": "pierces = true",
    "mercenary-pact": "pact = 2",
    "wildcard": "any-suit = true",
    "royal-decree": "hand-face = 1",
    "legend-etched": "fades = false",
    "towers-memory": "drifts = true",
    "untouchable": "untouchable = true",
}
"""What printed inscriptions are in a homebrew's words; all but Glint, which has a limit, and The Patron, who asks."""

LABEL_TWINS: Final = {
    "swift": 'atk = [{ more = 1, rounds = "first" }]',
    "sneaky": 'no-foil = "first"',
    "greedy": "kill-coppers = -1",
    "stinky": "dodge = -1",
    "twitchy": "bar = 1",
    "tough": "per-card = 1",
    "cunning": "snipe-extra = 1",
    "hungry": 'heals = [{ hp = 3, per = "downed" }]',
    "vicious": "atk = [{ more = 1 }]",
    "resilient": "absorbs = 5",
    "doom": "wipes-after = 5",
    "cursed": "curses = true",
    "hexproof": "cost-factor = 2",
    "rampage": 'atk = [{ more = 1, rounds = "growing" }]',
}
"""The same of the labels; all but Vampiric, which heals as much as its ATK is."""


def twins() -> str:
    """A homebrew that says again what is printed, each as `twin-NAME`."""
    parts = [HEAD]
    for name, figures in INSCRIPTION_TWINS.items():
        one = INSCRIPTIONS[name]
        parts.append(f'[[inscriptions]]\nnumber = {one.number}\nname = "Twin {name}"\ntier = "{one.tier}"\n{figures}\n')
    for name, figures in LABEL_TWINS.items():
        label = LABELS[name]
        tier = STANDARD.label_tiers[label.tier].lower()
        minions = f"on-minions = {str(label.on_minions).lower()}"
        parts.append(
            f'[[labels]]\nnumber = {label.number}\nname = "Twin {name}"\ntier = "{tier}"\n{minions}\n{figures}\n'
        )
    return "\n".join(parts)


def with_twins(table: str) -> str:
    """A `.table` file in which every inscription and label is its twin."""
    names = "|".join(sorted({*INSCRIPTION_TWINS, *LABEL_TWINS}, key=len, reverse=True))
    lines = re.sub(rf"(?<![\w\"-])({names})(?![\w-])", r"twin-\1", table)
    return re.sub(r"^table decknforge", "table moonlit", lines, flags=re.MULTILINE)


def brewed(text: str) -> DecknForge:
    """The game with a homebrew."""
    game = registry.from_text(text)
    assert isinstance(game, DecknForge)
    return game


def forget() -> None:
    """From now on this process has seen no homebrew yet."""
    gone = {digest for digest, text in load._TEXTS.items() if load.base_of(text)}
    for digest in gone:
        del load._TEXTS[digest]
    registry._BREWED.clear()
    registry._SOUND.clear()
