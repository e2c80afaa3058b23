"""Differences between two views of a table, counter by counter, and what fell."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Final, NamedTuple

import msgspec

from companion.session.core.moments import Moment
from companion.tabletop.action import RuleError, Tell
from companion.tabletop.corrections import as_corrected, find_correction
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import TARGET, Words
from companion.tabletop.table.common_actions import Add, Set
from companion.tabletop.table.table import Counter, TableView, TeamView, Thing
from companion.tabletop.words import title_of_word
from templates.languages.messages import (
    Language,
    Message,
    Text,
    all_of,
    joined,
    listed,
    phrase,
    phrase_in,
    phrases,
    render_value,
)

_OUTCOME, _STEP = "outcome", "step"
_VIEW_FIELDS = (_OUTCOME, _STEP)
"""Counters of the table that are also fields of a view."""
_TABLE = "table"
_MOST = 12
"""Maximum number of figures named in a sentence."""


class Difference(msgspec.Struct, frozen=True):
    """A figure that differs between two tables.

    `target` is its owner in notation, `who` the owner's display name ("" for the table itself), and `what` the figure,
    or "" for a whole thing. `before` and `after` are its values as text, "" if it is missing. `is_visible` is that of
    the counter; a whole thing is visible if a line can name it. An attack, or a card on its way, is reported by the
    line that brings it.
    """

    target: str
    who: Text
    what: Text
    before: Text
    after: Text
    is_visible: bool = True

    @property
    def text(self) -> Message:
        """The change as text: `HP 12 → 15`, or `HP 15` if it is new; `comes` or `is gone` for a whole thing.

        If no line can name the thing, `New` or `Gone`.
        """
        if not self.what:
            if not self.is_visible:
                return phrase_in("thing", "New") if self.after else phrase_in("thing", "Gone")
            return phrase_in("thing", "comes") if self.after else phrase_in("thing", "is gone")
        if not self.before:
            return joined(" ", (self.what, self.after))
        # Translators: A figure before and after a change: “HP 12 → 15”.
        return phrase(
            "{figure} {before} → {after}",
            figure=self.what,
            before=self.before,
            after=self.after or title_of_word("none"),
        )


def differences(before: TableView, after: TableView) -> tuple[Difference, ...]:
    """Return all differences: the outcome first, then seats, things and the table."""
    outcome = () if before.outcome == after.outcome else (_outcome_change(before, after),)
    return (*outcome, *_seats(before, after), *_things(before, after), *_table(before, after))


def _outcome_change(before: TableView, after: TableView) -> Difference:
    """Return the difference of the outcome, by the names of those who have won; a new outcome has no earlier one."""
    return Difference(_TABLE, "", phrase("Outcome"), _name_outcome(before), _name_outcome(after))


def _name_outcome(view: TableView) -> Text:
    """Return the winners, or the outcome in a word; "" if there is none."""
    return name_winners(view) or title_of_word(view.outcome or "")


def describe(differing: Iterable[Difference], most: int = _MOST) -> Message:
    """Return differences as text; those after `most` figures are only counted.

    For example, `Ana: HP 12 → 15, Hand 3 → 2. Wolf is gone.`
    """
    ordered = sorted(differing, key=lambda difference: not difference.is_visible)
    named, rest = ordered[:most], len(ordered) - most
    order = {difference.who: at for at, difference in reversed(list(enumerate(named)))}
    by_who = sorted(named, key=lambda difference: order[difference.who])
    parts = [_about(who, list(group)) for who, group in groupby(by_who, key=lambda difference: difference.who)]
    # Translators: It ends a list of changes: “Ana: HP 12 → 15. And 3 more.”
    more = [phrases("And {n} more.", "And {n} more.", n=rest)] if rest > 0 else []
    return joined(" ", (*parts, *more))


def _about(who: Text, group: Sequence[Difference]) -> Message:
    first, changes = group[0], listed(difference.text for difference in group)
    if not who:
        # Translators: {changes} is a list such as “HP 12 → 15, Hand 3 → 2”.
        return phrase("{changes}.", changes=changes)
    if first.what:
        return phrase("{name}: {changes}.", name=who, changes=changes)
    if not first.is_visible:
        # Translators: {changes} is “New” or “Gone”, {thing} a title or a sentence on a thing.
        return phrase("{changes}: {thing}.", changes=changes, thing=who)
    if len(group) > 1:
        # Translators: Several things of one name; {changes} is a list of “comes” and “is gone”.
        return phrase("{thing} {changes}.", thing=who, changes=changes)
    return phrase("{thing} comes.", thing=who) if first.after else phrase("{thing} is gone.", thing=who)


def _table(before: TableView, after: TableView) -> Iterator[Difference]:
    was, is_now = _step_title(before), _step_title(after)
    # A step of the page may have the title of one that every game has.
    if before.step != after.step and str(was).casefold() != str(is_now).casefold():
        yield Difference(_TABLE, "", phrase_in("figure", "Step"), was, is_now)
    names = {seat.seat: seat.name for view in (before, after) for seat in view.seats}
    for each in _counters(_TABLE, "", _own(before), _own(after)):
        values = (each.before, each.after)
        if any(isinstance(value, str) and value in names for value in values):
            was, is_now = (_name_seat(value, names) for value in values)
            each = msgspec.structs.replace(each, before=was, after=is_now)
        yield each


def _name_seat(value: Text, names: Mapping[str, str]) -> Text:
    """Return the player at a seat that is the value of a figure, or `nobody`."""
    if value in ("", title_of_word("none")):
        return phrase("nobody")
    return names.get(value, value) if isinstance(value, str) else value


def _own(view: TableView) -> tuple[Counter, ...]:
    return tuple(counter for counter in view.counters if counter.name not in _VIEW_FIELDS)


def _step_title(view: TableView) -> Text:
    return next((step.title for step in view.steps if step.name == view.step), title_of_word(view.step))


def _seats(before: TableView, after: TableView) -> Iterator[Difference]:
    now = {seat.seat: seat for seat in after.seats}
    for seat in before.seats:
        if seat.seat not in now:
            yield Difference(seat.seat, seat.name, "", seat.name, "")
        else:
            yield from _counters(seat.seat, seat.name, seat.counters, now[seat.seat].counters)
    before_seats = {seat.seat for seat in before.seats}
    yield from (
        Difference(seat.seat, seat.name, "", "", seat.name) for seat in after.seats if seat.seat not in before_seats
    )


def _things(before: TableView, after: TableView) -> Iterator[Difference]:
    """Yield the differences of things: another title in the same place is another thing, unless people named it.

    The table's own figures are reported as its own, wherever they are drawn.
    """
    now = {_identify(thing): thing for thing in after.things() if thing.target != _TABLE}
    earlier = {_identify(thing): thing for thing in before.things() if thing.target != _TABLE}
    for key, thing in earlier.items():
        if key in now:
            yield from _counters(thing.target, thing.title, thing.counters, now[key].counters)
        else:
            yield Difference(thing.target, thing.title, "", thing.title, "", _has_name(thing))
    for key, thing in now.items():
        if key not in earlier:
            yield Difference(thing.target, thing.title, "", "", thing.title, _has_name(thing))


def _identify(thing: Thing) -> tuple[str, Text]:
    """Return what a thing is known by: its place, and its name or else its title, which may have a number."""
    return thing.target, thing.name or thing.title


def _has_name(thing: Thing) -> bool:
    """Return True if a line can name a thing; otherwise its title may be a whole sentence."""
    words = Words.of(thing.target)
    TARGET.read(words, ())
    return not words


def _counters(target: str, who: Text, before: Sequence[Counter], after: Sequence[Counter]) -> Iterator[Difference]:
    old = {counter.name: counter for counter in before}
    new = {counter.name: counter for counter in after}
    for name in dict.fromkeys((*old, *new)):
        counter = new.get(name) or old[name]
        if counter.is_shared:
            continue
        was, is_now = _text(old.get(name)), _text(new.get(name))
        # A counter that is new and still has no value says nothing.
        if was != is_now and (was or counter.value is not None):
            yield Difference(target, who, counter.caption, was, is_now, counter.is_visible)


def _text(counter: Counter | None) -> Text:
    return "" if counter is None else counter.figure


_POINTS = 6
"""Maximum number of turning points reported. Decisions and falls are always reported."""


class Point(msgspec.Struct, frozen=True):
    """A turning point: the `line` of the log, what fell, and what happened, in sentences."""

    line: int
    fell: tuple[Text, ...]
    sentence: Text
    hit: int = 0
    """The largest figure lost."""
    decided: bool = False
    """True if the sentence itself says who felled what."""

    @property
    def worth(self) -> tuple[bool, bool, int]:
        """The sort key if there is no room for all: decisions first, then falls, then the largest hits."""
        return self.decided, bool(self.fell), self.hit


class GameEnding(msgspec.Struct, frozen=True):
    """The end of a game: its title, its turning points in order, and everybody's figures at the end."""

    title: Text
    points: tuple[Point, ...]
    people: tuple[tuple[str, Text], ...]


