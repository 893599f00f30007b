"""Two models of 12 layers, one with the norm first in each sublayer and one with the norm last.
Both are trained with the same data and with Adam, which divides each parameter's step by the usual
size of its gradient. The learning rate stays the same from the first step to the last.
"""

from coursekit import quiz

quiz(
    title="Predict: which of the two learns?",
    version=2,
    hints=[
        "Through which of the two does a gradient reach the first layer without passing a norm?",
        "What is it about the first steps that harms a model with the norm last?",
    ],
    questions=r"""
## which
In the first, x + f(Norm(x)), the residual stream is never normalised between the layers. In the
second, Norm(x + f(x)), it is normalised 24 times. The learning rate is 0.003. Where are the two
after 400 steps?
- [ ] the first has diverged, as its stream grows; the second has learned
  > growth-diverges: The stream of the first does grow. But each sublayer sees its normalised copy,
    and the gradient reaches every layer through the sums.
- [x] the first has learned; the second is hardly better than guessing by frequency
  > Yes. The figure shows how far apart they are.
- [ ] both have learned, and equally well
  > place-irrelevant: With 4 layers they do. In 12 layers the gradients of the second are too uneven
    for steps of this size.
- [ ] neither has learned: both need a rate that rises slowly from 0
  > always-warm-up: Only one of them benefits from that. The gradient of the other reaches every
    layer through the sums, and its first steps can be large.

## patient
Now only the second model, the one with the norm last, is trained again: with a learning rate of
0.0003 from the first step on, and for 1,600 steps. How far does it get?
- [ ] nowhere: at this depth the place of the norm decides
  > place-decides: The place of the norm makes large first steps harmful. It does not forbid small
    ones.
- [ ] about half of the way
  > half-trained: So it would seem from fewer steps. With 1,600 of them nothing holds it back any
    longer.
- [x] as far as the model with the norm first
  > Yes: it ends 0.03 nats above the best possible loss. One learning rate and one number of steps
    do not tell what can be trained.
""",
)
