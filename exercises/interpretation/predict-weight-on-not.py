"""The classifier has two layers: first the words attend to each other, then one learned query pools
them. In *a boring long film* the answer is "bad", in *a not boring film* it is "good". The
classifier is right in at least 0.98 of such reviews.
"""

from coursekit import quiz

quiz(
    title="Predict: the weight and the effect of “not”",
    hints=["Which layer can bring *not* and *boring* together?"],
    questions=r"""
## weight_and_effect
What do we find for *not* in front of the adjective, in most seeds?
- [ ] A large weight in the pooling, and an answer that changes without it
  > effect-needs-weight: It does change the answer, but it does not need weight in the last layer:
    the first layer has already mixed the words.
- [ ] A large weight in the pooling, and an answer that stays the same
  > weight-without-effect: The answer has to depend on *not*, or *not boring* would count as
    *boring*.
- [x] Next to no weight in the pooling, and an answer that changes without it
  > Yes. The first layer has carried the value of *not* to the position of the adjective, and the
    pooling reads that position.
- [ ] Next to no weight in the pooling, and an answer that stays the same
  > no-weight-no-effect: That is so for one of the three seeds, but not because of the weight. In
    the two others nearly every answer changes.
""",
)
