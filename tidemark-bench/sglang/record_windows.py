#!/usr/bin/env python3
"""Records what SGLang's unified radix cache answers with sliding-window attention, for tests of Tidemark's prefix tree.

    tidemark-bench/sglang/record_windows.py --cases 60 --first-seed 0 > windows.txt

Random calls from a seed on the unchanged wheel, with its own allocators on the processor; the environment is that of
side_by_side.py. tidemark-index has such a file among its test resources, and RecordedWindowsTest replays it.

One line a call; words before a bar are what was asked, after it what was answered, then tokens or rows:

    C page window policy capacity windowCapacity seed     a new tree
    I namespace protected windowStart priority counted | prefixLength state | tokens
    M namespace | length fullLength state | tokens        match
    L handle namespace | length state | tokens            match and lock
    U handle | state      R handle | state                unlock; give only the window up
    F units | full window state                           evict; what went of either kind
    W units | full window state                           evict of the window
    S | row / row ...                                     nodes, depth first, sorted by namespace and tokens:
                                                          parent locks hits priority hasWindow isLeaf token token ...
    E                                                     the tree is done with

state: evictable and locked units, evictable and locked window units, leaves, nodes, free slots, free window slots.
"""

import argparse
import os
import random
import subprocess
import sys

import side_by_side

POLICIES = ("lru", "lru", "lru", "lfu", "priority", "slru", "fifo")
NAMESPACES = ((None, None), ("lora-a", None), (None, "salt-1"), ("lora-a", "salt-1"))
CALLS = 250
LOCKS = 8
SEQUENCES = 40


