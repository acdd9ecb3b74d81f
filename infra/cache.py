"""What a process remembers for a while, instead of asking for it or making it again."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """The values that were used last, at most `size` of them, for all threads of the process."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.lock = size, Lock()

    def find(self, key: K) -> V | None:
        """The value of this key, which has been used with that."""
        with self.lock:
            if key not in self:
                return None
            self.move_to_end(key)
            return self[key]

    def keep(self, key: K, value: V, *, unless: Callable[[V], bool] | None = None) -> None:
        """`unless` is asked whether what is known of this key had better stay."""
        with self.lock:
            if unless and key in self and unless(self[key]):
                return
            self[key] = value
            self.move_to_end(key)
            if len(self) > self.size:
                self.popitem(last=False)
