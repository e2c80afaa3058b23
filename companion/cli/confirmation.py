"""Questions of commands that are answered with yes or no, in the words of the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from companion.tabletop.text import sanitize
from templates.languages import messages
from templates.languages.messages import Text, phrase, phrase_in

# Translators: Its first letter is an answer as well, such as the y in “Print it? [y/N]”.
_YES: Final = phrase_in("answer", "yes")
# Translators: Its first letter is an answer as well, such as the n in “Print it? [y/N]”.
_NO: Final = phrase_in("answer", "no")


def confirm(question: Text, *, err: bool = False) -> bool:
    """Prompt for yes or no on standard output, or with `err` on standard error; Enter alone means no.

    Letters and words of English are understood in every language. Raises click.Abort at the end of the input.
    """
    yes, no = _shorten(str(_YES), str(_NO))
    answers = {
        **_read_words(_YES.render(messages.ENGLISH), _NO.render(messages.ENGLISH)),
        **_read_words(str(_YES), str(_NO)),
    }

    def read_answer(text: str) -> bool:
        typed = text.strip().casefold()
        if typed and typed not in answers:
            raise click.UsageError(str(phrase("Answer with “{yes}” or “{no}”.", yes=yes, no=no)))
        return bool(typed) and answers[typed]

    prompt = f"{sanitize(question)} [{yes}/{no.upper()}]"
    agrees: bool = click.prompt(prompt, default="", show_default=False, err=err, value_proc=read_answer)
    return agrees


def _read_words(yes: str, no: str) -> Mapping[str, bool]:
    """Return the answers that a language understands: its words for yes and no, and their first letters."""
    short_yes, short_no = _shorten(yes, no)
    return {no.casefold(): False, short_no: False, yes.casefold(): True, short_yes: True}


def _shorten(yes: str, no: str) -> tuple[str, str]:
    """Return the first letters of two words, or the words if they begin alike."""
    first, second = (next(filter(str.isalpha, word), word).casefold() for word in (yes, no))
    return (yes, no) if first == second else (first, second)
