"""What only POSIX has is used only behind a question that Windows answers with no."""

import ast
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pytest

from tests.conftest import is_left_out_on_windows

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "labels", "templates")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

MODULES = frozenset({"crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline", "resource", "spwd"})
MODULES |= {"syslog", "termios", "tty"}
"""Modules that Windows lacks."""

NAMES: dict[str, frozenset[str]] = {
    "os": frozenset(
        (
            *("WNOHANG", "chown", "chroot", "ctermid", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid"),
            *("getgid", "getgroups", "getloadavg", "getpgid", "getpgrp", "getpriority", "getsid", "getuid"),
            *("initgroups", "killpg", "lchown", "lockf", "mkfifo", "mknod", "nice", "openpty", "pathconf"),
            *("posix_fadvise", "posix_fallocate", "posix_spawn", "pread", "pwrite", "register_at_fork"),
            *("sched_getaffinity", "sched_setaffinity", "sched_yield", "sendfile", "set_blocking", "setgid"),
            *("setpgid", "setpriority", "setsid", "setuid", "statvfs", "sync", "sysconf", "tcgetpgrp", "tcsetpgrp"),
            *("ttyname", "uname", "wait", "wait3", "wait4"),
        )
    ),
    "signal": frozenset(
        (
            *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP"),
            *("SIGTTIN", "SIGTTOU", "SIGUSR1", "SIGUSR2", "SIGWINCH", "alarm", "getitimer", "pause", "pthread_kill"),
            *("pthread_sigmask", "setitimer", "siginterrupt", "sigpending", "sigwait"),
        )
    ),
    # There, select is for sockets only, and no other way of waiting is known.
    "select": frozenset({"epoll", "kqueue", "poll", "select"}),
    "socket": frozenset({"AF_UNIX", "recv_fds", "send_fds", "socketpair"}),
    "time": frozenset({"tzset"}),
}
"""What Windows lacks of modules that it has."""

METHODS = frozenset({"SO_REUSEADDR", "SO_REUSEPORT", "add_signal_handler", "remove_signal_handler", "preexec_fn"})
"""Methods and arguments that raise an error there; and the option by which there two programs have one port."""

_ONE_DIGIT = re.compile(r"%[-#_0^][a-zA-Z]")
"""In a date's format: `%-d` is a fault on Windows, `%#d` on all other systems."""

_PATTERN_CALLS = frozenset({"compile", "match", "fullmatch", "search", "finditer", "findall", "split", "sub"})
_POSSESSIVE = re.compile(r"(?<!\\)(?:\\\\)*[*+?}]\+(?![^\[]*\])|\(\?>")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def unguarded(source: str) -> Iterator[str]:
    """What in a module would fail on Windows as soon as it ran, by line."""
    tree = ast.parse(source)
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, Function)}
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        what = _posix(node)
        if what and not _is_behind_a_question(node, parents, functions):
            yield f"line {node.lineno}: {what} without a question whether this is Windows"  # type: ignore[attr-defined]
        if isinstance(node, ast.With) and (line := _flush_of_what_is_read(node)):
            yield f"line {line}: Windows flushes only a file that was opened to be written"
        if what := _date_format(node):
            yield f"line {node.lineno}: {what} is known to some systems only"  # type: ignore[attr-defined]


def _posix(node: ast.AST) -> str:
    """What of POSIX a node uses; "" for nothing."""
    match node:
        case ast.Import(names=names):
            return ", ".join(name.name for name in names if name.name.partition(".")[0] in MODULES)
        case ast.ImportFrom(module=str(module), names=names):
            if module.partition(".")[0] in MODULES:
                return module
            return ", ".join(f"{module}.{name.name}" for name in names if name.name in NAMES.get(module, ()))
        case ast.Attribute(value=ast.Name(id=module), attr=name) if name in NAMES.get(module, ()):
            return f"{module}.{name}"
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if name in METHODS:
            return name
    return ""


def _flush_of_what_is_read(block: ast.With) -> int:
    """The line at which a file is flushed to the disk that a block has opened to be read only; 0 where none is."""
    read_only = {
        item.optional_vars.id
        for item in block.items
        if isinstance(item.optional_vars, ast.Name)
        and isinstance(item.context_expr, ast.Call)
        and any(isinstance(each, ast.Constant) and each.value in ("r", "rb") for each in item.context_expr.args)
    }
    for node in ast.walk(block):
        match node:
            case ast.Call(
                func=ast.Name(id="fsync") | ast.Attribute(attr="fsync"),
                args=[ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="fileno"))],
            ) if name in read_only:
                return node.lineno
    return 0


