"""Training takes 1,200 steps. You will see texts after 50 steps, after 200, and at the end."""

from coursekit import quiz

quiz(
    title="Predict: what is learned first",
    questions=r"""
## first
What do you expect of the text after 50 steps?
- [ ] Correct sentences throughout, but about events that do not fit together
  > grammar-first: Sentences of every kind take longer: after its beginning the text falls apart.
    The network has no grammar to begin with. It learns first what lowers the loss of many tokens.
- [ ] Single words only, since no rule of the grammar can be learned so early
  > words-first: The beginning has the same words in nearly every fable. They lower the loss at
    once, so they are learned at once. How early something is learned depends on how many tokens it
    helps to predict, not on whether it is one word or several.
- [x] A correct beginning, and after it words of the right kind in no sentence
  > What all fables share lowers the loss most, so it is learned first. What few tokens depend on,
    such as the pronoun, comes last.
- [ ] A whole fable from one of the batches, word for word
  > memory-first: No fable comes twice, so none can be learned by heart. A text can be learned by
    heart only if it occurs more than once.
""",
)
