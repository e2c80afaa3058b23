"""Removal of imported games, one by one.

Nothing is deleted: a removal is an entry of the game's story. So it arrives at all devices that share the archive, the
same file does not bring the game back, and it can be undone.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.archive.archive import Archive
from companion.archive.errors import Unknown, list_some
from companion.archive.storage.entries import PlayRemoved, PlayRestored, drafts
from companion.archive.storage.lookup import find_session
from companion.archive.storage.plays import ImportedPlay, ends_with_removal, imported_plays
from companion.archive.storage.results import key_of_play
from companion.archive.storage.transaction import Transaction
from companion.tabletop.text import in_quotes
from templates.languages.dates import numeric_date, short_date
from templates.languages.messages import Finished, Message, joined, listed, phrase


def list_plays(archive: Archive) -> tuple[ImportedPlay, ...]:
    """Return all imported games, removed ones as well, newest first."""
    with archive.store.reading() as transaction:
        plays = list(imported_plays(transaction))
    return tuple(sorted(plays, key=lambda play: (play.row.at, play.row.source), reverse=True))


def find_plays(archive: Archive, text: str) -> tuple[ImportedPlay, ...]:
    """Return the imported games that have every word of `text` in their title, date or players, newest first."""
    words = text.casefold().split()
    plays = list_plays(archive)
    return tuple(play for play in plays if all(word in " ".join(_texts_of(play)).casefold() for word in words))


def _texts_of(play: ImportedPlay) -> Iterator[str]:
    """Yield the texts by which a game is found."""
    yield play.row.name
    yield str(numeric_date(play.row.at))
    yield f"{play.row.at:%Y-%m-%d}"
    yield play.id
    yield from (player.name for player in play.row.result.players)


def find_play(archive: Archive, text: str) -> ImportedPlay:
    """Return the imported game with an id that begins with `text`, or with this key of exports. Raises Unknown."""
    with archive.store.reading() as transaction:
        return _find(transaction, text)


def remove_play(archive: Archive, text: str) -> ImportedPlay:
    """Remove an imported game, so that it counts no more. Raises Unknown, also if it is removed already."""
    with archive.store.writing() as transaction:
        play = _find(transaction, text)
        if play.is_removed:
            raise Unknown(phrase("{play} is removed already.", play=name_play(play)), "imported")
        for stream in play.streams:
            archive._append(transaction, stream, transaction.length(stream), drafts([PlayRemoved()]))
        return _find(transaction, play.row.source)


def restore_play(archive: Archive, text: str) -> ImportedPlay:
    """Undo the removal of an imported game. Raises Unknown, also if it is not removed."""
    with archive.store.writing() as transaction:
        play = _find(transaction, text)
        if not play.is_removed:
            raise Unknown(phrase("{play} is not removed.", play=name_play(play)), "imported")
        for stream in play.streams:
            entries = transaction.read(stream)
            if ends_with_removal(entries):
                archive._append(transaction, stream, len(entries), drafts([PlayRestored()]))
        return _find(transaction, play.row.source)


def name_play(play: ImportedPlay) -> Message:
    """Name an imported game for people: its title and its day."""
    return phrase("{game} of {day}", game=in_quotes(play.row.name), day=short_date(play.row.at))


def describe_players(play: ImportedPlay) -> Message:
    """List the players of an imported game, the winners first, each with the final figure."""
    results = sorted(play.row.result.players, key=lambda each: (each.result != "won", each.place))
    return listed(
        phrase("{name} {score}", name=each.name, score=str(next(iter(each.final.values()))))
        if each.final
        else each.name
        for each in results
    )


def describe_play(play: ImportedPlay) -> Message:
    """Describe an imported game in a sentence: its title, its day, who won, and the final figures."""
    result = play.row.result
    winners = [each.name for each in result.players if each.result == "won"]
    texts: list[Message] = [Finished(phrase("{play}: {players}", play=name_play(play), players=describe_players(play)))]
    if winners:
        texts.append(Finished(phrase("Won by {winners}", winners=listed(winners))))
    elif result.outcome == "draw":
        texts.append(phrase("It was a draw."))
    return joined(" ", texts)


def _find(transaction: Transaction, text: str) -> ImportedPlay:
    wanted = text.strip().lower()
    plays = list(imported_plays(transaction))
    same = [play for play in plays if wanted in (play.id, play.row.source, key_of_play(play.row.source))]
    matches = same or [play for play in plays if wanted and play.id.startswith(wanted)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise Unknown(
            phrase(
                "{text} is the beginning of several imported games: {games}; type more of the id.",
                text=in_quotes(text),
                games=list_some(play.id for play in matches),
            )
        )
    _refuse_session(transaction, text)
    raise Unknown(phrase("No imported game has the id {text}.", text=in_quotes(text)), "imported")


def _refuse_session(transaction: Transaction, text: str) -> None:
    """Raise Unknown with the reason if a text means a session."""
    try:
        session = find_session(transaction, text)
    except Unknown:
        return
    raise Unknown(
        phrase(
            "{session} was played with the companion: its log stays. Only games that were imported can be removed.",
            session=session.session,
        ),
        "imported",
    )
