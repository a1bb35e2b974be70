"""All faults by name."""

from faults import clocks, databases, disks, memory, queues
from faults.play import Fault

FAULTS: dict[str, Fault] = {
    "disk-full": disks.FULL,
    "disk-slow": disks.SLOW,
    "clock": clocks.JUMPING,
    "memory-killed": memory.KILLED,
    "memory-refused": memory.REFUSED,
    "failover": databases.FAILOVER,
    "redis": queues.FLUSHED,
}
