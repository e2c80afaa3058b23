"""Corrections of figures by a name and a number: `ana 20`, `wolf -3`, `ana hand 4`, `2-7`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from companion.session.core.changes import Difference
from companion.session.core.session import Session
from companion.session.reading.entries import read_entries
from companion.session.reading.readings import MOST_NAMED, Intention, Readings
from companion.session.reading.selection import life_figure, select_seat
from companion.session.reading.short_lines import read_verb_behind
from companion.session.reading.table_questions import due_prompts, is_accepted, is_line
from companion.session.reading.typed_line import TypedLine
from companion.tabletop.action import Action, AmbiguousLine, NotationError, RuleError
from companion.tabletop.notation.arguments import HANDLE, RESERVED, TEXT
from companion.tabletop.table.choices import GONE, Open
from companion.tabletop.table.common_actions import REPLACEABLE, Add, Note, Rule, Set, Track
from companion.tabletop.table.completion import complete
from companion.tabletop.table.table import Counter, Draft, TableView
from companion.tabletop.words import join_with_or, title_of_word
from templates.languages.messages import Message, Text, listed, phrase

_NUMBER: Final = re.compile(r"([+−-]?)(\d{1,10})")
_JOINED: Final = re.compile(r"(\d|[^\W\d][\w-]*?)([+−-])(\d+)")
"""A name and a change in one word, such as `2-7`."""
_LONE_SIGN: Final = re.compile(r"(?<=\s)([+−-])\s+(?=\d)")

TABLE: Final = "table"
_NEAR: Final = 0.7
"""The similarity to a known word, from 0 to 1, from which on a word is a slip of it."""


class _Change(NamedTuple):
    """A figure and its change: a new number, or an addition with `sign`; `reason` is a note.

    `called` are the words that name the figure, or "" if only the name of its target was typed.
    """

    target: str
    counter: str
    sign: str
    number: int
    reason: str
    called: str

    @property
    def actions(self) -> Intention:
        amount = self.number if self.sign == "+" else -self.number
        change = Add(self.target, self.counter, amount) if self.sign else Set(*self[:2], str(self.number))
        return (change, *((Note(self.reason.strip('"')),) if self.reason else ()))

    def is_sure(self, verbs: Collection[str]) -> bool:
        """Return True if there is no other reading: the change has a sign, or a name that begins no verb."""
        if not self.called:
            return bool(self.sign)
        return self.called == self.counter or not any(verb.startswith(self.called) for verb in verbs)

    def is_named_by(self, verbs: Collection[str]) -> bool:
        """Return True if the figure, or its typed name, is a whole verb; the verb then has precedence."""
        return bool(self.called) and (self.called in verbs or self.counter in verbs)


def read_sure_change(line: TypedLine) -> Readings:
    """Read a name and a number that can mean nothing else; ask whether a sign applies to the figure or to harm.

    Raises NotationError for an unknown seat number or figure.
    """
    changes = _unnamed_changes(line)
    if not changes:
        return Readings()
    if both_ways := line.find_once(_both_ways):
        return Readings(question=both_ways)
    if not changes[0].is_sure(_verbs(line.session)):
        return Readings()
    lines = _lines_of(changes, line.session)
    return Readings.of(_only_possible(line, lines))


def read_unsure_change(line: TypedLine) -> Readings:
    """Read a name and a number that may also be an answer, or an abbreviated line: `ana 10`."""
    changes = _unnamed_changes(line)
    if not changes or line.find_once(_both_ways) or changes[0].is_sure(_verbs(line.session)):
        return Readings()
    return Readings(accepted=tuple(change.actions[0] for change in changes))


def weigh_unsure_change(line: TypedLine, rest: Intention | NotationError) -> Readings:
    """Ask if the rest of the table reads another line with this number."""
    changes = line.find_once(find_changes)
    others = dict.fromkeys(_other_lines(line, changes[0], rest), ())
    if others and changes[0].reason:
        return Readings.of(rest)  # in that reading, every word belongs to the line
    entries = dict.fromkeys(_open_entry_lines(changes[0], line.session), ())
    return Readings.of(_only_possible(line, entries | _lines_of(changes, line.session) | others))


def read_change_named_like_verb(line: TypedLine) -> Readings:
    """Read a figure that has the name of a verb of the game: `ana level 2`."""
    changes = line.find_once(find_changes)
    if not any(change.is_named_by(_verbs(line.session)) for change in changes):
        return Readings()
    return Readings(accepted=tuple(change.actions[0] for change in changes))


def _verbs(session: Session) -> set[str]:
    """Return the verbs of the game; those that every table has may be names as well."""
    return {action.verb() for action in session.game.actions if action not in REPLACEABLE}


def _unnamed_changes(line: TypedLine) -> tuple[_Change, ...]:
    """Return the changes that a line may mean; () if one of their figures has the name of a verb."""
    return () if line.find_once(read_change_named_like_verb) else line.find_once(find_changes)


def _lines_of(changes: Sequence[_Change], session: Session) -> dict[str, Intention]:
    return {session.notation.format(change.actions[0]): change.actions for change in changes}


def _only_possible(line: TypedLine, lines: dict[str, Intention]) -> Intention | AmbiguousLine:
    """Return the only line that the rules accept, or the question which one is meant."""
    if len(lines) > 1:
        lines = {each: actions for each, actions in lines.items() if _is_possible(each, line.session)} or lines
    if len(lines) > 1:
        values = {"text": line.text, "lines": join_with_or(f"`{each}`" for each in list(lines)[:MOST_NAMED])}
        if len(lines) > MOST_NAMED:
            return AmbiguousLine(phrase("“{text}” could be {lines} or more; say which.", **values), lines)
        return AmbiguousLine(phrase("“{text}” could be {lines}; say which.", **values), lines)
    whole, actions = next(iter(lines.items()))
    return actions or (line.session.notation.parse(whole),)


def _both_ways(line: TypedLine) -> AmbiguousLine | None:
    """Return the question whether a sign applies to the figure or to harm; None if the figure does not count harm.

    `ben -3` may be 3 damage less, or 3 more.
    """
    changes, session = line.find_once(find_changes), line.session
    harmed = [change for change in changes if change.sign and not change.called and _counts_harm(change, session)]
    if not harmed:
        return None
    turned = {"+": "-", "-": "+", "−": "+"}
    ways = [
        way
        for change in changes
        for way in ((change, change._replace(sign=turned[change.sign])) if change in harmed else (change,))
        if _changes_something(way, session)
    ]
    if all(way in changes for way in ways):
        return None
    lines = {session.notation.format(change.actions[0]): _in_words(change, session) for change in ways}
    # Translators: {change} is such as “3 more Damage for Ben”.
    named = join_with_or(phrase("{change} (`{line}`)", change=words, line=each) for each, words in lines.items())
    return AmbiguousLine(phrase("“{text}” could be {lines}; say which.", text=line.text, lines=named), lines)


def _counts_harm(change: _Change, session: Session) -> bool:
    """Return True if a lower figure is better."""
    counter = _counter(session.counters_of(change.target), change.counter)
    return counter is not None and counter.full == "harm"


def _changes_something(change: _Change, session: Session) -> bool:
    """Return True if a change would alter its figure."""
    now = _counter(session.counters_of(change.target), change.counter)
    return change.number != 0 and (change.sign == "+" or now is None or now.number != 0)


def _in_words(change: _Change, session: Session) -> Message:
    """Return a change in words, such as `3 more Damage for Ben`."""
    now = _counter(session.counters_of(change.target), change.counter)
    values = {
        "number": str(change.number),
        "figure": now.caption if now else change.counter,
        "target": _titles(session.view()).get(change.target, change.target),
    }
    if change.sign == "+":
        # Translators: “3 more Damage for Ben”.
        return phrase("{number} more {figure} for {target}", **values)
    # Translators: “3 less Damage for Ben”.
    return phrase("{number} less {figure} for {target}", **values)


def _is_possible(line: str, session: Session) -> bool:
    """Return True if the rules accept a line."""
    try:
        session.preview(session.notation.parse(line))
    except RuleError:
        return False
    return True


def read_word_of_the_table(line: TypedLine) -> Readings:
    """Read the change of a counter on the table whose values are words: `time night`."""
    if line.find_once(find_changes):
        return Readings()
    name, _, word = line.text.lower().rpartition(" ")
    view, called = line.session.view(), name.removeprefix("the ").strip()
    if called.split(" ")[0] not in line.session.notation.verbs:
        for counter, names in _counters_on_the_table(view):
            if called in names and word in counter.words:
                return Readings(certain=(Set(TABLE, counter.name, word),))
    return Readings()


def ask_for_number(line: TypedLine) -> Readings:
    """Ask for the number of a figure that is named without one: `ana hp`."""
    view, words = line.session.view(), line.text.lower().split()
    if words[0] in line.session.notation.verbs or line.find_once(find_changes):
        return Readings()
    for target, counter in _figures_called(words, view):
        if words[-1] in _names_of_counter(counter) and counter.settable and counter.number is not None:
            question = NotationError(
                # Translators: “Whose Life, and what is it? Ana has 20; `ana life 21` sets it, …”.
                phrase(
                    "Whose {figure}, and what is it? {owner} has {value}; `{setting}` sets it, `{change}` changes it.",
                    figure=counter.caption,
                    owner=_titles(view).get(target, target),
                    value=counter.text,
                    setting=f"{target} {counter.name} {counter.number + 1}",
                    change=f"{target} {counter.name} -1",
                )
            )
            return Readings(question=question)
    return Readings()


def ask_to_track(line: TypedLine) -> Readings:
    """Offer to count something that has a number but no counter here: `ana energy 3`."""
    words = _LONE_SIGN.sub(r"\1", line.text).split()
    number = _NUMBER.fullmatch(words[-1]) if '"' not in line.text else None
    if number is None or len(words) == 1 or line.find_once(find_changes):
        return Readings()
    view, name, whose = line.session.view(), words[-2].lower(), words[:-2]
    if whose and whose[-1].lower() == "the":
        whose.pop()
    targets = _targets_called(" ".join(whose), view) if whose else (TABLE,)
    if (
        len(targets) != 1
        or name in line.session.notation.verbs
        or Track not in line.session.game.actions
        or view.outcome is not None
    ):
        return Readings()
    start = max(0, int(number[2]) * (-1 if number[1] in "-−" and number[1] else 1))
    if not whose and not number[1] and (rule := _house_rule(name, number[2], line.session)):
        why = phrase("“{text}” could be {lines}; say which.", text=line.text, lines=f"`{rule}`")
        return Readings(question=AmbiguousLine(why, (rule,)))
    try:
        track = line.session.notation.parse(f"{Track.verb()} {name} {targets[0]} start {start}")
        line.session.preview(track)
    except (NotationError, RuleError):
        return Readings()
    if not whose and _is_like_something(name, line.session):
        return Readings()
    whole = line.session.notation.format(track)
    near = _near_figures(name, targets[0], view)
    lines = (*(f"{Set.verb()} {targets[0]} {each} {number[2]}" for each in near if not number[1]), whole)
    values = {"text": line.text, "counter": name, "line": whole}
    if len(lines) > 1:
        others = join_with_or(f"`{each}`" for each in lines[:-1])
        why = phrase(
            "“{text}”: nobody counts “{counter}” here. Did you mean {lines}? `{line}` counts it from now on.",
            lines=others,
            **values,
        )
    else:
        why = phrase("“{text}”: nobody counts “{counter}” here yet. `{line}` counts it from now on.", **values)
    return Readings(question=AmbiguousLine(why, lines))


def _house_rule(key: str, value: str, session: Session) -> str:
    """Return the line of a house rule with this value; "" if there is none, or it is too late for it."""
    try:
        rule = session.notation.parse(f"{Rule.verb()} {key} {value}")
        session.preview(rule)
    except (NotationError, RuleError):
        return ""
    return session.notation.format(rule)


def weigh_tracking(line: TypedLine, rest: Intention | NotationError) -> Readings:
    """Offer to count something unless the rest of the table reads another line that the rules accept."""
    if isinstance(rest, AmbiguousLine):
        return Readings.of(rest)
    if isinstance(rest, NotationError):
        return line.find_once(ask_to_track)
    try:
        line.session.preview(*rest)
    except (NotationError, RuleError):
        return line.find_once(ask_to_track)
    return Readings.of(rest)


def _near_figures(name: str, target: str, view: TableView) -> list[str]:
    """Return the counters of a target with nearly this name."""
    counters = (each for each in view.counters_of(target) or () if each.settable and each.number is not None)
    return get_close_matches(name, [counter.name for counter in counters], n=2, cutoff=_NEAR)


def _is_like_something(name: str, session: Session) -> bool:
    """Return True if a word is nearly a verb, or nearly the name of something at the table."""
    view = session.view()
    names = (part for title in _names(view).values() for part in title.lower().split())
    words = [*session.notation.verbs, *(target.lower() for target in view.targets()), *names]
    words += [counter.name for seat in view.seats for counter in seat.counters]
    return bool(get_close_matches(name, words, n=1, cutoff=_NEAR))


def weigh_number_question(line: TypedLine, rest: Intention | NotationError) -> Readings:
    """Ask for the number unless the rest of the table reads the line."""
    return line.find_once(ask_for_number) if isinstance(rest, NotationError) else Readings.of(rest)


def _figures_called(words: list[str], view: TableView) -> list[tuple[str, Counter]]:
    """Return the counters of the targets that all words but the last one name; without them, the life of all seats."""
    if not words[1:]:
        return [(seat.seat, counter) for seat in view.seats for counter in seat.counters if counter.life]
    targets = _targets_called(" ".join(words[:-1]), view)
    return [(target, counter) for target in targets for counter in view.counters_of(target) or ()]


def change_lines(text: str, session: Session) -> tuple[tuple[str, Text], ...]:
    """Return the whole lines that a name and a number may stand for, each with its effect: `Ana: HP 14 → 10`."""
    line = TypedLine(text, session)
    try:
        changes = _unnamed_changes(line)
    except NotationError:
        return ()
    if not changes or line.find_once(read_verb_behind) or line.find_once(read_entries):
        return ()
    if both_ways := line.find_once(_both_ways):
        return tuple((each, describe_change(session.notation.parse(each), session)) for each in both_ways.lines)
    is_sure = changes[0].is_sure(_verbs(session))
    if changes[0].called and not is_sure:
        return ()  # its other readings are looked for among all lines
    lines = {session.notation.format(change.actions[0]): change.actions[0] for change in changes}
    others = () if is_sure or changes[0].reason else tuple(_question_lines(changes[0], session))
    entries = [each for each in others if each in _open_entry_lines(changes[0], session)]
    return (
        *((each, "") for each in entries),
        *((each, describe_change(action, session)) for each, action in lines.items()),
        *((each, "") for each in others if each not in entries),
    )


def preview_change(text: str, session: Session) -> Text:
    """Return the effect of a text that corrects one figure, whole or abbreviated; "" for any other text."""
    text = text.strip().removeprefix(":").strip()
    if text.split(" ", 1)[0].lower() in (Add.verb(), Set.verb()):
        return describe_change(session.notation.parse(text), session) if is_line(session.notation, text) else ""
    lines = change_lines(text, session)
    return lines[0][1] if len(lines) == 1 else ""


def describe_change(action: Action, session: Session) -> Text:
    """Return the effect of a manual change on its figure: `Ana: HP 14 → 10`; "" if it is none, or is refused."""
    if not isinstance(action, (Add, Set)):
        return ""
    try:
        refuse_no_change(session, (action,))
        after = session.game.counters_of(session.preview(action)[-1].position.head.state, action.target)
    except (RuleError, NotationError):
        return ""
    before = _counter(session.counters_of(action.target), action.counter)
    now = _counter(after, action.counter)
    if before is None:
        return ""
    who = _titles(session.view()).get(action.target, action.target)
    value = now.figure if now else title_of_word(GONE)
    change = Difference(action.target, who, before.caption, before.figure, value).text
    # Translators: “Ana: HP 14 → 10”.
    return phrase("{owner}: {change}", owner=who, change=change) if who else change


def refuse_no_change(session: Session, actions: Sequence[Action]) -> None:
    """Raise RuleError if an addition would leave its figure unchanged: `Damage 0 → 0`."""
    added = [action for action in actions if isinstance(action, Add)]
    if not added or not all(isinstance(action, Add | Note) for action in actions):
        return
    if session.preview(*added)[-1].position.head.state != session.log.state:
        return
    counter = _counter(session.counters_of(added[-1].target), added[-1].counter)
    if counter is None:
        raise RuleError(phrase("It stays the same, so this changes nothing; use `note` for a remark alone."))
    raise RuleError(
        phrase(
            "{figure} would stay {value}, so this changes nothing; use `note` for a remark alone.",
            figure=counter.caption,
            value=counter.figure,
        )
    )


def _counter(counters: tuple[Counter, ...] | None, name: str) -> Counter | None:
    return next((counter for counter in counters or () if counter.name == name), None)


def _titles(view: TableView) -> dict[str, Text]:
    """Return the display names of everything with counters, by their names in notation."""
    seats: dict[str, Text] = {seat.seat: seat.name for seat in view.seats}
    return seats | {thing.target: thing.title for thing in view.things()}


def _names(view: TableView) -> dict[str, str]:
    """Return the display names in the current language, as they are typed."""
    return {target: str(title) for target, title in _titles(view).items()}


# Parsing


def find_changes(line: TypedLine) -> tuple[_Change, ...]:
    """Return every change that a line may mean; () if it is not a name and a number.

    Raises NotationError for an unknown seat number or figure.
    """
    words = _LONE_SIGN.sub(r"\1", line.text).split()
    view = line.session.view()
    if not words or _begins_line(words[0].lower(), line) or _is_name(line.text, view):
        return ()
    words = [*_split(words[0], view), *words[1:]]
    # From the last number on, because a name may also end in a number.
    for at in range(len(words) - 1, 0, -1):
        number = _NUMBER.fullmatch(words[at])
        figures = tuple(_figures(words[:at], number[1], view)) if number else ()
        if number and figures:
            sign, amount, reason = number[1], int(number[2]), " ".join(words[at + 1 :])
            return tuple(_Change(target, counter, sign, amount, reason, called) for target, counter, called in figures)
    return ()


def _begins_line(word: str, line: TypedLine) -> bool:
    """Return True if a word is a verb; a figure or a thing may have the name of one that every table has."""
    notation = line.session.notation
    is_common = any(action.verb() == word for action in REPLACEABLE)
    return word in notation.verbs and not (is_common and not is_line(notation, line.text))


def _split(word: str, view: TableView) -> tuple[str, ...]:
    """Split `2-7` into its two words, unless it is a name. The target must be a whole word: `wolf-2` may be gone."""
    joined = _JOINED.fullmatch(word)
    if joined is None or _is_name(word, view):
        return (word,)
    name, sign, number = joined.groups()
    whole = {*(seat.seat for seat in view.seats), *(RESERVED & set(view.targets()))}
    return (name, sign + number) if name.isdecimal() or name.lower() in whole else (word,)


def _is_name(text: str, view: TableView) -> bool:
    return any(text.lower() in (target.lower(), title.lower()) for target, title in _names(view).items())


def _figures(words: list[str], sign: str, view: TableView) -> Iterator[tuple[str, str, str]]:
    """Yield the targets and counters that words name, with the words for the counter. Raises NotationError."""
    if len(words) == 1 and words[0].isdecimal():
        if sign:
            yield (*_first_figure_of_seat(view, words[0]), "")
        return
    if targets := _targets_called(" ".join(words), view):
        yield from ((target, _life_of(target, view), "") for target in targets)
        return
    for at in range(len(words) - 1, 0, -1):
        called = " ".join(words[at:]).lower()
        for target in _targets_called(" ".join(words[:at]), view):
            yield from ((target, counter, called) for counter in _counters_called(called, target, view))
    called = " ".join(words).lower()
    yield from ((TABLE, counter, called) for counter in _figures_of_the_table(called, view))


def _figures_of_the_table(name: str, view: TableView) -> Iterator[str]:
    """Yield the table's own counters of this name that lie on it: `doom 8`, `the threat +1`."""
    called = name.removeprefix("the ")
    for counter, names in _counters_on_the_table(view):
        if called in names and counter.number is not None:
            yield counter.name


