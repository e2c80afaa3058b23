"""A session as text: its table in plain characters, and a playtest report in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.session.core.evenings import corrected_actions
from companion.session.core.session import Session
from companion.tabletop.evenings import Review
from companion.tabletop.table.common_actions import Note
from companion.tabletop.table.table import Counter, TableView, Thing
from companion.tabletop.text import sanitize
from companion.tabletop.words import title_of_word


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
    return f" ({', '.join(words)})" if words else ""


def _figures(counters: Sequence[Counter]) -> str:
    return " · ".join(f"{counter.title or counter.name} {counter.figure}" for counter in counters)


ANSWERS = {"yes": "Yes", "no": "No", "": "Not answered"}


def review_session(session: Session) -> Review:
    """Return the review of the game's rules after this sitting."""
    return session.game.evenings.review(corrected_actions(session.game, session.log.position.head))


def report(session: Session) -> str:
    """Return the whole report as Markdown."""
    # Without HTML, whatever names and notes contain.
    lines = (sanitize(line).replace("<", "&lt;") for line in _lines(session, session.view(), review_session(session)))
    return "\n".join(lines) + "\n"


def report_title(view: TableView) -> str:
    """Return the title of a report."""
    return f"Playtest report: {view.title}"


def report_facts(session: Session, view: TableView) -> Iterator[tuple[str, str]]:
    """Yield the facts of a session, each with its label: date, players, house rules, writers and outcome."""
    yield "Played", f"{session.log.lines[0].at or 'date unknown'}{f' (session {session.id})' if session.id else ''}"
    yield "Table", ", ".join(f"{seat.name} with {seat.title}" if seat.title else seat.name for seat in view.seats)
    yield "House rules", ", ".join(f"{key} {value}" for key, value in view.rules) or "none, by the book"
    if writers := session.writers():
        yield "Entered by", ", ".join(dict.fromkeys(writers.values()))
    played = corrected_actions(session.game, session.log.position.head)
    outcome = f"{' and '.join(view.winners)} won" if view.winners else view.outcome
    yield "Outcome", f"{outcome or 'not finished'} after {len(played)} actions"
    if stopped := session.stopping_point:
        yield "How far", f"up to line {stopped.line.number - 1}; the rules refuse the next: {stopped.why}"


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
        yield from ("", "## The questions after each game", "")
        for number, question in enumerate(review.questions, 1):
            note = f" {question.note}" if question.note else ""
            yield f"{number}. {question.text} **{ANSWERS[question.answer]}.**{note}"
            yield from (f"   * {evidence}" for evidence in question.evidence)
    if review.symptoms:
        yield from ("", "## Symptoms, and the lever the book proposes", "")
        yield from (f"* {each.text} {each.evidence} Lever: `{each.lever}`." for each in review.symptoms)
    yield from _notes(session)


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
        yield from ("", "## Notes", "")
    yield from (f"* {note}" for note in notes)


def report_notes(session: Session) -> Iterator[str]:
    """Yield the players' notes, with their writers if there are several."""
    writers = session.writers()
    for moment in session.moments():
        if isinstance(moment.action, Note):
            yield f"{moment.action.text}{f' ({writers[moment.number]})' if writers else ''}"
