"""The evaluation of a page's conditions at a table, and their wording for players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from companion.games.described.page.amount_texts import (
    describe_amount,
    describe_gathered,
    describe_number_of_things,
    describe_place,
)
from companion.games.described.page.amounts import (
    HAND_WORD,
    PLAYERS_WORD,
    SEVERAL,
    Amount,
    Name,
    names_in,
    parameters_of,
)
from companion.games.described.page.conditions import (
    OPERATORS,
    POOL_COUNTERS,
    Condition,
    parse_condition,
    with_amount,
)
from companion.games.described.page.description import RIVAL, SEAT, TABLE, title_of
from companion.games.described.page.takes import OWNER_WORD, TAKEN_WORD, describe_parameter
from companion.games.described.rules.amounts import (
    cards_of_pool,
    compile_for,
    table_number,
)
from companion.games.described.rules.context import (
    Context,
    Value,
    counter_of,
    find_bearer,
    name_of,
    targets_of,
    value_of,
)
from companion.games.described.rules.plan import PagePlan
from companion.tabletop.action import RuleError
from companion.tabletop.text import figure as written
from templates.languages.messages import Message, Text, WithinSentence, joined, phrase, phrase_in, phrases

QUANTIFIED: Final = ("each", "any", "others")
"""Condition owners that mean several seats."""
_MOST_SHOWN: Final = 4
"""The most names in an amount that is shown as it is calculated."""
_NOBODY: Final = " "
"""The holder of a token that no seat holds; equal to no seat."""


class ConditionSide(NamedTuple):
    """One of the two sides that a condition compares.

    `read` takes a context and the target of the condition, and raises RuleError if there is nothing to read. `words`
    are the words of the line on which the side depends. `is_word` is True if the side is such a word itself.
    """

    read: Callable[[Context, str], Value]
    words: tuple[str, ...] = ()
    is_word: bool = False


class Check(NamedTuple):
    """A compiled condition: the present value, the value to compare it with, and the comparison sign.

    `owner` is that of the condition; `is_of_pool` is True if it is a pool.
    """

    present: ConditionSide
    value: ConditionSide
    sign: str
    owner: str = ""
    is_of_pool: bool = False

    def holds(self, context: Context, subject: str = "") -> bool:
        """Return True if the condition holds.

        If it names no owner, `subject` is the seat or thing concerned. Raises RuleError if a side cannot be read.
        """
        owner, read, read_value = self.owner, self.present.read, self.value.read
        if owner not in QUANTIFIED:
            target = self.target(context, subject)
            return self.compares(read(context, target), read_value(context, target))
        decides = owner == "any"
        for player in context.resolution.state.players:
            seat = player.seat
            if owner == "others" and seat == context.me:
                continue
            if self.compares(read(context, seat), read_value(context, seat)) == decides:
                return decides
        return not decides

    def targets(self, context: Context) -> tuple[str, ...]:
        """Return all targets of the condition, named as in `set`. Raises RuleError if there is none."""
        if self.owner not in QUANTIFIED:
            return (self.target(context),)
        seats = (player.seat for player in context.resolution.state.players)
        return tuple(seat for seat in seats if self.owner != "others" or seat != context.me)

    def target(self, context: Context, subject: str = "") -> str:
        """Return the target of a condition that is not about several seats. Raises RuleError if there is none."""
        if not self.owner:
            return subject or context.me
        return self.owner if self.is_of_pool else targets_of(context, self.owner)[0]

    def compares(self, present: Value, value: Value) -> bool:
        """Return True if two values compare as the sign requires."""
        if isinstance(present, str) or isinstance(value, str):
            return OPERATORS[self.sign](str(present), str(value)) if self.sign in ("=", "!=") else False
        return OPERATORS[self.sign](present, value)


def check_of(plan: PagePlan, condition: Condition | str) -> Check:
    """Return the compiled form of a condition or its text, cached in the plan."""
    check: Check | None = plan.checks.get(condition)
    if check is None:
        parsed = parse_condition(condition) if isinstance(condition, str) else condition
        check = plan.checks[condition] = _make_check(plan, parsed)
    return check


def _make_check(plan: PagePlan, condition: Condition) -> Check:
    condition = with_amount(condition, plan.table_numbers)
    owner = condition.owner
    is_of_pool = condition.counter in POOL_COUNTERS and owner in plan.page.pools
    return _sides_of(plan, condition)._replace(owner=owner, is_of_pool=is_of_pool)


def _sides_of(plan: PagePlan, condition: Condition) -> Check:
    owner, counter, op, value, left_side = condition
    whose = _parameter_words(owner)
    match op:
        case "out" | "not out":
            return Check(ConditionSide(_is_out, whose), _constant_side(op == "out"), "=")
        case "in" | "not in":
            zone = str(value)
            place = ConditionSide(lambda context, target: context.resolution.state.piece(target).zone == zone, whose)
            return Check(place, _constant_side(op == "in"), "=")
        case "has" | "has not":
            sign = "=" if op == "has" else "!="
            word = str(value)
            if _parameter_words(word):
                owner_of_thing = ConditionSide(
                    lambda context, _: context.resolution.state.piece(str(context.words[word])).owner, (word,)
                )
                return Check(owner_of_thing, ConditionSide(_read_target, whose, is_word=True), sign)
            if word in plan.page.tokens:
                holder = ConditionSide(lambda context, _: context.resolution.state.tokens.get(word, _NOBODY))
                return Check(holder, ConditionSide(_read_target, whose, is_word=True), sign)
            return Check(
                ConditionSide(lambda context, target: bool(value_of(context, target, word)), whose),
                _constant_side(True),
                sign,
            )
    if left_side is not None:
        return Check(_make_amount(plan, left_side, whose), _make_value(plan, value, whose), op)
    if _parameter_words(counter):
        word_itself = ConditionSide(lambda context, _: context.words[counter], (counter,), is_word=True)
        is_number = counter.startswith("N")
        other = _make_value(plan, value, whose) if is_number else _make_named(str(value))
        return Check(word_itself, other, op)
    if counter in POOL_COUNTERS and owner in plan.page.pools:
        left = ConditionSide(lambda context, _: cards_of_pool(context, owner, counter))
        return Check(left, _make_value(plan, value, whose), op)
    figure = plan.page.counters.get(counter)
    if counter in plan.page.flags or (figure is not None and figure.words):
        is_holding = {"yes": True, "no": False}.get(str(value)) if figure is None else None
        is_so = _make_word(str(value)) if is_holding is None else _constant_side(is_holding)
        return Check(_make_figure(plan, counter, whose), is_so, op)
    return Check(_make_figure(plan, counter, whose), _make_value(plan, value, whose), op)


def _make_figure(plan: PagePlan, counter: str, whose: tuple[str, ...]) -> ConditionSide:
    """Return the side that reads a counter of the target, including a counter kept for a rival."""
    base, _, rival = counter.rpartition("-")
    if base not in plan.figures[RIVAL]:
        return ConditionSide(lambda context, target: value_of(context, target, counter), whose)
    words = (*whose, *_parameter_words(rival))
    return ConditionSide(lambda context, target: value_of(context, target, counter_of(context, counter)), words)


def _make_word(word: str) -> ConditionSide:
    """Return the side for a literal word, or for the value given for it in the line."""
    return ConditionSide(lambda context, _: context.words.get(word, word), _parameter_words(word), is_word=True)


def _make_named(word: str) -> ConditionSide:
    """Return the side for whoever or whatever a word of a condition names: `me`, `SEAT2`, or a choice."""
    return ConditionSide(lambda context, _: context.me) if word == "me" else _make_word(word)


def _make_amount(plan: PagePlan, amount: Amount, whose: tuple[str, ...]) -> ConditionSide:
    return ConditionSide(compile_for(plan, amount), tuple(dict.fromkeys((*whose, *parameters_of(amount)))))


def _make_value(plan: PagePlan, value: int | str | Amount, whose: tuple[str, ...]) -> ConditionSide:
    """Return the side for a number, a value given in the line, a counter of the same or another owner, or an amount."""
    if isinstance(value, int):
        return _constant_side(value)
    if not isinstance(value, str):
        return _make_amount(plan, value, whose)
    owner, dot, counter = value.rpartition(".")
    if not dot and (value in plan.page.counters or value in plan.counts):
        return _make_figure(plan, value, whose)
    if not dot:
        return ConditionSide(table_number(value)) if value in plan.table_words else _make_word(value)
    if counter in POOL_COUNTERS and owner in plan.page.pools:
        return ConditionSide(lambda context, _: cards_of_pool(context, owner, counter))
    if owner == TABLE and counter in plan.table_numbers:
        return ConditionSide(table_number(counter))

    def read(context: Context, _: str) -> Value:
        return value_of(context, targets_of(context, owner)[0], counter_of(context, counter))

    return ConditionSide(read, (*_parameter_words(owner), *_parameter_words(counter.rpartition("-")[2])))


def _parameter_words(word: str) -> tuple[str, ...]:
    taken = OWNER_WORD.sub(r"THING\1", word)
    return (taken,) if TAKEN_WORD.fullmatch(taken) else ()


def _constant_side(value: Value) -> ConditionSide:
    return ConditionSide(lambda *_: value)


def _read_target(context: Context, target: str) -> str:  # noqa: ARG001 – sides are read alike
    return target


def _is_out(context: Context, target: str) -> bool:
    return any(player.out for player in context.resolution.state.players if player.seat == target)


def describe_condition(context: Context, condition: Condition) -> Message:
    """Return a condition as displayed text: `Ana's Level is at least 3`, `Ash Wolf is not exhausted`."""
    condition = with_amount(condition, context.plan.table_numbers)
    owner, counter = condition.owner, condition.counter
    who = _people_meant(context, owner or "me")
    match condition.op:
        case "in" | "not in" | "out" | "not out":
            return _describe_state(context, condition, who)
        case "has" | "has not":
            return _describe_having(context, condition, who)
    comparison = describe_comparison(condition.op, _describe_value(context, condition))
    # Translators: {comparison} is such as “at least 3”, “not 3” or “3” in these sentences, which stand behind “is for
    # when” without a full stop.
    if condition.left is not None:
        amount = _describe_amount(context, condition.left, owner or ("me" if context.me else ""))
        return phrase("{figure} is {comparison}", figure=amount, comparison=comparison)
    if owner == TABLE:
        return phrase("{figure} is {comparison}", figure=_figure_title(context, owner, counter), comparison=comparison)
    if counter in context.words:
        return _describe_argument(context, condition, comparison)
    if owner in context.plan.page.pools:
        if counter == "aside":
            return phrase("{pool} has {comparison} aside", pool=who, comparison=comparison)
        return phrase("{pool} has {comparison} left", pool=who, comparison=comparison)
    return _describe_figure(context, condition, who, comparison)


def _describe_state(context: Context, condition: Condition, who: Text) -> Message:
    """Return a condition on the place of a thing, or on a player who is out, as displayed text."""
    match condition.op:
        case "out":
            return phrase("{player} is out of the game", player=who)
        case "not out":
            return phrase("{player} is not out of the game", player=who)
    place = describe_place(context.plan.page, str(condition.value))
    if condition.op == "in":
        return phrase("{thing} is in {place}", thing=who, place=place)
    return phrase("{thing} is not in {place}", thing=who, place=place)


def _describe_figure(context: Context, condition: Condition, who: Text, comparison: Text) -> Message:
    """Return a condition on a counter, or on a number of things, as displayed text."""
    owner, counter = condition.owner, condition.counter
    is_none = condition.value == 0 and condition.op in ("=", "<=")
    if is_none and counter in context.plan.counts and owner not in QUANTIFIED:
        # Translators: {things} is the title of a kind of thing, or of a place: “Ben has none of “Guard””.
        return phrase("{player} has none of “{things}”", player=who, things=describe_place(context.plan.page, counter))
    title = _figure_title(context, owner, counter)
    if owner in QUANTIFIED:
        # Translators: {players} is “everybody”, “somebody” or “everybody else”.
        return phrase("the {figure} of {players} is {comparison}", figure=title, players=who, comparison=comparison)
    return phrase("{player}'s {figure} is {comparison}", player=who, figure=title, comparison=comparison)


def _describe_argument(context: Context, condition: Condition, comparison: Text) -> Message:
    """Return a condition on what a line names as displayed text: `somebody other than Ana is chosen`.

    It says what must be chosen, not what has been chosen.
    """
    kind = TAKEN_WORD.sub(r"\1", condition.counter)
    if title := context.titles.get(condition.counter):
        return phrase("{figure} is {comparison}", figure=title, comparison=comparison)
    if condition.counter == "N":
        return phrase("the number is {comparison}", comparison=comparison)
    if kind == "N":  # one of several numbers
        return phrase("{thing} is {comparison}", thing=describe_parameter(condition.counter), comparison=comparison)
    if kind not in ("SEAT", "THING"):
        return phrase("the word is {comparison}", comparison=comparison)
    other = _people_meant(context, str(condition.value))
    if condition.op != "!=":
        return phrase("{thing} is chosen", thing=other)
    if kind == "SEAT":
        return phrase("somebody other than {player} is chosen", player=other)
    return phrase("something other than {thing} is chosen", thing=other)


def describe_people(word: str) -> Text:
    """Return the text for a word that means several players, or the table."""
    return _GENERAL[word]


def describe_comparison(sign: str, value: Text) -> Text:
    """Return a comparison with a value as displayed text: `at least 3`."""
    match sign:
        case "<":
            return phrase("less than {value}", value=value)
        case "<=":
            return phrase("at most {value}", value=value)
        case "!=":
            return phrase("not {value}", value=value)
        case ">=":
            return phrase("at least {value}", value=value)
        case ">":
            return phrase("more than {value}", value=value)
    return value


def _describe_value(context: Context, condition: Condition) -> Text:
    given = condition.value
    if not isinstance(given, int | str):
        return _describe_amount(context, given, "" if condition.owner or not context.me else "me")
    value = context.words.get(given, given) if isinstance(given, str) else given
    whose, dot, counter = str(value).rpartition(".")
    if dot and counter in context.plan.table_numbers and whose == TABLE:
        return _describe_name(context, Name("", counter), "")
    if dot:
        title = _figure_title(context, whose, counter)
        return phrase("{player}'s {figure}", player=_people_meant(context, whose), figure=title)
    if isinstance(value, int):
        return written(value)
    if condition.counter in context.words and not isinstance(context.words[condition.counter], int):
        return _people_meant(context, str(condition.value))
    if value in context.plan.table_words and value not in context.plan.page.counters:
        return _describe_name(context, Name("", str(value)), "")
    if value in context.plan.counts or any(value in figures for figures in context.plan.figures.values()):
        return phrase("their {figure}", figure=_figure_title(context, condition.owner, value))
    return context.plan.texts.name(str(value))


def _describe_amount(context: Context, amount: Amount, owner: str) -> Text:
    """Return an amount as displayed text; `owner` has the counters that it means by words alone.

    A long one is shown as the number that it comes to.
    """
    if sum(1 for _ in names_in(amount)) > _MOST_SHOWN and owner not in QUANTIFIED:
        target = targets_of(context, owner)[0] if owner else context.me
        return written(compile_for(context.plan, amount)(context, target))
    return describe_amount(amount, lambda name: _describe_name(context, name, owner))


def _describe_name(context: Context, name: Name, owner: str) -> Text:
    word, whose = name.word, name.owner or owner
    if not name.owner and isinstance(context.words.get(word), int):
        return written(context.words[word])
    if name.owner in ("", TABLE) and word in context.plan.table_numbers:
        number = table_number(word)(context, "")
        if word == PLAYERS_WORD:
            return phrases("{n} player", "{n} players", n=number)
        if word == HAND_WORD:
            return phrases("{n} card dealt", "{n} cards dealt", n=number)
        return joined(" ", (context.plan.round_title, number))
    if word in POOL_COUNTERS and whose in context.plan.page.pools:
        pool = _people_meant(context, whose)
        if word == "left":
            return phrase("the cards left in {pool}", pool=pool)
        return phrase("the cards of {pool} aside", pool=pool)
    title = _figure_title(context, whose, word)
    if whose == TABLE:
        return title
    if not whose:
        return phrase("their {figure}", figure=title)
    if whose in SEVERAL:
        return describe_gathered(name, title, _people_meant(context, whose))
    return phrase("{player}'s {figure}", player=_people_meant(context, whose), figure=title)


def _describe_having(context: Context, condition: Condition, who: Text) -> Message:
    word, has_not = str(condition.value), condition.op == "has not"
    if word in context.words:
        thing = _people_meant(context, word)
        if has_not:
            return phrase("{player} does not own {thing}", player=who, thing=thing)
        return phrase("{player} owns {thing}", player=who, thing=thing)
    if word in context.plan.page.tokens:
        title = title_of(word, context.plan.page.tokens[word].title)
        if has_not:
            return phrase("{player} does not have the {token}", player=who, token=title)
        return phrase("{player} has the {token}", player=who, token=title)
    flag = context.plan.page.flags.get(word)
    title = WithinSentence(title_of(word, flag.title if flag else ""))
    # Translators: {flag} is a word of the game, such as “exhausted”.
    return (
        phrase("{thing} is not {flag}", thing=who, flag=title)
        if has_not
        else phrase("{thing} is {flag}", thing=who, flag=title)
    )


_GENERAL: Final[Mapping[str, Message]] = {
    "each": phrase_in("in a condition", "everybody"),
    "any": phrase_in("in a condition", "somebody"),
    "others": phrase_in("in a condition", "everybody else"),
    "table": phrase_in("in a condition", "the table"),
}
"""The words of a condition for several seats, and for the table."""


def _people_meant(context: Context, word: str) -> Text:
    """Return the name of the seat, pool or thing that a word of a condition means."""
    if word in _GENERAL:
        return _GENERAL[word]
    pool = context.plan.page.pools.get(word)
    if pool is not None:
        return title_of(word, pool.title)
    token = context.plan.page.tokens.get(word)
    if token is not None and word not in context.resolution.state.tokens:
        # Translators: such as “the Dealer’s Points is at least 3” before anybody is the dealer.
        return phrase("the holder of {token}", token=title_of(word, token.title))
    try:
        return name_of(context, find_bearer(context.resolution.state, targets_of(context, word)[0]))
    except RuleError:
        if OWNER_WORD.fullmatch(word):
            return phrase_in("in a condition", "the owner")
        if word == "me":
            return _GENERAL["any"]
        if word not in context.words and TAKEN_WORD.fullmatch(word):
            return context.titles.get(word) or describe_parameter(word)
        return str(context.words.get(word, word))


def _figure_title(context: Context, owner: str, counter: str) -> Text:
    """Return the display name of a counter, including one kept for a rival (`damage-SEAT`)."""
    base, dash, rival = counter.rpartition("-")
    if dash and base in context.plan.figures[RIVAL]:
        return phrase("{figure} ({rival})", figure=context.plan.title(RIVAL, base), rival=_people_meant(context, rival))
    of = {TABLE: TABLE}.get(owner, SEAT)
    for figures in (context.plan.figures[of], *context.plan.figures.values()):
        if counter in figures:
            return title_of(counter, figures[counter].title)
    if counter in context.plan.counts:
        return describe_number_of_things(context.plan.page, counter)
    return context.plan.texts.title(counter)
