"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="From memory",
    questions=r"""
## ratio (± 0.02)
A layer with $d_\text{model} = 64$ has 4 heads of width 16. In one head a query has the dot products
6 and 2 with two keys. By which factor is the first weight larger than the second, after scaling?
Two decimals are enough.
- [x] 2.718 > The scores are 6/4 and 2/4, as √16 = 4. They differ by 1, and a score that is larger
  by 1 gives e times the weight.
- [ ] 54.6 > unscaled: 54.6 is e⁴, without the scaling: divide both products by √16 = 4 first.
- [ ] 1.284 > by-d: 1.28 is e to the 4/16: both products were divided by 16. The scale is the root
  of that, 4.
- [ ] 1.6487 > by-root-of-model: 1.65 is e to the 4/8: both products were divided by √64. A head's
  keys are 16 wide.
- [ ] 3 > ratio-of-scores: 3 is the ratio of the scores. The ratio of the weights is the exponential
  of the scores' difference.
- [ ] 1 > difference: 1 is the difference of the scaled scores. By what factor do the weights
  differ, then?
- [ ] 0.368 > inverse: 0.37 is the second weight divided by the first. The first is the larger one.
- [ ] 4.4817 > first-alone: 4.48 is e to the 6/4, from the first score alone. Divide it by that of
  the second.

## hidden
A mask hides a key from a query that has given it a weight of 0.5. What happens to that query's
other weights?
- [ ] They stay, and the row sums to 0.5
  > mask-after-softmax: The mask sets a *score* to −∞ before the softmax, and the softmax makes
    every row sum to 1.
- [ ] Each gets an equal part of the 0.5
  > equal-parts: Weights are ratios of exponentials. Removing one key leaves the ratios of the
    others as they are.
- [x] They are doubled > Yes. Their ratios stay, and their sum grows from 0.5 to 1.

## gradient
One weight of a row is 0.9999. What does a small change of the scores do to the row?
- [x] Almost nothing: the softmax is saturated, and its gradient nearly 0
  > Yes. Every derivative is a product of two factors, one of which is nearly 0.
- [ ] A lot: large scores have large gradients
  > large-scores-large-gradient: The other way round: with one weight near 1, a small change of the
    scores hardly changes any weight.
- [ ] It changes only the largest weight
  > one-weight-moves: The row always sums to 1, so a weight cannot change alone.
- [ ] The row no longer sums to 1 > sum-breaks: A softmax sums to 1, whatever the scores.
""",
)
