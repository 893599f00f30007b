"""Small reviews of eight words: neutral ones, one adjective (*superb*, *boring* …) and one *not*.
In a quarter of them *not* is right before the adjective and reverses its meaning; in the others it
is before another word. The task: is the review good?

A model computes **one** weighted mean of the word vectors, with a learned query. It has no
positions, so it knows nothing of the order of the words.
"""

from coursekit import quiz

quiz(
    title="Predict: not good",
    hints=[
        "What does the model know when it knows the words but not their order?",
        "Trusting the adjective is wrong exactly where it is negated.",
    ],
    questions=r"""
## share_right (± 0.01)
At best, what share of the reviews can it get right?
- [x] 0.75 > Every review has a *not*. Without order it cannot tell which word it negates, so the
  best it can do is trust the adjective.
- [ ] 0.5 > chance: It sees the adjective, and in most reviews the adjective is right.
- [ ] 1.0 > all: To use the *not*, it has to know which word the *not* stands before.
- [ ] 0.25 > the-other-quarter: That is the share in which the meaning of the adjective is reversed.
- [ ] 0.875 > one-word-in-eight: How many words there are does not matter: the adjective can be
  found. In a quarter of the reviews it is negated.
- [ ] 0.125 > only-one-in-eight: One in eight would be worse than guessing. The adjective is right
  wherever it is not negated.
- [ ] 75.0 > percent: 75 is the share in percent. Write it as a number between 0 and 1.

## plain_mean
How will the plain mean of the word vectors, with equal weights, do in comparison?
- [ ] Much worse: the adjective is one word in eight
  > dilution-is-loss: An eighth of a clear signal is still a clear signal: the layer that reads the
    mean can multiply it by eight.
- [x] About as well
  > Yes, at such lengths. What attention adds here is that you can see where it looks.
- [ ] Better: it does not lose the other words
  > mean-sees-more: The other words say nothing here, and the mean cannot show which word is negated
    either.
""",
)
