"""Several presses that mean one change: `−` seven times, or `−` and a 7, within a moment, are one “−7”."""

from __future__ import annotations


class Tally:
    """A change of a counter that is still being keyed in. Nothing of it holds before it is entered.

    `number` is what was typed behind the last sign, None as long as nothing was.
    """

    def __init__(self, target: str, counter: str) -> None:
        self.target = target
        self.counter = counter
        self.number: int | None = None
        self._presses = 0
        self._sign = 1

    def press(self, sign: int) -> None:
        """One more `+` (1) or `−` (−1)."""
        self._presses += sign
        self._sign = sign

    @property
    def amount(self) -> int:
        """The change so far."""
        return self._presses if self.number is None else self._sign * self.number
