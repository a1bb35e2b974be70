"""Everything the site refuses, each with its code. The sentences are in `words/`, in the tables of refusals."""

from ludotheque.errors import LudothequeError


class Refused(LudothequeError):  # noqa: N818 - reads as what happened
    """Something this visitor may not do here; nothing has changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code, code)


class PromiseKept(Refused):
    """A ticket for a table that is set already, under this id: a form was sent twice."""

    def __init__(self, table: str) -> None:
        super().__init__("luck-used")
        self.table = table


class VersionConflict(Refused):
    """A command made on a version that is no longer the newest."""

    def __init__(self) -> None:
        super().__init__("stale")


class WorkerUnavailable(Refused):
    """No worker took the job, or none answered in time."""

    def __init__(self) -> None:
        super().__init__("away")


class TooManyJobs(WorkerUnavailable):
    """As many jobs as somebody at this address may ask for wait already."""

    def __init__(self) -> None:
        Refused.__init__(self, "asked-for-much")


class DuplicateCommand(Exception):  # noqa: N818 - reads as what happened
    """A command whose client id is already in the log: it was done, and counts once."""
