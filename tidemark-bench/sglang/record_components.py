#!/usr/bin/env python3
"""Records what SGLang's unified radix cache answers with a component beside full attention, for tests of Tidemark's tree.

    tidemark-bench/sglang/record_components.py windows --cases 40 --first-seed 0 > windows.txt
    tidemark-bench/sglang/record_components.py states > states.txt

Windows are those of sliding-window attention, states those of Mamba.
Random calls from a seed on the unchanged wheel, with its own allocators on the processor; the environment is that of
side_by_side.py. tidemark-index has such files among its test resources, and RecordedComponentsTest replays them.

One line a call; words before a bar are what was asked, after it what was answered, then tokens or rows:

    C page window policy capacity slots seed              a new tree; window 0: states; slots of the component
    I namespace protected windowStart priority counted | prefixLength stateKept sums | tokens
    M namespace | length fullLength sums | tokens         match
    L handle namespace | length sums | tokens             match and lock
    U handle | sums       R handle | sums                 unlock; give only the component up
    F units | full component sums                         evict; what went of either kind
    W units | full component sums                         evict of the component
    S | row / row ...                                     nodes, depth first, sorted by namespace and tokens:
                                                          parent locks hits priority hasValue isLeaf token token ...
    E                                                     the tree is done with

sums: evictable and locked units, evictable and locked values of the component (states: all, and 0), leaves, nodes, free
slots, free slots of the component.
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
        self.page, self.window = api.shape(self.random)
        self.capacity = self.page * self.random.choice((60, 120, 200))
        policy = self.random.choice(POLICIES)
        slots = api.component_slots(self.random, self.page, self.capacity)
        self.vocabulary = self.random.choice((3, 8, 50))
        self.tree = api.tree(self.page, self.window, policy, self.capacity, slots)
        self.core = self.tree.tree_core
        self.sequences = [self.tokens(self.random.randint(1, 6 * self.page + self.window))]
        self.locks = {}
        self.handles = 0
        print("C", self.page, self.window, policy, self.capacity, slots, seed)

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
        sums = (
            self.tree.full_evictable_size(),
            self.tree.full_protected_size(),
            *self.api.component_sums(),
            len(self.core.evictable_device_leaves),
            sum(1 for _ in self.nodes()),
            *self.api.free(),
        )
        print(*asked, "|", *answered, *sums, *(("|", *rest) if asked[0] in "IML" else ()))

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
        start = self.window_start(length) if self.window else 0
        if handle is not None and self.locks[handle][3].swa_released:
            start = max(start, protected)
        full, component = self.api.missing(length - protected)
        if full:
            self.evict(full, 0)
        if component:
            self.evict(0, component)
        if length == 0 or any(self.api.missing(length - protected)):
            return
        node = self.locks[handle][3].node if protected else None
        priority = self.random.randint(0, 4) if self.random.random() < 0.3 else 0
        counted = self.random.randint(0, length) if self.random.random() < 0.2 else 0
        answered = self.api.insert(NAMESPACES[namespace], tokens, length, node, protected, start, priority, counted)
        self.answer(("I", namespace, protected, start, priority, counted), answered, tokens)

    def window_start(self, length):
        drawn = self.random.random()
        if drawn < 0.5:
            return 0
        if drawn < 0.8:
            return self.random.randint(0, length // self.page) * self.page
        return max(0, length - self.window) // self.page * self.page

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
        if self.window and length and not lock.swa_released:
            self.tree.release_swa(lock)
            self.answer(("R", handle), ())

    def evict_some(self):
        if self.random.random() < 0.5:
            self.evict(self.random.choice((1, 5, self.page, 3 * self.page, 10 * self.page)), 0)
        else:
            self.evict(0, self.random.choice((1, self.page, 3 * self.page, max(1, self.window))))

    def evict(self, full, component):
        asked = ("F", full) if full else ("W", component)
        self.answer(asked, self.api.evict(full, component))

    def snapshot(self):
        own = lambda node: list(node.key.token_ids)[: len(node.key)]
        place = lambda node: (NAMESPACES.index((node.key.extra_key, node.key.cache_salt)), own(node))
        children = lambda node: sorted(node.children.values(), key=place, reverse=True)
        rows, todo = [], [(node, -1) for node in children(self.core.root_node)]
        while todo:
            node, parent = todo.pop()
            full, component = node.component_data[self.api.full], node.component_data[self.api.component]
            leaf = node in self.core.evictable_device_leaves
            row = (parent, full.lock_ref, node.hit_count, node.priority, int(component.value is not None), int(leaf))
            todo.extend((child, len(rows)) for child in children(node))
            rows.append(" ".join(map(str, (*row, *own(node)))))
        print("S |", " / ".join(rows))


class Sglang:
    """What is used of the package; one tree at a time."""

    def __init__(self):
        from array import array

        import torch
        from sglang.srt.mem_cache import base_prefix_cache
        from sglang.srt.mem_cache.cache_init_params import CacheInitParams
        from sglang.srt.mem_cache.radix_cache import RadixKey
        from sglang.srt.mem_cache.unified_cache.component_type import ComponentType
        from sglang.srt.mem_cache.unified_radix_cache import UnifiedRadixCache

        self.torch, self.calls, self.array, self.radix_key = torch, base_prefix_cache, array, RadixKey
        self.full, self.kinds = ComponentType.FULL, ComponentType
        self.tree_of, self.options_of = UnifiedRadixCache, CacheInitParams

    def made(self, page, policy, **rest):
        self.page = page
        self.current = self.tree_of(
            self.options_of(
                disable=False,
                token_to_kv_pool_allocator=self.allocator,
                page_size=page,
                eviction_policy=policy,
                tree_components=(self.full, self.component),
                tree_core_backend="python",
                **rest,
            )
        )
        return self.current

    def key(self, namespace, tokens):
        return self.radix_key(self.array("q", tokens), extra_key=namespace[0], cache_salt=namespace[1])

    def lookup(self, namespace, tokens):
        return self.calls.MatchPrefixParams(key=self.key(namespace, tokens))

    def path_and(self, node, protected, fresh):
        if node is None:
            return fresh
        return self.torch.cat([self.current.path_device_indices(node)[:protected], fresh])

    def give(self, namespace, tokens, slots, protected, priority, counted, **rest):
        return self.current.insert(
            self.calls.InsertParams(
                key=self.key(namespace, tokens),
                value=slots,
                prev_prefix_len=protected,
                priority=priority,
                inserted_len=counted,
                **rest,
            )
        )


class Windows(Sglang):
    """Sliding-window attention: a second slot a token, and a map between the two kinds."""

    def __init__(self):
        super().__init__()
        from sglang.srt.mem_cache.allocator.swa import SWATokenToKVPoolAllocator
        from sglang.srt.mem_cache.base_swa_memory_pool import BaseSWAKVPool

        class NoBytes(BaseSWAKVPool):
            """The map, and no values."""

            def __init__(self):
                pass

            def register_mapping(self, mapping):
                self.full_to_swa_index_mapping = mapping

            def translate_loc_from_full_to_swa(self, slots):
                return self.full_to_swa_index_mapping[slots]

        for name in NoBytes.__abstractmethods__:
            setattr(NoBytes, name, lambda self, *args: None)
        NoBytes.__abstractmethods__ = frozenset()
        self.component = self.kinds.SWA
        self.allocator_of, self.pool_of = SWATokenToKVPoolAllocator, NoBytes

    def shape(self, drawn):
        return drawn.choice((1, 1, 2, 4, 8)), drawn.choice((1, 3, 4, 8, 13, 16))

    def component_slots(self, drawn, page, capacity):
        return drawn.choice((capacity, capacity // 2 // page * page))

    def tree(self, page, window, policy, capacity, slots):
        from types import SimpleNamespace

        rows = SimpleNamespace(req_to_token=None)
        self.allocator = self.allocator_of(capacity, slots, page, self.torch.bfloat16, "cpu", self.pool_of(), False)
        return self.made(page, policy, req_to_token_pool=rows, sliding_window_size=window)

    def component_sums(self):
        return self.current.swa_evictable_size(), self.current.swa_protected_size()

    def free(self):
        return self.allocator.full_available_size(), self.allocator.swa_available_size()

    def missing(self, count):
        return [max(0, count - free) for free in self.free()]

    def insert(self, namespace, tokens, length, node, protected, start, priority, counted):
        fresh = self.slots(length - protected)
        if start > protected:
            self.allocator.free_swa(fresh[: start - protected].clone())
        slots = self.path_and(node, protected, fresh)
        starts = {self.component: start}
        done = self.give(namespace, tokens, slots, protected, priority, counted, component_evicted_seqlens=starts)
        return done.prefix_len, 0

    def slots(self, count):
        if count == 0:
            return self.torch.empty(0, dtype=self.torch.int64)
        if self.page == 1:
            return self.allocator.alloc(count)
        none, all_of_it = self.torch.zeros(1, dtype=self.torch.int64), self.torch.tensor([count])
        return self.allocator.alloc_extend(none, none, all_of_it, all_of_it, self.torch.tensor([-1]), count)

    def evict(self, full, component):
        gone = self.current.evict(self.calls.EvictParams(num_tokens=full, swa_num_tokens=component))
        return gone.num_tokens_evicted, gone.swa_num_tokens_evicted


class States(Sglang):
    """Mamba: one state a request, given with its end. Pages of one token, as upstream wants without extra buffers."""

    def __init__(self):
        super().__init__()
        from types import SimpleNamespace

        from sglang.srt.mem_cache.allocator import TokenToKVPoolAllocator
        from sglang.srt.mem_cache.memory_pool import HybridReqToTokenPool
        from sglang.srt.mem_cache.unified_cache.components import mamba

        class NoRows(HybridReqToTokenPool):
            """The allocator of states, and no rows of requests."""

            def __init__(self, allocator):
                self.mamba_allocator = allocator

        mamba.mamba_cache_chunk_size = lambda: 1  # of a server's settings, which are not there
        mamba.mamba_checkpoint_grid = lambda page: 1
        mamba.get_exec = lambda: SimpleNamespace(mamba=SimpleNamespace(mamba_max_states_per_path=-1))
        self.component = self.kinds.MAMBA
        self.allocator_of, self.pool_of = TokenToKVPoolAllocator, NoRows

    def shape(self, drawn):
        return 1, 0

    def component_slots(self, drawn, page, capacity):
        return drawn.choice((4, 9, 30))

    def tree(self, page, window, policy, capacity, slots):
        self.allocator = self.allocator_of(capacity, self.torch.bfloat16, "cpu", None, False)
        self.states = self.allocator_of(slots, self.torch.bfloat16, "cpu", None, False)
        return self.made(page, policy, req_to_token_pool=self.pool_of(self.states))

    def component_sums(self):
        return self.current.mamba_evictable_size() + self.current.mamba_protected_size(), 0

    def free(self):
        return self.allocator.available_size(), self.states.available_size()

    def missing(self, count):
        return max(0, count - self.allocator.available_size()), max(0, 1 - self.states.available_size())

    def insert(self, namespace, tokens, length, node, protected, start, priority, counted):
        fresh = self.allocator.alloc(length - protected)
        slots = self.path_and(node, protected, fresh)
        state = self.states.alloc(1)
        done = self.give(namespace, tokens, slots, protected, priority, counted, mamba_value=state)
        if done.mamba_exist:
            self.states.free(state)
        return done.prefix_len, int(not done.mamba_exist)

    def evict(self, full, component):
        gone = self.current.evict(self.calls.EvictParams(num_tokens=full, mamba_num=component))
        return gone.num_tokens_evicted, gone.mamba_num_evicted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("component", choices=("windows", "states"))
    parser.add_argument("--cases", type=int, default=40)
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
    api = Windows() if options.component == "windows" else States()
    for seed in range(options.first_seed, options.first_seed + options.cases):
        Recorder(api, seed).run()


if __name__ == "__main__":
    main()
