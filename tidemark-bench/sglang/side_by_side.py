#!/usr/bin/env python3
"""Times SGLang's unified radix cache and Tidemark's prefix tree on the same calls, in one go.

    tidemark-bench/sglang/side_by_side.py [--sequences 5000,20000] [--cores python,rust] [--steps 300]

The first run installs SGLang's wheel and what its import asks for from the package registry into --env (about 6 GB,
most of it torch). Needs Python 3.11; ./tidemark builds itself. Nothing of SGLang is changed: GPU packages that a
machine without one lacks are stood in for by empty modules. Both sides draw the same sequences from the
same random numbers (those of java.util.Random), with the collectors of both languages on. Not part of any test.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import venv
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
VERSION = "0.5.23"
NEEDS = (
    "torch==2.14.1 numpy transformers==5.19.0 psutil pybase64 orjson pydantic msgspec pyzmq requests aiohttp fastapi"
    " uvicorn pillow einops partial_json_parser python-multipart prometheus_client setproctitle packaging tqdm"
    " apache-tvm-ffi dill openai"
).split()
STAND_INS = set(
    "sgl_kernel flashinfer tilelang deep_gemm deep_ep torch_memory_saver outlines llguidance torchaudio torchvision"
    " torchcodec torchao soundfile decord decord2 av modelscope compressed_tensors gguf hf_transfer uvloop watchfiles"
    " blobfile timm IPython ninja cuda nvidia pynvml py_spy sentencepiece build smg_grpc_servicer grpc grpc_tools"
    " mistral_common kernels flash_attn quack nvtx zstandard cutlass distro requests_toolbelt fastokens datasets"
    " sgl_flash_mla flash_mla mooncake nixl msgpack xxhash opentelemetry kt_kernel pandas pyarrow".split()
)
OPERATIONS = "evict,prefill,match,insert,lock,finish"
VOCABULARY = 32_000
CHUNK = 128
STEP_TOKENS = 64
PREFILL_TOKENS = 20_000
IN_FLIGHT = 16


class JavaRandom:
    """The numbers of java.util.Random, so that both sides draw alike."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self, count):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> (48 - count)

    def below(self, bound):
        drawn = self.bits(31)
        if bound & (bound - 1) == 0:
            return (bound * drawn) >> 31
        while drawn - drawn % bound + bound - 1 >= 1 << 31:
            drawn = self.bits(31)
        return drawn % bound


def sequences(count, seed):
    """As io.tidemark.bench.index.Sequences: half grow from an earlier one, half fan out; in random order."""
    random = JavaRandom(seed)
    made = [[1 + random.below(VOCABULARY)] * (CHUNK // 4)]

    def grow(parent):
        # the order of the draws is that of the Java side: how many, then which token
        more = 1 + random.below(CHUNK)
        made.append(made[parent] + [1 + random.below(VOCABULARY)] * more)

    for _ in range(count // 2):
        grow(random.below(len(made)))
    while len(made) <= count:
        fan = min(2 + random.below(9), count + 1 - len(made))
        parent = random.below(len(made))
        for _ in range(fan):
            grow(parent)
    order = [0] * len(made)
    for i in range(len(made)):
        other = random.below(i + 1)
        order[i] = order[other]
        order[other] = i
    return [made[place] for place in order]


def prepare(env):
    """Makes the environment on first use; answers its Python."""
    python = os.path.join(env, "bin", "python")
    ready = os.path.join(env, "ready-" + VERSION)
    if os.path.exists(ready):
        return python
    print(f"installing sglang {VERSION} and torch into {env} (once) ...", file=sys.stderr)
    venv.create(env, with_pip=True)
    run = lambda *words: subprocess.run([python, "-m", "pip", "-q", *words], check=True)
    run("install", *NEEDS)
    run("download", "--no-deps", "-d", env, "sglang==" + VERSION)
    wheel = next(name for name in os.listdir(env) if name.startswith("sglang-") and name.endswith(".whl"))
    with zipfile.ZipFile(os.path.join(env, wheel)) as archive:
        archive.extractall(os.path.join(env, "sglang-wheel"))
    open(ready, "w").close()
    return python


def stand_in_for_gpu_packages():
    import importlib.abc
    import importlib.machinery
    import types

    class Anything:
        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            return Anything()

        def __call__(self, *args, **kwargs):
            decorates = len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], Anything)
            return args[0] if decorates else Anything()

        def __getitem__(self, key):
            return self

        def __or__(self, other):
            return self

        __ror__ = __or__

        def __iter__(self):
            return iter(())

        def __bool__(self):
            return False

        def __mro_entries__(self, bases):
            return ()

    class Empty(types.ModuleType):
        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            return Anything()

    class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] not in STAND_INS:
                return None
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

        def create_module(self, spec):
            module = Empty(spec.name)
            module.__path__ = []
            return module

        def exec_module(self, module):
            pass

    sys.meta_path.append(Finder())


