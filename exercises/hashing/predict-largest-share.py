"""A query has 1024 keys. Its scores are normally distributed with a standard deviation of 1, as
dividing by $\\sqrt{d_k}$ makes them before training.
"""

from coursekit import quiz

quiz(
    title="Predict: the share of the largest scores",
    hints=["The largest 32 of 1024 scores lie between about 1.9 and 3.2. What is e to that power?"],
    questions=r"""
## largest_share
What share of the weight do the keys with the 32 largest scores get together?
- [x] About 0.2
  > Yes: about six times their share of the keys, and still a small part of the weight.
- [ ] About 0.03
  > equal-weights: 32 of 1024 is 0.03, which is their share with equal weights. Larger scores get
    more.
- [ ] About 0.55 > spread-of-two: That takes scores with a standard deviation of 2.
- [ ] About 0.95
  > only-the-largest: That takes scores with a standard deviation of 4. With 1, the largest of them
    is only about e³ times as heavy as a typical one.
""",
)
