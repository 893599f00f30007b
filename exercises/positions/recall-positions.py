"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## what_a_query_knows
A token's query is its embedding times $W^Q$. What does it contain about the position of the token?
- [ ] Its index, since row $i$ of $Q$ belongs to token $i$
  > row-is-known: The index says where we keep the query. None of its numbers depends on it.
- [x] Nothing: the same word gives the same query at every position
  > Yes. The embedding depends only on the word, and W is the same for all tokens.
- [ ] Its distance to the other tokens, through the dot products
  > distance-in-scores: A dot product compares what two vectors contain. Neither contains a
    position.

## factor (± 0.005)
A score is lowered by 1 before the softmax, the others stay. By which factor does the ratio of its
weight to another one change? Two decimals are enough.
- [x] 0.368 > The ratio of two weights is the exponential of the difference of their scores, and
  that fell by 1.
- [ ] 2.718 > raised: That is the factor for a score that is raised by 1.
- [ ] -1 > by-one: A difference of scores becomes a factor of weights, and a factor is positive.
- [ ] 0.5 > halved: Weights are powers of e, not of 2.
- [ ] 0.632 > what-is-lost: That is what the ratio loses, 1 − 1/e. Give the factor that remains.
- [ ] 0.4 > one-decimal: That is right to one decimal. Give two.
- [ ] 36.8 > percent: That is the factor in percent: it is 100 times smaller.
- [ ] 1 > unchanged: A factor of 1 would leave the ratio as it is. It falls with the score.
- [ ] 0 > to-nothing: A factor of 0 would leave no weight. The exponential of a lower score is
  smaller, but above 0.

## angle
Query and key are both turned by the same angle. What happens to their dot product?
- [x] It stays the same > Yes. Both lengths stay, and so does the angle between them.
- [ ] It is multiplied by the cosine of the angle
  > one-turned: That would happen if only one of them was turned away from the other.
- [ ] It becomes 0 > right-angle: Only a right angle between them gives 0.
""",
)
