"""Any action of any vocabulary, drawn from the kinds that its classes name: a new game is covered as it stands."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from companion.tabletop.action import Action, NotationError
from companion.tabletop.notation import arguments
from companion.tabletop.notation.arguments import ArgumentKind, CardsOrCount, Many, Pair, Share, Word, Words
from companion.tabletop.notation.cards import PACK, SUITS
from companion.tabletop.notation.notation import LineKind, grammar

Strategy = st.SearchStrategy[Any]


def _reads_as_itself(word: str, kind: ArgumentKind[Any] = arguments.SEAT) -> bool:
    try:
        return bool(kind.read(Words.of(word), ()) == word)
    except NotationError:
        return False


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.from_regex(r"\w[\w-]{0,6}", fullmatch=True).map(str.lower).filter(_reads_as_itself)
cards = st.sampled_from(PACK)
refs = st.builds("{}:{}".format, names, cards)
targets = st.one_of(st.sampled_from(["table", "boss"]), names, st.builds("minion {}".format, refs))
lower = texts.map(str.lower).filter(lambda word: word == word.lower())

_KINDS: dict[int, Strategy] = {
    id(arguments.CARD): cards,
    id(arguments.SUIT): st.sampled_from(SUITS),
    id(arguments.SEAT): names,
    id(arguments.HANDLE): names,
    id(arguments.REF): refs,
    id(arguments.TEXT): texts,
    id(arguments.GAME): lower,
    id(arguments.KEY): lower,
    id(arguments.VALUE): texts,
    id(arguments.VALUES): texts,
    id(arguments.WORDS): texts,
    id(arguments.COUNTER): lower,
    id(arguments.COUNT): st.integers(min_value=0),
    id(arguments.SIGNED): st.integers(),
    id(arguments.TARGET): targets,
    id(arguments.HANDLE_OR_SEAT): names,
    id(arguments.DICE): st.builds(
        "{}d{}{}".format, st.integers(1, 100), st.integers(2, 1000), st.sampled_from(["", "+3", "-1"])
    ),
    id(arguments.CHANGE): st.tuples(st.integers(), st.integers()),
}


def values(kind: ArgumentKind[Any], lines: Strategy) -> Strategy:
    """Any value of a kind; `lines` are the actions that stand for a whole line within a line."""
    if isinstance(kind, Many):
        return st.lists(values(kind.item, lines), min_size=kind.least, max_size=kind.most or 4).map(tuple)
    if isinstance(kind, Pair):
        figure = st.integers() if kind.signed else st.integers(min_value=0)
        return st.tuples(figure, figure)
    if isinstance(kind, Share):
        return st.tuples(names, st.integers(min_value=0))
    if isinstance(kind, CardsOrCount):
        return st.one_of(st.integers(min_value=1), st.lists(cards, min_size=1, max_size=4).map(tuple))
    if isinstance(kind, LineKind):
        return lines
    if isinstance(kind, Pair):
        figure = st.integers() if kind.signed else st.integers(min_value=0)
        return st.tuples(figure, figure)
    if isinstance(kind, Word) and kind.choices and kind is not arguments.SUIT:
        return st.sampled_from(kind.choices)
    if id(kind) not in _KINDS and isinstance(kind, Word):
        return names.filter(lambda word: _reads_as_itself(word, kind))
    if id(kind) not in _KINDS:
        raise TypeError(
            f"No strategy draws the kind {kind.shape}; say in tests/games/strategies.py what its values are."
        )
    return _KINDS[id(kind)]


def fields(action: type[Action], lines: Strategy) -> Mapping[str, Strategy]:
    """What each field of an action may hold, its default included where it has one."""
    written = grammar(action)
    strategies: dict[str, Strategy] = {}
    for argument in written.arguments:
        value = st.booleans() if argument.flag else values(argument.kind, lines)
        strategies[argument.field] = value if argument.required else st.one_of(st.just(argument.default), value)
    return strategies


def actions(vocabulary: Iterable[type[Action]]) -> st.SearchStrategy[Action]:
    """Any action of a vocabulary; one that holds a whole line holds any of the others that hold none."""
    known_actions = tuple(vocabulary)
    holding = {action for action in known_actions if _holds_a_line(action)}
    plain = st.one_of(
        [st.builds(action, **fields(action, st.nothing())) for action in known_actions if action not in holding]
    )
    return st.one_of([plain, *(st.builds(action, **fields(action, plain)) for action in holding)])


def _holds_a_line(action: type[Action]) -> bool:
    return any(isinstance(argument.kind, LineKind) for argument in grammar(action).positional)
