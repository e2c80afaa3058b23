"""What a name and a number mean at a table: a figure that is put right. `ana 20`, `wolf -3`, `ana hand 4`, `2-7`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

from companion.session import short_lines
from companion.session.changes import Difference
from companion.session.selection import NOTHING, life_figure, numbered
from companion.session.session import Session
from companion.session.table_questions import due_prompts, is_accepted, is_line
from companion.tabletop.action import Action, AmbiguousLine, NotationError, RuleError
from companion.tabletop.arguments import HANDLE, RESERVED, TEXT
from companion.tabletop.choices import GONE, Open
from companion.tabletop.common_actions import Add, Note, Set
from companion.tabletop.completion import complete
from companion.tabletop.table import Counter, Draft, TableView

_NUMBER: Final = re.compile(r"([+−-]?)(\d{1,10})")
_JOINED: Final = re.compile(r"(\d|[^\W\d][\w-]*?)([+−-])(\d+)")
"""`2-7`: a name and a change in one word."""
_LONE_SIGN: Final = re.compile(r"(?<=\s)([+−-])\s+(?=\d)")

TABLE: Final = "table"

_MOST_NAMED: Final = 6
"""Lines that are named where one of them must be meant; more are not worth reading."""

Actions = tuple[Action, ...]
Reader = Callable[[str, Session], Actions]


class _Change(NamedTuple):
    """A figure and what it becomes: the number itself, or more or less by it; `reason` says why.

    `called` is what names the figure, "" where the name of what has it is all.
    """

    target: str
    counter: str
    sign: str
    number: int
    reason: str
    called: str

    @property
    def actions(self) -> Actions:
        amount = self.number if self.sign == "+" else -self.number
        change = Add(self.target, self.counter, amount) if self.sign else Set(*self[:2], str(self.number))
        return (change, *((Note(self.reason.strip('"')),) if self.reason else ()))

    def is_sure(self, verbs: Collection[str]) -> bool:
        """Return True where nothing else can be meant: it has a sign, or a name that begins no verb."""
        if not self.called:
            return bool(self.sign)
        return self.called == self.counter or not any(verb.startswith(self.called) for verb in verbs)

    def is_named_by(self, verbs: Collection[str]) -> bool:
        """Return True where the figure, or what it is called, is a whole verb: that is then meant first."""
        return bool(self.called) and (self.called in verbs or self.counter in verbs)


def read_change(text: str, session: Session, otherwise: Reader) -> Actions:
    """The figure that typed text puts right, and the note why; () where it is no name and a number.

    A name alone means what it has of life. `otherwise` reads what else the text may mean. Raises NotationError where
    several things could be meant, and for a number or a figure that nothing has.
    """
    changes = tuple(_changes(text, session))
    if not changes:
        return _word_of_the_table(text, session) or _without_number(text, session, otherwise)
    if short_lines.says_verb(text, session):
        return ()
    verbs = {action.verb() for action in session.game.actions}
    if any(change.is_named_by(verbs) for change in changes):
        return _verb_or_figure(text, changes, session, otherwise)
    lines = {session.notation.format(change.actions[0]): change.actions for change in changes}
    if both_ways := _both_ways(text, changes, session):
        raise both_ways
    if not changes[0].is_sure(verbs):
        others = dict.fromkeys(_other_lines(text, changes[0], session, otherwise), ())
        if others and changes[0].reason:
            return ()  # there, every word is a part of the line
        lines |= others
    if len(lines) > 1:
        lines = {line: actions for line, actions in lines.items() if _is_possible(line, session)} or lines
    if len(lines) > 1:
        named = " or ".join(f"`{line}`" for line in list(lines)[:_MOST_NAMED])
        more = " or more" if len(lines) > _MOST_NAMED else ""
        raise AmbiguousLine(f"“{text}” could be {named}{more}; say which.", lines)
    line, actions = next(iter(lines.items()))
    return actions or (session.notation.parse(line),)


def _verb_or_figure(text: str, changes: Sequence[_Change], session: Session, otherwise: Reader) -> Actions:
    """Return () where a text is a line of the verb that its figure is called by.

    Raises AmbiguousLine where it is none: only `set` and `add` put that figure right.
    """
    try:
        otherwise(text, session)
    except AmbiguousLine:
        raise
    except NotationError:
        lines = [session.notation.format(change.actions[0]) for change in changes]
        verb = next(word for word in (*(each.called for each in changes), changes[0].counter) if word)
        lines += _lines_of_verb(verb, changes[0], session)
        different = tuple(dict.fromkeys(lines))
        named = " or ".join(f"`{line}`" for line in different[:_MOST_NAMED])
        if len(different) > 1:
            raise AmbiguousLine(f"“{text}” could be {named}; say which.", different) from None
        raise AmbiguousLine(f"“{text}” is no line of `{verb}`; {named} puts the figure right.", different) from None
    return ()


def _lines_of_verb(verb: str, change: _Change, session: Session) -> Iterator[str]:
    """Yield the accepted lines of a verb for the same target, with the number or without it."""
    for text in (f"{verb} {change.target} {change.number}", f"{verb} {change.target}"):
        readings = short_lines.read_short_line(text, session)
        yield from map(session.notation.format, readings.accepted)


def _both_ways(text: str, changes: Sequence[_Change], session: Session) -> AmbiguousLine | None:
    """Return the question whether a sign means the figure or how somebody fares, None where the figure counts no harm.

    `ben -3` may be 3 damage less, or 3 more.
    """
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
    named = " or ".join(f"{words} (`{line}`)" for line, words in lines.items())
    return AmbiguousLine(f"“{text}” could be {named}; say which.", lines)


def _counts_harm(change: _Change, session: Session) -> bool:
    """Return True where less of a figure is better."""
    counter = _counter(session.counters_of(change.target), change.counter)
    return counter is not None and counter.full == "harm"


def _changes_something(change: _Change, session: Session) -> bool:
    """Return True where a figure is another one afterwards."""
    now = _counter(session.counters_of(change.target), change.counter)
    return change.number != 0 and (change.sign == "+" or now is None or now.number != 0)


def _in_words(change: _Change, session: Session) -> str:
    """`3 more Damage for Ben`"""
    now = _counter(session.counters_of(change.target), change.counter)
    caption = now.caption if now else change.counter
    name = _names(session.view()).get(change.target, change.target)
    return f"{change.number} {'more' if change.sign == '+' else 'less'} {caption} for {name}"


def _is_possible(line: str, session: Session) -> bool:
    """Whether the rules take a line."""
    try:
        session.preview(session.notation.parse(line))
    except RuleError:
        return False
    return True


def _word_of_the_table(text: str, session: Session) -> Actions:
    """What a counter of words that lies on the table becomes: `time night`; () where the text is none such."""
    name, _, word = text.lower().rpartition(" ")
    view, called = session.view(), name.removeprefix("the ").strip()
    on_it = {counter.name for thing in view.things() if thing.target == TABLE for counter in thing.counters}
    if called.split(" ")[0] not in session.notation.verbs:
        for counter in view.counters_of(TABLE) or ():
            names = (counter.name, counter.caption.lower().removeprefix("the "))
            if counter.name in on_it and counter.settable and called in names and word in counter.words:
                return (Set(TABLE, counter.name, word),)
    return ()


def _without_number(text: str, session: Session, otherwise: Reader) -> Actions:
    """What else a text means that names a figure, and not what it is; () where it names none. Raises NotationError."""
    view, words = session.view(), text.lower().split()
    if not words or words[0] in session.notation.verbs:
        return ()
    life = [(seat.seat, counter) for seat in view.seats for counter in seat.counters if counter.life]
    figures = (
        [
            (target, counter)
            for target in _called(" ".join(words[:-1]), view)
            for counter in view.counters_of(target) or ()
        ]
        if words[1:]
        else life
    )
    for target, counter in figures:
        if words[-1] in (counter.name, counter.caption.lower()) and counter.settable and counter.number is not None:
            try:
                return otherwise(text, session)
            except NotationError:
                name = _names(view).get(target, target)
                raise NotationError(
                    f"Whose {counter.caption}, and what is it? {name} has {counter.text}; `{target} {counter.name} "
                    f"{counter.number + 1}` sets it, `{target} {counter.name} -1` changes it."
                ) from None
    return ()


def change_lines(text: str, session: Session) -> tuple[tuple[str, str], ...]:
    """The whole lines that a name and a number may stand for, each with what that does: `Ana: HP 14 → 10`."""
    try:
        changes = tuple(_changes(text, session))
    except NotationError:
        return ()
    verbs = {action.verb() for action in session.game.actions}
    if not changes or any(change.is_named_by(verbs) for change in changes) or short_lines.says_verb(text, session):
        return ()
    if both_ways := _both_ways(text, changes, session):
        return tuple((line, describe_change(session.notation.parse(line), session)) for line in both_ways.lines)
    if changes[0].called and not changes[0].is_sure(verbs):
        return ()  # what else it may mean is asked of all lines
    lines = {session.notation.format(change.actions[0]): change.actions[0] for change in changes}
    others = () if changes[0].is_sure(verbs) else _question_lines(changes[0], session)
    return (
        *((line, describe_change(action, session)) for line, action in lines.items()),
        *((line, "") for line in others if not changes[0].reason),
    )


def preview_change(text: str, session: Session) -> str:
    """What a text that puts one figure right does to it, be it a whole line or a short one; "" for any other."""
    text = text.strip().removeprefix(":").strip()
    if text.split(" ", 1)[0].lower() in (Add.verb(), Set.verb()):
        return describe_change(session.notation.parse(text), session) if is_line(session.notation, text) else ""
    lines = change_lines(text, session)
    return lines[0][1] if len(lines) == 1 else ""


def describe_change(action: Action, session: Session) -> str:
    """What a change by hand does to its figure: `Ana: HP 14 → 10`; "" where it is none, or is refused."""
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
    who = _names(session.view()).get(action.target, action.target)
    text = Difference(action.target, who, before.caption, before.figure, now.figure if now else GONE).text
    return f"{who}: {text}" if who else text


def refuse_no_change(session: Session, actions: Sequence[Action]) -> None:
    """Raises RuleError where a figure is to rise or fall, and would stay what it is: `Damage 0 → 0`."""
    added = [action for action in actions if isinstance(action, Add)]
    if not added or not all(isinstance(action, Add | Note) for action in actions):
        return
    if session.preview(*added)[-1].position.head.state != session.log.state:
        return
    counters = session.counters_of(added[-1].target) or ()
    figure = next((f"{c.caption} would stay {c.figure}" for c in counters if c.name == added[-1].counter), "It stays")
    raise RuleError(f"{figure}, so this changes nothing; `note` alone keeps a remark.")


def _counter(counters: tuple[Counter, ...] | None, name: str) -> Counter | None:
    return next((counter for counter in counters or () if counter.name == name), None)


def _names(view: TableView) -> dict[str, str]:
    """What people call everything that has counters, by how notation names it."""
    seats = {seat.seat: seat.name for seat in view.seats}
    return seats | {thing.target: thing.title for thing in view.things()}


# What the words say


def _changes(text: str, session: Session) -> Iterator[_Change]:
    """Every figure that may be meant; nothing where the text is no name and a number."""
    words = _LONE_SIGN.sub(r"\1", text).split()
    view = session.view()
    if not words or words[0].lower() in session.notation.verbs or _is_name(text, view):
        return
    words = [*_split(words[0], view), *words[1:]]
    # From the last number on: a name may end in one, too.
    for at in range(len(words) - 1, 0, -1):
        number = _NUMBER.fullmatch(words[at])
        figures = tuple(_figures(words[:at], number[1], view)) if number else ()
        if number and figures:
            reason = " ".join(words[at + 1 :])
            for target, counter, called in figures:
                yield _Change(target, counter, number[1], int(number[2]), reason, called)
            return


def _split(word: str, view: TableView) -> tuple[str, ...]:
    """`2-7` as its two words, unless something is called so. Who it is stands there whole: `wolf-2` may be gone."""
    joined = _JOINED.fullmatch(word)
    if joined is None or _is_name(word, view):
        return (word,)
    name, sign, number = joined.groups()
    whole = {*(seat.seat for seat in view.seats), *(RESERVED & set(view.targets()))}
    return (name, sign + number) if name.isdecimal() or name.lower() in whole else (word,)


def _is_name(text: str, view: TableView) -> bool:
    return any(text.lower() in (target.lower(), title.lower()) for target, title in _names(view).items())


def _figures(words: list[str], sign: str, view: TableView) -> Iterator[tuple[str, str, str]]:
    """The targets and counters that words name, and those that name the counter. Raises NotationError."""
    if len(words) == 1 and words[0].isdecimal():
        if sign:
            yield (*_numbered(view, words[0]), "")
        return
    if targets := _called(" ".join(words), view):
        yield from ((target, _life_of(target, view), "") for target in targets)
        return
    for at in range(len(words) - 1, 0, -1):
        called = " ".join(words[at:]).lower()
        for target in _called(" ".join(words[:at]), view):
            yield from ((target, counter, called) for counter in _counters_called(called, target, view))
    called = " ".join(words).lower()
    yield from ((TABLE, counter, called) for counter in _figures_of_the_table(called, view))


def _figures_of_the_table(name: str, view: TableView) -> Iterator[str]:
    """The table's own figures that lie on it and are called so: `doom 8`, `the threat +1`."""
    on_it = {counter.name for thing in view.things() if thing.target == TABLE for counter in thing.counters}
    called = name.removeprefix("the ")
    for counter in view.counters_of(TABLE) or ():
        names = (counter.name, counter.caption.lower().removeprefix("the "))
        if counter.name in on_it and called in names and counter.settable and counter.number is not None:
            yield counter.name


