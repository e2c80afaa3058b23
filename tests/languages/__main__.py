"""Write the catalogues anew: `python -m tests.languages`, or `make catalogues`.

The template gets all texts of the source; each catalogue of a language keeps its translations, gets what is new, and
marks what has changed as fuzzy. All are compiled, and statistics show what is left to do.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from templates.languages import catalogues
from tests.languages.extraction import FOLDER, extract

TEMPLATE: Final = FOLDER / "companion.pot"
_HEADER: Final = """\
# The texts of the companion. docs/translating.md says how to translate them.
"""
_WIDTH: Final = 120


def write_catalogue(file: Path, catalog: Catalog) -> None:
    """Write a catalogue without dates and line numbers, so that it differs only by its texts."""
    with file.open("wb") as opened:
        write_po(opened, catalog, width=_WIDTH, sort_by_file=True, include_lineno=False, ignore_obsolete=True)
    # Dates change with every run, and names of programs with every version of them.
    lines = file.read_text(encoding="utf-8").split("\n")
    left_out = ('"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By')
    file.write_text("\n".join(line for line in lines if not line.startswith(left_out)), encoding="utf-8", newline="\n")


def merge(file: Path, template: Catalog) -> Catalog:
    """Return a language's catalogue with the texts of the template."""
    with file.open("rb") as opened:
        catalog = read_po(opened)
    catalog.update(template, no_fuzzy_matching=len(template) > _MOST_FUZZY, update_creation_date=False)
    return catalog


_MOST_FUZZY: Final = 500
"""Up to so many texts, similar ones are looked for: it takes minutes for thousands."""


def main() -> int:
    """Write the template and merge each language; print what is translated."""
    template = extract()
    template.header_comment = _HEADER
    write_catalogue(TEMPLATE, template)
    print(f"{TEMPLATE.name}: {len(template)} texts")
    for file in sorted(FOLDER.glob("*.po")):
        write_catalogue(file, merge(file, template))
        catalogues.compile_file(file)
        language = catalogues.read_po(file.read_text(encoding="utf-8"))
        done = sum(entry.is_translated for entry in language.entries)
        print(f"{file.name}: {done} of {len(language.entries)} translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
