"""The gated feed-forward network that took the place of two linear layers with a ReLU."""

from __future__ import annotations

from attn import formulas
from attn._arguments import shape_of
from attn._door import enter
from attn._types import Given, Nested, Numbers


def swiglu(x: Numbers | Nested, w_gate: Given, w_in: Given, w_out: Given) -> Numbers:
    r"""Return :math:`(\mathrm{SiLU}(x W_g) \odot x W_1)\, W_2`: a network with a gate.

    :math:`\mathrm{SiLU}(z) = z / (1 + e^{-z})`, also called Swish. A hidden feature is a product
    of two numbers computed from the token, where a network with a ReLU has one number, or 0.

    Parameters
    ----------
    x : array_like, shape (..., tokens, d_model)
    w_gate, w_in : array_like, shape (d_model, d_hidden)
        With three matrices instead of two, two thirds of the ``d_hidden`` of a network with a ReLU
        have as many weights.
    w_out : array_like, shape (d_hidden, d_model)

    Returns
    -------
    array, shape and type of ``x``
        Each token is computed on its own.

    Raises
    ------
    ValueError
        If the shapes of the weights do not fit.

    References
    ----------
    Shazeer (2020), "GLU Variants Improve Transformer", equation 6: W is our ``w_gate``, V our
    ``w_in``. There are no biases, as there.

    Examples
    --------
    >>> swiglu([[1.0, 2.0]], [[1.0], [0.0]], [[0.0], [3.0]], [[1.0, -1.0]]).round(4)
    array([[ 4.3864, -4.3864]])
    """
    door, (x,) = enter(x=x)
    shape, hidden = shape_of(x), 0
    matrices = []
    for name, given in (("w_gate", w_gate), ("w_in", w_in), ("w_out", w_out)):
        matrix = door.floats(name, given)
        hidden = matrix.shape[-1] if name == "w_gate" and matrix.ndim else hidden
        expected = (hidden, shape[-1]) if name == "w_out" else (shape[-1], hidden)
        if shape_of(matrix) != expected:
            raise ValueError(
                f"{name} has shape {shape_of(matrix)}; expected {expected} for x of shape {shape}"
            )
        matrices.append(matrix)
    return door.leave(door.framework.per_token(lambda t: formulas.swiglu(t, *matrices), x))
