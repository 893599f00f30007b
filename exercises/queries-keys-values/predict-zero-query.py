"""A token's query comes out as the zero vector: $q = (0, 0)$."""

from coursekit import quiz

quiz(
    title="Predict: the zero query",
    questions=r"""
## zero_query (weights of key 1 | key 2 | key 3 | key 4)
What does attention return for it?
- [x] The plain mean of all values
  > Yes. Every score is 0, so every key gets the same weight. Attention always returns a mixture.
  | 0.25 | 0.25 | 0.25 | 0.25 |
- [ ] The zero vector
  > zero-scores-zero-weights: That would need weights of 0. All scores are 0, but the weights that
    the softmax makes of them sum to 1.
  | 0 | 0 | 0 | 0 |
- [ ] The value of the first key
  > tie-takes-first: That is what an arg max does on a tie. The softmax gives equal scores equal
    weights.
  | 1 | 0 | 0 | 0 |
- [ ] `nan`, a division by zero
  > divides-by-zero: The sum in the denominator is not zero: each key adds e⁰ = 1.
""",
)
