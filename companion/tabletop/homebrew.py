"""The texts by which users add to a game: a homebrew of a program's game, or the page of a described game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from templates.languages.messages import Text


class GameHomebrew:
    """The homebrew of one edition of a game. This class is for games without one."""

    @property
    def permanent_numbers(self) -> Mapping[str, str]:
        """The permanent meanings of the numbers in its text: `{"Number 7": "Moon Blade"}`."""
        return {}

    def changes_since(self, earlier: GameHomebrew) -> tuple[Text, ...]:  # noqa: ARG002 – used by overrides
        """Return the changes of its text since an earlier edition, in sentences."""
        return ()

    @property
    def doubts(self) -> Sequence[tuple[str, Text]]:
        """Keys of its text that can be played but are probably mistakes, each with a sentence."""
        return ()

    @property
    def label_texts(self) -> Mapping[str, str]:
        """The keys that define the texts of labels, by the titles of the labels."""
        return {}
