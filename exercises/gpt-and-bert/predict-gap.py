"""In the text, half of the nouns are feminine. A subject is hidden: *… sous la lampe avait été
ramassée*. The participle at the end shows that it is feminine. How much probability does each
model give to feminine nouns in the gap?
"""

from coursekit import quiz

quiz(
    title="Predict: a gap at the beginning, the clue at the end",
    hints=["Which tokens does each of them read when it fills the first place?"],
    questions=r"""
## masked
The masked model, which was trained to fill gaps:
- [ ] about 0.5 > masked-is-blind: It also reads the participle: nothing hides it from the gap.
- [ ] about 0.75
  > half-sure: The participle decides the gender. After training there is little doubt left.
- [x] nearly 1 > Yes: the gap attends to the participle.

## next_token
The model of the next token, which reads what stands before the gap:
- [x] about 0.5 > Yes. Before the gap stands only the mark for the beginning.
- [ ] about 0.75 > half-sure: Before the gap there is nothing that says anything about the gender.
- [ ] nearly 1 > sees-the-future: The participle comes after the gap, and the mask hides it.
""",
)
