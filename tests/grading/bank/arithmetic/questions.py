"""Three questions."""

from coursekit import quiz

quiz(
    title="Questions",
    questions=r"""
## even
Which number is even?
- [ ] Three > odd: Three is odd. Odd numbers leave a remainder of one.
- [x] Four > Four is twice two.

## half (± 0.01, 2 points)
What is half of five?
- [x] 2.5

## why
Why is a double always even?
- [2] Names the factor two.
### weak (0)
All numbers are.
> Three is not.
### good (1)
It is a sum.
> Of *two equal* numbers.
### excellent (2)
It is 2n.
> The factor is there.
""",
)
