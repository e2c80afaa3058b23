"""Whole matches of three games at a table without a screen: typed in few words, and again by choosing alone."""

from collections.abc import Mapping

import pytest

from companion.archive import Archive
from companion.session import archive_journal
from companion.session.confirmations import Done
from companion.session.replay import as_json
from companion.session.shared_session import SharedSessions
from companion.session.table_client import TableClient
from companion.session.table_questions import due_prompts
from companion.tabletop.action import Action
from companion.tabletop.choices import Choice, Open
from companion.tabletop.common_actions import Seat
from companion.tabletop.table import Draft
from tests.session.matches import ENTER, MATCHES, NAMES

both_ways = pytest.mark.parametrize("game", MATCHES)


def sit(archive: Archive, game: str) -> TableClient:
    """A new table of a game, in the archive."""
    return TableClient(SharedSessions(archive).open(archive_journal.start(archive, game).id))


def kept(reply: object) -> None:
    """Somebody did something, and it was done."""
    assert isinstance(reply, Done), reply


def typed(archive: Archive, game: str) -> TableClient:
    """The match, as its people type it."""
    sitting = sit(archive, game)
    for name in NAMES:
        kept(sitting.enter(f"seat {name.lower()} name {name}"))
    for text in MATCHES[game].typed:
        assert sitting.view.outcome is None
        kept(sitting.enter(text if text != ENTER else due_prompts(sitting.view)[0].line))
    return sitting


def chosen(sitting: TableClient, action: Action) -> Action:
    """An action made of what is offered: an answer to one of the questions, each field that it lacks chosen."""
    answers = [answer for prompt in sitting.view.prompts for answer in prompt.answers]
    begun = [answer for answer in answers if isinstance(action, answer.action) and _has(action, answer.given)]
    ways = [way for answer in begun if (way := _completed(sitting, answer, action)) is not None]
    assert ways, f"`{sitting.notation.format(action)}` is nowhere offered"
    return ways[0].build()


def _has(action: Action, given: Mapping[str, object]) -> bool:
    return all(getattr(action, field) == value for field, value in given.items())


def _completed(sitting: TableClient, draft: Draft, action: Action) -> Draft | None:
    """The draft with the fields of the action; None where one that it lacks is not offered."""
    while draft.missing:
        field = draft.missing[0].field
        value = getattr(action, field)
        if not _is_offered(sitting.choices(draft, field), value):
            return None
        draft = draft.having(field, value)
    for argument in draft.optional:
        draft = draft.having(argument.field, getattr(action, argument.field))
    return draft


def _is_offered(found: tuple[Choice, ...] | Open, value: object) -> bool:
    """Whether a value is listed; or whether an open field takes this number, or so many of them."""
    if not isinstance(found, Open):
        return value in [choice.value for choice in found]
    size = len(value) if isinstance(value, tuple) else value
    return not isinstance(size, int) or (found.least or 0) <= size <= (size if found.most is None else found.most)


@both_ways
def test_a_whole_match_is_typed_in_few_words(archive: Archive, game: str) -> None:
    sitting = typed(archive, game)
    assert sitting.view.outcome is not None
    told = {about: figure(sitting, *about) for about in MATCHES[game].ends}
    assert told == MATCHES[game].ends
    assert figure(sitting, "table", "outcome") == "ana"
    assert not due_prompts(sitting.view)
    again = archive_journal.resume(archive, archive.sessions()[0].session)
    assert as_json(again) == as_json(sitting.session)


@both_ways
def test_the_same_match_can_be_chosen_alone(archive: Archive, game: str) -> None:
    played = typed(archive, game).session
    sitting = sit(archive, game)
    for moment in played.moments():
        kept(sitting.submit(moment.action if isinstance(moment.action, Seat) else chosen(sitting, moment.action)))
    assert sitting.view == played.view()


def figure(sitting: TableClient, target: str, counter: str) -> object:
    """What `expect` would look at."""
    counters = sitting.view.counters_of(target) or ()
    return next(told.value for told in counters if told.name == counter)
