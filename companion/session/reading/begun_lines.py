"""Lines that are typed in part: what they name is filled in, and what they still lack can be asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.session.reading.judging import fillings
from companion.session.reading.known_names import KnownNames
from companion.session.reading.readings import ask_which
from companion.session.reading.short_lines import fits_behind_verb
from companion.session.reading.table_questions import with_optional
from companion.session.reading.typed_line import TypedLine
from companion.tabletop.action import AmbiguousLine, NotationError
from companion.tabletop.notation.notation import Argument
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.table.choices import Gap, Open, accepts, allows, complete_draft
from companion.tabletop.table.table import Draft
from templates.languages.messages import Finished, joined, phrase

_MOST_TRIED = 36
"""Maximum number of drafts that the rules judge for one text."""


def begun_draft(line: TypedLine) -> Draft | None:
    """Return the only draft of a line that lacks something behind its verb; None for any other line.

    What can be only one thing is filled in, if a number or a text is missing then. Any other line is the beginning of
    an offered one, or is refused without an optional part, such as the card that was drawn. The verb may be shortened
    to two letters.
    """
    return line.find_once(_find_draft)


def ask_for_missing(line: TypedLine) -> NotationError | None:
    """Return the question for what a line lacks, with the lines of the listed values; None if it is no such line."""
    draft = begun_draft(line)
    if draft is None:
        return None
    gap = Gap.of(line.session.game, line.session.state, draft)
    drafts = [gap.fill_gap(choice.value) for choice in gap.fitting_choices]
    lines = [each.line for each in drafts if not each.missing]
    if len(lines) > 1:
        return ask_which(line.text, lines, line.session)
    missing = Finished(phrase("{what} is missing", what=UsageText(gap.argument.words)))
    usage = UsageText(line.session.notation.usage(draft.action.verb()))
    why = joined(" ", (missing, phrase("Usage: {usage}", usage=usage)))
    return AmbiguousLine(why, lines) if lines else NotationError(why)


def _find_draft(line: TypedLine) -> Draft | None:
    if not line.begins_with_verb and all(len(token.word) <= 1 for token in line.tokens[:1]):
        return None
    names = KnownNames.at(line)
    fits = list(fits_behind_verb(names, line.tokens[0], line.tokens[1:], omits_things=True))
    least = min((fit.unsaid for fit in fits), default=0)
    tried = 0
    drafts: list[Draft] = []
    doubtful: list[Draft] = []
    for fit in fits:
        for draft in _complete_drafts(names, Draft(fit.action, fit.given), fit.left_out) if fit.unsaid == least else ():
            tried += 1
            if tried > _MOST_TRIED:
                return None
            if draft.missing:
                is_new = draft not in drafts and accepts(names.game, names.state, draft)
                drafts += [draft] if is_new else []
            elif not allows(names.game, names.state, draft):
                longer = with_optional(names.game, names.state, draft)
                doubtful += [longer] if longer is not None and longer not in doubtful else []
    for several in (drafts, _offered_drafts(line, names), doubtful):
        if len(several) == 1:
            return several[0]
    return None


def _offered_drafts(line: TypedLine, names: KnownNames) -> list[Draft]:
    """Return the offered drafts that lack something and begin with the words of a line."""
    words = line.text.lower().split()
    offered = (draft for prompt in names.view.prompts for draft in prompt.answers if draft.missing)
    begun = (draft for draft in offered if draft.line.lower().split()[: len(words)] == words)
    return list({draft.shape: draft for draft in begun if accepts(names.game, names.state, draft)}.values())


def _complete_drafts(names: KnownNames, draft: Draft, left_out: Sequence[Argument]) -> Iterator[Draft]:
    """Yield a draft with every possible value of its omitted arguments, except for those that nobody can list."""
    if not left_out:
        yield complete_draft(names.game, names.state, draft)
        return
    first, *others = left_out
    if isinstance(names.vocabulary(draft, first), Open):
        yield from _complete_drafts(names, draft, others)
        return
    for value in fillings(names, draft, first):
        yield from _complete_drafts(names, draft.having(first.field, value), others)
