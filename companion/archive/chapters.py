"""A deck's story as chapters: its evenings, what happened between them, and work by hand apart from both.

All front ends use these functions and only draw the result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import deck_stream, game_of, marks_of
from companion.archive.storage.lookup import StoryLine, tell_story
from companion.tabletop.evening import ChapterText, NameOf, own_name
from companion.tabletop.records import Done, Mark, corrections
from templates.languages.messages import Text, phrase

_DONE: Final = str(Done.__struct_config__.tag)


class Chapter(NamedTuple):
    """A part of a deck's story. `at` is when its last line was written down.

    `title` names it, `venue` is the place if known; `facts` are sentences about the evening, `lines` those of the
    deck's own marks, and `chores` those of work by hand, all oldest first. `session` is the session, "" if the chapter
    belongs to none, and `mark` the number of the mark that the evening left, 0 if there was none.
    """

    kind: Literal["evening", "between"]
    at: datetime
    title: Text
    venue: str
    facts: tuple[Text, ...]
    lines: tuple[StoryLine, ...]
    chores: tuple[StoryLine, ...]
    session: str
    mark: int = 0

    @property
    def own_lines(self) -> tuple[StoryLine, ...]:
        """The lines in reading order: of an evening oldest first, of the time between evenings newest first."""
        return self.lines if self.kind == "evening" else self.lines[::-1]

    def among(self, numbers: Collection[int]) -> Chapter | None:
        """Return the part of the chapter that is in marks of these numbers; None if nothing is."""
        lines, chores = (tuple(line for line in part if line.number in numbers) for part in (self.lines, self.chores))
        facts = self.facts if self.mark in numbers else ()
        whole = lines or chores or self.mark in numbers
        return self._replace(lines=lines, chores=chores, facts=facts) if whole else None


def last_evening(chapters: Sequence[Chapter]) -> Chapter | None:
    """Return the newest chapter about an evening, or None."""
    return next((chapter for chapter in reversed(chapters) if chapter.kind == "evening"), None)


def tell_chapters(entries: Sequence[Entry], name_of: NameOf = own_name) -> tuple[Chapter, ...]:
    """Return a deck's story as chapters, oldest first; `name_of` names the people in facts."""
    marks = dict(enumerate(marks_of(entries), 1))
    evenings = dict(_evenings(entries, marks, name_of))
    return tuple(_chapter(lines, evenings) for lines in _together(tell_story(entries), evenings))


def _together(story: Sequence[StoryLine], evenings: Collection[int]) -> Iterator[Sequence[StoryLine]]:
    """Yield the lines of each chapter.

    A chapter has the lines of a session, or, from before entries named their session, those written at the same moment
    as an evening; between them, it has each run of other lines.
    """
    moments = {line.at for line in story if line.number in evenings}

    def belongs(line: StoryLine) -> tuple[str, datetime | None]:
        return line.session, line.at if not line.session and line.at in moments else None

    lines: list[StoryLine] = []
    for line in story:
        second = line.number in evenings and any(each.number in evenings for each in lines)
        if lines and (second or belongs(line) != belongs(lines[-1])):
            yield lines
            lines = []
        lines.append(line)
    if lines:
        yield lines


def _evenings(
    entries: Sequence[Entry], marks: Mapping[int, Mark], name_of: NameOf
) -> Iterator[tuple[int, ChapterText]]:
    """Yield the texts about whole evenings by the numbers of their marks; corrected marks have none."""
    game, deck = game_of(entries), entries[0].stream.removeprefix(deck_stream(""))
    corrected = corrections([*marks.values()])
    for number, mark in marks.items():
        if number not in corrected and (text := game.evenings.chapter(mark, deck, name_of)) is not None:
            yield number, text


def _chapter(lines: Sequence[StoryLine], evenings: Mapping[int, ChapterText]) -> Chapter:
    session = lines[0].session
    chores = tuple(line for line in lines if line.kind == _DONE)
    rest = tuple(line for line in lines if line.kind != _DONE)
    mark = next((line.number for line in rest if line.number in evenings), 0)
    if not mark:
        title = phrase("How it began") if lines[0].number == 1 else phrase("Between evenings")
        return Chapter("between", lines[-1].at, title, "", (), rest, chores, session)
    own = tuple(line for line in rest if line.number not in evenings)
    return Chapter("evening", lines[-1].at, *evenings[mark], own, chores, session, mark)
