"""Texts have six sentences on one topic and up to five strays. The two sentences whose vectors are
nearest to the mean of the text are kept. The first sentence of the document says what it is about.
"""

from coursekit import quiz

quiz(
    title="Predict: which sentences are kept",
    hints=["Which sentences does the mean of the text resemble most?"],
    questions=r"""
## strays
With 5 strays among 11 sentences, how often is a kept sentence on topic?
- [ ] In about 6 of 11 cases, as if chosen at random
  > mean-is-blind: Six sentences on one topic pull the mean towards them, and five strays pull it in
    five directions.
- [ ] In about three of four cases
  > strays-pull-together: It is clearer than that: strays come from five different documents, so no
    two of them pull the mean in one direction.
- [x] Nearly always > Yes: the mean lies among the six sentences that resemble one another.

## first_sentence
And how often is the first sentence of the document among the two that are kept?
- [ ] Nearly always: it says what the text is about
  > central-is-important: The mean measures what is typical. A sentence that sums up the topic need
    not be the most typical one.
- [x] About as often as every other sentence on topic, in a third of the texts
  > Yes: two places for six sentences. Nearness to the mean does not single out the sentence that
    matters.
- [ ] Hardly ever: it is too general
  > general-is-far: It is as near to the mean as the others are, so it is kept as often.
""",
)
