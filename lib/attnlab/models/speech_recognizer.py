"""Define a small speech recogniser: frames are keys and values, each letter is a query."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import scaled_dot_product_attention

WIDTH = 32


class SpeechRecognizer(nn.Module):
    """Encodes frames with a GRU in both directions, and decodes letters with attention to them.

    After Chorowski et al. (2015), "Attention-Based Models for Speech Recognition", section 2, with
    scaled dot products in place of additive scores. With ``location_aware`` a convolution of
    the last weights is added to the scores, from which it can learn to move on along the signal.
    """

    def __init__(self, num_bands: int, num_letters: int, *, location_aware: bool) -> None:
        super().__init__()
        self.encoder = nn.GRU(num_bands, WIDTH // 2, batch_first=True, bidirectional=True)
        self.embed = nn.Embedding(num_letters + 1, WIDTH)  # the last one marks the beginning
        self.step = nn.GRUCell(2 * WIDTH, WIDTH)
        self.to_query = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.move = (
            nn.Conv1d(1, 1, kernel_size=15, padding=7, bias=False) if location_aware else None
        )
        self.to_logits = nn.Linear(2 * WIDTH, num_letters)

    def forward(self, frames: Tensor, letters: Tensor) -> Tensor:
        """Return logits, (batch, num_letters, …), each step given the right letter before it."""
        return self.forward_with_weights(frames, letters.shape[1], letters)[0]

    @torch.no_grad()
    def transcribe(self, frames: Tensor, length: int) -> tuple[Tensor, Tensor]:
        """Return the model's own letters, (batch, length), and the weights of each step."""
        logits, weights = self.forward_with_weights(frames, length, None)
        return logits.argmax(dim=-1), weights

    def forward_with_weights(
        self, frames: Tensor, length: int, targets: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, length, num_letters), and weights, (batch, length, num_frames)."""
        states, _ = self.encoder(frames)  # (batch, num_frames, WIDTH)
        key = self.to_key(states)
        state = states.new_zeros(len(states), WIDTH)
        weights = states.new_zeros(len(states), 1, states.shape[1])
        letter = torch.full((len(states),), self.embed.num_embeddings - 1)
        logits, all_weights = [], []
        for number in range(length):
            bias = None if self.move is None else 10 * self.move(weights)
            context, weights = scaled_dot_product_attention(
                self.to_query(state)[:, None], key, states, bias=bias, return_weights=True
            )
            state = self.step(torch.cat([self.embed(letter), context[:, 0]], dim=-1), state)
            logits.append(self.to_logits(torch.cat([state, context[:, 0]], dim=-1)))
            all_weights.append(weights[:, 0])
            letter = logits[-1].argmax(dim=-1) if targets is None else targets[:, number]
        return torch.stack(logits, dim=1), torch.stack(all_weights, dim=1)