def _names_of_counter(counter: Counter) -> tuple[str, ...]:
    """Return the names of a counter in lines: its word, and the titles that screens show."""
    return counter.name, str(counter.caption).lower(), str(counter.brief_caption).lower()


def _counters_on_the_table(view: TableView) -> Iterator[tuple[Counter, tuple[str, ...]]]:
    """Yield the table's own counters that can be set and lie on it, with their names."""
    on_it = {counter.name for thing in view.things() if thing.target == TABLE for counter in thing.counters}
    for counter in view.counters_of(TABLE) or ():
        if counter.name in on_it and counter.settable:
            yield counter, tuple(name.removeprefix("the ") for name in _names_of_counter(counter))


def _first_figure_of_seat(view: TableView, number: str) -> tuple[str, str]:
    """Return the figure of a numbered seat that the keys would change first."""
    choice = select_seat(view, int(number))
    if not choice.counter:
        raise NotationError(
            phrase("There is no seat {number}; the seats are numbered clockwise from 1.", number=number)
        )
    return choice


def _targets_called(name: str, view: TableView) -> tuple[str, ...]:
    """Return the targets with this name, else those whose name begins with it or has a word that does."""
    begun, names = name.lower(), {target: title.lower() for target, title in _names(view).items()}
    word = {target: target.lower().rpartition(" ")[2] for target in names}
    ways: tuple[Callable[[str], bool], ...] = (
        lambda target: begun in (target.lower(), word[target]),
        lambda target: begun == names[target],
        lambda target: names[target].startswith(begun) or (word[target].startswith(begun) and ":" not in word[target]),
        lambda target: f" {begun}" in names[target],
    )
    # A mere beginning can match a name, but not one of the table's own figures.
    several = (tuple(filter(way, names)) for way in (ways if begun[0].isalpha() else ways[:2]))
    return next(filter(None, several), ())


