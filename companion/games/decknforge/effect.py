"""What inscriptions and Monster labels share: a name in the notation, and what they do in a few words."""

from __future__ import annotations

from companion.games.game import kebab


class Effect:
    """One effect, the whole of which stands in its class; the docstring is what it does, with its rule's number."""

    @property
    def name(self) -> str:
        """As notation writes it: `HuntersEdge` is `hunters-edge`."""
        return kebab(type(self).__name__)

    @property
    def effect(self) -> str:
        """What it does, for the screen, where rule numbers would only be in the way."""
        return (type(self).__doc__ or "").splitlines()[0].partition(" (R1.")[0]
