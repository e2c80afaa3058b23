"""The effects of a page's lines: changes of figures and their consequences, tokens, things, pools and score sheets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from msgspec.structs import replace

from companion.games.described.page import actions as do
from companion.games.described.page.conditions import OPERATORS, parse_condition
from companion.games.described.page.description import (
    RIVAL,
    SEAT,
    TABLE,
    CounterDefinition,
    Flag,
    Pool,
    PoolCard,
    title_of,
)
from companion.games.described.page.takes import TAKEN_WORD
from companion.games.described.rules.context import (
    Context,
    PageFault,
    Value,
    counter_of,
    find_bearer,
    name_of,
    targets_of,
    value_of,
)
from companion.games.described.rules.evaluation import condition_holds, is_so
from companion.games.described.rules.plan import ROUND, TURN, FigureChange, PagePlan, owner_of
from companion.games.described.rules.state import (
    DescribedPlayer,
    DescribedTable,
    Piece,
    PoolState,
    Resolution,
    ScoreSheetRow,
    split_number,
)
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import Brought
from companion.tabletop.decks.decklist import ListedCard, handle
from companion.tabletop.notation.arguments import MAX_VALUE, write_text
from companion.tabletop.table.match_result import seats_of_outcome
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
    phrases,
)
from templates.languages.messages import listed as in_list

Effect = Callable[[Context], None]
"""A change that a page's line makes."""


# Figures


def change(context: Context, target: str, counter: str, by: int) -> None:
    """Change a counter within its bounds, and the counters that move with it. Log all changes.

    Raises RuleError if the target has no such counter, or if the result would exceed the limit of all figures.
    """
    plan, resolution = context.plan, context.resolution
    thing = find_bearer(resolution.state, target)
    of = owner_of(thing)
    pair = plan.figure_of(resolution.state, of, counter)
    if pair is None or not isinstance(pair[0], CounterDefinition) or pair[0].words:
        raise RuleError(
            phrase(
                "{thing} has no figure {figure}; there is: {figures}.",
                thing=name_of(context, thing),
                figure=in_quotes(counter),
                figures=in_list(plan.given[of]) if plan.given[of] else phrase_in("figures", "none"),
            )
        )
    figure, rival = pair
    assert isinstance(figure, CounterDefinition)
    if figure.sum:
        raise RuleError(_says_sum(plan, of, counter))
    if rival and rival == target:
        raise RuleError(phrase("{player} has no such figure for themselves.", player=name_of(context, thing)))
    before = thing.figures.get(counter, 0)
    assert isinstance(before, int)
    after = plan.clamp_figure(figure, before + by)
    if abs(after) > MAX_VALUE:
        title = title_of(counter, figure.title)
        raise RuleError(phrase("{figure} would be absurd: no figure goes beyond {most}.", figure=title, most=MAX_VALUE))
    if after != before:
        plan.write(resolution, of, target, counter, after)
    _tell_change(
        context,
        thing,
        title_of(counter if not rival else counter[: -len(rival) - 1], figure.title),
        rival,
        before,
        after,
    )
    for other, each in figure.also.items():
        if each and after != before:
            change(context, target, other, each * (after - before))


def _says_sum(plan: PagePlan, of: str, counter: str) -> Message:
    figure = plan.figures[of][counter]
    parts = figure.sum if isinstance(figure, CounterDefinition) else ()
    return phrase(
        "{figure} is the sum of {parts}; change one of those.",
        figure=plan.title(of, counter),
        parts=all_of(plan.title(of, part) for part in parts),
    )


def _tell_change(
    context: Context, thing: DescribedPlayer | Piece | DescribedTable, title: Text, rival: str, before: int, after: int
) -> None:
    resolution = context.resolution
    seat = thing.seat if isinstance(thing, DescribedPlayer) else ""
    name = name_of(context, thing)
    # Translators: {rival} is the player against whom the figure is kept.
    figure = phrase("{figure} ({rival})", figure=title, rival=resolution.name(rival)) if rival else title
    if isinstance(thing, DescribedTable):
        if before == after:
            text = phrase("{figure} stays at {value}.", figure=figure, value=written(before))
        else:
            text = phrase("{figure} {before} → {after}.", figure=figure, before=written(before), after=written(after))
    elif before == after:
        text = phrase("{thing}: {figure} stays at {value}.", thing=name, figure=figure, value=written(before))
    else:
        text = phrase(
            "{thing}: {figure} {before} → {after}.",
            thing=name,
            figure=figure,
            before=written(before),
            after=written(after),
        )
    resolution.tell(text, seat)


