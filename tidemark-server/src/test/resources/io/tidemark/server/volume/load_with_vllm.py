"""Reads blocks through vLLM's own fs tier with the hook of deploy/hooks: load_with_vllm.py HOOKS ROOT.

Runs the tier's modules of an installed vllm, or of the wheel that VLLM_WHEEL names, with stand-ins for the packages they
would pull in. Stores four blocks, then reads the first, and in another job the second, one that is not there, and the third.
Prints a line for each job: whether it succeeded. Ends with 77 without vllm.
"""
import importlib.util, logging, mmap, os, sys, types

HOOKS, ROOT = sys.argv[1:3]
BLOCK = 4096


def stand_in(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module
    return module


def vllm():
    """The package without what its own start would import."""
    wheel = os.environ.get("VLLM_WHEEL")
    package = None if wheel else importlib.util.find_spec("vllm")
    if not wheel and not package:
        sys.exit(77)
    stand_in("vllm").__path__ = [os.path.join(wheel, "vllm")] if wheel else list(package.submodule_search_locations)
    stand_in("vllm.logger", init_logger=logging.getLogger)
    stand_in("vllm.distributed.kv_transfer.kv_connector.v1.offloading.canonical_mapping", canonical_format_id=str)
    stand_in("vllm.v1.kv_hints", KvHintsEnvelope=object)
    stand_in("torch", Tensor=object)
    stand_in("numpy", ndarray=object, int32=int, array=list)
    stand_in("typing_extensions", override=lambda method: method)


def spec():
    group = types.SimpleNamespace(tokens_per_block=16, layer_names=("layer",))
    config = types.SimpleNamespace(
        groups=[group], canonical_layout=False, replicated_layout=False,
        model=types.SimpleNamespace(name="org/Model-1-8B", dtype="bfloat16"),
        cache=types.SimpleNamespace(tokens_per_hash=16),
        parallel=types.SimpleNamespace(tp_size=1, pp_size=1, pcp_size=1, dcp_size=1, rank=0,
                                       is_parallelism_agnostic=True))
    return types.SimpleNamespace(config=config, blocks_per_chunk=1)


def key(block):
    return bytes([block]) * 32 + bytes(4)


def main():
    vllm()
    sys.path.insert(0, HOOKS)
    import vllm_fs
    from vllm.v1.kv_offload.tiering.base import SecondaryTierManager, TransferJob

    assert issubclass(vllm_fs.TouchedFs, SecondaryTierManager)
    memory = memoryview(mmap.mmap(-1, 8 * BLOCK)).cast("B", (8, BLOCK))
    tier = vllm_fs.TouchedFs(offloading_spec=spec(), primary_kv_view=memory, tier_type="TouchedFs", root_dir=ROOT,
                             n_read_threads=1, n_write_threads=1)

    def run(job, submit, blocks):
        submit(TransferJob(job_id=job, keys=[key(block) for block in blocks], chunk_ids=list(range(len(blocks))),
                           is_promotion=True, req_context=None))
        tier.drain_jobs()
        for result in tier.get_finished_jobs():
            print(result.job_id, result.success, flush=True)

    run(1, tier.submit_store, [0xA0, 0xA1, 0xA2, 0xA3])
    run(2, tier.submit_load, [0xA0])
    run(3, tier.submit_load, [0xA1, 0xB0, 0xA2])
    tier.shutdown()


main()
