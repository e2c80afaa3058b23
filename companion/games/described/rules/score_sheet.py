"""The score sheet: its entries, the points of its rows, and the corrections of earlier rows.

A row has an entry of each seat or, with `each = "team"`, of each team, under its word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.described.page import actions as do
from companion.games.described.page.amount_texts import describe_amount, describe_gathered
from companion.games.described.page.amounts import (
    HAND_WORD,
    PLAYERS_WORD,
    SEVERAL,
    TABLE_WORDS,
    Amount,
    Extreme,
    Name,
    Negative,
    Number,
    Product,
    Sum,
    names_in,
    parse_amount,
)
from companion.games.described.page.conditions import OPERATORS, Condition, parse_condition
from companion.games.described.page.description import TEAM, Points, SheetDefinition
from companion.games.described.rules.amounts import compile_amount, gatherer_of, rounds_of
from companion.games.described.rules.context import Context, find_team, team_word
from companion.games.described.rules.effects import add_points, change
from companion.games.described.rules.evaluation import describe_comparison, describe_people
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedTable, Resolution, ScoreSheetRow
from companion.tabletop.action import RuleError
from companion.tabletop.text import figure as written
from templates.languages.messages import Text, joined, phrase

Entries = Mapping[str, Mapping[str, int]]
"""The figures of a row, by seat or team and by column."""

_NOTHING: Final[Mapping[str, int]] = {}
"""The row of a seat or team that has entered nothing."""


def enter(context: Context, action: do.Enter) -> None:
    """Enter a figure of this round in a column, or correct one of an earlier round. Raises RuleError for no row."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    sheet = plan.page.sheet
    assert sheet is not None
    if action.figure < sheet.least:
        column = column_title(plan, action.column)
        raise RuleError(phrase("{column} is at least {least}.", column=column, least=sheet.least))
    side = entry_side(plan, state, action.seat)
    present = len(state.rows) + 1
    number = row_of_entry(state, action)
    title = column_title(plan, action.column)
    if number > present:
        raise RuleError(
            phrase(
                "{round} {number} has no row yet; this is {present}.",
                round=plan.round_title,
                number=number,
                present=present,
            )
        )
    if not is_asked_in(plan, state, action.column, number):
        refused = phrase(
            "{column} is not asked for in {round} {number}.", column=title, round=plan.round_title, number=number
        )
        raise RuleError(refused)
    if number < present:
        _correct_row(context, action, side, number)
        return
    row = {**state.entered.get(side, {}), action.column: action.figure}
    resolution.change(entered={**state.entered, side: row})
    name = entry_name(plan, state, action.seat)
    text = phrase("{player}: {column} {figure}.", player=name, column=title, figure=written(action.figure))
    resolution.tell(text, action.seat if state.is_seat(action.seat) else "")
    _tell_sums(context, action.column)


def row_of_entry(state: DescribedTable, action: do.Enter) -> int:
    """Return the number of the row that a line enters a figure in: that of this round, or the one that it names."""
    return action.round or len(state.rows) + (0 if is_last_row_closed(state) else 1)


def is_last_row_closed(state: DescribedTable) -> bool:
    """Return True after the game if its last row is complete. Without a number, a line then corrects that one."""
    return state.outcome is not None and bool(state.rows) and not state.entered


def can_correct_after(plan: PagePlan, state: DescribedTable, column: str) -> bool:
    """Return True if a figure in a column can be corrected after the game, before it is sealed."""
    sheet = plan.page.sheet
    has_rows = bool(state.rows or state.entered)
    return sheet is not None and column in sheet.columns and has_rows and not state.sealed


def entries_now(state: DescribedTable) -> Entries:
    """Return the entries that lines without a number enter or correct."""
    return state.rows[-1].entered if is_last_row_closed(state) else state.entered


def entry_side(plan: PagePlan, state: DescribedTable, seat: str) -> str:
    """Return the seat or team that has the entry of a seat on the sheet; a team's word is itself.

    Raises RuleError if there is no such seat.
    """
    if plan.page.sheet is not None and plan.page.sheet.each == TEAM:
        team = find_team(state, seat)
        return team.word if team else team_word(state, state.player(seat).team)
    return state.player(seat).seat