def put_figure(context: Context, target: str, counter: str, value: Value) -> None:
    """Set a counter or flag, and log the change. Raises RuleError if the target has none or its value is computed."""
    plan, resolution = context.plan, context.resolution
    thing = find_bearer(resolution.state, target)
    of = owner_of(thing)
    before = value_of(context, target, counter)
    if before == value:
        return
    plan.write(resolution, of, target, counter, value)
    pair = plan.figure_of(resolution.state, of, counter)
    assert pair is not None
    if isinstance(pair[0], CounterDefinition) and pair[0].sum:
        raise RuleError(_says_sum(plan, of, counter))
    seat = thing.seat if isinstance(thing, DescribedPlayer) else ""
    title = title_of(counter, pair[0].title)
    if isinstance(thing, DescribedTable):
        text = _describe_new_value(plan, title, before, value)
    else:
        text = _describe_new_value_of(plan, name_of(context, thing), title, before, value)
    resolution.tell(text, seat)


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

_AMOUNT: Final = re.compile(r"([+−-]?)(?:(\d+)|([A-Za-z][A-Za-z0-9-]*)(?:\.([a-z][a-z0-9-]*))?)")


def read_amount(context: Context, text: str) -> int:
    """Return the number that a page's line means: `3`, `-N`, `+THING.power`. Raises RuleError if it is no number."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise RuleError(phrase("{word} is not a figure.", word=in_quotes(text)))
    sign, digits, word, counter = match.groups()
    if digits:
        number: object = int(digits)
    elif counter:
        number = value_of(context, targets_of(context, word)[0], counter)
    else:
        number = context.words.get(word)
    if number is None:
        raise RuleError(phrase("Say how much: {word} is missing.", word=in_quotes(word)))
    if isinstance(number, bool) or not isinstance(number, int):
        raise RuleError(phrase("{word} is not a figure here.", word=in_quotes(text)))
    return -number if sign in ("-", "−") and sign else number


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
        case ["add", who, counter, by]:
            return lambda context: _for_each_target(
                context,
                who,
                lambda target: change(context, target, counter_of(context, counter), read_amount(context, by)),
            )
        case ["set", who, counter, value]:
            return lambda context: _for_each_target(
                context, who, lambda target: _set_figure(context, target, counter, value)
            )
        case ["give", token, who]:
            return lambda context: give(context, token, "" if who == "none" else targets_of(context, who)[0])
        case ["put", thing, kind, *more]:
            return lambda context: carry_out(context, _put_line(context, thing, kind, more))
    return lambda context: carry_out(context, " ".join(_in_words(context, word) for word in words))


def _put_line(context: Context, thing: str, kind: str, more: Iterable[str]) -> str:
    """Return the line that puts a thing, named by its parameter, under a free handle."""
    text = str(context.words.get(thing, thing))
    word = free_handle(context.resolution.state, text)
    plain = handle(text)
    is_listed = plain in context.plan.listed_of.get(kind, ())
    name = () if text == plain or is_listed or "name" in more else ("name", write_text(text))
    return " ".join(("put", word, *(_in_words(context, each) for each in (kind, *more)), *name))


def _for_each_target(context: Context, who: str, act: Callable[[str], None]) -> None:
    for target in targets_of(context, who):
        act(target)


def _set_figure(context: Context, target: str, counter: str, text: str) -> None:
    present = value_of(context, target, counter_of(context, counter))
    value: Value
    if isinstance(present, bool):
        value = text in ("yes", "on")
    elif isinstance(present, int):
        value = read_amount(context, text)
    else:
        value = str(context.words.get(text, text))
    put_figure(context, target, counter_of(context, counter), value)


def _in_words(context: Context, word: str) -> str:
    """Return a word of a page's line in the notation of the table."""
    if word in ("me", "left", "right"):
        return targets_of(context, word)[0]
    if word in context.words:
        value = str(context.words[word])
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
    return read_amount(context, price) if parameters_in(price) <= context.words.keys() else 0


