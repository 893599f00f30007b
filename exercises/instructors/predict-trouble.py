"""Ten notebooks are graded in one go. Grace's function never returns when it is given a long
sentence, though it handles short ones well. Hugo returns an array that claims to equal whatever it
is compared with, and his first cell replaces `np.allclose` by a function that always says yes.
"""

from coursekit import quiz

quiz(
    title="Predict: what becomes of Grace and Hugo?",
    hints=[
        "From which process could a program change a verdict? In which one does Hugo's code run?",
        "A check asks a function for its result. What should it do when it has waited in vain for "
        "long enough?",
    ],
    questions=r"""
## endless
What does Grace get?
- [ ] Nothing: her notebook ran out of time
  > all-or-nothing: Her answers are collected one by one, and what was earned before that stays
    earned.
- [x] All points but those of the checks that ask for long sentences
  > Yes. The call is stopped, the check fails with that reason, and the rest of her notebook counts.
- [ ] It does not matter: the batch stands still until someone stops it
  > batch-hangs: Every call has its time. A batch that one learner can stop would be of no use at
    two in the morning.
- [ ] What she deserves, but the student graded after her gets nothing
  > shared-kernel: Each submission runs in its own processes, which end with it.

## cheat
And Hugo, for that exercise?
- [ ] Full marks, since every comparison says yes
  > same-process: They would, if his array and the check met in one process. His array crosses as
    plain numbers and says nothing about itself any more.
- [ ] Full marks, and a flag for a person to look
  > flagged: Points are neither given nor taken on suspicion. What counts is what his function
    returned.
- [x] Nothing: the numbers that he returned are wrong
  > Yes. Checks run in a process that his code never sees; what he replaced, he replaced for
    himself.
- [ ] Nothing, and the batch ends with an error > batch-hangs: No submission ends a batch.
""",
)
