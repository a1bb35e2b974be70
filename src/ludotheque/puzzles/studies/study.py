"""A study: a long count cut into parts, each counted once, over all cores or a cluster, and kept as it comes in.

The parts that are done are lines of a file: a study that was stopped goes on where it was. A part needs
nothing but its number, so that it can be done anywhere.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ludotheque.extras import extra
from ludotheque.game import Json
from ludotheque.search import parallel

with extra("players"):
    from joblib import delayed


@dataclass(frozen=True)
class Study:
    """What is counted, and how its parts make one result."""

    name: str  #: as the command calls it
    parts: int  #: into how many parts it is cut
    count: Callable[[int], Json]
    """count(part): what one part gives, ready for JSON. It runs in another process, so it is a plain function."""

    total: Callable[[list[Json]], dict[str, Json]]
    """total(results): all of them together, in the order of the parts."""

    plot: Callable[[Mapping[str, Json]], str]
    """plot(total): the result as SVG."""


def run(study: Study, path: Path, jobs: int, backend: str | None = None) -> Iterator[int]:
    """Do the parts that are missing; after each, how many are done. What is done stands in the file."""
    done = finished(path)
    missing = [part for part in range(study.parts) if part not in done]
    yield len(done)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps([part, done[part]]) + "\n" for part in sorted(done))
        file.flush()
        results = parallel.results([delayed(_do)(study, part) for part in missing], jobs, backend)
        for number, (part, result) in enumerate(results, len(done) + 1):
            file.write(json.dumps([part, result]) + "\n")
            file.flush()
            yield number


def result(study: Study, path: Path) -> dict[str, Json]:
    """What a study that is through has found."""
    done = finished(path)
    return study.total([done[part] for part in range(study.parts)])


def finished(path: Path) -> dict[int, Json]:
    """The parts done so far. A line that was cut off when the study was stopped does not count."""
    done: dict[int, Json] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        with contextlib.suppress(json.JSONDecodeError):
            part, found = json.loads(line)
            done[part] = found
    return done


def _do(study: Study, part: int) -> tuple[int, Json]:
    return part, study.count(part)
