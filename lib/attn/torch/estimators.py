"""The estimator that trains hard attention."""

from __future__ import annotations

import torch
from torch import Tensor

from attn._arguments import shape_of


def score_function_loss(loss: Tensor, log_prob: Tensor, baseline: Tensor | float = 0.0) -> Tensor:
    r"""Return a loss whose gradient estimates that of the expected loss, without bias.

    The gradient is :math:`\nabla L + (L - b)\,\nabla \log p`: the loss's own, and the score
    function's, which makes draws more likely that did better than the baseline.

    Parameters
    ----------
    loss : tensor, any shape
        L, one for each sample, computed from the outputs of `attn.hard_attention`.
    log_prob : tensor, broadcastable to the shape of ``loss``
        The log probability of all draws that the loss depends on: their sum.
    baseline : tensor or float
        b. Any number that does not depend on the draw leaves the mean as it is and changes the
        variance; a running mean of the loss is usual.

    Returns
    -------
    tensor, shape of ``loss``
        Its value is ``loss``; call ``.mean().backward()`` on it.

    Raises
    ------
    ValueError
        If the shapes do not broadcast.

    References
    ----------
    Williams (1992), section 4; Xu et al. (2015), section 4.1, which add a baseline as well.

    Examples
    --------
    >>> import torch
    >>> log_prob = torch.zeros(5, requires_grad=True)
    >>> score_function_loss(torch.arange(5.0), log_prob, baseline=2.0).sum().backward()
    >>> log_prob.grad
    tensor([-2., -1.,  0.,  1.,  2.])
    """
    for name, tensor in (("log_prob", log_prob), ("baseline", torch.as_tensor(baseline))):
        # Broadcast over more samples than there are losses, the gradient would be a multiple.
        try:
            tensor.expand(loss.shape)
        except RuntimeError:
            raise ValueError(
                f"{name} has shape {shape_of(tensor)}; expected one that broadcasts to "
                f"{shape_of(loss)}, the shape of loss"
            ) from None
    advantage = (loss - baseline).detach()
    # Subtracting its own value leaves the gradient only.
    return loss + advantage * (log_prob - log_prob.detach())
