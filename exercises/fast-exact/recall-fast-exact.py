"""Four questions on earlier chapters, from memory."""

from coursekit import quiz

quiz(
    title="From memory",
    hints=[
        "Weights are ratios of exponentials. There is one for each head and each pair of tokens. "
        "With a cache, the last query belongs to the last key.",
    ],
    questions=r"""
## shift
What happens to the weights of a row when 7 is subtracted from all of its scores?
- [x] Nothing
  > Yes: the factor e⁻⁷ cancels between numerator and denominator. This chapter builds on that
    freedom.
- [ ] Each is divided by e⁷
  > forgets-the-sum: Each exponential is divided by e⁷, and so is their sum: the ratio does not
    change.
- [ ] They move closer together
  > shift-is-scale: Dividing the scores does that. Subtracting keeps all differences, and only
    differences count.
- [ ] The largest weight grows
  > shift-is-scale: Multiplying the scores does that. Subtracting keeps all differences.

## num_weights (± 0)
One sentence of 100 tokens, 8 heads of width 64, self-attention. How many weights are there in one
layer?
- [x] 80000 > Each of 8 heads has 100 · 100. The width of a head does not matter.
- [ ] 10000 > one-head: 10,000 is one head. Each head has its own matrix of weights.
- [ ] 51200 > tokens-times-width: 51,200 = 100 · 512 counts features of tokens. A weight belongs to
  a pair of tokens.
- [ ] 5120000 > with-width: 5,120,000 counts the 64 features of each pair. A dot product sums over
  them: one number per pair.
- [ ] 800 > linear: 800 = 100 · 8. Every token attends to every token: 100 · 100 pairs in each head.
- [ ] 1048576 > parameters: 1,048,576 = 4 · 512² is the number of *parameters* of the four
  projections. Attention weights are computed for each sentence.
- [ ] 262144 > of-one-projection: 262,144 = 512² is the number of *parameters* of one projection.
  Attention weights are computed for each sentence.
- [ ] 40400 > causal-half: 40,400 is the number of visible pairs under a causal mask. Here nothing
  is masked.
- [ ] else > Each head has a weight for each pair of a query and a key.

## last_query
A decoder has 5 keys and 2 queries, those of the last two tokens. Which keys may the *first* of the
two queries attend to?
- [ ] Key 0 only
  > top-left: That is the mask aligned at the top left. This query is at position 3, and there are
    three keys before it.
- [x] Keys 0 to 3 > Yes: it is at position 3. The last query sees all five keys.
- [ ] All five > sees-the-future: Key 4 is the token after it: the future.
- [ ] Keys 3 and 4
  > only-new: Earlier tokens may be attended to as well: that is why their keys are kept.

## heads_cost
One head of width 512 is split into 8 heads of width 64. How does the number of multiplications in
the scores $Q K^\top$ change?
- [x] It does not change
  > Yes: 8 times as many scores, each a sum of an eighth of the products. There are 8 times as many
    exponentials, though.
- [ ] It falls to an eighth: each head is narrower
  > heads-are-cheaper: Each head costs an eighth, and there are eight.
- [ ] It grows eightfold: there are eight matrices
  > heads-cost-more: Eight matrices of the same size, yes. Each number in them costs an eighth.
""",
)
