"""Three questions on earlier chapters, from memory."""

from coursekit import quiz

quiz(
    title="From memory",
    hints=["Weights are positive and sum to 1. A cache keeps what later queries need."],
    questions=r"""
## equal_scores (± 0.001, weights of key 1 | key 2 | key 3 | key 4 | key 5)
Five visible keys all have the score −20. Which weight does each get from a softmax?
- [x] 0.2 > Only differences of scores count, and there are none.
  | 0.2 | 0.2 | 0.2 | 0.2 | 0.2 |
- [ ] 5.0 > inverse: 5 is the number of keys. The five weights are equal and sum to 1.
- [ ] 0.0 > tiny: e⁻²⁰ is tiny, but it is divided by the sum of five of them.
  | 0 | 0 | 0 | 0 | 0 |
- [ ] 1.0 > one: 1 is the sum of all five weights.
  | 1 | 1 | 1 | 1 | 1 |
- [ ] -4.0 > minus-four: Scores were divided by their number. A weight is a ratio of exponentials.
- [ ] else > The exponentials are tiny, and so is their sum: the weight is a ratio.

## cached
A decoder with a key–value cache writes one more token. What does it read of the earlier ones?
- [ ] Their queries and keys
  > keeps-queries: An earlier token's query is done: its output was computed when it was the newest.
- [ ] Their outputs > keeps-outputs: A new query is compared with keys and mixes values.
- [ ] Their weights > keeps-weights: The new query has weights of its own, which need new scores.
- [x] Their keys and values > Yes: they do not depend on later tokens.

## saturated
What happens to gradients when one weight of a row is nearly 1 and all others are nearly 0?
- [x] Hardly any gradient reaches the scores
  > Yes: the softmax's Jacobian, diag(p) − ppᵀ, is nearly zero.
- [ ] They become very large
  > explodes: Each entry of the Jacobian is a product of weights, such as p(1 − p): nearly 0.
- [ ] Nothing special: the scores are still far apart
  > scores-not-weights: Because they are far apart, a small change of one of them moves no weight.
""",
)
