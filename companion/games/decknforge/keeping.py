"""Bands on a shelf: DecknForge's answers to what any kept deck is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.games.action import RuleError
from companion.games.decknforge import audit, band_spots, names, passport
from companion.games.decknforge import marks as m
from companion.games.decknforge.record import record
from companion.games.decknforge.state import listed
from companion.games.keeping import Keeping
from companion.games.reasons import Said
from companion.games.records import Chore, Corrected, Mark, check_correctable
from companion.games.spots import Spots


class BandKeeping(Keeping):
    """See `companion.games.keeping.Keeping`."""

    example = "7S sharp: yes"

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """What is to be stuck, written, crossed out and handed over."""
        return band_spots.paper_state(marks).due

    def chore_text(self, spot: str, value: str, mark: Mark) -> str:
        """`Stick Sharp on 7♠`"""
        return band_spots.PAPER.text(spot, value, mark)

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """The box, its Monsters, then its cards."""
        return audit.sheet(marks)

    def question(self, spot: str, text: str) -> str:
        """`7♠: Sharp?`"""
        return audit.question(spot, text)

    def read_spot(self, text: str) -> str:
        """`7s Sharp` → `7S sharp`"""
        return audit.read_spot(text)

    def mended(self, marks: Sequence[Mark], seen: Spots, reason: Said, by: str = "") -> tuple[Mark, ...]:
        """Mismatches become corrections."""
        return audit.mended(marks, seen, reason, by)

    def corrected(self, marks: Sequence[Mark], of: int, reason: Said, by: str = "") -> Corrected:
        """Any mark but the first; that one is told otherwise by a new name or by looking through the box."""
        check_correctable(marks, of)
        why = reason.strip() if isinstance(reason, str) else reason
        if not why:
            raise RuleError("A correction needs a reason, for those who read the story later.")
        correction = m.BandCorrected(of, why, by)
        after = record([*marks, correction]) if of > 1 else None
        if after is None or not after.name:
            raise RuleError(
                "A band's beginning cannot be taken back; rename the band, look through its box, or retire it."
            )
        return correction

    def renamed(self, marks: Sequence[Mark], name: str, reason: Said, by: str = "") -> Mark:
        """The beginning, told with another name (V1.15)."""
        return audit.renamed(marks, name, reason, by)

    def retired(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """R1.81, or because its people let it rest; an heirloom must be of its history (A1.64)."""
        band = record(marks)
        if band.retired:
            raise RuleError(f"{band.name} has retired already.")
        left = names.inscription(heirloom) if heirloom else ""
        if left and left not in band.history:
            borne = listed(dict.fromkeys(band.history)) or "nothing"
            raise RuleError(f"{band.name} never bore {left}; its heirloom is one of {borne} (A1.64).")
        return m.Retired(left, by)

    def packed(self, marks: Sequence[Mark]) -> Iterator[Any]:
        """For a passport."""
        return passport.packed(marks)

    def unpacked(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """From a passport."""
        return passport.unpacked(content, story, length, by)


KEEPING: Final = BandKeeping()
