"""How fast attn is, beside its peers: `python benchmarks/attention.py`.

Everything runs in one process on one thread, peers in turn; times are CPU times. A ratio holds for
the environment that is printed with it. OPENBLAS_CORETYPE, where it is set, decides which kernels
NumPy multiplies with, and can halve their speed: then the first group runs again without it.
Torch multiplies with MKL, which takes AVX2 on AMD's processors and AVX-512 on Intel's: a ratio to
torch that was measured on one says little about the other.

Results go to ``lib/attnlab/speed/attention.json``, from where the book shows them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import attention_timing as timing

timing.one_thread()

import attention_cases as cases
import numpy as np
import torch

import attn

RESULTS = Path(__file__).parents[1] / "lib" / "attnlab" / "speed" / "attention.json"
#: Group: what it runs, sizes and repeats, the sizes of --quick, and the package it needs.
GROUPS: dict[str, tuple[Callable[[int], cases.Case], dict[int, int], tuple[int, ...], str]] = {
    "small": (cases.small, {4: 30}, (4,), "numpy"),
    "dense": (cases.dense, {128: 200, 512: 40, 2048: 8, 8192: 3}, (128, 256), "torch"),
    "backward": (cases.backward, {512: 20, 2048: 6}, (64,), "torch"),
    "local": (cases.local, {8192: 5, 32768: 3, 131072: 3}, (512, 1024), "transformers"),
    "lsh": (cases.lsh, {2048: 10, 8192: 5, 32768: 3}, (256, 512), "transformers"),
    "additive": (cases.additive_scores, {1024: 5}, (64,), "torch"),
}
#: What is to be reached: group, size, our peer, the peer it is divided by, at most.
GOALS = (
    ("small", 4, "scaled_dot_product_attention", "NumPy, as the formula reads", 2.0),
    ("dense", 2048, "scaled_dot_product_attention", "torch SDPA", 1.15),
    ("dense", 8192, "blockwise", "torch SDPA", 1.0),
    ("dense", 8192, "blockwise, causal", "blockwise", 0.6),
    ("local", 8192, "sliding_window_attention", "HF Longformer", 0.25),
    ("local", 131072, "sliding_window_attention", "HF Longformer", 0.25),
    ("lsh", 32768, "lsh_attention", "HF Reformer", 0.33),
    ("additive", 1024, "in blocks", "as the formula reads", 0.5),
    ("backward", 2048, "attn.torch", "torch SDPA", 1.05),
)
EXPONENTS = (("local", "sliding_window_attention", 1.10), ("lsh", "lsh_attention", 1.2))


def main() -> None:
    """Measure, print, and store."""
    options = parser().parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    if options.memory:
        print(timing.peak_beyond(memory_peer(options.memory, options.tokens)))
        return
    print_environment(environment := timing.environment())
    wanted = options.only or list(GROUPS)
    groups = {name: measured(name, options.quick, alone=bool(options.only)) for name in wanted}
    result = {"environment": environment, "groups": groups, "memory": {}}
    if not options.only:
        result["memory"] = memory(512 if options.quick else 8192)
        result["import seconds"] = timing.import_seconds("attn", beyond="numpy")
        if os.environ.get("OPENBLAS_CORETYPE"):
            name = "without OPENBLAS_CORETYPE"
            result[name] = {"dense": elsewhere("dense", options.quick, "OPENBLAS_CORETYPE", None)}
    result["goals"] = [] if options.quick else goals(result)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"\n{options.output}")


def parser() -> argparse.ArgumentParser:
    """Return the options of the command line."""
    made = argparse.ArgumentParser(description="How fast attn is, beside its peers.")
    made.add_argument("--only", nargs="*", choices=list(GROUPS), default=[], help="these groups")
    made.add_argument("--quick", action="store_true", help="small sizes: does it run at all?")
    made.add_argument("--output", type=Path, default=RESULTS, help="the results file")
    made.add_argument("--memory", help=argparse.SUPPRESS)
    made.add_argument("--tokens", type=int, default=8192, help=argparse.SUPPRESS)
    return made


def group(name: str, quick: bool) -> dict[str, Any]:
    """Measure one group at all its sizes, and print a line for each."""
    make, full, small, package = GROUPS[name]
    if find_spec(package) is None:
        print(f"\n{name}: skipped, {package} is not installed (see requirements-oracles.txt)")
        return {}
    times: dict[str, dict[str, float]] = {}
    errors: dict[str, float] = {}
    for size, repeats in (dict.fromkeys(small, 1) if quick else full).items():
        with torch.set_grad_enabled(name == "backward"):
            case = make(size)
            errors[str(size)] = error = check(case)
            seconds = timing.in_turn(case.peers, repeats)
        for peer, part in case.minus.items():
            seconds[peer] -= seconds[part]
        times[str(size)] = seconds
        print(f"\n{name}, {size} tokens: largest difference {error:.1e}")
        base = seconds[case.same[0]]
        for peer, second in seconds.items():
            print(f"  {peer:32} {1e3 * second:10.2f} ms {second / base:8.3f}")
    return {"seconds": times, "exponents": exponents(times), "largest difference": errors}


def check(case: cases.Case) -> float:
    """Return the largest difference between the peers that compute the same; this warms them up."""
    results = [np.asarray(case.peers[name]()) for name in case.same]
    apart = [name in case.apart for name in case.same]
    results = [attn.merge_heads(r) if a else r for r, a in zip(results, apart, strict=True)]
    error = max(float(np.abs(result - results[0]).max()) for result in results[1:])
    for name in set(case.peers) - set(case.same):
        case.peers[name]()
    if not error < 1e-4:
        raise SystemExit(f"{case.same} do not compute the same: they differ by {error}")
    return error


def exponents(times: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return the growth of each peer's time with the size, where there are several sizes."""
    if len(times) < 2:
        return {}
    peers = set.intersection(*(set(seconds) for seconds in times.values()))
    sizes = [int(size) for size in times]
    return {
        peer: timing.exponent(sizes, [max(seconds[peer], 1e-9) for seconds in times.values()])
        for peer in sorted(peers)
    }


