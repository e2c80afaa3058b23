"""What a release says of itself: python .github/release/notes.py TAG prints what CHANGELOG.md says of that version.

Ends with 1 and a sentence where the tag is not the version of pyproject.toml, or nothing is said of it.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def read_notes(changelog: str, version: str) -> str:
    """The part of a changelog that is about a version; "" where there is none."""
    part = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return part[1].strip() if part else ""


def main(arguments: list[str]) -> int:
    """Print the notes; 0 where all is as it must be."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    notes = read_notes((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    if arguments[0] != f"v{version}":
        print(f"The tag is {arguments[0]}, and pyproject.toml says {version}.", file=sys.stderr)
    elif not notes:
        print(f"CHANGELOG.md has no part “## {version}”; call “## Unreleased” so.", file=sys.stderr)
    else:
        # A system's own encoding may lack what it says.
        sys.stdout.buffer.write(f"{notes}\n".encode())
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
