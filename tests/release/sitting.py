"""A program tried as people use it: its screen in a pseudo-terminal, and its pages in the network of this machine."""

import re
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

from tests.terminal import Terminal
from tests.tui.test_first_evening import play_first_evening

TABLE = Path(__file__).parents[1] / "tables" / "decknforge" / "dungeon.table"
_WAIT = 60


def check_screen(program: Path, environment: Mapping[str, str]) -> None:
    """Play a first evening by keys, from the welcome to a round, then open a table that is in the archive, and quit."""
    play_first_evening(
        (str(program),), {**environment, "COMPANION_ARCHIVE": f"{environment['COMPANION_ARCHIVE']}.first"}
    )
    kept = subprocess.run(
        [str(program), "replay", str(TABLE), "--into-archive"],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    (session,) = re.findall(r"Kept as session (\w+)", kept.stdout)
    with Terminal((str(program), "play", session), environment) as terminal:
        terminal.until("Ana")
        assert terminal.quit() == 0


def check_pages(program: Path, environment: Mapping[str, str]) -> None:
    """Pages are served, asked for and closed."""
    command = [str(program), "serve", "--host", "127.0.0.1", "--port", "0", "--no-announce"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as serving:
        assert serving.stdout is not None
        url = next(line.split()[1] for line in serving.stdout if line.startswith("Address"))
        with urlopen(f"{url}/pin", timeout=_WAIT) as page:
            assert b"<html" in page.read()
        serving.send_signal(signal.SIGINT)
        assert serving.wait(_WAIT) == 0
