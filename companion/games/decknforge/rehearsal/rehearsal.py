"""Rehearsals of DecknForge: the settings they accept, and one campaign, which may have a single evening."""

from __future__ import annotations

from copy import copy
from typing import Any, Final

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.rehearsal.campaign import Campaign
from companion.games.decknforge.rehearsal.figures import FIGURES, TABLES
from companion.games.decknforge.rehearsal.growth import CAMPAIGN_FIGURES, CAMPAIGN_TABLES, CampaignTally
from companion.games.decknforge.rehearsal.thinker import TEMPERAMENTS
from companion.games.decknforge.rules.setup import MOST_WIZARDS
from companion.tabletop.action import RuleError
from companion.tabletop.game import Game
from companion.tabletop.rehearsal import Chance, Figure, RehearsalSetting, Temperament, UnitOutcome, check_names
from templates.languages.messages import Text, phrase

MOST_EVENINGS: Final = 100
"""Most evenings of one campaign: more than any deck of cards lasts."""


class DungeonRehearsal:
    """The rehearsal of the game; see `companion.tabletop.rehearsal.Rehearsal`."""

    usual_players = 3
    usual_temperaments = ("greedy",)
    temperaments: tuple[Temperament, ...] = TEMPERAMENTS
    figures: tuple[Figure, ...] = (*FIGURES, *CAMPAIGN_FIGURES)
    tables: tuple[Figure, ...] = (*TABLES, *CAMPAIGN_TABLES)

    def __init__(self, game: Game, book: EffectBook = STANDARD) -> None:
        self.game = game
        self.book = book

    def check(self, setting: RehearsalSetting) -> None:
        """Raise RuleError if a setting cannot be rehearsed."""
        check_names(setting, TEMPERAMENTS, range(1, MOST_WIZARDS + 1))
        if not 1 <= setting.evenings <= MOST_EVENINGS:
            raise RuleError(
                phrase(
                    "A campaign has 1 to {most} evenings, not {evenings}.",
                    most=MOST_EVENINGS,
                    evenings=str(setting.evenings),
                )
            )
        table = self.game.new()
        for line in self._make_campaign(setting, Chance(0, 0)).set_up():
            table = self.game.apply(table, line).state
        if not table.tracks_all:
            raise RuleError(phrase("A rehearsal plays every card, so it needs the house rule `track all`."))
        if table.house.table_draws:
            raise RuleError(
                phrase("Nobody draws real cards in a rehearsal, so it needs the house rule `draws program`.")
            )

    def remarks(self, setting: RehearsalSetting) -> tuple[Text, ...]:
        """Return the remark that simulated players ignore a homebrew's reminders; all other effects are computed."""
        if not setting.homebrew:
            return ()
        return (phrase("Played with {game}, a homebrew whose reminders nobody follows here.", game=self.game.title),)

    def play(self, setting: RehearsalSetting, chance: Chance, keep_lines: bool = False) -> UnitOutcome:
        """Play one campaign, every evening to its seal; with a single evening, growth is not counted."""
        campaign, tally = self._make_campaign(setting, chance), CampaignTally()
        for dungeon in campaign.play(keep_lines):
            tally.add(dungeon)
        return tally.outcome(campaign) if setting.evenings > 1 else tally.outcomes[0]

    def find_effect(self, text: str) -> str:
        """Return the name of an inscription as typed. Raises NotationError if there is none."""
        return self.book.read_inscription(text)

    def _make_campaign(self, setting: RehearsalSetting, chance: Chance) -> Campaign:
        """Return the campaign; bands are founded by the whole book, so disabled inscriptions are on the same cards."""
        game: Any = self.game
        if setting.without:
            game = copy(game)
            game.book = self.book.without(setting.without)
        return Campaign(game, setting, chance, self.book)
