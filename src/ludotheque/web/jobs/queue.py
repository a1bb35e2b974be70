"""The job queue over Redis, by Dramatiq: who asks and who works may be on different machines.

A job may run twice, when a worker dies, or never, when Redis does. Neither harms: a job names a version of a table,
and the sweep (`thinking.sweep`) finds turns that nobody took.
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
from ludotheque.web.jobs import pool as pools
from ludotheque.web.refusals import WorkerUnavailable

NAMESPACE = "ludotheque"
MINUTE_MS = 60_000
POLL_MS = 100  # between two looks into an empty queue, at most
WORKERS = f"{NAMESPACE}:workers"  # sorted set: worker by the time it was last seen
WORKER_TTL_S = 30
THREADS_PER_PROCESS = 4  # most turns spend their time in the pause a computer player keeps

client = redis.Redis.from_url(settings.REDIS_URL, **redis_options())
results = RedisBackend(client=client, namespace=f"{NAMESPACE}-answers")
broker = RedisBroker(  # type: ignore[no-untyped-call]
    client=client,
    namespace=NAMESPACE,
    heartbeat_timeout=MINUTE_MS // 4,
    dead_message_ttl=MINUTE_MS,
    middleware=[
        TimeLimit(time_limit=30 * MINUTE_MS),  # a large booklet
        ShutdownNotifications(),
        Retries(max_retries=0),
        Results(backend=results, result_ttl=MINUTE_MS),  # type: ignore[no-untyped-call]
    ],
)


def _call(name: str, args: list[object], kwargs: dict[str, object]) -> object:
    try:
        return pools.function_named(name)(*args, **kwargs)
    finally:
        connection.close()


def _call_without_result(name: str, args: list[object], kwargs: dict[str, object]) -> None:
    _call(name, args, kwargs)


POOLS = [pool.name for pool in pools.POOLS]
ASKED = {
    pool: dramatiq.actor(actor_name=f"{pool}-asked", queue_name=pool, broker=broker, store_results=True)(_call)
    for pool in POOLS
}
POSTED = {
    pool: dramatiq.actor(actor_name=f"{pool}-posted", queue_name=pool, broker=broker)(_call_without_result)
    for pool in POOLS
}


def post(pool: str, name: str, *args: object, **kwargs: object) -> None:
    try:
        POSTED[pool].send(name, list(args), kwargs)
    except (BrokerConnectionError, redis.RedisError) as error:
        raise WorkerUnavailable from error


def ask(pool: str, name: str, *args: object, **kwargs: object) -> object:
    try:
        return (
            ASKED[pool]
            .send(name, list(args), kwargs)
            .get_result(backend=results, block=True, timeout=pools.ANSWER_TIMEOUT_S * 1000)
        )
    except (ResultError, BrokerConnectionError, redis.RedisError) as error:
        raise WorkerUnavailable from error


def waiting(pool: str) -> int:
    """Jobs not done yet, those being worked on included."""
    return int(broker.do_qsize(pool))


def register_worker(worker: str) -> None:
    """Tell the site that this worker is there, if Redis is."""
    with suppress(redis.RedisError):
        client.zadd(WORKERS, {worker: time.time()})
        client.zremrangebyscore(WORKERS, "-inf", time.time() - 2 * WORKER_TTL_S)


def unregister_worker(worker: str) -> None:
    with suppress(redis.RedisError):
        client.zrem(WORKERS, worker)


def workers() -> int:
    """How many workers were seen within `WORKER_TTL_S`."""
    return int(client.zcount(WORKERS, time.time() - WORKER_TTL_S, "+inf"))


class Consumers:
    """Threads of this process that take jobs: each pool has its own, so that no pool waits for another."""

    def __init__(self) -> None:
        self.workers = [_consumer(pool) for pool in pools.POOLS]

    def stop(self, timeout_ms: int = MINUTE_MS) -> None:
        for worker in self.workers:
            worker.stop(timeout=timeout_ms)


def consume() -> Consumers:
    """Take jobs from the queue until `stop` is called."""
    return Consumers()


def _consumer(pool: pools.Pool) -> dramatiq.Worker:
    threads = max(8, THREADS_PER_PROCESS * settings.THINKERS) if pool is pools.thinking else pool.threads
    worker = dramatiq.Worker(broker, queues={pool.name}, worker_timeout=POLL_MS, worker_threads=threads)
    worker.queue_prefetch = threads  # a prefetched job is one that no other worker can take
    worker.start()
    return worker