def has_entries(plan: PagePlan, state: DescribedTable, word: str) -> bool:
    """Return True if a word is that of a seat, or on a score sheet of teams of a team, and the page has a sheet."""
    sheet = plan.page.sheet
    is_side = state.is_seat(word) or (sheet is not None and sheet.each == TEAM and find_team(state, word) is not None)
    return sheet is not None and is_side


def entry_name(plan: PagePlan, state: DescribedTable, seat: str) -> Text:
    """Return the display name of whoever has the entry of a seat on the sheet: the player, or the team."""
    team = find_team(state, entry_side(plan, state, seat))
    return plan.team_title(team.number) if team else state.player(seat).name


def sheet_sides(plan: PagePlan, state: DescribedTable) -> tuple[tuple[str, Text], ...]:
    """Return the seats or teams with entries on the sheet, each with its display name."""
    if plan.page.sheet is not None and plan.page.sheet.each == TEAM:
        return tuple((team.word, plan.team_title(team.number)) for team in state.teams)
    return tuple((player.seat, player.name) for player in state.players)


def _tell_sums(context: Context, entered: str) -> None:
    """Log a warning about each complete column with a wrong sum that depends on a column just `entered`."""
    sheet = context.plan.page.sheet
    for column, due in sheet.sum.items() if sheet else ():
        if entered in _columns_of_sum(context.plan, column, due) and (
            text := _describe_wrong_sum(context, column, due)
        ):
            context.resolution.tell(text)


def wrong_sums(plan: PagePlan, state: DescribedTable) -> Iterator[Text]:
    """Yield the warnings about complete columns of this round, and of the last one, that have wrong sums."""
    sheet = plan.page.sheet
    if sheet is None or not sheet.sum:
        return
    context = Context(plan, Resolution(state))
    for column, due in sheet.sum.items():
        if text := _describe_wrong_sum(context, column, due):
            yield text
    if state.rows and state.entered == {}:
        yield from _wrong_sums_of_row(plan, state, len(state.rows), sheet.sum)


def _wrong_sums_of_row(
    plan: PagePlan, state: DescribedTable, number: int, sums: Mapping[str, int | str]
) -> Iterator[Text]:
    """Yield the warnings about columns of a finished round that have wrong sums."""
    rows, row = state.rows[: number - 1], state.rows[number - 1]
    before = Context(plan, Resolution(replace(state, rows=rows, entered=row.entered, round=number)))
    for column, due in sums.items():
        if text := _describe_wrong_sum(before, column, due):
            yield joined(" ", (phrase("{round} {number}.", round=plan.round_title, number=number), text))


def _columns_of_sum(plan: PagePlan, column: str, due: int | str) -> tuple[str, ...]:
    """Return a column and those on which its sum depends."""
    sheet = plan.page.sheet
    assert sheet is not None
    others = () if isinstance(due, int) else (name.word for name in names_in(parse_amount(due)))
    return (column, *(word for word in others if word in sheet.columns))


def _describe_wrong_sum(context: Context, column: str, due: int | str) -> Text:
    """Return the warning about a column that does not have its sum; empty if it has, or if entries are missing."""
    plan, state = context.plan, context.resolution.state
    words = _columns_of_sum(plan, column, due)
    is_asked = all(is_asked_in(plan, state, word, len(state.rows) + 1) for word in words)
    if not is_asked or missing_entry(plan, state, words):
        return ""
    total = sum([row.get(column, 0) for row in state.entered.values()])
    wanted = (
        due if isinstance(due, int) else _read_sum(plan, due)(RowContext(context, state.entered, state.round), _NOTHING)
    )
    if total == wanted:
        return ""
    return phrase(
        "{column}: the sum is {total}, but should be {wanted}; look again.",
        column=column_title(plan, column),
        total=total,
        wanted=wanted,
    )


