"""The form that imports games that were played without the companion."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from companion.archive import Archive, ArchiveError
from companion.archive.people import people
from companion.archive.storage import files
from companion.games import registry
from companion.session.table.form_filling import FormResult, FormState
from companion.statistics import play_file, score_list
from companion.statistics.play_file import ImportPreview
from companion.statistics.score_list import Choices, OpenQuestion
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import Field, Filled, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import Message, Text, joined, listed, phrase, phrases

_MOST_NAMES: Final = 30
"""The names in a file that are asked about; the most frequent ones come first."""
_MOST_OFFERED: Final = 50
PERSON: Final = "person "
"""The beginning of the fields about names; the name follows."""
_FILE: Final = Field(
    "file",
    "File",
    "An export of BG Stats or a list of scores: drop it here, or type where it is. Enter alone: paste a list.",
    example="BGStatsExport.json",
)
_LIST: Final = Field(
    "list", "Scores", "Paste a list: a row that names the columns, such as date, Ana, Ben, then a row a game.", "list"
)
_DATES: Final = (
    Choice("dmy", phrase("the day"), phrase("3/4/2024 is in April")),
    Choice("mdy", phrase("the month"), phrase("3/4/2024 is in March")),
)
_BEST: Final = (Choice("highest", phrase("the highest")), Choice("lowest", phrase("the lowest")))
_QUESTIONS: Final[Mapping[score_list.Question, Field]] = {
    # The name `game` means the choice between several forms.
    "game": Field("title", "Game", "Which game are these scores of?", required=True),
    "dates": Field(
        "dates", "Dates begin with", "Does 3/4/2024 begin with the day or the month?", "name", required=True
    ).with_titles(_DATES),
    "best": Field(
        "best",
        "Best score",
        "Which score wins in these games, the highest or the lowest?",
        "name",
        required=True,
    ).with_titles(_BEST),
}
"""The questions about a list that it may leave open."""


class _Source(NamedTuple):
    """A file as it is on the disk, or a pasted list, with the user's answers about it."""

    path: Path | None
    modified: tuple[int, int]
    text: str
    choices: Choices