def memory_peer(name: str, tokens: int) -> Callable[[], Any]:
    """Return a run of the named peer, after everything else that needs memory once."""
    runs = cases.dense(tokens).peers
    for warm in cases.dense(64).peers.values():
        warm()
    return runs[name]


def memory(tokens: int) -> dict[str, int | None]:
    """Measure how far a process grows during full attention, each peer in a process of its own."""
    command = [__file__, "--tokens", str(tokens), "--memory"]
    peers = ("torch SDPA", "blockwise", "blockwise, running maximum")
    grown = {name: timing.extra_memory([*command, name]) for name in peers}
    print(f"\nextra memory, {tokens} tokens")
    for name, size in grown.items():
        print(f"  {name:32} {'?' if size is None else f'{size / 2**20:.1f} MiB'}")
    for name, run in cases.additive_scores(64 if tokens < 1024 else 1024).peers.items():
        grown[f"additive, {name}"] = timing.traced_peak(run)
    return grown


def measured(name: str, quick: bool, alone: bool) -> dict[str, Any]:
    """Measure one group, where it needs it in a process with small pages."""
    if name == "local" and not alone and timing.HUGE_PAGES not in os.environ:
        return elsewhere(name, quick, timing.HUGE_PAGES, "0")
    return group(name, quick)


def elsewhere(name: str, quick: bool, variable: str, value: str | None) -> dict[str, Any]:
    """Measure one group in a process in which ``variable`` is ``value``, or not set."""
    print(f"\n{name} in a process with {variable} {'not set' if value is None else f'= {value}'}")
    sys.stdout.flush()
    changed = {k: v for k, v in os.environ.items() if k != variable}
    changed |= {} if value is None else {variable: value}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "results.json"
        command = [sys.executable, __file__, "--only", name, "--output", str(output)]
        subprocess.run([*command, *(["--quick"] if quick else [])], env=changed, check=True)
        stored = json.loads(output.read_text(encoding="utf-8"))
    result: dict[str, Any] = stored["groups"][name]
    return result | {variable: value or ""}


def goals(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Compare what was measured with what is to be reached, and print it."""
    reached = []
    for name, size, ours, theirs, most in GOALS:
        seconds = result["groups"].get(name, {}).get("seconds", {}).get(str(size))
        if seconds:
            text = f"{ours} / {theirs}, {size} tokens"
            reached.append({"goal": text, "seen": seconds[ours] / seconds[theirs], "at most": most})
    for name, peer, most in EXPONENTS:
        seen = result["groups"].get(name, {}).get("exponents", {}).get(peer)
        if seen is not None:
            reached.append({"goal": f"exponent of {peer}", "seen": seen, "at most": most})
    grown = result["memory"]
    if grown.get("torch SDPA") and grown.get("blockwise"):
        ratio = grown["blockwise"] / grown["torch SDPA"]
        reached.append(
            {"goal": "extra memory, blockwise / torch SDPA", "seen": ratio, "at most": 1.25}
        )
    if grown.get("additive, in blocks"):
        ratio = grown["additive, in blocks"] / grown["additive, as the formula reads"]
        reached.append(
            {"goal": "memory of additive scores, in blocks", "seen": ratio, "at most": 0.02}
        )
    if seen := result.get("import seconds"):
        goal = "seconds to import attn beyond numpy"
        reached.append({"goal": goal, "seen": seen, "at most": 0.2})
    print()
    for goal in reached:
        mark = "reached" if goal["seen"] <= goal["at most"] else "MISSED"
        print(f"{mark:8} {goal['goal']:64} {goal['seen']:.3f} (at most {goal['at most']})")
    return reached


def print_environment(environment: dict[str, Any]) -> None:
    """Print what the ratios depend on, one line each."""
    print(f"attn from {Path(attn.__file__).parent}")
    for name, value in environment.items():
        print(f"{name}: {value if value != '' else 'not set'}")


if __name__ == "__main__":
    main()