def _date_format(node: ast.AST) -> str:
    """A piece of a date's format that is not the same everywhere; "" for none."""
    match node:
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[*parts])):
            texts = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        case ast.Call(func=ast.Attribute(attr="strftime" | "strptime"), args=[*arguments]):
            texts = [str(each.value) for each in arguments if isinstance(each, ast.Constant)]
        case _:
            return ""
    return next((match[0] for text in texts if (match := _ONE_DIGIT.search(text))), "")


def _is_behind_a_question(
    node: ast.AST,
    parents: dict[ast.AST, ast.AST],
    functions: dict[str, Function],
    called_from: frozenset[str] = frozenset(),
) -> bool:
    """Whether what is around a node asks for the system first, or each function of the module that calls it does."""
    around: ast.AST | None = node
    while (around := parents.get(around) if around else None) is not None:
        if isinstance(around, ast.If | ast.IfExp | ast.Try | ast.BoolOp) and _asks(around):
            return True
        if isinstance(around, Function):
            if _asks(around):
                return True
            calls = [
                each
                for each in parents
                if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == around.name
            ]
            name = around.name
            return bool(calls) and all(
                name not in called_from and _is_behind_a_question(call, parents, functions, called_from | {name})
                for call in calls
            )
    return False


def _asks(node: ast.AST) -> bool:
    """Whether something within a node asks which system this is, or whether it has what is wanted."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id="sys"), attr="platform"):
                return True
            case ast.Attribute(value=ast.Name(id="os"), attr="name"):
                return True
            case ast.Call(func=ast.Name(id="hasattr")):
                return True
            case ast.ExceptHandler(type=ast.Name(id="ImportError" | "ModuleNotFoundError" | "NotImplementedError")):
                return True
    return False


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_of_posix_is_used_without_its_other_half(path: Path) -> None:
    assert list(unguarded(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "import fcntl",
        "def lock():\n    import fcntl\n    fcntl.lockf(1, 2)",
        "from os import fork",
        "import os\nos.killpg(1, 9)",
        "import signal\nsignal.signal(signal.SIGHUP, print)",
        "import select\nselect.poll()",
        "loop.add_signal_handler(1, print)",
        "listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)",
        "Popen(['lp'], preexec_fn=print)",
        "f'{day:%-d %B}'",
        "with draft.open('rb') as file:\n    os.fsync(file.fileno())",
        "day.strftime('%#d')",
        "import os\ndef asks():\n    if os.name == 'nt':\n        return\n    low()\ndef low():\n    os.nice(1)\nlow()",
    ],
)
def test_what_windows_lacks_would_be_noticed(source: str) -> None:
    assert len(list(unguarded(source))) >= 1


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nif sys.platform != 'win32':\n    import fcntl",
        "import os\ndef lock():\n    if os.name == 'nt':\n        return\n    import fcntl\n    fcntl.lockf(1, 2)",
        "try:\n    import readline\nexcept ImportError:\n    pass",
        "import signal\nsignal.signal(getattr(signal, 'SIGHUP', signal.SIGTERM), print)",
        "import os\ncores = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else 1",
        "import os\ndef asks():\n    if os.name == 'nt':\n        return\n    low()\ndef low():\n    os.nice(1)",
        "f'{day:%d %B}{number:0>3}'",
        "with draft.open('r+b') as file:\n    os.fsync(file.fileno())",
    ],
)
def test_what_asks_first_passes(source: str) -> None:
    assert list(unguarded(source)) == []


def test_no_pattern_needs_what_older_pythons_match_wrongly() -> None:
    wrong = []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _PATTERN_CALLS and node.args):
                continue
            if any(map(_POSSESSIVE.search, _texts(node.args[0]))):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert wrong == [], "possessive quantifiers and atomic groups: before 3.11.5, as Debian 12 has it, they are broken"


_TEXT_MODE = re.compile(r"[rwax]\+?t?\+?")


def _lacks_encoding(call: ast.Call) -> bool:
    """Return True for a call that reads or writes text in the encoding of the system, which on Windows is cp1252."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if "encoding" in given or None in given:
        return False
    match call.func:
        case ast.Attribute(attr="read_text"):
            return not call.args
        case ast.Attribute(attr="write_text"):
            return len(call.args) == 1 and ast.unparse(call.func.value) != "formatter"  # of click
        case ast.Attribute(attr="open"):  # a path's: other objects that open something have no such mode
            mode = (*call.args, given.get("mode"))[0]
            return isinstance(mode, ast.Constant) and _is_text_mode(mode.value) and len(call.args) < 3
        case ast.Name(id="open"):
            mode = (*call.args[1:], given.get("mode"))[0]
            return mode is None or (isinstance(mode, ast.Constant) and _is_text_mode(mode.value))
        case _:
            is_text = given.get("text") or given.get("universal_newlines")
            return isinstance(is_text, ast.Constant) and is_text.value is True