def make_importable(wheel):
    """Makes the wheel's modules importable in this process, with one thread for torch."""
    sys.path.insert(0, wheel)
    import transformers.image_utils  # real ones first: they look for optional packages
    import transformers.processing_utils
    from transformers import AutoConfig, AutoModel, AutoProcessor, AutoTokenizer  # noqa: F401

    stand_in_for_gpu_packages()
    import torch

    torch.set_num_threads(1)


class SglangTree:
    """One tree with an allocator on the processor. Most slots wait in a reserve: the allocator copies its free list."""

    def __init__(self, core, slots):
        from types import SimpleNamespace

        import torch
        from sglang.srt.mem_cache.allocator import TokenToKVPoolAllocator
        from sglang.srt.mem_cache.cache_init_params import CacheInitParams
        from sglang.srt.mem_cache.unified_cache.component_type import ComponentType
        from sglang.srt.mem_cache.unified_radix_cache import UnifiedRadixCache

        self.torch = torch
        self.allocator = TokenToKVPoolAllocator(slots, torch.bfloat16, "cpu", None, False)
        self.reserve = self.allocator.alloc(slots)
        self.reserved = slots
        self.requests = SimpleNamespace(req_to_token=None)
        self.tree = UnifiedRadixCache(
            CacheInitParams(
                disable=False,
                req_to_token_pool=self.requests,
                token_to_kv_pool_allocator=self.allocator,
                page_size=1,
                eviction_policy="lru",
                tree_components=(ComponentType.FULL,),
                tree_core_backend=core,
            )
        )

    def key(self, tokens):
        from array import array

        from sglang.srt.mem_cache.radix_cache import RadixKey

        return RadixKey(array("q", tokens))

    def slots(self, count):
        got = self.allocator.alloc(count)
        while got is None:
            take = min(max(8_192, count), self.reserved)
            self.reserved -= take
            self.allocator.free(self.reserve[self.reserved : self.reserved + take].clone())
            got = self.allocator.alloc(count)
        return got

    def insert(self, tokens):
        from sglang.srt.mem_cache.base_prefix_cache import InsertParams

        self.tree.insert(InsertParams(key=self.key(tokens), value=self.slots(len(tokens))))

    def match(self, tokens):
        from sglang.srt.mem_cache.base_prefix_cache import MatchPrefixParams

        return self.tree.match_prefix(MatchPrefixParams(key=self.key(tokens)))

    def evict(self, tokens):
        from sglang.srt.mem_cache.base_prefix_cache import EvictParams

        return self.tree.evict(EvictParams(num_tokens=tokens))


class Timed:
    def __init__(self):
        self.micros = []

    def __call__(self, call, *args):
        start = time.perf_counter_ns()
        result = call(*args)
        self.micros.append((time.perf_counter_ns() - start) / 1e3)
        return result

    def summary(self):
        ordered = sorted(self.micros)
        return {
            "calls": len(ordered),
            "p50": statistics.median(ordered),
            "mean": statistics.fmean(ordered),
            "p99": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))],
        }


