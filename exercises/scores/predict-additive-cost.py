"""Scores of 512 queries and 512 keys of width 64 are computed twice: with dot products, and with
the additive score at a hidden width of 64. Per pair, the dot product needs 64 multiplications
and additions. The additive score needs 64 additions for the hidden sum, 64 tanh, and 64
multiplications and additions.
"""

from coursekit import quiz

quiz(
    title="Predict: what does an additive score cost?",
    hints=["Which of the two is a single matrix product?"],
    questions=r"""
## slowdown
How much longer does the additive score take, written with NumPy as the formula reads?
- [ ] about three times as long: three kinds of operation instead of one
  > counts-operations: The numbers of operations do not decide it. All dot products together are one
    matrix product, which processors do far faster than anything else, and a tanh takes much longer
    than a multiplication.
- [ ] as long: both grow with the number of pairs
  > same-order-same-time: Both grow alike, but from different costs per pair.
- [ ] less: an addition is faster than a multiplication
  > additions-are-cheap: On today's processors they take the same time, and the tanh takes much
    longer.
- [x] far more than three times as long
  > Yes. All dot products together are one matrix product, and the additive score makes large arrays
    and computes a tanh for each number.
""",
)
