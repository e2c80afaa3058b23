"""Checks of a page's campaign: its words, its figures, what a scenario leads to, and the questions about it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from companion.games.described.page.campaign import CAMPAIGN, QUESTIONS_OF_CAMPAIGNS
from companion.games.described.page.checks.names import COUNTER, Wrong, no_such_name, owner_text
from companion.games.described.page.description import TABLE, After, CampaignDefinition, Description
from companion.games.described.page.toml_lines import Path
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, phrase, phrase_in

# Translators: the kinds of names that a campaign has, as in “There is no scenario “mil”; did you mean mill?”
SCENARIO: Final = phrase_in("kind of name", "scenario")
UNLOCK: Final = phrase_in("kind of name", "thing to unlock")
CAMPAIGN_FIGURE: Final = phrase_in("kind of name", "figure of the campaign")

_RESERVED: Final = frozenset({"played", "won"})
"""Figures that every record counts."""


def check_campaign(page: Description) -> Wrong:
    """Yield the problems of a page's campaign."""
    campaign = page.campaign
    if campaign is None:
        return
    if page.decks is not None and page.decks.kind == "list":
        yield ("campaign",), phrase('A campaign goes with decks of kind = "inscribed", or with none.')
    for table in ("tokens", "pools"):
        if CAMPAIGN in getattr(page, table):
            yield (table, CAMPAIGN), phrase("{word} means something else in lines; choose another word.", word=CAMPAIGN)
    yield from _check_words(campaign)
    for word, figure in campaign.figures.items():
        yield from _check_counter(page, figure.counter, ("campaign", "figures", word, "counter"))
    for word, scenario in campaign.scenarios.items():
        path: Path = ("campaign", "scenarios", word)
        yield from _check_names(scenario.opens, campaign.scenarios, SCENARIO, (*path, "opens"))
        yield from _check_names(scenario.unlocks, campaign.unlocks, UNLOCK, (*path, "unlocks"))
    if campaign.scenarios and not any(scenario.start for scenario in campaign.scenarios.values()):
        yield ("campaign", "scenarios"), phrase("No scenario is open at first; write start = true below one of them.")


def _check_words(campaign: CampaignDefinition) -> Wrong:
    """Check that no word means two parts of the campaign, as its record and its lines know them by word alone."""
    seen: dict[str, str] = {}
    for table in ("figures", "scenarios", "unlocks"):
        for word in getattr(campaign, table):
            path: Path = ("campaign", table, word)
            if word in _RESERVED:
                yield path, phrase("{word} is counted of every campaign; choose another word.", word=in_quotes(word))
            elif word in seen:
                yield (
                    path,
                    phrase(
                        "{word} is in [{table}], too; choose another word.",
                        word=in_quotes(word),
                        table=f"campaign.{seen[word]}",
                    ),
                )
            seen.setdefault(word, table)


def _check_counter(page: Description, word: str, path: Path) -> Wrong:
    """Check that a figure's counter is one of the table, counts numbers, and cannot fall below 0."""
    if not word:
        return
    counter = page.counters.get(word)
    if counter is None:
        yield path, no_such_name(word, page.counters, COUNTER)
    elif counter.of != TABLE:
        yield (
            path,
            phrase(
                "{word} is a counter of {owner}, not of {other}.",
                word=in_quotes(word),
                owner=owner_text(counter.of),
                other=owner_text(TABLE),
            ),
        )
    elif counter.words or counter.sum:
        yield path, phrase("{word} does not count by itself; a campaign needs a plain number.", word=in_quotes(word))
    elif counter.least == "none" or counter.least < 0:
        yield path, phrase("{word} can fall below 0, and a figure of a campaign cannot.", word=in_quotes(word))


def _check_names(words: Collection[str], names: Collection[str], kind: Message, path: Path) -> Wrong:
    for at, word in enumerate(words):
        if word not in names:
            yield (*path, at), no_such_name(word, names, kind)


def check_question(page: Description, after: After, path: Path) -> Wrong:
    """Yield the problems of a question after the game that is about the campaign."""
    campaign = page.campaign
    if campaign is None:
        yield (*path, "kind"), phrase("{kind} needs a campaign; write [campaign].", kind=in_quotes(after.kind))
        return
    if after.kind not in (*QUESTIONS_OF_CAMPAIGNS, "count", "text", "do"):
        yield (*path, "who"), phrase("{kind} is about a deck, not about the campaign.", kind=in_quotes(after.kind))
        return
    if after.kind in QUESTIONS_OF_CAMPAIGNS and after.who not in ("each", "winner", "losers", CAMPAIGN):
        yield (*path, "who"), phrase("The whole table is asked this; leave it out.")
    if after.kind in ("finish", "open") and not campaign.scenarios:
        yield (*path, "kind"), phrase("The campaign has no scenarios; write [campaign.scenarios.WORD].")
    if after.kind == "unlock" and not campaign.unlocks:
        yield (*path, "kind"), phrase("The campaign unlocks nothing; write [campaign.unlocks.WORD].")
    if after.kind in ("figure", "count"):
        if not after.counts:
            yield (*path, "kind"), phrase("Say with counts which figure of the campaign it is.")
        elif after.counts not in campaign.figures:
            yield (*path, "counts"), no_such_name(after.counts, campaign.figures, CAMPAIGN_FIGURE)
