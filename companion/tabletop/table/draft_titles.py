"""Titles of answers for people who tap: the verb and what it is done to, without any word that only a line needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from companion.tabletop.notation.arguments import SUIT, TEXT
from companion.tabletop.notation.cards import GLYPHS, PACK, Card, card_title
from companion.tabletop.notation.line_texts import VerbTitle
from companion.tabletop.notation.notation import Argument, grammar
from companion.tabletop.table.table import Draft
from companion.tabletop.words import title_of_word
from templates.languages.messages import Text, joined, parts_of, phrase

_TO: Final = " → "
"""The mark between what acts and its target, where each language would have a word of its own."""


def title_draft(draft: Draft, names: Mapping[str, str], seat: str = "") -> Text:
    """Return what an answer is called on a button: `Fade 9♠`, `Attack Bear → Ana`.

    A title of its own comes first. Keywords, flags and codes are left out, and so is the `seat` of the question; a note
    explains what a flag means. `names` are those of seats and things, by notation.
    """
    if draft.title:
        return draft.title
    verb, values = VerbTitle(draft.action.verb()), tuple(_title_values(draft, names, seat))
    if not values:
        return verb
    # Translators: A button: an action, and the cards, things or players that it is about: “Fade 9♠”, “Foil Ben”. The
    # actions are words of any form, so a colon may be right: “Verblassen: 9♠”.
    return phrase("{action} {what}", action=verb, what=joined(_TO, values))


def gives_only_flags(draft: Draft, seat: str = "") -> bool:
    """Return True if an answer gives nothing but flags, so that its note alone tells what it does."""
    return bool(draft.note) and not draft.missing and _is_bare(draft, seat) and any(_arguments_of(draft, seat))


def differ_by_note(drafts: Iterable[Draft], seat: str = "") -> bool:
    """Return True if a flag makes the difference between answers of one action, so that only their notes tell it."""
    several = tuple(drafts)
    is_one_action = len({each.action for each in several}) == 1
    has_flag = any(gives_only_flags(each, seat) for each in several)
    return is_one_action and has_flag and all(each.note and _is_bare(each, seat) for each in several)


def detail_of(draft: Draft) -> Text:
    """Return an answer's note, without the parts that its own title says already."""
    if not draft.title:
        return draft.note
    title = str(draft.title)
    return joined(" · ", (part for part in parts_of(" · ", draft.note) if str(part) not in title))


def _is_bare(draft: Draft, seat: str) -> bool:
    """Return True if an answer gives nothing but its seat and flags."""
    return not draft.title and all(argument.flag for argument, _ in _arguments_of(draft, seat))


def _arguments_of(draft: Draft, seat: str) -> Iterator[tuple[Argument, Any]]:
    """Yield the arguments that an answer gives with their values, without the seat of its question."""
    for argument in grammar(draft.action).arguments:
        value = draft.given.get(argument.field, argument.default)
        if value != argument.default and not (seat and value == seat):
            yield argument, value


def _title_values(draft: Draft, names: Mapping[str, str], seat: str) -> Iterator[Text]:
    written = grammar(draft.action).positional
    gap = next((at for at, each in enumerate(written) if each.required and each.field not in draft.given), None)
    # What a line has after its gap is not said yet, as the gap is what people choose first.
    later = () if gap is None else tuple(each for each in grammar(draft.action).arguments if each not in written[:gap])
    for argument, value in _arguments_of(draft, seat):
        if argument.flag or argument in later:
            continue
        if argument.kind is TEXT:
            yield str(value)
            continue
        words = _words_of(argument, value)
        titles = tuple(filter(None, (_title_word(argument, word, names) for word in words)))
        if titles:
            yield joined(" ", titles)


def _words_of(argument: Argument, value: Any) -> tuple[str, ...]:
    """Return a value as words of notation, each item of a list by itself; a target of two words is one."""
    item = getattr(argument.kind, "item", None)
    if isinstance(value, tuple) and item is not None:
        return tuple(item.write(each) for each in value)
    return (str(argument.kind.write(value)),)


def _title_word(argument: Argument, word: str, names: Mapping[str, str]) -> Text:
    """Return a word as players say it; "" for one that only lines need, such as one of a few choices."""
    owner, colon, card = word.rpartition(":")
    if word in names:
        return names[word]
    if word in PACK:
        return card_title(Card(word))
    if colon and card in PACK:
        return phrase("{card} of {player}", card=card_title(Card(card)), player=names.get(owner, owner))
    if argument.kind is SUIT:
        return GLYPHS[word]
    title = title_of_word(word)
    if argument.kind.choices:
        return "" if isinstance(title, str) else title
    is_name = word.replace("-", "").isalpha() and word.islower()
    return word.replace("-", " ").title() if is_name and isinstance(title, str) else title
