"""A model with rotary positions was trained on texts of 32 tokens. It has to look up values, for
which one of its heads attends to the token directly before. It now reads texts of 128 tokens, with
no further training: as it is, or with its frequencies lowered in one of three ways.
"""

from coursekit import quiz

quiz(
    title="Predict: four times as long",
    hints=["What becomes of the angle between two neighbouring tokens in each of the three ways?"],
    questions=r"""
## worst
Which of the four looks up the fewest values?
- [ ] No scaling: angles occur that training never had.
  > unscaled-is-worst: Only the slow hands reach new angles. A head that attends to the previous
    token uses the fast ones, and those have been everywhere.
- [x] Linear scaling: all distances shrink to a quarter, even between neighbours.
  > Yes. The previous token now stands at a distance of 1/4, which training never had, and the head
    that looked for it misses it. Then nothing that builds on that head works.
- [ ] NTK-aware scaling: no frequency but the first is as in training.
  > ntk-is-worst: The fast ones are lowered by little, so neighbours keep nearly their angles, and
    the slow ones stay within known angles.
- [ ] YaRN: it also makes the scores larger.
  > sharpening-hurts: Larger scores sharpen the softmax, since more keys compete. The order of the
    keys stays the same.
""",
)