def _numbered(view: TableView, number: str) -> tuple[str, str]:
    """The figure of a numbered seat that the keys would change first."""
    choice = numbered(view, int(number))
    if choice == NOTHING:
        raise NotationError(f"There is no seat {number}; the seats are numbered clockwise from 1.")
    return choice


def _called(name: str, view: TableView) -> tuple[str, ...]:
    """What is called so; else what begins so, or has a word in its name that does."""
    begun, names = name.lower(), {target: title.lower() for target, title in _names(view).items()}
    word = {target: target.lower().rpartition(" ")[2] for target in names}
    ways: tuple[Callable[[str], bool], ...] = (
        lambda target: begun in (target.lower(), word[target]),
        lambda target: begun == names[target],
        lambda target: names[target].startswith(begun) or (word[target].startswith(begun) and ":" not in word[target]),
        lambda target: f" {begun}" in names[target],
    )
    # What only begins so is a name, and none of the table's own figures.
    several = (tuple(filter(way, names)) for way in (ways if begun[0].isalpha() else ways[:2]))
    return next(filter(None, several), ())


def _life_of(target: str, view: TableView) -> str:
    """Raises NotationError where a target has no figure that its name alone can mean."""
    figure = life_figure(view, target)
    if figure:
        return figure
    settable = [counter.name for counter in view.counters_of(target) or () if counter.settable]
    if not settable:
        raise NotationError(f"Nothing of {target} can be set.")
    raise NotationError(
        f"Which figure of {target} is it? It has {', '.join(settable)}; write: {target} {settable[0]} N."
    )