def _is_text_mode(mode: object) -> bool:
    return isinstance(mode, str) and _TEXT_MODE.fullmatch(mode) is not None


@pytest.mark.parametrize("room", [*ROOMS, "tests", ".github/release"])
def test_text_is_read_and_written_with_an_encoding(room: str) -> None:
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and _lacks_encoding(node)
    ] == []


@pytest.mark.parametrize(
    ("source", "lacks"),
    [
        ("path.read_text()", True),
        ("path.read_text('utf-8')", False),
        ("path.write_text(text)", True),
        ("path.write_text(text, 'utf-8')", False),
        ("open(path)", True),
        ("open(path, 'rb')", False),
        ("Path(name).open('w')", True),
        ("Path(name).open('xb')", False),
        ("run(command, text=True)", True),
        ("post(page, text='hello')", False),
        ("run(command, encoding='utf-8')", False),
    ],
)
def test_a_missing_encoding_would_be_noticed(source: str, *, lacks: bool) -> None:
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call)
    assert _lacks_encoding(call) is lacks


def _texts(node: ast.AST) -> Iterator[str]:
    return (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))


TEST_FILES = sorted((ROOT / "tests").rglob("test_*.py"))
_MARKS = ("pytest.mark.posix", "pytest.mark.linux")
_SUSPECT = re.compile(
    "|".join(
        (
            rf"\b(?:{'|'.join((*MODULES, *METHODS, 'Terminal', 'fsync'))})\b",
            *(rf"\b{module}(?:\.| import .*)(?:{'|'.join(names)})\b" for module, names in NAMES.items()),
            _ONE_DIGIT.pattern,
        )
    )
)
"""Finds the few files that are worth being parsed."""

_SYSTEM = re.compile(r"sys\.platform|os\.name|hasattr\(os|/dev/")


def unmarked(source: str) -> list[str]:
    """Return what the tests of a file use that Windows lacks, without a mark that leaves them out there."""
    if is_left_out_on_windows(source) or not _SUSPECT.search(source):
        return []
    tree = ast.parse(source)
    question = ast.parse("sys.platform").body
    for node in ast.walk(tree):
        if isinstance(node, Function) and any(ast.unparse(each) in _MARKS for each in node.decorator_list):
            node.body[:0] = question
    functions = [node for node in ast.walk(tree) if isinstance(node, Function) and not _asks(node)]
    return [
        *unguarded(ast.unparse(ast.fix_missing_locations(tree))),
        *(
            f"{function.name}: a pseudo-terminal"
            for function in functions
            if any(isinstance(each, ast.Name) and each.id == "Terminal" for each in ast.walk(function))
        ),
    ]


def test_tests_that_windows_cannot_run_are_marked() -> None:
    assert [
        f"{path.relative_to(ROOT)}: {what}"
        for path in TEST_FILES
        for what in unmarked(path.read_text(encoding="utf-8"))
    ] == []


@pytest.mark.parametrize(
    ("source", "is_complete"),
    [
        ("def test_it():\n    os.mkfifo('pipe')", False),
        ("@pytest.mark.posix\ndef test_it():\n    os.mkfifo('pipe')", True),
        ("def test_it():\n    with Terminal(command): pass", False),
        ("@pytest.mark.posix\ndef test_it():\n    with Terminal(command): pass", True),
        ("pytestmark = pytest.mark.posix\nimport fcntl", True),
        ("pytestmark = pytest.mark.slow\nimport fcntl", False),
        ("import fcntl\n@pytest.mark.posix\ndef test_it():\n    pass", False),
    ],
)
def test_a_missing_mark_would_be_noticed(source: str, is_complete: bool) -> None:
    assert (unmarked(source) == []) is is_complete


def test_a_marked_test_does_not_leave_out_its_file() -> None:
    assert not is_left_out_on_windows("@pytest.mark.posix\ndef test_it() -> None: ...\n")
    assert not is_left_out_on_windows("pytestmark = [pytest.mark.slow]\n\n@pytest.mark.posix\n")
    assert is_left_out_on_windows("pytestmark = pytest.mark.posix\n")
    assert is_left_out_on_windows("pytestmark = [\n    pytest.mark.linux,\n]\n")


def test_tests_are_left_out_on_a_system_by_marks() -> None:
    # A skipped test counts as failed in CI, on every system.
    assert [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in TEST_FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "skipif"
        and _SYSTEM.search(ast.unparse(node))
    ] == []


@pytest.mark.parametrize("find", [platformdirs.user_data_path, platformdirs.user_state_path])
def test_tests_keep_out_of_the_users_own_folders(find: Callable[..., Path]) -> None:
    # On Windows, platformdirs minds the variables of tests/conftest.py from 4.8.0 on.
    assert find("table-companion", appauthor=False).is_relative_to(os.environ["XDG_STATE_HOME"])
