"""A child that does what no child may; `test_sandbox.py` asks it to."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from labels.sandbox import BadFile, ChildReply, Message, serve


def _limits() -> Message:
    import resource

    kinds = resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE
    return {"limits": [resource.getrlimit(kind)[0] for kind in kinds], "names": [*os.environ]}


def _refuse() -> Message:
    raise BadFile("is no good.")


def _sleep() -> Message:
    time.sleep(60)
    return {}


def _babble() -> Message:
    os.write(2, b"nobody hears that")
    sys.stdout.write("nor that\n")
    sys.stdout.flush()
    return {}


_DEEDS: Final[dict[str, Callable[[], Message]]] = {
    "answer": lambda: {"text": "é\n\udcff"},
    "limits": _limits,
    "refuse": _refuse,
    "crash": os.abort,
    "eat": lambda: {"eaten": len(bytearray(1 << 30))},
    "sleep": _sleep,
    "babble": _babble,
    # Behind the back of the one who sends answers.
    "lie": lambda: {"lied": os.write(3, b"999999999999 0\n")},
}


def work(job: Message) -> Iterator[ChildReply]:
    """Does what is asked for; with a `path`, writes there instead."""
    yield ChildReply({"first": True})
    if "path" in job:
        Path(str(job["path"])).write_bytes(b"x")
    yield ChildReply(_DEEDS[str(job["does"])](), b"\0\xff\n")
    yield ChildReply({"last": True})


if __name__ == "__main__":
    serve(work)
