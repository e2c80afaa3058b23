"""The designs: every label that can be printed, each a small frozen value.

A design holds the look of a label. Its words are passed in, and the sheet decides its position.
"""

from labels.designs.boxes import BoxLabel, CountLabel, has_room
from labels.designs.cards import EffectLabel, FiguresLabel, HeadedLabel
from labels.designs.plain import Blank, Plain, StripLabel
from labels.layout import Tier

__all__ = [
    "Blank",
    "BoxLabel",
    "CountLabel",
    "EffectLabel",
    "FiguresLabel",
    "HeadedLabel",
    "Plain",
    "StripLabel",
    "Tier",
    "has_room",
]
