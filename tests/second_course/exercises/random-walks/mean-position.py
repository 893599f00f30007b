"""A thousand walkers start at 0 and walk $n$ steps each."""

from coursekit import quiz

quiz(
    title="The mean position",
    hints=["What does the mean of $s_1$ come to? And of a sum of such steps?"],
    questions=r"""
## mean
What is the mean of their positions near to, for large $n$?
- [x] 0 > Yes: left and right cancel.
- [ ] $\sqrt n$
  > distance: That is how far from 0 a walk typically ends, on either side. The sides cancel in the
    mean. You took the typical distance for the mean position.
- [ ] $n$
  > all-right: Only a walk with all its steps to the right ends there. You took the farthest
    position for the mean.
""",
)
