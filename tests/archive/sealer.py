"""A process that goes on with a table, says so, and seals it as soon as it is told to.

Run by `test_deck_changes.py`, two of them on one archive: python -m tests.archive.sealer ARCHIVE SESSION
"""

import sys

from companion.archive import Archive
from companion.archive.storage.deck_readings import DeckMoved
from companion.session.core import archive_journal


def main(place: str, session: str) -> None:
    """Wait for a line, then seal; say how that went."""
    with Archive.open(place) as archive:
        table = archive_journal.resume(archive, session)
        print("ready", flush=True)
        sys.stdin.readline()
        try:
            table.enter("seal")
        except DeckMoved as error:
            print(f"moved: {error}", flush=True)
        else:
            print("sealed", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
