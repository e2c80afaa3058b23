"""The facts of a match, computed from its actions, and its evening card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.tabletop.action import DeckId
from companion.tabletop.constructed.evening import BestAttack, Duel, LeadChange, LifeAfter, LowestLife
from companion.tabletop.constructed.keeping import final_figures, match_score, match_text
from companion.tabletop.constructed.record import ConstructedPlayed
from companion.tabletop.evening import (
    CardCourse,
    CardFigure,
    CardList,
    CardPart,
    ChapterText,
    CoursePoint,
    EveningCard,
    NameOf,
    Participant,
)
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.table.common_actions import Add, Seat, Set
from companion.tabletop.table.counters import Gauge
from companion.tabletop.table.display import Display
from companion.tabletop.table.match_result import HIT, Contender, MatchResult, Result, Tally
from companion.tabletop.text import figure
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

Attackers = Callable[[Any], tuple[str, ...]]
"""A function that returns the titles of the attackers on a table."""


class _Turned(NamedTuple):
    """An action of a turn, with the life of all players before and after it, in the order of the seats.

    `lost` is what they lost by it; corrections never increase that.
    """

    deed: PlayedAction
    before: tuple[int, ...]
    after: tuple[int, ...]
    lost: tuple[int, ...]


def duel(
    played: Sequence[PlayedAction], display: Display[Any, Any], attackers: Attackers, *, has_life: bool = True
) -> Duel | None:
    """Return the facts of a match so far; None before its first turn (unless it ended there), or without life.

    With `has_life` False, for a game whose main figure is not life, they are only the players and the outcome.
    """
    turns = [deed for deed in played if deed.before.turn and deed.after.turn]
    if not played or not (turns or played[-1].after.outcome):
        return None
    end = played[-1].after
    if not has_life:
        participants = (_participant(end, each, end.persons.get(each.seat, "")) for each in end.players)
        return Duel(tuple(participants), end.outcome or "")
    gauge = next((gauge for gauge in display.gauges_of_seats(end) if gauge.life), None)
    if gauge is None:
        return None
    seats = [player.seat for player in end.players]
    lives = [_lives(gauge, deed.before) for deed in turns[:1]] + [_lives(gauge, deed.after) for deed in turns]
    turned = [
        _Turned(deed, lives[at], lives[at + 1], _life_lost(gauge, deed, lives[at], lives[at + 1]))
        for at, deed in enumerate(turns)
    ]
    course = tuple(_course(turned))
    people = {deed.action.seat: deed.action.person for deed in played if isinstance(deed.action, Seat)}
    return Duel(
        participants=tuple(_participant(end, player, people.get(player.seat, "")) for player in end.players),
        outcome=end.outcome or "",
        course=course,
        best_attack=_best_attack(turned, seats, attackers),
        lead_changes=tuple(_lead_changes(course, seats)),
        narrowest=_narrowest(turned, seats, end.outcome),
    )


def _lives(gauge: Gauge[Any, Any], state: Any) -> tuple[int, ...]:
    """Return what each player has left: their life, or the damage that they can still take."""
    return tuple(_life(gauge, state, player) for player in state.players)


def _life(gauge: Gauge[Any, Any], state: Any, player: Any) -> int:
    value = gauge.read(state, player)
    assert isinstance(value, int)
    return gauge.top(state, player) - value if gauge.full == "harm" and gauge.top else value


def _life_lost(
    gauge: Gauge[Any, Any], deed: PlayedAction, before: Sequence[int], after: Sequence[int]
) -> tuple[int, ...]:
    """Return what each player lost by an action, at most what they had lost by it as entered."""
    lost = tuple(life - left for life, left in zip(before, after, strict=True))
    if deed.entered is None:
        return lost
    entered = zip(*(_lives(gauge, table) for table in deed.entered), strict=True)
    return tuple(min(each, life - left) for each, (life, left) in zip(lost, entered, strict=True))


def _participant(end: Any, player: Any, person: str) -> Participant:
    deck = end.brought.get(player.seat)
    return Participant(player.seat, player.name, person, deck.deck if deck else "", deck.called if deck else "")


def _course(turned: Sequence[_Turned]) -> Iterator[LifeAfter]:
    """Return an iterator over the life of all players at the end of each turn."""
    ends = {each.deed.before.turn: each.after for each in turned}
    return (LifeAfter(turn, life) for turn, life in ends.items())


def _best_attack(turned: Sequence[_Turned], seats: Sequence[str], attackers: Attackers) -> BestAttack | None:
    """Return the largest loss of a player by one line that the rules carried out, or None.

    If only figures are tracked, the lines are changes of a figure.
    """
    best: BestAttack | None = None
    for deed, _, _, lost in turned:
        before, action = deed.before, deed.action
        by_hand = isinstance(action, Set) or (isinstance(action, Add) and before.tracks_all)
        for seat, damage in zip(seats, lost, strict=True) if not by_hand else ():
            if damage > (best.damage if best else 0):
                by = "" if before.active == seat else before.active
                best = BestAttack(seat, damage, before.turn, by, attackers(before) if by else ())
    return best


def _lead_changes(course: Sequence[LifeAfter], seats: Sequence[str]) -> Iterator[LeadChange]:
    """Yield each change of the leader, as seen at the end of each turn."""
    leader = ""
    for turn, life in ((after.turn, after.life) for after in course):
        leaders = [seat for seat, left in zip(seats, life, strict=True) if left == max(life)]
        if len(leaders) == 1 and leaders[0] != leader:
            yield LeadChange(leaders[0], turn, leader)
            leader = leaders[0]


def _narrowest(turned: Sequence[_Turned], seats: Sequence[str], winner: str | None) -> LowestLife | None:
    """Return the winner's lowest life; None if nobody has won, or the winner lost no life."""
    if winner is None or winner not in seats or not turned:
        return None
    at = seats.index(winner)
    lowest = min(turned, key=lambda each: each.after[at])
    life = lowest.after[at]
    return LowestLife(winner, life, lowest.deed.before.turn) if life < turned[0].before[at] else None


