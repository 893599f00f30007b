"""From memory: the lines of scaled dot-product attention in NumPy, for `query` of shape
`(num_queries, d_k)`, `key` of shape `(num_keys, d_k)` and `value` of shape `(num_keys, d_v)`. They
must also work for scores in the thousands.
"""

import math

import numpy as np

from coursekit import quiz


def works(code):
    """Whether the lines compute attention, for small scores and for large ones."""
    rng = np.random.default_rng(0)
    for size in (1.0, 3000.0):
        query, key, value = (rng.normal(size=shape) for shape in ((3, 5), (7, 5), (7, 2)))
        query[0] *= size
        scores = query @ key.T / math.sqrt(5)
        shares = np.exp(scores - scores.max(axis=1)[:, None])
        right = (shares / shares.sum(axis=1)[:, None]) @ value
        names = {"math": math, "np": np, "query": query, "key": key, "value": value}
        with np.errstate(all="ignore"):
            exec(code, names)
        if not np.allclose(names["output"], right):
            return False
    return True


quiz(
    title="Order the lines of scaled dot-product attention",
    hints=[
        "Which names does each line need, and which line makes them?",
        "The scores are complete, scaled and shifted, before the first exponential is taken.",
        "Four of the lines divide by something. Which two of them divide by √d_k and by the sum "
        "of each row?",
    ],
    works=works,
    questions=r"""
## attention_lines (2 points)
Put the lines in order, so that `output` is right at the end. Two of the lines do not belong there.
```lines
a weights = np.exp(scores)
b output = weights @ value
c scores = scores / query.shape[-1]
d scores = scores - scores.max(axis=-1, keepdims=True)
e weights = weights / weights.sum(axis=-1, keepdims=True)
f scores = query @ key.T
g weights = weights / weights.sum(axis=0)
h scores = scores / math.sqrt(query.shape[-1])
```
- [x] f h d a e b > Score, scale, softmax, sum. The maximum may be subtracted before the scale or
  after it: either way, the same number is subtracted from every score of a row.
- [x] f d h a e b
- [ ] c > width-not-root: One line divides the scores by d_k. The scale is its square root.
- [ ] g > sum-over-queries: One line divides by sums over the queries, axis 0. A row belongs to a
  query, and its weights have to sum to 1.
- [ ] b e > mixed-too-early: The values are mixed before the weights are divided by their sum.
- [ ] a h > exponential-before-scale: The exponential is taken before the scores are scaled, so the
  scale does not reach the weights.
- [ ] a d > exponential-before-maximum: The exponential is taken before the maximum is subtracted,
  so large scores overflow all the same.
- [ ] e a > changed-too-late: The weights are divided by their sum before the exponential has made
  them.
- [ ] !h > scale-missing: Nothing divides the scores by the root of the keys' length: the longer the
  keys, the more of each row's weight goes to one of them.
- [ ] !d > maximum-missing: The exponential takes scores in the thousands as they are, and
  overflows.
- [ ] !e > sum-missing: The weights of a row do not sum to 1 yet.
- [ ] !a > exponential-missing: Nothing turns the scores into positive weights.
""",
)
