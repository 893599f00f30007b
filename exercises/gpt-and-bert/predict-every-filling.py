"""The model of the next token also gives a probability for a whole sentence: the product of the
probabilities of its tokens, each given those before it. So you can put every word of the
vocabulary into the gap, compute the probability of each whole sentence, and normalise.
"""

from coursekit import quiz

quiz(
    title="Predict: every word tried in the gap",
    hints=["Which factor of the product changes when a noun of the other gender is tried?"],
    questions=r"""
## gender
How much of the probability is now on nouns with the gender of the participle?
- [x] nearly all of it
  > Yes. With a noun of the wrong gender the participle at the end is improbable.
- [ ] about half, since each token is still predicted from those before it
  > product-is-blind: Each one is. But the participle is now predicted from the noun that was tried,
    and the product contains that probability.
- [ ] none: it was never trained to fill gaps
  > untrained-for-gaps: It was trained to predict the participle from the subject, and that
    connection is what is used here.
""",
)
