"""The figures that players are asked for: counters in a step and columns of the score sheet, and their limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from companion.games.described.page import actions as do
from companion.games.described.page.conditions import parse_condition, waits_for_others
from companion.games.described.page.description import SEAT, CounterDefinition
from companion.games.described.rules import score_sheet
from companion.games.described.rules.amounts import start_of
from companion.games.described.rules.context import Context, value_of
from companion.games.described.rules.effects import move_others
from companion.games.described.rules.evaluation import check_of, describe_condition
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedTable, Piece, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.notation.line_texts import VerbTitle
from companion.tabletop.table.common_actions import Set
from companion.tabletop.text import figure as written
from companion.tabletop.text import in_quotes
from templates.languages.messages import Text, any_of, joined, listed, phrase, phrase_in

_MOST_LISTED: Final = 20
"""The number of figures above 0, the least or the first possible one that are looked at if nothing says the largest."""
_FARTHEST: Final = 200
"""The distance from 0 up to which a possible figure is searched for."""


def words_to_enter(plan: PagePlan) -> tuple[str, ...]:
    """Return the words that can be entered: the columns of the score sheet, and the counters that are asked for."""
    columns = plan.page.sheet.columns if plan.page.sheet else ()
    questions = plan.question_words - plan.thing_questions
    return (*columns, *(word for word in plan.page.counters if word in questions and word not in columns))


def is_column(plan: PagePlan, word: str) -> bool:
    """Return True if a word is a column of the score sheet."""
    return plan.page.sheet is not None and word in plan.page.sheet.columns


def title_of_word(plan: PagePlan, word: str) -> Text:
    """Return the display name of a column or counter."""
    return score_sheet.column_title(plan, word) if is_column(plan, word) else plan.title(_owner_of(plan, word), word)


def name_button(plan: PagePlan, word: str) -> Text:
    """Return what a button says that enters a figure: `Enter Tricks`."""
    # Translators: A button: an action, and what it is about: “Enter Tricks”.
    return phrase("{action} {what}", action=VerbTitle(do.Enter.verb()), what=title_of_word(plan, word))


def _owner_of(plan: PagePlan, word: str) -> str:
    """Return the owner of a counter that is asked for: a seat, or a kind of thing."""
    return plan.page.counters[word].of if word in plan.page.counters else SEAT


def name_asked(plan: PagePlan, state: DescribedTable, seat: str, word: str) -> Text:
    """Return the display name of whoever answers, or for what: a player, on the score sheet of teams the team, a thing.

    Things of one name are asked about together, so it is theirs without a number.
    """
    if word in plan.thing_questions:
        return plan.texts.name(state.piece(seat).title)
    return score_sheet.entry_name(plan, state, seat) if is_column(plan, word) else state.player(seat).name


def is_secret(plan: PagePlan, word: str) -> bool:
    """Return True if everybody chooses a figure in secret."""
    sheet = plan.page.sheet
    return word in sheet.secret if sheet is not None and word in sheet.columns else plan.page.counters[word].secret


def is_free(plan: PagePlan, word: str) -> bool:
    """Return True if nobody need wait for others to choose a figure: it is open, and no limit depends on an order."""
    return not is_secret(plan, word) and not any(map(waits_for_others, limits_of(plan, word)))


def limits_of(plan: PagePlan, word: str) -> tuple[str, ...]:
    """Return the conditions that an answer must meet."""
    sheet = plan.page.sheet
    if sheet is not None and word in sheet.columns:
        return sheet.limits_of(word)
    return plan.page.counters[word].limits if word in plan.page.counters else ()


def least_of(plan: PagePlan, word: str) -> int:
    """Return the smallest figure that can be entered."""
    if is_column(plan, word):
        assert plan.page.sheet is not None
        return plan.page.sheet.least
    counter = plan.page.counters.get(word)
    return counter.least if counter is not None and counter.least != "none" else 0


# Whose answers are missing


def silent_seats(plan: PagePlan, state: DescribedTable, word: str) -> Iterator[str]:
    """Yield the seats whose answers are missing, in the order of the round."""
    if is_column(plan, word):
        yield from score_sheet.missing_seats(plan, state, word)
        return
    answers = state.replies.get(word, ())
    if word in plan.thing_questions:
        yield from _silent_things(plan, state, word)
        return
    for seat in (state.active,) if state.active else state.order or tuple(player.seat for player in state.players):
        if seat not in answers and state.is_seat(seat) and not state.player(seat).out:
            yield seat


def _silent_things(plan: PagePlan, state: DescribedTable, word: str) -> Iterator[str]:
    """Yield the first thing of each name whose figure is not known yet: nobody has said it, or it was reset since."""
    names = set[str]()
    for piece in state.pieces:
        if piece.title not in names and _is_unknown(plan, state, piece, word):
            names.add(piece.title)
            yield piece.handle


def _is_unknown(plan: PagePlan, state: DescribedTable, piece: Piece, word: str) -> bool:
    """Return True if the table has yet to say the figure of a thing."""
    counter = plan.page.counters[word]
    if piece.kind != counter.of or piece.handle in state.replies.get(word, ()):
        return False
    return not counter.reset or plan.read(counter.of, piece.figures, word) == start_of(plan, state, counter)


def missing_answer(plan: PagePlan, state: DescribedTable) -> tuple[str, str] | None:
    """Return the next seat and counter that must be answered before this step ends, or None."""
    for word in plan.questions.get(state.step, ()):
        if plan.page.counters[word].ask_at:
            for seat in silent_seats(plan, state, word):
                return seat, word
    return None


def missing_bid(plan: PagePlan, state: DescribedTable) -> tuple[str, str] | None:
    """Return the next seat and counter that are asked for the order of the round, without an obligation; or None."""
    for word in plan.questions.get(state.step, ()):
        for seat in silent_seats(plan, state, word):
            return seat, word
    return None


def note_answer(context: Context, target: str, counter: str) -> None:
    """Note that a seat has answered, if it is asked for this counter in the present step; the same for a thing."""
    state = context.resolution.state
    if counter not in context.plan.questions.get(state.step, ()):
        return
    if not (target in state.board if counter in context.plan.thing_questions else state.is_seat(target)):
        return
    answers = state.replies.get(counter, ())
    if target not in answers:
        context.resolution.change(replies={**state.replies, counter: (*answers, target)})


# Answers and their limits


def answer_by_set(context: Context, action: Set, overwrite: Callable[[], object]) -> None:
    """Set a figure by hand, and note it as an answer if it is asked for.

    An answer changes the counters that move with it, and one about a thing counts for all things of its name.
    """
    plan, state = context.plan, context.resolution.state
    word = action.counter
    if word in plan.questions.get(state.step, ()) and action.value.isdecimal():
        before = value_of(context, action.target, word)
        overwrite()
        move_others(context, action.target, plan.page.counters[word], int(action.value) - int(before or 0))
    else:
        overwrite()
    target = next((piece for piece in state.pieces if piece.handle == action.target), None)
    if (
        word in plan.thing_questions
        and target
        and word in plan.questions.get(state.step, ())
        and action.value.isdecimal()
    ):
        for piece in state.pieces:
            if piece.title == target.title and piece is not target and _is_unknown(plan, state, piece, word):
                value = plan.check_value(word, plan.page.counters[word], int(action.value), piece.figures)
                _write_answer(context, piece.handle, word, value)
                note_answer(context, piece.handle, word)
    note_answer(context, action.target, word)


def enter_figure(context: Context, action: do.Enter) -> None:
    """Enter a figure on the score sheet, or a counter that players are asked for. Raises RuleError if it is refused."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    word = action.column
    if word not in (words := words_to_enter(plan)):
        raise RuleError(
            phrase(
                "There is nothing to enter called {column}; there is: {columns}.",
                column=in_quotes(word),
                columns=listed(words) if words else phrase_in("columns", "none"),
            )
        )
    is_present = score_sheet.row_of_entry(state, action) == len(state.rows) + 1
    if is_column(plan, word):
        if is_present and not action.is_allowed:
            _check_limits(context, action)
        score_sheet.enter(context, action)
        return
    if action.round and action.round != state.round:
        raise RuleError(phrase("{figure} has no row for earlier rounds.", figure=title_of_word(plan, word)))
    counter = plan.page.counters[word]
    seat, title = state.player(action.seat).seat, title_of_word(plan, word)
    plan.check_value(word, counter, action.figure, state.player(seat).figures)
    if not action.is_allowed:
        _check_limits(context, action)
    resolution.tell(
        phrase(
            "{player}: {column} {figure}.", player=resolution.name(seat), column=title, figure=written(action.figure)
        ),
        seat,
    )
    _write_answer(context, seat, word, action.figure)
    note_answer(context, seat, word)


