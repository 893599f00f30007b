"""Three keys have the values 10, 20 and 30. The weights of a query are 0.245, 0.090 and 0.665.
**Hard attention** draws *one* key, with its weight as the probability, and returns its value.
Ten thousand queries, all the same, are answered in this way.
"""

from coursekit import quiz

quiz(
    title="Predict: the mean of many draws",
    hints=["How often is each of the values drawn, in ten thousand draws?"],
    questions=r"""
## mean_of_draws (± 0.5)
What is the mean of the ten thousand answers, about? A whole number is enough.
- [x] 24.2 > 0.245 · 10 + 0.090 · 20 + 0.665 · 30 = 24.2, which is what soft attention returns.
- [ ] 30 > best-only: 30 is the value of the best key. It is drawn in two thirds of the cases.
- [ ] 20 > plain-mean: 20 is the plain mean, as if every key were drawn equally often.
- [ ] 15.8 > reversed: 15.8 has the weights in reverse order: 0.665 belongs to 30.
- [ ] 0.242 > hundredths: That is 100 times too small: the mean lies between 10 and 30.
- [ ] 25.75 > first-two-exchanged: 25.75 has the weights of the first two keys exchanged: 0.245
  belongs to 10, and 0.090 to 20.
- [ ] 8.07 > divided-by-three: 8 is a third of the weighted sum. The weights sum to 1, so the sum is
  a mean already.
- [ ] 60 > sum: 60 is the sum of the values. A mean lies between 10 and 30.
""",
)
