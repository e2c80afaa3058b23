"""The effects of a page's lines: changes of figures and their consequences, tokens, things, pools and score sheets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, pairwise
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from companion.games.described.page import actions as do
from companion.games.described.page.amounts import owners_in, split_amounts
from companion.games.described.page.description import (
    RIVAL,
    SEAT,
    TABLE,
    TEAM,
    CounterDefinition,
    Flag,
    Pool,
    PoolCard,
    title_of,
)
from companion.games.described.page.takes import TAKEN_WORD
from companion.games.described.rules.amounts import read_amount, size_of, start_of, starts_of
from companion.games.described.rules.context import (
    Context,
    Value,
    bearer_of,
    counter_of,
    find_bearer,
    name_of,
    put_by,
    target_of,
    targets_of,
    targets_of_counter,
    value_of,
)
from companion.games.described.rules.plan import ROUND, TURN, Figure, FigureChange, PagePlan, owner_of
from companion.games.described.rules.state import (
    DescribedPlayer,
    DescribedTable,
    Owner,
    Piece,
    PoolState,
    Resolution,
    rival_counter,
    split_number,
)
from companion.games.described.rules.zones import place_piece, settle_places
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import Brought
from companion.tabletop.decks.decklist import ListedCard, handle
from companion.tabletop.notation.arguments import MAX_VALUE, write_text
from companion.tabletop.text import figure as written
from companion.tabletop.text import in_quotes
from templates.languages.messages import (
    Finished,
    Message,
    Text,
    WithinSentence,
    all_of,
    joined,
    phrase,
    phrase_in,
)
from templates.languages.messages import listed as in_list

Effect = Callable[[Context], None]
"""A change that a page's line makes."""


# Figures


def change(context: Context, target: str, counter: str, by: int) -> None:
    """Change a counter within its bounds, and the counters that move with it. Log all changes.

    Raises RuleError if the target has no such counter, or if the result would exceed the limit of all figures.
    """
    thing = bearer_of(context, target, counter)
    own = context.plan.numbers[owner_of(thing)].get(counter)
    figure, rival = (own, "") if own else _changeable_counter(context, thing, target, counter)
    _change_counter(context, thing, counter, figure, by, rival)


def add_points(context: Context, counter: str, points: Mapping[str, int]) -> None:
    """Change a counter of several seats or teams, by their words, as `change` does for each."""
    figure = context.plan.numbers[SEAT].get(counter)
    places = {player.seat: at for at, player in enumerate(context.resolution.state.players)} if figure else {}
    for target, by in points.items():
        if figure is not None and target in places:
            _change_counter(context, context.resolution.state.players[places[target]], counter, figure, by)
        else:
            change(context, target, counter, by)


def _change_counter(
    context: Context,
    thing: Owner,
    counter: str,
    figure: CounterDefinition,
    by: int,
    rival: str = "",
    *,
    is_by_itself: bool = False,
) -> None:
    """Change a counter and log it. One that stays the same is not worth a word if the change comes by itself."""
    before = thing.figures.get(counter, 0)
    assert isinstance(before, int)
    after = context.plan.clamp_figure(figure, before + by, thing.figures)
    title = title_of(counter[: -len(rival) - 1] if rival else counter, figure.title)
    if abs(after) > MAX_VALUE:
        raise RuleError(phrase("{figure} would be absurd: no figure goes beyond {most}.", figure=title, most=MAX_VALUE))
    if after == before:
        if not is_by_itself:
            _tell_change(context, thing, title, rival, before, after)
        return
    context.plan.write_figure(context.resolution, thing, counter, after)
    _tell_change(context, thing, title, rival, before, after)
    if context.plan.limits_of_figures[owner_of(thing)]:
        _tell_followers(context, thing, counter)
    if figure.also:
        move_others(context, target_of(thing), figure, after - before)


def move_others(context: Context, target: str, figure: Figure, by: Value) -> None:
    """Change the counters of a target that move with another one, which has changed by an amount."""
    if by and isinstance(figure, CounterDefinition) and figure.also:
        for other, each in figure.also.items():
            if each:
                change(context, target, other, each * int(by))


def _changeable_counter(context: Context, thing: Owner, target: str, counter: str) -> tuple[CounterDefinition, str]:
    """Return a counter that is kept for a rival, and the rival. Raises RuleError if nobody has it, or it is a sum."""
    plan, of = context.plan, owner_of(thing)
    figure, rival = plan.figure_of(context.resolution.state, of, counter) or (None, "")
    if not isinstance(figure, CounterDefinition) or figure.words:
        raise RuleError(
            phrase(
                "{thing} has no figure {figure}; there is: {figures}.",
                thing=name_of(context, thing),
                figure=in_quotes(counter),
                figures=in_list(plan.given[of]) if plan.given[of] else phrase_in("figures", "none"),
            )
        )
    if figure.sum:
        raise RuleError(_says_sum(plan, of, counter))
    if rival == target:
        raise RuleError(phrase("{player} has no such figure for themselves.", player=name_of(context, thing)))
    return figure, rival


