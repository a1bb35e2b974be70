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

from ludotheque.web import work
from ludotheque.web.storage import patience

NAME = "thinking"
NAMESPACE = "ludotheque"
MINUTE = 60_000  # milliseconds
OFTEN = 100  # milliseconds between looks into an empty queue, at most
WORKERS = f"{NAMESPACE}:workers"
LATELY = 30  # seconds
THREADS = 4  # for each process that thinks: most of them keep a pause

client = redis.Redis.from_url(settings.REDIS_URL, **patience())
results = RedisBackend(client=client, namespace=f"{NAMESPACE}-answers")
broker = RedisBroker(  # type: ignore[no-untyped-call]
    client=client,
    namespace=NAMESPACE,
    heartbeat_timeout=MINUTE // 4,
    dead_message_ttl=MINUTE,
    middleware=[
        TimeLimit(time_limit=2 * MINUTE),
        ShutdownNotifications(),
        Retries(max_retries=0),
        Results(backend=results, result_ttl=MINUTE),  # type: ignore[no-untyped-call]
    ],
)


@dramatiq.actor(broker=broker, queue_name=NAME)
def posted(name: str, args: list[object], more: dict[str, object]) -> None:
    asked.fn(name, args, more)


@dramatiq.actor(broker=broker, queue_name=NAME, store_results=True)
def asked(name: str, args: list[object], more: dict[str, object]) -> object:
    try:
        return work.named(name)(*args, **more)
    finally:
        connection.close()


def post(name: str, *args: object, **more: object) -> None:
    posted.send(name, list(args), more)


def ask(name: str, *args: object, **more: object) -> object:
    try:
        return asked.send(name, list(args), more).get_result(
            backend=results, block=True, timeout=work.PATIENCE * 1000
        )
    except (ResultError, BrokerConnectionError, redis.RedisError) as error:
        raise work.Away from error


def waiting() -> int:
    """Messages not done yet, those being worked on included."""
    return int(broker.do_qsize(NAME))


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


def listen() -> dramatiq.Worker:
    """Take work from the queue, in threads of this process, until it is told to `stop`."""
    worker = dramatiq.Worker(broker, worker_timeout=OFTEN, worker_threads=max(8, THREADS * settings.THINKERS))
    worker.queue_prefetch = worker.worker_threads  # what one worker holds back another could do
    worker.start()
    return worker
