"""Define a small GPT, train it on fables, and store the weights that ship.

``python -m attnlab.models.fable_gpt`` trains it in about ten minutes on one core, and stores
weights of 16 bits with the logits of one fable's beginning. `attnlab.gpt` and readers' code
reproduce these.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attn.torch.layers import EncoderLayer
from attnlab.data import fables
from attnlab.models.training import batches, fit, one_thread, tensor

#: Longest text that the model can read (tokens): more than the longest fable has.
CONTEXT = 192
WIDTH, HEADS, LAYERS, HIDDEN = 64, 4, 4, 256
STEPS, BATCH, RATE = 3000, 32, 3e-3
#: Fables of training come from seeds below, those held back from seeds from here on.
HELD_BACK = 10_000
#: So many tokens' logits are stored with the weights.
PROBE_TOKENS = 23


class FableGPT(nn.Module):
    """A decoder-only Transformer: embeddings, causal blocks that normalise first, tied output.

    Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.3, with
    ReLU in place of GELU.
    """

    def __init__(self, num_words: int, width: int = WIDTH, layers: int = LAYERS) -> None:
        super().__init__()
        self.embed = nn.Embedding(num_words, width)
        self.positions = nn.Parameter(torch.empty(CONTEXT, width))
        for weight in (self.embed.weight, self.positions):
            nn.init.normal_(weight, std=0.05)
        self.blocks: Any = nn.ModuleList(
            EncoderLayer(width, HEADS, HIDDEN, dropout=0.0, norm_first=True) for _ in range(layers)
        )
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return the scores of each next word, (batch, tokens, num_words)."""
        x = self.embed(tokens) + self.positions[: tokens.shape[-1]]
        for block in self.blocks:
            x = block(x, causal=True)
        return self.norm(x) @ self.embed.weight.T


def loss_of(model: nn.Module, tokens: Tensor) -> Tensor:
    """Return the mean cross-entropy of the next word, in nats; what follows END counts nothing."""
    logits, targets = model(tokens[:, :-1]), tokens[:, 1:]
    return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)


def texts(seed: int, steps: int, size: int = BATCH) -> Iterator[Tensor]:
    """Yield ``steps`` batches of new fables, padded."""

    def draw(rng: np.random.Generator) -> Tensor:
        return tensor(fables.batch([fables.tell(rng) for _ in range(size)]))

    return batches(seed, steps, draw)


def train(seed: int = 0, steps: int = STEPS, report: bool = False) -> FableGPT:
    """Return the model trained on ``steps`` batches of fables."""
    with one_thread(seed):
        model = FableGPT(len(fables.vocabulary()))
        done = iter(range(steps))

        def loss(model: FableGPT, tokens: Tensor) -> Tensor:
            value, step = loss_of(model, tokens), next(done)
            if report and step % 100 == 0:
                print(f"step {step}: {value.item():.3f} nats", file=sys.stderr, flush=True)
            return value

        fit(model, texts(seed, steps), loss, learning_rate=RATE, decay_steps=steps)
    return model.eval()


def parameters(model: FableGPT) -> dict[str, np.ndarray]:
    """Return the weights under the names that `attnlab.gpt.load` reads, "blocks.0.w_query"."""
    named = {"tokens": model.embed.weight, "positions": model.positions}
    named |= {"norm_gain": model.norm.weight, "norm_bias": model.norm.bias}
    for number, block in enumerate(model.blocks):
        first, _, _, second = block.feed_forward
        inside = dict(block.attention.named_parameters())
        inside |= {"w_in": first.weight.T, "b_in": first.bias}
        inside |= {"w_out": second.weight.T, "b_out": second.bias}
        for name, norm in (("norm1", block.norm_attention), ("norm2", block.norm_feed_forward)):
            inside |= {f"{name}_gain": norm.weight, f"{name}_bias": norm.bias}
        named |= {f"blocks.{number}.{name}": value for name, value in inside.items()}
    return {name: value.detach().numpy() for name, value in named.items()}


def rounded(model: FableGPT) -> FableGPT:
    """Return the model with its weights rounded to 16 bits, as they are stored."""
    model.load_state_dict({n: v.half().float() for n, v in model.state_dict().items()})
    return model


@torch.no_grad()
def save(model: FableGPT, path: Path) -> Path:
    """Write weights, words, and the logits of one held-back fable's beginning."""
    probe = fables.batch([fables.tell(np.random.default_rng(HELD_BACK))])[0, :PROBE_TOKENS]
    logits = rounded(model)(tensor(probe)[None])[0].numpy()
    weights = {name: value.astype(np.float16) for name, value in parameters(model).items()}
    words = np.array(fables.vocabulary())
    path.parent.mkdir(parents=True, exist_ok=True)
    stored: dict[str, Any] = weights | {"words": words, "probe": probe, "probe_logits": logits}
    np.savez_compressed(path, **stored)
    return path


if __name__ == "__main__":
    from attnlab.gpt import WEIGHTS

    print(save(train(report=True), WEIGHTS))