def _says_sum(plan: PagePlan, of: str, counter: str) -> Message:
    figure = plan.figures[of][counter]
    assert isinstance(figure, CounterDefinition)
    parts = figure.sum
    if figure.follows:
        other = plan.title(of, figure.follows)
        return phrase("{figure} follows {other}; change that.", figure=plan.title(of, counter), other=other)
    return phrase(
        "{figure} is the sum of {parts}; change one of those.",
        figure=plan.title(of, counter),
        parts=all_of(plan.title(of, part) for part in parts),
    )


def _tell_followers(context: Context, before: Owner, counter: str) -> None:
    """Log the figures that have fallen with the counter that is their maximum, besides the counter that changed."""
    for name, figure in context.plan.limits_of_figures[owner_of(before)]:
        if name == counter:
            continue
        after = find_bearer(context.resolution.state, target_of(before))
        was, now = before.figures.get(name), after.figures.get(name)
        if was != now and isinstance(was, int) and isinstance(now, int):
            _tell_change(context, before, title_of(name, figure.title), "", was, now)


def _tell_change(context: Context, thing: Owner, title: Text, rival: str, before: int, after: int) -> None:
    """Log the change of a figure, and once in a line that it stays as it is."""
    resolution = context.resolution
    # Translators: {rival} is the player against whom the figure is kept.
    figure = phrase("{figure} ({rival})", figure=title, rival=resolution.name(rival)) if rival else title
    was, now = written(before), written(after)
    if isinstance(thing, DescribedTable):
        if before == after:
            text = phrase("{figure} stays at {value}.", figure=figure, value=was)
        else:
            text = phrase("{figure} {before} → {after}.", figure=figure, before=was, after=now)
        _tell_once(resolution, text, is_same=before == after)
        return
    name = name_of(context, thing)
    if before == after:
        text = phrase("{thing}: {figure} stays at {value}.", thing=name, figure=figure, value=was)
    else:
        text = phrase("{thing}: {figure} {before} → {after}.", thing=name, figure=figure, before=was, after=now)
    _tell_once(resolution, text, thing.seat if isinstance(thing, DescribedPlayer) else "", is_same=before == after)


def _tell_once(resolution: Resolution, text: Text, seat: str = "", *, is_same: bool) -> None:
    """Log a sentence on a figure; one that stays the same is not told twice."""
    if not is_same or all(tell.seat != seat or tell.text != text for tell in resolution.tells):
        resolution.tell(text, seat)


def put_figure(context: Context, target: str, counter: str, value: Value, *, is_reset: bool = False) -> None:
    """Set a counter or flag and log the change, with what moves with it unless it is reset.

    Raises RuleError if the target has none or its value is computed.
    """
    plan = context.plan
    thing = bearer_of(context, target, counter)
    of = owner_of(thing)
    figure = plan.figures[of].get(counter)
    if isinstance(figure, CounterDefinition) and figure.most_counter and isinstance(value, int):
        value = plan.clamp_figure(figure, value, thing.figures)
    before = value_of(context, target_of(thing), counter)
    if before == value:
        return
    if figure is None:
        pair = plan.figure_of(context.resolution.state, of, counter)
        assert pair is not None
        figure = pair[0]
    if isinstance(figure, CounterDefinition) and figure.is_computed:
        raise RuleError(_says_sum(plan, of, counter))
    _put_value(context, thing, counter, figure, before, value)
    if not is_reset and isinstance(before, int) and isinstance(value, int):
        move_others(context, target_of(thing), figure, value - before)


def _put_value(context: Context, thing: Owner, counter: str, figure: Figure, before: Value, value: Value) -> None:
    plan, resolution = context.plan, context.resolution
    plan.write_figure(resolution, thing, counter, value)
    title = title_of(counter, figure.title)
    if isinstance(thing, DescribedTable):
        resolution.tell(_describe_new_value(plan, title, before, value))
    else:
        text = _describe_new_value_of(plan, name_of(context, thing), title, before, value)
        resolution.tell(text, thing.seat if isinstance(thing, DescribedPlayer) else "")
    _tell_followers(context, thing, counter)


def _describe_new_value(plan: PagePlan, title: Text, before: Value, value: Value) -> Message:
    """Return the sentence on a new value of a figure or flag of the table."""
    name = Finished(title, begins=True, ends=False)
    if not isinstance(value, bool):
        figures = {"before": written_value(plan, before), "after": written_value(plan, value)}
        return phrase("{figure} {before} → {after}.", figure=name, **figures)
    # Translators: {flag} is a word of the game that holds now, or no longer, such as “Exhausted”.
    return phrase("{flag}.", flag=name) if value else phrase("No longer {flag}.", flag=WithinSentence(title))


def _describe_new_value_of(plan: PagePlan, thing: Text, title: Text, before: Value, value: Value) -> Message:
    """Return the sentence on a new value of a figure or flag of a player or thing."""
    if not isinstance(value, bool):
        figures = {"before": written_value(plan, before), "after": written_value(plan, value)}
        return phrase("{thing}: {figure} {before} → {after}.", thing=thing, figure=title, **figures)
    if value:
        return phrase("{thing}: {flag}.", thing=thing, flag=title)
    return phrase("{thing}: no longer {flag}.", thing=thing, flag=WithinSentence(title))


