"""A small random encoder of the same architecture, its files, and the page's code run on them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnlab.minilm import page_files

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
#: Sizes of which no two are the same, and none but the heads divides another by chance.
WIDTH, HIDDEN, LAYERS, HEADS, PLACES, SHARD = 15, 22, 2, 3, 19, 7
WORDS = "the cat sat on mat . , ! dog ##s ##ly quick run ##ning un ##happy"
VOCABULARY = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
    *WORDS.split(),
]  # fmt: skip

Run = Callable[[Path, list[dict[str, Any]]], dict[str, Any]]


@pytest.fixture(scope="session")
def encode(node: str) -> Run:
    """Return a function that has the page's encoder answer requests from a folder of files."""

    def run(folder: Path, requests: list[dict[str, Any]]) -> dict[str, Any]:
        command = [node, str(HERE / "encode.ts"), str(folder)]
        done = subprocess.run(
            command, input=json.dumps(requests), capture_output=True, text=True, env=os.environ
        )
        assert done.returncode == 0, done.stderr
        answered: dict[str, Any] = json.loads(done.stdout)
        return answered

    return run


@pytest.fixture(scope="session")
def state() -> dict[str, np.ndarray]:
    """Return random parameters under the names of the published file."""
    rng = np.random.default_rng(4)
    made: dict[str, np.ndarray] = {}

    def drawn(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    def linear(name: str, rows: int, columns: int) -> None:
        made[f"{name}.weight"] = drawn(rows, columns) / np.float32(columns**0.5)
        made[f"{name}.bias"] = drawn(rows) / 5

    def norm(name: str) -> None:
        made[f"{name}.LayerNorm.weight"] = 1 + drawn(WIDTH) / 5
        made[f"{name}.LayerNorm.bias"] = drawn(WIDTH) / 5

    for name, rows in (("word", len(VOCABULARY)), ("position", PLACES), ("token_type", 2)):
        made[f"embeddings.{name}_embeddings.weight"] = drawn(rows, WIDTH)
    norm("embeddings")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            linear(f"{name}.attention.{part}", WIDTH, WIDTH)
        linear(f"{name}.intermediate.dense", HIDDEN, WIDTH)
        linear(f"{name}.output.dense", WIDTH, HIDDEN)
        norm(f"{name}.attention.output")
        norm(f"{name}.output")
    return made


@pytest.fixture(scope="session")
def folder(state: dict[str, np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small encoder's files."""
    path = tmp_path_factory.mktemp("encoder")
    for name, content in page_files.model_files(state, VOCABULARY, HEADS, SHARD).items():
        (path / name).write_bytes(content)
    return path
