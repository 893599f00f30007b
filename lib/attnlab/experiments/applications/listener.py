"""A small speech recogniser: frames are keys and values, each letter to be written is a query."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import scaled_dot_product_attention

WIDTH = 32


class Listener(nn.Module):
    """Reads frames with a GRU in both directions, and writes letters by looking back at them.

    After Chorowski et al. (2015), "Attention-Based Models for Speech Recognition", section 2, with
    scaled dot products in place of additive scores. With ``place`` a convolution of the last
    weights is added to the scores: it can learn to move on from where it looked.
    """

    def __init__(self, num_bands: int, num_letters: int, *, place: bool) -> None:
        super().__init__()
        self.read = nn.GRU(num_bands, WIDTH // 2, batch_first=True, bidirectional=True)
        self.embed = nn.Embedding(num_letters + 1, WIDTH)  # the last one begins
        self.step = nn.GRUCell(2 * WIDTH, WIDTH)
        self.to_query = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.move = nn.Conv1d(1, 1, kernel_size=15, padding=7, bias=False) if place else None
        self.answer = nn.Linear(2 * WIDTH, num_letters)

    def forward(self, frames: Tensor, letters: Tensor) -> Tensor:
        """Return logits, (batch, num_letters, …), each step told the right letter before it."""
        return self.look(frames, letters.shape[1], letters)[0]

    @torch.no_grad()
    def write(self, frames: Tensor, length: int) -> tuple[Tensor, Tensor]:
        """Return the model's own letters, (batch, length), and the weights of each step."""
        logits, weights = self.look(frames, length, None)
        return logits.argmax(dim=-1), weights

    def look(self, frames: Tensor, length: int, told: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, length, num_letters), and weights, (batch, length, num_frames)."""
        read, _ = self.read(frames)  # (batch, num_frames, WIDTH)
        key = self.to_key(read)
        state = read.new_zeros(len(read), WIDTH)
        weights = read.new_zeros(len(read), 1, read.shape[1])
        letter = torch.full((len(read),), self.embed.num_embeddings - 1)
        logits, given = [], []
        for number in range(length):
            bias = None if self.move is None else 10 * self.move(weights)
            context, weights = scaled_dot_product_attention(
                self.to_query(state)[:, None], key, read, bias=bias, return_weights=True
            )
            state = self.step(torch.cat([self.embed(letter), context[:, 0]], dim=-1), state)
            logits.append(self.answer(torch.cat([state, context[:, 0]], dim=-1)))
            given.append(weights[:, 0])
            letter = logits[-1].argmax(dim=-1) if told is None else told[:, number]
        return torch.stack(logits, dim=1), torch.stack(given, dim=1)
