"""Rules of our own, for mistakes that no linter knows: each of them would have found one that was made here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludotheque

WEB = Path(ludotheque.__file__ or "").parent / "web"
FILES = sorted(path for path in WEB.rglob("*.py") if "migrations" not in path.parts)
LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical"}
NEVER_LOGGED = {"address", "client", "cookie", "cookies", "network", "remote_addr", "secret", "visitor"}
LABELS = {"label", "labelled"}  # what may be said of an address
RUNS_CODE = {"dill", "marshal", "pickle", "shelve", "subprocess", "yaml"}  # from what it is given
BOUNDED_BY = {"text", "number", "language", "display_name", "first_game", "NewTableForm"}
UNBOUNDED = {  # texts of a request that a view reads by itself, by file; it may only become fewer
    "booklets.py": 1,
    "lesson.py": 1,
    "mine.py": 3,
    "pictures.py": 1,
    "puzzle.py": 3,
    "puzzles.py": 4,
    "replay.py": 1,
    "shelf.py": 10,
    "table.py": 5,
}

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(WEB)))


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


# The log


def names_logged(tree: ast.AST) -> Iterator[str]:
    """What is given to the log, and the facts that go along, that says who somebody is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOG_METHODS:
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "log":
                yield from _who(node)
        elif isinstance(node, ast.Assign) and any(
            isinstance(to, ast.Name) and to.id == "facts" for to in node.targets
        ):
            yield from _who(node.value)


def _who(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and _called(node) in LABELS:
        return
    if isinstance(node, ast.Subscript):  # by an address, something else is found
        yield from _who(node.value)
        return
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    if name.lower() in NEVER_LOGGED:
        yield name
    for child in ast.iter_child_nodes(node):
        yield from _who(child)


def _called(node: ast.Call) -> str:
    function = node.func
    return (
        function.attr
        if isinstance(function, ast.Attribute)
        else function.id
        if isinstance(function, ast.Name)
        else ""
    )


@every_file
def test_nothing_logs_who_somebody_is(path: Path) -> None:
    assert list(names_logged(parsed(path))) == []


def test_the_rule_of_the_log_finds_what_it_is_for() -> None:
    wrong = (
        'log.info("refused", extra={"facts": {"from": scope["client"], "by": self.address}})\nfacts = {"a": visitor}'
    )
    assert set(names_logged(ast.parse(wrong))) == {"address", "visitor"}
    right = 'log.info("x", extra={"facts": {"who": usage.label(address), "of this address": self.counts[address]}})'
    assert list(names_logged(ast.parse(right))) == []


# Exceptions from the rules of security


def without_reason(text: str) -> list[str]:
    """Lines that break a rule of security and do not say why they may."""
    broken = re.findall(r"^.*# noqa: [^\n]*\bS\d+.*$", text, re.MULTILINE)
    return [line.strip() for line in broken if not re.search(r"# noqa: [A-Z0-9, ]+ - \w", line)]


@every_file
def test_every_exception_from_security_has_its_reason(path: Path) -> None:
    assert without_reason(path.read_text(encoding="utf-8")) == []


def test_the_rule_of_reasons_finds_what_it_is_for() -> None:
    wrong, right = "x = mark_safe(name)  # noqa: S308", "x = mark_safe(drawn)  # noqa: S308 - drawn by us"
    assert without_reason(f"{wrong}\n{right}") == [wrong]


# Code that comes as data


def imports(tree: ast.AST) -> set[str]:
    plain = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    return plain | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@every_file
def test_nothing_that_runs_code_from_data_is_imported(path: Path) -> None:
    assert {name.split(".")[0] for name in imports(parsed(path))} & RUNS_CODE == set()


# What strangers send


def unbounded(tree: ast.AST) -> int:
    """How often a view takes a text of a request by itself, instead of by `inputs`."""
    bounded = {
        id(inner)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Call) and _called(node) in BOUNDED_BY)
        or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice))
        for inner in ast.walk(node)
    }
    return sum(_is_from_request(node) and id(node) not in bounded for node in ast.walk(tree))


def _is_from_request(node: ast.AST) -> bool:
    """`request.GET`, of which something is taken: not whether something is in it."""
    taken = node.value if isinstance(node, ast.Subscript) else getattr(node, "func", None)
    if isinstance(taken, ast.Attribute) and taken.attr in {"get", "getlist", "items"}:
        taken = taken.value
    return (
        isinstance(taken, ast.Attribute)
        and taken.attr in {"GET", "POST", "COOKIES"}
        and isinstance(taken.value, ast.Name)
        and taken.value.id == "request"
    )


@pytest.mark.parametrize("path", sorted((WEB / "pages").glob("*.py")), ids=lambda path: path.name)
def test_views_read_texts_of_strangers_by_inputs(path: Path) -> None:
    assert unbounded(parsed(path)) <= UNBOUNDED.get(path.name, 0)


def test_the_rule_of_inputs_finds_what_it_is_for() -> None:
    wrong = 'a = request.POST["name"]; b = request.GET.get("seat", "")'
    right = 'a = inputs.text(request.POST.get("name")); b = request.GET.get("seat", "")[:20]; c = "d" in request.GET'
    assert (unbounded(ast.parse(wrong)), unbounded(ast.parse(right))) == (2, 0)
