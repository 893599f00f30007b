"""What the model in the page costs: processor time for a sentence of 24 tokens, and bytes.

``python benchmarks/live_model.py`` runs the page's TypeScript in node, on one core, where `make
model` has installed the weights.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from attnlab.minilm import page_files
from attnlab.minilm.page_model import shards

ROOT = Path(__file__).resolve().parents[1]
TEXT = (
    "The old dog that we had met in the park barked all night because it was lonely, hungry "
    "and cold."
)
REPEATS = 20


def main() -> int:
    """Measure and print."""
    if not page_files.sources():
        print("the weights are missing: make env fetches them", file=sys.stderr)
        return 1
    node = Path(sys.executable).with_name("node")
    with tempfile.TemporaryDirectory() as scratch:
        page_files.write(Path(scratch))
        command = [str(node), str(ROOT / "tests/attnlab/minilm/encode.ts"), scratch]
        requests = json.dumps([{"text": TEXT}] * REPEATS)
        done = subprocess.run(command, input=requests, capture_output=True, text=True, check=True)
        sizes = json.loads((Path(scratch) / "model.json").read_text())["bytes"]
    told = json.loads(done.stdout)
    ids = told["answers"][0]["ids"]
    words = sum(sizes[name] for name in shards(ids, page_files.SHARD).values())
    base = sizes["vocabulary.txt"] + sizes["start.safetensors"] + words
    layers = [size for name, size in sizes.items() if name.startswith("layer-")]
    print(f"{len(ids)} tokens: {told['milliseconds'] / REPEATS:.0f} ms of processor time")
    print(f"until the first layer answers: {(base + layers[0]) / 1e6:.2f} MB")
    print(
        f"all {len(layers)} layers: {(base + sum(layers)) / 1e6:.2f} MB, rows {words / 1e6:.2f} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
