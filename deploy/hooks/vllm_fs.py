"""vLLM's fs tier that notes each block it has read in a touch log; see touch_log.py for when that is needed.

Put the folder of this file into PYTHONPATH and name the class in the place of "fs" among the secondary tiers:

    {"type": "TouchedFs", "module_path": "vllm_fs", "root_dir": "/kv-cache/kv/model-cache/models"}

All other fields are those of "fs". Blocks are noted on the threads that read them, so the scheduler waits for nothing.
"""
from touch_log import TouchLog
from vllm.v1.kv_offload.tiering.fs import manager

_log = TouchLog()
_load = manager.batch_load_block


def _load_and_note(paths, *arguments, **named):
    loaded = 0
    try:
        result = _load(paths, *arguments, **named)
        loaded = len(paths)
        return result
    except OSError as error:
        loaded = getattr(error, "num_succeeded", 0)  # those before the one that failed were read
        raise
    finally:
        for path in paths[:loaded]:
            _log.touched(path)


manager.batch_load_block = _load_and_note


class TouchedFs(manager.FileSystemTierManager):
    def shutdown(self):
        super().shutdown()
        _log.flush()
