"""A batch of one sentence has 4 queries of width 8, 6 keys of width 8, and 6 values of width 10:
`query` is `(1, 4, 8)`, `key` is `(1, 6, 8)`, `value` is `(1, 6, 10)`. Write each shape as a list of
three numbers, the batch first.
"""

from coursekit import quiz

quiz(
    title="Predict: the shapes of weights and output",
    hints=[
        "How many outputs does attention give, and what is each one made of?",
        "`(4, 8) @ (8, 6)` is `(4, 6)`; then `(4, 6) @ (6, 10)`.",
    ],
    questions=r"""
## shape_of_weights (± 0, shape)
The shape of the weights
- [x] 1, 4, 6 > One weight for each pair: 4 queries (rows) by 6 keys (columns).
- [ ] 1, 6, 4 > transposed: Rows and columns have changed places. Rows are queries (4), columns are
  keys (6).
- [ ] 1, 4, 10 > as-output: 10 is the width of a value. The weights do not depend on the values;
  there is one for each pair of query and key.
- [ ] 1, 4, 4 > square: The weights are square only when there are as many queries as keys. Here 4
  queries attend to 6 keys.
- [ ] 1, 4, 8 > feature-width: 8 is the width over which the dot product sums. It no longer appears
  in the product.
- [ ] 1, 8, 8 > summed-axis: 8 is the width over which the dot product sums, so it disappears. What
  is left are the queries and the keys.
- [ ] 1, 6, 6 > pairs-of-keys: 6 by 6 would compare the keys with each other. The queries, of which
  there are 4, are compared with the keys.

## shape_of_output (± 0, shape)
The shape of the output
- [x] 1, 4, 10 > One row for each query; each row is a mixture of values, so it is 10 wide.
- [ ] 1, 4, 8 > key-width: 8 is the width of queries and keys. The output is made of values, which
  are 10 wide.
- [ ] 1, 6, 10 > rows-of-keys: 6 is the number of keys. There is one output for each *query*.
- [ ] 1, 4, 6 > as-weights: That is the shape of the weights. The output is what they make of the
  values.
- [ ] 4, 10, 1 > batch-last: The batch axis stays in front; attention works on the last two axes.
- [ ] 1, 10, 4 > transposed-output: Rows and columns have changed places: one row for each query, as
  wide as a value.

## which_may_differ
Take the five sizes: the number of queries, the number of keys, the width of a query, the width of a
key, the width of a value. Which two of them **have** to be equal?
- [ ] The number of queries and the number of keys
  > square: They are 4 and 6 here. Each query has a row of its own, however many there are.
- [x] The width of a query and the width of a key
  > Yes: a dot product needs as many numbers on both sides. (And every key needs one value.)
- [ ] The width of a key and the width of a value
  > one-width: They are 8 and 10 here. Keys are compared, values are summed, and the two never meet.
- [ ] All of them
  > all-equal: They are often equal in a model, but the formula needs only one pair to be.
""",
)
