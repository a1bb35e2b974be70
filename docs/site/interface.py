"""The reference of the Python interface: one page for each group of modules, made from their docstrings.

Every module of the package belongs to a page in `GROUPS`, or to `INNER`: what programs need not know. A new one that
nobody has put anywhere stops the build; so does a public name without a docstring (`tests/test_docs_site.py`).
"""

import ast
import importlib
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sphinx.pycode import ModuleAnalyzer

import ludotheque

PACKAGE = Path(ludotheque.__file__).parent
Definition: TypeAlias = ast.FunctionDef | ast.ClassDef


class Group(NamedTuple):
    """A page of the reference."""

    name: str
    title: str
    about: str
    modules: tuple[str, ...]
    """Their names without `ludotheque.`, as patterns."""


GROUPS = (
    Group(
        "shelf",
        "The shelf",
        "Where a program begins. ``ludotheque.games`` and its like are those of ``ludotheque.shelf``.",
        ("__init__", "shelf"),
    ),
    Group("match", "Match", "", ("match",)),
    Group("contract", "The contract", "What a game is, and the options it can have.", ("game", "options")),
    Group(
        "luck",
        "Luck, records, errors",
        "What a match draws, saves and refuses.",
        ("luck", "records", "errors", "extras"),
    ),
    Group(
        "words",
        "Words, hints, lessons",
        "What people read, in every language.",
        ("words", "move_words", "hints", "lessons"),
    ),
    Group("board", "Boards", "Geometry that games share: cells as bits, boards, shapes.", ("board", "board.*")),
    Group(
        "drawing",
        "Drawing a game",
        "What the picture of a game is made of.",
        ("pictures", "pictures.kit", "pictures.kit.*"),
    ),
    Group("pictures", "Pictures", "What programs get from pictures.", ("pictures.output", "pictures.output.*")),
    Group(
        "players",
        "Computer players",
        "What a player is asked, what it answers, how players are compared, and what a match was worth.",
        (
            "search",
            "search.players",
            "search.thought",
            "search.levels",
            "search.arena",
            "search.baselines",
            "search.analysis",
            "search.reasons",
            "search.heuristics",
        ),
    ),
    Group(
        "compiled",
        "Compiled rules",
        "The rules as machine code, and algorithms on them.",
        ("search.compiled", "search.playouts", "search.perft", "search.parallel"),
    ),
    Group(
        "puzzles",
        "Puzzles",
        "Kinds of puzzles; making, solving and studying them.",
        (
            "puzzles",
            "puzzles.kinds",
            "puzzles.engines",
            "puzzles.engines.engine",
            "puzzles.making",
            "puzzles.making.names",
            "puzzles.making.puzzles",
            "puzzles.human",
            "puzzles.human.session",
            "puzzles.human.hints",
            "puzzles.human.deductions",
            "puzzles.human.effort",
            "puzzles.solving",
            "puzzles.solving.*",
            "puzzles.studies",
            "puzzles.studies.study",
        ),
    ),
    Group(
        "env",
        "Games for learners",
        "Thousands of games at once, and environments of PettingZoo.",
        ("env", "env.batch", "env.aec", "env.parallel"),
    ),
    Group("adapters", "Adapters", "Our games as other libraries know games.", ("adapters", "adapters.openspiel")),
    Group(
        "testing",
        "Laws",
        "What holds for every game, to be checked for one's own.",
        ("testing", "testing.laws", "testing.rules", "testing.secrecy", "testing.variants"),
    ),
)
INNER = {
    "cli": "the command: its reference is docs/reference/command.md",
    "cli.*": "the same",
    "__main__": "the same",
    "web": "the site, which programs use over HTTP: docs/reference/openapi.yaml",
    "web.*": "the same",
    "adapters.*": "what the adapters are made of",
    "env.*": "how states are packed, and how each game is laid out: docs/reference/observations.md",
    "testing.*": "what a law needs that looks at the site: docs/guides/laws.md",
    "private_folder": "where files of the library are kept",
    "games": "one record of functions each: `Game` says what they do, the rules pages what they mean",
    "games.*": "the same",
    "puzzles.*": "rules of kinds of puzzles, and how they are computed",
    "pictures.*": "one record of functions each: `Picture` says what they do",
    "search.*": "how the players think: docs/concepts/search.md",
}
PAGES = tuple(f"python/{group.name}" for group in GROUPS)


