"""Compare RMSNorm and SwiGLU with what they replace, by the losses of four small models.

``python -m attnlab.evidence.blocks_today`` trains them in about a minute on one core, and stores
what it saw.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from attn.torch import Transformer

STORED = Path(__file__).with_suffix(".json")
WIDTH, LAYERS, STEPS, SEEDS = 32, 2, 400, (0, 1, 2)
#: Learning rates: which network is ahead could hang on them.
RATES = (0.001, 0.003)
#: Name: norm, network, and its hidden width: in a gated network two thirds, for as many weights.
BLOCKS: Mapping[str, tuple[str, str, int]] = {
    "LayerNorm, ReLU": ("layer", "relu", 96),
    "RMSNorm, ReLU": ("rms", "relu", 96),
    "LayerNorm, SwiGLU": ("layer", "swiglu", 64),
    "RMSNorm, SwiGLU": ("rms", "swiglu", 64),
}


def build(block: str, vocabulary: int) -> Transformer:
    """Return an untrained model of the next token with one kind of block."""
    from attn.torch import Transformer

    norm, activation, hidden = BLOCKS[block]
    options: dict[str, Any] = {"norm": norm, "activation": activation, "d_hidden": hidden}
    return Transformer(
        WIDTH,
        4,
        num_encoder_layers=0,
        num_decoder_layers=LAYERS,
        tgt_vocab_size=vocabulary,
        dropout=0.0,
        norm_first=True,
        **options,
    )


def measure() -> dict[str, Any]:
    """Return for each block its parameters, and how far each seed's loss is above the best."""
    from attnlab.experiments import norms
    from attnlab.models import text_models, training

    watch, text = training.Stopwatch(), text_models.Text()
    found: dict[str, Any] = {}
    for block in BLOCKS:
        excess: dict[str, list[float]] = {}
        for rate in RATES:
            for seed in SEEDS:
                with training.one_thread(seed):
                    model = build(block, text.vocabulary)
                    above = norms.fit(model, text, 0, rate, seed, STEPS)
                excess.setdefault(f"{rate:g}", []).append(round(above, 4))
        count = sum(parameter.numel() for parameter in model.parameters())
        found[block] = {"parameters": count, "excess": excess}
        print(block, found[block], watch.seconds, file=sys.stderr, flush=True)
    return {"seconds": watch.seconds, "blocks": found}


def stored() -> dict[str, Any]:
    """Return what `measure` stored."""
    result: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return result


def means(rate: float) -> dict[str, float]:
    """Return the mean excess of each block over seeds, in nats a token."""
    blocks = stored()["blocks"]
    return {name: float(np.mean(row["excess"][f"{rate:g}"])) for name, row in blocks.items()}


if __name__ == "__main__":
    STORED.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
