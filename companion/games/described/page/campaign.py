"""The campaign of a page: its figures, scenarios and things, looked up by their permanent words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from companion.games.described.page.description import (
    CampaignDefinition,
    Description,
    ScenarioDefinition,
    UnlockDefinition,
    title_of,
)
from companion.games.described.page.texts import PageTexts, as_written
from companion.games.described.records import DONE, OPEN, UNLOCKED, CampaignStages, Stage
from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes
from templates.languages.messages import Text, listed, phrase, phrase_in

CAMPAIGN: Final = "campaign"
"""The seat of a campaign in lines, which belongs to the whole table."""

QUESTIONS_OF_CAMPAIGNS: Final = frozenset({"finish", "open", "unlock", "figure"})
"""The kinds of questions after a game that are always about the campaign."""

_NO_CAMPAIGN: Final = CampaignDefinition()


class CampaignBook:
    """The campaign that a page defines; empty if it has none."""

    def __init__(self, page: Description, texts: PageTexts) -> None:
        self.texts = texts
        self.definition = page.campaign or _NO_CAMPAIGN

    @property
    def called(self) -> Text:
        """The page's word for the record of a campaign."""
        return self.definition.called

    @cached_property
    def parts(self) -> Mapping[str, ScenarioDefinition | UnlockDefinition]:
        """The scenarios and things, by their words."""
        return {**self.definition.scenarios, **self.definition.unlocks}

    def is_scenario(self, word: str) -> bool:
        """Return True if the page has such a scenario."""
        return word in self.definition.scenarios

    def written_title(self, word: str) -> str:
        """Return the title of a figure, scenario or thing as the page has it; it is stored with what is written."""
        part = self.definition.figures.get(word) or self.parts.get(word)
        return as_written(title_of(word, part.title if part else ""))

    def title(self, word: str, stored: str = "") -> Text:
        """Return the displayed title: the stored one, or else that of the page."""
        return self.texts.name(stored or self.written_title(word))

    def about(self, word: str) -> tuple[Text, ...]:
        """Return what the page says of a scenario or thing: its text, and the cards that come with it."""
        part = self.parts.get(word)
        if part is None:
            return ()
        cards = part.cards if isinstance(part, UnlockDefinition) else ()
        names = listed(map(self.texts.name, cards))
        return (*((part.text,) if part.text else ()), *((phrase("Cards: {cards}", cards=names),) if cards else ()))

    def part(self, word: str) -> str:
        """Return the word of a scenario or thing, from its word or title. Raises NotationError if there is none."""
        folded = word.casefold()
        for each in self.parts:
            if folded in (each, self.written_title(each).casefold()):
                return each
        raise NotationError(
            phrase(
                "The campaign has no {word}; it has {names}.",
                word=in_quotes(word),
                names=listed(self.parts) if self.parts else phrase_in("scenarios", "nothing"),
            )
        )

    def stages_of(self, word: str) -> tuple[Stage, ...]:
        """Return the stages that a scenario or thing can reach."""
        return (OPEN, DONE) if self.is_scenario(word) else (UNLOCKED,)

    def at_first(self) -> CampaignStages:
        """Return the stages with which a campaign begins."""
        stages: dict[str, Stage] = {word: OPEN for word, each in self.definition.scenarios.items() if each.start}
        stages |= {word: UNLOCKED for word, each in self.definition.unlocks.items() if each.start}
        return CampaignStages(stages, {word: self.written_title(word) for word in stages})

    def figures_at_first(self) -> dict[str, int]:
        """Return the figures with which a campaign begins."""
        return {word: figure.start for word, figure in self.definition.figures.items()}

    def in_order(self, stages: CampaignStages) -> tuple[str, ...]:
        """Return the words of all stages in the order of the page; words that the page lacks come last."""
        order = [word for word in self.parts if word in stages.stages]
        return (*order, *(word for word in stages.stages if word not in self.parts))


def stage_text(stage: Stage) -> Text:
    """Return a stage for display."""
    match stage:
        case "open":
            return phrase_in("scenario", "open")
        case "done":
            return phrase_in("scenario", "done")
        case "unlocked":
            return phrase_in("scenario", "unlocked")
    return phrase_in("scenario", "not open")
