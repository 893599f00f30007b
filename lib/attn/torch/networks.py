"""The gated feed-forward network with gradients."""

from __future__ import annotations

from torch import Tensor

from attn import formulas
from attn._arguments import check_axes
from attn.networks import check_network
from attn.torch._layers import per_token
from attn.torch._tensors import as_tensor, compute_type


def swiglu(x: Tensor, w_gate: Tensor, w_in: Tensor, w_out: Tensor) -> Tensor:
    r"""Return :math:`(\mathrm{SiLU}(x W_g) \odot x W_1)\, W_2`; see `attn.swiglu`.

    Parameters
    ----------
    x : tensor, shape (..., tokens, d_model)
    w_gate, w_in : tensor, shape (d_model, d_hidden)
    w_out : tensor, shape (d_hidden, d_model)

    Returns
    -------
    tensor, shape and type of ``x``

    Raises
    ------
    ValueError
        If the shapes of the weights do not fit.

    Examples
    --------
    >>> import torch
    >>> swiglu(torch.ones(5, 3), torch.ones(3, 8), torch.ones(3, 8), torch.ones(8, 3)).shape
    torch.Size([5, 3])
    """
    x = as_tensor("x", x)
    check_axes("x", x, 2)
    named = {"w_gate": w_gate, "w_in": w_in, "w_out": w_out}
    weights = [as_tensor(name, weight) for name, weight in named.items()]
    check_network(x, *weights)
    wide = x.to(compute_type(x.dtype))
    matrices = [weight.to(wide) for weight in weights]
    return per_token(lambda tokens: formulas.swiglu(tokens, *matrices), wide).to(x.dtype)