class Fall(NamedTuple):
    """A seat or thing that fell: its name, a text that says so, and the seat, "" for a thing."""

    name: Text
    text: Message
    seat: str = ""


def _new_falls(before: TableView, after: TableView, renumbered: str = "") -> Iterator[Fall]:
    """Yield the seats that are newly out, and the things whose large figure is gone or used up.

    A figure of the thing `renumbered` was set, so that it has at most another title, as long as something is there.
    """
    out = {seat.seat for seat in before.seats if seat.is_out}
    for seat in after.seats:
        if seat.is_out and seat.seat not in out:
            yield Fall(seat.name, phrase("{player} is out", player=seat.name), seat.seat)
    yield from _fallen_things(before, after, renumbered)


def _fallen_things(
    before: TableView, after: TableView, renumbered: str = "", *, also_spent: bool = False
) -> Iterator[Fall]:
    """Yield things whose large figure is gone or used up; with `also_spent`, also those that had none left before."""
    now = {(thing.target, thing.title): thing for thing in after.things()}
    same = next((thing for thing in after.things() if renumbered and thing.target == renumbered), None)
    for thing in before.things():
        figure = _large(thing.counters) if thing.can_fall else None
        if figure is None or (_remaining_amount(figure) <= 0 and not also_spent):
            continue
        there = now.get((thing.target, thing.title)) or (same if thing.target == renumbered else None)
        if there is None:
            yield Fall(thing.title, phrase("{thing} is gone", thing=thing.title))
        elif (left := _large(there.counters)) is not None and _remaining_amount(left) <= 0:
            yield Fall(thing.title, phrase("{thing} falls", thing=thing.title))


