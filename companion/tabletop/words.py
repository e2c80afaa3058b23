"""Titles of the words of notation that screens show as they are: `yes`, `none`, `active`, `out`.

The words themselves are codes: they are typed, stored and compared, and are the same in all languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from templates.languages.messages import Message, Text, all_of, any_of, phrase_in

# Translators: The messages from here on are single words that are shown as the value of a figure, as a mark beside a
# player or a card, or as an answer.
_TITLES: Final[Mapping[str, Message]] = {
    "yes": phrase_in("word", "yes"),
    "no": phrase_in("word", "no"),
    "none": phrase_in("word", "none"),
    "gone": phrase_in("word", "gone"),
    "on": phrase_in("word", "on"),
    "off": phrase_in("word", "off"),
    "all": phrase_in("word", "all"),
    "table": phrase_in("word", "table"),
    "program": phrase_in("word", "program"),
    "figures": phrase_in("word", "figures"),
    "heads": phrase_in("coin", "heads"),
    "tails": phrase_in("coin", "tails"),
    "win": phrase_in("outcome", "win"),
    "loss": phrase_in("outcome", "loss"),
    "draw": phrase_in("outcome", "draw"),
    "active": phrase_in("player", "active"),
    "out": phrase_in("player", "out"),
    "setup": phrase_in("step", "setup"),
}


def join_with_or(texts: Iterable[object]) -> Message:
    """Return texts of which one counts, with “or” between all of them: `wolf or bear or fox`."""
    joined_texts: object = None
    for text in texts:
        joined_texts = text if joined_texts is None else any_of((joined_texts, text))
    return any_of(() if joined_texts is None else (joined_texts,))


def join_with_and(texts: Iterable[object]) -> Message:
    """Return texts that count together, with “and” between all of them: `wolf and bear and fox`."""
    joined_texts: object = None
    for text in texts:
        joined_texts = text if joined_texts is None else all_of((joined_texts, text))
    return all_of(() if joined_texts is None else (joined_texts,))


def title_of_word(word: Text) -> Text:
    """Return what screens show for a word of notation; any other text is returned unchanged.

    Only fronts and messages use it: a word that is typed, stored or compared stays as it is.
    """
    return _TITLES.get(word, word) if isinstance(word, str) else word
