"""The designs: every label that can be printed, each a small frozen value.

A design holds the look of a label. Its words are passed in, and the sheet decides its position.
"""

from labels.designs.boxes import BoxLabel, CountLabel, has_room
from labels.designs.cards import EffectLabel, FiguresLabel, HeadedLabel
from labels.designs.plain import BlankLabel, Plain, StripLabel
from labels.layout import TierMark

__all__ = [
    "BlankLabel",
    "BoxLabel",
    "CountLabel",
    "EffectLabel",
    "FiguresLabel",
    "HeadedLabel",
    "Plain",
    "StripLabel",
    "TierMark",
    "has_room",
]
