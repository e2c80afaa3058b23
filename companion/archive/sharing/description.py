"""The state of the sharing in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.archive.archive import Archive
from companion.archive.people import people
from companion.archive.sharing.sharing import (
    AWAY,
    BUSY,
    DAMAGED,
    FULL,
    READ_ONLY,
    SharingState,
    WaitingStory,
    read_state,
)
from companion.archive.sharing.story_import import Waiting
from companion.archive.storage.lists import fold
from companion.archive.storage.purses import Person
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, listed, phrase, phrases

_MOST: Final = 3
"""The number of waiting stories that are named."""


class SharingDescription(NamedTuple):
    """The state of the sharing in sentences: of the folder, of stories that wait, and of files that are not read."""

    folder: Message
    waiting: tuple[Message, ...]
    files: tuple[Message, ...]

    @classmethod
    def read(cls, file: Path | None, key: str = "") -> SharingDescription | None:
        """Return the state after the last synchronization of an archive's file; None if it is not shared.

        `key` is the key that opens the screen for decisions; without one, the sentences name commands.
        """
        state = read_state(file)
        return None if state is None else cls.of_state(state, key)

    @classmethod
    def of_state(cls, state: SharingState, key: str = "") -> SharingDescription:
        """Return a state in sentences."""
        return cls(_describe_folder(state), tuple(_describe_waiting(state, key)), tuple(_describe_files(state)))


def _describe_folder(state: SharingState) -> Message:
    """Return how the sharing is, as a sentence of its own."""
    folder = str(state.folder)
    if state.problem == AWAY:
        return phrase(
            "Shared folder: {folder} is not there. Everything is kept here, and shared when it is back.", folder=folder
        )
    if state.problem == FULL:
        return phrase("Shared folder: the disk there is full. What others write still arrives.")
    if state.problem == READ_ONLY:
        return phrase("Shared folder: nothing may be written there. What others write still arrives.")
    if state.problem == DAMAGED:
        return phrase("Shared folder: the notes on it are damaged; companion archive share FOLDER begins anew.")
    if state.problem == BUSY:
        return phrase("Shared folder: another window is using it at this moment.")
    if state.problem:
        return phrase("Shared folder: {folder} cannot be used at the moment; it is tried again.", folder=folder)
    if not state.devices:
        return phrase("Shared folder: up to date; no other device has written there yet.")
    # A device that began anew, or a copy of it, may have the same name.
    names = dict.fromkeys(each.name for each in state.devices)
    return phrase("Shared folder: up to date with {devices}.", devices=listed(names))


def _describe_waiting(state: SharingState, key: str) -> Iterator[Message]:
    """Yield a sentence for each story that the user can do something about, and one for all that is still to come."""
    actionable = [story for story in state.waiting if story.reason is not Waiting.PARTS]
    yield from (_describe_story(story, key) for story in actionable[:_MOST])
    if (rest := len(actionable) - _MOST) > 0:
        yield phrases("{n} more waits.", "{n} more wait.", n=rest)
    late = dict.fromkeys(story.device for story in state.waiting if story.reason is Waiting.PARTS)
    if late:
        yield phrase("Something that {devices} wrote has not arrived completely yet.", devices=listed(late))


def _describe_files(state: SharingState) -> Iterator[Message]:
    """Yield a sentence for each file that is not read; while files arrive there may be some."""
    for name in state.unreadable:
        yield phrase("{file} cannot be read at the moment; it is tried again.", file=in_quotes(name))
    for name in state.broken:
        yield phrase(
            "{file} has not arrived completely, or is damaged; if that does not change, delete it, and its device "
            "writes it again.",
            file=in_quotes(name),
        )
    for name in state.newer:
        yield phrase(
            "{file} was written by a newer companion. Update the companion on this device: what that one wrote is then "
            "read; nothing is lost until then.",
            file=in_quotes(name),
        )


def describe_people_alike(archive: Archive) -> Iterator[Message]:
    """Yield a sentence for each name that several people have, as after two devices began to share."""
    named: dict[str, list[Person]] = {}
    for person in people.with_ids(archive):
        named.setdefault(fold(person.name), []).append(person)
    for first, second, *_ in (each for each in named.values() if len(each) > 1):
        yield phrase(
            "Two people are called {name}. If they are one, companion people merge {first} {second} joins them.",
            name=in_quotes(first.name),
            first=second.person,
            second=first.person,
        )


def _describe_story(story: WaitingStory, key: str) -> Message:
    title, device = in_quotes(story.title or story.stream), story.device
    match story.reason:
        case Waiting.DIVERGED if key:
            return phrase(
                "{deck} went on here and at {device}; {key} lets you decide which of the two counts.",
                deck=title,
                device=device,
                key=key,
            )
        case Waiting.REVERSED if key:
            return phrase(
                "{device} decided about {deck} later than you, and differently; {key} lets you agree.",
                deck=title,
                device=device,
                key=key,
            )
        case Waiting.DIVERGED:
            return phrase(
                "{deck} went on here and at {device}. Decide which of the two counts: companion archive share "
                "--keep mine, or --keep theirs.",
                deck=title,
                device=device,
            )
        case Waiting.REVERSED:
            return phrase(
                "{device} decided about {deck} later than you, and differently; companion archive share --reverse "
                "agrees.",
                deck=title,
                device=device,
            )
        case Waiting.NAME:
            return phrase(
                "{name} of {device} waits, as something else here has that name; rename one of the two.",
                name=title,
                device=device,
            )
        case _:
            return phrase(
                "{name} of {device} makes no sense to this companion. A newer one may have written it: update the one "
                "on this device.",
                name=title,
                device=device,
            )
