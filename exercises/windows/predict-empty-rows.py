"""A text is padded to ten positions, 0 to 9. The first four are real tokens; the other six are
padding, which no query may attend to. Each query sees the key at its own position and two keys on
each side, as far as these are real. Queries at padded positions count as well.
"""

from coursekit import quiz

quiz(
    title="Predict: which queries see nothing",
    hints=["Which keys are in the window of position 4, and which of them are real?"],
    questions=r"""
## first_empty_row (± 0)
Which is the first position whose query sees no key at all?
- [x] 6 > Position 5 still has the real token 3 in its window. Position 6 sees positions 4 to 8, all
  padding.
- [ ] 4 > first-padding: Position 4 is padding, but its query sees the real tokens 2 and 3.
- [ ] 5 > one-more: Position 5 is two away from position 3, which is real and in its window.
- [ ] 7 > one-too-late: Position 7 sees nothing, but it is not the first one.
- [ ] 9 > last: Position 9 sees nothing, but it is not the first one.
- [ ] else > The real tokens are at positions 0 to 3. Which positions have none of them in their
  window?
""",
)
