"""A session as text: its table in plain characters, and a playtest report in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.session.core.changes import name_winners
from companion.session.core.evenings import corrected_actions, entered_at
from companion.session.core.session import Session
from companion.tabletop.evenings import Review
from companion.tabletop.table.common_actions import Note
from companion.tabletop.table.table import Counter, SeatView, TableView, Thing
from companion.tabletop.text import sanitize
from companion.tabletop.words import title_of_word
from templates.languages.dates import date_and_time
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases


def draw(view: TableView) -> str:
    """Return the whole table as lines of text."""
    return "\n".join(_rows(view))


def _rows(view: TableView) -> Iterator[str]:
    yield f"{view.title} · {_figures(view.counters)}"
    for zone in view.zones:
        for thing in zone.things:
            yield f"  {_name(thing)}: {_figures(thing.counters)}"
    for seat in view.seats:
        yield f"{seat.name}{_flags([str(title_of_word(flag)) for flag in seat.flags])}: {_figures(seat.counters)}"
        for zone in seat.zones:
            for thing in zone.things:
                yield f"  {zone.title}: {_name(thing)} {_figures(thing.counters)}".rstrip()
    for prompt in view.prompts:
        yield f"→ {prompt.text}"


def _name(thing: Thing) -> str:
    return f"{thing.title}{_flags(thing.words)}"


def _flags(words: Sequence[str]) -> str:
    return f" ({listed(map(title_of_word, words))})" if words else ""


def _figures(counters: Sequence[Counter]) -> str:
    return " · ".join(f"{counter.title or counter.name} {counter.figure}" for counter in counters)


ANSWERS: Final[Mapping[str, Message]] = {"yes": phrase("Yes"), "no": phrase("No"), "": phrase("Not answered")}


def review_session(session: Session) -> Review:
    """Return the review of the game's rules after this sitting."""
    return session.game.evenings.review(corrected_actions(session.game, session.log.position.head))


def report(session: Session) -> str:
    """Return the whole report as Markdown."""
    # Without HTML, whatever names and notes contain.
    lines = (sanitize(line).replace("<", "&lt;") for line in _lines(session, session.view(), review_session(session)))
    return "\n".join(lines) + "\n"


def report_title(view: TableView) -> Message:
    """Return the title of a report."""
    return phrase("Playtest report: {game}", game=view.title)


def report_facts(session: Session, view: TableView) -> Iterator[tuple[Text, Text]]:
    """Yield the facts of a session, each with its label: date, players, house rules, writers and outcome."""
    # Translators: The facts of a session, each with its label: “Played: 2026-03-14 20:00 (session 4K7Q)”.
    began = entered_at(session.log.lines[0])
    date = date_and_time(began) if began else phrase("date unknown")
    yield phrase("Played"), phrase("{date} (session {session})", date=date, session=session.id) if session.id else date
    yield phrase("Table"), listed(map(_player_with_deck, view.seats))
    rules = [joined(" ", rule) for rule in view.rules]
    yield phrase("House rules"), listed(rules) if rules else phrase("none, by the book")
    if writers := session.writers():
        yield phrase("Entered by"), listed(dict.fromkeys(writers.values()))
    played = corrected_actions(session.game, session.log.position.head)
    yield phrase("Outcome"), _outcome_after(view, len(played))
    if stopped := session.stopping_point:
        how_far = phrase(
            "up to line {line}; the rules refuse the next: {reason}",
            line=str(stopped.line.number - 1),
            reason=stopped.why,
        )
        yield phrase("How far"), how_far


def _player_with_deck(seat: SeatView) -> Text:
    return phrase("{player} with {deck}", player=seat.name, deck=seat.title) if seat.title else seat.name


def _outcome_after(view: TableView, actions: int) -> Message:
    many = str(actions)
    if view.winners:
        return phrases(
            "{players} won after {actions} actions",
            "{players} won after {actions} actions",
            n=actions,
            players=name_winners(view),
            actions=many,
        )
    if not view.outcome:
        return phrases(
            "not finished after {actions} actions", "not finished after {actions} actions", n=actions, actions=many
        )
    # Translators: {outcome} is such as “win”, “loss” or “draw”.
    return phrases(
        "{outcome} after {actions} actions",
        "{outcome} after {actions} actions",
        n=actions,
        outcome=title_of_word(view.outcome),
        actions=many,
    )


def _lines(session: Session, view: TableView, review: Review) -> Iterator[str]:
    yield f"# {report_title(view)}"
    yield ""
    yield from (f"* {what}: {fact}" for what, fact in report_facts(session, view))
    if review.rows:
        yield ""
        yield from _table([str(text) for text in review.headings], [[*map(str, row)] for row in review.rows])
    if view.seats:
        yield ""
        yield from _table(*people_table(view))
    if review.questions:
        yield from ("", f"## {QUESTIONS}", "")
        for number, question in enumerate(review.questions, 1):
            note = f" {question.note}" if question.note else ""
            yield f"{number}. {question.text} **{ANSWERS[question.answer]}.**{note}"
            yield from (f"   * {evidence}" for evidence in question.evidence)
    if review.symptoms:
        yield from ("", f"## {SYMPTOMS}", "")
        yield from (f"* {each.text} {each.evidence} {lever_sentence(f'`{each.lever}`')}" for each in review.symptoms)
    yield from _notes(session)


SYMPTOMS: Final = phrase("Symptoms, and the lever the book proposes")
QUESTIONS: Final = phrase("The questions after each game")
NOTES: Final = phrase("Notes")


def lever_sentence(lever: Text) -> Message:
    """Return the sentence on what a rulebook proposes to change."""
    # Translators: The lever is the rule of a game that its authors propose to change.
    return phrase("Lever: {lever}.", lever=lever)


def people_table(view: TableView) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the figures of all seats at the end: the headings of a table, and its rows."""
    names = [counter.name for counter in view.seats[0].counters if type(counter.value) is int]
    titles = [counter.title for counter in view.seats[0].counters if counter.name in names]
    rows = [(seat.name, *(str(c.figure) for c in seat.counters if c.name in names)) for seat in view.seats]
    return ("", *map(str, titles)), rows


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{'---|' * len(headings)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '¦') for cell in row)} |"


def _notes(session: Session) -> Iterator[str]:
    notes = list(report_notes(session))
    if notes:
        yield from ("", f"## {NOTES}", "")
    yield from (f"* {note}" for note in notes)


def report_notes(session: Session) -> Iterator[str]:
    """Yield the players' notes, with their writers if there are several."""
    writers = session.writers()
    for moment in session.moments():
        if isinstance(moment.action, Note):
            yield f"{moment.action.text}{f' ({writers[moment.number]})' if writers else ''}"
