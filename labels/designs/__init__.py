"""The designs: every label that can be printed, each a small frozen value.

A design is looks only: what the words are comes in, where it goes is the sheet's affair.
"""

from labels.designs.boxes import BoxLabel, GloryLabel
from labels.designs.cards import Creature, Inscription, MonsterLabel
from labels.designs.layout import Tier
from labels.designs.plain import Blank, Plain

__all__ = ["Blank", "BoxLabel", "Creature", "GloryLabel", "Inscription", "MonsterLabel", "Plain", "Tier"]
