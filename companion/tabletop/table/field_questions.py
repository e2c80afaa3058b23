"""The names of the fields of actions, and the questions that ask for them, for people who do not type lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.tabletop.action import Action
from companion.tabletop.notation.arguments import COUNT
from companion.tabletop.notation.notation import Argument
from templates.languages.messages import Finished, Message, Text, declared, phrase, phrase_in

# Translators: The messages from here on name one field of a line, as a question goes on: “pay ana: how many?”.
_NAMES: Final[Mapping[str, Message]] = {
    "seat": phrase_in("question", "who"),
    "n": phrase_in("question", "how many"),
    "n2": phrase_in("question", "how many more"),
    "choice": phrase_in("question", "which"),
    "choice2": phrase_in("question", "which other"),
    "thing2": phrase_in("question", "which other thing"),
    "seat2": phrase_in("question", "who else"),
    "handle": phrase_in("question", "thing"),
    "is_": phrase_in("question", "which one"),
    "for_": phrase_in("question", "for whom"),
    "card": phrase_in("question", "card"),
    "hand": phrase_in("question", "hand"),
    "pay": phrase_in("question", "pay"),
    "counter": phrase_in("question", "counter"),
}
"""Display names of fields whose own names are not self-explanatory, or are no question in every language."""

# Translators: The messages from here on ask for one field of an action, behind the action: “Foil Ben · What do you pay
# with?”.
_HOW_MANY: Final = phrase("How many?")
_HOW_MANY_CARDS: Final = phrase("How many cards?")
_WHICH: Final = phrase("Which one?")
_WHAT_IS_IT_CALLED: Final = phrase("What is it called?")
_QUESTIONS: Final[Mapping[str, Message]] = {
    "amount": phrase("How much?"),
    "attacker": phrase("Which attacker?"),
    "blocker": phrase("Which blocker?"),
    "brought": phrase("Which deck?"),
    "card": phrase("Which card?"),
    "cards": phrase("Which cards?"),
    "change": phrase("By how much?"),
    "choice": _WHICH,
    "choice2": phrase("Which other one?"),
    "cost": phrase("What does it cost?"),
    "count": _HOW_MANY,
    "counter": phrase("Which figure?"),
    "dice": phrase("Which dice?"),
    "figures": phrase("With which figures?"),
    "for_": phrase("For whom?"),
    "hand": phrase("What is in your hand?"),
    "handle": _WHICH,
    "has": phrase("With which keywords?"),
    "is_": phrase("What came up?"),
    "key": phrase("Which house rule?"),
    "keyword": phrase("Which keyword?"),
    "keywords": phrase("With which keywords?"),
    "lane": phrase("Which lane?"),
    "level": phrase("Which level?"),
    "n": _HOW_MANY,
    "n2": phrase("How many more?"),
    "name": _WHAT_IS_IT_CALLED,
    "other": phrase("Who is meant?"),
    "pay": phrase("What do you pay with?"),
    "seat": phrase("Who?"),
    "seat2": phrase("Who else?"),
    "target": phrase("Who or what?"),
    "text": phrase("Which words?"),
    "thing": _WHICH,
    "thing2": phrase("Which other thing?"),
    "value": phrase("Which value?"),
    "what": _WHICH,
    "whom": phrase("Who is meant?"),
}
"""Questions for fields that mean the same in all actions; `Action.questions` has those of one action alone."""


def name_field(action: type[Action], field: str, *, is_new: bool) -> Text:
    """Return the display name of a field of an action, as it goes on a sentence.

    `is_new`: its value is a name that is given now.
    """
    if own := action.field_titles.get(field):
        return own
    if field == "handle" and is_new:
        return phrase_in("question", "its name")
    return _NAMES.get(field) or _NAMES.get(_as_second(field)) or declared(field.replace("_", " ").strip())


def _as_second(field: str) -> str:
    """Return the field for the second value of a kind instead of a further one: `n2` for `n3`."""
    return f"{field[:-1]}2" if field[-1:].isdecimal() else field


def ask_field(action: type[Action], argument: Argument, *, is_new: bool) -> Text:
    """Return the question for a field of an action as a whole sentence: `Which card?`."""
    field = argument.field
    if own := action.questions.get(field):
        return own
    if title := action.field_titles.get(field):
        return phrase("{field}?", field=title)
    if field == "handle" and is_new:
        return _WHAT_IS_IT_CALLED
    if field == "cards" and argument.kind is COUNT:
        return _HOW_MANY_CARDS
    if question := _QUESTIONS.get(field) or _QUESTIONS.get(_as_second(field)):
        return question
    # Translators: The name of a field as a question of its own: “Endurance?”.
    return phrase("{field}?", field=Finished(name_field(action, field, is_new=is_new), begins=True, ends=False))