def _large(counters: Iterable[Counter]) -> Counter | None:
    return next((counter for counter in counters if counter.big and counter.number is not None), None)


def _remaining_amount(counter: Counter) -> int:
    """Return what is left of a figure; for one that counts harm, the distance from its maximum."""
    number = counter.number or 0
    return (counter.top or number + 1) - number if counter.full == "harm" else number


def last_fallen(game: Game, moments: Sequence[Moment]) -> tuple[Text, ...]:
    """Return what fell in the last intention."""
    if not moments:
        return ()
    last = moments[-1]
    first = next((moment for moment in moments if moment.group == last.group), last)
    if first.before is None or _names_another_thing(game, last):
        return ()
    falls = _new_falls(game.view(first.before.state), game.view(last.state), _find_renumbered(last))
    return tuple(fall.text for fall in falls)


def line_falls(game: Game, moment: Moment, before: TableView, after: TableView) -> tuple[Fall, ...]:
    """Return what falls through one line between two views; a line that only names another thing fells nothing."""
    falls = tuple(_new_falls(before, after, _find_renumbered(moment)))
    return () if falls and _names_another_thing(game, moment) else falls


def _find_renumbered(moment: Moment) -> str:
    """Return the thing of which a line sets a figure, "" for none."""
    return str(moment.action.target) if isinstance(moment.action, Add | Set) else ""


def _names_another_thing(game: Game, moment: Moment) -> bool:
    """Return True if a line only corrects which thing lies there, so that nothing fell."""
    if moment.before is None or isinstance(moment.action, Add | Set):
        return False
    return find_correction(game, PlayedAction(moment.before.state, moment.action, moment.state), None) is not None


