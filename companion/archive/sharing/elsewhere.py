"""Sentences about what exists of an archive elsewhere: the copy on another disk, and the shared folder."""

from __future__ import annotations

from pathlib import Path

import companion.archive
from companion.archive.recovery import backups
from companion.archive.sharing.local_state import state_file
from templates.languages.messages import Text, joined


def describe_elsewhere(file: Path, key: str) -> Text:
    """Return the state of the copy and of the shared folder of an archive's file, on lines; "" if there is neither.

    `key` is the key that opens the screen of the archive.
    """
    offsite = backups.offsite_state(file)
    sentences: list[Text] = [offsite.text] if offsite else []
    # Few archives are shared; for the others, nothing of it is loaded.
    if state_file(file).is_file() and (sharing := companion.archive.SharingDescription.read(file, key)) is not None:
        sentences += [sharing.folder, *sharing.waiting]
    return joined("\n", sentences)