def _counters_called(name: str, target: str, view: TableView) -> tuple[str, ...]:
    """The counters of a target that are numbers and called so, else those that begin so."""
    figures = [c for c in view.counters_of(target) or () if c.settable and c.number is not None]
    begun = name.lower()
    exact = tuple(c.name for c in figures if begun in (c.name, c.caption.lower()))
    return exact or tuple(c.name for c in figures if c.name.startswith(begun) or c.caption.lower().startswith(begun))


# What else it could be


def _other_lines(text: str, change: _Change, session: Session, otherwise: Reader) -> Iterator[str]:
    """Yield what else a text may say: an answer with this number, or a line; of a figure whose name is only begun, a
    line of the verb that begins so.
    """
    accepted = _accepted(text, session, otherwise)
    if change.called:
        yield from (line for line in accepted if line.startswith(change.called))
    else:
        yield from (*_question_lines(change, session), *accepted)


def _accepted(text: str, session: Session, otherwise: Reader) -> Iterator[str]:
    """The lines that the text abbreviates besides; a number is the name of nothing."""
    try:
        actions = otherwise(text, session)
    except NotationError:
        return
    lines = [session.notation.format(action) for action in actions]
    is_text = any(f'"{word}"' in line for line in lines for word in text.split() if word.isdecimal())
    if not is_text and all(is_accepted(session.game, session.state, _as_draft(action)) for action in actions):
        yield from lines


def _question_lines(change: _Change, session: Session) -> Iterator[str]:
    """The lines by which a seat answers with a number, where it is asked now."""
    for prompt in due_prompts(session.view()):
        for answer in prompt.answers if prompt.seat == change.target else ():
            yield from _going_on(answer, str(change.number), session)


def _going_on(answer: Draft, number: str, session: Session) -> Iterator[str]:
    """An answer that is asked for with this number, or with what begins so, such as a card of that rank."""
    argument = next(iter(answer.missing), None)
    if argument is None or argument.kind in (TEXT, HANDLE):
        return  # a number is the name of nothing
    before = f"{answer.line} {argument.keyword} ".replace("  ", " ")
    lines = [f"{before}{each.word}" for each in complete(session.game, session.state, before + number)]
    candidates = session.game.candidates(session.state, answer, argument.field)
    if not lines and isinstance(candidates, Open) and is_line(session.notation, before + number):
        lines = [before + number]
    for line in lines:
        if is_line(session.notation, line):
            action = session.notation.parse(line)
            if is_accepted(session.game, session.state, _as_draft(action)):
                yield session.notation.format(action)


def _as_draft(action: Action) -> Draft:
    return Draft(type(action), {name: getattr(action, name) for name in action.__struct_fields__})