def files() -> dict[str, str]:
    """The pages of the reference."""
    return {f"python/{group.name}.rst": _page(group) for group in GROUPS}


def reference() -> list[str]:
    """All modules of the reference."""
    return [module for group in GROUPS for module in modules_of(group)]


def inner() -> list[str]:
    """All modules that are no part of it."""
    return [module for module in all_modules() if _group(module) is None]


def modules_of(group: Group) -> list[str]:
    """The modules of a page, in the order in which it names them."""
    return sorted(
        (module for module in all_modules() if _group(module) == group),
        key=lambda module: next(
            number for number, each in enumerate(group.modules) if fnmatchcase(_short(module), each)
        ),
    )


def all_modules() -> list[str]:
    """Every module of the package."""
    return sorted(_name(path) for path in PACKAGE.rglob("*.py"))


def public_names(module: str) -> dict[str, bool]:
    """What a module offers (functions, classes, their methods and fields), and whether its docstring says what it is.

    Names with an underscore are the module's own affair; a method may inherit what it overrides says.
    """
    analyzer = ModuleAnalyzer.for_module(module)
    fields = {".".join(filter(None, key)) for key in analyzer.find_attr_docs()}
    offered = _offered(ast.parse(analyzer.code).body)
    return {
        f"{module}.{name}": name in fields or bool(node and (ast.get_docstring(node) or _inherited(module, name)))
        for name, node in offered
    }


def undocumented(module: str) -> list[str]:
    """The public names without a docstring, or the module itself."""
    lacking = [] if importlib.import_module(module).__doc__ else [module]
    return lacking + [name for name, documented in public_names(module).items() if not documented]


def _offered(body: Iterable[ast.stmt], inside: str = "") -> Iterator[tuple[str, Definition | None]]:
    """Names and their definitions; a field has none."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield inside + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _offered(node.body, f"{inside}{node.name}.")
        elif inside and isinstance(node, ast.AnnAssign):
            yield from _fields(node.target, inside)
        elif inside and isinstance(node, ast.FunctionDef) and node.name == "__init__":
            for statement in node.body:
                if isinstance(statement, ast.Assign | ast.AnnAssign):
                    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                    attributes = [target for target in targets if isinstance(target, ast.Attribute)]
                    yield from (field for target in attributes for field in _fields(target, inside))


def _fields(target: ast.expr, inside: str) -> Iterator[tuple[str, None]]:
    """The field that a statement in a class, or in its `__init__`, makes."""
    name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else "_"
    if not name.startswith("_"):
        yield inside + name, None


def _inherited(module: str, name: str) -> bool:
    """Whether a method overrides one of this package that has a docstring."""
    owner, _, method = name.rpartition(".")
    above = getattr(importlib.import_module(module), owner).__mro__[1:] if owner else ()
    return any(
        base.__module__.startswith("ludotheque") and bool(getattr(base.__dict__.get(method), "__doc__", None))
        for base in above
    )


def _page(group: Group) -> str:
    heading = f"{group.title}\n{'=' * len(group.title)}\n\n{group.about}\n"
    return heading + "".join(_module(module) for module in modules_of(group))


def _module(module: str) -> str:
    return f"\n{module}\n{'-' * len(module)}\n\n.. automodule:: {module}\n"


def _group(module: str) -> Group | None:
    """The page that a module is on; none for what programs need not know."""
    short = _short(module)
    found = next((group for group in GROUPS if any(fnmatchcase(short, each) for each in group.modules)), None)
    if found is None and not any(fnmatchcase(short, each) for each in INNER):
        raise LookupError(f"{module} is on no page of the reference: put it into GROUPS or INNER of {__file__}")
    return found


def _short(module: str) -> str:
    return module.removeprefix("ludotheque.") if module != "ludotheque" else "__init__"


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
