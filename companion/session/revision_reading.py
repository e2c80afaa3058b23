"""What a shorter text means within `amend` and `insert`: it is read on the table as it was before that line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from companion.session.session import Session
from companion.session.table_questions import is_line
from companion.tabletop.action import Action, NotationError
from companion.tabletop.common_actions import REVISIONS

Intention = tuple[Action, ...]

_VERBS: Final = {kind.verb(): kind for kind in REVISIONS}
_REVISION: Final = re.compile(rf"({'|'.join(_VERBS)})\s+(\d{{1,9}})\s+(\S.*)", re.IGNORECASE)


def read_revision(text: str, session: Session, read: Callable[[str, Session], Intention]) -> Intention:
    """`amend 12 ks` as the whole line; () where a text is none such, or says all of it.

    Raises NotationError where nothing is meant, or several things could be.
    """
    revision = _REVISION.fullmatch(text)
    if revision is None or is_line(session.notation, text):
        return ()
    verb, number, rest = revision.groups()
    before = session.before(int(number))
    if before is None:
        raise NotationError(f"Line {number} holds no action that counts now; look for its number in the log.")
    actions = read(rest, before)
    if len(actions) != 1:
        lines = ", ".join(map(session.notation.format, actions))
        raise NotationError(f"“{rest}” is several lines ({lines}); `{verb.lower()}` takes one.")
    return (_VERBS[verb.lower()](int(number), actions[0]),)
