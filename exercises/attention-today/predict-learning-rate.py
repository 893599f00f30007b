"""Three models learn to look up one of 8 pairs: plain scores, QK-norm, a soft cap of 10. Each is
trained at eight learning rates, from 0.003 to 10.
"""

from coursekit import quiz

quiz(
    title="Predict: how high a learning rate?",
    questions=r"""
## rates
Where does QK-norm learn the task and plain scores do not?
- [ ] At low rates: QK-norm learns faster.
  > norm-is-faster: At low rates scores stay moderate by themselves. There is nothing for the norm
    to limit.
- [ ] From some rate on, however high: it cannot saturate the softmax.
  > norm-has-no-limit: The norm limits what long queries and keys do to scores. Gains, values and
    the output layer take the same large steps, and nothing limits those.
- [ ] At all rates: without a limit, scores always grow too large.
  > plain-never-learns: They grow with the size of the steps. At low rates the plain model learns
    the task.
- [x] In a window of rates: plain scores fail first, QK-norm later.
  > Yes. Large steps make long queries and keys, and once all weights are 0 or 1, hardly any
    gradient says which way is better. The norm moves that limit; at still larger steps the rest of
    the model fails.
""",
)
