"""The queue over Redis, by Dramatiq: who asks and who works may be on different machines.

What is in the queue may be done twice, when a worker dies, or never, when Redis does. Neither harms: what is asked
for names a version of a table, and the house looks for turns that nobody took (`thinking.sweep`).
"""

import time
from contextlib import suppress

import dramatiq
import redis
from django.conf import settings
from django.db import connection
from dramatiq.brokers.redis import RedisBroker
from dramatiq.errors import BrokerConnectionError
from dramatiq.middleware import Retries, ShutdownNotifications, TimeLimit
from dramatiq.results import Results
from dramatiq.results.backends import RedisBackend
from dramatiq.results.errors import ResultError

from ludotheque.web.backends import redis_options
from ludotheque.web.jobs import pool
from ludotheque.web.refusals import WorkerUnavailable

NAMESPACE = "ludotheque"
MINUTE = 60_000  # milliseconds
OFTEN = 100  # milliseconds between looks into an empty queue, at most
WORKERS = f"{NAMESPACE}:workers"
LATELY = 30  # seconds
THREADS = 4  # for each process that thinks: most of them keep a pause

client = redis.Redis.from_url(settings.REDIS_URL, **redis_options())
results = RedisBackend(client=client, namespace=f"{NAMESPACE}-answers")
broker = RedisBroker(  # type: ignore[no-untyped-call]
    client=client,
    namespace=NAMESPACE,
    heartbeat_timeout=MINUTE // 4,
    dead_message_ttl=MINUTE,
    middleware=[
        TimeLimit(time_limit=30 * MINUTE),  # a large booklet
        ShutdownNotifications(),
        Retries(max_retries=0),
        Results(backend=results, result_ttl=MINUTE),  # type: ignore[no-untyped-call]
    ],
)


def _call(name: str, args: list[object], more: dict[str, object]) -> object:
    try:
        return pool.named(name)(*args, **more)
    finally:
        connection.close()


def _forget(name: str, args: list[object], more: dict[str, object]) -> None:
    _call(name, args, more)


LINES = [line.name for line in pool.LINES]
ASKED = {
    line: dramatiq.actor(actor_name=f"{line}-asked", queue_name=line, broker=broker, store_results=True)(_call)
    for line in LINES
}
POSTED = {
    line: dramatiq.actor(actor_name=f"{line}-posted", queue_name=line, broker=broker)(_forget) for line in LINES
}


def post(line: str, name: str, *args: object, **more: object) -> None:
    try:
        POSTED[line].send(name, list(args), more)
    except (BrokerConnectionError, redis.RedisError) as error:
        raise WorkerUnavailable from error


def ask(line: str, name: str, *args: object, **more: object) -> object:
    try:
        return (
            ASKED[line]
            .send(name, list(args), more)
            .get_result(backend=results, block=True, timeout=pool.PATIENCE * 1000)
        )
    except (ResultError, BrokerConnectionError, redis.RedisError) as error:
        raise WorkerUnavailable from error


def waiting(line: str) -> int:
    """Messages not done yet, those being worked on included."""
    return int(broker.do_qsize(line))


def sign_in(worker: str) -> None:
    """Say that this worker is there, if Redis is."""
    with suppress(redis.RedisError):
        client.zadd(WORKERS, {worker: time.time()})
        client.zremrangebyscore(WORKERS, "-inf", time.time() - MINUTE)


def sign_out(worker: str) -> None:
    with suppress(redis.RedisError):
        client.zrem(WORKERS, worker)


def workers() -> int:
    """How many workers were there lately."""
    return int(client.zcount(WORKERS, time.time() - LATELY, "+inf"))


class Listeners:
    """Who takes work from the queue, in threads of this process: each line has its own, so none waits for another."""

    def __init__(self) -> None:
        self.workers = [_listener(line) for line in pool.LINES]

    def stop(self, timeout: int = MINUTE) -> None:
        for worker in self.workers:
            worker.stop(timeout=timeout)


def listen() -> Listeners:
    """Take work from the queue until told to `stop`."""
    return Listeners()


def _listener(line: pool.Line) -> dramatiq.Worker:
    threads = max(8, THREADS * settings.THINKERS) if line is pool.thinking else line.threads
    worker = dramatiq.Worker(broker, queues={line.name}, worker_timeout=OFTEN, worker_threads=threads)
    worker.queue_prefetch = threads  # what one worker holds back another could do
    worker.start()
    return worker