def measure(core, count, steps):
    """All operations on one core of SGLang; prints one JSON object a row."""
    drawn = sequences(count, 42)
    longest = max(map(len, drawn))
    slots = 4_000_000

    def filled(part):
        tree = SglangTree(core, slots)
        for tokens in drawn[:part]:
            tree.insert(tokens)
        return tree

    def row(operation, timed):
        print(json.dumps({"op": operation, "core": core, **timed.summary()}), flush=True)

    tree = filled(len(drawn))
    random = JavaRandom(7)
    evicting, inserting = Timed(), Timed()
    for step in range(steps + steps // 10):
        fresh = [1 + random.below(VOCABULARY) for _ in range(STEP_TOKENS)]
        if step == steps // 10:
            evicting, inserting = Timed(), Timed()
        evicting(tree.evict, STEP_TOKENS)
        inserting(tree.insert, fresh)
    row("evict(64)", evicting)
    row("insert(64)", inserting)

    tree = filled(len(drawn))
    prefill = Timed()
    while tree.tree.evictable_size() > 0 and len(prefill.micros) < steps:
        prefill(tree.evict, PREFILL_TOKENS)
    row("evict(20K)", prefill)

    known = count // 2
    tree = filled(known)
    random = JavaRandom(123)
    matching = Timed()
    for _ in range(min(count, steps * 10)):
        kind = random.below(3)
        query = [] if kind == 2 else drawn[random.below(known)]
        more = 0 if kind == 0 else 10 + random.below(90) if kind == 1 else 50 + random.below(250)
        matching(tree.match, query + [1 + random.below(VOCABULARY)] * more)
    row("match", matching)

    tree = SglangTree(core, slots)
    inserting = Timed()
    for tokens in drawn:
        inserting(tree.insert, tokens)
    row("insert", inserting)

    tree = filled(known)
    ends = [tree.match(tokens).last_device_node for tokens in drawn[:known]]
    random = JavaRandom(99)
    locking = Timed()
    for _ in range(min(known, steps * 10)):
        locking(lambda node: tree.tree.unlock(tree.tree.lock(node)), ends[random.below(known)])
    row("lock+unlock", locking)

    row("finish", finish(SglangTree(core, slots), drawn, longest))


def finish(tree, drawn, longest):
    """Ends of requests, 16 in flight: checkpoint into the tree, then unlock. Admission is not timed."""
    from array import array
    from types import SimpleNamespace

    torch = tree.torch
    row = torch.zeros((1, longest + 16), dtype=torch.int32)
    tree.requests.req_to_token = row
    tree.requests.write = lambda index, values: row.__setitem__(index, values.to(torch.int32))
    running, timed = [], Timed()

    def end(request):
        tree.tree.checkpoint_into_tree(request, up_to=len(request.full_untruncated_fill_ids))
        tree.tree.unlock(request.lock)

    for number, tokens in enumerate(drawn):
        if len(running) == IN_FLIGHT:
            request, held = running.pop(0)
            row[0, : len(held)] = held.to(torch.int32)
            timed(end, request)
        found = tree.match(tokens)
        lock = tree.tree.lock(found.last_device_node)
        missing = len(tokens) - found.device_prefix_len
        own = tree.slots(missing) if missing else torch.empty(0, dtype=torch.int64)
        held = torch.cat([tree.tree.path_device_indices(found.last_device_node), own])
        kv = SimpleNamespace(req_pool_idx=0, cache_protected_len=found.device_prefix_len, cache_inserted_len=0)
        request = SimpleNamespace(
            rid=number,
            finished=lambda: True,
            full_untruncated_fill_ids=array("q", tokens),
            origin_input_ids=array("q", tokens),
            kv=kv,
            priority=0,
            session_id=None,
            kv_rotation_base=None,
            extra_key=None,
            cache_salt=None,
            lock=lock,
            last_node=found.last_device_node,
            finished_reason=None,
            session=None,
        )
        running.append((request, held))
    return timed


def sglang_rows(python, env, core, count, steps):
    words = [python, os.path.abspath(__file__), "--measure", core, "--sequences", str(count), "--steps", str(steps)]
    wheel = os.path.join(env, "sglang-wheel")
    settings = dict(os.environ, SGLANG_WHEEL=wheel, CUDA_VISIBLE_DEVICES="", SGLANG_RUST_BUILD_MODE="never")
    done = subprocess.run(words, env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"SGLang's {core} core failed:\n{done.stderr[-2000:]}")
    return {row["op"]: row for row in map(json.loads, filter(lambda line: line[:1] == "{", done.stdout.splitlines()))}


def tidemark_rows(count, steps):
    words = [os.path.join(ROOT, "tidemark"), "bench", "index", "--json", "--sequences", str(count)]
    done = subprocess.run(
        words + ["--steps", str(steps), "--what", OPERATIONS], stdout=subprocess.PIPE, text=True, check=True
    )
    rows = {}
    for fields in map(json.loads, done.stdout.splitlines()):
        times = {name: fields[name + "Nanos"] / 1e3 for name in ("p50", "mean", "p99")}
        rows[fields["op"]] = {"calls": fields["calls"], "leaves": fields["leaves"], **times}
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sequences", default="5000,20000", help="sizes of the trees")
    parser.add_argument("--cores", default="python,rust", help="SGLang's cores to time")
    parser.add_argument("--steps", type=int, default=300, help="timed calls of the stepped operations")
    parser.add_argument("--env", default=os.path.expanduser("~/.cache/tidemark/sglang-" + VERSION))
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        make_importable(os.environ["SGLANG_WHEEL"])
        measure(options.measure, int(options.sequences), options.steps)
        return
    python = prepare(options.env)
    cores = options.cores.split(",")
    print(f"load {os.getloadavg()[0]:.1f}; microseconds, p50 / mean / p99; collectors on")
    for count in map(int, options.sequences.split(",")):
        sides = {core: sglang_rows(python, options.env, core, count, options.steps) for core in cores}
        ours = tidemark_rows(count, options.steps)
        print(f"\n{count} sequences, {ours['evict(64)']['leaves']} leaves")
        names = ["SGLang " + core for core in cores] + ["Tidemark"]
        print(f"{'operation':<30}" + "".join(f"{name:>30}" for name in names))
        for operation, own in ours.items():
            cells = [sides[core].get(operation) for core in cores] + [own]
            text = [f"{c['p50']:.1f} / {c['mean']:.1f} / {c['p99']:.1f}" if c else "-" for c in cells]
            print(f"{operation:<30}" + "".join(f"{cell:>30}" for cell in text), flush=True)


if __name__ == "__main__":
    main()