def check_costs(context: Context, costs: Mapping[str, int | str]) -> None:
    """Raise RuleError if the player has too little for the costs of a line. Parameters not given yet cost nothing."""
    for counter, price in costs.items():
        by = _price_now(context, price)
        thing = find_bearer(context.resolution.state, context.me)
        has = value_of(context, context.me, counter)
        figure = context.plan.figures[SEAT][counter]
        least = figure.least if isinstance(figure, CounterDefinition) else 0
        if least != "none" and isinstance(has, int) and has - by < least:
            title = context.plan.title(SEAT, counter)
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
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    kind = plan.page.things.get(action.kind)
    if kind is None:
        kinds = in_list(plan.page.things)
        raise RuleError(
            phrase("{word} is not a kind of thing here; there is: {kinds}.", word=in_quotes(action.kind), kinds=kinds)
        )
    if action.handle in (*(p.handle for p in state.pieces), *(p.seat for p in state.players), *state.pools, TABLE):
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
            name: plan.clamp_figure(plan.figures[action.kind][name], figure) for name, figure in figures_of_card.items()
        },
        **dict(zip(counters, action.with_, strict=False)),
    }
    card = listed or brought
    title = action.name or (card.name if card else action.handle.replace("-", " ").title())
    piece = Piece(action.handle, action.kind, title, owner, figures=plan.starts(action.kind, len(state.players), given))
    piece = _place_piece(context, piece, action.zone or kind.zone, action.lane)
    resolution.change(pieces=(*state.pieces, piece))
    figures = in_list(joined(" ", (plan.title(action.kind, name), str(piece.figures[name]))) for name in counters)
    thing = plan.name_of(piece)
    resolution.tell(_describe_arrival(resolution.name(owner) if owner else "", thing, figures), owner)


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


def _place_piece(context: Context, piece: Piece, zone: str, lane: int) -> Piece:
    """Return a thing at its place. Raises RuleError if the place does not exist or is taken."""
    zones = context.plan.page.zones
    if zone and zone not in zones:
        raise RuleError(
            phrase(
                "There is no place {place}; there is: {places}.",
                place=in_quotes(zone),
                places=in_list(zones) if zones else phrase_in("places", "none"),
            )
        )
    lanes = zones[zone].lanes if zone else 0
    if not lanes:
        if lane and zone:
            raise RuleError(phrase("{place} has no lanes.", place=title_of(zone, zones[zone].title)))
        if lane:
            raise RuleError(phrase("This place has no lanes."))
        return replace(piece, zone=zone, lane=0)
    if not lane:
        taken = {other.lane for other in _others_in_place(context, piece, zone)}
        lane = next((number for number in range(1, lanes + 1) if number not in taken), 0)
        if not lane:
            place = title_of(zone, zones[zone].title)
            raise RuleError(phrase("All {lanes} lanes of {place} are taken.", lanes=lanes, place=place))
    if not 1 <= lane <= lanes:
        place = title_of(zone, zones[zone].title)
        raise RuleError(phrase("{place} has the lanes 1 to {lanes}.", place=place, lanes=lanes))
    if other := next((other for other in _others_in_place(context, piece, zone) if other.lane == lane), None):
        raise RuleError(phrase("{thing} is already in lane {lane}.", thing=name_of(context, other), lane=lane))
    return replace(piece, zone=zone, lane=lane)


def _others_in_place(context: Context, piece: Piece, zone: str) -> Iterator[Piece]:
    """Yield the other things in the same place."""
    is_shared = context.plan.page.zones[zone].of == TABLE
    for other in context.resolution.state.pieces:
        if other.zone == zone and other.handle != piece.handle and (is_shared or other.owner == piece.owner):
            yield other


