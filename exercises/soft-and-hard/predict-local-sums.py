"""Luong's local attention with $D = 2$: the softmax runs over the keys within 2 of the position
$p_i$. Each weight is then multiplied by the Gaussian $e^{-(j - p_i)^2 / 2 \\sigma^2}$.
"""

from coursekit import quiz

quiz(
    title="Predict: the sum of a row",
    hints=["Which values can the Gaussian have?"],
    questions=r"""
## row_sum
What does a row of the resulting weights sum to?
- [ ] to 1, as always after a softmax
  > still-one: It does so after the softmax. The Gaussian comes later and multiplies the weights by
    numbers up to 1.
- [ ] to more than 1 where the window has many keys
  > more-than-one: The softmax has brought the sum to 1, and the Gaussian is never larger than 1.
- [x] to less than 1
  > Yes: the Gaussian is below 1 everywhere except at the position itself, and the weights are not
    normalised again.
""",
)
