"""Three questions on the chapters before, from memory."""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## output_shape (± 0, shape)
5 queries of width 8, 7 keys of width 8, 7 values of width 3. What is the shape of the output?
- [x] 5, 3 > One row for each query, as wide as a value.
- [ ] 5, 7 > shape-of-weights: (5, 7) is the shape of the weights. The output has a weighted mean of
  values in each row.
- [ ] 5, 8 > width-of-queries: (5, 8) is the shape of the queries. An output is as wide as a value.
- [ ] 7, 3 > shape-of-values: (7, 3) is the shape of the values. The output has one row for each
  query.
- [ ] 7, 8 > shape-of-keys: (7, 8) is the shape of the keys. The output has one row for each query,
  as wide as a value.
- [ ] 3, 5 > transposed: The two numbers are exchanged. Rows come first: one for each query.

## together
Which two of queries, keys and values must have equally many rows?
- [ ] queries and keys
  > as-many-queries: They are compared, so they must be equally *wide*. A query is compared with any
    number of keys.
- [ ] queries and values
  > a-value-a-query: Each query gets a weighted mean of however many values there are.
- [x] keys and values > Yes: the weight of key j multiplies value j.

## row
A row of the weights sums to 1. What does the sum run over?
- [x] over the keys, for one query
  > Yes. Rows are queries, columns are keys: each query distributes a weight of 1 over the keys.
- [ ] over the queries, for one key
  > over-queries: That is a column. A key may get a weight near 1 from every query or from none, so
    a column sums to anything.
- [ ] over the features of the query
  > over-features: The dot product has already summed over the features.
""",
)
