"""The word *drank* looks for "who?". Its query is $q = (2, 0)$, and the four keys are

| word | the | cat | drank | milk |
|---|---|---|---|---|
| key | $(0, 0)$ | $(1, 0)$ | $(-1, -1)$ | $(0, 1)$ |

A calculator helps: $e^2 \\approx 7.389$, $e^0 = 1$ and $e^{-2} \\approx 0.135$.
"""

from coursekit import quiz

quiz(
    title="Predict: the weight of “cat”",
    hints=[
        "How many scores are there, and which of them is negative?",
        "The weight is the exponential of the score of *cat*, divided by the sum of all four "
        "exponentials.",
    ],
    questions=r"""
## weight_of_cat (± 0.006, weights of the | cat | drank | milk)
Which weight, between 0 and 1, does *cat* get? Two decimals are enough.
- [x] 0.7758 > The scores are 0, 2, −2, 0; their exponentials 1, 7.389, 0.135, 1; and 7.389 / 9.524
  is 0.776. Even *drank*, with its negative score, has a weight of 0.014.
  | 0.105 | 0.776 | 0.014 | 0.105 |
- [ ] 1.0 > exact: A weight of 1 would leave nothing for the other words. The softmax gives a score
  of 0 the exponential e⁰ = 1, so they have some weight too.
  | 0 | 1 | 0 | 0 |
- [ ] 0.8808 > two-way: 0.881 is e² / (e² + 1): *cat* against one other word. Three other words have
  scores, and each adds its exponential to the sum.
  | – | 0.881 | – | 0.119 |
- [ ] 0.7112 > negative-as-zero: 0.711 counts the score of *drank* as 0. It is −2, and its
  exponential is 0.135.
  | 0.096 | 0.711 | 0.096 | 0.096 |
- [ ] 0.787 > negative-left-out: 0.787 leaves *drank* out of the sum. Its score is negative, but
  every exponential is positive, so every key has some weight.
  | 0.107 | 0.787 | – | 0.107 |
- [ ] 0.4404 > sign-lost: 0.440 counts the score of *drank* as +2. Its key points away from the
  query: 2·(−1) + 0·(−1) is −2.
  | 0.06 | 0.44 | 0.44 | 0.06 |
- [ ] 0.25 > uniform: 0.25 would be right if all four scores were equal. They are 0, 2, −2 and 0.
  | 0.25 | 0.25 | 0.25 | 0.25 |
- [ ] 2.0 > score: 2 is the score. A weight is the exponential of a score, divided by the sum of all
  exponentials.
- [ ] 7.389 > exponential: 7.389 is e², the exponential of the score. It still has to be divided by
  the sum of all four.
- [ ] 0.6471 > scaled: 0.647 is what comes out when the scores are divided by √2 first. The next
  chapter does that; here the scores are plain dot products.
  | 0.157 | 0.647 | 0.038 | 0.157 |
- [ ] 0.5 > half: 0.5 would mean that *cat* has as much weight as all others together. Its
  exponential is 7.389, and theirs sum to 2.135.
- [ ] 77.58 > percent: The number is right in percent. A weight lies between 0 and 1.
- [ ] 0.105 > weight-of-the: 0.105 is the weight of *the*, and of *milk*: 1 / 9.524. Which
  exponential belongs to *cat*?
- [ ] 0.0142 > weight-of-drank: 0.014 is the weight of *drank*, whose score is −2. Which score does
  *cat* get?
- [ ] 9.524 > sum: 9.524 is the sum of the four exponentials. Divide that of *cat* by it.
""",
)