def move(context: Context, action: do.Move) -> None:
    """Move a thing to another place or owner. Raises RuleError if it cannot lie there."""
    resolution = context.resolution
    piece = resolution.state.piece(action.handle)
    if action.of:
        resolution.state.player(action.of)
    after = replace(piece, owner=action.of or piece.owner)
    after = _place_piece(context, after, action.zone or piece.zone, action.lane or (0 if action.zone else piece.lane))
    if after == piece:
        raise RuleError(phrase("{thing} is already there.", thing=name_of(context, piece)))
    resolution.update_piece(piece.handle, owner=after.owner, zone=after.zone, lane=after.lane)
    place = _describe_place(context, after)
    if after.owner != piece.owner:
        player = resolution.name(after.owner)
        text = phrase("{thing} goes to {player}: {place}.", thing=name_of(context, piece), player=player, place=place)
    else:
        text = phrase("{thing} goes: {place}.", thing=name_of(context, piece), place=place)
    resolution.tell(text, after.owner, by_hand=True)


def _describe_place(context: Context, piece: Piece) -> Text:
    """Return the name of the place of a thing, with its lane if it has one."""
    if not piece.zone:
        return phrase("its owner's side")
    title = title_of(piece.zone, context.plan.page.zones[piece.zone].title)
    return phrase("{place}, lane {lane}", place=title, lane=piece.lane) if piece.lane else title


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


def drawn_pool(does: Iterable[str]) -> str:
    """Return the pool from which a line of the page's own draws, or an empty string."""
    return next((line.split()[1] for line in does if line.split()[:1] == ["draw"] and line.split()[1:]), "")


def asks_card(plan: PagePlan, state: DescribedTable, does: Iterable[str]) -> bool:
    """Return True if players name the drawn card in a line of the page's own."""
    name = drawn_pool(does)
    pool = plan.page.pools.get(name)
    return pool is not None and name in state.pools and must_be_named(pool, state, name)


def full_pool(pool: Pool) -> PoolState:
    """Return the state of a pool before its first draw."""
    names = tuple(card.name for card in pool.cards for _ in range(card.copies))
    return PoolState(names, (), 0 if names else pool.size)


def draw_by_chance(plan: PagePlan, state: DescribedTable, name: str, rng: Random) -> str:
    """Return a random card of a pool that the program draws from.

    The result is an empty string if players draw real cards or nothing is left.
    """
    pool, now = plan.page.pools.get(name), state.pools.get(name)
    if pool is None or now is None or pool.drawn == "cards":
        return ""
    left = refill_pool(pool, now).left
    return rng.choice(left) if left else ""


def refill_pool(pool: Pool, now: PoolState) -> PoolState:
    """Return a pool ready for a draw: an empty one is refilled with the cards aside if the page says so."""
    if now.size or not pool.refill:
        return now
    if now.aside:
        return PoolState(tuple(sorted(now.aside)))
    return PoolState(unnamed=pool.size) if not pool.cards and pool.then == "aside" else now


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
    if not now.size and (now := refill_pool(pool, now)).size:
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
        starts = context.plan.starts(card.puts, len(resolution.state.players), card.figures)
        figures = tuple(int(starts[name]) for name in context.plan.given[card.puts])
        owner = (action.for_ or context.me) if kind.of == SEAT else ""
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
    mine = context._replace(me=action.for_ or context.me or resolution.state.active)
    for line in card.does:
        if lacking := _not_in_play(mine, line):
            resolution.tell(phrase("{thing} is not in play.", thing=context.plan.texts.name(lacking)))
        else:
            read_effect(line, carry_out)(mine)


def _not_in_play(context: Context, line: str) -> str:
    """Return the name of the listed thing that a card's line mentions and that is not in play, or an empty string.

    The card counts as drawn even so; its line is skipped instead of refused.
    """
    there = {piece.handle for piece in context.resolution.state.pieces}
    named = (word.lstrip("+−-").partition(".")[0] for word in line.split()[1:])
    return next(
        (context.plan.listed_things[word].name for word in named if word in context.plan.listed_things.keys() - there),
        "",
    )


