"""Added sinusoids, rotary, ALiBi, or none. Which is which?"""

from coursekit import quiz

quiz(
    title="Choose a position encoding",
    questions=r"""
## values
In which of them do the *values* depend on the position?
- [ ] Rotary > values-turned: Queries and keys are turned. Values are left alone.
- [x] Added sinusoids > Yes: they are added to the tokens, of which the values are made.
- [ ] ALiBi > bias-in-values: ALiBi changes scores and nothing else.
- [ ] All of them > all-the-same: Two of the three enter the scores only.

## bias (± 0.01)
A head of ALiBi has the slope 0.5. Two keys would have the same score, one stands 1 position back
and the other 3. How many times as large is the weight of the nearer one? Two decimals are enough.
- [x] 2.718 > The biases are −0.5 and −1.5. They differ by 1, and that is a factor of e.
- [ ] 3 > distance: 3 is the ratio of the distances. The factor is the exponential of the difference
  of the two scores.
- [ ] 1.649 > one-place: That is the factor for one position, e to 0.5. The keys are two apart.
- [ ] 7.389 > two-steps: That is e². The distances differ by 2, and the slope is 0.5, so the scores
  differ by 1.
- [ ] 1 > difference: 1 is the difference of the scores. What factor in the weights is that?
- [ ] 4 > power-of-two: Weights are powers of e, not of 2.
- [ ] 4.482 > farther-only: That is e to 1.5, from the bias of the farther key alone. What counts is
  the difference of the two biases.
- [ ] 0.368 > other-way-round: That is the factor of the farther key. The question asks for the
  nearer one.

## heads
Two heads of ALiBi have the slopes 1/4 and 1/256, and the tokens have a causal mask. Which head
attends further back?
- [ ] The one with 1/4
  > steep-is-far: Its bias at a distance of 20 is −5, so a key there has 0.007 of the weight that it
    would have without the bias.
- [ ] Neither: a causal mask hides what is far back
  > mask-hides-past: A causal mask hides the future, and no part of the past.
- [x] The one with 1/256
  > Yes: at a distance of 20 its bias is only −0.08, so far keys keep 0.92 of their weight before
    normalisation.

## longer
A model with rotary positions was trained on texts of 16 tokens. One text has 16 tokens at the
positions 100 to 115; another has 64 tokens. What do you expect?
- [x] The first works as before; the second may fail
  > Yes. Its scores do not depend on the position itself, so position 100 is nothing new. Distances
    beyond 15 are.
- [ ] Both work, as only distances count
  > distance-is-enough: The second text has distances that never occurred in training.
- [ ] Both may fail, as it never saw position 100
  > absolute-place: It cannot tell position 100 from position 0: the scores are the same.
""",
)