def _life_of(target: str, view: TableView) -> str:
    """Return the figure that a target's name alone means. Raises NotationError if there is none."""
    figure = life_figure(view, target)
    if figure:
        return figure
    settable = [counter.name for counter in view.counters_of(target) or () if counter.settable]
    if not settable:
        # Translators: {owner} is a player, or a card in play.
        raise NotationError(phrase("Nothing of {owner} can be set.", owner=target))
    raise NotationError(
        phrase(
            "Which figure of {owner} is it? It has {figures}; write: {line}.",
            owner=target,
            figures=listed(settable),
            line=f"{target} {settable[0]} N",
        )
    )


def _counters_called(name: str, target: str, view: TableView) -> tuple[str, ...]:
    """Return the numeric counters of a target with this name, else those whose name begins with it."""
    figures = [c for c in view.counters_of(target) or () if c.settable and c.number is not None]
    begun = name.lower()
    exact = tuple(c.name for c in figures if begun in _names_of_counter(c))
    return exact or tuple(
        c.name for c in figures if c.name.startswith(begun) or str(c.caption).lower().startswith(begun)
    )


# Other readings


def _other_lines(line: TypedLine, change: _Change, rest: Intention | NotationError) -> Iterator[str]:
    """Yield the other readings of a line: answers with this number, or lines.

    If the name of the figure is only begun, yield lines of verbs with the same beginning.
    """
    accepted = () if isinstance(rest, NotationError) else _accepted_lines(line, rest)
    if change.called:
        yield from (each for each in accepted if each.startswith(change.called))
    else:
        yield from (*_question_lines(change, line.session), *accepted)


