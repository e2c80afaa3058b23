"""Labels that go on cards: inscriptions, labels for Monsters, and the creatures that Monsters are."""

import msgspec

from labels import fonts
from labels.designs import layout, style
from labels.designs.layout import Tier
from labels.geometry import Box
from labels.ink import BLACK, WHITE, Ink
from labels.text import fit


class _Effect(msgspec.Struct, frozen=True):
    """A label that says what an effect does; `card`, where it is given, says which card it goes on: `7♠`."""

    title: str
    effect: str
    tier: Tier
    card: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe(ink, die) as room:
            self._print(ink, room)

    def _print(self, ink: Ink, safe: Box) -> None:
        raise NotImplementedError


class Inscription(_Effect, frozen=True):
    """A label that goes on a player's card: a band with the tier's mark, the name, and what it does."""

    def _print(self, ink: Ink, safe: Box) -> None:
        wide = layout.is_wide(safe)
        mark, word = layout.told(self.tier, self.title)
        corner = layout.corner(self.card, f"The card of “{self.title}”")
        band, rest = safe.cut_left(style.BAND, style.GAP) if wide else safe.cut_top(style.BAND, 1.0)
        ink.fill(band, self.tier.colour, style.CORNER)
        if wide:
            layout.index(ink, band, corner, mark)
        else:
            layout.centred(ink, band, f"{''.join(corner)} {mark}".strip(), style.NAME, WHITE)
        room = layout.heading(ink, rest, self.title, word if wide else "", self.tier.colour)
        layout.effect(ink, room, self.title, self.effect)


class MonsterLabel(_Effect, frozen=True):
    """A label that goes on a Boss or Minion: its name in white on the tier's colour, its marks, and what it does."""

    def _print(self, ink: Ink, safe: Box) -> None:
        head, room = safe.cut_top(style.HEAD)
        ink.fill(head, self.tier.colour, style.CORNER)
        inner = Box(head.x + style.GAP, head.y, head.width - 2 * style.GAP, head.height)
        space = inner.width - self._marks(ink, inner, wide=layout.is_wide(safe)) - style.GAP
        what = f"The name of “{self.title}”"
        title = fit(self.title, what, space, head.height, style.TITLE, weight="bold", prefer="one line")
        layout.in_band(ink, head, inner.x, title)
        layout.effect(ink, room.cut_left(style.GAP)[1], self.title, self.effect)

    def _marks(self, ink: Ink, head: Box, *, wide: bool) -> float:
        """The card, the tier's word and its marks at the right end of the head; gives how wide they are."""
        mark, word = layout.told(self.tier, self.title)
        card = layout.printable(self.card, f"The card of “{self.title}”")
        small = " · ".join(part for part in (card, word if wide else "") if part)
        marks = fonts.measure(mark, "bold", style.NOTE)
        ink.text(head.right - marks, layout.middle(head, style.NOTE), mark, "bold", style.NOTE, WHITE)
        if not small:
            return marks
        width = fonts.measure(small, "bold", style.TAG)
        ink.text(head.right - marks - 2 - width, layout.middle(head, style.TAG), small, "bold", style.TAG, WHITE)
        return marks + 2 + width


class Creature(msgspec.Struct, frozen=True):
    """A label that makes a card a Monster: its name, HP and ATK, ★ for a Legend, and whose band it is of."""

    title: str
    hp: int
    atk: int
    legend: bool = False
    card: str = ""
    band: str = ""

    def draw(self, ink: Ink, die: Box) -> None:
        with layout.safe(ink, die) as room:
            self._print(ink, room)

    def _print(self, ink: Ink, safe: Box) -> None:
        wide = layout.is_wide(safe)
        corner = layout.corner(self.card, f"The card of “{self.title}”")
        star = "★" if self.legend else ""
        band, rest = safe.cut_left(style.BAND, style.GAP) if wide else safe.cut_top(style.BAND, 1.0)
        ink.fill(band, style.INK, style.CORNER)
        if wide:
            layout.index(ink, band, corner, star)
        else:
            layout.centred(ink, band, f"{''.join(corner)} {star}".strip(), style.NAME, WHITE)
        tag = "★ LEGEND" if self.legend and wide else ""
        beside = rest.width >= style.BESIDE
        keep = style.FIGURES if beside or not self.band else 2 * style.FIGURES
        room = layout.heading(ink, rest, self.title, tag, style.INK, keep)
        self._figures(ink, room, beside=beside)

    def _figures(self, ink: Ink, room: Box, *, beside: bool) -> None:
        """HP and ATK on one line, large, and the band's name beside or below them."""
        line = room if beside or not self.band else room.cut_top(room.height * 0.6)[0]
        size = min(style.FIGURE, (line.height - 1) / style.CAPITALS)
        x = room.x
        for tag, figure in (("HP", self.hp), ("ATK", self.atk)):
            ink.text(x, line.y + 0.5, tag, "bold", style.TAG, style.SOFT)
            x += fonts.measure(tag, "bold", style.TAG) + 1.5
            ink.text(x, line.y + 0.5, str(figure), "bold", size, BLACK)
            x += fonts.measure(str(figure), "bold", size) + 5
        if self.band:
            right = Box(x + 1, room.y, room.right - x - 1, room.height)
            self._whose(ink, right if beside else Box(room.x, room.y, room.width, line.y - room.y - 1), flush=beside)

    def _whose(self, ink: Ink, room: Box, *, flush: bool) -> None:
        setting = fit(self.band, f"The band of “{self.title}”", room.width, room.height, style.NOTE - 0.5)
        ends = [fonts.measure(line, "regular", setting.size) for line in setting.lines]
        x = room.right - max(ends) if flush else room.x
        ink.lines(x, room.y + setting.height, setting, style.SOFT)
