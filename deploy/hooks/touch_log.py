"""Tells Tidemark which blocks an engine has read from a shared volume.

Where reads do not move the access time (noatime, relatime, many network file systems), call touched() with the path of
each block file after it was loaded. Lines go to <rank directory>/tidemark-touch.log in one append per batch; a failure
to write is ignored, because it must never cost a request.
"""
import os
import threading
import time


class TouchLog:
    def __init__(self, batch=256, seconds=5.0):
        self._batch, self._seconds = batch, seconds
        self._lock, self._waiting, self._since = threading.Lock(), {}, time.monotonic()

    def touched(self, block_path):
        """block_path: <rank directory>/<hhh>/<hh>_g<group>/<hash>.bin"""
        leaf, name = os.path.split(block_path)
        rank = os.path.dirname(os.path.dirname(leaf))
        with self._lock:
            self._waiting.setdefault(rank, {})[name.split(".", 1)[0]] = int(time.time())
            full = sum(map(len, self._waiting.values())) >= self._batch
            if not full and time.monotonic() - self._since < self._seconds:
                return
            waiting, self._waiting, self._since = self._waiting, {}, time.monotonic()
        for rank, touches in waiting.items():
            lines = "".join(f"{block} {at}\n" for block, at in touches.items())
            try:
                fd = os.open(os.path.join(rank, "tidemark-touch.log"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o664)
                try:
                    os.write(fd, lines.encode())
                finally:
                    os.close(fd)
            except OSError:
                pass