def _write_answer(context: Context, target: str, word: str, value: int) -> None:
    """Set a counter to the answer about it, and change the counters that move with it."""
    before = value_of(context, target, word)
    context.plan.write(context.resolution, _owner_of(context.plan, word), target, word, value)
    move_others(context, target, context.plan.page.counters[word], value - int(before or 0))


def _check_limits(context: Context, action: do.Enter) -> None:
    """Raise RuleError if a figure is beyond a limit, with the rule, and the figures that are open."""
    plan, seat, word = context.plan, action.seat, action.column
    broken = next(_broken_limits(context, _limits_now(context, seat, word), seat, word, action.figure), "")
    if not broken:
        return
    condition = parse_condition(broken)
    name = name_asked(plan, context.resolution.state, seat, word)
    if is_column(plan, word):
        rule: Text = score_sheet.describe_limit(context, condition)
    else:
        mine = _with_answer(context._replace(me=seat), seat, word, action.figure)
        rule = describe_condition(mine, condition)
    sentences: list[Text] = [
        # Translators: {condition} is such as “the Bid of everybody together is not 5”.
        phrase(
            "{player}: {column} cannot be {figure}, since {condition} by the rules.",
            player=name,
            column=title_of_word(plan, word),
            figure=written(action.figure),
            condition=rule,
        )
    ]
    if open_text := describe_open(context, seat, word):
        sentences.append(open_text)
    line = f"enter {seat} {word} {action.figure} anyway"
    sentences.append(phrase("If the table allows it: `{line}`.", line=line))
    raise RuleError(joined(" ", sentences))