class Recorder:
    """One case: a tree, its allocator, and the calls made so far."""

    def __init__(self, api, seed):
        self.api = api
        self.random = random.Random(seed)
        self.page = self.random.choice((1, 1, 2, 4, 8))
        self.window = self.random.choice((1, 3, 4, 8, 13, 16))
        self.capacity = self.page * self.random.choice((60, 120, 200))
        policy = self.random.choice(POLICIES)
        windows = self.random.choice((self.capacity, self.capacity // 2 // self.page * self.page))
        self.vocabulary = self.random.choice((3, 8, 50))
        self.allocator, self.tree = api.tree(self.page, self.window, policy, self.capacity, windows)
        self.core = self.tree.tree_core
        self.sequences = [self.tokens(self.random.randint(1, 6 * self.page + self.window))]
        self.locks = {}
        self.handles = 0
        print("C", self.page, self.window, policy, self.capacity, windows, seed)

    def run(self):
        calls = ((36, self.insert), (52, self.match), (62, self.lock), (68, self.unlock), (72, self.give_up))
        for _ in range(CALLS):
            drawn = self.random.randrange(100)
            call = next((call for below, call in calls if drawn < below), None)
            if call:
                call()
            elif drawn < 86:
                self.evict_some()
            elif drawn > 95:
                self.snapshot()
        for handle in list(self.locks):
            self.end(handle)
        self.snapshot()
        while self.tree.full_evictable_size():
            self.evict(max(1, self.tree.full_evictable_size() // 3), 0)
        self.tree.sanity_check()
        print("E")

    def tokens(self, count):
        return [self.random.randrange(self.vocabulary) for _ in range(count)]

    def sequence(self):
        known = self.random.choice(self.sequences)
        drawn = self.random.random()
        if drawn < 0.35:
            made = list(known)
        elif drawn < 0.7:
            made = known[: self.random.randint(0, len(known))] + self.tokens(self.random.randint(0, 8 * self.page))
        else:
            made = known + self.tokens(self.random.randint(1, 5 * self.page + self.window // 2))
        made = made[: self.capacity // 3]
        if len(self.sequences) < SEQUENCES:
            self.sequences.append(made)
        else:
            self.sequences[self.random.randrange(SEQUENCES)] = made
        return made

    def namespace(self):
        return self.random.choice((0, 0, 0, 1, 2, 3))

    def answer(self, asked, answered, rest=()):
        tree, core, allocator = self.tree, self.core, self.allocator
        state = (
            tree.full_evictable_size(),
            tree.full_protected_size(),
            tree.swa_evictable_size(),
            tree.swa_protected_size(),
            len(core.evictable_device_leaves),
            sum(1 for _ in self.nodes()),
            allocator.full_available_size(),
            allocator.swa_available_size(),
        )
        print(*asked, "|", *answered, *state, *(("|", *rest) if asked[0] in "IML" else ()))

    def nodes(self):
        todo = list(self.core.root_node.children.values())
        while todo:
            node = todo.pop()
            yield node
            todo.extend(node.children.values())

    def insert(self):
        namespace, tokens, protected, handle = self.namespace(), self.sequence(), 0, None
        if self.locks and self.random.random() < 0.4:
            handle = self.random.choice(list(self.locks))
            namespace, known, protected, _ = self.locks[handle]
            if self.random.random() < 0.5:
                tokens = known[:protected] + self.tokens(self.random.randint(0, 3 * self.page + self.window))
            else:
                tokens = known if self.random.random() < 0.7 else known + self.tokens(1) * self.page
        length = len(tokens) // self.page * self.page
        if length < protected:
            return
        start = self.window_start(length)
        if handle is not None and self.locks[handle][3].swa_released:
            start = max(start, protected)
        slots = self.slots_for(length - protected)
        if slots is None:
            return
        if start > protected:
            self.allocator.free_swa(slots[: start - protected].clone())
        if protected:
            path = self.tree.path_device_indices(self.locks[handle][3].node)[:protected]
            slots = self.api.torch.cat([path, slots])
        priority = self.random.randint(0, 4) if self.random.random() < 0.3 else 0
        counted = self.random.randint(0, length) if self.random.random() < 0.2 else 0
        result = self.tree.insert(self.api.insertion(NAMESPACES[namespace], tokens, slots, protected, start, priority, counted))
        self.answer(("I", namespace, protected, start, priority, counted), (result.prefix_len,), tokens)

    def window_start(self, length):
        drawn = self.random.random()
        if drawn < 0.5:
            return 0
        if drawn < 0.8:
            return self.random.randint(0, length // self.page) * self.page
        return max(0, length - self.window) // self.page * self.page

    def slots_for(self, count):
        full = max(0, count - self.allocator.full_available_size())
        window = max(0, count - self.allocator.swa_available_size())
        if full:
            self.evict(full, 0)
        if window:
            self.evict(0, window)
        if min(self.allocator.full_available_size(), self.allocator.swa_available_size()) < count:
            return None
        return self.api.slots(self.allocator, self.page, count)

    def look_up(self, namespace, tokens):
        return self.tree.match_prefix(self.api.lookup(NAMESPACES[namespace], tokens))

    def match(self):
        namespace, tokens = self.namespace(), self.sequence()
        found = self.look_up(namespace, tokens)
        self.answer(("M", namespace), (found.device_prefix_len, found.full_kv_hit_length), tokens)

    def lock(self):
        if len(self.locks) == LOCKS:
            return
        namespace, tokens = self.namespace(), self.sequence()
        found = self.look_up(namespace, tokens)
        self.locks[self.handles] = (namespace, tokens, found.device_prefix_len, self.tree.lock(found.last_device_node))
        self.answer(("L", self.handles, namespace), (found.device_prefix_len,), tokens)
        self.handles += 1

    def unlock(self):
        if self.locks:
            self.end(self.random.choice(list(self.locks)))

    def end(self, handle):
        self.tree.unlock(self.locks.pop(handle)[3])
        self.answer(("U", handle), ())

    def give_up(self):
        if not self.locks:
            return
        handle = self.random.choice(list(self.locks))
        _, _, length, lock = self.locks[handle]
        if length and not lock.swa_released:
            self.tree.release_swa(lock)
            self.answer(("R", handle), ())

    def evict_some(self):
        if self.random.random() < 0.5:
            self.evict(self.random.choice((1, 5, self.page, 3 * self.page, 10 * self.page)), 0)
        else:
            self.evict(0, self.random.choice((1, self.page, 3 * self.page, self.window)))

    def evict(self, full, window):
        gone = self.tree.evict(self.api.eviction(full, window))
        asked = ("F", full) if full else ("W", window)
        self.answer(asked, (gone.num_tokens_evicted, gone.swa_num_tokens_evicted))

    def snapshot(self):
        own = lambda node: list(node.key.token_ids)[: len(node.key)]
        place = lambda node: (NAMESPACES.index((node.key.extra_key, node.key.cache_salt)), own(node))
        children = lambda node: sorted(node.children.values(), key=place, reverse=True)
        rows, todo = [], [(node, -1) for node in children(self.core.root_node)]
        while todo:
            node, parent = todo.pop()
            full, window = node.component_data[self.api.full], node.component_data[self.api.windows]
            leaf = node in self.core.evictable_device_leaves
            row = (parent, full.lock_ref, node.hit_count, node.priority, int(window.value is not None), int(leaf))
            todo.extend((child, len(rows)) for child in children(node))
            rows.append(" ".join(map(str, (*row, *own(node)))))
        print("S |", " / ".join(rows))


class Sglang:
    """What is used of the package."""

    def __init__(self):
        from array import array
        from types import SimpleNamespace

        import torch
        from sglang.srt.mem_cache import base_prefix_cache as calls
        from sglang.srt.mem_cache.allocator.swa import SWATokenToKVPoolAllocator
        from sglang.srt.mem_cache.base_swa_memory_pool import BaseSWAKVPool
        from sglang.srt.mem_cache.cache_init_params import CacheInitParams
        from sglang.srt.mem_cache.radix_cache import RadixKey
        from sglang.srt.mem_cache.unified_cache.component_type import ComponentType
        from sglang.srt.mem_cache.unified_radix_cache import UnifiedRadixCache

        class NoBytes(BaseSWAKVPool):
            """The map between the two kinds of slots, and no values."""

            def __init__(self):
                pass

            def register_mapping(self, mapping):
                self.full_to_swa_index_mapping = mapping

            def translate_loc_from_full_to_swa(self, slots):
                return self.full_to_swa_index_mapping[slots]

        for name in NoBytes.__abstractmethods__:
            setattr(NoBytes, name, lambda self, *args: None)
        NoBytes.__abstractmethods__ = frozenset()
        self.torch, self.calls, self.array, self.radix_key = torch, calls, array, RadixKey
        self.full, self.windows = ComponentType.FULL, ComponentType.SWA
        self.parts = (SWATokenToKVPoolAllocator, NoBytes, UnifiedRadixCache, CacheInitParams, SimpleNamespace)

    def tree(self, page, window, policy, capacity, windows):
        allocator_of, pool_of, tree_of, options_of, namespace_of = self.parts
        allocator = allocator_of(capacity, windows, page, self.torch.bfloat16, "cpu", pool_of(), False)
        options = options_of(
            disable=False,
            req_to_token_pool=namespace_of(req_to_token=None),
            token_to_kv_pool_allocator=allocator,
            page_size=page,
            eviction_policy=policy,
            sliding_window_size=window,
            tree_components=(self.full, self.windows),
            tree_core_backend="python",
        )
        return allocator, tree_of(options)

    def slots(self, allocator, page, count):
        if count == 0:
            return self.torch.empty(0, dtype=self.torch.int64)
        if page == 1:
            return allocator.alloc(count)
        none, all_of_it = self.torch.zeros(1, dtype=self.torch.int64), self.torch.tensor([count])
        return allocator.alloc_extend(none, none, all_of_it, all_of_it, self.torch.tensor([-1]), count)

    def key(self, namespace, tokens):
        return self.radix_key(self.array("q", tokens), extra_key=namespace[0], cache_salt=namespace[1])

    def lookup(self, namespace, tokens):
        return self.calls.MatchPrefixParams(key=self.key(namespace, tokens))

    def eviction(self, full, window):
        return self.calls.EvictParams(num_tokens=full, swa_num_tokens=window)

    def insertion(self, namespace, tokens, slots, protected, start, priority, counted):
        return self.calls.InsertParams(
            key=self.key(namespace, tokens),
            value=slots,
            prev_prefix_len=protected,
            component_evicted_seqlens={self.windows: start},
            priority=priority,
            inserted_len=counted,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--env", default=os.path.expanduser("~/.cache/tidemark/sglang-" + side_by_side.VERSION))
    parser.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.within:
        python = side_by_side.prepare(options.env)
        words = [python, os.path.abspath(__file__), *sys.argv[1:], "--within"]
        sys.exit(subprocess.run(words).returncode)
    os.environ.setdefault("SGLANG_RUST_BUILD_MODE", "never")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    side_by_side.make_importable(os.path.join(options.env, "sglang-wheel"))
    api = Sglang()
    for seed in range(options.first_seed, options.first_seed + options.cases):
        Recorder(api, seed).run()


if __name__ == "__main__":
    main()
