"""Two translations form one training batch. The first has 7 tokens, the second 5. Each gets an
`(end)`. The shorter row is filled up with padding.
"""

from coursekit import quiz

quiz(
    title="Predict: how many predictions count?",
    hints=["What has to be predicted after the last word of a sentence?"],
    questions=r"""
## places (± 0, shape)
What is the shape of the array of targets? Write the two numbers.
- [x] 2, 8 > Two rows, as long as the longest sentence with its (end).
- [ ] 2, 7 > no-end: (end) has to be predicted, too. So each row is one longer than its sentence.
- [ ] 2, 9 > both-marks: The mark for the beginning is read and never predicted.
- [ ] 8, 2 > transposed: Rows are sentences, columns are places.

## counted (± 0)
How many of these places count in the loss?
- [x] 14 > 7 + 1 and 5 + 1: every word and every (end), no padding.
- [ ] 16 > all: That counts the padding. The model must not be trained to write padding.
- [ ] 12 > words-only: That leaves (end) out. The model has to learn when to stop.
- [ ] 18 > with-begin: That counts the marks for the beginning as well, or places of the padding. A
  beginning is read and never predicted.
- [ ] 13 > one-end: Both sentences end with an (end).
""",
)
