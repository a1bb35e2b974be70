"""Many tasks in parallel, by joblib: on the cores of this machine, or on a Dask or Ray cluster."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, cast

from ludotheque.extras import extra

with extra("players"):
    from joblib import Parallel, parallel_config

RAY_BATCH_TASKS = 64


def results(tasks: Sequence[object], jobs: int, backend: str | None = None) -> Iterator[Any]:
    """The results of the tasks, each made by joblib's `delayed`, in the order in which they finish.

    Dask uses the cluster it is connected to, else that of `DASK_SCHEDULER_ADDRESS`, else one on this machine; Ray
    likewise, by `RAY_ADDRESS`. Ray returns results all at once, so it gets the tasks in batches.
    """
    with _backend(backend):
        if backend != "ray":
            yield from Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks)
            return
        for first in range(0, len(tasks), RAY_BATCH_TASKS):
            yield from Parallel(n_jobs=jobs)(tasks[first : first + RAY_BATCH_TASKS])


@contextmanager
def _backend(name: str | None) -> Iterator[None]:
    if name == "ray":
        with extra("cluster"):
            from ray.util.joblib import register_ray  # noqa: PLC0415

        register_ray()  # type: ignore[no-untyped-call]
    with _dask() if name == "dask" else nullcontext(), parallel_config(backend=name or "loky"):
        yield


def _dask() -> AbstractContextManager[object]:
    with extra("cluster"):
        from dask.distributed import Client, get_client  # noqa: PLC0415

    try:
        return nullcontext(get_client())
    except ValueError:
        return cast("AbstractContextManager[object]", Client(set_as_default=True))  # type: ignore[no-untyped-call]
