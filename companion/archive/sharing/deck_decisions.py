"""Decisions on decks whose histories went on here and at another device, as screens and pages offer them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.archive.archive import Archive
from companion.archive.exchange.deck_import import Side
from companion.archive.sharing import questions
from companion.archive.sharing.questions import DeckQuestion
from companion.archive.sharing.sharing import Synchronizer, read_state
from companion.archive.sharing.story_import import Waiting
from companion.archive.storage.lookup import StoryLine
from companion.tabletop.text import in_quotes
from templates.languages.messages import Text, phrase


class DeckDecision(NamedTuple):
    """A way to decide a question: the side that counts from then on; None agrees to the later decision."""

    question: DeckQuestion
    keep: Side | None
    title: Text
    effect: Text


def list_decisions(question: DeckQuestion) -> tuple[DeckDecision, ...]:
    """Return the ways to decide a question."""
    deck, device = in_quotes(question.name), question.device
    if question.is_reversal:
        title = phrase("Agree with {device} about {deck}", deck=deck, device=device)
        effect = phrase("What was decided at {device} later counts here as well.", device=device)
        return (DeckDecision(question, None, title, effect),)
    mine, theirs = (
        phrase("Keep {deck} as it is here", deck=deck),
        phrase("Keep {deck} as {device} has it", deck=deck, device=device),
    )
    return (
        DeckDecision(
            question, "mine", mine, phrase("What {device} wrote stays in the history as corrected.", device=device)
        ),
        DeckDecision(question, "theirs", theirs, phrase("What was written here stays in the history as corrected.")),
    )


def describe_question(question: DeckQuestion) -> Text:
    """Return why there is something to decide about a deck."""
    deck, device = in_quotes(question.name), question.device
    if question.is_reversal:
        return phrase("{device} decided about {deck} later than you, and differently.", deck=deck, device=device)
    return phrase("{deck} went on here and at {device}. Decide which of the two counts.", deck=deck, device=device)


def count_questions(archive: Archive) -> int:
    """Return the number of stories of decks that wait for a decision, as of the last synchronization."""
    state = read_state(archive.store.file)
    return sum(story.reason in (Waiting.DIVERGED, Waiting.REVERSED) for story in state.waiting) if state else 0


def list_sides(question: DeckQuestion) -> Iterator[tuple[Text, Sequence[StoryLine]]]:
    """Yield what each side of a deck's history has that the other lacks, under a heading; a side may have nothing."""
    if question.is_reversal:
        yield phrase("What would not count here any more:"), question.mine
        yield phrase("What would count here again:"), question.theirs
        return
    yield phrase("Here, from entry {fork} on:", fork=question.fork), question.mine
    there = phrase("At {device}, from entry {fork} on:", device=question.device, fork=question.fork)
    yield there, question.theirs


def share_decision(archive: Archive, decision: DeckDecision) -> Text:
    """Decide a question on all devices, and return a sentence about it. Raises ArchiveError, OSError."""
    question = decision.question
    Synchronizer(archive).run(question.decide(decision.keep))
    if questions.is_still_open(archive, question):
        return phrase("It is not decided yet, as the shared folder cannot be used at the moment.")
    return phrase("It is decided; your other devices hear of it through the folder.")
