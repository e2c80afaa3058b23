"""Whole matches of three games at a table without a screen: typed in few words, and again by choosing alone."""

from collections.abc import Mapping

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.replay import as_json
from companion.session.reading.table_questions import due_prompts
from companion.session.table.confirmations import ActionDone
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.action import Action
from companion.tabletop.table.choices import Choice, Open
from companion.tabletop.table.common_actions import Seat
from companion.tabletop.table.table import Draft
from tests.session.matches import ENTER, MATCHES, NAMES

both_ways = pytest.mark.parametrize("game", MATCHES)


def sit(archive: Archive, game: str) -> TableClient:
    """A new table of a game, in the archive."""
    return TableClient(SharedSessions(archive).open(archive_journal.start(archive, game).id))


def _kept(reply: object) -> None:
    """Somebody did something, and it was done."""
    assert isinstance(reply, ActionDone), reply


def typed(archive: Archive, game: str) -> TableClient:
    """The match, as its people type it."""
    client = sit(archive, game)
    for name in NAMES:
        _kept(client.enter(f"seat {name.lower()} name {name}"))
    for text in MATCHES[game].typed:
        assert client.view.outcome is None
        _kept(client.enter(text if text != ENTER else due_prompts(client.view)[0].line))
    return client


def chosen(client: TableClient, action: Action) -> Action:
    """An action made of what is offered: an answer to one of the questions, each field that it lacks chosen."""
    answers = [answer for prompt in client.view.prompts for answer in prompt.answers]
    begun = [answer for answer in answers if isinstance(action, answer.action) and _has(action, answer.given)]
    ways = [way for answer in begun if (way := _completed(client, answer, action)) is not None]
    assert ways, f"`{client.notation.format(action)}` is nowhere offered"
    return ways[0].build()


def _has(action: Action, given: Mapping[str, object]) -> bool:
    return all(getattr(action, field) == value for field, value in given.items())


def _completed(client: TableClient, draft: Draft, action: Action) -> Draft | None:
    """The draft with the fields of the action; None where one that it lacks is not offered."""
    while draft.missing:
        field = draft.missing[0].field
        value = getattr(action, field)
        if not _is_offered(client.choices(draft, field), value):
            return None
        draft = draft.having(field, value)
    for argument in draft.optional:
        draft = draft.having(argument.field, getattr(action, argument.field))
    return draft


def _is_offered(candidates: tuple[Choice, ...] | Open, value: object) -> bool:
    """Whether a value is listed; or whether an open field takes this number, or so many of them."""
    if not isinstance(candidates, Open):
        return value in [choice.value for choice in candidates]
    size = len(value) if isinstance(value, tuple) else value
    return not isinstance(size, int) or (candidates.least or 0) <= size <= (
        size if candidates.most is None else candidates.most
    )


@pytest.mark.sample(3)
@both_ways
def test_a_whole_match_is_typed_in_few_words(archive: Archive, game: str) -> None:
    client = typed(archive, game)
    assert client.view.outcome is not None
    figures = {about: _figure(client, *about) for about in MATCHES[game].ends}
    assert figures == MATCHES[game].ends
    assert _figure(client, "table", "outcome") == "ana"
    assert not due_prompts(client.view)
    again = archive_journal.resume(archive, archive.sessions()[0].session)
    assert as_json(again) == as_json(client.session)


@pytest.mark.sample(3)
@both_ways
def test_the_same_match_can_be_chosen_alone(archive: Archive, game: str) -> None:
    played = typed(archive, game).session
    client = sit(archive, game)
    for moment in played.moments():
        _kept(client.submit(moment.action if isinstance(moment.action, Seat) else chosen(client, moment.action)))
    assert client.view == played.view()


def _figure(client: TableClient, target: str, counter: str) -> object:
    """What `expect` would look at."""
    counters = client.view.counters_of(target) or ()
    return next(each.value for each in counters if each.name == counter)