def _correct_row(context: Context, action: do.Enter, side: str, number: int) -> None:
    """Correct a figure of a finished round, and the totals with it. Raises RuleError if the row has no such entry."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    sheet = plan.page.sheet
    assert sheet is not None
    before, name = state.rows[number - 1], entry_name(plan, state, action.seat)
    round_title = joined(" ", (plan.round_title, number))
    if side not in before.entered:
        raise RuleError(phrase("{player} has nothing in the row of {round}.", player=name, round=round_title))
    entered = {**before.entered, side: {**before.entered[side], action.column: action.figure}}
    row_context = RowContext(context, entered, number)
    changed = (*before.points, side) if points_of(plan).depend_on_others else (side,)
    points = {**before.points, **{each: _row_points(row_context, each) for each in changed}}
    row = ScoreSheetRow(entered, points)
    resolution.change(rows=(*state.rows[: number - 1], row, *state.rows[number:]))
    title = column_title(plan, action.column)
    text = phrase(
        "{player}: {column} {figure} in {round}, corrected.",
        player=name,
        column=title,
        figure=written(action.figure),
        round=round_title,
    )
    resolution.tell(text, action.seat if state.is_seat(action.seat) else "")
    sums = {word: due for word, due in sheet.sum.items() if action.column in _columns_of_sum(plan, word, due)}
    for warning in _wrong_sums_of_row(plan, resolution.state, number, sums):
        resolution.tell(warning)
    for each, now in points.items():
        if by := now - before.points.get(each, 0):
            change(context, each, sheet.counts, by)


def column_title(plan: PagePlan, column: str) -> Text:
    """Return the display name of a column of the sheet."""
    titles = plan.page.sheet.titles if plan.page.sheet else {}
    return titles.get(column, "") or plan.texts.title(column)


def is_asked_in(plan: PagePlan, state: DescribedTable, column: str, number: int) -> bool:
    """Return True if a column is asked for in the round with this number."""
    sheet = plan.page.sheet
    rounds = sheet.rounds.get(column) if sheet is not None and sheet.rounds else None
    if rounds is None:
        return True
    if rounds == "last":
        return number == rounds_of(plan, state)
    return number == rounds if isinstance(rounds, int) else number in rounds


def columns_to_correct(plan: PagePlan, state: DescribedTable, word: str) -> tuple[str, ...]:
    """Return the columns in which a seat or team has an entry in some round."""
    sheet = plan.page.sheet
    columns = sheet.columns if sheet is not None and has_entries(plan, state, word) else ()
    return tuple([column for column in columns if any(True for _ in rounds_to_correct(plan, state, word, column))])


def rounds_to_correct(plan: PagePlan, state: DescribedTable, seat: str, column: str) -> Iterator[tuple[int, str]]:
    """Yield the rounds in which the side of a seat has a row that has or may have a column, each with its figure."""
    side = entry_side(plan, state, seat)
    for number, row in enumerate((*(row.entered for row in state.rows), state.entered), 1):
        figures = row.get(side, _NOTHING)
        is_present = number > len(state.rows)
        if column in figures or (figures and not is_present and is_asked_in(plan, state, column, number)):
            yield number, written(figures[column]) if column in figures else "–"


def columns_of_row(plan: PagePlan, state: DescribedTable, number: int) -> tuple[str, ...]:
    """Return the columns that are asked for in the round with this number."""
    sheet = plan.page.sheet
    if sheet is None or not sheet.rounds:
        return sheet.columns if sheet else ()
    return tuple([column for column in sheet.columns if is_asked_in(plan, state, column, number)])


def missing_entry(
    plan: PagePlan, state: DescribedTable, columns: Iterable[str] | None = None
) -> tuple[str, str] | None:
    """Return the next seat and column missing in the row of this round, by columns; None if the row is complete.

    If `columns` is given, only these columns are checked.
    """
    sheet = plan.page.sheet
    if sheet is None:
        return None
    columns, sides = sheet.columns if columns is None else columns, _playing_sides(state, sheet)
    if sheet.rounds:
        of_round = columns_of_row(plan, state, len(state.rows) + 1)
        columns = [column for column in columns if column in of_round]
    filled = set(columns).intersection(*(state.entered.get(side, _NOTHING) for side in sides.values()))
    for column in columns:
        if column not in filled:
            for seat in _seats_without(state, sheet, column, sides):
                return seat, column
    return None


def missing_seats(plan: PagePlan, state: DescribedTable, column: str) -> Iterator[str]:
    """Yield the seats that have not entered a column of this round's row yet, in the order of the round.

    For a sheet of teams, the first seat of each team enters its figures.
    """
    sheet = plan.page.sheet
    assert sheet is not None
    if not is_asked_in(plan, state, column, len(state.rows) + 1):
        return iter(())
    return _seats_without(state, sheet, column, _playing_sides(state, sheet))


def _seats_without(
    state: DescribedTable, sheet: SheetDefinition, column: str, sides: Mapping[str, str]
) -> Iterator[str]:
    entered, already = state.entered, set[str]()
    for seat in (state.tokens.get(sheet.of[column], ""),) if column in sheet.of else state.order or sides:
        side = sides.get(seat, "")
        if side and column not in entered.get(side, _NOTHING) and side not in already:
            already.add(side)
            yield seat


def total_of_entry(plan: PagePlan, state: DescribedTable, seat: str, column: str) -> str:
    """Return the counter to which the points of a row are added; "" if a seat has entered nothing in this column."""
    sheet = plan.page.sheet
    if sheet is None or column not in entries_now(state).get(entry_side(plan, state, seat), _NOTHING):
        return ""
    return sheet.counts


def _playing_sides(state: DescribedTable, sheet: SheetDefinition) -> dict[str, str]:
    """Return the seats that still play, in order, each with the seat or team that has its entry on the sheet."""
    if sheet.each == TEAM:
        return {player.seat: state.teams[player.team - 1].word for player in state.players if not player.out}
    return {player.seat: player.seat for player in state.players if not player.out}


def close_row(context: Context) -> None:
    """Compute the points of this round's row, which is complete, and add them to the totals."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    sheet = plan.page.sheet
    if sheet is None:
        return
    of_round = columns_of_row(plan, state, len(state.rows) + 1)
    columns_of_all = frozenset([column for column in of_round if column not in sheet.of])
    entered, sides = state.entered, list(state.entered)
    if not columns_of_all and points_of(plan).depend_on_others:
        sides = list(dict.fromkeys(entry_side(plan, state, player.seat) for player in state.playing))
    row = RowContext(context, entered, len(state.rows) + 1)
    complete = [side for side in sides if columns_of_all <= entered.get(side, _NOTHING).keys()]
    points = {side: _row_points(row, side) for side in complete}
    resolution.change(rows=(*state.rows, ScoreSheetRow(entered, points)), entered={})
    add_points(context, sheet.counts, points)


