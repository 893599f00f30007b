"""The query is $q = (1, 0)$. The keys are $k_1 = (1, 1)$ and $k_2 = (0, 1)$; the values are
$v_1 = (0.5, 0.5)$ and $v_2 = (0.2, 0.8)$.
"""

from coursekit import quiz

quiz(
    title="The context vector, by hand",
    hints=[
        "How many scores are there, and which vectors make each of them?",
        "The scores are $q \\cdot k_1 = 1$ and $q \\cdot k_2 = 0$. Softmax makes two weights of "
        "them that sum to 1.",
        "$e^1 = 2.718$ and $e^0 = 1$, so the first weight is $2.718 / 3.718$.",
    ],
    questions=r"""
## context (± 0.005, 2 points, weights of value 1 | value 2)
What is the context vector, with plain dot products (no scaling)? Two decimals are enough.
- [x] 0.4193, 0.5807 > The scores are 1 and 0, the weights e/(e+1) = 0.731 and 0.269, and the
  context vector is 0.731·(0.5, 0.5) + 0.269·(0.2, 0.8).
  | 0.731 | 0.269 |
- [ ] 0.5, 0.5 > no-softmax-or-hard: (0.5, 0.5) is the first value alone, as if the second key had
  no weight. The softmax gives it some, although its score is 0, because e⁰ is 1.
  | 1 | 0 |
- [ ] 0.4, 0.6 > one-decimal-or-scaled: (0.4, 0.6) is right to one decimal, and two are asked for.
  (If you computed (0.40, 0.60), the scores were divided by √2, as scaled dot-product attention
  does. Here they stay 1 and 0.)
- [ ] 0.35, 0.65 > uniform: (0.35, 0.65) is the plain mean of the two values: both keys got the same
  weight. The scores are 1 and 0. Which weights does the softmax make of them?
  | 0.5 | 0.5 |
- [ ] 0.2, 0.8 > second-value: (0.2, 0.8) is the second value alone. The first key has the larger
  score, and both keys have some weight.
  | 0 | 1 |
- [ ] 0.2807, 0.7193 > swapped: The weights are right, but each belongs to the other value: the
  first key has the larger score, and its weight belongs to v₁.
  | 0.269 | 0.731 |
- [ ] 0.7311, 0.2689 > weights: 0.731 and 0.269 sum to 1: they are the weights. The context vector
  is what they make of the values: multiply each value by its weight and add.
- [ ] 0.2689, 0.7311 > weights-swapped: 0.269 and 0.731 sum to 1: they are the weights, in reverse
  order. The context vector is the sum of the values, each multiplied by its weight.
- [ ] 0.5807, 0.4193 > reversed: The two numbers are right but in reverse order: the first
  components of the values make the first number.
- [ ] 1, 0 > scores: 1 and 0 are the scores. Two steps are missing: the softmax, and the sum of the
  values.
- [ ] 2.7183, 1 > exponentials: 2.718 and 1 are the exponentials of the scores. Divide them by their
  sum to get the weights; then add up the weighted values.
- [ ] 1.5591, 2.1591 > not-normalised: The values were multiplied by 2.718 and 1, which sum to
  3.718. Weights sum to 1: divide by that sum first.
  | 2.718 | 1 |
- [ ] 0.5736, 0.7943 > not-normalised-shifted: The values were multiplied by 1 and 0.368, which sum
  to 1.368. Weights sum to 1: divide by that sum first.
  | 1 | 0.368 |
- [ ] 0.7, 1.3 > plain-sum: (0.7, 1.3) is the plain sum of the two values. Multiply each by its
  weight first.
  | 1 | 1 |
- [ ] 0.7311, 1 > keys-as-values: (0.731, 1) is the weighted sum of the keys. The keys only decide
  the weights; the sum is taken over the values.
- [ ] 0.3723, 0.6277 > compares-values: The query was compared with the values, which gives the
  scores 0.5 and 0.2. Compare it with the keys.
- [ ] else > That is not it. The context vector is a weighted mean of the two values, so it lies
  between (0.5, 0.5) and (0.2, 0.8), and its two numbers sum to 1.
""",
)
