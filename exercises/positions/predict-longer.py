"""Three encodings, added sinusoids, rotary and ALiBi, and two tasks for one layer with four heads,
each 8 wide. It is trained on texts of 4 to 16 tokens.

- **Three back**: name the word three positions before the last. Here the exact position counts.
- **Latest**: each token is a name with a colour, such as *Ann red*; the last one asks for a name,
  and the answer is its *latest* colour. Here order counts, and the exact position does not.
"""

from coursekit import quiz

quiz(
    title="Predict: which encoding works for longer texts?",
    hints=["What is new at 64 tokens: positions, distances, or both? For which encoding?"],
    questions=r"""
## never_learns
Which of the three encodings does not even learn *three back* on 16 tokens?
- [ ] Added sinusoids
  > sinusoids-fail: They learn it: every position has vectors of its own, from which the model can
    compute which key is three back.
- [ ] Rotary > rotary-fails: It learns it: a score can be largest at a distance of 3.
- [x] ALiBi
  > Yes. Its bias falls steadily with the distance, so no head can prefer the third key to the
    second by distance.

## still_right
Which of them still finds the *latest* colour in texts of 64 tokens?
- [x] ALiBi > Yes: a new distance only lowers the score more, which is what the task needs.
- [ ] Added sinusoids
  > sinusoids-extrapolate: Their vectors at positions beyond 16 are combinations that never occurred
    in training.
- [ ] Rotary
  > rotary-extrapolates: Its scores depend on the distance, but distances beyond 15 are new, and
    training did not teach what to do with them.
- [ ] All three
  > all-extrapolate: Two of them meet positions or distances that never occurred in training.
""",
)