def tallies(evening: Duel) -> tuple[Tally, ...]:
    """Return the events of a match that statistics count: the biggest attack."""
    best = evening.best_attack
    if best is None or not best.seat:
        return ()
    return (Tally(HIT, ", ".join(best.attackers), best.seat, best.target, best.damage),)


def played_result(mark: ConstructedPlayed, deck: DeckId) -> MatchResult:
    """Return the result from which a mark was made, as far as the mark holds it."""
    evening = mark.evening
    seats = {each.deck or each.name: each.seat for each in evening.participants} if evening else {}

    def contender(name: str, of: DeckId, result: Result, **others: Any) -> Contender:
        return Contender(seats.get(of) or seats.get(name, name), name, result, deck=of, **others)

    called = next((each.called for each in evening.participants if each.deck == deck), "") if evening else ""
    own = contender(
        mark.player, deck, mark.result, person=mark.person, called=called, version=mark.version, final=mark.final
    )
    theirs = _AGAINST[mark.result]
    others = (
        contender(
            each.name,
            each.deck,
            theirs,
            person=each.person,
            called=each.called,
            version=each.version,
            final=each.final,
        )
        for each in mark.opponents
    )
    players = (own, *others)
    seat = next((player.seat for player in players if player.result == "won"), "draw")
    return MatchResult(
        seat,
        players,
        mark.turns,
        minutes=evening.minutes if evening else 0,
        venue=evening.venue if evening else "",
        tallies=tallies(evening) if evening else (),
    )


_AGAINST: Final[dict[Result, Result]] = {"won": "lost", "lost": "won", "draw": "draw"}


def card(title: Text, credit: Text, evening: Duel) -> EveningCard:
    """Return a match on one page."""
    return EveningCard(
        game=title,
        headline=_headline(evening),
        subtitle=_participants(evening),
        figures=tuple(_figures(evening)),
        parts=tuple(_parts(evening)),
        credit=credit,
        highlights=tuple(_highlights(evening)),
    )


def _with_deck(participant: Participant) -> str:
    return f"{participant.name} ({participant.called})" if participant.called else participant.name


def _participants(evening: Duel) -> Message:
    """Return the players with their decks."""
    names = [_with_deck(participant) for participant in evening.participants]
    return (
        phrase("{player} against {other}", player=names[0], other=names[1]) if len(names) == 2 else joined(" · ", names)
    )


def _headline(evening: Duel) -> Message:
    if not evening.outcome:
        return phrases("Not over after {n} turn", "Not over after {n} turns", n=evening.turns)
    if evening.outcome == "draw":
        return phrase("A draw")
    return phrase("{player} wins", player=evening.name(evening.outcome))