def put_first(context: Context) -> None:
    """Put the listed things into play that start there."""
    for kind, described in context.plan.page.things.items():
        owners = [player.seat for player in context.resolution.state.players] if described.of == SEAT else [""]
        for listed in described.list:
            for owner in owners if listed.start else ():
                put(context, do.Put(free_handle(context.resolution.state, listed.name), kind, owner))


def free_handle(state: DescribedTable, name: str) -> str:
    """Return an unused handle for a thing of this name."""
    word = handle(name)
    taken = {piece.handle for piece in state.pieces} | {player.seat for player in state.players} | {*state.pools, TABLE}
    words = (word, *(f"{word}-{number}" for number in range(2, len(taken) + 3)))
    return next(free for free in words if free not in taken)


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


# The score sheet


def enter(context: Context, action: do.Enter) -> None:
    """Enter a figure of this round, or correct one of an earlier round. Raises RuleError if there is no such column."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    sheet = plan.page.sheet
    if sheet is None or action.column not in sheet.columns:
        raise RuleError(
            phrase(
                "The score sheet has no column {column}; there is: {columns}.",
                column=in_quotes(action.column),
                columns=in_list(sheet.columns) if sheet else phrase_in("columns", "none"),
            )
        )
    if action.figure < sheet.least:
        column = plan_title(plan, action.column)
        raise RuleError(phrase("{column} is at least {least}.", column=column, least=sheet.least))
    player = state.player(action.seat)
    present = len(state.rows) + 1
    number = action.round or present
    title = plan_title(plan, action.column)
    if number > present:
        raise RuleError(
            phrase(
                "{round} {number} has no row yet; this is {present}.",
                round=plan.round_title,
                number=number,
                present=present,
            )
        )
    if number < present:
        _correct_row(context, action, number)
        return
    row = {**state.entered.get(action.seat, {}), action.column: action.figure}
    resolution.change(entered={**state.entered, action.seat: row})
    text = phrase("{player}: {column} {figure}.", player=player.name, column=title, figure=written(action.figure))
    resolution.tell(text, action.seat)
    _tell_sum(context, action.column)


def _tell_sum(context: Context, column: str) -> None:
    """Log a warning if a complete column of this round does not have the sum that the page requires."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    due = plan.page.sheet.sum.get(column) if plan.page.sheet else None
    if due is None or missing_entry(plan, state, (column,)):
        return
    total = sum(row.get(column, 0) for row in state.entered.values())
    wanted = state.round if due == "round" else due
    if total != wanted:
        text = phrase(
            "{column}: the sum is {total}, but should be {wanted}; look again.",
            column=plan_title(plan, column),
            total=total,
            wanted=wanted,
        )
        resolution.tell(text)


def _correct_row(context: Context, action: do.Enter, number: int) -> None:
    """Correct a figure of a finished round, and the total with it. Raises RuleError if the row has no such seat."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    sheet = plan.page.sheet
    assert sheet is not None
    before, name = state.rows[number - 1], state.player(action.seat).name
    round_title = joined(" ", (plan.round_title, number))
    if action.seat not in before.entered:
        raise RuleError(phrase("{player} has nothing in the row of {round}.", player=name, round=round_title))
    entered = {**before.entered, action.seat: {**before.entered[action.seat], action.column: action.figure}}
    points = {**before.points, action.seat: _row_points(context, entered[action.seat])}
    row = ScoreSheetRow(entered, points)
    resolution.change(rows=(*state.rows[: number - 1], row, *state.rows[number:]))
    title = plan_title(plan, action.column)
    text = phrase(
        "{player}: {column} {figure} in {round}, corrected.",
        player=name,
        column=title,
        figure=written(action.figure),
        round=round_title,
    )
    resolution.tell(text, action.seat)
    if by := points[action.seat] - before.points.get(action.seat, 0):
        change(context, action.seat, sheet.counts, by)


def plan_title(plan: PagePlan, column: str) -> Text:
    """Return the display name of a column of the sheet."""
    titles = plan.page.sheet.titles if plan.page.sheet else {}
    return titles.get(column, "") or plan.texts.title(column)


def missing_entry(
    plan: PagePlan, state: DescribedTable, columns: Iterable[str] | None = None
) -> tuple[str, str] | None:
    """Return the next seat and column missing in the row of this round, by columns; None if the row is complete.

    If `columns` is given, only these columns are checked.
    """
    sheet = plan.page.sheet
    if sheet is None:
        return None
    for column in sheet.columns if columns is None else columns:
        for seat in missing_seats(plan, state, column):
            return seat, column
    return None


def missing_seats(plan: PagePlan, state: DescribedTable, column: str) -> Iterator[str]:
    """Yield the seats that have not entered a column of this round's row yet, in the order of the round."""
    sheet = plan.page.sheet
    assert sheet is not None
    playing = {player.seat for player in state.playing}
    order = state.order or tuple(player.seat for player in state.players)
    for seat in (state.tokens.get(sheet.of[column], ""),) if column in sheet.of else order:
        if seat in playing and column not in state.entered.get(seat, {}):
            yield seat


