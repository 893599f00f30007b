"""Three kinds of question, about $\\sqrt{16}$ and `sqrt`."""

from coursekit import quiz

quiz(
    title="Three kinds of question",
    hints=["Which number, times itself, is 16?", "It is less than $5$.", "Try `2 + 2`."],
    questions=r"""
## root
Which of these is $\sqrt{16}$?
- [ ] $8$, half of `16` > halved: That is half of 16.
- [x] $4$ > Yes: `4 * 4` is 16.
- [ ] $256$, sixteen times sixteen > squared: That is 16 squared.

## pair (± 0.005, 2 points)
Give the square roots of 0.04 and 0.25.
- [x] 0.2, 0.5 > 0.2 · 0.2 is 0.04, and 0.5 · 0.5 is 0.25.
- [ ] 0.02, 0.125 > halved: A root is not a half: half of 16 added to itself is 16. Look at a
  product.
- [ ] 0.0016, 0.0625 > squared: You went the other way. Which number has to be squared?

## single (± 0.001 m)
And of 2?
- [x] 1.4142

## why
Why has a negative number no real root?
- [1] Says that a square is never negative.
- [2] Names $i$.
### weak (0, 0)
It has one.
> Square it and see.
### good (1, 0)
No real number squared is `-1`.
> True, and $i$ is missing.
### excellent (1, 2)
Squares are never negative, so the root is a multiple of $i$.
> Both are there.
""",
)
