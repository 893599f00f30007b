"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## rows_and_columns
A matrix of weights has shape (4, 6). What does the number in row 2, column 5 say?
- [x] How much query 2 takes of the value of key 5
  > Yes. Rows are queries, columns are keys, throughout.
- [ ] How much query 5 takes of the value of key 2
  > rows-are-keys: There are only 4 rows, so query 5 does not exist. Rows are queries, columns are
    keys.
- [ ] How similar token 2 and token 5 are
  > weight-is-similarity: It is a weight, not a similarity: it depends on the other keys of the row,
    and need not be the same in the other direction.
- [ ] How important token 5 is in the sentence
  > weight-is-importance: Only to query 2. Another query has another row.

## zero_score (± 0.001, weights of key 0 | key 1 | key 2 | key 3)
A row of scores is (0, 0, 0, 0). Which weight does the first key get?
- [x] 0.25 > e⁰ = 1 for each, and 1 / 4 is 0.25. A score of 0 is not a weight of 0.
  | 0.25 | 0.25 | 0.25 | 0.25 |
- [ ] 0.0 > zero-weight: A score of 0 has the exponential e⁰ = 1. Which score would have none?
  | 0 | 0 | 0 | 0 |
- [ ] 1.0 > exponential: 1 is e⁰, the exponential. It still has to be divided by the sum of all
  four.
  | 1 | 1 | 1 | 1 |
- [ ] 4.0 > sum: 4 is the sum of the exponentials. A weight is one exponential divided by it.
- [ ] 0.5 > half: 0.5 would be right for two keys. Here four have the same score.
- [ ] 0.2 > one-more: 0.2 is 1 / 5. There are four exponentials of 1, that of the first key
  included.
  | 0.2 | 0.2 | 0.2 | 0.2 |
- [ ] 25.0 > percent: 25 is the weight in percent. The weights of a row sum to 1.

## heads_axis
With heads, which shape do the weights of a batch of sentences have?
- [ ] `(batch, num_queries, num_keys, num_heads)`
  > heads-last: The heads stand before the tokens, so that the last two axes are a matrix of weights
    for each head.
- [x] `(batch, num_heads, num_queries, num_keys)`
  > Yes. A mask has to fit this shape, which is where one of this chapter's traps lies.
- [ ] `(batch, num_queries, num_keys)`: the heads are merged by then
  > weights-merged: Outputs are merged, after the weights were used. Each head has a matrix of
    weights of its own.
- [ ] `(num_heads, batch, num_queries, num_keys)`
  > heads-first: The batch comes first, then the heads.
""",
)
