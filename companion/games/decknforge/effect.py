"""What inscriptions and Monster labels share: a permanent name and number, and what they do in a few words."""

from __future__ import annotations

from typing import ClassVar


class Effect:
    """One effect, the whole of which stands in its class; the docstring is what it does, with its rule's number.

    `name` is how notation and records write it, `number` how passports do. Both are for ever: what is stored means
    what it meant, whatever is added, moved or renamed around it. A number that was given once is never given again.
    """

    name: ClassVar[str]
    number: ClassVar[int]

    @property
    def effect(self) -> str:
        """What it does, for the screen, where rule numbers would only be in the way."""
        return (type(self).__doc__ or "").splitlines()[0].partition(" (R1.")[0]
