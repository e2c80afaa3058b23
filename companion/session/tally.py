"""Several presses that mean one change: `−` seven times, or `−` and a 7, within a moment, are one “−7”."""

from __future__ import annotations

_LONGEST = 4


class Tally:
    """A change of a counter that is still being keyed in. Nothing of it holds before it is entered."""

    def __init__(self, target: str, counter: str) -> None:
        self.target = target
        self.counter = counter
        self._presses = 0
        self._digits = ""
        self._sign = 1

    def press(self, sign: int) -> None:
        """One more `+` (1) or `−` (−1); after digits it begins anew with that sign."""
        self._presses = sign if self._digits else self._presses + sign
        self._digits = ""
        self._sign = sign

    def digit(self, digit: str) -> None:
        """A digit of the number that the last sign belongs to."""
        self._digits = (self._digits + digit)[:_LONGEST]

    @property
    def amount(self) -> int:
        """The change so far."""
        return self._sign * int(self._digits) if self._digits else self._presses