def _limits_now(context: Context, seat: str, word: str) -> tuple[str, ...]:
    """Return the limits that count for an answer of a seat now. Those about several players count for the last one."""
    plan, state = context.plan, context.resolution.state
    limits = limits_of(plan, word)
    if not any(map(waits_for_others, limits)):
        return limits
    side, silent = seat, list(silent_seats(plan, state, word))
    if is_column(plan, word):
        side = score_sheet.entry_side(plan, state, seat)
        silent = [score_sheet.entry_side(plan, state, each) for each in silent]
    is_last = all(each == side for each in silent)
    return tuple(text for text in limits if is_last or not waits_for_others(text))


def _is_within(context: Context, limits: Iterable[str], seat: str, word: str, value: int) -> bool:
    """Return True if an answer meets limits."""
    return not any(True for _ in _broken_limits(context, limits, seat, word, value))


def _broken_limits(context: Context, limits: Iterable[str], seat: str, word: str, value: int) -> Iterator[str]:
    """Yield the limits that an answer does not meet."""
    mine = None
    for text in limits:
        if is_column(context.plan, word):
            holds = score_sheet.limit_holds(context, text, seat, word, value)
        else:
            mine = mine or _with_answer(context._replace(me=seat), seat, word, value)
            holds = check_of(context.plan, text).holds(mine, seat)
        if not holds:
            yield text


def _with_answer(context: Context, seat: str, word: str, value: int) -> Context:
    """Return the context of a table at which a seat has already answered."""
    trial = Resolution(context.resolution.state)
    context.plan.write(trial, SEAT, seat, word, value)
    return context._replace(resolution=trial)