def _highlights(evening: Duel) -> Iterator[Text]:
    """Yield the highlights of a match, from rare ones to those that every match has."""
    low, best = evening.narrowest, evening.best_attack
    if low and evening.course and low.life * 4 <= max(evening.course[0].life):
        # Translators: {life} is the life that the winner had left.
        yield phrase("{player} came back from {life}", player=evening.name(low.seat), life=figure(low.life))
    if best and best.seat:
        hit = {
            "player": evening.name(best.seat),
            "other": evening.name(best.target),
            "damage": str(best.damage),
        }
        if best.attackers:
            yield phrase("{player} hit {other} for {damage} with {cards}", **hit, cards=listed(best.attackers))
        else:
            yield phrase("{player} hit {other} for {damage}", **hit)
    if evening.course:
        left = " : ".join(str(max(0, life)) for life in evening.final.values())
        # Translators: {life} is what all players have left: 9 : 0.
        yield phrases("{life} after {n} turn", "{life} after {n} turns", n=evening.turns, life=left)
    if evening.participants:
        yield _against(evening)


def _against(evening: Duel) -> Text:
    first, *others = (_with_deck(participant) for participant in evening.participants)
    against: Text = first
    for other in others:
        against = phrase("{player} against {other}", player=against, other=other)
    return against


def _figures(evening: Duel) -> Iterator[CardFigure]:
    if not evening.course:
        return
    # Translators: The title below a large figure.
    yield CardFigure(str(evening.turns), phrases("turn", "turns", n=evening.turns))
    left = {evening.name(seat): str(max(0, life)) for seat, life in evening.final.items()}
    yield CardFigure(" : ".join(left.values()), phrase("left at the end"), " : ".join(left))
    if best := evening.best_attack:
        yield CardFigure(str(best.damage), phrase("biggest attack"), _attack(evening, best))
    if (low := evening.narrowest) and evening.course and low.life * 2 <= max(evening.course[0].life):
        # Translators: The winner, and the turn in which they had least life.
        note = phrase("{player}, turn {turn}, and won", player=evening.name(low.seat), turn=str(low.turn))
        yield CardFigure(figure(low.life), phrase("narrowest moment"), note)


def _attack(evening: Duel, best: BestAttack) -> Message:
    # Translators: Who attacked whom: “Ana with Ash Wolf on Ben, turn 7”.
    target, turn = evening.name(best.target), str(best.turn)
    if not best.seat:
        return phrase("{target}, turn {turn}", target=target, turn=turn)
    player = evening.name(best.seat)
    if not best.attackers:
        return phrase("{player} on {target}, turn {turn}", player=player, target=target, turn=turn)
    return phrase(
        "{player} with {cards} on {target}, turn {turn}",
        player=player,
        cards=listed(best.attackers),
        target=target,
        turn=turn,
    )


def _parts(evening: Duel) -> Iterator[CardPart]:
    if evening.course:
        names = tuple(each.name for each in evening.participants)
        points = (CoursePoint(after.turn, tuple(max(0, left) for left in after.life)) for after in evening.course)
        yield CardCourse(phrase("What was left, turn by turn"), names, tuple(points))
    if len(evening.lead_changes) > 1:
        yield CardList(phrase("Turning points"), tuple(lead(evening, each) for each in evening.lead_changes[1:]))


def lead(evening: Duel, change: LeadChange) -> Message:
    """Return a sentence: `Ben takes the lead from Ana in turn 7.`"""
    player, turn = evening.name(change.seat), str(change.turn)
    if not change.before:
        return phrase("{player} takes the lead in turn {turn}.", player=player, turn=turn)
    return phrase(
        "{player} takes the lead from {other} in turn {turn}.",
        player=player,
        other=evening.name(change.before),
        turn=turn,
    )


def chapter(mark: ConstructedPlayed, name_of: NameOf) -> ChapterText:
    """Return a match as a section of a deck's story; for older matches only the result is known."""
    opponents = (replace(each, name=name_of(each.name, each.person)) for each in mark.opponents)
    mark = replace(mark, player=name_of(mark.player, mark.person), opponents=tuple(opponents))
    title = joined("; ", filter(None, (match_text(mark), match_score(mark))))
    figures = final_figures(mark)
    # Translators: {figures} are what players have left, in words of notation: “health 12, Ben health 0”.
    facts = (phrase("Left at the end: {figures}.", figures=figures),) if figures else ()
    if mark.evening is None:
        return ChapterText(title, "", facts)
    evening = mark.evening.with_names(name_of)
    return ChapterText(title, evening.venue, (*facts, *_facts(evening)))


def _facts(evening: Duel) -> Iterator[Text]:
    """Yield sentences about the course of a match."""
    if best := evening.best_attack:
        yield phrase("Biggest attack: {damage}, {attack}.", damage=str(best.damage), attack=_attack(evening, best))
    if low := evening.narrowest:
        yield phrase(
            "Narrowest moment: {player} at {life} in turn {turn}.",
            player=evening.name(low.seat),
            life=str(low.life),
            turn=str(low.turn),
        )
    yield from (lead(evening, change) for change in evening.lead_changes[1:])