class PlayImportForm:
    """The form for an import; see `companion.session.table.form_filling.Fillable`.

    Its questions follow from the file: what that leaves open, and the names in it that nobody has here.
    """

    title = phrase("Import games that were played without the companion")
    # Translators: “them” are games.
    done = phrase("Import them")

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._content: tuple[_Source, bytes] | None = None
        self._preview: tuple[_Source, ImportPreview] | None = None

    def initial_values(self) -> Values:
        """Return no answers."""
        return {}

    def build_state(self, values: Values) -> FormState:
        """Report what the file holds, what it leaves open, and whose its names may be."""
        path, text = str(values.get("file", "")).strip(), str(values.get("list", ""))
        own = (_FILE,) if path else (_FILE, _LIST)
        if not path and not text.strip():
            wrong = Finding(phrase("Name a file, or paste a list."))
            return FormState(own, Filled(findings=(wrong,)))
        place = FormPlace("file") if path else FormPlace("list")
        questions: list[score_list.Question] = []
        preview = None
        findings: list[Finding] = []
        try:
            preview = self._read(values, questions)
        except OpenQuestion as question:
            field = _QUESTIONS[question.question]
            findings.append(Finding(field.explanation, place=FormPlace(field.name)))
        except (NotationError, ArchiveError) as error:
            findings.append(Finding(error.message, place=place, unreadable=True))
        except OSError as error:
            cannot = phrase("“{file}” cannot be read: {reason}.", file=path, reason=error.strerror or str(error))
            findings.append(Finding(cannot, place=place, unreadable=True))
        fields = [*own, *(_QUESTIONS[each] for each in questions)]
        if preview is None:
            return FormState(fields, Filled(findings=tuple(findings)))
        names = self._names(preview)
        persons = _persons(values, names)
        fields += map(_person_field, names)
        findings += self._check_persons(persons)
        if not preview.to_store:
            findings.append(Finding(phrase("There is nothing new in it."), place=place))
        sentences = play_file.describe_preview(preview, persons)
        return FormState(fields, Filled(findings=tuple(findings), summary=joined("\n", sentences)))

    def _read(self, values: Values, questions: list[score_list.Question]) -> ImportPreview:
        """Return what an import would do; the questions that the file leaves open are added to `questions`.

        Raises OpenQuestion for the first that has no answer, NotationError, ArchiveError, and OSError.
        """
        while True:
            try:
                return self._preview_with(values, _choices(values, questions))
            except OpenQuestion as question:
                if question.question in questions:
                    raise
                questions.append(question.question)

    def _preview_with(self, values: Values, choices: Choices) -> ImportPreview:
        """Return what an import would do; the file is read again only if it or an answer has changed."""
        typed, text = str(values.get("file", "")).strip(), str(values.get("list", ""))
        path = files.read_path(typed) if typed else None
        modified = (0, 0)
        if path is not None:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                raise NotationError(phrase("“{file}” is not a file.", file=typed))
            modified = status.st_mtime_ns, status.st_size
        source = _Source(path, modified, "" if path else text, choices)
        if self._preview is None or self._preview[0] != source:
            name = path.name if path else str(phrase("pasted list"))
            content = self._read_content(source)
            file = play_file.read_file(self._archive, content, name, choices)
            self._preview = source, play_file.preview_import(self._archive, file)
        return self._preview[1]

    def _read_content(self, source: _Source) -> bytes:
        key = source._replace(choices=Choices())
        if self._content is None or self._content[0] != key:
            self._content = key, play_file.read_content(source.path) if source.path else source.text.encode()
        return self._content[1]

    def _names(self, preview: ImportPreview) -> Sequence[str]:
        """Return the names that nobody has here, if there is anybody whose they could be."""
        if not preview.others or not people.page_of_people(self._archive, count=1).rows:
            return ()
        free = (name for name in preview.others if not people.find_people(self._archive, name))
        return [name for name, _ in zip(free, range(_MOST_NAMES), strict=False)]

    def _check_persons(self, persons: Mapping[str, str]) -> Iterator[Finding]:
        for name, person in persons.items():
            try:
                people.find_record(self._archive, person)
            except ArchiveError as error:
                yield Finding(error.message, place=FormPlace(f"{PERSON}{name}"))

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:  # noqa: ARG002
        """Offer games, people, and the answers about a list; a file or a list is typed."""
        if place.field == "title":
            games = (Choice(name, registry.title(name)) for name in registry.names())
            return Open(phrase("a game"), "Golf", fitting=tuple(games))
        if place.field == "dates":
            return _DATES
        if place.field == "best":
            return _BEST
        if place.field.startswith(PERSON):
            return self._offer_people(place.field.removeprefix(PERSON), typed)
        field = _LIST if place.field == _LIST.name else _FILE
        return Open(field.explanation, field.example)

    def _offer_people(self, name: str, typed: str) -> Open:
        """Offer the people here, those first whose names begin like a name in the file."""
        rows = people.page_of_people(self._archive, typed, count=_MOST_OFFERED).rows
        several = [one for one in rows if sum(each.name == one.name for each in rows) > 1]
        marks = dict(people.describe_namesakes(self._archive, several))
        beginning = name.casefold()[:3]
        ordered = sorted(
            rows, key=lambda one: (not one.name.casefold().startswith(beginning), alphabetical_key(one.name))
        )
        choices = (
            Choice(one.person, one.name, marks[one.person]) if one.person in marks else Choice(one.name)
            for one in ordered
        )
        return Open(phrase("a name"), "", fitting=tuple(choices))

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: only the user knows."""
        raise RuleError(phrase("This cannot be drawn; only you can answer it."))

    def keep(self, values: Values) -> FormResult:
        """Import the games. Raises NotationError, ArchiveError."""
        try:
            preview = self._read(values, [])
        except OSError as error:
            raise NotationError(
                phrase("“{file}” cannot be read: {reason}.", file=values["file"], reason=error.strerror or str(error))
            ) from error
        persons = _persons(values, self._names(preview))
        stored = play_file.store_plays(self._archive, preview.file, persons)
        return FormResult("", self.describe_result(len(stored.new) + len(stored.changed)))

    def describe_result(self, count: int) -> Message:
        """Return the message about an import, with the way back."""
        return phrases(
            "{n} game taken in; companion archive undo-import undoes it.",
            "{n} games taken in; companion archive undo-import undoes it.",
            n=count,
        )


def _choices(values: Values, questions: Sequence[score_list.Question]) -> Choices:
    """Return the answers to these questions."""
    texts = {each: str(values.get(_QUESTIONS[each].name, "")).strip() for each in questions}
    dates: score_list.DateOrder | None = None
    if texts.get("dates") in ("dmy", "mdy"):
        dates = "mdy" if texts["dates"] == "mdy" else "dmy"
    best = texts.get("best")
    return Choices(texts.get("game", ""), dates, best == "lowest" if best in ("highest", "lowest") else None)


def _person_field(name: str) -> Field:
    about = phrase(
        "Who is {name} here? Enter alone counts these games under that name; they can become somebody's later.",
        name=name,
    )
    title: Text = listed((name,))
    return Field(f"{PERSON}{name}", title, about)


def _persons(values: Values, names: Sequence[str]) -> Mapping[str, str]:
    """Return the people here by their names in the file, as far as somebody said so."""
    answers = {name: str(values.get(f"{PERSON}{name}", "")).strip() for name in names}
    return {name: answer for name, answer in answers.items() if answer}
