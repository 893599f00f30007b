"""The 5 tokens of one sentence attend to the 7 tokens of another. Every token is an embedding of
width $d_\\text{model} = 12$, so $X$ has shape `(5, 12)` and $Y$ has shape `(7, 12)`. Queries and
keys have width $d_k = 3$, values have width $d_v = 11$.

Give each shape as a list of two numbers.
"""

from coursekit import quiz

quiz(
    title="Predict: the shapes of the projections",
    hints=[
        "Which tokens have queries, and which have keys and values?",
        "`(tokens, 12) @ (12, d)` is `(tokens, d)`. Queries are computed from $X$, keys and values "
        "from $Y$.",
    ],
    questions=r"""
## shape_of_query_weights (± 0, shape)
The shape of $W^Q$
- [x] 12, 3 > It takes 12 numbers in and gives 3 out, whatever the number of tokens.
- [ ] 3, 12 > transposed: Rows and columns have changed places. Tokens are rows here, and a weight
  matrix takes d_model numbers in and gives d out: (d_model, d).
- [ ] 5, 3 > query-itself: That is the shape of Q = X W^Q. The matrix W^Q turns one embedding of
  width 12 into one query of width 3, whatever the number of tokens.
- [ ] 12, 11 > value-width: 11 is the width of values. Queries and keys meet in a dot product, so
  they share a width of their own, 3.
- [ ] 5, 12 > embeddings: That is the shape of the embeddings, before any matrix was applied.
- [ ] 12, 12 > square: 12 is the width of the embeddings. The matrix turns it into the width of a
  query, 3.

## shape_of_keys (± 0, shape)
The shape of $K = Y W^K$
- [x] 7, 3 > One key for each of the 7 tokens of Y, each as wide as a query.
- [ ] 5, 3 > from-x: 5 is the number of queries, which come from X. Keys and values come from Y,
  with 7 tokens.
- [ ] 3, 7 > transposed
- [ ] 7, 11 > value-width
- [ ] 12, 3 > matrix-itself: That is the shape of the weight matrix. The question is about its
  product with Y, which has one row for each token.
- [ ] 7, 12 > embeddings

## shape_of_values (± 0, shape)
The shape of $V = Y W^V$
- [x] 7, 11 > One value for each key, and a width of its own: nothing compares values.
- [ ] 5, 11 > from-x
- [ ] 7, 3 > key-width: 3 is the width of queries and keys. Values are never compared with anything,
  so they may have another width: 11.
- [ ] 11, 7 > transposed
- [ ] 12, 11 > matrix-itself
- [ ] 7, 12 > embeddings

## shape_of_output (± 0, shape)
The shape of the output: one context vector for each query
- [x] 5, 11 > One row for each query, made of values, so as wide as a value.
- [ ] 7, 11 > rows-of-keys: 7 is the number of keys. Every *query* gets one context vector, and
  there are 5.
- [ ] 5, 3 > key-width
- [ ] 5, 7 > weights: That is the shape of the weights: one for each pair of query and key. The
  output is what they make of the values.
- [ ] 11, 5 > transposed
- [ ] 5, 12 > model-width: 12 is the width of the embeddings. Nothing has brought the values, of
  width 11, back to it yet; an output projection would.
""",
)
