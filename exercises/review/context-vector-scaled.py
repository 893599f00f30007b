"""You may have computed this before, without scaling. The query is $q = (1, 0)$, the keys are
$k_1 = (1, 1)$ and $k_2 = (0, 1)$, the values $v_1 = (0.5, 0.5)$ and $v_2 = (0.2, 0.8)$.
"""

from coursekit import quiz

quiz(
    title="The context vector, with the scale",
    hints=[
        "How many components does a key have?",
        "The scores are $1/\\sqrt{2}$ and $0$.",
        "$e^{0.707} = 2.028$ and $e^0 = 1$, so the first weight is $2.028 / 3.028$.",
    ],
    questions=r"""
## scaled_context (± 0.0015, 2 points, weights of value 1 | value 2)
What is the context vector in *scaled* dot-product attention? Give three decimals.
- [x] 0.4009, 0.5991 > The keys have width 2, so the scores are 1/√2 = 0.707 and 0. The weights are
  0.670 and 0.330, and the context vector is 0.670·(0.5, 0.5) + 0.330·(0.2, 0.8). Without the scale
  it is (0.419, 0.581): the scale moves it towards the plain mean.
  | 0.67 | 0.33 |
- [ ] 0.4193, 0.5807 > unscaled: (0.419, 0.581) is the context vector without the scale, from the
  scores 1 and 0. Here they are divided by √2 first.
  | 0.731 | 0.269 |
- [ ] 0.3867, 0.6133 > by-d: The scores were divided by 2, the width of a key. The scale is its
  root, √2.
  | 0.622 | 0.378 |
- [ ] 0.35, 0.65 > uniform: (0.35, 0.65) is the plain mean of the two values. The scale makes the
  scores smaller, 0.707 and 0, but they still differ.
  | 0.5 | 0.5 |
- [ ] 0.5, 0.5 > no-softmax-or-hard: (0.5, 0.5) is the first value alone, as if the second key had
  no weight. Its score is 0, and e⁰ is 1.
  | 1 | 0 |
- [ ] 0.6698, 0.3302 > weights: 0.670 and 0.330 are the weights. The context vector is the sum of
  the values, each multiplied by its weight.
- [ ] 0.2991, 0.7009 > swapped: The weights are right, but each belongs to the other value: the
  first key has the larger score.
  | 0.33 | 0.67 |
- [ ] 0.5991, 0.4009 > reversed: The two numbers are right, in reverse order: the first components
  of the values make the first number.
- [ ] 0.4413, 0.5587 > multiplied: The scores were multiplied by √2, which makes them more
  different. The scale divides them.
- [ ] 0.2965, 0.4106 > scaled-output: The unscaled context vector was divided by √2. The scale
  belongs to the scores, before the softmax, so that the weights still sum to 1.
- [ ] else > That is not it. Divide both scores by √d_k, where d_k is the number of components of a
  key; then apply the softmax and take the weighted sum of the values.
""",
)
