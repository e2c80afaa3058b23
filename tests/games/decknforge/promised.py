"""Checks of each figure beside a choice of DecknForge, once the choice is made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rules import actions as do
from companion.tabletop.action import RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.cards import pretty
from companion.tabletop.table.choices import Gap
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.table import TableView, Zone
from tests.games.promises import (
    NUMBER,
    Check,
    Kind,
    Text,
    Tried,
    becomes,
    changes,
    chosen,
    figure_text,
    holds_now,
    is_right,
    read,
    seat_of,
    value_of,
)


def words(state: DungeonTable) -> Iterator[str]:
    """Return what is quoted beside choices: creatures, bands, and what inscriptions and labels do."""
    for effect in (*state.book.inscriptions.values(), *state.book.labels.values()):
        yield str(effect.effect)
    yield from (str(state.monster_title(ref)) for ref in state.monsters)
    yield from (monster.name for monster in state.monsters.values() if monster.name)
    yield from (band.name for band in state.bands.values())


def _name(text: Text) -> str:
    state: DungeonTable = text.state
    return state.wizard(seat_of(text)).name


def _values(view: TableView) -> dict[str, int]:
    """The face values of all revealed cards, by how the table names them: `ana's 9S`."""
    return {thing.target: figure_text(thing.counters[0].value) for zone in _revealed(view) for thing in zone.things}


# Cards


def _worth_once_revealed(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    card = f"{seat_of(text)}'s {text.given('card')}"
    assert figures == [tried.becomes(card, "value")], f"{card} counts {tried.becomes(card, 'value')}"


def _worth_in_hand(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """As a dodge by itself in this round; the first of several alone, as a Decree that is paid raises no other."""
    cards = text.given(text.field)
    if isinstance(cards, tuple) and len(cards) > 1:
        return
    card = cards[0] if isinstance(cards, tuple) else cards
    start = tried if text.field == "card" else tried._replace(after=tried.before, tells=())
    attacked = _attacked(start, seat_of(text))
    if attacked is None or tried.action.verb() == "unhold":
        return
    try:
        told_figures = list(attacked.then(do.Dodge(seat_of(text), (card,))).tells)
    except RuleError as error:
        told_figures = [str(error)]
    totals = [int(m[1]) for each in told_figures for m in re.finditer(rf"{pretty(card)}(?: = | is )(\d+)[ ;]", each)]
    assert not totals or totals[-1] == figures[0], f"{told_figures}"


def _attacked(tried: Tried, seat: str) -> Tried | None:
    """On to the attacks of this round, as far as nobody has to choose; None where somebody is not attacked then."""
    ways = {"tactics": Next(), "declare": do.Damage(), "damage": do.Damage()}
    now: DungeonTable = tried.after
    while tried.after.step in ways:
        tried = tried.then(ways[tried.after.step])
    after: DungeonTable = tried.after
    if after.step != "attack" or after.round != now.round or not after.wizard(seat).in_fight:
        return None
    return None if after.wizard(seat).answers else tried


def _worth_on_the_table(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    """`9♠ worth 9, 2♦ worth 2`"""
    view = tried.game.view(text.state)
    seat = next(seat for seat in view.seats if seat.seat == chosen(text))
    cards = [(t.title, t.counters[0].value) for zone in seat.zones if zone.name == "revealed" for t in zone.things]
    assert re.findall(r"(\S+) worth (\d+)", text.text) == [(title, str(value)) for title, value in cards], cards


def _changes_a_card(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – any of several
    """`+3`, or `−1 or −3` where that is up to the card."""
    if tried.refusal:
        return  # of two cards it is not said which
    before, after = _values(tried.game.view(tried.before)), _values(tried.game.view(tried.after))
    changes = {after[card] - before[card] for card in before if after[card] != before[card]} or {0}
    promised = {read(figure) for figure in re.findall(NUMBER, text.text.partition(":")[2])}
    assert len(changes) == 1, changes
    assert changes <= promised, f"it changes by {changes}"


def _becomes_worth(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`worth 9 → 12`"""
    card = str(text.given(text.field))
    before, after = _values(tried.game.view(tried.before)), _values(tried.game.view(tried.after))
    ways = [[before[each], after[each]] for each in before if each.endswith(f" {card}")]
    assert list(figures) in ways, ways


