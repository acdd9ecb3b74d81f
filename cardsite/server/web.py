"""The site in this process, for tests and pictures."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def site(handler: Any = None) -> Iterator[str]:
    """The address of the site, served by a thread, without a slash at the end.

    handler: for a second site in a process, since a handler ends with its event loop.
    """
    import uvicorn

    from cardsite.asgi import application

    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            handler or application, lifespan="off", log_level="warning", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(5)
