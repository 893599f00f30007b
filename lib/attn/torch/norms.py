"""Root mean square normalisation with gradients."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from attn import formulas
from attn._arguments import check_axes
from attn.norms import check_gain
from attn.torch._layers import per_token
from attn.torch._tensors import as_tensor, compute_type


def rms_norm(x: Tensor, gain: Any = None) -> Tensor:
    r"""Return :math:`g\, x / \sqrt{\tfrac{1}{d} \sum_i x_i^2 + 10^{-6}}`; see `attn.rms_norm`.

    Parameters
    ----------
    x : tensor, shape (..., d)
    gain : tensor, shape (d,), optional
        Usually an ``nn.Parameter``.

    Returns
    -------
    tensor, shape and type of ``x``
        A hidden token that is NaN stays NaN, and gives the gain no gradient.

    Raises
    ------
    ValueError
        If ``x`` has no axis, or ``gain`` is not of shape ``(d,)``.

    Examples
    --------
    >>> import torch
    >>> rms_norm(torch.tensor([3.0, 4.0]))
    tensor([0.8485, 1.1314])
    """
    x = as_tensor("x", x)
    check_axes("x", x, 1)
    wide = x.to(compute_type(x.dtype))
    if gain is not None:
        gain = as_tensor("gain", gain)
        check_gain(gain, x)
        gain = gain.to(wide)
    return per_token(lambda tokens: formulas.rms_norm(tokens, gain), wide).to(x.dtype)
