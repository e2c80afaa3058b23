"""House rules: the rules that players may agree on before they begin, and the terms of a game."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, Self, get_args, get_type_hints

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import MAX_DIGITS
from companion.tabletop.table.table import write_value
from companion.tabletop.words import join_with_or, title_of_word
from templates.languages.messages import ENGLISH, Language, Message, Text, declared, joined, listed, phrase, phrase_in

TABLE: Final = "table"
"""The value of the house rule `draws` if players draw with their own cards and dice, and enter the results."""
PROGRAM: Final = "program"
"""The value of `draws` if the program draws; also the default for files and tables without the rule."""
DRAW_ONE: Final = phrase("draw one for us")
"""The answer that makes the program draw once, at a table that draws itself."""


class RuleQuestion(msgspec.Struct, frozen=True):
    """A house rule as a question to the players: its title, its text, and each value as an answer.

    `changes` are the values as offers during the game.
    """

    title: Text
    text: Text
    answers: Mapping[str, Text]
    changes: Mapping[str, Text]


class HouseRule(msgspec.Struct, frozen=True):
    """One rule that can be agreed on: its key, the value of the book, its possible values, and its effect.

    `values` are empty for a number, for which `examples` are suggested. If the value of the book is the only one, a
    line may set it, but players are not asked. A rule with a `question` is asked in plain words before the game begins.
    `may_change`: it may change during the game, as any rule with a question may. `is_given`: every new table begins
    with the value of the book.
    """

    key: str
    book: str
    values: tuple[str, ...]
    text: Text
    question: RuleQuestion | None = None
    examples: tuple[str, ...] = ()
    may_change: bool = False
    is_given: bool = False

    @property
    def title(self) -> Message:
        """The name of the rule; in English its key."""
        return title_of_rule(self.key)

    @property
    def title_with_key(self) -> Message:
        """The name of the rule with the key to type: `Konterpreis (foil-cost)`, in English `foil-cost`."""
        return _TitleWithKey(self.key)

    @property
    def shown_text(self) -> Message:
        """The effect for display."""
        return declared(self.text) if isinstance(self.text, str) else self.text

    @property
    def text_with_book(self) -> Message:
        """The effect, with the value of the book."""
        # Translators: {book} is the value of a house rule that the rulebook has.
        return joined(" ", (self.shown_text, phrase("The book: {book}.", book=title_of_value(self.book))))

    @property
    def others(self) -> tuple[str, ...]:
        """The values besides that of the book; for a number, the suggested ones."""
        return tuple(value for value in self.values or self.examples if value != self.book)

    @property
    def is_choice(self) -> bool:
        """Return True if players can agree on anything but the book.

        The rule `draws` is a choice only in a game that draws something.
        """
        return self.values != (self.book,) and (self.key != "draws" or self.question is not None)


def title_of_rule(key: str) -> Message:
    """Return the name of a house rule; in English its key."""
    return phrase_in("house rule", key)


def title_of_value(value: str) -> Text:
    """Return the name of a value of a house rule; in English the word that lines have."""
    title = title_of_word(value)
    return title if isinstance(title, Message) or value.isdecimal() else phrase_in("rule value", value)


def state_rule(key: str, value: str) -> Message:
    """Return a house rule with its value, for reading: `foil-cost 3`."""
    return joined(" ", (title_of_rule(key), title_of_value(value)))


class _TitleWithKey(Message):
    """The name of a house rule, with its key behind it where that differs."""

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key

    def render(self, language: Language) -> str:
        title = title_of_rule(self.key).render(language)
        if title == self.key:
            return title
        # Translators: The name of a house rule, and the word for it that players type.
        return phrase("{title} ({key})", title=title, key=self.key).render(language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.key,)


_LATER: Final = "Can be changed later."


def drawing(things: Text, rules: str = "", is_given: bool = False) -> msgspec.Meta:
    """Describe the rule `draws` of a game in which chance decides something.

    Args:
        things: What is drawn, in English, such as `lots`. It needs a translation that can be an object: “draws lots”.
        rules: The numbers of the rules that say so.
        is_given: The game says itself that the program draws; otherwise new tables begin as people usually play.
    """
    where = f" ({rules})" if rules else ""
    what = declared(things) if isinstance(things, str) else things
    # Translators: {things} is what is drawn, such as “lots”.
    question = RuleQuestion(
        phrase("Who draws"),
        phrase("Who draws {things}?", things=what),
        {
            TABLE: phrase("You draw {things} from your own cards, and are asked which came", things=what),
            PROGRAM: phrase("The program draws {things}", things=what),
        },
        {
            TABLE: phrase("Draw {things} from your own cards from now on", things=what),
            PROGRAM: phrase("Let the program draw {things} from now on", things=what),
        },
    )
    return msgspec.Meta(
        description=f"Who draws {things}: the players, or the program{where}. {_LATER}",
        extra={"question": question, "is_given": is_given},
    )


class HouseRules(msgspec.Struct, frozen=True):
    """The rules in force at a table. Each field is one rule, and its default is the value of the book.

    A field is a whole number (`| None` if there may be none), a bool, or a `Literal` of words. It is annotated with a
    `msgspec.Meta` whose description explains its effect, with `examples` for a number. `rule KEY VALUE` changes it,
    with `-` for `_`.
    """

    draws: Annotated[
        Literal["program", "table"],
        msgspec.Meta(
            description=f"Who draws lots and other random results: the players, or the program. {_LATER}",
            extra={"may_change": True},
        ),
    ] = PROGRAM

    @property
    def table_draws(self) -> bool:
        """Return True if players draw with their own cards, so the program draws only on request."""
        return self.draws == TABLE

    @classmethod
    def all(cls) -> tuple[HouseRule, ...]:
        """Return every rule that can be agreed on, in the order of the game."""
        return _rules(cls)

    @classmethod
    def asks_who_draws(cls) -> bool:
        """Return True if chance decides something in this game, and the game does not say who draws."""
        return any(rule.key == "draws" and rule.question and not rule.is_given for rule in cls.all())

    @classmethod
    def find(cls, key: str) -> HouseRule:
        """Return a rule by its key, with any separators between words. Raises RuleError naming the known keys."""
        rule = next((rule for rule in cls.all() if _plain(rule.key) == _plain(key)), None)
        if rule is None:
            keys = listed(rule.key for rule in cls.all())
            raise RuleError(phrase("There is no house rule “{key}”; the house rules are: {keys}.", key=key, keys=keys))
        return rule

    @classmethod
    def changes_later(cls, key: str) -> bool:
        """Return True if a rule may still change after the game has begun."""
        return any(rule.may_change and _plain(rule.key) == _plain(key) for rule in cls.all())

    def value(self, key: str) -> str:
        """Return the present value of a rule, as `rule` writes it."""
        return next(write_value(getattr(self, name)) for name in self.__struct_fields__ if _key(name) == key)

    def changed_rules(self) -> tuple[tuple[str, str], ...]:
        """Return the rules that differ from the book, as `rule` writes them."""
        pairs = ((name, getattr(self, name), default) for name, default in _defaults(type(self)))
        return tuple((_key(name), write_value(value)) for name, value, default in pairs if value != default)

    def changed_in_play(self) -> tuple[tuple[str, str], ...]:
        """Return the changed rules that affect play; the rule `draws` does not."""
        return tuple((key, value) for key, value in self.changed_rules() if key != "draws")

    def change_rule(self, key: str, word: str) -> Self:
        """Return these rules with one changed. Raises RuleError naming the known keys or values."""
        own = type(self).find(key).key
        name = next(name for name in self.__struct_fields__ if _key(name) == own)
        return msgspec.structs.replace(self, **{name: _read(own, _hints(type(self))[name], word)})


@cache
def _rules(house: type[HouseRules]) -> tuple[HouseRule, ...]:
    hints = get_type_hints(house, include_extras=True)
    metas = {name: hints[name].__metadata__[0] for name, _ in _defaults(house)}
    return tuple(
        HouseRule(
            _key(name),
            write_value(default),
            _values(_hints(house)[name]),
            (metas[name].extra or {}).get("text", metas[name].description),
            (metas[name].extra or {}).get("question"),
            tuple(map(write_value, metas[name].examples or ())),
            bool((metas[name].extra or {}).keys() & {"question", "may_change"}),
            bool((metas[name].extra or {}).get("is_given")),
        )
        for name, default in _defaults(house)
    )


@cache
def _defaults(house: type[HouseRules]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in msgspec.structs.fields(house))


@cache
def _hints(house: type[HouseRules]) -> dict[str, Any]:
    hints = get_type_hints(house)
    return {name: hints[name] for name in house.__struct_fields__}


def _values(hint: Any) -> tuple[str, ...]:
    """Return the possible words of a rule; none for a number."""
    if hint is bool:
        return ("no", "yes")
    return tuple(choice for choice in get_args(hint) if isinstance(choice, str))


def _plain(word: str) -> str:
    """Return a word without case and separators: `afterReset`, `after-reset` and `after_reset` are the same."""
    return word.lower().replace("-", "").replace("_", "")


def _key(name: str) -> str:
    return name.replace("_", "-")


def _read(key: str, hint: Any, word: str) -> Any:
    """Read the value of a word by the type of the rule."""
    if hint is bool:
        if word.lower() in ("yes", "true", "on"):
            return True
        if word.lower() in ("no", "false", "off"):
            return False
        raise RuleError(phrase("The rule {key} takes yes or no, not “{word}”.", key=key, word=word))
    if choices := _values(hint):
        for choice in choices:
            if _plain(choice) == _plain(word):
                return choice
        raise RuleError(
            phrase("The rule {key} takes {words}, not “{word}”.", key=key, words=join_with_or(choices), word=word)
        )
    if word.lower() == "none" and hint is not int:
        return None
    if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS:
        return int(word)
    raise RuleError(phrase("The rule {key} takes a whole number, not “{word}”.", key=key, word=word))


class Term(msgspec.Struct, frozen=True):
    """A glossary term: its name, its text, its kind, and the number of its rule, if any.

    The name is English. `also` are synonyms, such as its word in a line or on a screen. `called` is the name for
    display, if it is no declared text.
    """

    name: str
    text: Text
    kind: Text = ""
    rule: str = ""
    also: tuple[str, ...] = ()
    called: Text = ""

    @property
    def title(self) -> Text:
        """The name for display."""
        return self.called or (self.name if self.name == self.rule else declared(self.name))


def term_of(title: Message, text: Text, kind: Text = "", rule: str = "", also: tuple[str, ...] = ()) -> Term:
    """Return the term whose name is a message."""
    return Term(title.render(ENGLISH), text, kind, rule, also, title)


def of_house(house: type[HouseRules]) -> Iterator[Term]:
    """Yield the house rules with their effects and the values of the book; not `draws` if nothing is drawn."""
    for rule in house.all():
        if rule.key == "draws" and rule.question is None:
            continue
        yield Term(rule.key, rule.text_with_book, phrase("house rule"), called=rule.title_with_key)
