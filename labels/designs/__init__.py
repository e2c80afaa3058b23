"""The designs: every label that can be printed, each a small frozen value.

A design is looks only: what the words are comes in, where it goes is the sheet's affair.
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
