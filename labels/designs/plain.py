"""Labels without a game's words: texts of one's own, and blanks to write on."""

import msgspec

from labels import layout, style
from labels.geometry import Box
from labels.ink import Ink, line
from labels.layout import Heading, Tier


class Plain(msgspec.Struct, frozen=True):
    """A label with a title and, where there is one, a text below it in at most `size` points."""

    title: str
    text: str = ""
    size: float = style.EFFECT

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe(ink, die) as safe:
            if not self.text:
                layout.name(ink, safe, self.title)
                return

            def heading(size: float) -> Heading:
                return layout.heading(safe, self.title, size=size)

            layout.effect(ink, self.title, self.text, self.size, heading, centred=not layout.is_wide(safe))


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
        rest = layout.striped(ink, safe, (), tier, self.title)
        if layout.is_wide(safe):
            word = layout.told(tier, self.title)[1]
            size = layout.within(word, f"The tier of “{self.title}”", rest.width, style.TAG)
            tag = Box(rest.x, rest.top - size, rest.width, size)
            ink.text(tag.x, layout.middle(tag, size), word, "bold", size, tier.colour)
        return rest

    def _rule(self, ink: Ink, room: Box) -> None:
        """Lines as far apart as a pen needs, the lowest at the foot."""
        count = max(1, int((room.height - 2) / style.WRITING))
        heights = (room.y + style.HAIR + number * style.WRITING for number in range(count))
        ink.outline([line(room.x, y, room.right, y) for y in heights], style.RULE, style.HAIR)
