"""`companion serve` and `companion phones` as a host runs them: what is printed, what is refused, how it ends."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from companion.archive import Archive, web_access
from companion.cli import browsers
from companion.cli.main import main
from tests.web.serving import PATIENCE, Phone

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def empty(place: str) -> None:
    """There is an archive, for no command that looks begins one."""
    Archive.open(place).close()


@pytest.fixture
def run(place: str) -> Callable[..., Result]:
    """Runs a command in this process."""
    return lambda *arguments: CliRunner().invoke(main, [*arguments, "--archive", place])


@pytest.mark.posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_pages_are_served_until_a_signal(place: str, name: str) -> None:
    command = [sys.executable, "-m", "companion.cli", "serve", "--host", "127.0.0.1", "--port", "0", "--pin", "271828"]
    with subprocess.Popen(
        [*command, "--archive", place], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as serving:
        assert serving.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("Phones may"):
            lines.append(serving.stdout.readline())
        (url,) = (line.split()[1] for line in lines if line.startswith("Address"))
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
        assert "PIN      271828\n" in lines
        assert sum("█" in line for line in lines) > 8
        with urllib.request.urlopen(f"{url}/pin", timeout=20) as page:
            assert page.status == 200
        serving.send_signal(signal.Signals[name])
        left, errors = serving.communicate(timeout=20)
    assert serving.returncode == 0
    assert "The pages are closed." in left or not left
    assert errors.endswith("Only this machine can open the pages; --host names another address.\n")


def test_a_container_that_is_new_begins_its_archive(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.sqlite"
    where = ("serve", "--archive", str(fresh), "--port", "0", "--interface", "none0")
    assert CliRunner().invoke(main, where).stderr.startswith("There is no archive in")
    assert not fresh.exists()
    assert "There is no interface “none0”" in CliRunner().invoke(main, [*where, "--create"]).stderr
    assert fresh.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--pin", "123"), "A PIN is six digits"),
        (("--interface", "none0"), "There is no interface “none0”"),
        (("--host", "no such place"), "There is no address “no such place”"),
        (("--host", "127.0.0.1", "--port", "0", "--public-url", "cards.example"), "A public URL has a host"),
        (
            ("--host", "127.0.0.1", "--port", "0", "--public-url", "https://cards.example/a"),
            "A public URL has a host",
        ),
        (("--port", "99999"), "99999 is not in the range"),
    ],
)
def test_what_cannot_be_served_is_said(run: Callable[..., Result], arguments: tuple[str, ...], sentence: str) -> None:
    result = run("serve", *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_host_sees_who_is_there_and_sends_one_away(run: Callable[..., Result], archive: Archive) -> None:
    assert "No phone was let in" in run("phones", "list").stdout
    web_access.open_access(archive, "271828")
    ana, ben = web_access.admit_phone(archive, "Ana"), web_access.admit_phone(archive, "Ben")
    web_access.seat_phone(archive, ana.phone, "7K3M9QPX", "ana")
    listed = json.loads(run("phones", "list", "--json").stdout)
    assert [(phone["name"], phone["seat"], phone["hands"], phone["away"]) for phone in listed] == [
        ("Ana", "ana", "own", False),
        ("Ben", "", "own", False),
    ]
    assert run("phones", "away", "ben").stdout.startswith("Ben is sent away; another PIN")
    assert run("phones", "hands", ana.phone[:6], "look").exit_code == 0
    by_id = {phone.phone: phone for phone in web_access.read_access(archive)[1]}
    assert (by_id[ben.phone].away, by_id[ana.phone].permissions) == (True, "look")
    assert "sent away" in run("phones", "list").stdout
    assert run("phones", "back", "Ben").exit_code == 0
    assert not any(phone.away for phone in web_access.read_access(archive)[1])


def test_a_phone_that_may_be_several_is_asked_for(run: Callable[..., Result], archive: Archive) -> None:
    web_access.open_access(archive, "271828")
    for _ in range(2):
        web_access.admit_phone(archive, "Ana")
    several, nobody = run("phones", "away", "Ana"), run("phones", "away", "Zoe")
    assert (several.exit_code, nobody.exit_code) == (1, 1)
    assert "2 phones are called “Ana”" in several.stderr
    assert "No phone “Zoe” was let in; companion phones list shows all." in nobody.stderr


@pytest.mark.linux
def test_a_double_click_opens_the_pages_of_the_host_and_they_end_it(tmp_path: Path) -> None:
    opened, archive = tmp_path / "opened", tmp_path / "new.sqlite"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n', encoding="utf-8")
    browser.chmod(0o700)
    command = [sys.executable, "-m", "companion.cli", "--archive", str(archive)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "BROWSER": f"{browser} %s"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as started:
        until = time.monotonic() + PATIENCE
        while not opened.exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        link = urlsplit(opened.read_text(encoding="utf-8").strip())
        assert link.port is not None
        host = Phone(link.port)
        assert host.get(link.path).leads_to == "/host"
        assert "No table waits." in host.get("/host").text
        assert "The companion has ended" in host.post("/host/end", host.get("/host/end").token).text
        output, _ = started.communicate(timeout=PATIENCE)
    assert started.returncode == 0
    assert output.endswith("The pages are closed.\n")
    assert archive.exists()


@pytest.mark.linux
def test_a_second_start_opens_the_pages_of_the_first(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in browsers.DESKTOPS}
    archives = [str(tmp_path / name) for name in ("one.sqlite", "two.sqlite")]
    with contextlib.ExitStack() as closing:

        def start(archive: str, *options: str) -> tuple[subprocess.Popen[str], Phone]:
            """Start a companion for an archive; its process, and a browser that its link has let in."""
            command = [sys.executable, "-m", "companion.cli", "serve", "--open", "--archive", archive, *options]
            started = closing.enter_context(
                subprocess.Popen(
                    command,
                    cwd=ROOT,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    encoding="utf-8",
                )
            )
            closing.callback(started.kill)
            assert started.stdout is not None
            line = next(line for line in started.stdout if "within two minutes" in line)
            link = urlsplit(line.split()[-1])
            assert link.port is not None
            browser = Phone(link.port)
            assert browser.get(link.path).leads_to == "/host"
            return started, browser

        first, browser = start(archives[0])
        second, same = start(archives[0])
        assert second.wait(timeout=PATIENCE) == 0
        assert same.port == browser.port
        other, elsewhere = start(archives[1])
        named, free = start(archives[0], "--port", "0")
        assert len({browser.port, elsewhere.port, free.port}) == 3
        for each in (named, other, first):
            each.kill()
            each.wait(timeout=PATIENCE)
        again, fresh = start(archives[0])
        assert again.poll() is None
        assert fresh.get("/host").status == 200


@pytest.mark.linux
def test_without_a_terminal_and_a_browser_the_way_out_is_named(place: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in browsers.DESKTOPS}
    command = [sys.executable, "-m", "companion.cli", "--archive", place]
    process = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    assert process.returncode == 2
    assert "companion serve --open plays in the browser" in process.stderr
