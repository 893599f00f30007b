"""Four tokens; each value says two things, *(gender of the French word, verb)*:

| | the apple | behind the wall | had been | picked |
|---|---|---|---|---|
| value | $(1, 0)$ | $(-1, 0)$ | $(0, 0)$ | $(0, 3)$ |

To write *ramassée* we need the gender of *pomme*, 1, and the number of the verb, 3: $(1, 3)$.
There is one query, so there is one row of weights.
"""

from coursekit import quiz

quiz(
    title="Predict: one row of weights, two things wanted",
    hints=["Multiply each value by its weight, then add: $0.5 \\cdot (1, 0) + 0.5 \\cdot (0, 3)$."],
    questions=r"""
## half_and_half (± 0.001, weights of the apple | the wall | had been | picked)
The row puts 0.5 on *the apple* and 0.5 on *picked*. What is the output? Write the two numbers.
- [x] 0.5, 1.5 > Each value counts half: the output holds half of each number.
  | 0.5 | 0 | 0 | 0.5 |
- [ ] 1.0, 3.0 > sum: You added the two values. Their weights are 0.5 each, so the output holds half
  of each.
- [ ] 0.0, 3.0 > only-verb: That would be a weight of 1 on *picked* and none on *the apple*.
  | 0 | 0 | 0 | 1 |
- [ ] 1.5, 0.5 > swapped: The two numbers are exchanged: the first one is the gender.
- [ ] 0.0, 1.5 > no-apple: The second number is right. The first is 0.5 · 1: the weight of *behind
  the wall*, whose value would cancel it, is 0.
  | 0 | 0 | 0 | 0.5 |
- [ ] 0.25, 0.75 > divided-again: That is half of the weighted sum. The weights 0.5 and 0.5 sum to
  1, so the sum is a mean already.
  | 0.25 | 0 | 0 | 0.25 |
- [ ] 1.0, 0.0 > only-apple: That would be a weight of 1 on *the apple* and none on *picked*.
  | 1 | 0 | 0 | 0 |
- [ ] 0.5, 3.0 > verb-in-full: The first number is right. The second is 0.5 · 3.
  | 0.5 | 0 | 0 | 1 |
- [ ] 1.0, 1.5 > apple-in-full: The second number is right. The first is 0.5 · 1.
  | 1 | 0 | 0 | 0.5 |

## best_row
Which row of weights gives exactly $(1, 3)$?
- [ ] $(0.5, 0, 0, 0.5)$ > half-is-whole: That gives (0.5, 1.5), as you have just worked out.
- [ ] $(1, 0, 0, 1)$
  > sums-to-two: It would, but its weights sum to 2, and the weights that a softmax gives sum to 1.
- [x] None
  > Yes. The output is a mean of the four values, and (1, 3) lies outside the area that they span.
- [ ] A sharper one, with scores ten times as large
  > sharper-is-both: Sharper weights go to one value: (1, 0) or (0, 3). Neither is both.
""",
)
