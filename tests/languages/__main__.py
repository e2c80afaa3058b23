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
_HEAD: Final = """\
# The texts of the companion. docs/translating.md says how to translate them.
msgid ""
msgstr ""
"Project-Id-Version: table-companion\\n"
"Language: \\n"
"X-Language-Name: \\n"
"X-Finished: no\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n\""""
_WIDTH: Final = 120


def write_catalogue(file: Path, catalog: Catalog) -> None:
    """Write a catalogue without dates and line numbers, so that it differs only by its texts.

    The head of a file that exists stays: Babel would drop the fields that it does not know, and dates change with every
    run.
    """
    head = file.read_text(encoding="utf-8").partition("\n\n")[0] if file.exists() else _HEAD
    with file.open("wb") as opened:
        write_po(opened, catalog, width=_WIDTH, sort_by_file=True, include_lineno=False, ignore_obsolete=True)
    texts = file.read_text(encoding="utf-8").partition("\n\n")[2]
    file.write_text(f"{head}\n\n{texts.rstrip()}\n", encoding="utf-8", newline="\n")


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
