"""A free port for a server that has to be told its number before it starts."""

import random
import socket
from contextlib import suppress
from pathlib import Path

LOWEST = 10_000
RANGE_OF_KERNEL = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port() -> int:
    """One that the kernel gives neither to a server that asks for any port nor to a client."""
    highest = int(RANGE_OF_KERNEL.read_text().split()[0]) if RANGE_OF_KERNEL.exists() else 32_768
    while True:
        port = random.SystemRandom().randrange(LOWEST, highest)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