# The points of a row


class RowContext(NamedTuple):
    """A row of the sheet while its points are computed: its entries and its number."""

    context: Context
    entered: Entries
    number: int


RowEntry = Mapping[str, int]
"""The figures that a seat or team has entered in a row, by column."""
_RowReader = Callable[[RowContext, RowEntry], int]
"""A compiled amount of a row and one of its entries."""
_RowCondition = Callable[[RowContext, RowEntry], bool]
"""A compiled condition about an entry of a row."""


class _PointsRule(NamedTuple):
    """A compiled entry of `[[sheet.points]]`: its conditions, and what it adds if all of them hold.

    `terms` are the amounts as they can be described. `timed` are the columns in it that are not asked for in every
    round.
    """

    conditions: tuple[_RowCondition, ...]
    amounts: tuple[_RowReader, ...]
    terms: tuple[Amount, ...]
    timed: tuple[str, ...] = ()


class _SheetPoints(NamedTuple):
    """The compiled `[[sheet.points]]`, and whether the points of an entry depend on the other entries of its row."""

    rules: tuple[_PointsRule, ...]
    depend_on_others: bool


_WORD: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DIFFERENCE: Final = re.compile(r"\s*([a-z0-9-]+?)(?:\s+-\s+([a-z0-9-]+))?\s*")


def _row_points(row: RowContext, side: str) -> int:
    """Return the points of an entry of a row."""
    plan = row.context.plan
    sheet = plan.page.sheet
    assert sheet is not None
    if not sheet.points:
        return row.entered.get(side, _NOTHING).get(sheet.columns[-1], 0)
    entry, total = row.entered.get(side, _NOTHING), 0
    for rule in _rules_that_hold(row, entry):
        for read in rule.amounts:
            total += read(row, entry)
    return total


