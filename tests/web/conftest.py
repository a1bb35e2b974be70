"""A site for the tests: a database of its own in a file, so that threads and connections meet as they do in life."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import django
import pytest

_folder = tempfile.TemporaryDirectory(prefix="ludotheque-tests-")
os.environ["LUDOTHEQUE_DATA"] = _folder.name
os.environ["PROMETHEUS_MULTIPROC_DIR"] = f"{_folder.name}/metrics"  # not that of the process that started this one
os.environ["LUDOTHEQUE_LOG"] = "ERROR"
os.environ["LUDOTHEQUE_LIMITS"] = "off"  # tests hurry; guard/test_rate_limits.py has its own
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ludotheque.web.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connections  # noqa: E402
from django.test.utils import override_settings, setup_test_environment, teardown_test_environment  # noqa: E402

from ludotheque.web.jobs import drawings, pool  # noqa: E402
from ludotheque.web.models import Attempt, Replay, Table  # noqa: E402
from ludotheque.web.table import cache  # noqa: E402

call_command("collectstatic", verbosity=0, interactive=False)  # the application looks for them when it is imported
PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


for _pool in pool.POOLS:
    _pool.nice = 0  # all of it is waited for, on a machine that is busy with tests


@pytest.fixture(scope="session", autouse=True)
def site() -> Iterator[None]:
    setup_test_environment()
    call_command("migrate", verbosity=0)
    with override_settings(STORAGES=PLAIN), _thinking():
        yield
    pool.close()
    connections.close_all()
    teardown_test_environment()
    _folder.cleanup()


@contextmanager
def _thinking() -> Iterator[None]:
    """With Redis (`--services`), a worker who listens to the queue: in this process, where tests change settings."""
    if not pool.scaled():
        yield
        return
    from ludotheque.web.jobs import queue

    worker = queue.consume()
    yield
    worker.stop()


@pytest.fixture(autouse=True)
def fresh_site(site: None) -> Iterator[None]:  # noqa: ARG001
    yield
    for model in (Table, Replay, Attempt):
        model.objects.all().delete()
    User.objects.all().delete()
    cache.clear()
    drawings.clear()