def tell_ending(game: Game, moments: Sequence[Moment]) -> GameEnding:
    """Return the end of a game from its corrected log.

    Views the table after each line, so it is slow for a long log.
    """
    points: list[Point] = []
    played = [PlayedAction(each.before.state, each.action, each.state) for each in moments if each.before is not None]
    before, state = game.view(played[0].before), played[0].before
    for moment, deed in zip(moments[-len(played) :], as_corrected(game, played), strict=True):
        after = before if deed.after is state else game.view(deed.after)
        if before.outcome is None and after is not before and not deed.is_absorbed:
            points.append(_point(moment, before, after, _corrected_tells(game, deed)))
        before, state = after, deed.after
        if after.outcome is not None:
            break
    last = game.view(moments[-1].state)
    points = list(_fallen_once(points))
    worth = sorted((point for point in points if any(point.worth)), key=lambda point: point.worth, reverse=True)
    best = worth[: max(_POINTS, sum(point.decided or bool(point.fell) for point in worth))]
    # In the order of events: a line that was inserted later has a higher number.
    turning_points = [point for point in points if point in best]
    # A 0 may be the figure that has decided, so it is shown where others have more.
    everybody = chain((seat.counters for seat in last.seats), (team.counters for team in last.teams))
    names = {each.name for counters in everybody for each in counters if _has_grown(each)}
    people = [(str(_name_team(team)), _final_figures(team.counters, names)) for team in last.teams]
    for seat in last.seats:
        # The figures of a team stand in its own row.
        own_counters = (each for each in seat.counters if not (last.teams and each.is_shared))
        if (figures := _final_figures(own_counters, names)) or not last.teams:
            people.append((seat.name, figures))
    own = (thing for zone in last.zones for thing in zone.things if thing.target == _TABLE)
    named = ((thing, {each.name for each in thing.counters if _has_grown(each)}) for thing in own)
    people += ((str(thing.title), text) for thing, names in named if (text := _final_figures(thing.counters, names)))
    return GameEnding(outcome_title(last), tuple(turning_points), tuple(people))


def _name_team(team: TeamView) -> Text:
    """Return a team with its members: `Jade (Ana and Cy)`."""
    return phrase("{team} ({players})", team=team.title, players=all_of(team.members))


def _final_figures(counters: Iterable[Counter], names: Container[str]) -> Text:
    """Return the figures and words of a seat or of the table at the end, of the counters with these names."""
    named = (each for each in counters if each.is_visible and each.name in names)
    visible = (each for each in named if each.number is not None or _has_grown(each))
    return joined(" · ", (joined(" ", (each.caption, each.figure)) for each in visible))


def _has_grown(counter: Counter) -> bool:
    """Return True for a figure that is not 0, or a word that says something."""
    return bool(counter.number if counter.number is not None else counter.words and counter.value)


def _fallen_once(points: Sequence[Point]) -> Iterator[Point]:
    """Yield points with each fall only at its decisive point: players may have set the figure to 0 before that."""
    felled = {each for point in points if point.decided for each in point.fell}
    for point in points:
        if point.decided:
            yield point
        else:
            yield msgspec.structs.replace(point, fell=tuple(each for each in point.fell if each not in felled))


def _corrected_tells(game: Game, deed: PlayedAction) -> tuple[Tell, ...] | None:
    """Return the messages of an action on the table as corrected later; None if those of the log still hold.

    They are empty if the rules don't lead from the one corrected table to the other.
    """
    if deed.entered is None:
        return None
    try:
        state, tells = game.apply(deed.before, deed.action)
    except RuleError:
        return ()
    return tells if state == deed.after else ()


def _point(moment: Moment, before: TableView, after: TableView, corrected: tuple[Tell, ...] | None) -> Point:
    """Return a moment as a point, described by its decisive messages, or else by all of them.

    If figures were corrected later, `corrected` are the messages with the right ones. A manual correction is not a hit.
    """
    fallen = tuple(_new_falls(before, after, _find_renumbered(moment)))
    decided = [tell.text for tell in corrected or moment.tells if tell.decides]
    if decided:
        spent = (each for each in _fallen_things(before, after, also_spent=True) if each not in fallen)
        fallen = (*fallen, *spent)
    hit = 0 if isinstance(moment.action, Add | Set) else _hit(before, after)
    # The name of the fallen is already in `fell`.
    texts = [tell.text for tell in (moment.tells if corrected is None else corrected)]
    if corrected == ():
        texts = [describe(differences(before, after))]
    happened = _WithoutName(texts, [fall.name for fall in fallen])
    sentence = joined(" ", decided) if decided else happened
    return Point(moment.number, tuple(fall.text for fall in fallen), sentence, hit, bool(decided))


