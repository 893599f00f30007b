"""Three tokens $x_1, x_2, x_3$ are compared with each other by the general score
$s(x_i, x_j) = x_i^\\top W x_j$, where $W$ is a square matrix.
"""

from coursekit import quiz

quiz(
    title="Predict: does the direction matter?",
    hints=["A number equals its own transpose. What is the transpose of $x_1^\\top W x_2$?"],
    questions=r"""
## symmetric
When is $s(x_1, x_2) = s(x_2, x_1)$ for all tokens?
- [ ] always, as with a dot product
  > always-symmetric: Exchanging the tokens has the same effect as transposing W.
- [ ] never
  > never-symmetric: Take W as the identity: the score is then the dot product, which is symmetric.
- [x] if W is symmetric > Yes: exchanging the tokens has the same effect as transposing W.
- [ ] if W is invertible
  > invertible: Take W = [[0, 1], [−1, 0]]: it is invertible, and exchanging the tokens changes the
    sign.
""",
)
