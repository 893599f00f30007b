"""Root mean square normalisation: of a token before a sublayer, of queries and keys."""

from __future__ import annotations

from attn import formulas
from attn._arguments import shape_of
from attn._door import enter
from attn._types import Given, Nested, Numbers


def rms_norm(x: Numbers | Nested, gain: Given | None = None) -> Numbers:
    r"""Return :math:`g\, x / \sqrt{\tfrac{1}{d} \sum_i x_i^2 + 10^{-6}}`: vectors of one length.

    It is layer normalisation without the mean and the shift, as most models of today have it before
    each sublayer. Queries and keys that are normalised like this ("QK-norm") have scores of at most
    :math:`\sqrt{d}` in absolute value with the usual scale and a gain of 1, however large the
    activations grow.

    Parameters
    ----------
    x : array_like, shape (..., d)
        Tokens, or in attention with several heads, each head's queries and keys on their own.
    gain : array_like, shape (d,), optional
        Learned; 1 when not given.

    Returns
    -------
    array, shape and type of ``x``
        With a root mean square of 1 before the gain. A zero vector stays zero; a token that is NaN
        stays NaN, and gives the gain no gradient.

    Raises
    ------
    ValueError
        If ``x`` has no axis, or ``gain`` is not of shape ``(d,)``.

    References
    ----------
    Zhang and Sennrich (2019), "Root Mean Square Layer Normalization", equation 4. Henry et al.
    (2020), "Query-Key Normalization for Transformers", divides by the length and learns one scale
    instead of the gain; Dehghani et al. (2023), "Scaling Vision Transformers to 22 Billion
    Parameters", section 2, uses layer normalisation. RMS on each head is that of Qwen3 and Gemma 3.

    Examples
    --------
    >>> rms_norm([[3.0, 4.0], [300.0, 400.0]]).round(4)
    array([[0.8485, 1.1314],
           [0.8485, 1.1314]])
    """
    door, (x,) = enter(1, x=x)
    factor = None if gain is None else door.floats("gain", gain)
    if factor is not None and shape_of(factor) != shape_of(x)[-1:]:
        raise ValueError(
            f"gain has shape {shape_of(factor)}; expected ({x.shape[-1]},) for x of shape "
            f"{shape_of(x)}"
        )
    with door.framework.quiet():  # the formula sees squares that overflow
        return door.leave(door.framework.per_token(lambda t: formulas.rms_norm(t, factor), x))
