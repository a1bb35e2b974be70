"""The job queue over Redis, by Dramatiq: who asks and who works may be on different machines.

Dramatiq's queues are first in, first out. So a message there says only that one more job waits. The jobs themselves
wait in sorted sets, one for each visitor at an address. Addresses take turns, and the visitors of an address among
themselves: a worker takes the most urgent job of the next visitor of the next address.

A job may run twice, when two ask for it, or never, when a worker or Redis dies. Neither harms: a job names a version
of a table, and the sweep (`turns.sweep`) finds turns that nobody took.
"""

import time
from contextlib import suppress
from functools import partial

from django.conf import settings
from django.db import connection

from ludotheque.extras import extra
from ludotheque.web.backends import redis_options
from ludotheque.web.jobs import fair_queue
from ludotheque.web.jobs import pool as pools
from ludotheque.web.refusals import WorkerUnavailable

with extra("scale"):
    import dramatiq
    import redis
    from dramatiq.brokers.redis import RedisBroker
    from dramatiq.errors import BrokerConnectionError
    from dramatiq.middleware import Retries, ShutdownNotifications, TimeLimit
    from dramatiq.results.backends import RedisBackend
    from dramatiq.results.errors import ResultError

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
    ],
)


# Queues, one for each visitor at an address. Each function gets the key of a pool, with which all its keys begin, and
# then the address and the visitor, if any. `addresses`, and the `visitors` of each, are lists of those who have jobs
# waiting, whose turn it is first.

ADD = client.register_script("""
local visitors = KEYS[1] .. ':visitors:' .. ARGV[1]
local queue = KEYS[1] .. ':queue:' .. ARGV[1] .. ':' .. ARGV[2]
local number = redis.call('INCR', KEYS[1] .. ':number')
if redis.call('EXISTS', visitors) == 0 then redis.call('RPUSH', KEYS[1] .. ':addresses', ARGV[1]) end
if redis.call('EXISTS', queue) == 0 then redis.call('RPUSH', visitors, ARGV[2]) end
redis.call('ZADD', queue, ARGV[3] * 1e12 + number, ARGV[4])
""")
TAKE = client.register_script("""
local address = redis.call('LPOP', KEYS[1] .. ':addresses')
if not address then return nil end
local visitors = KEYS[1] .. ':visitors:' .. address
local visitor = redis.call('LPOP', visitors)
local queue = KEYS[1] .. ':queue:' .. address .. ':' .. visitor
local job = redis.call('ZPOPMIN', queue)[1]
if redis.call('EXISTS', queue) == 1 then redis.call('RPUSH', visitors, visitor) end
if redis.call('EXISTS', visitors) == 1 then redis.call('RPUSH', KEYS[1] .. ':addresses', address) end
return job
""")
WAITING = client.register_script("""
local queue, all = KEYS[1] .. ':queue:' .. ARGV[1] .. ':', 0
for _, visitor in ipairs(redis.call('LRANGE', KEYS[1] .. ':visitors:' .. ARGV[1], 0, -1)) do
    all = all + redis.call('ZCARD', queue .. visitor)
end
return {redis.call('ZCARD', queue .. ARGV[2]), all}
""")


def _key(pool: str) -> str:
    return f"{NAMESPACE}:jobs:{pool}"


def _work(pool: str) -> None:
    """Do the job that is next. There is none if a message came twice."""
    job = TAKE(keys=[_key(pool)])
    if job is None:
        return
    message = dramatiq.Message[object].decode(job)
    name, args, kwargs = message.args
    address, visitor, urgency = message.options["asker"]
    try:
        with pools.Asker(address, visitor, pools.Urgency(urgency)).asking():
            found = pools.function_named(name)(*args, **kwargs)
    except Exception as error:
        if message.options["asked"]:
            results.store_exception(message, error, MINUTE_MS)
        raise
    finally:
        connection.close()
    if message.options["asked"]:
        results.store_result(message, found, MINUTE_MS)


POOLS = [pool.name for pool in pools.POOLS]
NEXT = {
    pool: dramatiq.actor(actor_name=f"{pool}-next", queue_name=pool, broker=broker)(partial(_work, pool))
    for pool in POOLS
}


def post(pool: str, name: str, *args: object, **kwargs: object) -> None:
    _add(pool, _message(pool, name, args, kwargs, asked=False))


def ask(pool: str, name: str, *args: object, **kwargs: object) -> object:
    message = _message(pool, name, args, kwargs, asked=True)
    _add(pool, message)
    try:
        return message.get_result(backend=results, block=True, timeout=pools.ANSWER_TIMEOUT_S * 1000)
    except (ResultError, BrokerConnectionError, redis.RedisError) as error:
        raise WorkerUnavailable from error


def _message(
    pool: str, name: str, args: tuple[object, ...], kwargs: dict[str, object], *, asked: bool
) -> dramatiq.Message[object]:
    options = {"asked": asked, "asker": list(pools.Asker.now())}
    return dramatiq.Message(pool, f"{pool}-job", (name, list(args), kwargs), {}, options)


def _add(pool: str, message: dramatiq.Message[object]) -> None:
    address, visitor, urgency = message.options["asker"]
    try:
        ADD(keys=[_key(pool)], args=[address, visitor, int(urgency), message.encode()])
        NEXT[pool].send()
    except (BrokerConnectionError, redis.RedisError) as error:
        raise WorkerUnavailable from error


def waiting(pool: str, asker: fair_queue.Asker) -> fair_queue.Waiting:
    """Jobs of this visitor and of this address that have not begun."""
    with suppress(redis.RedisError):  # whoever asks for a job is told
        return fair_queue.Waiting(*WAITING(keys=[_key(pool)], args=list(asker)))
    return fair_queue.Waiting(0, 0)


def all_waiting(pool: str) -> int:
    """Jobs that are not done yet."""
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
