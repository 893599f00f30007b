"""You see only the figure above: the held-out losses of the four runs. One number helps, and it can
be computed from what is said of the language.
"""

from coursekit import quiz

quiz(
    title="Predict: which run has no fault?",
    recalled=False,
    hints=[
        "Two tokens are equally likely each time. Which probability does the best model give to "
        "the one that comes, and what is its loss?"
    ],
    questions=r"""
## keep
Which of the four runs used the program without a fault?
- [ ] run A: it has the lowest loss, and on text that it has never seen
  > lowest-is-best: What is the loss of a model that knows the two allowed tokens but cannot know
    which of them comes? No honest run gets below it.
- [x] run B: it falls steadily and ends at 0.70
  > Yes. Between two equally likely tokens the best loss is ln 2, which is 0.69 nats. Run B gets
    there, and smoothly.
- [ ] run C: it ends where B ends, and it took longer to learn
  > spike-is-normal: Its model is as good as that of run B in the end. But after its first step its
    loss is 22 nats, whereas guessing blindly gives ln 11 = 2.40.
- [ ] run D: it learns slowly, and then very well
  > held-out-is-proof: Its loss of 0.04 means that it gives the token that comes a probability of
    0.96. The language leaves two tokens open.
""",
)
