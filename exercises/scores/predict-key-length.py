"""One query and four keys, two numbers each. The score is the plain dot product.

$$
q = (1, 0) \\qquad k_1 = (1.5, 0) \\qquad k_2 = (2, 2) \\qquad k_3 = (0, 3) \\qquad k_4 = (-1, 0)
$$
"""

from coursekit import quiz

quiz(
    title="Predict: which key wins?",
    hints=[
        "Compute the four dot products first.",
        "They are 1.5, 2, 0 and −1. The exponentials sum to 13.239.",
    ],
    questions=r"""
## winner
Which key gets the largest weight?
- [ ] $k_1$: it points exactly where the query points
  > angle-only: It has the smallest angle, 0, and the score 1.5. The dot product also depends on how
    long the key is: compute the score of the second one.
- [ ] $k_3$: it is the longest
  > length-only: It is the longest, 3, but at a right angle. Only the part along the query counts,
    and that is 0.
- [x] $k_2$: it is 45° off, but long
  > Yes: 1 · 2 + 0 · 2 = 2, and the key in the query's own direction scores 1.5. Length counts.
- [ ] $k_4$: it points the opposite way > ignores-sign: For that reason its score is negative: −1.

## orthogonal (± 0.001)
What is the score of $k_3$?
- [x] 0 > 1 · 0 + 0 · 3. Vectors at a right angle have a dot product of 0, however long they are.
- [ ] 3 > length: 3 is the length of the key. The dot product counts only the part along the query.
- [ ] -1 > minus-one: −1 is the score of the fourth key, which points the other way.
- [ ] 1.5 > first: 1.5 is the score of the first key.
- [ ] 2 > second: 2 is the score of the second key.
- [ ] 1 > exponential: 1 is the exponential of the score. The score itself is the dot product.
- [ ] 4 > sum: 4 is the sum of all components. The dot product multiplies them in pairs first.

## weight_of_orthogonal (± 0.006, weights of key 1 | key 2 | key 3 | key 4)
And which **weight** does $k_3$ get? Two decimals are enough. The four exponentials are 4.482,
7.389, 1 and 0.368.
- [x] 0.0755 > 1 / 13.239. A score of 0 does not make a weight of 0: the fourth key, with a score of
  −1, gets less.
  | 0.339 | 0.558 | 0.076 | 0.028 |
- [ ] 0 > zero: The score is 0; the weight is not, because e⁰ = 1. Only a score of −∞ gives a weight
  of 0.
- [ ] 0.25 > quarter: A quarter would need four equal scores.
  | 0.25 | 0.25 | 0.25 | 0.25 |
- [ ] 1 > not-normalised: 1 is the exponential. Divide it by the sum of all four.
  | 4.482 | 7.389 | 1 | 0.368 |
- [ ] 0.0278 > of-the-fourth: That is the weight of the fourth key.
- [ ] 0.3386 > of-the-first: That is the weight of the first key.
- [ ] 0.5581 > of-the-second: That is the weight of the second key.
- [ ] 7.55 > percent: That is the weight in percent. As a weight it is 100 times smaller.
- [ ] 8 > whole-percent: That is the weight in percent. As a weight it is 100 times smaller.
- [ ] 0.1 > one-decimal: That is right to one decimal. Give two.
""",
)
