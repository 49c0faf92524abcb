"""Runs LMCache's own clients, as installed, against the two ports given: a plain listener, one of compat lmcache-resp.

Prints one line a client; ends with the status 1 and a trace where anything is not as it should be.
"""

import asyncio
import os
import select
import sys
import threading
import time

os.environ["LMCACHE_TRACK_USAGE"] = "false"

import torch
from lmcache.utils import CacheEngineKey
from lmcache.v1.config import LMCacheEngineConfig
from lmcache.v1.distributed.api import ObjectKey
from lmcache.v1.distributed.l2_adapters.resp_l2_adapter import RESPL2AdapterConfig, _create_resp_l2_adapter
from lmcache.v1.memory_management import MemoryFormat
from lmcache.v1.metadata import LMCacheMetadata
from lmcache.v1.storage_backend.connector import CreateConnector
from lmcache.v1.storage_backend.local_cpu_backend import LocalCPUBackend

WAIT_SECONDS = 30
MODEL = "tidemark/check"

config = LMCacheEngineConfig.from_defaults(
    chunk_size=16,
    local_cpu=False,
    max_local_cpu_size=0.1,
    save_unfull_chunk=False,
    extra_config={"save_chunk_meta": False, "resp_num_threads": 2},
)
metadata = LMCacheMetadata(MODEL, 1, 1, 0, 0, torch.bfloat16, (4, 2, 16, 2, 64), chunk_size=16)
backend = LocalCPUBackend(config, metadata, dst_device="cpu")
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


def wait(coroutine):
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result(WAIT_SECONDS)


def empty():
    return backend.allocate(metadata.get_shapes(), metadata.get_dtypes(), MemoryFormat.KV_2LTD)


def chunk(seed):
    """A chunk of KV cache, and its bytes."""
    chunk = empty()
    view = torch.frombuffer(chunk.byte_array, dtype=torch.uint8)
    generator = torch.Generator().manual_seed(seed)
    view.copy_(torch.randint(0, 256, view.shape, generator=generator, dtype=torch.uint8))
    return chunk, bytes(chunk.byte_array)


def connector(url, misses):
    """put, exists, get, the batched forms, and a miss where the client can tell one."""
    client = CreateConnector(url, loop, backend, config, metadata)
    seed = len(url)
    keys = [CacheEngineKey(MODEL, 1, 0, seed * 1000 + i, torch.bfloat16) for i in range(5)]
    chunks = [chunk(seed + i) for i in range(4)]
    assert not wait(client.exists(keys[0]))
    wait(client.put(keys[0], chunks[0][0]))
    assert wait(client.exists(keys[0])) and client.exists_sync(keys[0])
    assert bytes(wait(client.get(keys[0])).byte_array) == chunks[0][1]
    wait(client.batched_put(keys[1:4], [made for made, _ in chunks[1:]]))
    assert wait(client.batched_async_contains("lookup", keys)) == 4
    loaded = wait(client.batched_get_non_blocking("lookup", keys[:4]))
    assert [bytes(made.byte_array) for made in loaded] == [data for _, data in chunks]
    if misses:
        assert wait(client.get(keys[4])) is None
    assert not wait(client.exists(keys[4]))
    assert bytes(wait(client.get(keys[2])).byte_array) == chunks[2][1]
    print("ok", type(client.getWrappedConnector() if hasattr(client, "getWrappedConnector") else client).__name__, url)


def task(fd, ask):
    """The answer to a task of an L2 adapter."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        select.select([fd], [], [], 0.05)
    raise TimeoutError("an L2 task has not ended")


def l2_adapter(port):
    """The adapter of `lmcache server`, over the native client: store, look up, load with a miss in the middle."""
    adapter = _create_resp_l2_adapter(RESPL2AdapterConfig("127.0.0.1", port, num_workers=2))
    keys = [ObjectKey(bytes([i] * 32), MODEL, 1) for i in range(4)]
    chunks = [chunk(100 + i) for i in range(4)]
    stored = keys[:2] + keys[3:]
    store = adapter.submit_store_task(stored, [made for made, _ in chunks[:2] + chunks[3:]])
    done = task(adapter.get_store_event_fd(), adapter.pop_completed_store_tasks)
    assert store in done, done
    layout = None
    for _ in range(3):
        lookup = adapter.submit_lookup_and_lock_task(keys, layout)
        found = task(adapter.get_lookup_and_lock_event_fd(), lambda: adapter.query_lookup_and_lock_result(lookup))
        assert [found.test(i) for i in range(4)] == [True, True, False, True]
        targets = [empty() for _ in keys]
        load = adapter.submit_load_task(keys, targets)
        loaded = task(adapter.get_load_event_fd(), lambda: adapter.query_load_result(load))
        assert [loaded.test(i) for i in range(4)] == [True, True, False, True], "a miss is one, and only one"
        for i in (0, 1, 3):
            assert bytes(targets[i].byte_array) == chunks[i][1]
        adapter.submit_unlock(stored)
    print("ok", type(adapter).__name__, port)


plain, compat = int(sys.argv[1]), int(sys.argv[2])
try:
    connector(f"redis://127.0.0.1:{plain}", misses=True)
    connector(f"resp://127.0.0.1:{plain}", misses=False)
    l2_adapter(compat)
except BaseException:
    import traceback

    traceback.print_exc()
    sys.stdout.flush()
    os._exit(1)
sys.stdout.flush()
os._exit(0)
