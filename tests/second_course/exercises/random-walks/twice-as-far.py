"""After 100 steps the typical distance is 10."""

from coursekit import quiz

quiz(
    title="Twice as far",
    hints=["The typical distance after $n$ steps is $\\sqrt n$. Which $n$ has the root 20?"],
    questions=r"""
## steps (± 0.5, 2 points)
After how many steps is it 20?
- [x] 400
- [ ] 200 > linear: 200 steps would do if the distance grew evenly. Its square does.
- [ ] 141 > root: 141 is 100·√2: the root was taken on the wrong side. Square the distance.
""",
)
