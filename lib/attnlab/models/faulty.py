"""Train a small next-token model with one fault, and log its training."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from attn import sinusoidal_positions
from attn.torch import MultiHeadAttention
from attnlab.models.training import one_thread

NUM_TOKENS, LENGTH, WIDTH, NUM_HEADS = 11, 23, 32, 4
#: After each pair of tokens two are equally likely, so no causal model has a lower loss (nats).
ENTROPY = math.log(2)
STEPS, BATCH = 800, 32
#: Tokens of a held-out sequence that decoding starts from.
GIVEN = 3
LOGGED = (1, 25, 50, 100, 200, 400, 800)


@dataclass(frozen=True)
class Fault:
    """What is wrong with a training run: by default nothing."""

    causal: bool = True
    #: How many tokens later the target stands.
    shift: int = 1
    learning_rate: float = 3e-3


FAULTS = {
    "none": Fault(),
    "no mask": Fault(causal=False),
    "no shift": Fault(shift=0),
    "learning rate": Fault(learning_rate=0.1),
}


class Language:
    """Sequences in which the token *two* places back allows two successors, equally likely."""

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        pairs = [rng.choice(NUM_TOKENS, size=2, replace=False) for _ in range(NUM_TOKENS)]
        self.successors = np.stack(pairs)  # (NUM_TOKENS, 2)

    def draw(self, rng: np.random.Generator, count: int) -> Tensor:
        """Return sequences of shape (count, LENGTH)."""
        tokens = rng.integers(NUM_TOKENS, size=(count, LENGTH))
        for at in range(2, LENGTH):
            tokens[:, at] = self.successors[tokens[:, at - 2], rng.integers(2, size=count)]
        return torch.from_numpy(tokens)

    def allows(self, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for each token from the third on whether it may follow."""
        return (self.successors[tokens[:, :-2]] == tokens[:, 2:, None]).any(axis=-1)


class NextToken(nn.Module):
    """One layer of attention and a feed-forward network: logits of shape (batch, tokens, words)."""

    def __init__(self, *, causal: bool) -> None:
        super().__init__()
        self.causal = causal
        self.embedding = nn.Embedding(NUM_TOKENS, WIDTH)
        self.attention = MultiHeadAttention(WIDTH, NUM_HEADS)
        self.feed_forward = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH)
        )
        self.to_logits = nn.Linear(WIDTH, NUM_TOKENS)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return the logits of tokens of shape (batch, num_tokens)."""
        x = self.embedding(tokens)
        x = x + sinusoidal_positions(tokens.shape[1], WIDTH, like=x)
        x = x + self.attention(x, causal=self.causal)
        return self.to_logits(x + self.feed_forward(x))


def train(fault: Fault, seed: int = 0, steps: int = STEPS) -> dict[str, list[float]]:
    """Return the log of one run: losses in nats a token, and the share of decoded tokens allowed.

    The loss counts targets from the third token on, the first that the language decides.
    """
    language, rng = Language(), np.random.default_rng(seed)
    log: dict[str, list[float]] = {"step": [], "training": [], "held out": [], "decoded": []}
    with one_thread(seed):
        held_out = language.draw(np.random.default_rng(seed + 1000), 256)
        model = NextToken(causal=fault.causal)
        optimiser = torch.optim.Adam(model.parameters(), fault.learning_rate)
        for step in range(1, steps + 1):
            optimiser.zero_grad()
            loss = _loss(model, language.draw(rng, BATCH), fault.shift)
            loss.backward()
            optimiser.step()
            if step in LOGGED:
                with torch.no_grad():
                    other = _loss(model, held_out, fault.shift).item()
                allowed = language.allows(decode(model, held_out[:, :GIVEN]))[:, GIVEN - 2 :]
                row = (float(step), loss.item(), other, float(allowed.mean()))
                for column, value in zip(log.values(), row, strict=True):
                    column.append(round(value, 3))
    return log


def decode(model: NextToken, tokens: Tensor) -> NDArray[np.int64]:
    """Return sequences of `LENGTH` tokens that go on greedily from ``tokens``."""
    with torch.no_grad():
        while tokens.shape[1] < LENGTH:
            best = model(tokens)[:, -1].argmax(-1, keepdim=True)
            tokens = torch.cat([tokens, best], dim=1)
    return tokens.numpy()


def _loss(model: NextToken, tokens: Tensor, shift: int) -> Tensor:
    logits = model(tokens[:, : LENGTH - shift])
    targets = tokens[:, shift:]
    return nn.functional.cross_entropy(
        logits[:, 2 - shift :].reshape(-1, NUM_TOKENS), targets[:, 2 - shift :].reshape(-1)
    )