class _WithoutName(Message):
    """Sentences without the name before a colon with which they begin, if it is one of these names."""

    __slots__ = ("names", "sentences")

    def __init__(self, sentences: Iterable[Text], names: Iterable[Text]) -> None:
        self.sentences = tuple(sentences)
        self.names = tuple(names)

    def render(self, language: Language) -> str:
        text = joined(" ", self.sentences)
        name, colon, happened = text.partition(language)
        is_known = any(f"{render_value(each, language)} ".startswith(f"{name} ") for each in self.names)
        return happened if colon and is_known else text.render(language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.sentences, self.names)

    def __bool__(self) -> bool:
        return bool(self.sentences)


def _hit(before: TableView, after: TableView) -> int:
    """Return the largest figure lost by anything that is still there."""
    holders = {seat.seat: seat.counters for seat in after.seats} | {t.target: t.counters for t in after.things()}
    old_holders = {seat.seat: seat.counters for seat in before.seats} | {t.target: t.counters for t in before.things()}
    lost = [0]
    for target, counters in old_holders.items():
        had, has = _large(counters), _large(holders.get(target, ()))
        if had is not None and has is not None:
            lost.append(_remaining_amount(had) - _remaining_amount(has))
    return max(lost)


def name_winners(view: TableView) -> Text:
    """Return the names of the winners: `Ana and Ben and Cy`; a team that has a name is called by it."""
    names: Text = view.won_as
    for winner in view.winners if not names else ():
        names = all_of((names, winner)) if names else winner
    return names


def outcome_title(view: TableView) -> Text:
    """Return the outcome in a word or two: `Won`, `Lost`, `A draw`, or the winners."""
    if view.won_as:
        return phrase("A win for {team}", team=view.won_as)
    if view.winners:
        return phrases("{players} wins", "{players} win", n=len(view.winners), players=name_winners(view))
    return _OUTCOMES.get(view.outcome or "", view.outcome or "")


_OUTCOMES: Final[Mapping[str, Message]] = {
    "win": phrase_in("result", "Won"),
    "loss": phrase_in("result", "Lost"),
    "draw": phrase_in("result", "A draw"),
}


def describe_outcome(view: TableView) -> Message:
    """Return a sentence on how a game has ended: `Ana has won.`, `The game is lost.`"""
    if view.won_as:
        # Translators: {team} is the name of a team that has won, in the singular or the plural: “Dragons”.
        return phrase("The win goes to {team}.", team=view.won_as)
    if view.winners:
        winners = all_of(view.winners)
        return phrases("{players} has won.", "{players} have won.", n=len(view.winners), players=winners)
    sentence = _ENDINGS.get(view.outcome or "")
    return sentence or phrase("The game is over: {outcome}.", outcome=title_of_word(view.outcome or ""))


_ENDINGS: Final[Mapping[str, Message]] = {
    "win": phrase("The game is won."),
    "loss": phrase("The game is lost."),
    "draw": phrase("The game ends in a draw."),
}


def forecast_outcome(view: TableView) -> Message:
    """Return a sentence on how a game would end: `Ana would win.`, `The game would be lost.`"""
    if view.won_as:
        return phrase("The win would go to {team}.", team=view.won_as)
    if view.winners:
        winners = all_of(view.winners)
        return phrases("{players} would win.", "{players} would win.", n=len(view.winners), players=winners)
    sentence = _POSSIBLE_ENDINGS.get(view.outcome or "")
    return sentence or phrase("The game would be over: {outcome}.", outcome=title_of_word(view.outcome or ""))


_POSSIBLE_ENDINGS: Final[Mapping[str, Message]] = {
    "win": phrase("The game would be won."),
    "loss": phrase("The game would be lost."),
    "draw": phrase("The game would end in a draw."),
}
