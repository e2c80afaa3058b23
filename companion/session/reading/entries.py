"""Readings of figures that a seat enters: several in a row, `ana 3 2`, or one by its name, `ana tricks 3`.

Each function is one kind of reading, as `line_reading.PRECEDENCE` lists them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from companion.session.core.session import Session
from companion.session.reading.known_names import KnownNames, best_of
from companion.session.reading.readings import Readings
from companion.session.reading.table_questions import is_line, seat_prompts
from companion.session.reading.typed_line import TypedLine
from companion.tabletop.action import Action, AmbiguousLine, NotationError, RuleError
from companion.tabletop.table.table import Prompt, SheetEntry
from companion.tabletop.words import join_with_or
from templates.languages.messages import listed, phrase, phrases

_FIGURE: Final = re.compile(r"[+−-]?\d{1,7}")


def read_entries(line: TypedLine) -> Readings:
    """Read figures of a seat: those still open, in a row (`enter ana 3 2`), or one by its name (`ana tricks 3`)."""
    words, verb = line.words, ""
    if words[0].lower() in line.session.notation.verbs:
        verb, words = words[0].lower(), words[1:]
    if len(words) < (2 if verb else 3) or not _FIGURE.fullmatch(words[-1]):
        return Readings()
    if all(map(_FIGURE.fullmatch, words[1:])):
        entries = [each for each in _entries_of(line, words[0]) if verb in ("", each.answer.action.verb())]
        open_entries = [each for each in entries if each.is_open]
        if not open_entries and entries and len(words) == len(entries) + 1:
            return _parse_entries(entries, words[1:], line.session)  # all of them are corrected
        if not open_entries and any(each.corrects for each in entries):
            return _ask_for_column(entries, words)
        return _read_row(open_entries, words, line.session)
    if verb or len(words) != 3:
        return Readings()
    for who, what in (words[:2], words[1::-1]):
        named = _entries_named(line, who, what)
        if len(named) == 1 and named[0].earlier is not None and not named[0].corrects:
            return _ask_for_row(named[0], words[2], line)
        if len(named) == 1:
            return _parse_entries(named, words[2:], line.session)
    return Readings()


def read_entry_with_keywords(line: TypedLine) -> Readings:
    """Read a figure by its name, with what its line has behind it: `ana tricks 3 round 1`."""
    words = line.words
    if len(words) < 4 or not _FIGURE.fullmatch(words[2]) or words[0].lower() in line.session.notation.verbs:
        return Readings()
    for who, what in (words[:2], words[1::-1]):
        for entry in _entries_named(line, who, what):
            text = " ".join((entry.answer.line, *words[2:]))
            if is_line(line.session.notation, text):
                return Readings(certain=(line.session.notation.parse(text),))
    return Readings()


def _ask_for_row(entry: SheetEntry, figure: str, line: TypedLine) -> Readings:
    """Ask whether a figure that is asked for later in this round belongs to the last complete row."""
    assert entry.earlier is not None
    lines = tuple(each.having("figure", int(figure.replace("−", "-"))).line for each in (entry.earlier, entry.answer))
    named = join_with_or(f"`{each}`" for each in lines)
    return Readings(
        question=AmbiguousLine(phrase("“{text}” could be {lines}; say which.", text=line.text, lines=named), lines)
    )


def _entries_named(line: TypedLine, who: str, what: str) -> list[SheetEntry]:
    """Return the entries of the seat or team that a word names, which another word names."""
    return [each for each in _entries_of(line, who) if what.lower() in (each.name, str(each.title).lower())]


def _entries_of(line: TypedLine, word: str) -> tuple[SheetEntry, ...]:
    """Return the entries of the seat or team that a word names best."""
    session = line.session
    token = next((token for token in line.tokens if token.text == word), None)
    seats = best_of(KnownNames.at(line).named_seats(), (token,)) if token else ()
    return session.game.entries(session.state, seats[0] if len(seats) == 1 else word.lower())


def _read_row(entries: Sequence[SheetEntry], words: Sequence[str], session: Session) -> Readings:
    figures = words[1:]
    if not entries:
        return Readings()
    if len(figures) > len(entries):
        # Translators: {figures} is such as “3 figures”, {columns} are those that a player is still asked for.
        why = phrases(
            "{figures} are too many; only {columns} of {player} is open.",
            "{figures} are too many; only {columns} of {player} are open.",
            n=len(entries),
            figures=phrases("{n} figure", "{n} figures", n=len(figures)),
            columns=listed(each.title for each in entries),
            player=words[0],
        )
        return Readings(question=NotationError(why))
    return _parse_entries(entries, figures, session)


def _ask_for_column(entries: Sequence[SheetEntry], words: Sequence[str]) -> Readings:
    """Ask which figures are corrected by a row that is none of all figures of a seat, of which none is open."""
    why = phrase(
        "No figure of {player} is open. `{line}` corrects one; a row of all ({columns}) corrects all.",
        player=words[0],
        line=f"{words[0]} {next(each.name for each in entries if each.corrects)} {words[1]}",
        columns=listed(each.title for each in entries),
    )
    return Readings(question=NotationError(why))


def _parse_entries(entries: Sequence[SheetEntry], figures: Sequence[str], session: Session) -> Readings:
    lines = (f"{each.answer.line} {figure}" for each, figure in zip(entries, figures, strict=False))
    return Readings(certain=tuple(map(session.notation.parse, lines)))


def prompts_ahead(session: Session, seat: str) -> tuple[Prompt, ...]:
    """Return the prompt for the next open figure of a seat that waits for others to enter theirs; else nothing."""
    entries = [each for each in session.game.entries(session.state, seat) if each.is_open] if seat else []
    view = session.view()
    is_asked = any(prompt.seat == seat and prompt.due for prompt in view.prompts)
    if not entries or is_asked or not entries[0].is_free:
        return ()
    name = next((each.name for each in view.seats if each.seat == seat), seat)
    text = phrase("{player}: {column}?", player=name, column=entries[0].title)
    return (Prompt(text, entries[0].answer, seat, due=False),)


def prompts_in_turn(session: Session, words: Sequence[str]) -> tuple[Prompt, ...]:
    """Return the prompts that a row of words answers: those of now and, for figures, those that come after them."""
    prompts = list(seat_prompts(session.view()))
    if not prompts or not all(map(_FIGURE.fullmatch, words)):
        return tuple(prompts)
    while len(prompts) < len(words):
        following = _prompts_behind(session, prompts, words)
        if not following:
            break
        prompts += following
    return tuple(prompts)


def refused_answers(session: Session, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[Action, ...]:
    """Return the answers that figures in a row give to prompts, if the rules refuse one of them; else nothing.

    Its refusal then says more than that the prompts behind it are missing.
    """
    if not all(map(_FIGURE.fullmatch, words)):
        return ()
    actions = _answers(session, prompts, words)
    try:
        session.preview(*actions)
    except RuleError:
        return actions
    return ()


def _answers(session: Session, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[Action, ...]:
    """Parse one word for each prompt. Raises NotationError if a word is no answer."""
    return tuple(session.notation.parse(f"{prompt.line} {word}") for prompt, word in zip(prompts, words, strict=False))


def _prompts_behind(session: Session, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[Prompt, ...]:
    """Return the prompts of the same kind after the answers to these."""
    try:
        state = session.preview(*_answers(session, prompts, words))[-1].position.head.state
    except (NotationError, RuleError):
        return ()
    following = seat_prompts(session.view_of(state))
    is_alike = following and following[0].due and following[0].answer.action is prompts[0].answer.action
    return following if is_alike else ()
