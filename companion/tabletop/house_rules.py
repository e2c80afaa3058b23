"""House rules: what people may agree on before they begin, and the words of a game that mean something of their own."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, Self, get_args, get_type_hints

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.arguments import MAX_DIGITS

TABLE: Final = "table"
"""The value of the house rule `draws` where people draw with their own cards and dice, and say what came."""
PROGRAM: Final = "program"
"""Its value where the program draws; also that of files and tables that say nothing of it."""
DRAW_ONE: Final = "draw one for us"
"""The answer by which the program draws at the wish of a table that draws itself."""


class RuleQuestion(msgspec.Struct, frozen=True):
    """A house rule as a question that people are asked: its title, what it asks, and what each value says as an answer.

    `changes` is what each value says as an offer during the game.
    """

    title: str
    text: str
    answers: Mapping[str, str]
    changes: Mapping[str, str]


class HouseRule(msgspec.Struct, frozen=True):
    """One rule that can be agreed on: its key, what the book says, what it can be, and what it changes.

    `values` are empty where it is a number; `examples` are numbers that are proposed for it. Where the book's is the
    only one, a line may say it, and nobody is asked. One with a `question` is asked in plain words before the game
    begins. `may_change` tells that it may still change during the game, as any with a question may.
    """

    key: str
    book: str
    values: tuple[str, ...]
    text: str
    question: RuleQuestion | None = None
    examples: tuple[str, ...] = ()
    may_change: bool = False

    @property
    def others(self) -> tuple[str, ...]:
        """What it can be besides the book's value; of a number, what is proposed."""
        return tuple(value for value in self.values or self.examples if value != self.book)

    @property
    def is_choice(self) -> bool:
        """Return True where people can agree on anything but the book; not on who draws where nothing is drawn."""
        return self.values != (self.book,) and (self.key != "draws" or self.question is not None)


_LATER: Final = "It may change later."


def drawing(things: str, rules: str = "") -> msgspec.Meta:
    """Describe the rule `draws` of a game in which chance decides something.

    Args:
        things: What is drawn, such as `lots`.
        rules: The numbers of the rules that say so.
    """
    where = f" ({rules})" if rules else ""
    question = RuleQuestion(
        "Who draws",
        f"Who draws {things}?",
        {
            TABLE: f"You draw {things} from your own cards, and are asked which came",
            PROGRAM: f"The program draws {things}",
        },
        {
            TABLE: f"Draw {things} from your own cards from now on",
            PROGRAM: f"Let the program draw {things} from now on",
        },
    )
    return msgspec.Meta(
        description=f"Who draws {things}: the table, or the program{where}. {_LATER}", extra={"question": question}
    )


class HouseRules(msgspec.Struct, frozen=True):
    """The rules in force at a table. Each field is one of them, and its default is what the book says.

    A field is a whole number (`| None` where there may be none), a bool, or a `Literal` of words, annotated with a
    `msgspec.Meta` whose description says what it changes, a number's with `examples`; `rule KEY VALUE` changes it, with
    `-` for `_`.
    """

    draws: Annotated[
        Literal["program", "table"],
        msgspec.Meta(
            description=f"Who draws what chance decides: the table, or the program. {_LATER}",
            extra={"may_change": True},
        ),
    ] = PROGRAM

    @property
    def table_draws(self) -> bool:
        """Return True where people draw with their own cards, so that nothing is drawn for them unasked."""
        return self.draws == TABLE

    @classmethod
    def all(cls) -> tuple[HouseRule, ...]:
        """Every rule that can be agreed on, in the order of the game."""
        return _rules(cls)

    @classmethod
    def asks_who_draws(cls) -> bool:
        """Return True in a game in which chance decides something, so that people are asked who draws."""
        return any(rule.key == "draws" and rule.question for rule in cls.all())

    @classmethod
    def find(cls, key: str) -> HouseRule:
        """A rule by its key, however its words are joined. Raises RuleError naming the known keys."""
        rule = next((rule for rule in cls.all() if _plain(rule.key) == _plain(key)), None)
        if rule is None:
            keys = ", ".join(rule.key for rule in cls.all())
            raise RuleError(f"There is no house rule “{key}”; known are: {keys}.")
        return rule

    @classmethod
    def changes_later(cls, key: str) -> bool:
        """Whether a rule may still change once the game has begun."""
        return any(rule.may_change and _plain(rule.key) == _plain(key) for rule in cls.all())

    def value(self, key: str) -> str:
        """What a rule is now, as `rule` writes it."""
        return next(_word(getattr(self, name)) for name in self.__struct_fields__ if _key(name) == key)

    def changed(self) -> tuple[tuple[str, str], ...]:
        """The rules that differ from the book, as `rule` writes them."""
        pairs = ((name, getattr(self, name), default) for name, default in _defaults(type(self)))
        return tuple((_key(name), _word(value)) for name, value, default in pairs if value != default)

    def changed_in_play(self) -> tuple[tuple[str, str], ...]:
        """Those of them that change how the game is played: who draws what chance decides does not."""
        return tuple((key, value) for key, value in self.changed() if key != "draws")

    def agreed(self, key: str, word: str) -> Self:
        """These rules with one changed. Raises RuleError naming the known keys or values."""
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
            _word(default),
            _values(_hints(house)[name]),
            metas[name].description,
            (metas[name].extra or {}).get("question"),
            tuple(map(_word, metas[name].examples or ())),
            bool((metas[name].extra or {}).keys() & {"question", "may_change"}),
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
    """The words that a rule can be; none where it is a number."""
    if hint is bool:
        return ("no", "yes")
    return tuple(choice for choice in get_args(hint) if isinstance(choice, str))


def _plain(word: str) -> str:
    """`afterReset`, `after-reset` and `after_reset` are the same word."""
    return word.lower().replace("-", "").replace("_", "")


def _key(name: str) -> str:
    return name.replace("_", "-")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _read(key: str, hint: Any, word: str) -> Any:
    """The value that a word stands for, by the type of the rule."""
    if hint is bool:
        if word.lower() in ("yes", "true", "on"):
            return True
        if word.lower() in ("no", "false", "off"):
            return False
        raise RuleError(f"The rule {key} is yes or no; “{word}” is neither.")
    if choices := _values(hint):
        for choice in choices:
            if _plain(choice) == _plain(word):
                return choice
        raise RuleError(f"The rule {key} takes {' or '.join(choices)}, not “{word}”.")
    if word.lower() == "none" and hint is not int:
        return None
    if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS:
        return int(word)
    raise RuleError(f"The rule {key} takes a whole number, not “{word}”.")


class Term(msgspec.Struct, frozen=True):
    """A word: what people call it, what it says, which kind of thing it is, and the number of its rule, if any.

    `also` are other words that mean it: what a line calls it, or a screen.
    """

    name: str
    text: str
    kind: str = ""
    rule: str = ""
    also: tuple[str, ...] = ()


def of_house(house: type[HouseRules]) -> Iterator[Term]:
    """The house rules, each with what it changes and what the book says; not who draws where nothing is drawn."""
    for rule in house.all():
        if rule.key == "draws" and rule.question is None:
            continue
        yield Term(rule.key, f"{rule.text} The book: {rule.book}.", "house rule")