def _accepted_lines(line: TypedLine, actions: Intention) -> tuple[str, ...]:
    """Return the lines of actions if the rules accept them; a number is never a name."""
    session = line.session
    lines = tuple(map(session.notation.format, actions))
    is_text = any(f'"{word}"' in each for each in lines for word in line.words if word.isdecimal())
    accepted = (is_accepted(session.game, session.state, Draft.of(action)) for action in actions)
    return lines if not is_text and all(accepted) else ()


def _question_lines(change: _Change, session: Session) -> Iterator[str]:
    """Yield the lines by which the seat answers a current question, or corrects an entry, with the number."""
    yield from _open_entry_lines(change, session)
    for prompt in due_prompts(session.view()):
        for answer in prompt.answers if prompt.seat == change.target else ():
            yield from _going_on(answer, str(change.number), session)
    # If nothing is open, a number may correct an entry that has led to this total.
    for entry in session.game.entries(session.state, change.target):
        if entry.corrects == change.counter and not entry.is_open:
            yield f"{entry.answer.line} {change.number}"


def _open_entry_lines(change: _Change, session: Session) -> Iterator[str]:
    """Yield the line by which the seat gives the next figure that it is asked for, even if another seat is asked first.

    It is none if a name of a figure was typed, or a sign.
    """
    is_asked = not change.called and not change.sign
    entries = session.game.entries(session.state, change.target) if is_asked else ()
    for entry in [each for each in entries if each.is_open][:1]:
        yield from _going_on(entry.answer, str(change.number), session)


def _going_on(answer: Draft, number: str, session: Session) -> Iterator[str]:
    """Yield an answer completed with this number, or with a word that begins with it, such as a card of that rank."""
    argument = next(iter(answer.missing), None)
    if argument is None or argument.kind in (TEXT, HANDLE):
        return  # a number is never a name
    before = f"{answer.line} {argument.keyword} ".replace("  ", " ")
    words = [each.word for each in complete(session.game, session.state, before + number)]
    lines = [f"{before}{word}" for word in ((number,) if number in words else words)]
    candidates = session.game.candidates(session.state, answer, argument.field)
    if not lines and isinstance(candidates, Open) and is_line(session.notation, before + number):
        lines = [before + number]
    for line in lines:
        if is_line(session.notation, line):
            action = session.notation.parse(line)
            if is_accepted(session.game, session.state, Draft.of(action)):
                yield session.notation.format(action)
