"""What a page is and what it will keep in the archive, for people who decide whether to take it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from companion.games.described.page.description import CampaignDefinition, DecksDefinition, Description, title_of
from companion.games.described.page.texts import several
from templates.languages.messages import Text, joined, listed, phrase, phrase_in, phrases

_MAX_QUESTIONS: Final = 6
"""The most questions that are quoted; of more, the number of the others is named."""
_LISTS: Final = "list"


def describe_page(page: Description) -> tuple[Text, ...]:
    """Return what a page is, what it asks, and what it keeps, a sentence each, in the texts of this page."""
    return (*_describe_game(page), *_describe_questions(page), *_describe_keeping(page))


def _describe_game(page: Description) -> Iterator[Text]:
    edition, players = str(page.edition), page.play.players
    if page.by:
        yield phrase(
            "{game} by {author}, edition {edition}, for {players} players.",
            game=page.title,
            author=page.by,
            edition=edition,
            players=players,
        )
    else:
        yield phrase(
            "{game}, edition {edition}, for {players} players; its page does not say who wrote it.",
            game=page.title,
            edition=edition,
            players=players,
        )
    yield from filter(None, (page.about, page.credit))
    if page.counters:
        titles = listed(title_of(word, counter.title) for word, counter in page.counters.items())
        yield phrase("{what}: {names}.", what=phrase("Figures"), names=titles)


def _describe_questions(page: Description) -> Iterator[Text]:
    if page.house:
        yield phrase("Before a game it asks: {questions}.", questions=_quote(rule.ask for rule in page.house.values()))
    if page.after:
        yield phrase("After a game it asks: {questions}.", questions=_quote(each.ask for each in page.after))


def _describe_keeping(page: Description) -> Iterator[Text]:
    """Yield what games by this page leave in the archive."""
    if page.decks is None and page.purse is None and page.campaign is None:
        yield phrase("It keeps in your archive: the evenings that are played by it, and nothing else.")
        return
    yield phrase("It keeps in your archive: the evenings that are played by it, and what follows.")
    if page.decks is not None:
        yield from _describe_decks(page.decks)
    if page.campaign is not None:
        yield from _describe_campaign(page.campaign)
    if page.purse is not None:
        counter = page.counters.get(page.purse.counter)
        title = page.purse.title or title_of(page.purse.counter, counter.title if counter else "")
        yield phrase("A purse for each person, which goes from game to game: {purse}.", purse=title)


def _describe_decks(decks: DecksDefinition) -> Iterator[Text]:
    called = _in_quotes(several(decks.called))
    if decks.kind == _LISTS:
        yield phrase("Decks as lists of cards, with their versions and results; it calls them {decks}.", decks=called)
    else:
        yield phrases(
            "Decks whose cards are written on for ever, with {n} text to choose from; it calls them {decks}.",
            "Decks whose cards are written on for ever, with {n} texts to choose from; it calls them {decks}.",
            n=len(decks.inscriptions),
            decks=called,
        )
    if decks.tear_up:
        yield phrase("Cards of these decks can be torn up for ever.")
    if decks.counts:
        yield phrase("Figures of each of these decks: {names}.", names=listed(decks.counts.values()))
    if decks.form:
        yield phrase("Of a new deck it asks: {questions}.", questions=_quote(each.ask for each in decks.form))


def _describe_campaign(campaign: CampaignDefinition) -> Iterator[Text]:
    called = _in_quotes(campaign.called)
    parts = len(campaign.scenarios), len(campaign.unlocks)
    yield phrase(
        "A record of the whole group, which goes from game to game; it calls it {campaign}, with {scenarios} and "
        "{unlocks}.",
        campaign=called,
        scenarios=phrases("{n} scenario", "{n} scenarios", n=parts[0]),
        unlocks=phrases("{n} thing to unlock", "{n} things to unlock", n=parts[1]),
    )
    if campaign.figures:
        titles = (title_of(word, figure.title) for word, figure in campaign.figures.items())
        yield phrase("Figures of this record: {names}.", names=listed(titles))


def _quote(questions: Iterable[Text]) -> Text:
    """Return the first questions in quotation marks, and the number of the others."""
    texts = [*questions]
    quoted: list[Text] = [_in_quotes(text) for text in texts[:_MAX_QUESTIONS]]
    left = len(texts) - len(quoted)
    return joined(" ", (*quoted, *((phrases("and {n} more", "and {n} more", n=left),) if left else ())))


def _in_quotes(text: Text) -> Text:
    # Translators: The quotation marks of the language, around what somebody typed or called something.
    return phrase_in("list", "“{text}”", text=text)