def written_value(plan: PagePlan, value: Value) -> Text:
    """Return a figure or word as displayed text."""
    return written(value) if isinstance(value, int) else plan.texts.name(str(value))


# The lines of a page


@lru_cache(4096)
def parameters_in(line: str) -> frozenset[str]:
    """Return the parameters in a page's line. If one of them was not given, the line is skipped."""
    return frozenset(match[0] for match in TAKEN_WORD.finditer(line))


def read_effect(line: str, carry_out: Callable[[Context, str], None]) -> Effect:
    """Return the effect of a page's line.

    `carry_out` performs the lines that change neither figures nor tokens; they are lines of the table.
    """
    words = line.split()
    match words:
        case ["add", who, counter, _, *_]:
            by = " ".join(words[3:])
            return lambda context: _for_each_target(
                context,
                who,
                counter,
                lambda target: change(context, target, counter_of(context, counter), read_amount(context, by, target)),
            )
        case ["set", who, counter, _, *_]:
            value = " ".join(words[3:])
            return lambda context: _for_each_target(
                context, who, counter, lambda target: _set_figure(context, target, counter, value)
            )
        case ["give", token, who]:
            return lambda context: give(context, token, "" if who == "none" else targets_of(context, who)[0])
        case ["put", thing, kind, *more]:
            return lambda context: carry_out(context, _put_line(context, thing, kind, more))
        case ["become", thing, *name]:
            return lambda context: carry_out(context, _naming_line(context, thing, name))
        case ["move", *more]:
            return lambda context: carry_out(context, " ".join(("move", *_with_numbers(context, more))))
        case ["enter", who, column, _, *_]:
            figure = " ".join(words[3:])
            return lambda context: carry_out(context, _entry_line(context, who, column, figure))
    return lambda context: carry_out(context, " ".join(_in_line(context, words)))


_OF_PEOPLE: Final = ("turn", "won", "concede")
"""The lines whose words are all people."""


