"""Paths of archives as SQLite wants them, on each system."""

import re
import sqlite3
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from companion.archive.storage import files


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PurePosixPath("/home/ana/der Koffer, grün.sqlite"), "file:///home/ana/der%20Koffer%2C%20gr%C3%BCn.sqlite"),
        (PureWindowsPath(r"C:\Users\Ana\a?.sqlite"), "file:///C:/Users/Ana/a%3F.sqlite"),
        # A drive of another machine, which SQLite would take for a host.
        (PureWindowsPath(r"\\shop\cards\a.sqlite"), "file:////shop/cards/a.sqlite"),
    ],
)
def test_a_path_is_one_for_sqlite_on_every_system(path: PurePath, uri: str) -> None:
    assert files.database_uri(path) == uri


def test_any_name_of_a_file_can_be_opened_by_its_uri(tmp_path: Path) -> None:
    file = tmp_path / "50% & #1, grün.sqlite"
    sqlite3.connect(file).close()
    file.write_bytes(b"")
    sqlite3.connect(f"{files.database_uri(file)}?mode=rw", uri=True).execute("CREATE TABLE a (b)").connection.close()
    assert file.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("labels.pdf.", "a dot or a space"),
        ("labels.pdf ", "a dot or a space"),
        ("CON", "name CON for a device"),
        ("con.pdf", "name CON for a device"),
        ("com1.tar.gz", "name COM1 for a device"),
        ("LPT³.pdf", "for a device"),
        ("CONIN$", "for a device"),
        ("what?.pdf", "no '?'"),
        ("a\tb.pdf", "in the name of a file"),
        (r"dir.\x.pdf", "a dot or a space"),
        (r"aux\x.pdf", "name AUX for a device"),
    ],
)
def test_a_name_that_windows_changes_or_keeps_is_named(name: str, reason: str) -> None:
    with pytest.raises(files.NotWritable, match=re.escape(reason)):
        files.refuse_windows_name(PureWindowsPath(r"C:\Users\Ana") / name)


@pytest.mark.parametrize("name", [r"..\labels.pdf", "console.pdf", "com10.pdf", "nullify.pdf", ".pdf", "a.b.c"])
def test_other_names_are_as_good_on_windows(name: str) -> None:
    files.refuse_windows_name(PureWindowsPath(r"C:\Users\Ana") / name)
