"""A process that appends for as long as it lives and says each number once `append_lines` has returned.

Run by `test_durable.py`, which kills it: python -m tests.archive.writer FILE SESSION
"""

import sys

from companion.archive import Archive, StoredLine


def main(place: str, session: str) -> None:
    """Goes on where the log ends."""
    with Archive.open(place) as archive:
        number = len(archive.lines(session)) + 1
        while True:
            archive.append_lines(session, number, [StoredLine(f"note {number}", number, f"line {number}")])
            # Two lines at once must not be torn apart either.
            archive.append_lines(session, number + 1, [StoredLine("set ana hp 1", number), StoredLine("undo", number)])
            number += 3
            print(number - 1, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