def close_row(context: Context) -> None:
    """Compute the points of this round's row, which is complete, and add them to the totals."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    sheet = plan.page.sheet
    if sheet is None:
        return
    columns_of_all = [column for column in sheet.columns if column not in sheet.of]
    points = {
        seat: _row_points(context, row)
        for seat, row in state.entered.items()
        if all(column in row for column in columns_of_all)
    }
    resolution.change(rows=(*state.rows, ScoreSheetRow(state.entered, points)), entered={})
    for seat, gained in points.items():
        change(context, seat, sheet.counts, gained)


_DIFFERENCE: Final = re.compile(r"\s*([a-z0-9-]+?)(?:\s+-\s+([a-z0-9-]+))?\s*")


def _row_points(context: Context, row: Mapping[str, int]) -> int:
    """Return the points of a row."""
    sheet = context.plan.page.sheet
    assert sheet is not None
    if not sheet.points:
        return row.get(sheet.columns[-1], 0)
    total = 0
    for rule in sheet.points:
        if not all(_row_fits(text, row) for text in rule.conditions):
            continue
        total += rule.points
        if rule.per:
            column, less = _read_difference(rule.per)
            difference = row.get(column, 0)
            total += rule.times * (abs(difference - row.get(less, 0)) if less else difference)
    return total


@lru_cache(256)
def _read_difference(text: str) -> tuple[str, str]:
    """Return the columns of `tricks - bid`; the second one is "" for a column alone."""
    match = _DIFFERENCE.fullmatch(text)
    assert match is not None
    return match[1], match[2] or ""


def _row_fits(text: str, row: Mapping[str, int]) -> bool:
    """Return True if a row meets a condition such as `tricks = bid`."""
    condition = parse_condition(text)
    value = condition.value if isinstance(condition.value, int) else row.get(condition.value, 0)
    return OPERATORS[condition.op](row.get(condition.counter, 0), value)


# Consequences


def settle_outcome(context: Context) -> None:
    """Update the players and things that are out, then the outcome by the page's rules."""
    plan, resolution = context.plan, context.resolution
    state = resolution.state
    fallen = []
    leads_out = bool(plan.outs[SEAT] or plan.outs[RIVAL])
    for player in state.players:
        is_out = player.conceded or (leads_out and _is_out(plan, player))
        if is_out == player.out:
            continue
        resolution.update_player(player.seat, out=is_out, place=0)
        if is_out:
            resolution.tell(phrase("{player} is out of the game.", player=player.name), player.seat, decides=True)
            leave_with(context, player.seat)
            fallen.append(player.seat)
        else:
            resolution.tell(phrase("{player} is in the game again.", player=player.name), player.seat)
    if fallen:
        place = len(resolution.state.playing) + 1
        for seat in fallen:
            resolution.update_player(seat, place=place)
    _remove_lost_things(context)
    verdict = _verdict(context)
    if verdict != resolution.state.verdict:
        resolution.change(verdict=verdict)
        if verdict:
            resolution.tell(describe_outcome(resolution.state, verdict), decides=True)


