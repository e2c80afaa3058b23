"""Labels without a game's words: texts of one's own, and blanks to write on."""

import msgspec

from labels import layout, style
from labels.geometry import Box
from labels.ink import Ink, line
from labels.layout import Tier


class Plain(msgspec.Struct, frozen=True):
    """A label with a title and, where there is one, a text below it."""

    title: str
    text: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe(ink, die) as safe:
            room = layout.heading(ink, safe, self.title, "")
            if self.text:
                layout.effect(ink, room, self.title, self.text)


class Blank(msgspec.Struct, frozen=True):
    """A label to write on: lines, and for a tier its stripe, its mark and its word."""

    tier: Tier | None = None

    @property
    def title(self) -> str:
        return f"Blank {self.tier.title}" if self.tier else "Blank"

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe(ink, die) as room:
            self._rule(ink, self._stripe(ink, room, self.tier) if self.tier else room)

    def _stripe(self, ink: Ink, safe: Box, tier: Tier) -> Box:
        mark, word = layout.told(tier, self.title)
        wide = layout.is_wide(safe)
        stripe, rest = safe.cut_left(style.STRIPE, style.GAP) if wide else safe.cut_top(style.STRIPE, 1.0)
        ink.fill(stripe, tier.colour, style.CORNER)
        layout.index(ink, stripe, (), mark)
        tag = Box(rest.x, rest.top - style.TAG, rest.width, style.TAG)
        ink.text(tag.x, layout.middle(tag, style.TAG), word, "bold", style.TAG, tier.colour)
        return rest

    def _rule(self, ink: Ink, room: Box) -> None:
        """Lines as far apart as a pen needs, the lowest at the foot."""
        count = max(1, int((room.height - 2) / style.WRITING))
        heights = (room.y + style.HAIR + number * style.WRITING for number in range(count))
        ink.outline([line(room.x, y, room.right, y) for y in heights], style.RULE, style.HAIR)
