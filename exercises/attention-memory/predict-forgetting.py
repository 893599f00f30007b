"""A state of 8 features reads 16 pairs, one after the other, and is then asked for one of them.
There are three such states. One keeps all pairs equally. One is multiplied by 0.8 before each pair
is added. In the third, each pair computes its own factor, in a way that is learned.
"""

from coursekit import quiz

quiz(
    title="Predict: what is forgetting good for?",
    questions=r"""
## left (± 0.0006)
With the factor 0.8, what is left of the first of the 16 pairs when all are read? Answer with two
significant digits.
- [x] 0.035184 > 0.8 to the power of 15: fifteen pairs came after it.
- [ ] 0.028147 > sixteen: 0.8¹⁶ counts the pair itself. It is multiplied by those that come after
  it.
- [ ] 0.053333 > linear: The factor is applied once for each later pair: a power, not a quotient.
- [ ] 0.04398 > fourteen: 0.8¹⁴ is one factor short. Fifteen pairs come later.
- [ ] 0.8 > one: 0.8 is what is left after one more pair.
- [ ] 3.5 > percent: That is the share in percent. As a factor it is 100 times smaller.
- [ ] -2.0 > subtracted: Each later pair takes a fifth of what is left, not a fifth of the
  beginning: multiply, and it never falls below 0.
- [ ] -2.2 > subtracted-sixteen: Each later pair takes a fifth of what is left, not a fifth of the
  beginning: multiply, and it never falls below 0. And fifteen pairs come later.
- [ ] else > Each pair that comes later multiplies it by 0.8. How many come later?

## text_ends
Now the state reads 8 pairs, a mark for the end of the text, and 8 pairs of another text, about
which it is asked. Which state answers the most questions?
- [x] The one whose factor each pair computes
  > Yes. It can multiply by nearly 0 at the mark, and by 1 elsewhere.
- [ ] The one with 0.8: the first text has faded, the second has not
  > fixed-fits: After eight pairs a sixth of the first text is left, but of the second text's own
    first pair only a fifth.
- [ ] The one that keeps all: nothing is lost
  > keeping-never-hurts: The first text is in the way: 16 pairs share the 8 features, and the same
    name may stand there with another value.
- [ ] All the same: there are 16 pairs either way
  > only-the-count: They differ in how much of the first text, which is not asked for, is still in
    the state.
""",
)
