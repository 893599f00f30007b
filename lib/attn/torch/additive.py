"""The additive score as a trainable module."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn._arguments import check_count
from attn._layers import arguments_of
from attn.additive import additive_scores
from attn.torch._layers import glorot


class AdditiveScore(nn.Module):
    r"""The additive score, :math:`s_{ij} = v^\top \tanh(W_q^\top q_i + W_k^\top k_j)`, trainable.

    Parameters
    ----------
    d_query, d_key, d_hidden : int
        As in `attn.AdditiveScore`.
    generator : torch.Generator, optional
        Draws the weights; torch's global generator when not given.
    device, dtype : optional
        Of the parameters; torch's usual ones when not given.

    Attributes
    ----------
    w_query : nn.Parameter, shape (d_query, d_hidden)
    w_key : nn.Parameter, shape (d_key, d_hidden)
    w_score : nn.Parameter, shape (d_hidden,)

    Raises
    ------
    ValueError, TypeError
        If a width is not a positive integer.

    References
    ----------
    Bahdanau, Cho and Bengio (2015), section 3.1 and appendix A.1.2.

    Examples
    --------
    >>> import torch
    >>> score = AdditiveScore(d_query=5, d_key=7, d_hidden=3)
    >>> score(torch.ones(2, 4, 5), torch.ones(2, 6, 7)).shape
    torch.Size([2, 4, 6])
    """

    def __init__(
        self,
        d_query: int,
        d_key: int,
        d_hidden: int,
        generator: torch.Generator | None = None,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.d_query = check_count("d_query", d_query, 1)
        self.d_key = check_count("d_key", d_key, 1)
        self.d_hidden = check_count("d_hidden", d_hidden, 1)
        self.w_query = glorot(d_query, d_hidden, generator, device, dtype)
        self.w_key = glorot(d_key, d_hidden, generator, device, dtype)
        column = glorot(d_hidden, 1, generator, device, dtype)
        self.w_score = nn.Parameter(column.detach()[:, 0])

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return the score of each query with each key.

        Parameters
        ----------
        query : tensor, shape (..., num_queries, d_query)
        key : tensor, shape (..., num_keys, d_key)

        Returns
        -------
        tensor, shape (..., num_queries, num_keys)
            On the way there is a tensor ``d_hidden`` times as large, which the gradient needs.

        Raises
        ------
        ValueError
            If a width is not that of its matrix, or the leading axes do not broadcast.
        """
        scores: Tensor = additive_scores(self, query, key)
        return scores

    def extra_repr(self) -> str:
        """Return the widths."""
        return arguments_of(self, "d_query", "d_key", "d_hidden")
