"""Three questions on the chapters before, from memory. If you are not sure, guess: a
wrong guess now helps more than reading it again.
"""

from coursekit import quiz

quiz(
    title="Before you start",
    questions=r"""
## output_shape (± 0, shape)
4 queries of width 8 attend to 6 keys of width 8, whose values have width 10. What is the shape of
the output? Write the two numbers.
- [x] 4, 10 > One row for each query, as wide as a value.
- [ ] 4, 6 > weights-shape: (4, 6) is the shape of the weights: queries by keys. The output has the
  width of a value.
- [ ] 6, 10 > rows-are-keys: Rows are queries in the output too: each query gets one mixture.
- [ ] 4, 8 > width-of-keys: 8 is the width in which queries and keys are compared. The output is a
  mixture of values, and they are 10 wide.
- [ ] 10, 4 > transposed: Rows and columns are exchanged: there is one row for each query.
- [ ] 6, 8 > shape-of-keys: (6, 8) is the shape of the keys. The output has a row for each query, as
  wide as a value.
- [ ] 6, 4 > weights-transposed: (6, 4) has a row for each key and a column for each query. The
  output has a row for each query, as wide as a value.
- [ ] 8, 10 > widths-alone: The columns are right. A row belongs to a query, and there are 4.

## why_scale
Why are the scores divided by $\sqrt{d_k}$?
- [ ] So that the weights of each row sum to 1
  > scale-normalises: Softmax does that, with or without the division.
- [x] So that wider keys do not make larger scores, which would saturate the softmax
  > Yes. A sum of d_k products spreads like √d_k, and the division takes that back.
- [ ] So that the gradient is larger for every width
  > always-larger-gradient: At small widths the gradient is larger without the division, and the
    gradient of the queries even at 64.
- [ ] So that all scores lie between −1 and 1
  > scores-bounded: A score may be any number. The division only keeps their spread from growing
    with the width.

## outside_the_values
One query, three values. Can the output be a vector that lies outside the triangle of the three
values?
- [x] No: it is a weighted mean of them. > Yes, it stays inside, or on an edge.
- [ ] Yes, if the query is long enough.
  > long-query-escapes: A long query makes the weights sharper, at most all on one value. That is a
    corner of the triangle, not a point outside it.
- [ ] Yes, if a score is negative.
  > negative-weights: A negative score still gets a positive weight; the exponential of any number
    is positive.
- [ ] Yes, if keys and values differ.
  > keys-escape: The keys decide the weights. Whatever they are, the weights are positive and sum
    to 1.
""",
)
