"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="From memory",
    questions=r"""
## cosine
Query and keys are divided by their lengths, and the scores are not changed otherwise. What can
attention then not do?
- [x] put nearly all weight on one of a hundred keys
  > Yes. Cosines differ by 2 at most, so no weight is more than e² = 7.4 times another.
- [ ] rank the keys > cosine-cannot-rank: Cosines differ from key to key, so the keys are ranked.
- [ ] make its weights sum to 1 > sum-needs-dot: The softmax does that for any scores.

## slope (± 0.005)
Two keys have equal scores, so the weights are 0.5 and 0.5. What is the slope of the first weight
with respect to the first score?
- [x] 0.25 > p (1 − p) with p = 0.5.
- [ ] 0.5 > weight-itself: 0.5 is the weight. Its slope is p (1 − p).
- [ ] 0 > zero-slope: A slope of 0 belongs to a weight of 0 or 1. At 0.5 the slope is largest.
- [ ] 1 > one-slope: 1 is the slope of the score itself. The weight changes by less, because the sum
  in the denominator grows as well.
- [ ] -0.25 > sign: A larger score makes its own weight larger. The negative slope is that of the
  other weight.
- [ ] 0.3 > one-decimal: That is right to one decimal. Give two.

## without_tanh
What is left of an additive score without its tanh?
- [ ] a dot product
  > linear-is-dot: A dot product multiplies query and key. Without the tanh they are only added.
- [ ] the same score, only faster
  > tanh-is-decoration: The tanh is the only place where query and key act on each other.
- [x] a part from the query plus a part from the key, so every query gets the same weights
  > Yes. The query's part is the same for all keys, and the softmax ignores what all scores of a row
    have in common.
""",
)
