"""The additive score as a trainable module."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import formulas
from attn._arguments import check_count, layer_inputs, leading_axes
from attn._layers import arguments_of
from attn.torch._layers import affine, glorot
from attn.torch._tensors import as_tensors, compute_type


class AdditiveScore(nn.Module):
    r"""The additive score, :math:`s_{ij} = v^\top \tanh(W_q^\top q_i + W_k^\top k_j)`, trainable.

    Parameters
    ----------
    d_query, d_key, d_hidden : int
        As in `attn.AdditiveScore`.
    generator : torch.Generator, optional
        Draws the weights; torch's global generator when not given.

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
        self, d_query: int, d_key: int, d_hidden: int, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.d_query = check_count("d_query", d_query, 1)
        self.d_key = check_count("d_key", d_key, 1)
        self.d_hidden = check_count("d_hidden", d_hidden, 1)
        self.w_query = nn.Parameter(glorot(d_query, d_hidden, generator))
        self.w_key = nn.Parameter(glorot(d_key, d_hidden, generator))
        self.w_score = nn.Parameter(glorot(d_hidden, 1, generator)[:, 0])

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
        (query, key), dtype = as_tensors(query=query, key=key)
        layer_inputs(query, key, None, (self.d_query, self.d_key, self.d_key))
        leading_axes(query=query, key=key)
        wide = compute_type(torch.promote_types(dtype, self.w_query.dtype))
        hidden_query = affine(query.to(wide), self.w_query.to(wide))
        hidden_key = affine(key.to(wide), self.w_key.to(wide))
        scores = formulas.additive_scores(hidden_query, hidden_key, self.w_score.to(wide))
        return scores.to(dtype)

    def extra_repr(self) -> str:
        """Return the widths."""
        return arguments_of(self, "d_query", "d_key", "d_hidden")
