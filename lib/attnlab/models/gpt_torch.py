"""Define the GPT that readers build in PyTorch, and load a stored run of its training.

``python -m attnlab.models.gpt_torch`` trains it in two minutes on one core and stores its losses
and what it writes on the way.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlab.data import fables
from attnlab.models.training import Stopwatch, one_thread

STORED = Path(__file__).with_suffix(".json")
#: Steps of training, fables in each, and after how many steps the model writes.
STEPS, BATCH, SHOWN = 1200, 16, (0, 50, 200, 1200)
#: Fables to measure on come from this seed, and from none of those of training.
HELD_BACK = 10_001
MAX_TOKENS = 192


class SelfAttention(nn.Module):
    """Causal self-attention of several heads, without biases."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return the tokens after attention, (batch, tokens, d_model)."""
        query, key, value = (
            part(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )  # (batch, num_heads, tokens, head_dim)
        heads = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        attended: Tensor = self.output(heads.transpose(1, 2).flatten(2))
        return attended


class Block(nn.Module):
    """Attention, then a network of two layers; each reads a norm and adds to its input."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.attention = SelfAttention(d_model, num_heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.linear1 = nn.Linear(d_model, 4 * d_model)
        self.linear2 = nn.Linear(4 * d_model, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Return the tokens after the block, (batch, tokens, d_model)."""
        x = x + self.attention(self.norm1(x))
        added: Tensor = self.linear2(self.linear1(self.norm2(x)).relu())
        return x + added


class GPT(nn.Module):
    """A decoder-only Transformer with learned positions; the output layer is the embeddings.

    Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.3, with
    ReLU in place of GELU.
    """

    def __init__(
        self, num_words: int, d_model: int, num_heads: int, num_blocks: int, max_tokens: int
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(num_words, d_model)
        self.positions = nn.Embedding(max_tokens, d_model)
        for embedding in (self.embed, self.positions):
            nn.init.normal_(embedding.weight, std=0.05)
        self.blocks = nn.ModuleList(Block(d_model, num_heads) for _ in range(num_blocks))
        self.norm = nn.LayerNorm(d_model)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return the logits of each next token, (batch, tokens, num_words)."""
        x = self.embed(tokens) + self.positions.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        logits: Tensor = self.norm(x) @ self.embed.weight.T
        return logits


def inputs_and_targets(texts: Sequence[Sequence[int]], pad: int = 0) -> tuple[Tensor, Tensor]:
    """Return what the model reads and what it is to predict, both (batch, longest text - 1)."""
    longest = max(map(len, texts))
    rows = torch.tensor([[*text, *[pad] * (longest - len(text))] for text in texts])
    return rows[:, :-1], rows[:, 1:]


def loss_of(logits: Tensor, targets: Tensor, pad: int = 0) -> Tensor:
    """Return the mean cross-entropy in nats of the targets that are not ``pad``."""
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)


def train(
    model: nn.Module, batches: Iterable[Sequence[Sequence[int]]], learning_rate: float = 3e-3
) -> list[float]:
    """Train the model by Adam, one step for each batch of texts; return the losses."""
    optimiser = torch.optim.Adam(model.parameters(), learning_rate)
    losses = []
    for texts in batches:
        inputs, targets = inputs_and_targets(texts)
        loss = loss_of(model(inputs), targets)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


def fable_batches(seed: int, steps: int, size: int = BATCH) -> list[list[list[int]]]:
    """Return batches of new fables as lists of token numbers, BEGIN and END included."""
    rng = np.random.default_rng((seed, 1))
    marked = ([fables.BEGIN, *fables.tell(rng).words, fables.END] for _ in range(steps * size))
    texts = [fables.encode(words) for words in marked]
    return [texts[start : start + size] for start in range(0, len(texts), size)]


class Reported(list[Any]):
    """A list that prints how far a loop over it has come: a training takes a minute."""

    def __iter__(self) -> Iterator[Any]:
        clock = Stopwatch()
        for done, item in enumerate(super().__iter__(), start=1):
            yield item
            if done % 200 == 0 or done == len(self):
                print(f"{done} of {len(self)} batches, {clock.seconds:.0f} s of processor time")


@torch.no_grad()
def write(model: nn.Module, tokens: Sequence[int], count: int, seed: int = 0) -> list[int]:
    """Return the tokens and up to ``count`` that the model draws after them, as far as END."""
    generator, text = torch.Generator().manual_seed(seed), list(tokens)
    for _ in range(count):
        probabilities = model(torch.tensor([text]))[0, -1].softmax(dim=-1)
        text.append(int(torch.multinomial(probabilities, 1, generator=generator)))
        if text[-1] == fables.vocabulary().index(fables.END):
            break
    return text


def small_gpt() -> GPT:
    """Return the untrained model of the chapter."""
    return GPT(len(fables.vocabulary()), 64, num_heads=4, num_blocks=3, max_tokens=MAX_TOKENS)


def run() -> dict[str, Any]:
    """Return losses, held-back losses, texts and seconds of one training."""
    from attnlab.gpt import to_text, to_tokens

    clock, shown = Stopwatch(), {}
    losses: list[float] = []
    (held_back,) = fable_batches(HELD_BACK, 1, size=200)
    inputs, targets = inputs_and_targets(held_back)
    with one_thread(0):
        model, batches = small_gpt(), fable_batches(0, STEPS)
        for done in SHOWN:
            losses += train(model, batches[len(losses) : done])
            with torch.no_grad():
                loss = loss_of(model(inputs), targets).item()
            text = to_text(write(model, to_tokens("once there was"), 40, seed=1))
            shown[done] = {"loss": round(loss, 3), "text": text}
            print(done, shown[done], clock.seconds, file=sys.stderr, flush=True)
    means = [round(float(np.mean(losses[i : i + 10])), 3) for i in range(0, len(losses), 10)]
    return {"seconds": clock.seconds, "losses": means, "shown": shown}


def stored() -> dict[str, Any]:
    """Return what `run` stored."""
    result: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return result


if __name__ == "__main__":
    STORED.write_text(json.dumps(run(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
