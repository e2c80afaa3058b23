"""The kinds of codes to choose from: what each is for, what it checks, and what the row on the page gives in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from labels.designs.parts import SYMBOLOGIES, CodePart
from labels.errors import LabelError, excerpt
from templates.languages.messages import Text, phrase


class CodeKind(NamedTuple):
    """A kind of code: its name in files and its title, what it is for, its checks, and its content from the row.

    `wrong` says why it cannot hold that content.
    """

    name: str
    title: str
    purpose: Text
    checks: Text
    content: Text
    wrong: Text
    is_chosen: bool


_ANY_TEXT: Final = phrase("It holds any text, and is larger for a longer one.")
_PURPOSES: Final[Mapping[str, Text]] = {
    "qr": phrase("For phones: an address of the web or a text. Every camera reads it."),
    "datamatrix": phrase("For small labels: the smallest code for a short text, which scanners and apps read."),
    "ean13": phrase("For goods in a shop: the number below the bars, as tills read it."),
    "upca": phrase("For goods in shops of North America."),
    "code128": phrase("For numbers of your own, such as those of shelves and boxes: bars for hand-held scanners."),
    "code39": phrase("For older scanners: bars that are longer than those of Code 128."),
    "itf14": phrase("For cases of goods: large bars that can be printed on cardboard."),
    "pdf417": phrase("For longer texts in rows of bars, as on tickets and licences."),
    "gs1-128": phrase("For trade: number of goods, date and lot in one row of bars."),
    "gs1-datamatrix": phrase("For trade and medicine: number of goods, date and lot in a small code."),
}
_CHECKS: Final[Mapping[str, Text]] = {
    "qr": _ANY_TEXT,
    "datamatrix": _ANY_TEXT,
    "pdf417": _ANY_TEXT,
    **{
        name: phrase(
            "It has {length} digits. The last one checks the others: it is added to {shorter} digits, and a wrong one "
            "is refused.",
            length=str(length),
            shorter=str(length - 1),
        )
        for name, length in (("ean13", 13), ("upca", 12), ("itf14", 14))
    },
    "code128": phrase("It holds letters without accents, digits and the signs of a keyboard."),
    "code39": phrase("It holds capitals without accents, digits, spaces and - . $ / + %."),
    "gs1-128": phrase("It holds up to 48 characters, as in (01)04012345678901(10)L-7; their check digits are tested."),
    "gs1-datamatrix": phrase("It holds parts as in (01)04012345678901(10)L-7; their check digits are tested."),
}
_ORDER: Final = (*_PURPOSES,)


def list_code_kinds(part: CodePart, row: Mapping[str, str] | None) -> Iterator[CodeKind]:
    """Yield all kinds of codes, the most usual first, with what the row of a table gives in each."""
    value = part.fill(row) if row is not None else "" if part.template.fields else part.template.source
    for name in sorted(SYMBOLOGIES, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER)):
        content, wrong = _read_content(name, value)
        yield CodeKind(
            name,
            SYMBOLOGIES[name].title,
            _PURPOSES.get(name, ""),
            _CHECKS.get(name, ""),
            content,
            wrong,
            name == part.symbology,
        )


def _read_content(name: str, value: str) -> tuple[Text, Text]:
    """Return what a kind of code holds for a value, and why it cannot hold it. Both are empty for no value."""
    if not value:
        return "", ""
    try:
        text = SYMBOLOGIES[name].encode(value).text
    except LabelError as error:
        return "", error.message
    digits = "".join(filter(str.isdecimal, value))
    if text != value and text[:-1] == digits:
        return phrase("This row gives {content}: the check digit {digit} was added.", content=text, digit=text[-1]), ""
    return phrase("This row gives {content}.", content=excerpt(text)), ""
