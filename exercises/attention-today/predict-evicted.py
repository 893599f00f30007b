"""The head of the chapter's case: after most words nothing earlier helps. The mark at the beginning
says nothing about any word.
"""

from coursekit import quiz

quiz(
    title="Predict: without the first token",
    questions=r"""
## evicted
What happens to the predictions of these words when the mark is evicted?
- [ ] Nothing: no prediction depends on the mark.
  > irrelevant-is-unused: What is predicted does not depend on the mark. The weights do, though:
    they sum to 1, and had to be somewhere.
- [ ] They become slightly worse at first, and recover as more tokens come.
  > recovers: The window always holds 12 tokens. What came instead of the mark at position 12 comes
    at every later position, too.
- [x] They become much worse, and stay so.
  > Yes. A softmax has to put its weight somewhere, and training chose a token whose value does no
    harm. Without it the same weight falls on words, whose values do.
- [ ] They become better: the head attends to words instead of the mark.
  > more-attention-helps: For these words, no earlier word helps. What the head adds is noise.
""",
)
