"""One query, three keys. The scores are $(1, 0, 2)$, and the third key is padding. Without a mask
the weights are $(0.24, 0.09, 0.67)$: two thirds go to a token without meaning.

A calculator helps: $e^1 \\approx 2.718$, $e^2 \\approx 7.389$.
"""

from coursekit import quiz

quiz(
    title="Predict: what a mask does to the others",
    hints=[
        "Which exponentials are left in the sum when the third key is gone?",
        "The sum is $e^1 + e^0$.",
    ],
    questions=r"""
## first_weight (± 0.006, weights of key 0 | key 1 | hidden)
The third key is hidden. Which weight does the **first** key get now? Two decimals are enough.
- [x] 0.731 > 2.718 / (2.718 + 1). The two visible keys have all the weight, in the same proportion
  as before.
  | 0.731 | 0.269 | – |
- [ ] 0.2447 > cut-afterwards: 0.245 is what the first key had before. Without the hidden key the
  other weights are larger, since they sum to 1.
- [ ] 0.5745 > ratio-changed: The two visible weights sum to 1 and keep their ratio, e to 1: that
  gives more than this. A hidden key has no weight, and what it had is not distributed equally.
  | 0.574 | 0.426 | – |
- [ ] 0.5 > half: The two visible keys do not get the same: their scores are 1 and 0.
  | 0.5 | 0.5 | – |
- [ ] 0.269 > second-key: 0.269 is the weight of the second key.
  | 0.269 | 0.731 | – |
- [ ] 0.7 > one-decimal: That is right to one decimal. Give two.
- [ ] 73.1 > percent: That is the weight in percent. As a weight it is 100 times smaller.
- [ ] 1.0 > score: 1 is the score of the first key. A weight of 1 would leave nothing for the
  second, which is visible, too.
  | 1 | 0 | – |
- [ ] 0.665 > of-the-hidden: That was the weight of the third key before it was hidden.

## sum_afterwards (± 0.0075)
Somebody sets the third weight to 0 *after* the softmax instead and leaves the others as they are.
What do the three weights sum to?
- [x] 0.335 > 0.24 + 0.09 + 0. The output is then about a third of what it should be, and the larger
  the hidden score, the smaller it gets.
- [ ] 1.0 > still-one: The softmax made the three sum to 1. One of them is now 0, and nothing has
  changed the others.
- [ ] 0.665 > the-third-alone: That is the weight that was taken away.
- [ ] 0.2447 > one-weight: That is the weight of the first key alone.
- [ ] 0.09 > the-other-weight: That is the weight of the second key alone.
""",
)
