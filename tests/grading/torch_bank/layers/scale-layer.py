"""Write `Scale`, a module with one parameter `weight` that multiplies its input."""

import torch

from coursekit import check, exercise, expect, expect_close

exercise(
    title="A layer",
    hints=["What must a module own?"],
)


class Scale(torch.nn.Module):
    """Multiplies by a learned weight of shape (width,)."""

    # BEGIN SOLUTION
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * self.weight

    # END SOLUTION


MISTAKES = r"""
detached:
    The gradient does not reach the parameter.
"""


@check(points=1)
def forward_pass(Scale):
    """Multiplies by weights that were loaded"""
    layer = Scale(3)
    layer.load_state_dict({"weight": torch.tensor([1.0, 2.0, 3.0])})
    expect_close(layer(torch.ones(2, 3)), [[1, 2, 3], [1, 2, 3]])


@check(points=1)
def gradients(Scale):
    """Lets gradients through to its input and to its weight"""
    layer = Scale(3)
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    (layer(x) ** 2).sum().backward()
    expect_close(x.grad, 2 * x.detach())
    expect(layer.weight.grad is not None, "The weight got no gradient.", "detached")
    expect_close(layer.weight.grad, (2 * x.detach() ** 2).sum(0))
    expect(len(list(layer.parameters())) == 1, "It has one parameter.")
