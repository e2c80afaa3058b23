"""Checks of the order of a round, and of the figures that players are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.games.described.page.amounts import HAND_WORD
from companion.games.described.page.checks.amounts import check_table_words
from companion.games.described.page.checks.names import COUNTER, FLAG, TOKEN, PageNames, Wrong, no_such_name
from companion.games.described.page.conditions import depends_on_others
from companion.games.described.page.description import LEFT_OF, SEAT, CounterDefinition, KindDefinition
from companion.games.described.page.toml_lines import Path
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

_BY: Final[Path] = ("play", "by")


def check_order(page: PageNames) -> Wrong:
    """Check who begins a round, what ends it, and how many cards are dealt."""
    play = page.page.play
    if play.is_by_figure and not play.by_counter:
        text = phrase('The order "{order}" needs a counter that decides it; write by = "…".', order=play.order)
        yield ("play", "order"), text
    if play.by_token and play.by_token not in page.page.tokens:
        path: Path = _BY if isinstance(play.by, str) else (*_BY, play.by_words.index(play.by_words[-1]))
        names = [*page.page.tokens, *(f"{LEFT_OF}{token}" for token in page.page.tokens)]
        yield path, no_such_name(play.by_words[-1], names, TOKEN)
    if not play.is_by_figure and len(play.by_words) > 1:
        yield _BY, phrase('This takes two words only with order = "lowest" or "highest": a counter and a token.')
    if play.until:
        yield from _check_until(page)
    if not isinstance(play.hand, int):
        yield from check_table_words(play.hand, ("play", "hand"))
    if play.hand and HAND_WORD in page.page.counters:
        text = phrase("{word} is a counter of this page as well; give that another word.", word=in_quotes(HAND_WORD))
        yield ("play", "hand"), text


def _check_until(page: PageNames) -> Wrong:
    word, path = page.page.play.until, ("play", "until")
    flag = page.page.flags.get(word)
    if flag is None or flag.of != SEAT:
        flags = [name for name, each in page.page.flags.items() if each.of == SEAT]
        yield path, no_such_name(word, flags, FLAG)
    elif page.page.play.order == "together":
        yield path, phrase("This needs turns; if all play together, nobody has one.")
    elif flag.reset != "round" or flag.start:
        text = phrase(
            'Nobody would have a turn in the next round; write reset = "round" below [flags.{flag}].', flag=word
        )
        yield path, text


def check_turns_of_things(page: PageNames, kind: KindDefinition, word: str) -> Wrong:
    """Check the counter by which things have turns of their own."""
    path: Path = ("things", word, "by")
    counter = page.figures[word].get(kind.by)
    if not isinstance(counter, CounterDefinition) or counter.words:
        counters = [name for name, each in page.figures[word].items() if isinstance(each, CounterDefinition)]
        yield path, no_such_name(kind.by, counters, COUNTER)
    if not page.page.play.is_by_figure:
        yield path, phrase('Things have turns only with order = "lowest" or "highest" below [play].')


def check_asked(page: PageNames, counter: CounterDefinition, path: Path) -> Wrong:
    """Check how players are asked for a counter."""
    play = page.page.play
    is_bid = play.order == "bid" and play.by_counter == path[-1]
    if counter.ask_at and page.page.sheet is not None and path[-1] in page.page.sheet.columns:
        yield (*path, "ask-at"), phrase("The score sheet has a column of this name; give one of the two another word.")
    is_of_things = counter.of in page.page.things
    if counter.ask_at and counter.of != SEAT and not is_of_things:
        text = phrase("This is asked of players and for things; this is a counter of somebody or something else.")
        yield (*path, "ask-at"), text
    elif counter.ask_at and (counter.words or counter.sum):
        yield (*path, "ask-at"), phrase("Players are asked for figures only; this counter has none to enter.")
    if counter.ask_at and is_of_things:
        yield from _check_asked_for_things(page, counter, path)
        return
    for key, is_given in (("secret", counter.secret), ("limit", bool(counter.limit))):
        if is_given and not counter.ask_at and not is_bid:
            yield (*path, key), phrase('This works only with ask-at = "…", the step in which players are asked for it.')
    if counter.secret:
        yield from check_secret_limits(counter.limits, (*path, "limit"))


def _check_asked_for_things(page: PageNames, counter: CounterDefinition, path: Path) -> Wrong:
    """Check that the table can be asked for a counter of things: in a step of the round, openly, and without limits."""
    step = next((step for step in page.page.steps if step.name == counter.ask_at), None)
    if step is not None and step.of != "round" and page.page.play.order != "together":
        text = phrase('The table is asked for figures of things in a step of the round; write of = "round" there.')
        yield (*path, "ask-at"), text
    for key, is_given in (("secret", counter.secret), ("limit", bool(counter.limit))):
        if is_given:
            yield (*path, key), phrase("This works only with a counter of players.")


def check_secret_limits(limits: Iterable[str], path: Path) -> Wrong:
    """Check that what is chosen in secret does not depend on what others choose."""
    for text in limits:
        if depends_on_others(text):
            yield path, phrase("Who chooses in secret does not know what others choose; leave out each and others.")
            return
