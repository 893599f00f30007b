"""Define a classifier of short texts that pools words by attention, with or without a GRU."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from attn import attention_weights

WIDTH = 32


class PooledClassifier(nn.Module):
    """Embeddings, optionally a bidirectional GRU, pooling by one learned query, and two classes.

    Parameters
    ----------
    num_words : int
        Size of the vocabulary.
    recurrent : bool
        Without it, attention weights the words' own vectors.
    uniform : bool
        Give every word the same weight.
    """

    def __init__(self, num_words: int, recurrent: bool, uniform: bool = False) -> None:
        super().__init__()
        self.uniform = uniform
        self.embed = nn.Embedding(num_words, WIDTH)
        self.read = None
        if recurrent:
            self.read = nn.GRU(WIDTH, WIDTH // 2, batch_first=True, bidirectional=True)
        self.query = nn.Parameter(torch.randn(1, WIDTH))
        self.to_key = nn.Linear(WIDTH, WIDTH)
        self.to_logits = nn.Linear(WIDTH, 2)

    def forward_with_weights(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, 2), and weights, (batch, num_tokens)."""
        return self._classify(self.embed(tokens))

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        return self.forward_with_weights(tokens)[0]

    def gradient_norms(self, tokens: Tensor) -> NDArray[np.float64]:
        """Return the norm of the gradient of the larger logit by each word, (batch, num_tokens)."""
        vectors = self.embed(tokens).detach().requires_grad_()
        logits, _ = self._classify(vectors)
        # Rows of a batch are independent, so the gradient of their sum is that of each.
        (gradient,) = torch.autograd.grad(logits.max(dim=-1).values.sum(), vectors)
        return gradient.norm(dim=-1).double().numpy()

    def _classify(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        states = vectors if self.read is None else self.read(vectors)[0]
        weights = attention_weights(self.query, torch.tanh(self.to_key(states)))[:, 0]
        if self.uniform:
            weights = torch.full_like(weights, 1 / weights.shape[-1])
        context = (weights[:, None] @ states)[:, 0]  # (batch, WIDTH)
        return self.to_logits(context), weights