def _is_worth_now(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – which one, the text says
    """`Ana: 9♠ (9) attacks`"""
    view = tried.game.view(text.state)
    cards = {(thing.title, figure_text(thing.counters[0].value)) for zone in _revealed(view) for thing in zone.things}
    attacking = re.search(r": (\S+) \((\d+)\) attacks", text.text)
    assert attacking is not None
    assert (attacking[1], int(attacking[2])) in cards, cards


def _revealed(view: TableView) -> Iterator[Zone]:
    """The cards on the table, of each seat."""
    yield from (zone for seat in view.seats for zone in seat.zones if zone.name == "revealed")


def _is_worth(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    card = str(text.given(text.field))
    values = _values(tried.game.view(text.state))
    assert figures[0] in [value for each, value in values.items() if each.endswith(f" {card}")], values


def _costs_cards(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – any of several
    """`1 Hero + 2 cards`, or `2 cards or 3 cards` by what it targets."""
    if tried.refusal:
        return  # of two cards it is not said which
    price = text.text.partition(":")[0]
    costs = [sum(map(int, re.findall(r"\d+", cost))) for cost in price.split(" or ")]
    paid = -tried.more(seat_of(text), "hand")
    assert paid in costs, f"{paid} were paid"


def _are_the_prices(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    """`Tactic (spike 1 card, foil 2 cards or 3 cards) or pass`"""
    assert text.prompt is not None
    prices: dict[str, dict[str, None]] = {}
    for answer in text.prompt.others:
        for cost in str(answer.note).partition(":")[0].split(" or "):
            prices.setdefault(answer.action.verb(), {})[cost] = None
    shown_text = ", ".join(f"{verb} {' or '.join(costs)}" for verb, costs in prices.items())
    assert f"({shown_text})" in text.prompt.text, shown_text


# Declarations


def _resolved(tried: Tried) -> Tried | None:
    """Behind the damage, nobody declaring anything else; None where cards are still to be revealed."""
    for _ in range(4):
        if tried.after.step in ("declare", "damage") or not tried.after.tracks_all:
            return tried.then(do.Damage() if tried.after.tracks_all else do.Damage(0))
        if tried.after.step not in ("reveal", "tactics"):
            return None
        if any("reveal a card" in str(prompt.text) for prompt in tried.game.view(tried.after).prompts):
            return None
        tried = tried.then(Next())
    return None


def _converts(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`shield 3`, `heal 5 HP`, `draw 2`, `9 Coppers`"""
    if (resolved := _resolved(tried)) is None:
        return
    name = _name(text)
    what = re.search(r"shield|heal|draw|c\b|Coppers", text.text)
    assert what is not None
    if what[0] == "shield":
        if resolved.after.step == "attack":
            assert figures[0] == resolved.becomes(seat_of(text), "shield"), f"{resolved.tells}"
        return
    tells = {
        "heal": rf"{name} heals (\d+) to \d+ \(\S+: half",
        "draw": rf"{name} draws (\d+) (?:at most )?\(\S+?(?: ×2 Echo)?\)",
    }
    pattern = tells.get(what[0], rf"{name} (\d+)c: .*Convert")
    happened = [int(match[1]) for tell in resolved.tells for match in re.finditer(pattern, tell)] or [0]
    assert figures[0] in happened, f"{resolved.tells}"


# Attacks


def _takes(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: DungeonTable = text.state
    foe = text.text.partition(" from ")[2]
    why = "Boss attack" if foe == "the Boss" else foe
    if tried.after.step == state.step and tried.after.round == state.round and tried.after.number == state.number:
        tried = tried.then(Next())
    taken = [
        int(match[1])
        for tell in tried.tells
        for match in [re.match(rf"{_name(text)} takes (\d+) \(\d+ {re.escape(why)}", tell)]
        if match
    ]
    assert list(figures) == taken[:1], f"{taken} are taken"


def _bar(tried: Tried) -> int | None:
    """Return what a dodge had to be above."""
    told_figures = [*tried.tells, tried.refusal]
    bars = [int(match[1]) for each in told_figures for match in re.finditer(r"(?: > |takes more than )(\d+)", each)]
    return bars[0] if bars else None


def _dodges_from(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    bar = _bar(tried)
    assert bar is None or figures[-1] == bar + 1, f"it takes more than {bar}"


def _is_the_total(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """Return what all cards are worth together: `together 9 · worth 4`, of the first card its worth alone."""
    cards = tried.action.cards  # type: ignore[attr-defined]
    if cards != text.given("cards"):
        return  # others were named behind it
    totals = [int(m[1]) for each in (*tried.tells, tried.refusal) for m in re.finditer(r"(?: = | is )(\d+)[ ;]", each)]
    assert totals[:1] == [figures[0]], f"they are worth {totals}"


def _more_than_the_bar(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    _is_the_total(text, tried, figures[:1])
    assert figures[1] == _bar(tried)


# Labels and Monsters


def _rewards(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    """`2c, draw or heal 2`, `1c, draw 2 or heal 1`"""
    seat, (coppers, *gains) = seat_of(text), figures
    assert tried.more(seat, "coppers") == coppers
    drawn_cards, healed = (*gains, *gains)[:2]
    if tried.action.reward == "draw":  # type: ignore[attr-defined]
        assert _drawn_cards(tried, seat) == drawn_cards, tried.tells
    else:
        assert tried.more(seat, "hp") == healed, tried.tells


def _drawn_cards(tried: Tried, seat: str) -> int:
    """Return how many cards somebody drew: by the hand, where it is counted."""
    state: DungeonTable = tried.before
    if state.counts(seat, "hand"):
        return tried.more(seat, "hand")
    return sum(int(m[1]) for tell in tried.tells for m in re.finditer(r" draws (\d+)", tell))


def _draws(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert list(figures) == [_drawn_cards(tried, seat_of(text))], tried.tells


def _heals(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert list(figures) == [tried.more(seat_of(text), "hp")], tried.tells


def _of(field: str, counter: str) -> Check:
    """Return a check that a counter of the seat in a field goes from one figure to the other."""
    return changes(lambda text: str(text.given(field)), counter)


def _is_written(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    """HP and ATK as they stand on a Monster's card."""
    state: DungeonTable = text.state
    refs = text.given(text.field)
    ref = refs[-1] if isinstance(refs, tuple) else refs
    monster = state.monsters[ref]
    assert list(figures) == [monster.hp, monster.atk]


# The bonus


def _bonus(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: DungeonTable = text.state
    what = tried.action.choice  # type: ignore[attr-defined]
    if what == "momentum":
        after: DungeonTable = tried.after
        if after.boss is not None and after.number != state.number:
            lower, promised = after.boss.max - after.boss.hp, -figures[0]
            assert lower == promised or (lower < promised and after.boss.hp == 1 and "not below 1" in text.text)
    elif what == "surge":
        drawn_cards = [
            int(m[1]) for tell in tried.tells for m in re.finditer(r" draws (\d+) (?:at most )?\(Surge\)", tell)
        ]
        assert figures[0] == sum(drawn_cards), f"{drawn_cards} are drawn"
    else:
        healed = {m[1]: int(m[2]) for tell in tried.tells for m in re.finditer(r"^(.+?) heals (\d+) to .*Rally", tell)}
        if "start with" in text.text:
            assert f"Rally: everybody starts with {figures[0]} HP." in tried.tells
            return
        gains = {name: int(more) for name, more in re.findall(r"(\w+) \+(\d+)", text.text)}
        if "all" in gains:
            gains = dict.fromkeys([wizard.name for wizard in state.wizards if wizard.is_there], gains["all"])
        assert gains == healed


# After the game


def _cards_to_fade(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: DungeonTable = tried.after
    assert list(figures) == [len(state.wizard(seat_of(text)).fading_draw)]


def _describes_a_deck(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    state: DungeonTable = text.state
    brought = str(text.given("brought"))
    band = state.bands[brought]
    glory = value_of(tried.game.view(state), brought, "glory")
    assert list(figures) == [glory, band.dungeons + 1]
    cards = text.text.partition("⭐")[0]
    assert all(pretty(card) in cards for card in band.inscribed), band.inscribed


def _costs_coppers(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    assert list(figures) == [-tried.more(seat_of(text), "coppers")], tried.tells


def _has_so_many_places(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    gap = Gap.of(tried.game, text.state, text.draft, "card")
    assert list(figures) == [len(gap.fitting_choices)]


def _is_kept(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    what = text.text.partition(": ")[2].partition(" will be lost")[0]
    assert any(f" keeps {what} in a purse" in tell for tell in tried.tells), tried.tells


def _strikes(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    view = tried.game.view(text.state)
    attacks = [value_of(view, thing.target, "atk") for thing in view.things()]
    assert all(figure in attacks for figure in figures)


def _is_boss_number(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    state: DungeonTable = text.state
    assert list(figures) == [state.number]


def _begins_late(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    few, many, wizards = figures
    state: DungeonTable = text.state
    assert tried.action.cards in (few, many)  # type: ignore[attr-defined]
    assert wizards == len(state.wizards)


def _lie_unnamed(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001 – as the table has counted
    state: DungeonTable = text.state
    assert list(figures) == [state.wizard(seat_of(text)).unnamed_cards]


def _dodged_unnamed(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    state: DungeonTable = text.state
    assert list(figures) == [state.wizard(seat_of(text)).unnamed_dodge]


def _is_the_count(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    assert list(figures) == [tried.action.count]  # type: ignore[attr-defined]


def _shields(text: Text, tried: Tried, figures: Sequence[int]) -> None:
    resolved = _resolved(tried)
    if resolved is not None and resolved.after.step == "attack":
        assert list(figures) == [resolved.becomes(seat_of(text), "shield")], resolved.tells


def _first_figures(text: Text) -> list[int]:
    return [read(figure) for figure in re.findall(NUMBER, text.text)]


def _escalates(text: Text, tried: Tried, figures: Sequence[int]) -> None:  # noqa: ARG001
    before: DungeonTable = tried.before
    after: DungeonTable = tried.after
    assert before.boss is not None
    if after.boss is not None and after.number == before.number:
        assert after.boss.escalation - before.boss.escalation == figures[0]


def check_forecast(game: Game, state: DungeonTable) -> None:
    """Hold what the table says of the damage now against the damage (R1.42, R1.50)."""
    for hint in game.view(state).hints:
        if not str(hint).startswith("Now: "):
            continue
        tried = Tried(game, state, Next(), state, (), "")
        while tried.after.step in ("tactics", "declare", "damage"):
            tried = tried.then(Next() if tried.after.step == "tactics" else do.Damage())
        happened = " ".join(tried.tells)
        if match := re.fullmatch(r"Now: (.*) damage, Boss (.*)\.", str(hint)):
            fell = f"Boss: {match[1]} damage, {match[2]} HP." in happened
            assert fell or match[2].partition(" → ")[0] == match[2].partition(" → ")[2], f"“{hint}”: {happened}"
        else:
            kill = re.fullmatch(r"Now: (.*) kills the Boss, overkill (\d+); (.*) would take the kill\.", str(hint))
            assert kill is not None, f"nothing says what “{hint}” must be"
            assert f"Boss: {kill[1]} damage" in happened, f"“{hint}”: {happened}"
            killer = f"{kill[3]} takes the Killing Blow" if kill[3] != "nobody" else "nobody takes the Killing Blow"
            assert killer in happened, f"“{hint}”: {happened}"
            assert tried.after.overkill == int(kill[2]), f"“{hint}”: {tried.after.overkill}"


KINDS: Final = (
    # who it is
    Kind(r"choice .*\.(one|other)", rf"_ worth {NUMBER}(?:, _ worth {NUMBER})*", _worth_on_the_table),
    Kind(
        r"choice .*\.(seat|one|other)",
        rf"{NUMBER} HP · {NUMBER}c · {NUMBER} in hand",
        holds_now(chosen, "hp", "coppers", "hand"),
    ),
    Kind(r"choice .*\.(seat|one|other)", rf"{NUMBER} HP · {NUMBER}c", holds_now(chosen, "hp", "coppers")),
    Kind(r"choice .*\.seat", rf"{NUMBER}c", holds_now(chosen, "coppers")),
    Kind(r"choice .*\.seat", rf"{NUMBER} Mythic", holds_now(chosen, "mythics")),
    # reveal
    Kind(r"choice reveal\.card", rf"worth {NUMBER}", _worth_once_revealed),
    Kind(r"choice patron\.other", rf"{NUMBER} → {NUMBER} HP", _of("other", "hp")),
    Kind(r"choice patron\.other", rf"{NUMBER}c → {NUMBER}c", _of("other", "coppers")),
    Kind(r"note patron", rf"{NUMBER} → {NUMBER} HP", _of("other", "hp")),
    Kind(r"note patron", rf"{NUMBER}c → {NUMBER}c", _of("other", "coppers")),
    Kind(r"choice (?:hold|unhold)\.card|choice coach\.hand", rf"worth {NUMBER}", _worth_in_hand),
    # Tactics
    Kind(r"choice (?:spike|foil|snipe|brace)\.pay", rf"worth {NUMBER}", _worth_in_hand),
    Kind(r"prompt pass", r"Tactic \(.*\) or pass", _are_the_prices),
    Kind(r"note (?:spike|foil|snipe|brace)", r"^.*?\d.*?:", _costs_cards),
    Kind(r"note (?:spike|foil)", rf"{NUMBER}(?: or {NUMBER})*", _changes_a_card),
    Kind(r"asked (?:spike|foil|snipe|brace)\.pay", r"^.*$", _costs_cards),
    Kind(r"choice (?:spike|foil|snipe)\.(?:card|own)", rf"worth {NUMBER} → {NUMBER}", _becomes_worth),
    # damage
    Kind(r"prompt (?:convert|target)", rf"_ \({NUMBER}\) attacks", _is_worth_now),
    Kind(r"note convert|choice convert\.(?:card|as_)", rf"shield {NUMBER}", _converts),
    Kind(r"note convert|choice convert\.(?:card|as_)", rf"heal {NUMBER}(?: HP)?", _converts),
    Kind(r"note convert|choice convert\.(?:card|as_)", rf"draw {NUMBER}", _converts),
    Kind(r"note convert|choice convert\.(?:card|as_)", rf"{NUMBER}(?:c| Coppers)", _converts),
    Kind(r"choice target\.card", rf"worth {NUMBER}", _is_worth),
    Kind(
        r"choice target\.minion",
        rf"{NUMBER} of \d+ HP · ATK {NUMBER}",
        holds_now(lambda text: f"minion {chosen(text)}", "hp", "atk"),
    ),
    Kind(r"prompt damage", rf"Round {NUMBER}:", holds_now(lambda _: "table", "round")),
    Kind(r"prompt damage", rf"\({NUMBER} HP\)", holds_now(lambda _: "boss", "hp")),
    # the kill
    Kind(r"note bonus", r"^.*$", lambda text, tried, _: _bonus(text, tried, _first_figures(text))),
    Kind(r"choice bonus\.choice", r"^.*$", lambda text, tried, _: _bonus(text, tried, _first_figures(text))),
    Kind(r"prompt patron", r"heals somebody up to 5, or steals up to 2c", is_right),
    Kind(r"choice patron\.choice", r"Heal up to 5|Steal up to 2c", is_right),
    # attacks
    Kind(r"note take", rf"take {NUMBER} damage from", _takes),
    Kind(r"note dodge", rf"dodge with {NUMBER}\+", _dodges_from),
    Kind(r"asked dodge\.cards", rf"cards worth {NUMBER} or more together", _dodges_from),
    Kind(r"choice dodge\.cards", rf"{NUMBER}, more than {NUMBER}", _more_than_the_bar),
    Kind(r"choice dodge\.cards", rf"(?:together {NUMBER} · )?worth {NUMBER}", _is_the_total),
    Kind(r"prompt next", rf"(?:the Boss|_) {NUMBER}(?=[,:])", _strikes),
    # labels and Monsters
    Kind(r"choice label\.label", rf"{NUMBER}c, draw or heal {NUMBER}", _rewards),
    Kind(r"choice label\.label", rf"{NUMBER}c, draw {NUMBER} or heal {NUMBER}", _rewards),
    Kind(r"choice label\.reward", rf"Draw {NUMBER}", _draws),
    Kind(r"choice label\.reward", rf"Heal {NUMBER}", _heals),
    Kind(r"choice label\.reward", rf"{NUMBER} in hand, {NUMBER} in the deck", holds_now(seat_of, "hand", "deck")),
    Kind(r"choice label\.reward", rf"{NUMBER} → {NUMBER} HP", _of("seat", "hp")),
    Kind(r"choice (?:refill|escalate)\.minion", rf"HP {NUMBER} · ATK {NUMBER}", _is_written),
    Kind(r"choice bosses\.monsters", rf"HP {NUMBER} · ATK {NUMBER}", _is_written),
    Kind(r"prompt refill", rf"ATK {NUMBER}", _escalates),
    Kind(r"prompt bosses", rf"^Boss {NUMBER}", _is_boss_number),
    Kind(r"note deal", rf"^{NUMBER},", becomes(seat_of, "hand")),
    Kind(r"choice deal\.cards", rf"{NUMBER} cards", becomes(seat_of, "hand")),
    Kind(r"prompt deal", rf"{NUMBER} cards, as .*, or {NUMBER}, as {NUMBER} wizards", _begins_late),
    # cards that nobody named
    Kind(r"prompt spades", rf"{NUMBER} unnamed cards?", _lie_unnamed),
    Kind(r"prompt (?:among|hold)", rf"dodged with {NUMBER} unnamed cards?", _dodged_unnamed),
    Kind(r"choice spades\.count", rf"{NUMBER} Spades?", _is_the_count),
    Kind(r"choice spades\.count", rf"shield {NUMBER}", _shields),
    # after the game
    Kind(r"prompt fade|asked fade\.cards", rf"{NUMBER} Blessed cards?", _cards_to_fade),
    Kind(r"note pick", rf"{NUMBER} Glory · {NUMBER} dungeons?", _describes_a_deck),
    Kind(r"choice pick\.brought", rf"{NUMBER} Glory · {NUMBER} dungeons?", _describes_a_deck),
    Kind(r"prompt buy", rf"with {NUMBER}c$", holds_now(seat_of, "coppers")),
    Kind(r"prompt mythic", rf"place {NUMBER} Mythics?", holds_now(seat_of, "mythics")),
    Kind(r"choice buy\.inscription", rf"{NUMBER}c", _costs_coppers),
    Kind(
        r"choice (?:buy|mythic)\.inscription",
        rf"may go on {NUMBER} cards(?: from 2 to 10)?",
        _has_so_many_places,
    ),
    Kind(r"prompt keep-purse", r"^.*will be lost", _is_kept),
    Kind(r"prompt watch", r"^Playtest.*$", is_right),
)
