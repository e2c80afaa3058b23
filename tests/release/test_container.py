"""The container and the shop's compose file: no container is run here, but all that they name is there.

Schema, syntax, paths, commands, options, ports and variables are checked; that the image is built and does its job, the
workflow for releases tries before it publishes one.
"""

import json
import re
from typing import Any

import click
import pytest

from companion.web.address import PORT
from tests.release.commands import RELEASE, ROOT, check_command_line, instructions, load_yaml, shell_words
from tests.test_house_ci import linted

CONTAINERFILE = instructions((RELEASE / "Containerfile").read_text("utf-8"))
FINAL = CONTAINERFILE[max(at for at, (word, _) in enumerate(CONTAINERFILE) if word == "FROM") :]
COMPOSE: dict[str, Any] = load_yaml(RELEASE / "compose.yaml")


def values(word: str) -> list[str]:
    """What stands behind a word in the stage that becomes the image."""
    return [rest for each, rest in FINAL if each == word]


def test_instructions_are_known_and_begin_with_a_base() -> None:
    instruction_words = {
        "FROM",
        "WORKDIR",
        "COPY",
        "RUN",
        "ENV",
        "USER",
        "VOLUME",
        "EXPOSE",
        "HEALTHCHECK",
        "STOPSIGNAL",
    }
    assert {word for word, _ in CONTAINERFILE} <= instruction_words | {"ENTRYPOINT", "CMD"}
    assert CONTAINERFILE[0][0] == "FROM"


def test_the_base_is_slim_and_has_wheels_for_all_libraries() -> None:
    bases = [rest.split()[0] for word, rest in CONTAINERFILE if word == "FROM"]
    assert all(re.fullmatch(r"python:3\.1[1-4]-slim", base) for base in bases)


def test_everything_that_is_copied_is_there() -> None:
    sources = [
        source
        for word, rest in CONTAINERFILE
        if word == "COPY" and not rest.startswith("--from=")
        for source in rest.split()[:-1]
    ]
    assert {"companion", "labels", "templates", "pyproject.toml"} <= set(sources)
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_libraries_are_installed_by_their_hashes() -> None:
    scripts = [rest for word, rest in CONTAINERFILE if word == "RUN"]
    installs = [words for script in scripts for words in shell_words(script) if "install" in words]
    assert len(installs) == 3
    assert all("--require-hashes" in words or "--no-deps" in words for words in installs)
    for words in installs:
        for at, word in enumerate(words):
            assert word != "--requirement" or (ROOT / words[at + 1]).exists()


def test_it_runs_as_nobody_in_particular_and_keeps_its_archive_in_a_volume() -> None:
    (user,), (volume,) = values("USER"), values("VOLUME")
    assert user not in ("root", "0")
    assert any("useradd" in script and script.endswith(user) for script in values("RUN"))
    (environment,) = values("ENV")
    surroundings = dict(pair.split("=", 1) for pair in environment.split())
    assert surroundings["HOME"] == volume
    assert surroundings["COMPANION_ARCHIVE"].startswith(f"{volume}/")


def test_it_serves_phones_by_a_command_that_there_is() -> None:
    entry, command = (json.loads(*values(word)) for word in ("ENTRYPOINT", "CMD"))
    assert entry == ["companion"]
    check_command_line(command)
    assert values("EXPOSE") == [str(PORT)]
    (health,) = values("HEALTHCHECK")
    _, _, code = json.loads(health.partition("CMD ")[2])
    assert str(PORT) in code
    compile(code, "HEALTHCHECK", "exec")


def test_a_command_with_a_slip_would_be_found() -> None:
    for slip in (["serv"], ["serve", "--hosts", "0.0.0.0"], ["serve", "--port", "many"]):
        with pytest.raises(click.UsageError):
            check_command_line(slip)


def test_the_compose_file_is_one() -> None:
    assert linted("vendor.compose-spec", RELEASE / "compose.yaml").returncode == 0


def test_the_shop_has_a_server_that_is_waited_for_and_kept() -> None:
    database, pages = COMPOSE["services"]["database"], COMPOSE["services"]["pages"]
    assert re.fullmatch(r"postgres:1[4-9]", database["image"])
    assert pages["depends_on"]["database"]["condition"] == "service_healthy"
    assert database["healthcheck"]["test"][1] == "pg_isready"
    kept = {volume.partition(":")[0] for service in (database, pages) for volume in service["volumes"]}
    assert kept == set(COMPOSE["volumes"])
    assert (RELEASE / pages["build"]["context"]).resolve() == ROOT
    assert (ROOT / pages["build"]["dockerfile"]).exists()
    assert pages["ports"] == [f"{PORT}:{PORT}"]


def test_the_shops_pages_are_served_by_a_command_that_there_is() -> None:
    command = [re.sub(r"\$\{[^}]*\}", "http://cards.example", word) for word in COMPOSE["services"]["pages"]["command"]]
    check_command_line(command)


def test_no_password_holds_where_none_is_said() -> None:
    for service in COMPOSE["services"].values():
        words = {name: text for name, text in service["environment"].items() if "PASSWORD" in name}
        assert words
        assert all(re.fullmatch(r"\$\{COMPANION_DB_PASSWORD:\?[^}]+\}", text) for text in words.values())
    assert "password" not in COMPOSE["services"]["pages"]["environment"]["COMPANION_ARCHIVE"]
