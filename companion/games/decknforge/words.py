"""What can be looked up of DecknForge besides the words among its data: its inscriptions and its labels.

Separate from the effects, which know what they do, and not in which list they stand.
"""

from __future__ import annotations

from typing import Final

from companion.games.decknforge.names import title
from companion.games.decknforge.standard import STANDARD
from companion.games.terms import Term

TERMS: Final = (
    *(
        Term(title(name), f"{effect.effect}.", f"{effect.tier.capitalize()} inscription", f"R1.I{effect.number:02}")
        for name, effect in STANDARD.inscriptions.items()
    ),
    *(
        Term(title(name), f"{label.effect}.", f"{STANDARD.label_tiers[label.tier]} label", f"R1.L{label.number:02}")
        for name, label in STANDARD.labels.items()
    ),
)
