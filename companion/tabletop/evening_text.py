"""The text versions of an evening card, in the current language."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from companion.tabletop.evening import CardChart, CardCourse, CardList, CardPart, CardTable, EveningCard
from companion.tabletop.text import sanitize
from templates.languages.messages import Finished, Text, phrase, phrase_in


def as_markdown(card: EveningCard) -> str:
    """Return a card as Markdown: a heading, the figures, and a section for each part."""
    # Escape HTML: names may contain it.
    return "".join(f"{sanitize(row).replace('<', '&lt;')}\n" for row in _markdown(card))


def _markdown(card: EveningCard) -> Iterator[str]:
    yield f"# {card.headline}"
    yield from ("", " · ".join(filter(None, (f"**{card.game}**", str(card.when), str(card.subtitle)))))
    if card.highlights:
        yield from ("", str(card.highlight_sentence))
    if card.figures:
        yield ""
        for figure in card.figures:
            yield f"* **{figure.value}** {figure.title}{f' ({figure.note})' if figure.note else ''}"
    for part in card.parts:
        yield from ("", f"## {part.title}", "")
        yield from _markdown_part(part)
    if card.credit:
        yield from ("", f"*{card.credit}*")


def _markdown_part(part: CardPart) -> Iterator[str]:
    match part:
        case CardList(_, lines):
            yield from (f"* {text}" for text in lines)
        case CardTable():
            yield from _rows(part.headings, part.rows, part.figures)
        case CardChart():
            numbers = range(1, len(part.keys) + 1)
            rows = [(bar.title, *map(str, bar.parts), bar.note) for bar in part.bars]
            # Translators: The heading of a column of sums.
            together = phrase_in("sum", "Together")
            yield from _rows(("", *part.keys, together), rows, (*numbers, len(part.keys) + 1))
        case CardCourse():
            rows = [(str(point.at), *map(str, point.values)) for point in part.points]
            yield from _rows((_capitalized(part.unit), *part.keys), rows, range(len(part.keys) + 1))


def _capitalized(text: Text) -> str:
    return str(Finished(text, begins=True, ends=False))


def _rows(headings: Sequence[Text], rows: Iterable[Sequence[Text]], figures: Container[int]) -> Iterator[str]:
    for row in (headings, ["--:" if number in figures else "---" for number in range(len(headings))], *rows):
        yield f"| {' | '.join(str(cell).replace('|', '¦') for cell in row)} |"


def as_sentences(card: EveningCard) -> Iterator[str]:
    """Yield the sentences of a card for reading aloud; tables and charts become sentences too."""
    yield f"{card.headline}. {card.subtitle}."
    if card.highlights:
        yield str(card.highlight_sentence)
    for figure in card.figures:
        title = _capitalized(figure.title)
        yield f"{title}: {figure.value}{f', {figure.note}' if figure.note else ''}."
    for part in card.parts:
        yield f"{part.title}."
        yield from map(str, _part_sentences(part))


def _part_sentences(part: CardPart) -> Iterator[Text]:
    match part:
        case CardList(_, lines):
            yield from lines
        case CardTable():
            for first, *cells in part.rows:
                pairs = zip(part.headings[1:], cells, strict=True)
                yield f"{first}: {'; '.join(f'{heading} {cell}' for heading, cell in pairs)}."
        case CardChart():
            for bar in part.bars:
                parts = " + ".join(map(str, bar.parts))
                # Translators: A bar of a chart, read aloud: its length, and that of its parts.
                yield phrase("{title}: {total}, which is {parts}.", title=bar.title, total=str(bar.total), parts=parts)
        case CardCourse():
            for number, key in enumerate(part.keys):
                yield f"{key}: {', '.join(str(point.values[number]) for point in part.points)}."