def _rules_that_hold(row: RowContext, entry: RowEntry) -> Iterator[_PointsRule]:
    """Yield the entries of `[[sheet.points]]` that count for an entry of a row."""
    for rule in points_of(row.context.plan).rules:
        if rule.timed and not _is_asked_for_all(row, rule.timed):
            continue
        for holds in rule.conditions:
            if not holds(row, entry):
                break
        else:
            yield rule


def _is_asked_for_all(row: RowContext, columns: Sequence[str]) -> bool:
    """Return True if all of these columns are asked for in the round of a row."""
    plan, state = row.context.plan, row.context.resolution.state
    return all(is_asked_in(plan, state, column, row.number) for column in columns)


def terms_of_points(row: RowContext, side: str) -> Iterator[Amount]:
    """Yield the amounts whose sum are the points of an entry of a row; none if its last column has them."""
    sheet = row.context.plan.page.sheet
    if sheet is not None and sheet.points:
        for rule in _rules_that_hold(row, row.entered.get(side, _NOTHING)):
            yield from rule.terms


def points_of(plan: PagePlan) -> _SheetPoints:
    """Return the compiled points of the sheet, cached in the plan."""
    points: _SheetPoints | None = plan.points
    if points is None:
        sheet = plan.page.sheet
        assert sheet is not None
        texts = [text for each in sheet.points for text in (*each.conditions, str(each.points))]
        rules = tuple(_compile_points(plan, each) for each in sheet.points)
        points = plan.points = _SheetPoints(rules, any(map(_OTHERS.search, texts)))
    return points


def _compile_points(plan: PagePlan, points: Points) -> _PointsRule:
    conditions = tuple(_compile_condition(plan, parse_condition(text)) for text in points.conditions)
    amounts = [_read_in_row(plan, str(points.points))] if points.points else []
    terms = [parse_amount(str(points.points))] if points.points else []
    if points.per:
        amounts.append(_per_reader(points.per, points.times))
        terms.append(_per_term(points.per, points.times))
    sheet = plan.page.sheet
    words = _WORD.findall(" ".join((*points.conditions, str(points.points), points.per)))
    timed = tuple(word for word in dict.fromkeys(words) if sheet is not None and word in sheet.rounds)
    return _PointsRule(conditions, tuple(amounts), tuple(terms), timed)


def _compile_condition(plan: PagePlan, condition: Condition) -> _RowCondition:
    compare = OPERATORS[condition.op]
    left, right = (compile_in_row(plan, each) for each in _sides_of(condition))
    return lambda row, entry: compare(left(row, entry), right(row, entry))


def _sides_of(condition: Condition) -> tuple[Amount, Amount]:
    """Return the two amounts that a condition compares."""
    left = condition.left if condition.left is not None else Name(condition.owner, condition.counter)
    value = condition.value
    if isinstance(value, int):
        return left, Number(value)
    return left, parse_amount(value) if isinstance(value, str) else value


def limit_holds(context: Context, text: str, seat: str, column: str, value: int) -> bool:
    """Return True if the row of this round would meet a condition with one more entry."""
    plan, state = context.plan, context.resolution.state
    if text not in plan.limits:
        plan.limits[text] = _compile_condition(plan, parse_condition(text))
    side = entry_side(plan, state, seat)
    entry = {**state.entered.get(side, _NOTHING), column: value}
    row = RowContext(context, {**state.entered, side: entry}, state.round)
    holds: bool = plan.limits[text](row, entry)
    return holds


def describe_limit(context: Context, condition: Condition) -> Text:
    """Return a condition about the columns of a row as displayed text: `the Bid of everybody together is not 5`."""

    def text_of(name: Name) -> Text:
        if name.word in TABLE_WORDS or name.word == HAND_WORD:
            reader = column_reader(context.plan, name)
            return written(reader(RowContext(context, {}, context.resolution.state.round), _NOTHING))
        title = column_title(context.plan, name.word)
        if not name.owner:
            return title
        if name.owner == "left":
            return phrase("the {figure} of the player to the left", figure=title)
        if name.owner == "right":
            return phrase("the {figure} of the player to the right", figure=title)
        return describe_gathered(name, title, describe_people(name.owner))

    left, right = (describe_amount(side, text_of) for side in _sides_of(condition))
    comparison = describe_comparison(condition.op, right)
    return phrase("{figure} is {comparison}", figure=left, comparison=comparison)


