"""The child that looks at pictures: opens a file, and says what each of its pages or pictures shows.

A job names the file (`path`), the page to begin with (`first`, 0 for the first) and whether it is a stranger's `photo`.
The first answer says how many pages there are, each of the others what is on the next one. Or a job names a `clip`.
"""

from collections.abc import Iterator
from pathlib import Path

from companion.scan.files import opened
from companion.scan.picture import symbols
from labels.sandbox import Answer, Said, serve


def work(job: Said) -> Iterator[Answer]:
    """The answers to a job. Raises BadFile."""
    if "clip" in job:
        from companion.scan import film

        yield from film.answers(str(job["clip"]))
        return
    first = job["first"]
    assert isinstance(first, int)
    with opened(Path(str(job["path"])), first=first, photo=bool(job["photo"])) as pictures:
        yield Answer({"of": pictures.of, "left_out": pictures.left_out, "apart": pictures.apart})
        for picture in pictures.each:
            texts, broken = symbols(picture)
            yield Answer({"texts": [*texts], "broken": broken})


if __name__ == "__main__":
    serve(work)
