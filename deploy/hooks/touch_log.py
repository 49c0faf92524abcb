"""Tells Tidemark which blocks an engine has read from a shared volume.

Where reads do not move the access time (noatime, relatime, many network file systems), call touched() with the path of
each block file after it was loaded. Lines go to <rank directory>/tidemark-touch.log in one append per batch: when it is
full, a few seconds after the first of it, and when the process ends (not when a signal ends it that Python does not
handle: then the last seconds are lost). A failure to write never costs a request; the first of each directory is logged.
"""
import errno
import logging
import os
import threading
import time
from multiprocessing import util


class TouchLog:
    def __init__(self, batch=256, seconds=5.0):
        self._batch, self._seconds, self._told = batch, seconds, set()
        self._begin()

    def _begin(self):
        self._pid, self._lock, self._waiting, self._timer = os.getpid(), threading.Lock(), {}, None
        util.Finalize(None, self.flush, exitpriority=0)  # unlike atexit, in worker processes too

    def touched(self, block_path):
        """block_path: <rank directory>/<hhh>/<hh>_g<group>/<hash>.bin"""
        if self._pid != os.getpid():  # forked: what waits is the parent's, and so is the timer
            self._begin()
        leaf, name = os.path.split(block_path)
        rank = os.path.dirname(os.path.dirname(leaf))
        with self._lock:
            self._waiting.setdefault(rank, {})[name.split(".", 1)[0]] = int(time.time())
            full = sum(map(len, self._waiting.values())) >= self._batch
            if not full and self._timer is None:
                self._timer = threading.Timer(self._seconds, self.flush)
                self._timer.daemon = True
                self._timer.start()
        if full:
            self.flush()

    def flush(self):
        """Writes what waits."""
        if self._pid != os.getpid():
            return
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        for rank, touches in waiting.items():
            lines = "".join(f"{block} {at}\n" for block, at in touches.items())
            try:
                fd = os.open(os.path.join(rank, "tidemark-touch.log"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o664)
                try:
                    os.write(fd, lines.encode())
                finally:
                    os.close(fd)
            except OSError as error:
                self._tell(rank, error)

    def _tell(self, rank, error):
        gone = error.errno == errno.ENOENT  # the evictor removes what is empty
        if not gone and rank not in self._told:
            self._told.add(rank)
            logging.getLogger(__name__).warning(
                "no touch log in %s: %s; blocks read there look unused and go in the order they were written", rank, error
            )
