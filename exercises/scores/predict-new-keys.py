"""Two models were trained on the same task, one with an additive score and one with a general
score. A query is made of one of six keys by a fixed linear map, and the model has to find that
key. Both do so whenever the keys come from the twelve vectors ("words") that they were trained on.
Now the six keys are vectors that were never among these words. The map is the same.
"""

from coursekit import quiz

quiz(
    title="Predict: keys never seen",
    hints=["The query is a linear map of the key. Which score is a bilinear form?"],
    questions=r"""
## generalises
Which model still finds the right one of the six keys nearly always?
- [x] the general score only
  > Yes. The map from keys to queries is linear, which is exactly what the matrix W can learn.
- [ ] the additive score only: it ends with the lower loss
  > lower-loss-generalises: The loss was measured on the twelve words. It does not say what happens
    with others.
- [ ] both: they learned the map
  > fit-is-understanding: Both fit the twelve words. Only one of them had to learn the map to do so.
- [ ] neither: twelve words are too few
  > too-few-words: A linear map from width 5 is determined by five independent keys, and there are
    twelve.
""",
)