def _in_line(context: Context, words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a line in the notation of the table."""
    for before, word in pairwise(("", *words)):
        is_person = before in ("of", "for") or words[0] in _OF_PEOPLE
        yield _name_person(context, word) if is_person else _in_words(context, word)


def _name_person(context: Context, word: str) -> str:
    """Return the seat that a word means, such as the holder of a token; any other word in the notation."""
    is_person = word in context.plan.people and word not in context.words
    return targets_of(context, word)[0] if is_person else _in_words(context, word)


def _put_line(context: Context, thing: str, kind: str, more: Iterable[str]) -> str:
    """Return the line that puts a thing, named by its parameter, under a free handle."""
    text = str(context.words.get(thing, thing))
    word = free_handle(context.resolution.state, text)
    if thing in context.words:
        arguments: Any = context.words
        arguments[put_by(thing)] = word  # for later lines, which change the new thing
    plain = handle(text)
    is_listed = plain in context.plan.listed_of.get(kind, ())
    name = () if text == plain or is_listed or "name" in more else ("name", write_text(text))
    return " ".join(("put", word, *_with_numbers(context, (kind, *more)), *name))


def _naming_line(context: Context, thing: str, name: Sequence[str]) -> str:
    """Return the line by which a thing gets another name. Later lines mean it by the same parameter."""
    before = _in_words(context, thing)
    text = str(context.words.get(name[0], "")) if len(name) == 1 else ""
    text = text or " ".join(name).strip('"')
    if thing in context.words:
        arguments: Any = context.words
        arguments[put_by(thing)] = free_handle(context.resolution.state, text)
    return f"become {before} {write_text(text)}"


def _entry_line(context: Context, who: str, column: str, figure: str) -> str:
    """Return the line that enters an amount on the score sheet."""
    seat = _name_person(context, who)
    return f"enter {seat} {_in_words(context, column)} {read_amount(context, figure, seat)}"


_KEYWORDS: Final = ("of", "zone", "lane", "name", "with")
_CALCULATED: Final = re.compile(r"[-+−]?[A-Za-z].*|.*[(\[].*")
"""An amount that is not a plain number."""


def _with_numbers(context: Context, words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a line in the notation of the table, with numbers for its amounts after `lane` and `with`."""
    keyword, is_quoted, amounts = "", False, list[str]()
    for word in (*words, ""):
        is_amount = keyword in ("lane", "with") and not is_quoted
        if is_amount and word and (word not in _KEYWORDS or _is_open(amounts)):
            amounts.append(word)
            continue
        for amount in split_amounts(amounts):
            is_plain = amount in context.words or not _CALCULATED.fullmatch(amount)
            yield _in_words(context, amount) if is_plain else str(read_amount(context, amount))
        amounts = []
        if word in _KEYWORDS and not is_quoted:
            keyword = word
        is_quoted ^= word.count('"') % 2 == 1
        if word:
            is_person = keyword == "of" and word != keyword
            yield _name_person(context, word) if is_person else _in_words(context, word)


def _is_open(amounts: Iterable[str]) -> bool:
    """Return True if a bracket is still open at the end of the words of amounts."""
    text = " ".join(amounts)
    return sum(map(text.count, "([")) > sum(map(text.count, ")]"))


def _for_each_target(context: Context, who: str, counter: str, act: Callable[[str], None]) -> None:
    for target in targets_of_counter(context, who, counter):
        act(target)


def _set_figure(context: Context, target: str, counter: str, text: str) -> None:
    present = value_of(context, target, counter_of(context, counter))
    value: Value
    if isinstance(present, bool):
        value = text in ("yes", "on")
    elif isinstance(present, int):
        value = read_amount(context, text, target)
    else:
        value = str(context.words.get(text, text))
    put_figure(context, target, counter_of(context, counter), value)


def _in_words(context: Context, word: str) -> str:
    """Return a word of a page's line in the notation of the table."""
    if word in ("me", "left", "right"):
        return targets_of(context, word)[0]
    if word in context.words:
        value = str(context.words[word])
        if word.startswith("THING"):
            value = str(context.words.get(put_by(word), value))  # it may have another name by now
        return do.NAME.write(value) if " " in value else value
    return word


def pay(context: Context, costs: Mapping[str, int | str]) -> None:
    """Pay the costs of a line. Raises RuleError if the player has too little."""
    check_costs(context, costs)
    for counter, price in costs.items():
        if by := _price_now(context, price):
            change(context, context.me, counter, -by)


def _price_now(context: Context, price: int | str) -> int:
    if isinstance(price, int):
        return price
    return max(0, read_amount(context, price)) if parameters_in(price) <= context.words.keys() else 0


def check_costs(context: Context, costs: Mapping[str, int | str]) -> None:
    """Raise RuleError if the player has too little for the costs of a line. Parameters not given yet cost nothing."""
    for counter, price in costs.items():
        by = _price_now(context, price)
        thing = bearer_of(context, context.me, counter)
        has = value_of(context, context.me, counter)
        of = owner_of(thing)
        figure = context.plan.figures[of][counter]
        least = figure.least if isinstance(figure, CounterDefinition) else 0
        if least != "none" and isinstance(has, int) and has - by < least:
            title = context.plan.title(of, counter)
            raise RuleError(
                phrase(
                    "{player} has {figure} {value}, but this costs {price}.",
                    player=name_of(context, thing),
                    figure=title,
                    value=written(has),
                    price=written(by),
                )
            )


# Tokens, things, pools


def give(context: Context, token: str, seat: str) -> None:
    """Give a token to a seat, or take it away if `seat` is empty. Raises RuleError if either does not exist."""
    plan, resolution = context.plan, context.resolution
    if token not in plan.page.tokens:
        there = plan.page.tokens
        raise RuleError(
            phrase(
                "There is no {token} here; there is: {tokens}.",
                token=in_quotes(token),
                tokens=in_list(there) if there else phrase_in("tokens", "nothing"),
            )
        )
    title = title_of(token, plan.page.tokens[token].title)
    before = resolution.state.tokens.get(token, "")
    if seat:
        player = resolution.state.player(seat)
        name = player.name
        if player.out:
            raise RuleError(phrase("{player} is out of the game.", player=name))
        if before == seat:
            raise RuleError(phrase("{player} already has the {token}.", player=name, token=title))
        resolution.change(tokens={**resolution.state.tokens, token: seat})
        resolution.tell(phrase("{player} has the {token} now.", player=name, token=title), seat, by_hand=True)
        return
    if not before:
        raise RuleError(phrase("Nobody has the {token}.", token=title))
    resolution.change(tokens={each: who for each, who in resolution.state.tokens.items() if each != token})
    resolution.tell(phrase("Nobody has the {token} any more.", token=title), before, by_hand=True)


def put(context: Context, action: do.Put) -> None:
    """Put a thing into play. Raises RuleError if its handle is taken or there is no room for it."""
    plan, state = context.plan, context.resolution.state
    kind = plan.page.things.get(action.kind)
    if kind is None:
        kinds = in_list(plan.page.things)
        raise RuleError(
            phrase("{word} is not a kind of thing here; there is: {kinds}.", word=in_quotes(action.kind), kinds=kinds)
        )
    if action.handle in _words_at(state):
        raise RuleError(
            phrase("{word} already names something here; give this one another word.", word=in_quotes(action.handle))
        )
    owner = action.of
    if kind.of == SEAT:
        owner = owner or state.active
        if not owner:
            line = f"put {action.handle} {action.kind} of SEAT"
            raise RuleError(phrase("Say whose it is: {line}.", line=line))
        state.player(owner)
    things = plan.listed_of[action.kind]
    listed = things.get(action.handle) or things.get(split_number(action.handle)[0])
    brought = state.brought.get(owner, Brought()).card(action.handle, owner) if listed is None else None
    counters = plan.given[action.kind]
    if len(action.with_) > len(counters):
        name = title_of(action.kind, kind.title)
        if not counters:
            raise RuleError(phrase("{thing} has no figures here.", thing=name))
        raise RuleError(phrase("{thing} has only {figures}.", thing=name, figures=in_list(counters)))
    figures_of_card = figures_on(brought, counters) if brought else {}
    given = {
        **(listed.figures if listed else {}),
        **{
            name: plan.clamp_figure(plan.numbers[action.kind][name], figure) for name, figure in figures_of_card.items()
        },
        **dict(zip(counters, action.with_, strict=False)),
    }
    card = listed or brought
    title = action.name or (card.name if card else action.handle.replace("-", " ").title())
    piece = Piece(action.handle, action.kind, title, owner, figures=starts_of(plan, state, action.kind, given))
    _put_piece(context, piece, action.zone or kind.zone, action.lane)


def _put_piece(context: Context, piece: Piece, zone: str, lane: int) -> None:
    """Put a thing into its place. Raises RuleError if there is no room for it."""
    plan, resolution = context.plan, context.resolution
    piece = place_piece(context, piece, zone, lane)
    resolution.change(pieces=(*resolution.state.pieces, piece))
    if resolution.unplaced is not None:
        resolution.unplaced[piece.handle] = None
    counters = plan.given[piece.kind]
    figures = in_list([joined(" ", (plan.title(piece.kind, name), str(piece.figures[name]))) for name in counters])
    owner = resolution.name(piece.owner) if piece.owner else ""
    resolution.tell(_describe_arrival(owner, plan.name_of(piece), figures), piece.owner)


def _describe_arrival(player: str, thing: Text, figures: Message) -> Message:
    """Return the sentence on a thing that comes into play, of a player or of nobody, with its figures if it has any."""
    if player and figures:
        return phrase("{player}'s {thing} comes into play: {figures}.", player=player, thing=thing, figures=figures)
    if player:
        return phrase("{player}'s {thing} comes into play.", player=player, thing=thing)
    if figures:
        return phrase("{thing} comes into play: {figures}.", thing=thing, figures=figures)
    return phrase("{thing} comes.", thing=thing)


SLASHED: Final = re.compile(r"[+−-]?\d{1,7}(?:\s*/\s*[+−-]?\d{1,7})*")
"""The figures of a card in a deck list: `2/3`."""
_NAMED: Final = re.compile(r"(\S.*?)\s+([+−-]?\d{1,7})")
"""One named figure of a card in a deck list: `health 3`."""


def figures_on(card: ListedCard, counters: Iterable[str]) -> Mapping[str, int]:
    """Return the figures of a thing from the remarks of its card in a deck list.

    A remark has figures in the order of the page (`2/3`), or one named figure (`health 3`). Other remarks are ignored.
    """
    names = tuple(counters)
    figures: dict[str, int] = {}
    for remark in card.remarks:
        if SLASHED.fullmatch(remark):
            numbers = (int(number.strip().replace("−", "-")) for number in remark.split("/"))
            figures |= dict(zip(names, numbers, strict=False))
        elif (match := _NAMED.fullmatch(remark)) and handle(match[1]) in names:
            figures[handle(match[1])] = int(match[2].replace("−", "-"))
    return figures


def become(context: Context, action: do.Become) -> None:
    """Give a thing in play another name and, if the page or a deck lists a thing of that name, its figures.

    Its other figures and its place stay. Raises RuleError if it has that name already.
    """
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    piece = state.piece(action.handle)
    plain = handle(action.name)
    if not plain or handle(piece.title) == plain:
        raise RuleError(phrase("{thing} is called so already.", thing=name_of(context, piece)))
    listed = plan.listed_of[piece.kind].get(plain)
    brought = state.brought.get(piece.owner, Brought()).card(plain, piece.owner) if listed is None else None
    given: Mapping[str, int | str] = listed.figures if listed else {}
    if brought:
        given = figures_on(brought, plan.given[piece.kind])
    starts = starts_of(plan, state, piece.kind, given)
    figures = {**piece.figures, **{name: starts[name] for name in given if name in starts}}
    if plan.limits_of_figures[piece.kind]:
        figures = {**plan.clamp_figures(piece.kind, figures)}
    card = listed or brought
    word = free_handle(state, action.name)
    after = replace(piece, handle=word, title=card.name if card else action.name, figures=figures)
    resolution.change(
        pieces=tuple(after if each is piece else each for each in state.pieces),
        acting=word if state.acting == piece.handle else state.acting,
    )
    if resolution.unplaced and piece.handle in resolution.unplaced:
        resolution.unplaced[word] = resolution.unplaced.pop(piece.handle)
    changed = [name for name in given if name in plan.given[piece.kind] and figures[name] != piece.figures.get(name)]
    listing = in_list([joined(" ", (plan.title(piece.kind, name), str(figures[name]))) for name in changed])
    before, name = name_of(context, piece), name_of(context, after)
    if changed:
        text = phrase("{thing} becomes {name}: {figures}.", thing=before, name=name, figures=listing)
    else:
        text = phrase("{thing} becomes {name}.", thing=before, name=name)
    resolution.tell(text, piece.owner, by_hand=True)


def remove(context: Context, handle: str) -> None:
    """Remove a thing from play. Raises RuleError if there is no thing with this handle."""
    piece = context.resolution.state.piece(handle)
    context.resolution.remove_pieces((handle,))
    context.resolution.tell(phrase("{thing} leaves play.", thing=name_of(context, piece)), piece.owner, by_hand=True)


def pool_of(context: Context, name: str) -> tuple[Pool, PoolState]:
    """Return a pool of the page and its present state. Raises RuleError if there is no such pool."""
    pools = context.plan.page.pools
    if name not in pools:
        raise RuleError(
            phrase(
                "There is no {pool} to draw from; there is: {pools}.",
                pool=in_quotes(name),
                pools=in_list(pools) if pools else phrase_in("pools", "none"),
            )
        )
    return pools[name], context.resolution.state.pools[name]


def must_be_named(pool: Pool, state: DescribedTable, name: str) -> bool:
    """Return True if players name the drawn card: they draw real cards from a pool of known cards."""
    now = state.pools[name]
    return (pool.drawn == "cards" or state.house.table_draws) and bool(now.left or now.aside)


@lru_cache(4096)
def drawn_pool(does: tuple[str, ...]) -> str:
    """Return the pool from which a line of the page's own draws, or an empty string."""
    return next((line.split()[1] for line in does if line.split()[:1] == ["draw"] and line.split()[1:]), "")


def asks_card(plan: PagePlan, state: DescribedTable, does: tuple[str, ...]) -> bool:
    """Return True if players name the drawn card in a line of the page's own."""
    name = drawn_pool(does)
    pool = plan.page.pools.get(name)
    return pool is not None and name in state.pools and must_be_named(pool, state, name)


def full_pool(plan: PagePlan, state: DescribedTable, name: str) -> PoolState:
    """Return the state of a pool before its first draw."""
    names = tuple(card.name for card in plan.page.pools[name].cards for _ in range(card.copies))
    return PoolState(names, (), 0 if names else size_of(plan, state, name))


def draw_by_chance(plan: PagePlan, state: DescribedTable, name: str, rng: Random) -> str:
    """Return a random card of a pool that the program draws from.

    The result is an empty string if players draw real cards or nothing is left.
    """
    pool, now = plan.page.pools.get(name), state.pools.get(name)
    if pool is None or now is None or pool.drawn == "cards":
        return ""
    left = refill_pool(plan, state, name).left
    return rng.choice(left) if left else ""


def refill_pool(plan: PagePlan, state: DescribedTable, name: str) -> PoolState:
    """Return a pool ready for a draw: an empty one is refilled with the cards aside if the page says so."""
    pool, now = plan.page.pools[name], state.pools[name]
    if now.size or not pool.refill:
        return now
    if now.aside:
        return PoolState(tuple(sorted(now.aside)))
    return PoolState(unnamed=size_of(plan, state, name)) if not pool.cards and pool.then == "aside" else now


def draw(context: Context, action: do.DrawFrom, carry_out: Callable[[Context, str], None]) -> None:
    """Draw a card from a pool and apply its effects. Raises RuleError if nothing is left."""
    resolution = context.resolution
    pool, now = pool_of(context, action.pool)
    title = title_of(action.pool, pool.title)
    if action.for_:
        resolution.state.player(action.for_)
    elif (pool.each or action.pool in context.plan.personal_pools) and not (context.me or resolution.state.active):
        line = f"draw {action.pool} for SEAT"
        raise RuleError(phrase("Say who draws from {pool}: `{line}`.", pool=title, line=line))
    if not now.size and (now := refill_pool(context.plan, resolution.state, action.pool)).size:
        text = phrase("{pool} is empty: what lies aside is shuffled in again.", pool=title)
        resolution.tell(text, by_hand=True)
    if not now.size:
        raise RuleError(phrase("{pool} is empty.", pool=title))
    now = _without_card(now, action.is_, title)
    if action.is_ and pool.then == "aside":
        now = replace(now, aside=(*now.aside, action.is_))
    elif pool.then == "back":
        now = replace(now, left=(*now.left, action.is_)) if action.is_ else replace(now, unnamed=now.unnamed + 1)
    resolution.update_pool(action.pool, now)
    done = {action.pool, drawn_for(action.pool, action.for_)} if action.for_ else {action.pool}
    resolution.change(draws=resolution.state.draws + 1, drawn_pools=resolution.state.drawn_pools | done)
    card = next((each for each in pool.cards if each.name == action.is_), None)
    text = _describe_draw(
        resolution.name(action.for_) if action.for_ else "", title, context.plan.texts.name(action.is_)
    )
    resolution.tell(
        joined(" ", (text, card.text)) if card and card.text else text,
        action.for_,
        by_hand=pool.drawn == "cards" or resolution.state.house.table_draws,
    )
    if card:
        _carry_card(context, action, card, carry_out)


def _describe_draw(player: str, pool: Text, card: Text) -> Message:
    """Return the sentence on a draw, for a player or for nobody, of a card with a name or without."""
    if player and card:
        return phrase("{player} draws {card}.", player=player, card=card)
    if player:
        return phrase("{player} draws a card.", player=player)
    if card:
        return phrase("{pool}: {card}.", pool=pool, card=card)
    return phrase("{pool}: a card.", pool=pool)


def drawn_for(pool: str, seat: str) -> str:
    """Return the key in `drawn_pools` for a draw on behalf of a seat."""
    return f"{pool} {seat}"


def _without_card(now: PoolState, name: str, title: Text) -> PoolState:
    if not name:
        if not now.unnamed:
            raise RuleError(phrase("{pool}: say after `is` which one came.", pool=title))
        return replace(now, unnamed=now.unnamed - 1)
    if name in now.left:
        left = list(now.left)
        left.remove(name)
        return replace(now, left=tuple(left))
    if now.unnamed:
        return replace(now, unnamed=now.unnamed - 1)
    raise RuleError(phrase("{card} is not left in {pool}.", card=in_quotes(name), pool=title))


def _carry_card(
    context: Context, action: do.DrawFrom, card: PoolCard, carry_out: Callable[[Context, str], None]
) -> None:
    resolution = context.resolution
    if card.puts:
        kind = context.plan.page.things[card.puts]
        word = free_handle(resolution.state, card.name)
        starts = starts_of(context.plan, resolution.state, card.puts, card.figures)
        figures = tuple(int(starts[name]) for name in context.plan.given[card.puts])
        owner = (action.for_ or context.me) if kind.of == SEAT else ""
        unplaced, resolution.unplaced = resolution.unplaced, None  # there is room for the card now, or never
        try:
            put(context, do.Put(word, card.puts, owner, card.name, with_=figures))
        except RuleError as error:
            if context.plan.page.pools[action.pool].drawn == "cards":
                raise  # players hold the real card: it counts as drawn only once it can come into play
            # The program's draw stands. The card stays out of play.
            text = phrase(
                "{card} does not come into play: {why}", card=context.plan.texts.name(card.name), why=error.message
            )
            resolution.tell(text, owner, by_hand=True)
        resolution.unplaced = unplaced
    mine = context._replace(me=action.for_ or context.me or resolution.state.active)
    is_alone = resolution.unplaced is None
    resolution.unplaced = {} if is_alone else resolution.unplaced
    for line in card.does:
        if lacking := _not_in_play(mine, line):
            resolution.tell(phrase("{thing} is not in play.", thing=context.plan.texts.name(lacking)))
        else:
            read_effect(line, carry_out)(mine)
    if is_alone:
        settle_places(mine)


def _not_in_play(context: Context, line: str) -> str:
    """Return the name of the listed thing that a card's line mentions and that is not in play, or an empty string.

    The card counts as drawn even so; its line is skipped instead of refused.
    """
    there = {piece.handle for piece in context.resolution.state.pieces}
    named = owners_in(line.partition(" ")[2])
    return next(
        (context.plan.listed_things[word].name for word in named if word in context.plan.listed_things.keys() - there),
        "",
    )


def put_first(context: Context) -> None:
    """Put the listed things into play that start there."""
    plan, resolution = context.plan, context.resolution
    for word, kind in plan.page.things.items():
        owners = [player.seat for player in resolution.state.players] if kind.of == SEAT else [""]
        for listed in kind.list if any(each.start for each in kind.list) else ():
            for owner in owners if listed.start else ():
                state = resolution.state
                figures = starts_of(plan, state, word, listed.figures)
                piece = Piece(free_handle(state, listed.name), word, listed.name, owner, figures=figures)
                _put_piece(context, piece, kind.zone, 0)


def _words_at(state: DescribedTable) -> set[str]:
    """Return the words of everything with figures at a table: things, seats, teams, pools and the table itself."""
    seats, teams = [player.seat for player in state.players], [team.word for team in state.teams]
    return {TABLE, *state.board, *seats, *teams, *state.pools}


def free_handle(state: DescribedTable, name: str) -> str:
    """Return an unused handle for a thing of this name."""
    word, taken = handle(name), _words_at(state)
    if word not in taken:
        return word
    return next(free for number in count(2) if (free := f"{word}-{number}") not in taken)


def return_card(context: Context, action: do.Return) -> None:
    """Return a drawn card to its pool. Raises RuleError if it does not belong there."""
    pool, now = pool_of(context, action.pool)
    title = title_of(action.pool, pool.title)
    aside = list(now.aside)
    if action.card in aside:
        aside.remove(action.card)
    elif pool.cards and sum(each.copies for each in pool.cards if each.name == action.card) <= now.left.count(
        action.card
    ):
        raise RuleError(
            phrase("{card} is already in {pool}, and there is no other copy.", card=in_quotes(action.card), pool=title)
        )
    context.resolution.update_pool(action.pool, PoolState((*now.left, action.card), tuple(aside), now.unnamed))
    context.resolution.tell(
        phrase("{card} goes back: {pool}.", card=context.plan.texts.name(action.card), pool=title), by_hand=True
    )


def shuffle(context: Context, name: str) -> None:
    """Shuffle the cards aside back into a pool. Raises RuleError if there are none."""
    pool, now = pool_of(context, name)
    title = title_of(name, pool.title)
    if not now.aside:
        raise RuleError(phrase("Nothing from {pool} lies aside.", pool=title))
    context.resolution.update_pool(name, PoolState((*now.left, *sorted(now.aside)), (), now.unnamed))
    context.resolution.tell(phrase("{pool}: what lay aside is shuffled in.", pool=title), by_hand=True)


# Consequences


def leave_with(context: Context, seat: str) -> None:
    """Remove the things of a player who is out, and pass or remove the player's tokens."""
    resolution = context.resolution
    resolution.remove_pieces(piece.handle for piece in resolution.state.pieces if piece.owner == seat)
    for name, holder in resolution.state.tokens.items():
        if holder == seat:
            title = title_of(name, context.plan.page.tokens[name].title)
            heir = _left_of(resolution.state, seat) if context.plan.page.tokens[name].passes else ""
            others = {each: who for each, who in resolution.state.tokens.items() if each != name}
            resolution.change(tokens={**others, name: heir} if heir else others)
            if heir:
                text = phrase("{player} has the {token} now.", player=resolution.name(heir), token=title)
            else:
                text = phrase("Nobody has the {token} any more.", token=title)
            resolution.tell(text, heir or seat, by_hand=True)


def _left_of(state: DescribedTable, seat: str) -> str:
    """Return the next seat to the left that is still playing, or an empty string."""
    seats = [player.seat for player in state.players]
    at = seats.index(seat)
    return next((each for each in (*seats[at + 1 :], *seats[:at]) if not state.player(each).out), "")


def pass_tokens(context: Context, when: str) -> None:
    """Pass the tokens that move to the left neighbour with a turn or round."""
    for name in context.plan.tokens_passing.get(when, ()):
        holder = context.resolution.state.tokens.get(name, "")
        if holder and (heir := _left_of(context.resolution.state, holder)):
            give(context, name, heir)


def reset_or_grow(context: Context, when: str, seat: str = "", thing: str = "") -> None:
    """Reset or grow figures and tokens when a step, a turn (of `seat`, or of a `thing`) or a round begins."""
    plan, resolution = context.plan, context.resolution
    for name in plan.tokens_reset.get(when, ()) if not thing else ():
        holder = resolution.state.tokens.get(name, "")
        # Who has a token from the beginning keeps it in the first round.
        is_new = when == ROUND and resolution.state.round == 1 and plan.page.tokens[name].start == "first"
        if holder and not is_new and (when != TURN or seat in ("", holder)):
            give(context, name, "")
    for change_ in plan.changes.get(when, ()):
        owners = _changing_owners(plan, resolution.state, change_.of, seat, thing)
        if not owners:
            continue
        figure = plan.figures[change_.of][change_.name]
        if change_.by is not None:
            for owner in owners if change_.of != RIVAL else ():
                _grow_figure(context, owner, change_, figure, when)
        elif not (isinstance(figure, Flag) and figure.start and when == ROUND and resolution.state.round == 1):
            # The first round begins with a flag set that is set at first.
            _reset_figure(context, owners, change_, figure)


def _reset_figure(context: Context, owners: Iterable[Owner], change_: FigureChange, figure: Figure) -> None:
    """Reset a figure of its owners to its start, or to the value of another counter."""
    plan, state = context.plan, context.resolution.state
    start = False if isinstance(figure, Flag) else start_of(plan, state, figure)
    for owner in owners:
        if change_.of == RIVAL:
            for player in state.players:
                put_figure(context, target_of(owner), rival_counter(change_.name, player.seat), start, is_reset=True)
            continue
        value = plan.read(change_.of, owner.figures, change_.to) if change_.to else start
        before = plan.read(change_.of, owner.figures, change_.name)
        if before != value:
            _put_value(context, owner, change_.name, figure, before, value)


def _grow_figure(context: Context, owner: Owner, change_: FigureChange, figure: Figure, when: str) -> None:
    """Increase a figure. A counter of words moves on to a later word and wraps around; it begins with its first."""
    assert change_.by is not None
    by = change_.by if isinstance(change_.by, int) else read_amount(context, change_.by, target_of(owner))
    if not isinstance(figure, CounterDefinition):
        return
    if not figure.words:
        _change_counter(context, owner, change_.name, figure, by, is_by_itself=True)
        return
    state = context.resolution.state
    if state.round == 1 and (when == ROUND or (when == TURN and (change_.of != TABLE or state.turn == 1))):
        return  # the first round or turn keeps the starting word
    present = context.plan.read(change_.of, owner.figures, change_.name)
    at = figure.words.index(present) if present in figure.words else 0
    word = figure.words[(at + by) % len(figure.words)]
    if word != present:
        _put_value(context, owner, change_.name, figure, present, word)


def _changing_owners(plan: PagePlan, state: DescribedTable, of: str, seat: str, thing: str) -> Sequence[Owner]:
    """Return the owners of a change: in a player's turn only that player and their things, in a thing's only itself.

    Things that have turns of their own do not change in those of players.
    """
    if thing:
        piece = state.piece(thing)
        return (piece,) if piece.kind == of else ()
    if seat and of in plan.things_in_turn:
        return ()
    if of == TABLE:
        return (state,)
    if of == TEAM and state.teams:
        own = state.player(seat).team if seat else 0
        return [team for team in state.teams if own in (0, team.number)]
    if of in (SEAT, RIVAL):
        return [player for player in state.players if not player.out and seat in ("", player.seat)]
    return [piece for piece in state.pieces if piece.kind == of and seat in ("", piece.owner, piece.owner or seat)]
