"""Soft, hard, local, global. Which is which?"""

from coursekit import quiz

quiz(
    title="Soft, hard or local?",
    questions=r"""
## mean_answer (± 0.1)
Three keys have the weights 0.5, 0.3, 0.2 and the values 10, 20, 30. A million queries are answered
by hard attention. What is the mean of the answers, about?
- [x] 17 > 0.5 times 10, 0.3 times 20 and 0.2 times 30: what soft attention returns.
- [ ] 10 > best-only: 10 is the value of the best key. It is drawn in half of the cases only.
- [ ] 20 > plain-mean: 20 is the plain mean, as if every key were drawn equally often. Keys are
  drawn with their weights as probabilities.
- [ ] 23 > reversed: 23 has the weights in reverse order: 0.5 belongs to 10.
- [ ] 1.7 > tenths: That is ten times too small: the mean lies between 10 and 30.
- [ ] 60 > sum: 60 is the sum of the values. The mean weights each value by its probability.

## two_globals
“Global attention” in Luong's paper and “global attention” in the Longformer: what do they mean?
- [ ] The same: every query attends to every key
  > one-meaning: That is Luong's meaning. In the Longformer most queries have a window; a few chosen
    tokens are global.
- [ ] Luong: a few chosen tokens. Longformer: every query attends to every key
  > swapped: The other way round.
- [ ] Luong: attention over all layers. Longformer: over all documents
  > other-axis: Neither speaks of layers or documents here; both speak of which keys a query attends
    to.
- [x] Luong: every query attends to every key. Longformer: a few chosen tokens attend to all, and
  all attend to them
  > Yes. In one paper it names a whole mechanism, in the other a property of a few tokens.

## differentiable
For which of these does backpropagation find a gradient with respect to the *scores*?
- [ ] the value of the key with the largest score
  > argmax-differentiable: It stays the same when a score moves a little, and jumps when another key
    takes over: its slope is 0 wherever it has one.
- [ ] the value of a key that was drawn
  > draw-differentiable: The drawn value does not move with the scores; only its probability does.
    That needs the score-function estimator.
- [x] the mean of all values, weighted
  > Yes, soft attention: every weight depends smoothly on every score.
- [ ] all three > all-differentiable: A choice of one key, by draw or by maximum, changes in jumps.
""",
)