def _per_reader(per: str, times: int) -> _RowReader:
    """Return the function that multiplies a column, or the difference between two columns without its sign."""
    match = _DIFFERENCE.fullmatch(per)
    assert match is not None
    column, less = match[1], match[2]
    if not less:
        return lambda _, entry: times * entry.get(column, 0)
    return lambda _, entry: times * abs(entry.get(column, 0) - entry.get(less, 0))


def _per_term(per: str, times: int) -> Amount:
    """Return the amount that `_per_reader` reads."""
    match = _DIFFERENCE.fullmatch(per)
    assert match is not None
    column = Name("", match[1])
    less = Name("", match[2]) if match[2] else None
    figure: Amount = column
    if less is not None:
        figure = Extreme(True, (Sum((column, Negative(less))), Sum((less, Negative(column)))))
    return figure if times == 1 else Product((Number(times), figure))


def _read_in_row(plan: PagePlan, text: str) -> _RowReader:
    return compile_in_row(plan, parse_amount(text))


def compile_in_row(plan: PagePlan, amount: Amount) -> _RowReader:
    """Return an amount of columns as a function of a row and one of its entries."""
    return compile_amount(
        amount, lambda name: column_reader(plan, name), plan.players[0], lambda part: _rivals_in_row(plan, part)
    )


def _rivals_in_row(plan: PagePlan, amount: Amount) -> Callable[[RowContext, RowEntry], Iterable[RowEntry]]:
    """Return the function that finds the entries of a row that have each column of an amount."""
    columns = plan.page.sheet.columns if plan.page.sheet else ()
    words = {name.word for name in names_in(amount) if name.word in columns}
    return lambda row, _: [each for each in row.entered.values() if words <= each.keys()]


def _read_sum(plan: PagePlan, text: str) -> _RowReader:
    """Return the amount that the entries of a column add up to; a column in it is the sum of its own entries."""
    sheet = plan.page.sheet
    assert sheet is not None

    def reader(name: Name) -> _RowReader:
        return column_reader(plan, Name("each", name.word) if name.word in sheet.columns else name)

    return compile_amount(parse_amount(text), reader, plan.players[0])


def column_reader(plan: PagePlan, name: Name) -> _RowReader:
    owner, column = name.owner, name.word
    sheet = plan.page.sheet
    if not owner and column in plan.table_words and (sheet is None or column not in sheet.columns):
        if column == HAND_WORD:
            return lambda row, _: plan.hand_of(replace(row.context.resolution.state, round=row.number))
        if column == PLAYERS_WORD:
            return lambda row, _: len(row.context.resolution.state.players)
        return lambda row, _: int(row.number)
    if owner in SEVERAL:
        is_each, gather = owner == "each", gatherer_of(name)
        return lambda row, entry: gather(
            [each[column] for each in row.entered.values() if column in each and (is_each or each is not entry)]
        )
    if owner:
        step = 1 if owner == "left" else -1
        return lambda row, entry: _neighbour(row, entry, step).get(column, 0)
    return lambda _, entry: entry.get(column, 0)


def _neighbour(row: RowContext, entry: RowEntry, step: int) -> RowEntry:
    """Return the entry of the next seat in a direction that has one in the row."""
    seats = (player.seat for player in row.context.resolution.state.players)
    entries = [row.entered[seat] for seat in seats if seat in row.entered]
    at = next((number for number, each in enumerate(entries) if each is entry), None)
    return _NOTHING if at is None else entries[(at + step) % len(entries)]


_OTHERS: Final = re.compile(rf"\b(?:{'|'.join(SEVERAL)})\b|\b(?:rank|ties) +of\b|\b(?:left|right)\.", re.IGNORECASE)
"""Words that make the points of an entry depend on the other entries of its row."""
