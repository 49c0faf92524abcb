"""Writes blocks where vLLM's own FileMapper says: write_with_vllm.py ROOT COUNT.

Runs the one module of an installed vllm, or of the wheel that VLLM_WHEEL names, without the packages it would pull in:
of those it needs the two functions that take a key apart (hash, then four bytes of group). Ends with 77 without vllm.
"""
import hashlib, importlib.util, json, os, sys, types, zipfile

MODULE = "vllm/v1/kv_offload/file_mapper.py"


def source():
    wheel = os.environ.get("VLLM_WHEEL")
    if wheel:
        return zipfile.ZipFile(wheel).read(MODULE).decode()
    package = importlib.util.find_spec("vllm")
    path = package and os.path.join(package.submodule_search_locations[0], os.path.relpath(MODULE, "vllm"))
    if not path or not os.path.exists(path):
        sys.exit(77)
    with open(path) as file:
        return file.read()


def stand_in(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


def main():
    root, count = sys.argv[1], int(sys.argv[2])
    text = source()
    stand_in("vllm.v1.kv_offload.base", OffloadingSpec=object, OffloadKey=bytes,
             get_offload_block_hash=lambda key: key[:-4],
             get_offload_group_idx=lambda key: int.from_bytes(key[-4:], "big"))
    stand_in("vllm.distributed.kv_transfer.kv_connector.v1.offloading.canonical_mapping", canonical_format_id=str)
    scope = {}
    exec(compile(text, MODULE, "exec"), scope)
    for rank in range(2):
        mapper = scope["FileMapper"](root_dir=root, model_name="org/Model-1-8B", tokens_per_hash=16, blocks_per_file=16,
                                     tp_size=2, pp_size=1, pcp_size=1, dcp_size=1, rank=rank, dtype="bfloat16")
        os.makedirs(os.path.dirname(mapper.get_config_file_path()), exist_ok=True)
        with open(mapper.get_config_file_path(), "w") as file:
            json.dump(mapper.get_run_config(), file)
        for block in range(count // 2):
            key = hashlib.sha256(f"{rank} {block}".encode()).digest() + (block % 2).to_bytes(4, "big")
            path = mapper.get_file_name(key)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(bytes(4096))
            os.utime(path, (1_700_000_000 + block, 1_700_000_000 + block))


main()