def _remove_lost_things(context: Context) -> None:
    """Remove the things whose figures say that they leave."""
    plan, resolution = context.plan, context.resolution
    for piece in resolution.state.pieces:
        for name, condition in plan.outs.get(piece.kind, ()):
            if OPERATORS[condition.op](plan.read(piece.kind, piece.figures, name), condition.value):
                resolution.remove_pieces((piece.handle,))
                resolution.tell(
                    phrase("{thing} leaves play.", thing=name_of(context, piece)), piece.owner, by_hand=True
                )
                break


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
    for name, token in context.plan.page.tokens.items():
        holder = context.resolution.state.tokens.get(name, "")
        if token.passes == when and holder and (heir := _left_of(context.resolution.state, holder)):
            give(context, name, heir)


def _is_out(plan: PagePlan, player: DescribedPlayer) -> bool:
    for name, condition in plan.outs[SEAT]:
        if OPERATORS[condition.op](plan.read(SEAT, player.figures, name), condition.value):
            return True
    for name, condition in plan.outs[RIVAL]:
        for counter, value in player.figures.items():
            if counter.startswith(f"{name}-") and OPERATORS[condition.op](value, condition.value):
                return True
    return False


def describe_outcome(state: DescribedTable, outcome: str) -> Message:
    """Return a sentence that names the winners."""
    match outcome:
        case "draw":
            return phrase("It is a draw.")
        case "win":
            return phrase("Everybody has won together.")
        case "loss":
            return phrase("Everybody has lost together.")
    names = [player.name for player in find_winners(state, outcome)] or [outcome]
    return phrases("{players} has won.", "{players} have won.", n=len(names), players=all_of(names))


def find_winners(state: DescribedTable, outcome: str) -> tuple[DescribedPlayer, ...]:
    """Return the winners of an outcome: a seat, several seats joined by `+`, or a team."""
    won = seats_of_outcome(outcome, tuple(player.seat for player in state.players))
    return tuple(player for player in state.players if player.seat in won or outcome == f"team-{player.team}")


def _verdict(context: Context) -> str | None:
    plan, state = context.plan, context.resolution.state
    end = plan.page.end
    if state.round == 0:
        return None
    for key, conditions, outcome in (("all-lose", end.all_lose, "loss"), ("all-win", end.all_win, "win")):
        for number, text in enumerate(conditions, 1):
            try:
                if condition_holds(context, parse_condition(text)):
                    return outcome
            except RuleError as error:
                why = phrase("`{condition}` makes no sense. {why}", condition=text, why=error.message)
                raise PageFault(f"end.{key}[{number}]", why) from None
    return _first_there(context) or _last_left(context) or _most_points(context)


