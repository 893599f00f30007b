"""Three questions on the chapters before, from memory. If you are not sure, guess."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## causal
A causal mask for 5 tokens, in order. Which keys may the query of the third token attend to?
- [ ] the first two
  > not-itself: A token may attend to itself. Otherwise the first token could attend to nothing.
- [ ] the last three > mask-inverted: Those are itself and the future. The mask hides the future.
- [x] the first three > Yes: itself and what came before.
- [ ] all five > no-mask: That is attention without a mask.

## order
Without positions, what does self-attention give if the tokens are put in another order?
- [x] the same rows, in the other order > Yes. So the order has to be told to the model.
- [ ] other rows, since each query has other neighbours
  > order-seen: The sum over keys and values does not ask where they stand.
- [ ] the same rows, in the same order
  > rows-fixed: There is one row for each query, so the rows move with the queries.

## cross
In cross-attention a target of 4 tokens attends to a source of 6 tokens. How many rows does the
output have?
- [ ] 6 > rows-are-keys: 6 is the number of keys: the columns of the weights.
- [ ] 10 > concatenated: Source and target are not concatenated. There is one row for each query.
- [ ] 24 > all-pairs: 24 is the number of weights. Each query sums them up to one row.
- [x] 4 > Yes: one row for each query, and the queries are the target's.
""",
)
