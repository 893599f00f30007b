"""Word vectors of width 50, 3 heads, each 16 wide. Nothing is added to the products (no
*biases*). 16 is not 50 / 3, and need not be.
"""

from coursekit import quiz

quiz(
    title="Predict: heads that do not divide the width",
    hints=[
        "How wide is one token's row when the outputs of the three heads are concatenated?",
        "$W^O$ takes that row to a row as wide as the input. And $W^Q$ makes all three heads' "
        "queries of one token at once.",
    ],
    questions=r"""
## shape_of_output_matrix (± 0, shape)
What is the shape of $W^O$? Write the two numbers.
- [x] 48, 50 > The concatenated heads are 3 · 16 = 48 wide, and W^O maps them back to 50.
- [ ] 50, 48 > transposed: A token is a row and stands left of the matrix: (48,) times W^O gives
  (50,). So the 48 comes first.
- [ ] 16, 50 > one-head: That counts one head of the three.
- [ ] 50, 50 > square: That takes the heads as 50 wide together. 3 heads of 16 are 48 wide; nothing
  forces them to fill the width.
- [ ] 48, 48 > square-heads: The output goes back to the width of the input, 50, so that layers can
  be stacked.
- [ ] 50, 16 > one-head-transposed: (50, 16) is the shape of one head's part of W^Q. W^O is
  multiplied from the left by all three heads side by side.
- [ ] 150, 50 > three-inputs: 150 is 3 · 50. A head is 16 wide, so the three are 48 wide together.

## num_parameters (± 0)
How many numbers are there in $W^Q, W^K, W^V$ and $W^O$ together, over all heads?
- [x] 9600 > Four matrices of 50 · 48 = 2400 numbers.
- [ ] 2400 > one-matrix: 2400 is one of the four matrices.
- [ ] 7200 > three-matrices: That is W^Q, W^K and W^V. W^O has as many again.
- [ ] 10000 > square
- [ ] 3200 > one-head
- [ ] 28800 > per-head-output: You gave each head matrices of the full 48. Each head has 16 columns
  of them.
- [ ] 9794 > with-biases: That adds a bias of 48 or 50 numbers to each matrix. The layer has no
  biases.
- [ ] 4800 > half: 4800 is two of the four matrices; W^Q, W^K and W^V of one head and the whole W^O
  have as many. All four are 50 · 48 over all heads.
- [ ] 800 > in-and-out-of-one-head: 800 is 50 · 16, one head's part of one matrix.
""",
)