def is_played_out(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True if all rounds are played, or the page's `over` condition holds, and there is no outcome yet."""
    rounds, over = plan.page.play.rounds, plan.page.end.over
    if state.round == 0 or state.outcome:
        return False
    return bool(rounds and state.round > rounds) or bool(over and _is_over(Context(plan, Resolution(state))))


def _is_over(context: Context) -> bool:
    condition = parse_condition(context.plan.page.end.over)
    if condition.owner:
        return condition_holds(context, condition)
    return any(is_so(context, condition, player) for player in context.resolution.state.players)


def _first_there(context: Context) -> str | None:
    """Return the outcome if a player meets the `win` condition. If several do, the best of them wins."""
    text = context.plan.page.end.win
    if not text:
        return None
    condition = parse_condition(text)
    won = [player for player in context.resolution.state.playing if is_so(context, condition, player)]
    best = _players_with_best(context.plan, won, condition.counter, condition.op in (">", ">="))
    return _outcome_of(context.resolution.state, best) if best else None


def _last_left(context: Context) -> str | None:
    state = context.resolution.state
    if not context.plan.page.end.last_left or len(state.players) < 2:
        return None
    playing = state.playing
    if not playing:
        return _outcome_of(state, [player for player in state.players if player.place == 1])
    sides = {player.team or player.seat for player in playing}
    return _outcome_of(state, playing) if len(sides) == 1 else None


def _most_points(context: Context) -> str | None:
    """Return the outcome by the most or fewest points once the game is over."""
    plan, state = context.plan, context.resolution.state
    end, rounds = plan.page.end, plan.page.play.rounds
    is_over = bool(rounds and state.round > rounds)
    if end.over and not is_over:
        is_over = _is_over(context)
    if not is_over or not (end.most or end.fewest):
        return None
    return _outcome_of(state, _players_with_best(plan, list(state.playing), end.most or end.fewest, bool(end.most)))


def _players_with_best(
    plan: PagePlan, players: list[DescribedPlayer], counter: str, is_high: bool
) -> list[DescribedPlayer]:
    figures = [plan.read(SEAT, player.figures, counter) for player in players]
    if not players or not all(isinstance(figure, int) for figure in figures):
        return players
    best = (max if is_high else min)(figures)
    return [player for player, figure in zip(players, figures, strict=True) if figure == best]


def _outcome_of(state: DescribedTable, first: Sequence[DescribedPlayer]) -> str:
    """Return the outcome when these players, each with their team, come first.

    They share the win. If everyone wins, it is a draw.
    """
    sides = {player.team or player.seat for player in first}
    won = [player for player in state.players if (player.team or player.seat) in sides]
    if len(sides) == 1:
        return f"team-{won[0].team}" if won[0].team else won[0].seat
    return "draw" if len(won) in (0, len(state.players)) else "+".join(player.seat for player in won)


def reset_or_grow(context: Context, when: str, seat: str = "") -> None:
    """Reset or grow figures and tokens when a step, a turn (of `seat`) or a round begins."""
    plan, resolution = context.plan, context.resolution
    for name, token in plan.page.tokens.items():
        holder = resolution.state.tokens.get(name, "")
        if token.reset == when and holder and (when != TURN or seat in ("", holder)):
            give(context, name, "")
    for change_ in plan.changes.get(when, ()):
        for target in _change_targets(resolution.state, change_.of, seat):
            if change_.by is None:
                names: Iterable[str] = (change_.name,)
                if change_.of == RIVAL:
                    names = [f"{change_.name}-{player.seat}" for player in resolution.state.players]
                figure = plan.figures[change_.of][change_.name]
                if isinstance(figure, Flag) and figure.start and when == ROUND and resolution.state.round == 1:
                    continue  # the first round begins with the flag set
                for name in names:
                    start = False if isinstance(figure, Flag) else plan.start(figure, len(resolution.state.players))
                    put_figure(context, target, name, value_of(context, target, change_.to) if change_.to else start)
            elif change_.of != RIVAL:
                _grow_figure(context, target, change_, when)


def _grow_figure(context: Context, target: str, change_: FigureChange, when: str) -> None:
    """Increase a figure. A counter of words moves on to a later word and wraps around; it begins with its first."""
    figure = context.plan.figures[change_.of][change_.name]
    assert change_.by is not None
    if not isinstance(figure, CounterDefinition) or not figure.words:
        change(context, target, change_.name, change_.by)
        return
    state = context.resolution.state
    if state.round == 1 and (when == ROUND or (when == TURN and (change_.of != TABLE or state.turn == 1))):
        return  # the first round or turn keeps the starting word
    present = value_of(context, target, change_.name)
    at = figure.words.index(present) if present in figure.words else 0
    put_figure(context, target, change_.name, figure.words[(at + change_.by) % len(figure.words)])


def _change_targets(state: DescribedTable, of: str, seat: str) -> tuple[str, ...]:
    """Return the targets of a change: in a player's turn only that player and their things."""
    if of == TABLE:
        return (TABLE,)
    if of in (SEAT, RIVAL):
        return tuple(player.seat for player in state.playing if seat in ("", player.seat))
    return tuple(
        piece.handle for piece in state.pieces if piece.kind == of and seat in ("", piece.owner, piece.owner or seat)
    )