def divide_figures(context: Context, seat: str, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the figures that a seat can answer now, and those that a limit excludes.

    They follow each other without a gap. If no end is known, more figures may be possible beyond the last one; without
    a least figure, also before the first one.
    """
    limits = _limits_now(context, seat, word)
    possible, excluded = list[int](), list[int]()
    for value in _figures_to_try(context, limits, seat, word):
        (possible if _is_within(context, limits, seat, word, value) else excluded).append(value)
    return tuple(possible), tuple(excluded)


def is_possible(context: Context, seat: str, word: str) -> bool:
    """Return False if the limits exclude every figure that a seat can answer; True if there may be others far away."""
    plan, state = context.plan, context.resolution.state
    limits = _limits_now(context, seat, word)
    if not limits or None in (_smallest_figure(plan, word), _largest_figure(plan, state, word)):
        return True
    first, last = _ends_of_search(plan, state, word)
    # The cards of a hand are the likely end of a column, but not its bound.
    farthest = last + _FARTHEST if is_column(plan, word) else last
    return any(_is_within(context, limits, seat, word, each) for each in range(first, farthest + 1))


def _figures_to_try(context: Context, limits: Sequence[str], seat: str, word: str) -> range:
    """Return the figures that are likely answers, at least up to the first one that the limits leave."""

    def find_first(figures: range) -> int | None:
        return next((each for each in figures if _is_within(context, limits, seat, word, each)), None)

    plan, state = context.plan, context.resolution.state
    first, last = _ends_of_search(plan, state, word)
    if _largest_figure(plan, state, word) is not None:
        likely = range(first, last + 1)
        if not is_column(plan, word) or find_first(likely) is not None:
            return likely
        last += _FARTHEST
    near = max(first, 0) + _MOST_LISTED
    possible = find_first(range(first, last + 1))
    return range(first, (near if possible is None else max(near, possible + _MOST_LISTED)) + 1)


def _ends_of_search(plan: PagePlan, state: DescribedTable, word: str) -> tuple[int, int]:
    """Return the first and the last figure that can be looked at."""
    least, most = _smallest_figure(plan, word), _largest_figure(plan, state, word)
    first = -_FARTHEST if least is None else least
    return first, max(first, 0) + _FARTHEST if most is None else most


def _smallest_figure(plan: PagePlan, word: str) -> int | None:
    """Return the smallest possible answer, or None if there is none or it is too far away."""
    counter = plan.page.counters.get(word)
    if not is_column(plan, word) and counter is not None and counter.least == "none":
        return None
    least = least_of(plan, word)
    return least if least >= -_FARTHEST else None


def _largest_figure(plan: PagePlan, state: DescribedTable, word: str) -> int | None:
    """Return the largest figure that makes sense as an answer, or None if nothing says it or it is too far away."""
    least = least_of(plan, word)
    counter = plan.page.counters.get(word)
    if is_column(plan, word):
        most = max(least, plan.hand_of(state)) if plan.page.play.hand else None
    else:
        most = counter.most_figure if isinstance(counter, CounterDefinition) else None
    return most if most is not None and most <= least + _MOST_LISTED else None


def describe_open_to_last(context: Context, seat: str, word: str) -> Text:
    """Return the sentence on the figures that the answers of others leave to the last one; else an empty string."""
    is_last = any(map(waits_for_others, _limits_now(context, seat, word)))
    return describe_open(context, seat, word) if is_last else ""


def describe_open(context: Context, seat: str, word: str) -> Text:
    """Return the sentence on the figures that the limits leave.

    An empty string if they exclude none, or if the figures that were looked at do not tell which others are open.
    """
    plan, state = context.plan, context.resolution.state
    possible, excluded = divide_figures(context, seat, word)
    if not excluded:
        return ""
    if not possible:
        return "" if is_possible(context, seat, word) else phrase("No figure is open.")
    if are_all_listed(plan, state, word, possible, excluded):
        return phrase("Open: {figures}.", figures=listed(_describe_runs(possible)))
    if max(possible) > max(excluded) and (min(possible) < min(excluded) or _smallest_figure(plan, word) is not None):
        return phrase("Not {figures}.", figures=any_of(_describe_runs(excluded)))
    return ""


def are_all_listed(
    plan: PagePlan, state: DescribedTable, word: str, possible: Sequence[int], excluded: Sequence[int]
) -> bool:
    """Return True if no figure beyond those that were looked at can be possible, as far as the limits show."""
    if not possible:
        return False
    if max(possible) > max(excluded, default=min(possible)) and max(possible) != _largest_figure(plan, state, word):
        return False
    return min(possible) > min(excluded, default=max(possible)) or _smallest_figure(plan, word) is not None


def _describe_runs(figures: Sequence[int]) -> Iterable[Text]:
    """Yield figures as text, several in a row as one: `0–2`, `5`."""
    for _, run in groupby(enumerate(figures), lambda each: each[1] - each[0]):
        numbers = [number for _, number in run]
        first, last = written(numbers[0]), written(numbers[-1])
        if len(numbers) < 3:
            yield from map(written, numbers)
        else:
            yield joined("–", (first, last))
