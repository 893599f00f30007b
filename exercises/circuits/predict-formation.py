"""Model B is trained on texts of many periods. It ends with the two heads that are described above,
a previous-token head and an induction head. We look at the model again and again while it is
trained.
"""

from coursekit import quiz

quiz(
    title="Predict: which head comes first?",
    hints=[
        "Suppose that one of the two heads were complete and the other did not exist. Which "
        "tokens could the model predict that it could not predict before?",
    ],
    questions=r"""
## order
How do the two heads form?
- [ ] The previous-token head first, hundreds of steps before the other
  > layer-by-layer: What would reward it? While no head of layer 2 reads what it writes, looking at
    the previous token hardly lowers the loss on random texts.
- [ ] The induction head first, hundreds of steps before the other
  > last-layer-first: It compares the current token with what layer 1 has written. Before anything
    is written, it has nothing to find.
- [x] Both at about the same time
  > Yes: each is rewarded only to the extent that the other is there. A little of both makes more of
    both worthwhile.

## shape
So what shape does the loss in the repeats have?
- [ ] It falls evenly from the first step to the last
  > even-progress: As long as neither head is of use without the other, there is hardly a direction
    in which the loss falls.
- [x] A long plateau near the loss of guessing, then a steep fall
  > Yes. On the plateau little can be seen from outside; the fall begins when the two heads begin to
    fit together.
- [ ] Two equal steps down, one for each head
  > one-step-per-head: A step for one head alone would mean that it is of use alone.
""",
)
